"""A gate and a budget that keep what other processes should know, and are told by them.

They answer at once, like every gate and budget. Who carries the news is no business of
theirs; it names servers and tools only by digests. What it brings is untrusted.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Self

import attrs

from mcpfusion_client.model import ErrorCategory, ErrorInfo, Execution, Origin
from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.gate import RateLimitGate
from mcpfusion_client.retry.ticket import Ticket, nobody

LONGEST = 3600.0
"""Seconds; what is closed for longer is closed in one process only."""

MOST = 512
"""What a process keeps for the others, or of them, at most."""

_DIGEST = re.compile("[0-9a-f]{32}")
_CODE = re.compile("[A-Za-z0-9_.:-]{1,60}")
_CLOSED = re.compile(
    f"({_DIGEST.pattern}) ({_DIGEST.pattern}|[*])"
    f" (rate_limited|transient) ({_CODE.pattern}|[*])"
)
_ANY = "*"


@lru_cache(maxsize=4096)
def digest(name: str) -> str:
    """Return what stands for *name* outside this process; a digest is its own."""
    if is_digest(name):
        return name
    raw = name.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:32]


def is_digest(text: object) -> bool:
    """Is it of the form that `digest` returns?"""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


@attrs.frozen(kw_only=True)
class Closed:
    """What a gate was closed for.

    Attributes:
        server: The digest of the server.
        tool: The digest of the tool, None for the whole server.
        category: `ErrorCategory.RATE_LIMITED` or `ErrorCategory.TRANSIENT`.
        code: The error code, None when it does not look like one.
    """

    server: str
    tool: str | None
    category: ErrorCategory
    code: str | None

    @classmethod
    def of(cls, server: str, tool: str | None, info: ErrorInfo) -> Self:
        """Return what others may know of a closed gate."""
        limited = info.category is ErrorCategory.RATE_LIMITED
        return cls(
            server=digest(server),
            tool=None if tool is None else digest(tool),
            category=info.category if limited else ErrorCategory.TRANSIENT,
            code=info.code if info.code and _CODE.fullmatch(info.code) else None,
        )

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return what `str` of one wrote, None when it did not."""
        match = _CLOSED.fullmatch(text)
        if match is None:
            return None
        server, tool, category, code = match.groups()
        return cls(
            server=server,
            tool=None if tool == _ANY else tool,
            category=ErrorCategory(category),
            code=None if code == _ANY else code,
        )

    def __str__(self) -> str:
        category = self.category.value
        return f"{self.server} {self.tool or _ANY} {category} {self.code or _ANY}"

    @property
    def info(self) -> ErrorInfo:
        """What calls fail with that cannot wait."""
        return ErrorInfo(
            message="Not sent: another process was told to wait.",
            code=self.code,
            category=self.category,
            is_retryable=True,
            execution=Execution.NOT_EXECUTED,
            origin=Origin.CLIENT,
            dialect="client",
        )


