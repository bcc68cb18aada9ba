"""Statuses, codes, classes, phrases and flags in the words of a text."""

import pytest

from mcpfusion_client.decode import (
    code_text,
    embedded,
    passage,
    prose,
    status_text,
    words,
    wrappers,
)
from mcpfusion_client.decode.evidence import Strength
from mcpfusion_client.decode.lexicon import Context, Lexicon
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import codes, meanings, systems
from mcpfusion_client.model import ErrorCategory, Execution

C = ErrorCategory


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("HTTP 429", 429),
        ("HTTP/1.1 404 Not Found", 404),
        ("Request failed with status code 503", 503),
        ("status: 403", 403),
        ("statusCode=401", 401),
        ("HTTP error! Status: 409", 409),
        ("429 Too Many Requests", 429),
        ("Client error '404 Not Found' for url 'x'", 404),
        ("Response code 502 (Bad Gateway)", 502),
        ("(status 402)", 402),
        ("error 404: no such page", 404),
        ("the server returned 401", 401),
        ("responded with a 500 error", 500),
        ("[429] slow down", 429),
        ("404: gone", 404),
        ("GET https://x.example/y: 405 Not mergeable", 405),
        ("code 429 rows", None),
        ("took 503 ms", None),
        ("status 404 rows", None),
        ("returned 404 rows", None),
        ("exit code 404", None),
        ("process exited with code 500", None),
        ("error 4040", None),
        ("version 4.404", None),
        ("costs 404$", None),
        ("HTTP 499", None),
        ("HTTP 200", None),
        ("order 404", None),
    ],
)
def test_a_status_needs_a_word_beside_it(text: str, status: int | None) -> None:
    """A number alone is a number."""
    clue = status_text.find(Passage(text))

    assert (clue.source if clue else None) == (
        None if status is None else f"HTTP status {status}"
    )


def test_only_the_first_numbers_can_be_statuses() -> None:
    """A flood of numbers costs one pass."""
    assert status_text.find(Passage("404 " * 100 + "HTTP 429")) is None


@pytest.mark.parametrize(
    ("text", "code", "number"),
    [
        (
            "An error occurred (NoSuchKey) when calling the GetObject operation: x",
            "NoSuchKey",
            None,
        ),
        ("rpc error: code = Unavailable desc = down", "Unavailable", None),
        ("status = StatusCode.NOT_FOUND", "NOT_FOUND", None),
        ("7 PERMISSION_DENIED: no", "PERMISSION_DENIED", None),
        ("[RATE_LIMITED] slow", "RATE_LIMITED", None),
        ("(ResourceGroupNotFound) gone", "ResourceGroupNotFound", None),
        ("Code: AuthorizationFailed\nMessage: no", "AuthorizationFailed", None),
        ("error code: E_BAD_THING", "E_BAD_THING", None),
        ("failed to search code: GitHub said no", None, None),
        ("QUOTA_EXCEEDED: no more", "QUOTA_EXCEEDED", None),
        ("it said RESOURCE_EXHAUSTED to us", "RESOURCE_EXHAUSTED", None),
        ("set MY_OTHER_NAME first", None, None),
        ("NOAUTH Authentication required.", "NOAUTH", None),
        ("ABOUT this", None, None),
        ("API error: channel_not_found", "channel_not_found", None),
        ("missing_scope", "missing_scope", None),
        ("(auth/user-not-found)", "auth/user-not-found", None),
        ("down (TEMPORARILY_UNAVAILABLE)", "TEMPORARILY_UNAVAILABLE", None),
        ("net::ERR_NAME_NOT_RESOLVED at x", "ERR_NAME_NOT_RESOLVED", None),
        (
            "https response error StatusCode: 503, api error SlowDown: x",
            "SlowDown",
            None,
        ),
        ("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED", None),
        ("code: 'UND_ERR_SOCKET'", "UND_ERR_SOCKET", None),
        ("EXAMPLE text", None, None),
        ("[Errno 13] Permission denied: 'x'", None, None),
        ("[Errno 9999] what", None, None),
        ("KeyError: 'a'", "KeyError", None),
        ("Error: it broke", None, None),
        (
            "java.net.SocketTimeoutException: Read timed out",
            "SocketTimeoutException",
            None,
        ),
        ("System.TimeoutException: x", "TimeoutException", None),
        (
            "Neo.ClientError.Statement.SyntaxError: x",
            "Neo.ClientError.Statement.SyntaxError",
            None,
        ),
        ("Request error (ConnectError): no", "ConnectError", None),
        ("thing.other: not a class", None, None),
        ("a.b.c.Exception: no name", None, None),
        (
            (
                'Traceback (most recent call last):\n  File "x", line 1, in y\n    z\n'
                "a.b.ConnectTimeout: gone"
            ),
            "ConnectTimeout",
            None,
        ),
        ("Traceback (most recent call last):\n  nothing here", None, None),
        ("Traceback (most recent call last):\nfoo: bar", None, None),
        ("ERROR: no (SQLSTATE 42P01)", None, "42P01"),
        ("ERROR:  42P01: relation", None, "42P01"),
        ("(SQLSTATE ABCDE)", None, None),
        ("(SQLSTATE 99999)", None, "99999"),
        ("1146 (42S02): Table", None, "42S02"),
        ("2003 (HY000): no server", None, "HY000"),
        ("('ZZ123', 'x')", None, None),
        ("ORA-00942: no table", None, "ORA-00942"),
        ("E99999 happened", None, "E99999"),
        ("(1045, 'Access denied')", None, "1045"),
        ("(9876, 'what')", None, None),
        ("Invalid object name 'x'. (208) (SQLExecDirectW)", None, "208"),
        ("Code: 202. DB::Exception", None, "202"),
        ("API error (code: 6, status: 404)", None, "6"),
        ("Error 20003: Authenticate", None, "20003"),
        ("exit code 127", None, None),
        ("code 429", None, None),
    ],
)
def test_codes_are_found_in_texts(
    text: str, code: str | None, number: str | None
) -> None:
    """Words of services, drivers and systems, and numbers where there are none."""
    found = code_text.find(Passage(wrappers.unwrap(text).text), Lexicon())

    assert found.word == code
    assert (found.number if code is None else None) == number


