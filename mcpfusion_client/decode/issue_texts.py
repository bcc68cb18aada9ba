"""Read which arguments a server rejected, from the texts of validators.

Each row is one wording of one family of validators (pydantic, zod, JSON Schema,
serde, Go's encoding/json, Python's call errors, plain sentences).
"""

import re
from collections.abc import Iterator

import attrs

from mcpfusion_client.model import FieldError

_WINDOW = 32 * 1024
_MAX_FIELDS = 64
_Q = r"[\"'`“”‘’]"
_NAME = r"[A-Za-z_$][\w.$-]{0,80}(?:\[\w{0,20}\])?"
_PATH = r"[A-Za-z_$/][\w.$/-]{0,120}(?:\[\w{0,20}\][\w.]{0,60}){0,6}"


@attrs.frozen
class _Row:
    """One wording.

    Attributes:
        pattern: Finds the name (and perhaps ``sent``, ``expected``).
        sure: The wording is a validator's own, not a sentence of prose.
        names: The name group holds a list of names.
    """

    pattern: re.Pattern[str]
    sure: bool = True
    names: bool = False


def _row(pattern: str, *, sure: bool = True, names: bool = False) -> _Row:
    return _Row(re.compile(pattern, re.IGNORECASE | re.MULTILINE), sure, names)


_PYDANTIC_HEAD = re.compile(r"\d{1,4} validation errors? for ")
_PYDANTIC = re.compile(
    rf"^(?P<name>{_PATH}(?:\.\d{{1,6}}[\w.]{{0,60}}){{0,3}})\n\s{{1,8}}(?P<text>[^\n]{{1,2000}})",
    re.MULTILINE,
)
_PYDANTIC_INPUT = re.compile(
    r"\[type=(?P<type>\w{1,60}), input_value=(?P<sent>.{0,500}?), input_type="
)

