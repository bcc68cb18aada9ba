"""How validators and people word that an argument was rejected.

``SURE`` rows are a validator's own wording and count as evidence of a validation
failure; ``PROSE`` rows are sentences and only say which argument was meant.
Groups: ``quoted`` is a name in quotation marks, ``bare`` one without, ``names`` a
list; ``sent`` and ``expected`` may stand beside them.
"""

import re

_Q = r"[\"'`“”‘’]"
_NAME = r"[A-Za-z_$][\w.$-]{0,80}(?:\[\w{0,20}\])?"
_PATH = r"[A-Za-z_$][\w.$/-]{0,120}(?:\[\w{0,20}\][\w.]{0,60}){0,6}"
_ONE = rf"{_Q}(?P<quoted>{_NAME}){_Q}"
_BARE = rf"(?P<bare>-{{0,2}}{_NAME})"
_ITEM = rf"{_Q}?-{{0,2}}{_NAME}{_Q}?"
_LIST = rf"(?P<names>{_ITEM}(?:(?:, and | and |, or | or |, ?){_ITEM}){{0,8}})"
_SEVERAL = rf"(?P<names>{_ITEM}(?:(?:, and | and |, or | or |, ?){_ITEM}){{1,8}})"
_END = r"(?=$|[\s.,;:)\n])"
_KIND = (
    r"(?:parameter|argument|param|field|input|arg|value|option|property|key|attribute"
    r"|query parameter|variable|column|flag|filter)"
)
_NAMED = (
    r"(?:parameter|argument|param|field|arg|option|property|attribute|query parameter"
    r"|flag|filter|key)"
)
_KINDS = (
    r"(?:parameters?|arguments?|params?|fields?|inputs?|args?|values?|options?"
    r"|propert(?:y|ies)|keys?|attributes?|query parameters?|flags?)"
)
_ZOD = (
    r"(?:Required|Invalid|Expected|String must|Number must|Too (?:small|big)|Array must"
    r"|Input should|Field required|must be|must not|Unrecognized|is required|Value is"
    r"|should be|expected |Cannot be|Missing)"
)

