"""From the wire to `ErrorInfo`: one front door, one file per kind of evidence.

`read` and `decode` never raise for anything that came over the wire. A
`Decoder` of your own knows further code words and phrases.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.front import Decoder, Reading

__all__ = [
    "Decoder",
    "Meaning",
    "Reading",
    "decode",
    "from_http",
    "from_rpc",
    "read",
]

_DEFAULT = Decoder()

read = _DEFAULT.read
decode = _DEFAULT.decode
from_http = _DEFAULT.from_http
from_rpc = _DEFAULT.from_rpc