ROWS: tuple[_Row, ...] = (
    # JSON Schema validators: Python jsonschema, Go, Java, .NET
    _row(rf"{_Q}(?P<name>{_NAME}){_Q} is a required property"),
    _row(
        rf"Additional propert(?:ies|y) (?:are|is) not allowed \((?P<name>{_Q}[^)\n]{{1,300}}?) (?:was|were) unexpected",
        names=True,
    ),
    _row(r"missing propert(?:ies|y):? \[?(?P<name>[\"'][^\]\n]{1,300})", names=True),
    _row(r"unexpected additional properties \[(?P<name>[^\]\n]{1,300})\]", names=True),
    _row(rf"required property {_Q}(?P<name>{_NAME}){_Q}"),
    _row(rf"missing (?:required )?propert(?:y|ies):? {_Q}?(?P<name>{_NAME}){_Q}?"),
    _row(rf"must have required property {_Q}(?P<name>{_NAME}){_Q}"),
    _row(rf"^\W{{0,8}}\$\.(?P<name>{_PATH}): "),
    _row(rf"[\[,] ?[/$](?P<name>{_PATH}): "),
    _row(rf"(?:at|in) [\"']?[/$]\.?(?P<name>{_PATH})"),
    _row(rf"validating /properties/(?P<name>{_NAME})"),
    # zod, as text
    _row(
        rf"^[^\n]{{0,200}}?(?:Invalid input|Required|Invalid enum value|Invalid option|Too (?:small|big)|Invalid [\w ]{{1,30}}|expected [^\n]{{1,80}}|must [^\n]{{1,80}}|String [^\n]{{1,80}}|Number [^\n]{{1,80}}|Expected [^\n]{{1,80}}) at [\"']?(?P<name>{_PATH})[\"']?$"
    ),
    _row(
        rf"(?:^|[,;:\n]\s?|- |• )[\"'`]?(?P<name>{_PATH})[\"'`]?: (?:Required|Invalid|Expected|String must|Number must|Too |Array must|Input should|Field required|must be|must not|Unrecognized|is required)"
    ),
    _row(rf"[→✖].{{0,300}}?at (?P<name>{_PATH})$"),
    _row(
        rf"Unrecognized key(?:\(s\)|s)?(?: in object)?: (?P<name>{_Q}[^\n]{{1,300}})",
        names=True,
    ),
    # serde and other deserialisers
    _row(rf"missing field [`'\"](?P<name>{_NAME})[`'\"]"),
    _row(
        rf"unknown field [`'\"](?P<name>{_NAME})[`'\"](?:, expected (?P<expected>[^\n]{{1,300}}))?"
    ),
    _row(rf"duplicate field [`'\"](?P<name>{_NAME})[`'\"]"),
    _row(
        rf"unknown variant [`'\"](?P<sent>[^`'\"\n]{{0,80}})[`'\"], expected (?P<expected>[^\n]{{1,300}})() "
    ),
    _row(
        rf"Go struct field \w{{0,60}}\.(?P<name>{_PATH}) of type (?P<expected>[\w\[\].*]{{1,60}})"
    ),
    _row(rf"json: unknown field \"(?P<name>{_NAME})\""),
    _row(
        rf"parameter (?P<name>{_NAME}) is not of type (?P<expected>\w{{1,40}}), is (?P<sent>\w{{1,40}})"
    ),
    # Python's own call errors
    _row(
        r"missing \d{1,3} required (?:positional|keyword-only) arguments?: (?P<name>'[^\n]{1,300})",
        names=True,
    ),
    _row(rf"unexpected keyword argument '(?P<name>{_NAME})'"),
    # Kubernetes, databases
    _row(
        rf"(?:^|[\s(]){_Q}?(?P<name>[a-z]\w{{0,40}}(?:\.\w{{1,60}}(?:\[\d{{1,4}}\])?){{1,8}}){_Q}?: (?:Invalid value|Required value|Unsupported value|Forbidden|Duplicate value|Too long)"
    ),
    _row(rf"null value in column \"(?P<name>{_NAME})\""),
    _row(rf"Field {_Q}(?P<name>{_NAME}){_Q} doesn't have a default value"),
    # Sentences
    _row(
        rf"missing (?:the )?(?:required |mandatory )?(?:parameters?|arguments?|params?|fields?|inputs?|args?|values?|options?|query parameters?):? (?:[\"'`]?(?:for|is|are|named|called)\b )?(?P<name>[\"'`]?{_NAME}[\"'`]?(?:(?:, | and |, and )[\"'`]?{_NAME}[\"'`]?){{0,8}})(?=$|[\s.,;)\n:])",
        sure=False,
        names=True,
    ),
    _row(
        rf"(?:required|mandatory) (?:parameters?|arguments?|params?|fields?|inputs?|options?|propert(?:y|ies)):? (?P<name>[\"'`]?{_NAME}[\"'`]?(?:(?:, | and |, and )[\"'`]?{_NAME}[\"'`]?){{0,8}})(?= (?:is|are|was|were|not|missing|must)\b|$|[.,;)\n])",
        sure=False,
        names=True,
    ),
    _row(rf"missing argument (?P<name>{_NAME})$", sure=False),
    _row(
        rf"(?:invalid|bad|unknown|unrecognized|unsupported|unexpected|illegal) (?:parameter|argument|param|field|property|option|key|input|attribute|query parameter|filter)(?: name| value)?:? (?:value )?(?:for |in |at )?(?P<name>[\"'`]{_NAME}[\"'`])",
        sure=False,
    ),
    _row(
        rf"(?:invalid|bad|unsupported|illegal|incorrect) (?:value|type|format|input)(?: [\"'`][^\"'`\n]{{0,80}}[\"'`])? (?:for|of|in) (?:the )?(?:parameter |argument |field |property |option |param )?(?P<name>[\"'`]?{_NAME}[\"'`]?)(?=$|[\s.,:;)\n])",
        sure=False,
    ),
    _row(
        rf"(?:parameter|argument|field|property|option|param|input|key|attribute) [\"'`](?P<name>{_NAME})[\"'`]",
        sure=False,
    ),
    _row(
        rf"[\"'`](?P<name>{_NAME})[\"'`] (?:parameter|argument|field|property|option|param|input|attribute|query parameter)?\s?(?:is|are|was) (?:a )?(?:required|missing|invalid|not valid|mandatory|not allowed|not a valid|unsupported|empty|too)",
        sure=False,
    ),
    _row(
        rf"[\"'`](?P<name>{_NAME})[\"'`] (?:parameter |argument |field |property |option |value )?(?:must|should|cannot|can not|can't|may not|has to|needs to|exceeds)\b",
        sure=False,
    ),
    _row(
        rf"^(?:\W{{0,4}}|.{{0,60}}: )(?P<name>{_NAME}(?:(?:, | and | or |, and |, or ){_NAME}){{0,5}}) (?:is|are) (?:a )?(?:required|mandatory|missing)\b",
        sure=False,
        names=True,
    ),
    _row(
        rf"^(?:\W{{0,4}}|.{{0,60}}: )(?P<name>{_NAME}) (?:must|should|cannot|can not|can't|may not|has to|needs to) (?:be|not|have|match|contain|start|end|come|exceed|only|include|point)\b",
        sure=False,
    ),
    _row(
        rf"^(?:\W{{0,4}}|.{{0,60}}: )(?P<name>{_NAME}) (?:parameter|argument|field) (?:is |must |required|missing|should |cannot )",
        sure=False,
    ),
    _row(
        rf"(?:either|one of|exactly one of|at least one of|both|only one of) (?P<name>[\"'`]?{_NAME}[\"'`]?(?:(?:, | or | and |, or |, and )[\"'`]?{_NAME}[\"'`]?){{1,6}}) (?:must|is required|are required|should|may|can|needs)",
        sure=False,
        names=True,
    ),
)
_SPLIT = re.compile(r"[\s,]{1,4}(?:and |or )?|\sand\s|\sor\s")
_STRIP = "\"'`“”‘’[]() .,;:"
_NO_NAMES = frozenset(
    """the a an this that it value values input inputs field fields parameter
    parameters argument arguments request body data string number integer object
    array for is are not of to in and or must be required missing invalid error
    path_to one at least you your url_to tool call which there they we user
    message name_of date_of what please either both only any all some if when
    validation arguments. params payload query_string response server api id_of
    type format order to""".split()
)
_MARKS = re.compile(r"[_.$]|[a-z][A-Z]|[\"'`]")


