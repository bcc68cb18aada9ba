"""How a text begins that is nothing but the report of an error, as patterns.

The words of the gaps stand in `tables.disguises`.
"""

from collections.abc import Iterable

from mcpfusion_client.decode.tables import disguises


def report() -> str:
    """Return the pattern of a text that says by itself that the tool failed."""
    return (
        _MARK
        + "(?:"
        + "|".join(
            (
                *_PREFIXES,
                *_UNDONE,
                *_ARGUMENT_FAULTS,
                *_NOTHING_THERE,
                *_REFUSALS,
                *_STATUSES,
                *_OTHER_LANGUAGES,
            )
        )
        + ")"
    )


def lack() -> str:
    """Return the pattern of a first sentence that may be an answer by itself.

    "No project is open" is an error when "Use open_project first" follows.
    """
    return "|".join(_LACKS)


def _any(listed: Iterable[str]) -> str:
    """Return a pattern of the *listed* words; a hyphen in one stands for a space."""
    return "(?:" + "|".join(sorted(listed)).replace("-", " ") + ")"


def _started(listed: Iterable[str]) -> str:
    """Return a pattern of the *listed* words with or without a capital."""
    return _any({*listed, *(word.capitalize() for word in listed)})


_VERB = _any(disguises.VERBS)
_ARGUMENT = _started(disguises.ARGUMENTS | {"JSON", "URL", "ID", "XML", "SQL", "URI"})
_THING = _started(disguises.THINGS | {"URL"})
_STATE = _any(disguises.STATES | {"API key"})
_SETTING = _started(disguises.SETTINGS | {"API key", "API token"})
_MEANS = _started(disguises.MEANS)
_JOB = _started(disguises.JOBS)
_NOT_FAILED = _any(disguises.NOT_A_FAILED_VERB)
_NO_TOPIC = _any(disguises.NO_TOPIC)
_NO_SYSTEM = _started(disguises.NOT_A_SYSTEM)

_MARK = r"(?:[^\w\s\"'“”‘’«»`|#()\[\]{}<>=-]|[*_\s]){0,8}"
"""What may decorate an error: an emoji, asterisks."""

_OBJECT = (
    r" (?!on\b|by\b|with\b|without\b|before\b|after\b|until\b|unless\b)[^\n]{1,240}"
)
_QUOTED = r"(?:'[^'\n]{0,120}'|\"[^\"\n]{0,120}\"|`[^`\n]{0,120}`|«[^»\n]{0,120}»)"
_NAMED = (
    rf"(?:{_QUOTED}|(?=(?:[^\W\d_]|[.:-]){{0,160}}[\d_@#/])"
    r"(?>\.{0,2}[\w@#/-]++(?:[.:]++[\w@#/-]++)*+))"
)
"""A value that the caller passed: quoted, or with a character no word has."""

_FIELD = (
    rf"(?:{_QUOTED}|[a-zA-Z]\w{{0,60}}_\w{{1,60}}|[a-z]{{1,40}}[A-Z]\w{{0,60}}"
    r"|(?:API|Access|Bot) (?:key|token)|URL|ID|Query|Path|File path|Filename)"
)
"""The name of an argument, as programs spell it."""

_FOLLOWED = (
    r"(?:(?: ?\([^()\n]{0,80}\))?(?= ?(?:[.:;!\[—–]| -|\n|$))"
    r"|(?=\s(?:for|to|on|by|while|when|because|after|in|from|with|and|or|due|error"
    r"|please|as|at|until)\b(?!:)))"
)
"""The sentence ends here, or says of what: "Access denied" is a film, too."""

_REASONED = r"(?! ?:? ?(?:[\w.-]{1,60}, )+[\w.-]{1,60}\.?$| ?: ?\d)"
"""What follows is neither a list of names nor a number."""

