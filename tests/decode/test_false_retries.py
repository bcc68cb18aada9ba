"""Texts in which a transient word stands and nothing passes by itself, and outages.

Words such as "rate limit" and "timeout" also name settings, and "try again" is also
said to people who have to change something first.
"""

from pathlib import Path

import pytest

from mcpfusion_client.decode import decode

MORE_REFUSALS = tuple(
    (Path(__file__).parent / "refusals.txt").read_text("utf-8").splitlines()
)
REFUSALS = (
    "Your account is temporarily suspended. Contact support.",
    "Payment failed. Please try again with another card.",
    "Too many items in cart: 101 (maximum 100)",
    "Too many login attempts. Your account has been locked; contact an administrator.",
    "Timeout must be a positive integer",
    "retry_after must be a number",
    "Invalid rate limit value: -3",
    "Rate limit cannot exceed 100",
    "rate_limit: expected integer, received string",
    "The temporary password has expired",
    "Temporary file /tmp/x not found",
    "Service unavailable in your country",
    "This feature is temporarily disabled for your plan",
    "'busy' is not a valid status",
    "Operator overloading is not supported",
    "Concurrent edit: the document was changed by Kim",
    "throttle parameter is missing",
    "Unknown option --retry",
    "You have sent too many requests this month. Upgrade your plan.",
    "Maintenance fee unpaid",
    "Slow down is not a supported playback mode",
    "This endpoint was removed; use /v2 instead (HTTP 503 is returned to old clients)",
    'Cannot parse "Retry-After: 5"',
    "Header Retry-After is not allowed in requests",
    "Invalid cron expression: try again every 5 minutes",
    (
        'The schedule "every 30 seconds" is too frequent for your plan; the '
        "minimum is 60 seconds"
    ),
    "Wait time 30 seconds exceeds the maximum of 10",
    "Argument retries: must be <= 5",
    "Status code 503 is not in the list of allowed mock responses",
    "Expected status 200 but the mapping says 429",
    "Assertion failed: expected 503, got 200",
    "The test expected a 429 response",
    "Password must not be one of your last 5; try again",
    "Wrong PIN. Try again in the app.",
    "Insufficient funds, please retry with another account",
    "Duplicate request: order 5 was already placed. Do not submit again.",
    "Request too large. Try again with a smaller file.",
    "Please try again with a valid token",
    "Captcha failed, please retry",
    "The transaction was declined by your bank. Try again later.",
    "Model overloaded_v2 does not exist",
    "No such host group: rate-limited",
    "Concurrency limit must be between 1 and 10",
    "Your plan allows 3 concurrent exports; upgrade for more",
    "Webhook URL returned 429 during verification; the webhook was not saved",
    "Validation failed: url responded with 503",
    "Cannot enable maintenance mode: permission denied",
    "Email rejected: 550 5.7.1 rate limit policy violation",
    "This coupon is limited to 3 uses per day; you have used it 3 times",
    "Account temporarily locked due to too many failed attempts. Reset your password.",
    'The job "retry failed uploads" does not exist',
    "Cannot remove throttle: you are not an owner",
    'Queue name must not contain "busy"',
    "max_retries must be between 0 and 10",
    "Backoff must be one of: linear, exponential",
    "No permission to change the rate limit",
    "You cannot raise the rate limit above 1000",
    "Rate limit override requires admin access",
    "Circuit breaker 'payments-503' not found",
    "Health check path /503 is invalid",
    "Error page for 503 could not be found",
    "Redirect rule for 429 already exists",
    "Duplicate monitor: timeout-check",
    "A retry is not allowed for completed jobs",
    "This job cannot be retried because it succeeded",
    "Retry limit reached for job 9; it will not be retried",
    "Job 9 exceeded its retry budget and was cancelled",
    "Maintenance window 7 overlaps with window 6",
    "Maintenance window not found",
    "Cannot schedule maintenance in the past",
    "Connection 'prod-timeout' is not configured",
    "Unknown connection: temporary",
    "Lock timeout must be at least 100 ms",
    'statement_timeout: invalid value "never"',
    'Field "retryAfter" is read-only',
    "The card reader is busy icon is missing",
    "Overloaded method 'run' is ambiguous",
    "Transient objects cannot be saved",
    "Temporary credentials are not allowed for this operation",
    "Temporary redirect loops are invalid",
    "Slow queries report requires the Enterprise plan",
    "Too many arguments for method run",
    "Too many open tickets: close one first",
    "Too many columns in CSV: 12, expected 10",
    "Rate limit exceeded for this trial; subscribe to continue. Not retryable.",
    "Unavailable dates: 2026-12-24. Choose another date.",
    "The requested slot is unavailable",
    "Item is temporarily out of stock",
    "User is temporarily banned from this channel",
    "Service account is disabled",
)
OUTAGES = (
    "The API is rate limiting us, retry in 12 seconds",
    (
        "Error: 429 "
        '{"type":"error","error":{"type":"rate_limit_error","message":"This '
        "request would exceed your organization's rate limit\"}}"
    ),
    (
        "google.api_core.exceptions.TooManyRequests: 429 POST https://x.example: "
        "Rate Limit Exceeded"
    ),
    "Elasticsearch: [429] circuit_breaking_exception",
    "Database is currently busy, try again in a few seconds",
    "HTTP 503 Service Unavailable",
    "Server is temporarily overloaded, please retry",
    "Too many requests. Retry-After: 30",
    "Request rate is large: more Request Units may be needed. Retry after 500 ms",
    "The model is overloaded with other requests. You can retry your request.",
    "API rate limit exceeded for user ID 9.",
    "Throttled: wait 5 s before the next call",
    "SERVICE_UNAVAILABLE: backend is restarting",
    "rpc error: code = ResourceExhausted desc = too many concurrent streams",
    "ThrottlingException: Rate exceeded",
    "You are being rate limited.",
    "Deadlock detected while waiting for ShareLock; retry transaction",
    "The system is under heavy load. Try again in a minute.",
    "API calls are limited to 10 per second; you sent 14.",
    "You are sending messages too quickly, wait 3 seconds",
    "The worker pool is full, retry later",
    "Rate limits exceeded for project 9",
    "Calls per minute limit exceeded",
    "This endpoint only allows 2 requests per second",
    "Backend overloaded",
    "cooldown active: 12 seconds remaining",
)