@attrs.define(eq=False, kw_only=True)
class FleetGate(RateLimitGate):
    """A gate that is closed for a fleet of processes.

    Attributes:
        tell: Called when there is something to tell the others.
        closed: What closed it in this process, and until when.
        untold: What of it the others have not been told.
    """

    tell: Callable[[], object]
    closed: dict[Closed, float] = attrs.field(factory=dict[Closed, float], init=False)
    untold: set[Closed] = attrs.field(factory=set[Closed], init=False)

    def ticket(
        self,
        server: str,
        tool: str,
        now: float,
        room: float,
        *,
        max_retry_after: float = 120.0,
        wake: Callable[[], object] = nobody,
    ) -> Ticket:
        """Return the ticket of one logical call."""
        return super().ticket(
            digest(server),
            digest(tool),
            now,
            room,
            max_retry_after=max_retry_after,
            wake=wake,
        )

    def close(
        self, server: str, tool: str | None, info: ErrorInfo, now: float, seconds: float
    ) -> None:
        """Hold back the calls to *tool*, in every process of the fleet."""
        closed = Closed.of(server, tool, info)
        super().close(closed.server, closed.tool, info, now, seconds)
        self._forget(now)
        until = now + seconds
        known = self.closed.get(closed)
        if seconds > LONGEST or (known is None and len(self.closed) >= MOST):
            return
        if known is None or known < until:
            self.closed[closed] = until
            self.untold.add(closed)
            self.tell()

    def heard(self, closed: Closed, now: float, seconds: float) -> None:
        """Another process was told to wait.

        They may speak of any number of servers and tools; no more than `MOST` become
        known to this process that way.
        """
        server = self._servers.get(closed.server)
        known = self._servers if server is None else server.lanes
        strange = server is None or closed.tool not in (None, *server.lanes)
        if strange and len(known) >= MOST:
            return
        super().close(closed.server, closed.tool, closed.info, now, seconds)

    def news(self, now: float) -> dict[Closed, float]:
        """Return what the others have to be told, and until when it holds."""
        self._forget(now)
        return {each: self.closed[each] for each in self.untold}

    def told(self, news: dict[Closed, float]) -> None:
        """The others have been told *news*."""
        self.untold -= {
            each for each, until in news.items() if self.closed.get(each) == until
        }

    def tell_again(self, *, except_for: Iterable[str]) -> None:
        """Tell what the others were told and do not know any more.

        Args:
            except_for: What they know, as text.
        """
        known = set(except_for)
        self.untold |= {each for each in self.closed if str(each) not in known}

    def _forget(self, now: float) -> None:
        self.closed = {each: at for each, at in self.closed.items() if at > now}
        self.untold &= self.closed.keys()


@attrs.define
class _Account:
    """The tokens spent at one server: as the fleet knows, and what it does not."""

    spent: float = 0.0
    untold: float = 0.0


@attrs.define(eq=False, kw_only=True)
class FleetBudget(RetryBudget):
    """A budget that a fleet of processes spends together.

    A process knows what it spent itself, and of the others what it heard last.

    Attributes:
        tell: Called when there is something to tell the others.
    """

    tell: Callable[[], object]
    _accounts: dict[str, _Account] = attrs.field(
        factory=dict[str, _Account], init=False
    )

    def left(self, server: str) -> float:
        """Return the tokens there are for *server*, as far as is known here."""
        account = self._accounts.get(digest(server))
        if account is None:
            return self.capacity
        return self.capacity - account.spent - account.untold

    def take(self, server: str) -> bool:
        """Take a token for a retry; False, and nothing taken, when there is none."""
        if self.left(server) < 1.0:
            return False
        account = self._accounts.setdefault(digest(server), _Account())
        account.untold += 1.0
        self.tell()
        return True

    def give_back(self, server: str) -> None:
        """Return the token of a retry that was never sent, or was cancelled."""
        self._bring_back(server, 1.0)

    def succeeded(self, server: str, *, retried: bool) -> None:
        """Count a success, whose token or refund every process may use."""
        self._bring_back(server, 1.0 if retried else self.refund)

    def heard(self, server: str) -> None:
        """Others spent tokens at *server*: ask how many."""
        if len(self._accounts) < MOST:
            self._accounts.setdefault(digest(server), _Account())
            self.tell()

    def news(self) -> dict[str, float]:
        """Return what was spent and not told yet, by digest.

        Servers are there too whose tokens are not all left: ask about them.
        """
        return {name: account.untold for name, account in self._accounts.items()}

    def told(self, server: str, spent: float, total: float) -> None:
        """Note that *spent* tokens were told.

        Args:
            server: Its digest.
            spent: What `news` said.
            total: What the whole fleet has spent there.
        """
        account = self._accounts[server]
        account.spent = total
        account.untold = max(account.untold - spent, -total)
        if not total and not account.untold:
            del self._accounts[server]

    def _bring_back(self, server: str, tokens: float) -> None:
        account = self._accounts.get(digest(server))
        if account is not None:
            account.untold = max(account.untold - tokens, -account.spent)
            self.tell()