_END = r"[.!]?(?:\s|$)"
_SYSTEM = rf"(?:(?!{_NO_SYSTEM} )[A-Z][\w.-]{{0,30}} ){{0,3}}"
_CODED = r"(?: code)?(?: [1-5]\d\d| \([^()\n]{1,60}\))?"
_DOING = (
    rf"(?: (?!{_NO_TOPIC}\b)[a-z]{{2,20}}ing\b"
    r"| (?:while|during|from|with|(?:in|at|on)(?! line))\b)"
)

_PREFIXES = (
    rf"{_SYSTEM}[Ee]rror{_CODED}\**: ?\**\s?[^\s*]",
    r"ERROR: ?\S",
    rf"Error{_DOING}(?:[^:\n]{{0,160}}: ?\S| [^\n.:]{{1,100}}\.?$)",
    (
        r"(?:Sorry, )?(?:[Aa]n?|[Tt]here was an?) "
        r"(?:(?:unexpected|internal|unknown|server|unhandled) ){0,2}error"
        r"(?: (?:has )?(?:occurred|happened|was encountered|calling|while|processing"
        r"|in|with|during)|[:.])"
    ),
    r"An? [A-Z]\w{0,60}(?:Error|Exception) (?:occurred|was (?:raised|thrown))\b",
    r"(?:Oops\W{1,3}|Sorry, )?[Ss]omething went wrong\b",
    (
        r"(?:[Uu]nknown|[Ii]nternal|[Uu]nexpected|[Ff]atal)(?: server)? error"
        r"(?: occurred)?[.!]?$"
    ),
)
"""The text calls itself an error."""

_UNDONE = (
    (
        rf"Failed to (?!{_NOT_FAILED}\b)[a-z]{{2,20}}"
        rf"(?:[.!]?$|[:.,; ]{_REASONED}[^\n]{{1,240}})"
    ),
    r"Failed after \d{1,4} (?:attempts|retries|tries)\b",
    (
        r"(?:Unable to|Could not|Couldn't) (?:find|locate)"
        r"(?![^\n]{0,200}\b(?:any|match\w{0,3}|results?)\b)[^\n]{2,200}"
    ),
    (
        r"(?:Unable to|Could not|Couldn't|Not able to) (?!find\b|locate\b)"
        rf"(?!{_NOT_FAILED}\b)[a-z]{{2,20}}{_OBJECT}"
    ),
    rf"(?:Cannot|Can't|Can not) {_VERB}{_OBJECT}",
    (
        rf"(?:[A-Z]\w{{1,20}} ){{0,2}}{_JOB} failed(?: for [^\n:]{{1,100}})?"
        rf"(?:: {_REASONED}\S|[.!]?$)"
    ),
    r"[A-Z][\w ]{0,80} execution failed with (?:status|error)\b",
    r"(?:Did not receive|Received no|No) (?:a |any )?response from the ",
    r"The (?:[\w-]{1,30} ){1,2}did not respond\b",
    r"(?:Timed out|Timeout) (?:waiting|while|after|when)\b",
)
"""What the tool could not do, did or got no answer to."""

