"""From the wire to `ErrorInfo`: one front door, one file per kind of evidence.

`read` and `decode` never raise for anything that came over the wire. A
`Decoder` of your own knows further code words and phrases.
"""

import sys
import types
from datetime import datetime
from typing import Final

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.front import Decoder, Reading
from mcpfusion_client.model import ErrorInfo

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

read: Final = _DEFAULT.read
decode: Final = _DEFAULT.decode
from_http: Final = _DEFAULT.from_http
from_rpc: Final = _DEFAULT.from_rpc


class _Room(types.ModuleType):
    """The package's function ``decode`` and this room have the same name.

    Importing the room puts it in the function's place in `mcpfusion_client`, so
    it can be called like the function.
    """

    def __call__(
        self, x: object, *, received_at: datetime | None = None
    ) -> ErrorInfo | None:
        return decode(x, received_at=received_at)


sys.modules[__name__].__class__ = _Room