def test_numbers_of_the_system_are_read_by_their_names() -> None:
    """13 is EACCES, whatever the words say."""
    found = code_text.find(Passage("[Errno 13] what"), Lexicon())

    assert [clue.meaning.category for clue in found.clues] == [C.PERMISSION]


def test_a_flood_of_tokens_is_looked_at_only_so_far() -> None:
    """A token nobody knows costs a look-up; there are bounds to that."""
    flood = "MY_OWN_TOKEN " * 100

    assert code_text.find(Passage(f"say {flood} RATE_LIMITED"), Lexicon()).word is None


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("RATE_LIMITED", C.RATE_LIMITED),
        ("RateLimited", C.RATE_LIMITED),
        ("rate-limited", C.RATE_LIMITED),
        ("INVOICE_NOT_FOUND", C.NOT_FOUND),
        ("JWT_INVALID", C.AUTHENTICATION),
        ("PAGE_TOKEN_INVALID", C.VALIDATION),
        ("CustomThrottlingFault", C.RATE_LIMITED),
        ("ConcurrentRunsExceededException", C.TRANSIENT),
        ("RATE_LIMITS", C.RATE_LIMITED),
        ("a.b.KeyError", C.UNKNOWN),
        ("SQLSTATE 23505", C.CONFLICT),
        ("BANANA", None),
        ("X" * 500, None),
    ],
)
def test_code_words_have_meanings(code: str, category: ErrorCategory | None) -> None:
    """In any spelling; a token without a row is read word by word."""
    meaning = codes.meaning_of(code)

    assert (meaning.category if meaning else None) is category


