"""Forms in which clients, drivers and servers put a failure, beyond plain sentences."""

from typing import Any

import pytest

from mcpfusion_client import decode
from mcpfusion_client.model import ErrorCategory, Execution

RATE = ErrorCategory.RATE_LIMITED
TRANSIENT = ErrorCategory.TRANSIENT


def failure(text: str, **more: Any) -> Any:
    """Decode a failed result with one text block."""
    error = decode(
        {"content": [{"type": "text", "text": text}], "isError": True, **more}
    )
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Unexpected Response: 401 (Unauthorized)", ErrorCategory.AUTHENTICATION),
        ("POST /tags resulted in a `409 Conflict` response:", ErrorCategory.CONFLICT),
        ("Flexity API error: 429 Too Many Requests\nUnable to parse error body", RATE),
        ("TransportError(429, 'circuit_breaking', 'Data too large')", RATE),
        ("The command exited with code 429 rows", ErrorCategory.UNKNOWN),
    ],
)
def test_a_status_is_read_wherever_a_client_puts_it(
    text: str, category: ErrorCategory
) -> None:
    """Behind a colon, in code marks, as an argument; an exit code is none."""
    assert failure(text).category is category


def test_what_a_repr_holds_is_no_evidence() -> None:
    """The state of a driver's object is not what went wrong."""
    error = failure("db:1: timed out, Topology: <Topology id: 6, type: Unknown>")

    assert error.category is TRANSIENT
    assert error.is_retryable is not False


def test_a_repr_of_an_error_is_evidence() -> None:
    """Python shows errors in angle brackets too."""
    error = failure('<HttpError 404 when requesting x returned "Entity gone">')

    assert error.category is ErrorCategory.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Quota exceeded, retry in 1 minute and 30 seconds.", 90.0),
        ("You have exceeded your limit. Please wait 27 seconds.", 27.0),
    ],
)
def test_a_quota_that_comes_back_at_a_stated_time_is_a_rate_limit(
    text: str, hint: float
) -> None:
    """Without a time it is spent for good."""
    error = failure(text)

    assert (error.category, error.is_retryable) == (RATE, True)
    assert error.retry_after == hint
    assert failure("Quota exceeded.").is_retryable is False


def test_a_stated_wait_beside_a_used_up_quota_is_a_rate_limit() -> None:
    """The code says what, the wait says for how long."""
    error = failure(
        "You reached the limit.",
        structuredContent={"code": "KEYLESS_QUOTA_EXHAUSTED", "retry_after": 1800},
    )

    assert (error.category, error.retry_after) == (RATE, 1800.0)


def test_too_many_of_something_in_one_request_is_no_rate_limit() -> None:
    """Repeating it sends as many again."""
    assert failure("too many operations in txn request").is_retryable is False
    assert failure("Too many verification requests.").is_retryable is True


def test_lines_behind_a_code_or_a_wait_belong_to_something_else() -> None:
    """A line of its own ends what is stated on it."""
    error = failure("Error code: E4012\nRetry-After: 8\nMessage: no free slot")

    assert (error.code, error.retry_after) == ("E4012", 8.0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"statusCode": 401, "name": "restricted_api_key"}', "restricted_api_key"),
        ("Failed: API error [LimitExceededException]: at most 5 of them", None),
        ("Consumed (req/min): 12. Rate limit exceeded.", None),
        ('failed to connect: calling "initialize": EOF', None),
        ("Failed to fetch https://a.example/: ConnectTimeout('')", None),
    ],
)
def test_what_is_a_code_and_what_is_not(text: str, code: str | None) -> None:
    """A name beside a status is one, a unit or an end of file is none."""
    expected = "LimitExceededException" if "Limit" in text else code
    assert failure(text).code == expected


def test_an_exception_shown_behind_other_words_still_says_why() -> None:
    """Its class is evidence, though no code."""
    assert failure(
        "Failed to fetch https://a.example/: ConnectTimeout('')"
    ).category is (TRANSIENT)


def test_the_class_of_a_crash_is_no_complaint_about_arguments() -> None:
    """SyntaxError is a class of JavaScript as well as a word of databases."""
    error = failure("SyntaxError: Unexpected token '<' is not valid JSON")

    assert error.category is ErrorCategory.UNKNOWN
    assert error.execution is Execution.UNKNOWN


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Invalid resourceId: -4. Must be a positive integer.", ["resourceId"]),
        ("Bad Request: Mcp-Session-Id header is required", []),
        ("'a_id', 'b_id', and 'c_id' are required.", ["a_id", "b_id", "c_id"]),
        ("a_time and b_time must be provided together", ["a_time", "b_time"]),
        ("queue_name can only contain letters", ["queue_name"]),
        ('invalid status_code "5000": use 3 digits', ["status_code"]),
        ("missing or invalid 'cli_command' parameter", ["cli_command"]),
        ("[Error] objectRef is required.", ["objectRef"]),
        ("start has wrong type: float64", ["start"]),
        ("additional_fields is not valid JSON: Expecting value", ["additional_fields"]),
        ("param is missing or the value is empty or invalid: trip", ["trip"]),
        (
            '"days" must be less than 30. "home" is not allowed to be empty',
            ["days", "home"],
        ),
        (
            "data/days must be <= 30, data must have required property 'home'",
            ["days", "home"],
        ),
        (
            "legs[0].mode must be one of the following values: rail, bus",
            ["legs[0].mode"],
        ),
        ("Expected `int`, got `str` - at `$.legs[0].minutes`", ["legs[0].minutes"]),
        ("Invalid arguments: value at `/seats` is not an integer", ["seats"]),
        (
            "'x' is not one of ['a', 'b']\n\nOn instance['legs'][0]['mode']:\n    'x'",
            ["legs.0.mode"],
        ),
        (
            "1 validation error for Trip\nlegs -> 0 -> mode\n  not permitted",
            ["legs.0.mode"],
        ),
    ],
)
def test_the_arguments_that_validators_name(text: str, names: list[str]) -> None:
    """joi, yup, ajv, jsonschema, msgspec, pydantic 1, Rails, and people."""
    assert sorted(field.name for field in failure(text).fields) == sorted(names)