_ARGUMENT_FAULTS = (
    (
        rf"Invalid (?:[\w'./-]{{1,30}} ){{0,3}}?{_ARGUMENT}"
        rf"(?: {_NAMED}(?: {_NAMED})?)?(?:(?=:|[.!;,] |[.!]?$| \()"
        r"| (?:in|for) (?:the )?(?:parameter|argument|field)\b)"
    ),
    rf"Invalid (?:or (?:missing|expired)|{_QUOTED}: )",
    (
        r"Missing (?:required )?(?:parameter|argument|field|property|input|value"
        r"|option|header|environment variable|API key|credentials|token)s?\b"
        rf"(?:: {_REASONED}\S| {_NAMED}|[.!]?$|\. )"
    ),
    r"Required (?:parameter|argument|field|property) [^\n]{1,80}missing\b",
    (
        rf"(?:The |Parameter |Argument |Field |Property )?{_FIELD}"
        r"(?: (?:parameter|argument|field|property))?"
        r" (?:is|are) (?:required|missing|mandatory)(?: [^\n.]{1,160})?"
        rf"{_END}"
    ),
    (
        rf"(?:(?:The |Parameter |Argument |Field )?{_FIELD}|[a-z]\w{{1,40}})"
        r"(?: (?:parameter|argument|field))? (?:must(?: not)?|cannot|can't) be "
        r"(?:an?|one of|in|before|after|between|greater|less|at (?:least|most)|positive"
        r"|non-|not|empty|null|negative|zero|provided|specified|set|unique|valid"
        r"|either)\b"
    ),
    (
        r"(?:Unknown|Unsupported|Unrecogni[sz]ed|Unexpected) (?:[\w-]{1,30} ){0,2}?"
        rf"{_ARGUMENT}(?::? {_QUOTED}|: \S| {_NAMED}){_REASONED}"
    ),
    (
        r"No (?!reason|details?|explanation|discount|warrant)"
        r"(?:(?!found\b|in\b|with\b)[\w-]{1,30} ){1,4}(?:(?:was|were|is|has been) )?"
        rf"(?:provided|specified|given|supplied){_END}"
    ),
    (
        r"(?:Please|You must|You need to) (?:provide|specify|supply|pass|set)"
        r" (?:an? valid|at least one|exactly one|either|both|one of)\b"
    ),
    (
        r"Please (?:provide|specify) (?:an? |the )?(?:[\w-]{1,30} ){0,2}"
        rf"{_ARGUMENT}(?: or [^\n.]{{1,60}})?[.!]?$"
    ),
    rf"(?:Please )?[Pp]rovide (?:an? |the )?{_FIELD}\b",
)
"""What is wrong with what the caller passed."""

_NOTHING_THERE = (
    rf"(?:{_THING}|{_ARGUMENT}) not found: ?\S",
    (
        rf"(?:[A-Z][\w-]{{0,30}} )?{_THING}"
        r"(?: (?:with )?(?:the )?(?:id|ID|name|key|number|title|slug))?"
        rf":? {_NAMED} (?:was |is )?not found(?:[.!]?$|[.!:;,] "
        r"| in (?:the )?(?:workbook|project|database|workspace|document|presentation"
        r"|timeline|account|organization|chat|collection)\b)"
    ),
    (
        r"No such (?:file or directory|"
        rf"{_any(disguises.THINGS | disguises.ARGUMENTS)})(?: {_NAMED}|: \S|[.!]?$)"
    ),
    (
        r"(?:[\w-]{1,30} ){0,2}(?:[Ii]ndex|[Pp]age|[Oo]ffset|[Ll]ine|[Pp]osition)"
        rf"(?: {_NAMED})?(?: is)? out of (?:range|bounds)\b"
    ),
    (
        rf"No (?:(?:active|current|valid|open) )?{_STATE} (?:is |has been |was )?"
        rf"(?:loaded|selected|configured|initiali[sz]ed){_END}"
    ),
)
"""What was asked for by name, or has to be there first."""

_REFUSALS = (
    (
        r"(?:[A-Z][\w ]{0,40} (?:limit|quota) (?:reached|exceeded)"
        r"|(?:Quota|API quota) exceeded"
        r"|(?:API )?[Rr]ate limit(?:ed| exceeded| reached)"
        r"|Too many requests"
        r"|(?:Access|Permission) denied"
        r"|Unauthori[sz]ed(?: access)?"
        r"|Authentication (?:failed|required|error)"
        r"|Invalid (?:API key|token|credentials)"
        r"|(?:Request|Operation|Connection|Query)"
        r" (?:timed out|timeout|failed|refused)"
        rf"){_FOLLOWED}"
    ),
    (
        r"You (?:are not authori[sz]ed|do(?: not|n't) have (?:the )?(?:required )?"
        r"(?:permissions?|access|rights))\b"
    ),
    (
        r"Only (?:[\w-]{1,30} ){1,4}(?:queries|statements|operations|files|formats"
        r"|requests|methods|commands|types|URLs|protocols)"
        r" (?:are|is) (?:allowed|supported|permitted|accepted)\b"
    ),
    (
        rf"(?:(?:This|The|That) )?(?:[\w-]{{1,30}} ){{0,3}}?{_MEANS}(?: {_NAMED})?"
        r" (?:is |are )?not (?:supported|implemented|permitted|allowed)\b"
    ),
    (
        r"(?!No |Any |An? |Every |Each )(?:[\w-]{1,30} ){0,2}?"
        rf"(?:{_SETTING}|[A-Z][A-Z0-9]{{0,30}}_[A-Z0-9_]{{1,60}})"
        r"(?: environment variable)? (?:(?:is |are )?not (?:set|configured"
        r"|initiali[sz]ed|provided|defined)|(?:is|are) (?:missing|required))"
        rf"{_END}"
    ),
)
"""What is not permitted, not supported or not set up."""