def test_every_row_of_the_tables_is_reachable() -> None:
    """A code that stands twice would hide a row."""
    assert codes.is_known("NOT_FOUND")
    assert not codes.is_known("BANANA")
    assert systems.sqlstate("08001") is meanings.LOST
    assert systems.sqlstate("XX000") is None


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("the order was not found", C.NOT_FOUND),
        ("Not authorized to do that", C.PERMISSION),
        ("it timed out", C.TRANSIENT),
        ("no such host", C.TRANSIENT),
        ("Invalid token", C.AUTHENTICATION),
        ("Rate limit exceeded. Upgrade to a paid plan.", C.RATE_LIMITED),
        ("Service unavailable. Permission denied.", C.PERMISSION),
        ("Invalid timezone: 'No time zone found with key x'", C.VALIDATION),
        ("权限不足", C.PERMISSION),
        ("no 'x' found", C.NOT_FOUND),
        ("no\nbut found", None),
        ("say no " + "x" * 100 + " found", None),
        ("notfounding", None),
        ("throttling", C.RATE_LIMITED),
        ("the thing exploded", None),
        ("make sure the order is not found", C.NOT_FOUND),
        ("xnot found not foundx not found", C.NOT_FOUND),
    ],
)
def test_phrases_tell_the_category(text: str, category: ErrorCategory | None) -> None:
    """Whole words only; what cannot heal comes before what can."""
    clues, _ = prose.find(Passage(text))

    assert [clue.meaning.category for clue in clues] == (
        [] if category is None else [category]
    )


def test_advice_counts_less_than_the_report() -> None:
    """Asking to check a permission is no permission failure."""
    clues, _ = prose.find(Passage("Please check that you have permission to read it."))

    assert clues[0].strength is Strength.WEAK_PROSE


def test_a_phrase_is_searched_for_only_so_often() -> None:
    """A word inside other words, over and over, is given up."""
    assert prose.find(Passage("xout of stock" * 50 + " out of stock"))[0] == []


def test_a_text_can_forbid_a_repeat() -> None:
    """Words that say so beat every reason to repeat."""
    found = words.read("Rate limit exceeded. Do not retry.", Context())

    assert found.forbidden
    assert not found.encouraged


@pytest.mark.parametrize(
    ("text", "forbidden", "encouraged"),
    [
        ("**Retryable:** No", True, False),
        ("isRetryable=true", False, True),
        ("is_retryable: yes", False, True),
        ("retryable things", False, False),
    ],
)
def test_flags_in_text(text: str, *, forbidden: bool, encouraged: bool) -> None:
    """Inferred, never stated: a text may quote anything."""
    found = words.read(text, Context())

    assert (found.forbidden, found.encouraged) == (forbidden, encouraged)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Error Category: validation", C.VALIDATION),
        ("category = 'transient'", C.TRANSIENT),
        ("category: furniture", None),
        ("a category of things", None),
    ],
)
def test_category_labels_in_text(text: str, category: ErrorCategory | None) -> None:
    """A label with a known word."""
    found = words.read(text, Context())
    named = [c for c in found.clues if c.source.startswith("category")]

    assert [c.meaning.category for c in named] == ([category] if category else [])


@pytest.mark.parametrize(
    ("text", "execution"),
    [
        ("2 of 3 rows failed", Execution.EXECUTED),
        ("3 of 5 emails were sent", Execution.EXECUTED),
        ("3 of 3 rows failed", None),
        ("step 2 of 3 is next", None),
        ("No changes were made.", Execution.NOT_EXECUTED),
        ("it broke", None),
    ],
)
def test_words_about_what_was_done(text: str, execution: Execution | None) -> None:
    """A part that worked means that the tool ran."""
    assert words.read(text, Context()).execution is execution


def test_a_list_of_issues_in_a_text_names_the_fields() -> None:
    """As JSON inside a message; other JSON there names none."""
    issues = 'bad: [{"code": "x", "path": ["a"], "message": "no"}]'

    assert [f.name for f in words.read(issues, Context()).fields] == ["a"]
    assert words.read('rows: [{"message": "hello"}]', Context()).fields == ()


def test_a_secret_that_is_not_set_is_a_matter_of_signing_in() -> None:
    """The variable's name says so."""
    found = words.read("MY_SERVICE_API_KEY environment variable is required", Context())

    assert C.AUTHENTICATION in [clue.meaning.category for clue in found.clues]


def test_a_quoted_envelope_is_no_evidence() -> None:
    """What it says is data."""
    found = words.read(
        'bad input <tool_error code="RATE_LIMITED"> slow down', Context()
    )

    assert found.code is None
    assert [clue.meaning.category for clue in found.clues] == [C.VALIDATION]


