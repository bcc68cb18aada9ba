"""JSON keys: which spelling names which fact.

Keys are compared without case and separators, so ``retryAfter``, ``retry_after``
and ``retry-after`` are one row.
"""

from collections.abc import Mapping

from mcpfusion_client.model import ErrorCategory

FLAG = "is_retryable"
CATEGORY = "category"
CODE = "code"
MESSAGE = "message"
RECOVERY = "recovery"
SEVERITY = "severity"
ACTIONS = "available_actions"
DETAILS = "details"
STATUS = "status"
WAIT = "wait"
RESET = "reset"
QUERY = "attempted_query"
PARTIAL = "partial_results"
ISSUES = "issues"
FIELD = "field"
SIDE_EFFECTS = "side_effects"
EXECUTED = "executed"
TRANSIENT = "transient"
HEADERS = "headers"
ACTION = "action"

ROWS: tuple[tuple[str, str], ...] = (
    (
        FLAG,
        """
        isRetryable retryable isRetriable retriable canRetry shouldRetry
        retry safeToRetry isRetriableError canBeRetried retryAllowed
        """,
    ),
    (
        CATEGORY,
        """
        errorCategory category errorFamily errorClassification
        failureCategory failureType
        """,
    ),
    (
        CODE,
        """
        errorCode code codeName errCode errorType type status reason error __type
        kind name exception exceptionType errorName errorKind failureCode
        sqlState errno symbol
        """,
    ),
    (
        MESSAGE,
        """
        message errorMessage msg detail errorDescription description title
        error reason content text errorMsg errMsg errorText userMessage errorDetail
        errorDetails statusMessage summary errors errorMessages messages
        displayMessage localizedMessage explanation details rawErrorText
        """,
    ),
    (
        RECOVERY,
        """
        recovery suggestion hint remediation resolution recoveryHint
        recoverySuggestion suggestedAction suggestedFix howToFix fix help
        advice recommendation nextStep nextSteps actionRequired suggestions
        recoveryAction guidance userAction tip recommendedAction whatToDo
        retryHint instruction instructions
        """,
    ),
    (SEVERITY, "severity level"),
    (ACTIONS, "availableActions availableTools candidates validActions alternatives"),
    (DETAILS, "details data context metadata meta"),
    (
        STATUS,
        """
        status statusCode httpStatus httpStatusCode httpCode code
        responseStatus upstreamStatus errorCode httpResponseCode
        responseCode
        """,
    ),
    (
        WAIT,
        """
        retryAfter retryAfterMs retryAfterSeconds retryAfterSecs
        retryAfterSec retryAfterS retryAfterMinutes retryAfterMilliseconds
        retryAfterMillis retryIn retryInSeconds retryInMs retryDelay
        retryDelayMs retryDelaySeconds retryAt retryAfterAt waitSeconds
        waitMs waitTime waitTimeSeconds backoffSeconds backoffMs backoff
        suggestedWaitSeconds retryAfterTime cooldownSeconds cooldownMs
        cooldown wait secondsUntilRetry tryAgainIn nextRetryAt nextRetryIn
        retryNotBefore nextAllowedAt resetAfter resetAfterMs resetInSeconds
        resetInMs resetIn resetsIn resetsInSeconds secondsUntilReset
        availableIn timeToWait retryWaitSeconds delaySeconds
        """,
    ),
    (RESET, "resetAt resetsAt resetTime reset rateLimitReset xRateLimitReset"),
    (QUERY, "attemptedQuery"),
    (PARTIAL, "partialResults partialResult"),
    (
        ISSUES,
        """
        fields errors issues violations fieldErrors validationErrors
        invalidParams fieldViolations detail details invalidFields
        errorFields problems formErrors invalidParameters modelState causes
        message
        """,
    ),
    (FIELD, "field param parameter fieldName argument invalidField parameterName"),
    (SIDE_EFFECTS, "sideEffects"),
    (EXECUTED, "executed wasExecuted"),
    (TRANSIENT, "transient isTransient temporary isTemporary"),
    (HEADERS, "headers responseHeaders"),
    (ACTION, "action"),
)

_UNITS: tuple[tuple[str, float], ...] = (
    ("ms", 0.001),
    ("milliseconds", 0.001),
    ("millis", 0.001),
    ("minutes", 60.0),
)


def normalise(key: str) -> str:
    """Return *key* without case and separators."""
    return key[:_MAX_KEY].translate(_SEPARATORS).lower()


_MAX_KEY = 128
_SEPARATORS = str.maketrans("", "", "_- .")


ORDER: Mapping[str, tuple[str, ...]] = {
    role: tuple(normalise(key) for key in keys.split()) for role, keys in ROWS
}
"""The fact to its normalised keys, the one to believe first in front."""

CODES_PROPER = frozenset({"errorcode", "code", "codename", "errcode"})
"""Keys that hold a code and nothing else; types and class names come after them."""

EXACT = frozenset(key for _, keys in ROWS for key in keys.split())
"""The spellings as they stand here; they beat another case of the same key."""


def unit_of(key: str) -> float:
    """Return the seconds that a bare number under the normalised *key* counts in."""
    return next((unit for suffix, unit in _UNITS if key.endswith(suffix)), 1.0)


CATEGORIES: Mapping[str, ErrorCategory] = {
    normalise(word): category
    for category, words in (
        (
            ErrorCategory.TRANSIENT,
            """
            transient temporary network connectivity connection timeout
            availability unavailable infrastructure upstream retryable
            service_unavailable transient_error network_error
            system_transient overloaded busy dependency
            """,
        ),
        (ErrorCategory.RATE_LIMITED, "rate_limited rate_limit throttling throttled"),
        (
            ErrorCategory.VALIDATION,
            """
            validation validation_error invalid_input input user_input
            bad_request invalid_request invalid_params invalid_argument
            user_error client_input bad_input schema syntax parameter
            invalid malformed
            """,
        ),
        (ErrorCategory.AMBIGUOUS, "ambiguous"),
        (
            ErrorCategory.PERMISSION,
            """
            permission permissions authorization forbidden access
            access_denied permission_denied permission_error security
            """,
        ),
        (
            ErrorCategory.AUTHENTICATION,
            "authentication auth unauthenticated unauthorized credentials auth_error",
        ),
        (
            ErrorCategory.BUSINESS,
            """
            business business_rule business_logic policy domain quota
            billing payment business_error
            """,
        ),
        (ErrorCategory.NOT_FOUND, "not_found resource_not_found missing_resource"),
        (ErrorCategory.CONFLICT, "conflict state_conflict already_exists concurrency"),
        (ErrorCategory.STATE_UNKNOWN, "state_unknown"),
        (ErrorCategory.CANCELLED, "cancelled canceled user_cancelled aborted"),
        (ErrorCategory.PROTOCOL, "protocol protocol_error"),
        (ErrorCategory.OTHER, "other"),
        (
            ErrorCategory.UNKNOWN,
            "unknown internal internal_error server server_error unexpected",
        ),
    )
    for word in words.split()
}
