"""Exception classes whose name alone says why, in any language."""

from collections.abc import Mapping

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

ROWS: tuple[tuple[Meaning, str], ...] = (
    (
        m.LOST,
        """
        TimeoutError ReadTimeout ConnectTimeout WriteTimeout PoolTimeout
        TimeoutException SocketTimeoutException HttpTimeoutException ReadTimeoutError
        ConnectTimeoutError TaskCanceledException QueryCanceled HeadersTimeoutError
        OpenTimeout BodyTimeoutError TimeLimitExceeded SoftTimeLimitExceeded
        RequestTimeout
        HttpRequestTimeoutException ResponseTimeoutException
        """,
    ),
    (
        m.LOST,
        """
        ConnectionResetError ConnectionError BrokenPipeError ConnectionAbortedError
        RemoteProtocolError ServerDisconnectedError ChunkedEncodingError
        IncompleteRead IncompleteReadError ReadError WriteError NetworkError
        RemoteDisconnected ClosedResourceError BrokenResourceError SocketError
        ConnectionClosedError ConnectionClosed WebSocketException SSLError SSLEOFError
        SocketException ConnectionClosedException HttpRequestException FetchError
        ClientOSError ClientPayloadError DisconnectedError InterfaceError
        """,
    ),
    (
        m.REFUSED,
        """
        ConnectionRefusedError ConnectError NewConnectionError MaxRetryError gaierror
        ConnectException UnknownHostException NoRouteToHostException
        MongoServerSelectionError ServerSelectionTimeoutError ClientConnectorError
        NameResolutionError ClientConnectorDNSError CannotConnectNowError
        MongoNetworkError ResourceAccessException NoNodeAvailableException
        """,
    ),
    (
        m.RATE_LIMITED,
        """
        RateLimitError TooManyRequests TooManyRequestsError ResourceExhausted
        FloodWaitError FloodWait RateLimited RateLimitedError Throttled
        ThrottlingError RateLimitException
        """,
    ),
    (
        m.OUTAGE,
        """
        ServiceUnavailable ServiceUnavailableError OverloadedError
        ServiceUnavailableException TransientError UnavailableError
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        AuthenticationError Unauthorized UnauthorizedError UnauthorizedException
        InvalidTokenError ExpiredSignatureError NoCredentialsError
        AuthenticationException RefreshError CredentialsError TokenExpiredError
        JsonWebTokenError PartialCredentialsError DefaultCredentialsError
        CredentialUnavailableError ClientAuthenticationError BadCredentialsException
        InvalidCredentialsError AuthError InvalidAuthorizationSpecification
        """,
    ),
    (
        m.PERMISSION,
        """
        PermissionError Forbidden ForbiddenError ForbiddenException AccessDenied
        AccessDeniedError UnauthorizedAccessException InsufficientPrivilege
        PermissionDenied PermissionDeniedError SecurityException AuthorizationError
        AccessControlException
        """,
    ),
    (
        m.NOT_FOUND,
        """
        FileNotFoundError NotFoundError NotFound NotFoundException DoesNotExist
        ObjectDoesNotExist ResourceNotFoundError NoSuchElementException
        FileNotFoundException UndefinedTable UndefinedColumn NoResultFound
        NoSuchTableError NoSuchFileException EntityNotFoundException
        DirectoryNotFoundException NoSuchElementError ProcessLookupError
        UnknownObjectException
        """,
    ),
    (
        m.VALIDATION,
        """
        ValueError ValidationError ZodError ValidationException
        IllegalArgumentException ArgumentException ArgumentNullException
        ArgumentOutOfRangeException InvalidArgument InvalidArgumentError BadRequest
        BadRequestError BadRequestException FormatException NumberFormatException
        InvalidArgumentException ArgumentError UnprocessableEntityError
        InvalidParameterError MalformedURLException DateTimeParseException
        ConstraintViolationException JsonMappingException InvalidURL
        NotADirectoryError IsADirectoryError InvalidInputError UserInputError
        RequestValidationError MissingSchema ZoneInfoNotFoundError ParamValidationError
        MethodArgumentNotValidException InvalidFormatException
        """,
    ),
    (
        m.CONFLICT,
        """
        FileExistsError IntegrityError UniqueViolation AlreadyExists Conflict
        ConflictError ConflictException DuplicateKeyError FileAlreadyExistsException
        ConcurrentModificationException StaleObjectStateException AlreadyExistsError
        OptimisticLockException DuplicateKeyException ForeignKeyViolation
        ResourceExistsError OptimisticLockError StaleDataError
        DbUpdateConcurrencyException DataIntegrityViolationException
        IllegalStateException InvalidStateError
        """,
    ),
    (m.BUSY, "DeadlockDetected SerializationFailure LockNotAvailable DeadlockError"),
    (
        m.CANCELLED,
        """
        CancelledError AbortError OperationCanceledException CancellationException
        OperationCancelledException InterruptedException CanceledError Cancelled
        KeyboardInterrupt
        """,
    ),
    (
        m.CRASH,
        """
        NoMethodError KeyError TypeError AttributeError
        IndexError RuntimeError AssertionError
        NotImplementedError ModuleNotFoundError ImportError NameError
        ZeroDivisionError RecursionError MemoryError UnicodeDecodeError
        JSONDecodeError SyntaxError ReferenceError RangeError LookupError OSError
        NullPointerException NullReferenceException InternalServerError Exception
        OperationalError ProgrammingError DatabaseError APIError ApiError McpError
        InvalidOperationException CalledProcessError
        ToolError HTTPError ClientError HTTPStatusError RequestException RequestError
        """,
    ),
)

CLASSES: Mapping[str, Meaning] = {
    name: meaning for meaning, names in ROWS for name in names.split()
}
"""Class name without its package to what it means."""
