"""What a secret looks like: the patterns behind `redact`, one line each to extend.

Every pattern is anchored or bounded, so the time is linear in the text. A
pattern's groups are kept; the rest of a match is the secret.
"""

import re

_SEPARATOR = r"(?:\\{0,3}[\"'])?\]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}"

_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.*?-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----|.*)",
    re.DOTALL,
)

_AUTHORIZATION = rf"authorization{_SEPARATOR}(?:\\{{0,3}}[\"'])?"
_ONE_PART_SCHEMES = r"(?:bearer|basic|negotiate|ntlm|token|apikey|bot)[ \t]{1,8}"
_LONG_SCHEMES = r"(?:digest|hawk|oauth|signature|aws4-hmac-sha256)[ \t]{1,8}"
_ABOUT_BEARER = (
    r"(?:authentication|authorization|auth|tokens?|scheme|format|header|prefix|type"
    r"|credentials?|required|missing)\b"
)
_HEADERS = (
    rf"({_AUTHORIZATION}{_ONE_PART_SCHEMES})[^\s\"'\\,;<>]{{4,}}",
    rf"({_AUTHORIZATION}{_LONG_SCHEMES})[^\r\n]+",
    rf"({_AUTHORIZATION})(?![a-z]{{1,20}}(?:[\s.,;:!?]|\Z))[^\s\"'\\,;<>\[]{{6,}}",
    (
        rf"(\b(?:set-)?cookie{_SEPARATOR}(?:\\{{0,3}}[\"'])?)"
        r"(?=[^\s=;,\"'\\]{1,128}=)[^\r\n\"'\\]+"
    ),
    # A challenge (``Bearer realm="x"``) and a sentence are no credentials.
    (
        rf"(\bbearer[ \t]{{1,8}})(?!\w{{1,32}}=\\{{0,3}}[\"']|{_ABOUT_BEARER})"
        r"[a-z0-9._~+/=-]{6,}"
    ),
)
_BASIC = re.compile(
    r"(\b[Bb]asic[ \t]{1,8})(?!\w{1,32}=[\"']|[A-Z]?[a-z]{1,19}(?![A-Za-z0-9+/=]))"
    r"[A-Za-z0-9+/]{8,}={0,2}"
)

_URLS = (
    (
        r"((?<=://)[^\s/?#@:\"'<>]{0,256}:)(?![0-9]{1,5}(?:[/?#]|\Z))"
        r"(?:[^\s/?#\"'<>]{1,1024}|[^\s\"'<>]{1,1024})(?=@)"
    ),
    r"(?<=://)[a-z0-9_-]{16,512}(?=@)",
    r"((?<![\w:/.@-])[\w.-]{1,64}:)[^\s@\"'/]{1,256}(?=@(?:tcp|unix)?\()",
    r"(hooks\.slack\.com/(?:services|workflows)/)[a-z0-9/_-]{8,}",
    (
        r"([?&](?:key|sig|signature|auth|x-(?:amz|goog)-(?:signature|credential)"
        r"|x-amz-security-token)=)[^\s&#\"'<>]{6,}"
    ),
)