@pytest.mark.parametrize(
    ("text", "rest", "number"),
    [
        ("Error executing tool x: it broke", "it broke", None),
        ("Error calling tool 'x': it broke", "it broke", None),
        ("MCP error -32602: it broke", "it broke", "-32602"),
        ("MCP error: Error: it broke", "it broke", None),
        ("\ufeff  Error: it broke", "it broke", None),
        ("An error occurred invoking 'x': it broke", "it broke", None),
        ("Tool execution failed: it broke", "it broke", None),
        ("❌ **Error:** it broke", "it broke", None),
        ("it broke", "it broke", None),
        ("Error: " * 20 + "x", "Error: " * 14 + "x", None),
    ],
)
def test_wrappers_are_taken_off(text: str, rest: str, number: str | None) -> None:
    """What SDKs and servers put in front, as often as is sane."""
    found = wrappers.unwrap(text)

    assert (found.text, found.number) == (rest, number)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Output validation error: x", C.UNKNOWN),
        ("Unknown tool: x", C.NOT_FOUND),
        ("Tool x not found", C.NOT_FOUND),
        ("Input validation error: x", C.VALIDATION),
        ("MCP error -32601: x", C.PROTOCOL),
        ("MCP error -32099: x", None),
        ("MCP error -32603: x", C.UNKNOWN),
        ("x", None),
    ],
)
def test_wrappers_tell_something(text: str, category: ErrorCategory | None) -> None:
    """The SDK's own words are known."""
    clues = wrappers.unwrap(text).clues

    assert (clues[0].meaning.category if clues else None) is category


def test_a_long_passage_keeps_its_start_and_its_end() -> None:
    """A traceback says what happened in its last line."""
    clipped = passage.clip("a" * 5000 + "END", 1000)

    assert clipped.text.startswith("aaa")
    assert clipped.text.endswith("END")
    assert len(clipped.text) <= 1001
    assert passage.clip("short", 1000).text == "short"


def test_a_guarded_pattern_is_tried_only_beside_its_needle() -> None:
    """And always without one."""
    guarded = passage.guarded("needle", r"\d+")

    assert guarded.search(Passage("12")) is None
    assert list(guarded.finditer(Passage("12"))) == []
    assert guarded.search(Passage("Needle 12")) is not None
    assert passage.guarded("", r"\d+").search(Passage("12")) is not None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('x {"a": 1} y {"b": 2}', [{"a": 1}, {"b": 2}]),
        (
            "x {'a': None, 'b': [True, (1, 2)], 'c': nan} y",
            [{"a": None, "b": [True, [1, 2]], "c": "nan"}],
        ),
        (
            "{ code: 'ENOENT', errno: -2, $x: undefined }",
            [{"code": "ENOENT", "errno": -2, "$x": None}],
        ),
        (
            """{'a': "it's", 'b': 'say \\'x\\' "y"', 'c': '\\x41'}""",
            [{"a": "it's", "b": "say 'x' \"y\"", "c": "\\x41"}],
        ),
        ('```json\n\n{"a": 1}\n```\nand ```\n[1]\n```', [{"a": 1}]),
        ('```json\nbroken\n``` {"a": 1}', [{"a": 1}]),
        ("{'a': 1", []),
        ("{}", []),
        ("[]", []),
        ("{not json}", []),
        ("{'a': @}", [{"a": ""}]),
        ("no braces", []),
    ],
)
def test_json_and_dumps_are_found_in_text(text: str, values: list[object]) -> None:
    """JSON, Python's repr, JavaScript's inspect, fences; nothing is evaluated."""
    assert [value for value, _, _ in embedded.values(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{'a': " * 20_000,
        "{'" * 50_000,
        '{"a":' * 50_000,
        "[{'a" * 20_000,
    ],
    ids=["brackets", "dumps", "quotes", "json", "mixed"],
)
def test_a_flood_of_brackets_is_given_up(text: str) -> None:
    """Depth and work are bounded."""
    assert list(embedded.values(text)) == []


def test_fences_are_read_only_so_often() -> None:
    """A document of examples is no failure."""
    text = '```json\n{"a": 1}\n```\n' * 50

    assert len(list(embedded.values(text))) == 8
