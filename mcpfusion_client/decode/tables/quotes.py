"""Words around a quotation or a noun that tell whether it reports or only names."""

from mcpfusion_client.decode.tables.wordlist import words

REPORTING = words(
    """said say says saying answer answered answers reply replied replies respond
    responded responds response responses return returned returns returning got
    received receives gave sent reported reports error errors message messages
    exception exceptions fault reason reasons status code codes cause detail details
    body warning failure failed fails with because is was output stderr stdout
    threw raised and or but then saw meldet meldete antwortete fehler répondu erreur
    respondió respondeu error erro errore risposto odpowiedział ответил ошибка"""
)
"""Words before a quotation that make it what somebody reported."""

PREDICATES = (
    r"(?:is|are|was|were|has|have|had|does|do|did|cannot|can't|can|could|must|should"
    r"|may|will|already|exists?|not|needs?|requires?|contains?|belongs?)\b"
    r"(?! (?:returned|received|reported|raised|thrown|the response|what))"
)
"""A word after a quotation that makes it the name of what the sentence is about."""

NO_NAME = (
    r"(?:the|an?|in|of|is|are|was|were|for|to|on|by|with|this|that|your|not|no|and|or"
    r"|has|have|cannot|can|must|invalid|unknown|bad|missing|unsupported|illegal|wrong"
    r"|duplicate|already|exists|exceeded|reached|too|many|seconds?|minutes?"
    r"|hours?)"
)
"""Words that are no part of a thing's name."""

THINGS = (
    r"(?:rule|setting|template|label|tag|column|field|option|parameter|argument"
    r"|property|group|tier|plan|profile|schedule|dashboard|alert|monitor|page|document"
    r"|table|view|list|category|policy|configuration|config|preset|type|key|value"
    r"|test|scenario|handler|middleware|header|component|widget|channel|folder|file"
    r"|project|ticket|issue|article|section|report|log|contract|module|tariff|flag"
    r"|rating|route|tag|fee)s?|policies|properties"
    r"|categories"
)
"""Nouns that turn the words before them into the name of something managed."""

EVENTS = r"(?:issue|report|log|test)s?"
"""Of `THINGS`, the ones whose name tells what happened: "timeout issue"."""

RATES = (
    r"(?:interest|heart|pulse|vat|tax|exchange|frame|sampling|sample|bit|growth|discount"
    r"|hourly|mortgage|birth|error|conversion|loan) rate(?: limit(?:ed|s)?)?"
)
"""Rates at which nobody calls anything."""

DEMANDS = (
    r"(?:must|cannot exceed|can't exceed|cannot be|can't be|may not be|should be|has to"
    r"|have to|needs to|is required|are required|is missing|is invalid"
    r"|is not (?:in|one|an?|valid|allowed|supported|a valid)|is out of range)"
)
"""Words after a noun that is an argument: what is demanded of it."""

MANAGING = (
    r"(?:add|alter|archive|assign|change|configure|create|delete|disable|edit|enable"
    r"|increase|lower|modify|move|override|raise|reduce|remove|rename|replace|reset|set"
    r"|share|update|use|view)"
)
"""What is done to a thing; the word behind it is the thing's name."""

REFUSALS = (
    r"(?:can(?:not|'t| not)|may not|must not) (?:be )?(?:edit|delet|remov|modif|chang"
    r"|updat|renam|mov|archiv|assign|alter|overwrit|replac|disabl|enabl|reopen|publish"
    r"|share|view|us|reus|appl|add|set|select|combin)(?:e|y|ed|ied|d|n|ted)?\b"
    r"|can only be [a-z]{3,20}(?:ed|en|t) (?:by|if|when|while|in|from|before|after)\b"
    r"|\b(?:is|are) (?:protected|immutable|reserved|read-only|managed by)\b"
    r"|(?:削除|編集|変更|更新|操作)できません|不能(?:删除|编辑|修改)|无法(?:删除|编辑|修改)"
)
"""What is refused for good, whoever asks."""