def find(text: str) -> tuple[tuple[FieldError, ...], bool]:
    """Return the fields *text* names, and whether a validator itself wrote them."""
    window = text[:_WINDOW]
    pydantic = tuple(_pydantic(window))
    if pydantic:
        return pydantic, True
    for sure in (True, False):
        fields = tuple(_fields(window, sure=sure))
        if fields:
            return fields, sure
    return (), False


def _pydantic(window: str) -> Iterator[FieldError]:
    head = _PYDANTIC_HEAD.search(window)
    if head is None:
        return
    for count, match in enumerate(_PYDANTIC.finditer(window, head.end())):
        if count >= _MAX_FIELDS:
            return
        detail = _PYDANTIC_INPUT.search(match["text"])
        sent = None
        if detail is not None and detail["type"] != "missing":
            sent = detail["sent"]
        text = match["text"].split(" [type=")[0]
        yield FieldError(name=match["name"], message=text, sent=sent)


def _fields(window: str, *, sure: bool) -> Iterator[FieldError]:
    seen: set[str] = set()
    for row in ROWS:
        if row.sure is not sure:
            continue
        for match in row.pattern.finditer(window):
            groups = match.groupdict()
            for name in _names(groups.get("name") or "", row, whole=match[0]):
                if name in seen or len(seen) >= _MAX_FIELDS:
                    continue
                seen.add(name)
                yield FieldError(
                    name=name,
                    message=_line(window, match.start()),
                    sent=groups.get("sent"),
                    expected=groups.get("expected"),
                )


def _names(found: str, row: _Row, *, whole: str) -> Iterator[str]:
    parts = _SPLIT.split(found) if row.names else [found]
    for part in parts:
        name = part.strip(_STRIP)
        if name and name.lower() not in _NO_NAMES and not name.isdigit():
            yield name


def _line(window: str, start: int) -> str:
    end = window.find("\n", start)
    begin = window.rfind("\n", 0, start) + 1
    return window[begin : end if end >= 0 else len(window)].strip()[:2048]
