"""Find the reply codes of mail and file transfer servers at the start of a text.

"550 5.1.1 User unknown" is one, "550 rows" is none; a number that is an HTTP
status as well needs the enhanced status behind it.
"""

import re

from mcpfusion_client.decode.evidence import Clue, Meaning, Strength
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables import replies

_START = 200
_REPLY = re.compile(
    r"(?:^|[:(] ?|, ?b?')(?P<reply>[45]\d\d)(?:[ -]| ?, b?['\"])"
    r"#?(?:(?P<class>[45])\.(?P<subject>\d)\.(?P<detail>\d{1,3})\b)?(?P<text>[^\n]{2})"
)


def find(passage: Passage) -> Clue | None:
    """Return the clue of a reply code, None without one."""
    head = passage.text[:_START]
    reply = _REPLY.search(head)
    if reply is None:
        return None
    meaning = _meaning(reply)
    if meaning is None:
        return None
    return Clue(meaning, Strength.STATUS, f"reply {reply['reply']}")


def _meaning(reply: re.Match[str]) -> Meaning | None:
    if reply["class"] is None:
        return replies.REPLIES.get(reply["reply"])
    if reply["class"] == "4":
        return m.OUTAGE
    exact = f"{reply['subject']}.{reply['detail']}"
    return replies.ENHANCED.get(exact) or replies.ENHANCED.get(reply["subject"])
