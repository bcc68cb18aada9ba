"""Transient words in quotes and names are no reason to repeat a refused call.

The refusals were written first and the outages beside them, so that neither rule
is bought with the other.
"""

import pytest

from mcpfusion_client.decode import decode
from mcpfusion_client.model import ErrorCategory

REFUSALS = [
    ("Cannot delete rule 'rate limit 429': rule is protected by policy", "permission"),
    ("Template 'HTTP 503' is in use and cannot be deleted", "conflict"),
    ("Rate limit rules cannot be edited by members", "permission"),
    ('Label "503 Service Unavailable" already exists in this project', "conflict"),
    ("Page `Too Many Requests` not found in space DOCS", "not_found"),
    ("A monitor named «Connection timed out» already exists", "conflict"),
    ("ルール「レート制限」は削除できません。管理者権限が必要です", "permission"),
    ("模板“服务暂时不可用”不存在", "not_found"),
    ("Die Vorlage „Zu viele Anfragen“ wurde nicht gefunden", "not_found"),
    ("La plantilla «Tiempo de espera agotado» no existe", "not_found"),
    ("Vous n'avez pas la permission de modifier «Trop de requêtes»", "permission"),
    ("Tag 'RATE_LIMITED' already exists", "conflict"),
    ("No document with title 'Service Unavailable (HTTP 503)'", "not_found"),
    ("Alert rule 'ECONNRESET errors' is read-only and cannot be modified", None),
    ('The option "temporarily unavailable" is not a valid status', "validation"),
    ("Value 'timeout' is not one of ['open', 'closed']", "validation"),
    ('Invalid label "503 Service Unavailable"', "validation"),
    ("'server busy' is not a valid value for field 'state'", "validation"),
    ("Field 'title' must not contain \"try again later\"", "validation"),
    ("Subject 'Please retry in 5 minutes' is too long (max 20)", "validation"),
    ('You do not have permission to edit the page "429 Too Many Requests"', None),
    ("Access denied to folder 'Gateway Timeout 504'", "permission"),
    ("Forbidden: user may not view channel 'try again in 30 seconds'", "permission"),
    ("Channel 'rate-limited' is archived", "conflict"),
    ("Project `overloaded` was not found", "not_found"),
    ("Timeout settings can only be changed by an administrator", "permission"),
    ("The retry policy cannot be deleted because it is in use", "conflict"),
    ("The throttling policy is protected and cannot be removed", None),
    ("Maintenance mode template cannot be deleted: it is a system template", None),
    ("Rate limit group 'gold' does not exist", "not_found"),
    ("File not found: docs/errors/rate-limit-exceeded.md", "not_found"),
    ("ENOENT: no such file or directory, open '/srv/timeout/429.html'", "not_found"),
    ("No such table: too_many_requests_log", "not_found"),
    ("Unknown column 'retry_after' in 'field list'", None),
    ("Job 'is busy' was cancelled by the user", "cancelled"),
    ("Issue 'Database deadlock detected' is already closed", "conflict"),
    ('Duplicate title: "HTTP 503 when saving"', "conflict"),
    ('Workflow "Wait 30 seconds and retry" is disabled', None),
    ("Payment plan 'Too many requests' requires an upgrade of your plan", "business"),
    ("Cannot assign ticket 'Service Unavailable': it is already closed", "conflict"),
    ("Comment was rejected by policy: it quotes 'rate limit exceeded'", "permission"),
    ("Status page component 'temporarily unavailable' must be set by an owner", None),
    ("Environment 'maintenance mode' is protected; approval required", "permission"),
    ('{"error": "not_found", "message": "no rule named \'429 limit\'"}', None),
    ('{"message": "Template \'HTTP 503\' is in use and cannot be deleted"}', None),
]

OUTAGES = [
    'upstream said "503 Service Unavailable"',
    "The server replied with '503 Service Unavailable'",
    "Server error '503 Service Unavailable' for url 'https://api.example.com/x'",
    "Client error '429 Too Many Requests' for url 'https://api.example.com/x'",
    "Error calling tool 'search': 429 Too Many Requests",
    'Error executing tool fetch: HTTP 503: "Service Unavailable"',
    'GitHub answered: "You have exceeded a secondary rate limit"',
    'Could not create issue: server replied "503 Service Unavailable"',
    "Failed to fetch 'report.csv': Too Many Requests",
    "Unable to load 'users': rate limit exceeded, try again in 30 seconds",
    "Response: `429 Too Many Requests`",
    'Got error "Rate limit exceeded" from the API',
    "API error: 'Too many requests, slow down'",
    'The API returned "rate limited"',
    "Tool 'export' failed: server is busy",
    "Query on table 'orders' failed: deadlock detected",
    "Model 'tiny' is currently overloaded",
    "Service 'billing' is temporarily unavailable",
    "'billing' is temporarily unavailable, try again in 10 seconds",
    "Rate limit exceeded for user 'alice'",
    "Rate limit rule 'default' exceeded: too many requests",
    "Rate limit policy violated: too many requests, retry after 5 seconds",
    "Request was throttled by the rate limit policy",
    "The throttling policy allows 10 calls a minute. Retry after 20 seconds.",
    "レート制限を超えました。30秒後に再試行してください",
    "サーバーから「503 Service Unavailable」が返されました",
    "API 回應「請求過於頻繁」",
    "服务器返回“请求过于频繁，请稍后重试”",
    "Der Server meldet „Zu viele Anfragen“",
    "Le serveur a répondu « 503 Service Unavailable »",
    "El servidor respondió «Demasiadas solicitudes»",
    'O servidor respondeu "Muitas solicitações"',
    "HTTP status '503'",
    "Reason: 'Service temporarily unavailable'",
    "Collection 'logs' is still loading",
    "Lock wait timeout exceeded; try restarting transaction",
    "(1205, 'Lock wait timeout exceeded; try restarting transaction')",
    "(1213, 'Deadlock found when trying to get lock; try restarting transaction')",
    'rpc error: code = Unavailable desc = "the service is temporarily unavailable"',
    'Throttled by upstream ("rate_limit_exceeded")',
    '{"error": {"message": "\'gpt\' is overloaded. Try again in 3 seconds"}}',
]


def result(text: str) -> dict[str, object]:
    """Return a failed result with *text*."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


@pytest.mark.parametrize(("text", "category"), REFUSALS)
def test_a_refusal_is_not_retried_for_a_word_in_a_name(
    text: str, category: str | None
) -> None:
    """What a rule, page or file is called says nothing about the failure."""
    error = decode(result(text))

    assert error is not None
    assert error.is_retryable is not True
    assert error.retry_after is None
    assert error.category.family is not ErrorCategory.TRANSIENT
    if category is not None:
        assert error.category.family.value == category


@pytest.mark.parametrize("text", OUTAGES)
def test_an_outage_is_retried_also_when_it_is_quoted(text: str) -> None:
    """What a server said stands in quotes as well, and names stand beside it."""
    error = decode(result(text))

    assert error is not None
    assert error.is_retryable is True
    assert error.category.family is ErrorCategory.TRANSIENT