_SURE = (
    # JSON Schema validators in Python, Go, Java, .NET and JavaScript
    rf"{_ONE} is a required property",
    r"Additional propert(?:ies|y) (?:are|is) not allowed \((?P<names>[^)\n]{1,300}?)"
    r" (?:was|were) unexpected",
    r"missing propert(?:ies|y):? \[?(?P<names>[\"'][^\]\n]{1,300})",
    r"unexpected additional properties \[(?P<names>[^\]\n]{1,300})\]",
    rf"required property {_ONE}",
    rf"missing (?:required )?propert(?:y|ies):? {_LIST}{_END}",
    rf"^\W{{0,8}}\$\.(?P<quoted>{_PATH}): ",
    rf"[\[,] ?/(?P<quoted>{_PATH}): ",
    rf"(?<!\w)(?:at|in) [\"']?\$\.(?P<quoted>{_PATH})",
    rf"(?<!\w)at [\"']/(?P<quoted>{_PATH})[\"']",
    rf"validating /properties/(?P<quoted>{_NAME})",
    # zod, joi and ajv as text
    rf"^[^\n]{{0,160}}?{_ZOD}[^\n]{{0,120}}? at [\"']?(?P<quoted>{_PATH})[\"']?$",
    rf"(?:^|[,;:\n]\s?|- |• ){_Q}?(?P<bare>{_PATH})(?<!Error){_Q}?: {_ZOD}",
    rf"^\s{{0,4}}→ at (?P<quoted>{_PATH})$",
    r"Unrecognized key(?:\(s\)|s)?(?: in object)?: (?P<names>[^\n]{1,300})",
    rf"{_ONE} is not allowed to be empty",
    # serde and other deserialisers
    rf"missing field {_ONE}",
    rf"unknown field {_ONE}(?:, expected (?P<expected>[^\n]{{1,300}}))?",
    rf"duplicate field {_ONE}",
    rf"Go struct field \w{{0,60}}\.(?P<quoted>{_PATH}) of type"
    r" (?P<expected>[\w\[\].*]{1,60})",
    rf"parameter (?P<quoted>{_NAME}) is not of type (?P<expected>\w{{1,40}}),"
    r" is (?P<sent>\w{1,40})",
    rf"Required parameter '(?P<quoted>{_NAME})' is not present",
    rf"The (?P<quoted>{_NAME}) field is required",
    rf"The field (?P<quoted>{_NAME}) must",
    rf"^(?:\W{{0,4}}|.{{0,60}}: )(?P<quoted>{_NAME}) (?:is |was )?not (?:provided|specified)",
    # Python's own call errors
    r"missing \d{1,3} required (?:positional|keyword-only) arguments?:"
    r" (?P<names>'[^\n]{1,300})",
    rf"unexpected keyword argument '(?P<quoted>{_NAME})'",
    # Kubernetes and databases
    rf"(?:^|[\s(]){_Q}?(?P<quoted>[a-z]\w{{0,40}}(?:\.\w{{1,60}}(?:\[\d{{1,4}}\])?)"
    rf"{{1,8}}){_Q}?: (?:Invalid value|Required value|Unsupported value|Forbidden"
    r"|Duplicate value|Too long)",
    rf"null value in column \"(?P<quoted>{_NAME})\"",
    rf"Field {_ONE} doesn't have a default value",
    rf"Variable \"?\${_BARE}\"? (?:of|got|is)",
    # AWS SDKs
    rf"Missing required parameter in input: {_ONE}",
    rf"Unknown parameter in input: {_ONE}",
    rf"Invalid type for parameter (?P<quoted>{_NAME}), value: (?P<sent>[^,\n]{{0,80}})",
    rf"Value '(?P<sent>[^'\n]{{0,200}})' at '(?P<quoted>{_NAME})' failed to satisfy"
    r" constraint: (?P<expected>[^\n]{1,300})",
)
_PROSE = (
    rf"^\W{{0,6}}(?:field|parameter|argument|property)\W{{0,4}}: ?\W{{0,4}}{_BARE}\W{{0,4}}$",
    rf"missing (?:the )?(?:required |mandatory )?{_KINDS}:? (?:for |is |named |called )?"
    rf"{_LIST}{_END}",
    rf"(?:required|mandatory) {_KINDS}:? {_LIST}"
    r"(?= (?:is|are|was|were|not|missing|must)\b|$|[.,;)\n])",
    rf"(?:invalid|bad|unknown|unrecognized|unsupported|unexpected|illegal) {_NAMED}"
    rf"(?: name)?:? (?:for |in |at )?{_ONE}",
    r"(?:invalid|bad|unknown|unrecognized|unsupported|unexpected|illegal) (?:parameter"
    rf"|argument|param|field|option|property|attribute)(?: name)?:? {_BARE}$",
    r"(?:invalid|bad|unsupported|illegal|incorrect) (?:value|type|format|input)"
    rf"(?: {_Q}[^\"'`\n]{{0,80}}{_Q})? (?:for|of|in) (?:the )?(?:{_KIND} )?"
    rf"{_Q}?{_BARE}{_Q}?{_END}",
    rf"{_NAMED} {_ONE}",
    rf"{_ONE} (?:{_KIND} )?(?:is|are|was) (?:a )?(?:required|missing|invalid|not valid"
    r"|mandatory|not allowed|not a valid|unsupported|empty|too|of the wrong)",
    rf"{_ONE} (?:{_KIND} )?(?:must|should|cannot|can not|can't|may not|has to|needs to"
    r"|exceeds)\b",
    rf"^(?:\W{{0,4}}|.{{0,60}}: ){_LIST} (?:is|are) (?:a )?(?:required|mandatory|missing)\b",
    rf"^(?:\W{{0,4}}|.{{0,60}}: ){_BARE} (?:must|should|cannot|can not|can't|may not"
    r"|has to|needs to) (?:be|not|have|match|contain|start with|end with|exceed|only"
    r"|include|point)\b",
    rf"^(?:\W{{0,4}}|.{{0,60}}: ){_BARE} {_KIND} (?:is |must |required|missing|should"
    r" |cannot )",
    r"(?:either|one of|exactly one of|at least one of|both|only one of)"
    rf" {_SEVERAL} (?:must|is required|are required|should|may|can|needs)",
    rf"the {_KIND} {_BARE} (?:is|must|should|was|has)\b",
    rf"please (?:provide|specify|supply|pass|include|set) (?:a |an |the )?(?:valid )?{_ONE}",
)


def _compiled(rows: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row, re.IGNORECASE | re.MULTILINE) for row in rows)


SURE = _compiled(_SURE)
PROSE = _compiled(_PROSE)
