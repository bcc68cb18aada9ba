"""How validators and people word that an argument was rejected.

One row a wording: the words without which it cannot stand (``|`` between
alternatives), then the pattern. ``SURE`` rows are a validator's own wording and
count as evidence of a validation failure; ``PROSE`` rows are sentences and only
say which argument was meant. Groups: ``quoted`` is a name in quotation marks,
``bare`` one without, ``names`` a list; ``sent`` and ``expected`` may be beside it.
"""

from mcpfusion_client.decode.passage import guarded

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
    r"|flag|filter|key|column)"
)
_MARKED = (
    r"(?P<quoted>[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}|[a-z]{1,40}[A-Z]\w{0,60})"
)
_KINDS = (
    r"(?:parameters?|arguments?|params?|fields?|inputs?|args?|values?|options?"
    r"|propert(?:y|ies)|keys?|attributes?|query parameters?|flags?)"
)
_PLACE = r"(?:(?:path|query|body|url|header|form|tool|input) )"
_BAD = r"(?:invalid|bad|unknown|unrecognized|unsupported|unexpected|illegal)"
_BAD_WORDS = "invalid|bad|unknown|unrecognized|unsupported|unexpected|illegal"
_ZOD = (
    r"(?:Required|Invalid|Expected|String must|Number must|Too (?:small|big)|Array must"
    r"|Input should|Field required|must be|must not|Unrecognized|is required|Value is"
    r"|should be|expected |Cannot be|Missing|ensure this value)"
)
_ZOD_WORDS = (
    "required|invalid|expected|must|too |should|unrecognized|value is|cannot|missing"
    "|ensure this value"
)
_HEAD = r"^(?:\W{0,4}|.{0,60}(?:: | - | – ))"