# One known key format a line; each starts where no letter or digit stands before.
_WORD = "A-Za-z0-9"
_KEYS = (
    r"A[KS]IA[A-Z0-9]{12,}",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{16,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{16,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}",  # Stripe
    r"whsec_[A-Za-z0-9+/=]{16,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"hf_[A-Za-z0-9]{20,}",  # Hugging Face
    r"gsk_[A-Za-z0-9]{20,}",  # Groq
    r"r8_[A-Za-z0-9]{20,}",  # Replicate
    r"do[op]_v1_[a-f0-9]{32,}",  # DigitalOcean
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}",  # Shopify
    r"dapi[a-f0-9]{32,}",  # Databricks
    r"SK[0-9a-f]{32}",  # Twilio
    r"lin_api_[A-Za-z0-9]{20,}",  # Linear
    r"(?:secret|ntn)_[A-Za-z0-9]{32,}",  # Notion
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",  # Telegram
)
# The same for formats whose characters include ``-`` and ``_``.
_RUN = "A-Za-z0-9_-"
_DASHED_KEYS = (
    rf"sk-[{_RUN}]{{16,}}",  # OpenAI, Anthropic
    rf"xox[a-z]-[{_RUN}]{{8,}}|xapp-[{_RUN}]{{8,}}",  # Slack
    rf"AIza[{_RUN}]{{30,}}|GOCSPX-[{_RUN}]{{20,}}|ya29\.[{_RUN}]{{16,}}",  # Google
    rf"glpat-[{_RUN}]{{16,}}",  # GitLab
    rf"pypi-[{_RUN}]{{32,}}",
    rf"hv[sb]\.[{_RUN}]{{20,}}",  # Vault
    rf"SG\.[{_RUN}]{{16,}}\.[{_RUN}]{{16,}}",  # SendGrid
    rf"AGE-SECRET-KEY-[{_RUN}]{{32,}}",
    rf"eyJ[{_RUN}]{{8,}}\.[{_RUN}]{{8,}}(?:\.[{_RUN}]*){{0,3}}",  # JSON Web Token
)
_KNOWN_KEYS = re.compile(
    rf"(?<![{_WORD}])(?:{'|'.join(_KEYS)})"
    rf"|(?<![{_RUN}])(?:{'|'.join(_DASHED_KEYS)})"
)

_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?"
    r"|(?:api|access|secret|private|account|signing|encryption|auth|subscription)"
    r"[_ -]?(?:access[_ -]?)?key(?:[_ -]?id)?)"
)
# What stands after ``password:`` in a sentence about passwords.
_SENTENCE = (
    r"(?:required|missing|invalid|expired|must|too|is|are|was|not|no|cannot|should|field"
    r"|string|number|integer|str|int|null|none|undefined|true|false|empty|input|value"
    r"|expected|does|did|has|length|please|the|an?|this|unknown|malformed|unauthorized"
    r"|error|failed|failure|denied|rejected|revoked|incorrect|wrong|mismatch|optional"
    r"|absent|in|and|or|for|with|to|of|flag|option|argument|parameter|header"
    r"|[0-9]{1,3})"
)
_NO_SENTENCE = rf"(?!\\{{0,3}}[\"']?{_SENTENCE}(?:[\s,;)\]}}\"'\\]|[.:!?](?:\s|\Z)|\Z))"
_VALUE = (
    r"(?:\\{1,3}\"[^\"\r\n]{0,4096}\"|\\{1,3}'[^'\r\n]{0,4096}'"
    r"|\"(?:[^\"\\\r\n]|\\.){1,4096}\"?|'(?:[^'\\\r\n]|\\.){1,4096}'?"
    r"|[^\s,;&\"'<>()\[\]{}\\](?:[^\s,;&\"'<>]|,(?=[^\s\"']))*)"
)
_PAIRS = (
    rf"({_NAMES}{_SEPARATOR}){_NO_SENTENCE}{_VALUE}",
    rf"((?<![\w-])pass[ \t]{{0,4}}=[ \t]{{0,4}}){_NO_SENTENCE}{_VALUE}",
    (
        rf"((?<![\w-])--[a-z-]{{0,32}}?(?:password|token|secret|key)[ \t]{{1,4}})"
        rf"{_NO_SENTENCE}{_VALUE}"
    ),
)

SECRETS = (
    _PRIVATE_KEY,
    _BASIC,
    *(re.compile(words, re.IGNORECASE) for words in (*_HEADERS, *_URLS)),
    _KNOWN_KEYS,
    *(re.compile(words, re.IGNORECASE) for words in _PAIRS),
)
"""The patterns, in the order in which they are applied."""

EMAIL = re.compile(r"(?<![\w.%+-])[\w.%+-]++@[\w-]++(?:\.[\w-]++)++")
"""An e-mail address."""
