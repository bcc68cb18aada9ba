"""Which arguments were rejected: lists as JSON, and the wordings of validators."""

import pytest

from mcpfusion_client.decode import issue_lists, issue_texts
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.model import FieldError


def names(fields: tuple[FieldError, ...]) -> list[str]:
    """Return only the names."""
    return [field.name for field in fields]


JSON_CASES: list[tuple[str, object, list[FieldError]]] = [
    (
        "issues",
        [{"path": ["a", 0, "b"], "message": "Required"}],
        [FieldError(name="a.0.b", message="Required")],
    ),
    (
        "detail",
        [
            {
                "loc": ["body", "limit"],
                "msg": "not a number",
                "type": "int_parsing",
                "input": "x",
            }
        ],
        [FieldError(name="limit", message="not a number", sent="x")],
    ),
    (
        "errors",
        [
            {
                "code": "invalid_type",
                "path": ["n"],
                "expected": "number",
                "received": "string",
                "message": "no",
            }
        ],
        [FieldError(name="n", message="no", sent="string", expected="number")],
    ),
    (
        "issues",
        [
            {
                "code": "invalid_type",
                "path": ["n"],
                "expected": "string",
                "received": "undefined",
                "message": "Required",
            }
        ],
        [FieldError(name="n", message="Required", expected="string")],
    ),
    (
        "issues",
        [
            {
                "code": "invalid_type",
                "path": ["n"],
                "expected": "number",
                "message": "Invalid input: expected number, received string",
            },
            {
                "code": "invalid_value",
                "path": ["city"],
                "values": ["New York", "Chicago"],
                "message": 'Invalid option: expected one of "New York"|"Chicago"',
            },
        ],
        [
            FieldError(
                name="n",
                message="Invalid input: expected number, received string",
                sent="string",
                expected="number",
            ),
            FieldError(
                name="city",
                message='Invalid option: expected one of "New York"|"Chicago"',
                expected='"New York"|"Chicago"',
            ),
        ],
    ),
    (
        "errors",
        {"StartDate": ["is required"], "Amount": ["too low", "no number"]},
        [
            FieldError(name="StartDate", message="is required"),
            FieldError(name="Amount", message="too low; no number"),
        ],
    ),
    (
        "details",
        [{"fieldViolations": [{"field": "range", "description": "bad"}]}],
        [FieldError(name="range", message="bad")],
    ),
    (
        "errors",
        [{"detail": "too short", "source": {"pointer": "/data/attributes/name"}}],
        [FieldError(name="/data/attributes/name", message="too short")],
    ),
    (
        "errors",
        [{"title": "no", "source": {"parameter": "page"}}],
        [FieldError(name="page", message="no")],
    ),
    (
        "errors",
        [
            {
                "instancePath": "/user",
                "message": "must have",
                "params": {"missingProperty": "id"},
            }
        ],
        [FieldError(name="/user.id".lstrip("/"), message="must have")],
    ),
    (
        "errors",
        [{"message": "no", "params": {"additionalProperty": "x"}}],
        [FieldError(name="x", message="no")],
    ),
    (
        "errors",
        [{"message": "no", "params": {"limit": 1}, "field": "y"}],
        [FieldError(name="y", message="no")],
    ),
    (
        "issues",
        [{"code": "unrecognized_keys", "keys": ["a", "b"], "message": "no"}],
        [FieldError(name="a", message="no"), FieldError(name="b", message="no")],
    ),
    (
        "fields",
        ["Stage__c", "two words", ""],
        [FieldError(name="Stage__c", message="")],
    ),
    ("errors", ["text", 5, None], []),
    ("errors", [{"message": "not found", "path": ["issue"], "extensions": {}}], []),
    ("errors", [{"message": "no field at all"}], []),
    ("errors", [{"path": [], "message": "root"}], []),
    (
        "errors",
        [{"path": ["body"], "message": "x"}],
        [FieldError(name="body", message="x")],
    ),
    ("errors", [{"path": 5, "message": "x"}], []),
    (
        "errors",
        {"fieldErrors": {"a": ["bad"]}, "formErrors": []},
        [FieldError(name="a", message="bad")],
    ),
    (
        "errors",
        {"a": {"message": "bad"}, "b": 5},
        [FieldError(name="a", message="bad")],
    ),
    (
        "errors",
        {"a": [{"message": "bad"}, {"error": "worse"}]},
        [FieldError(name="a", message="bad; worse")],
    ),
    ("errors", {"a": ["bad", 5], "": "x", "b": []}, []),
    ("errors", {"a": "bad"}, [FieldError(name="a", message="bad")]),
    ("details", {"invalid_columns": ["emial"]}, []),
    ("details", {"a": "one two"}, []),
    (
        "details",
        {"email": ["must be an address"]},
        [FieldError(name="email", message="must be an address")],
    ),
    ("detail", {"a": "bad"}, []),
    ("errors", "text", []),
    ("errors", None, []),
    ("errors", 5, []),
]