def retry_of(text: str) -> bool | None:
    """Return what is concluded about repeating a call that failed with *text*."""
    error = decode({"content": [{"type": "text", "text": text}], "isError": True})
    assert error is not None
    return error.is_retryable


@pytest.mark.parametrize("text", [*REFUSALS, *MORE_REFUSALS])
def test_a_transient_word_alone_is_no_reason_to_repeat(text: str) -> None:
    """What is refused is refused again, however it is called."""
    assert retry_of(text) is not True


@pytest.mark.parametrize("text", OUTAGES)
def test_a_limit_or_an_outage_is_a_reason_to_repeat(text: str) -> None:
    """Being careful with names does not make the decoder deaf."""
    assert retry_of(text) is True


@pytest.mark.parametrize(
    "code",
    [
        "INVALID_RATE_LIMIT",
        "TIMEOUT_TOO_LONG",
        "InvalidTimeout",
        "RATE_LIMIT_RULE_EXISTS",
        "UNAVAILABLE_IN_REGION",
    ],
)
def test_the_code_of_a_setting_is_no_reason_to_repeat(code: str) -> None:
    """A time-out or a limit can be set, and set wrongly."""
    error = decode(
        {
            "content": [],
            "structuredContent": {"code": code, "message": "at most 120 seconds"},
            "isError": True,
        }
    )

    assert error is not None
    assert error.is_retryable is False


def test_a_resource_that_is_locked_for_seconds_may_be_free_again() -> None:
    """Another writer will be done; without a time nobody knows when."""
    assert retry_of("This resource is locked.") is False
    assert retry_of("This resource is locked. Try again in 5 seconds.") is True
    assert retry_of("You must wait 15 seconds before you may call again.") is not False