_STATUS_NAME = (
    r"(?:Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not"
    r" Allowed|Request Timeout|Conflict|Gone|Too Many Requests|Unprocessable (?:Entity"
    r"|Content)|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout)"
)
_STATUSES = (
    r"HTTP [Ee]rror (?:occurred: \S|[45]\d\d\b)",
    r"HTTP (?:[Ee]rror )?[45]\d\d(?::| [A-Z]|$)",
    r"[45]\d\d (?:Client|Server) Error\b",
    rf"[45]\d\d {_STATUS_NAME}[.!]?$",
    (
        r"(?:Not [Ii]mplemented|Forbidden|Internal [Ss]erver [Ee]rror"
        r"|Bad [Rr]equest|Bad [Gg]ateway|Gateway [Tt]imeout"
        r"|Service (?:is )?(?:temporarily )?[Uu]navailable)[.!]?(?:$| Please | Try )"
    ),
)
"""HTTP statuses, of which a line alone says nothing else."""

_OTHER_LANGUAGES = (
    (
        r"(?:エラー|エラーが発生[^:：\n]{0,8}|错误|錯誤|오류|Erreur|Fehler|Errore"
        r"|Erro|Ошибка) ?[:：]"
    ),
    (
        r"(?:Error al|Erro ao|Erreur lors|Errore (?:durante|nel)|Fehler beim"
        r"|Ошибка при|Falha ao|Fallo al|No se pudo|No se ha podido"
        r"|Não foi possível|Impossible d[e']|Échec d[eu]|Не удалось)"
        r" (?![—–])[^\n]{2,200}"
    ),
    r"(?:无法|無法)[^\n]{2,200}",
    (
        r"(?!任务|任務|作业|构建|測試|测试|部署|支付)[^\n。.:：]{2,30}"
        rf"(?:失败|失敗|出错|出錯|실패) ?[:：](?! ?\d){_REASONED} ?\S"
    ),
    (
        r"[^\n。.:：]{1,80}(?:に失敗しました|できませんでした|실패했습니다"
        r"|오류가 발생했습니다)(?:[。.:：]|$)"
    ),
)

_LACKS = (
    (
        rf"(?:[A-Z][\w-]{{0,30}} )?(?:That |The |This )?{_THING}\b[^\n.:]{{0,100}}"
        r" (?:(?:was|is|were|could) )?not (?:be )?(?:found|exist|available|enabled"
        r"|connected|open|active|initiali[sz]ed|loaded|running)\b"
    ),
    rf"(?:(?:That|The|This) )?{_THING}(?: [^\n.]{{1,80}})? does not exist\b",
    rf"No (?:active |current |valid |open |default )?{_STATE}\b[^\n.:]{{0,60}}",
    (
        r"Not (?:connected|authenticated|logged in|authori[sz]ed|initiali[sz]ed)\b"
        r"[^\n.:]{0,60}"
    ),
    r"[A-Z][\w -]{1,60} (?:is|are) (?:disabled|not enabled)$",
)