@pytest.mark.parametrize(("key", "value", "expected"), JSON_CASES)
def test_fields_of_json(key: str, value: object, expected: list[FieldError]) -> None:
    """pydantic, zod, JSON:API, ASP.NET, Google, ajv, Rails, Salesforce."""
    assert list(issue_lists.from_json(value, key=key)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'city' is a required property", ["city"]),
        (
            "Additional properties are not allowed ('a', 'b' were unexpected)",
            ["a", "b"],
        ),
        ('validating root: required: missing properties: ["path"]', ["path"]),
        ('unexpected additional properties ["colour"]', ["colour"]),
        ("must have required property 'x'", ["x"]),
        ("$.nights: string found, integer expected", ["nights"]),
        ("does not match pattern at $.slug", ["slug"]),
        ("validating /properties/age: type: x", ["age"]),
        ("Invalid input: expected string, received undefined at city", ["city"]),
        ("path: Required, encoding: Invalid enum value", ["path", "encoding"]),
        ("✖ Invalid input\n  → at items[0].sku", ["items[0].sku"]),
        ("Unrecognized key(s) in object: 'colour'", ["colour"]),
        ("missing field `project`", ["project"]),
        ("unknown field `a`, expected one of `b`, `c`", ["a"]),
        (
            "json: cannot unmarshal string into Go struct field Args.limit of type int",
            ["limit"],
        ),
        ("parameter repo is not of type string, is float64", ["repo"]),
        ("The StartDate field is required.", ["StartDate"]),
        ("search() missing 2 required positional arguments: 'a' and 'b'", ["a", "b"]),
        ("f() got an unexpected keyword argument 'limmit'", ["limmit"]),
        ("spec.replicas: Invalid value: -1: must be positive", ["spec.replicas"]),
        ('null value in column "title" violates', ["title"]),
        ('Missing required parameter in input: "Bucket"', ["Bucket"]),
        ("Branch not provided: needs one", ["Branch"]),
        ("field: iban", ["iban"]),
        ("missing required parameter: owner", ["owner"]),
        (
            "Missing Required options: --resource-group, --account",
            ["--resource-group", "--account"],
        ),
        ("missing argument name", ["name"]),
        ("required argument 'alpha' is missing", ["alpha"]),
        ("Unknown parameter 'x'", ["x"]),
        ("invalid parameter foo", ["foo"]),
        ("invalid value 'x' for parameter size", ["size"]),
        ("'limit' must be between 1 and 100", ["limit"]),
        ("issue_key is required.", ["issue_key"]),
        ("limit must be >= 1", ["limit"]),
        ("title parameter is required", ["title"]),
        ("Either username or account_id must be provided", ["username", "account_id"]),
        ("the argument path is invalid", ["path"]),
        ("please provide a valid 'token'", ["token"]),
        ("Start date is required.", []),
        ("Operation cannot be fulfilled", []),
        ("EMFILE: too many open files", []),
        ("SOMETHING is required", []),
        ("this is required", []),
        ("end must come after start", []),
        ("the order was not found", []),
        ("Access denied - /etc not in /work", []),
    ],
)
def test_fields_of_texts(text: str, expected: list[str]) -> None:
    """One wording a line; codes and beginnings of sentences are no names."""
    fields, _ = issue_texts.find(Passage(text))

    assert names(fields) == expected


def test_a_validators_own_wording_is_surer_than_a_sentence() -> None:
    """Only the first is evidence of a validation failure."""
    assert issue_texts.find(Passage("missing field `x`"))[1] is True
    assert issue_texts.find(Passage("issue_key is required"))[1] is False


def test_what_was_sent_and_expected_is_split_out() -> None:
    """Where the text has it; the whole text stays in the message."""
    fields, _ = issue_texts.find(
        Passage("parameter repo is not of type string, is float64")
    )

    assert fields == (
        FieldError(
            name="repo",
            message="parameter repo is not of type string, is float64",
            sent="float64",
            expected="string",
        ),
    )


def test_pydantic_lists_are_read_whole() -> None:
    """Name on one line, the complaint below, what was sent in brackets."""
    text = (
        "2 validation errors for bookArguments\n"
        "city\n"
        "  Field required [type=missing, input_value={}, input_type=dict]\n"
        "    For further information visit https://errors.pydantic.dev/2/v/missing\n"
        "items.0.nights\n"
        "  Input should be a valid integer [type=int_parsing, input_value='two', "
        "input_type=str]\n"
    )

    fields, sure = issue_texts.find(Passage(text))

    assert sure
    assert fields == (
        FieldError(name="city", message="Field required"),
        FieldError(
            name="items.0.nights",
            message="Input should be a valid integer",
            sent="'two'",
        ),
    )


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("missing", "Field required"),
        ("missing_argument", "Missing required argument"),
        ("missing_keyword_only_argument", "Missing required keyword only argument"),
        (
            "missing_positional_only_argument",
            "Missing required positional only argument",
        ),
    ],
)
def test_what_is_missing_was_not_sent(kind: str, says: str) -> None:
    """The input pydantic shows for it is everything that was sent."""
    text = (
        "1 validation error for call[f]\n"
        f"sku\n  {says} [type={kind}, input_value={{'sk': 'a'}}, input_type=dict]\n"
    )

    assert issue_texts.find(Passage(text))[0] == (FieldError(name="sku", message=says),)


def test_long_lists_are_cut() -> None:
    """Nobody fixes a thousand fields at once."""
    pydantic = "999 validation errors for x\n" + "a\n  bad\n" * 999
    serde = " ".join(f"missing field `f{i}`" for i in range(999))
    zod = "\n".join(f"Required at f{i}" for i in range(999))

    assert len(issue_texts.find(Passage(pydantic))[0]) == 64
    assert len(issue_texts.find(Passage(serde))[0]) == 64
    assert len(issue_texts.find(Passage(zod))[0]) == 64
