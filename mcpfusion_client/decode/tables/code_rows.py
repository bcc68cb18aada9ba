"""How servers and SDKs put their own code into a text.

One row a form: the words without which it cannot stand (``|`` between
alternatives), then a pattern whose group ``code`` is the code. Rows of `SURE` name
the code by their form alone, the most certain first; rows of `KNOWN` look like
codes and count only when the tables know the word, rows of `LISTED` only when the
word itself has a row there.
"""

from mcpfusion_client.decode.passage import guarded

UPPER = r"[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,10}"

SURE = (
    guarded(
        "when calling",
        r"An error occurred \((?P<code>[\w.-]{1,120})\) when calling",
    ),
    guarded(
        "code = ",
        r"\bcode = (?P<code>[A-Za-z]{2,40}) desc = ",
    ),
    guarded(
        "statuscode.|statuscode=",
        r"\bStatusCode(?:\.|=\")(?P<code>[A-Za-z_]{2,40})\b",
    ),
    guarded(
        "[",
        r"^\W{0,8}\[(?P<code>[A-Z][A-Z0-9]{2,40}(?:[_-][A-Z0-9]{1,40}){0,10})\]",
    ),
    guarded(
        " [",
        r"(?:error|failed|exception) \[(?P<code>[A-Z][A-Za-z]{3,80})\]",
        ignore_case=True,
    ),
    guarded(
        "",
        r"(?:^|: )\d{1,3} (?P<code>[A-Z][A-Z_]{3,40})(?=[:.\s])",
    ),
    guarded(
        "api error|requestid",
        r"(?:api error|RequestID: [^,\n]{1,80}(?:, HostID: [^,\n]{1,120})?,) "
        r"(?!HostID)(?P<code>[A-Z][A-Za-z.]{3,80}): ",
    ),
    guarded(
        "code>",
        r"<(?:\w{1,20}:)?(?:Code|ErrorCode|error-?code)>(?P<code>[A-Za-z][\w.-]{1,80})</",
    ),
    guarded(
        " code e",
        r"(?:ERR!|error) code (?P<code>E[A-Z0-9]{2,30})\b",
    ),
    guarded(
        "(",
        r"^(?:Error: )?\((?P<code>[A-Z][A-Za-z]{3,80})\) ",
    ),
    guarded(
        "(",
        r"^(?:Error from server|[A-Z][a-z]{2,20} (?:error|failed)) "
        r"\((?P<code>[A-Z][A-Za-z]{3,80})\): ",
    ),
    guarded(
        "exception: |error: ",
        rf"(?:Exception|Error): (?P<code>{UPPER}|[A-Z]{{5,40}})(?=: |$)",
    ),
    guarded(
        "code",
        r"(?:^|\n)(?:Code|ErrorCode|Error Code): ?(?P<code>[A-Z][A-Za-z]{3,80})\b",
    ),
    guarded(
        "net::",
        r"\bnet::(?P<code>ERR_[A-Z_]{3,60})\b",
    ),
    guarded(
        "code",
        r"(?<![\w])(?:error[ _-]?code|errcode|errorcode|codename|code)[\"'`*]{0,3}"
        r"\s{0,2}[:=]\s{0,2}[\"'`*]{0,3}(?P<code>[A-Za-z_][\w./-]{1,80})"
        r"(?![\w./-]|[ \t]{1,2}[A-Za-z])",
        ignore_case=True,
    ),
    guarded(
        "occurred: |responded: |returned: |responded with: |api error: ",
        r"(?:occurred|responded|returned|responded with|API error): "
        r"(?P<code>[a-z]{2,40}(?:_[a-z0-9]{1,40}){1,8})\s{0,4}$",
        ignore_case=True,
    ),
    guarded(
        "_",
        rf"^(?:\W{{0,4}}|[A-Z][\w ]{{1,30}}: )"
        rf"(?P<code>{UPPER})(?=:|\s-|\s–|\s\(|$|\.\s)",
    ),
    guarded(
        "_|-",
        r"(?<![\w])(?:error|code|reason|failed)[\"']?[:=]\s?[\"'`]?(?P<code>[a-z]{2,40}"
        r"(?:[_-][a-z0-9]{1,40}){1,8})"
        r"[\"'`]?(?=\s{0,2}(?:$|[\n.,;)}(]|-\s))",
        ignore_case=True,
    ),
    guarded(
        "/",
        r"\((?P<code>[a-z]{2,20}/[a-z]{4,40}(?:-[a-z]{1,40}){0,8})\)",
    ),
    guarded(
        "_",
        r"^\s{0,8}(?P<code>[a-z]{2,40}(?:_[a-z0-9]{1,40}){1,8})\s{0,8}$",
    ),
    guarded(
        "_",
        rf"\((?P<code>{UPPER})\)",
    ),
)

KNOWN = (
    guarded(
        "error: ",
        r"API error: (?P<code>[a-z][a-z_]{3,60})\s{0,4}$",
        ignore_case=True,
    ),
    guarded(
        ": ",
        r"(?:^|: )(?P<code>(?=[A-Za-z0-9]{0,80}[a-z][A-Z])[A-Z][A-Za-z0-9]{3,80})"
        r"(?=: \S)",
    ),
)

LISTED = (
    guarded(
        "_",
        r": (?P<code>[a-z]{2,40}(?:_[a-z0-9]{1,40}){1,8})\s{0,4}$",
    ),
)