def test_an_empty_path_makes_no_field_issue() -> None:
    """The code of an error about nothing in particular is the code."""
    error = failure(
        "Search has timed out",
        structuredContent={"errors": [{"code": "SEARCH_TIMEOUT", "path": []}]},
    )

    assert error.code == "SEARCH_TIMEOUT"


def test_a_file_s_path_makes_no_field_issue() -> None:
    """Node puts the path of a file beside its code."""
    error = failure('{"errno": -2, "code": "ENOENT", "path": "/data/a.json"}')

    assert (error.code, error.category) == ("ENOENT", ErrorCategory.NOT_FOUND)


ANSWER = '{"jsonrpc": "2.0", "id": 3, "result": {"content": [], "isError": false}}'
REFUSAL = '{"jsonrpc": "2.0", "error": {"code": -32602, "message": "Unknown tool: x"}}'


@pytest.mark.parametrize("body", [ANSWER, f"event: message\ndata: {ANSWER}\n\n"])
def test_a_good_answer_over_http_is_a_success(body: str) -> None:
    """Whole or as the last event of a stream."""
    assert decode({"http": {"status": 200, "headers": {}, "body": body}}) is None


def test_an_error_in_a_good_http_answer_is_that_error() -> None:
    """The status of the transport says nothing about the call."""
    error = decode({"http": {"status": 200, "headers": {}, "body": REFUSAL}})

    assert error is not None
    assert (error.category, error.code) == (ErrorCategory.NOT_FOUND, "-32602")


NOTICE = '{"jsonrpc": "2.0", "method": "notifications/progress"}'


@pytest.mark.parametrize(
    "body", ["hello", "{}", "data: {\n\n", "data: {}\n\n", f"data: {NOTICE}\n\n"]
)
def test_an_http_answer_that_is_no_json_rpc_is_a_failure(body: str) -> None:
    """Nothing can be said of the call."""
    error = decode({"http": {"status": 200, "headers": {}, "body": body}})

    assert error is not None
    assert error.http is not None


def test_a_session_that_is_gone_is_worth_a_repeat() -> None:
    """The words are the SDK's own, so nothing ran."""
    error = decode(
        {"protocol_error": {"code": -32600, "message": "Session terminated"}}
    )

    assert error is not None
    assert error.is_retryable is True
    assert error.execution is Execution.NOT_EXECUTED


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ('Failed to write: 429 {"message": "over the plan limit"}', RATE),
        ("Parse error: Unexpected token `x`, expected Eof", ErrorCategory.VALIDATION),
        ("File hash mismatch - it may have been modified", ErrorCategory.CONFLICT),
        ("The payment may have been sent.", ErrorCategory.STATE_UNKNOWN),
        ("Response exceeds token limit", ErrorCategory.VALIDATION),
        (
            "Tool 'x' is quarantined: a person has to approve it",
            ErrorCategory.PERMISSION,
        ),
        ('Server "a" is busy: it runs its maximum of 4 calls', TRANSIENT),
    ],
)
def test_words_that_mean_another_thing_in_other_company(
    text: str, category: ErrorCategory
) -> None:
    """A state that somebody changed, a token that is counted, a grammar's token."""
    assert failure(text).category is category


def test_the_argument_a_noun_announces() -> None:
    """Any word can name an argument that is called one."""
    fields = failure("Argument repository is required").fields

    assert [field.name for field in fields] == ["repository"]


def test_an_object_about_recovery_beside_the_content_is_read() -> None:
    """Its code is the server's own."""
    error = failure("slow", recovery={"error_code": "RATE_LIMITED", "retry": True})

    assert (error.code, error.category, error.is_retryable) == (
        "RATE_LIMITED",
        RATE,
        True,
    )


def test_an_http_401_is_about_who_asks_whatever_its_body_calls_it() -> None:
    """OAuth servers answer it with `invalid_request`, too."""
    body = '{"error": "invalid_request", "error_description": "No header"}'
    error = decode({"http": {"status": 401, "headers": {}, "body": body}})

    assert error is not None
    assert error.category is ErrorCategory.AUTHENTICATION


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("All configured authentication methods failed", ErrorCategory.AUTHENTICATION),
        ("The conditional request failed", ErrorCategory.CONFLICT),
        ("Throughput exceeds the current capacity of your table", RATE),
    ],
)
def test_wordings_of_common_services(text: str, category: ErrorCategory) -> None:
    """SSH, and a key-value store."""
    assert failure(text).category is category