_SURE: tuple[tuple[str, str], ...] = (
    # JSON Schema validators in Python, Go, Java, .NET and JavaScript
    ("is a required property", rf"{_ONE} is a required property"),
    (
        "additional propert",
        (
            r"Additional propert(?:ies|y) (?:are|is) not allowed"
            r" \((?P<names>[^)\n]{1,300}?) (?:was|were) unexpected"
        ),
    ),
    (
        "missing propert",
        r"missing propert(?:ies|y):? \[?(?P<names>[\"'][^\]\n]{1,300})",
    ),
    (
        "unexpected additional properties",
        r"unexpected additional properties \[(?P<names>[^\]\n]{1,300})\]",
    ),
    ("required property", rf"required property {_ONE}"),
    ("propert", rf"missing (?:required )?propert(?:y|ies):? {_LIST}{_END}"),
    ("$.", rf"^\W{{0,8}}\$\.(?P<quoted>{_PATH}): "),
    ("/", rf"[\[,] ?/(?P<quoted>{_PATH}): "),
    ("$.", rf"(?<!\w)(?:at|in) [\"'`]?\$\.(?P<quoted>{_PATH})"),
    (
        "on instance[",
        r"^On instance(?P<subscripts>(?:\[[^\]\n]{1,80}\]){1,8}):$",
    ),
    ("at `/", rf"(?<!\w)at `/(?P<quoted>{_PATH})`"),
    ("data/", rf"(?:^|, )data/(?P<quoted>{_PATH}) must "),
    # joi and yup
    (
        '" must|" is required|" is not allowed|" length',
        (
            rf"(?:^|[.:] )\"(?P<quoted>{_PATH})\" (?:must|is required|is not allowed"
            r"|length must)\b"
        ),
    ),
    (
        "must be one of the following values|is a required field|must be a `",
        (
            rf"(?P<quoted>{_PATH}) (?:must be one of the following values"
            r"|is a required field|must be a `)"
        ),
    ),
    ("at '/|at \"/", rf"(?<!\w)at [\"']/(?P<quoted>{_PATH})[\"']"),
    ("validating /properties/", rf"validating /properties/(?P<quoted>{_NAME})"),
    # zod, joi and ajv as text
    (
        " at ",
        rf"^[^\n]{{0,160}}?{_ZOD}[^\n]{{0,120}}? at [\"']?(?P<quoted>{_PATH})[\"']?$",
    ),
    (
        _ZOD_WORDS,
        (
            rf"(?:^|[,;:\n]\s?|- |• ){_Q}?(?P<bare>{_PATH})(?<!Error)(?<!Exception)"
            rf"{_Q}?: {_ZOD}"
        ),
    ),
    ("→ at ", rf"^\s{{0,4}}→ at (?P<quoted>{_PATH})$"),
    (
        "unrecognized key",
        r"Unrecognized key(?:\(s\)|s)?(?: in object)?: (?P<names>[^\n]{1,300})",
    ),
    ("allowed to be empty", rf"{_ONE} is not allowed to be empty"),
    # serde and other deserialisers
    ("missing field", rf"missing field {_ONE}"),
    (
        "unknown field",
        rf"unknown field {_ONE}(?:, expected (?P<expected>[^\n]{{1,300}}))?",
    ),
    (
        "field validation for",
        r"Field validation for '(?P<quoted>[\w.\[\]]{1,80})' failed",
    ),
    ("duplicate field", rf"duplicate field {_ONE}"),
    (
        "go struct field",
        (
            rf"Go struct field \w{{0,60}}\.(?P<quoted>{_PATH}) of type"
            r" (?P<expected>[\w\[\].*]{1,60})"
        ),
    ),
    (
        "is not of type",
        (
            rf"parameter (?P<quoted>{_NAME}) is not of type (?P<expected>\w{{1,40}}),"
            r" is (?P<sent>\w{1,40})"
        ),
    ),
    (
        "required parameter",
        rf"Required parameter '(?P<quoted>{_NAME})' is not present",
    ),
    ("field is required", rf"The (?P<quoted>{_NAME}) field is required"),
    ("the field", rf"The field (?P<quoted>{_NAME}) must"),
    (
        "value is empty",
        (
            r"param is missing or the value is empty(?: or invalid)?:"
            rf" (?P<quoted>{_NAME})"
        ),
    ),
    (
        "not provided|not specified",
        rf"{_HEAD}(?P<quoted>{_NAME}) (?:is |was )?not (?:provided|specified)",
    ),
    # Python's own call errors
    (
        "required positional|required keyword-only",
        (
            r"missing \d{1,3} required (?:positional|keyword-only) arguments?:"
            r" (?P<names>'[^\n]{1,300})"
        ),
    ),
    (
        "unexpected keyword argument",
        rf"unexpected keyword argument '(?P<quoted>{_NAME})'",
    ),
    # Kubernetes and databases
    (
        (
            "invalid value|required value|unsupported value|forbidden|duplicate value"
            "|too long"
        ),
        (
            rf"(?:^|[\s(]){_Q}?(?P<quoted>[a-z]\w{{0,40}}(?:\.\w{{1,60}}"
            rf"(?:\[\d{{1,4}}\])?)"
            rf"{{1,8}}){_Q}?: (?:Invalid value|Required value|Unsupported value"
            rf"|Forbidden"
            r"|Duplicate value|Too long)"
        ),
    ),
    ("null value in column", rf"null value in column \"(?P<quoted>{_NAME})\""),
    ("have a default value", rf"Field {_ONE} doesn't have a default value"),
    ("variable", rf"Variable \"?\${_BARE}\"? (?:of|got|is)"),
    # AWS SDKs
    ("parameter in input", rf"(?:Missing required|Unknown) parameter in input: {_ONE}"),
    (
        "invalid type for parameter",
        (
            rf"Invalid type for parameter (?P<quoted>{_NAME}),"
            r" value: (?P<sent>[^,\n]{0,80})"
        ),
    ),
    (
        "to satisfy constraint",
        (
            rf"Value '(?P<sent>[^'\n]{{0,200}})' at '"
            rf"(?P<quoted>{_NAME})' failed to satisfy"
            r" constraint: (?P<expected>[^\n]{1,300})"
        ),
    ),
)
_PROSE: tuple[tuple[str, str], ...] = (
    (
        "field|parameter|argument|property",
        (
            r"^\W{0,6}(?:field|parameter|argument|property)\W{0,4}: ?\W{0,4}"
            rf"{_BARE}\W{{0,4}}$"
        ),
    ),
    (
        "missing",
        (
            rf"missing (?:the )?(?:required |mandatory )?{_PLACE}?{_KINDS}:?"
            rf" (?:for |is |named |called )?{_LIST}{_END}"
        ),
    ),
    (
        "missing",
        rf"missing (?:the )?(?:required |mandatory )?{_ONE} {_KIND}",
    ),
    (
        "required|mandatory",
        (
            rf"(?:required|mandatory) {_KINDS}:? {_LIST}"
            r"(?= (?:is|are|was|were|not|missing|must)\b|$|[.,;)\n])"
        ),
    ),
    (_BAD_WORDS, rf"{_BAD} {_NAMED}(?: name)?:? (?:for |in |at )?{_ONE}"),
    (
        _BAD_WORDS,
        (
            rf"{_BAD} (?:parameter|argument|param|field|option|property|attribute)"
            rf"(?: name)?:? {_BARE}$"
        ),
    ),
    (
        "invalid|bad|unsupported|illegal|incorrect",
        (
            r"(?:invalid|bad|unsupported|illegal|incorrect) (?:value|type|format|input)"
            rf"(?: {_Q}[^\"'`\n]{{0,80}}{_Q})? (?:for|of|in) (?:the )?(?:{_KIND} )?"
            rf"{_Q}?{_BARE}{_Q}?{_END}"
        ),
    ),
    (
        "parameter|argument|param|field|arg|option|property|attribute|flag|filter|key|column",
        rf"{_NAMED} {_ONE}(?!\.{_Q})",
    ),
    (
        "is |are |was ",
        (
            rf"{_ONE} (?:{_KIND} )?(?:is|are|was) (?:a )?(?:required|missing|invalid"
            r"|not valid|mandatory|not allowed|not a valid|unsupported|empty|too"
            r"|of the wrong)"
        ),
    ),
    (
        "must|should|cannot|can not|can't|may not|has to|needs to|exceeds",
        (
            rf"{_ONE} (?:{_KIND} )?(?:must|should|cannot|can not|can't|may not|has to"
            r"|needs to|exceeds)\b"
        ),
    ),
    (
        "required|mandatory|missing",
        rf"{_HEAD}{_LIST} (?:is|are) (?:a )?(?:required|mandatory|missing)\b",
    ),
    (
        "are ",
        (
            rf"(?P<names>{_Q}{_NAME}{_Q}(?:(?:, and | and |, or | or |, ?)"
            rf"{_Q}{_NAME}{_Q}){{1,8}}) are (?:all |both )?(?:required|mandatory)"
        ),
    ),
    (
        "must|should|cannot|can not|can't|may not|has to|needs to",
        (
            rf"{_HEAD}{_BARE} (?:must|should|cannot|can not|can't|may not|has to"
            rf"|needs to)"
            r" (?:be|not|have|match|contain|start with|end with|exceed|only|include"
            r"|point)\b"
        ),
    ),
    (
        "parameter|argument|param|field|input|option|property|key|attribute",
        rf"{_HEAD}{_BARE} {_KIND} (?:is |must |required|missing|should |cannot )",
    ),
    (
        "either|one of|both",
        (
            r"(?:either|one of|exactly one of|at least one of|both|only one of)"
            rf" {_SEVERAL} (?:must|is required|are required|should|may|can|needs)"
        ),
    ),
    (
        "is ",
        (
            rf"{_HEAD}{_MARKED} is (?:not unique|ambiguous|invalid|empty|malformed|null"
            r"|undefined|not valid|too long|too short|too large|out of range|unknown)"
        ),
    ),
    (_BAD_WORDS, rf"{_HEAD}{_BAD} (?-i:{_MARKED}): "),
    ("not valid json", rf"{_HEAD}(?-i:{_MARKED}) is not valid JSON"),
    (
        "can only contain|has wrong type|has the wrong type",
        rf"{_HEAD}{_BARE} (?:can only contain|has (?:the )?wrong type)\b",
    ),
    (
        "together",
        rf"{_HEAD}{_SEVERAL} must be (?:provided|given|set|specified|used) together",
    ),
    (_BAD_WORDS, rf"{_BAD} (?-i:{_MARKED}) {_Q}"),
    (_BAD_WORDS, rf"{_BAD} {_ONE} {_KIND}"),
    (
        _BAD_WORDS,
        (
            rf"{_HEAD}{_BAD} {_BARE} {_Q}[^\"'`\n]{{0,80}}{_Q}:"
            r" (?:must|should|expected|use|choose)\b"
        ),
    ),
    ("] ", rf"^\[error\] (?-i:{_MARKED}) is (?:required|missing|invalid)"),
    (
        "argument|parameter|option|property",
        (
            rf"{_HEAD}(?:argument|parameter|option|property) {_BARE}"
            r" (?:is|must|was|should)\b"
        ),
    ),
    ("the ", rf"the {_KIND} {_BARE} (?:is|must|should|was|has)\b"),
    (
        "please",
        (
            r"please (?:provide|specify|supply|pass|include|set) (?:a |an |the )?"
            r"(?:valid )?"
            rf"{_ONE}"
        ),
    ),
)

SURE = tuple(guarded(needles, row, ignore_case=True) for needles, row in _SURE)
PROSE = tuple(guarded(needles, row, ignore_case=True) for needles, row in _PROSE)
