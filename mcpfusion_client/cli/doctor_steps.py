"""The steps of a check-up: what each one found, and where it stopped."""

import enum
import time
from collections.abc import Awaitable, Callable
from typing import Final, Literal

import anyio
import attrs

from mcpfusion_client.model.text import one_line

_MAX_MESSAGE: Final = 400
_MAX_EVIDENCE: Final = 300

CONNECTING: Final = frozenset(
    {
        "address",
        "command",
        "start",
        "stdout",
        "dns",
        "tcp",
        "tls",
        "http",
        "auth",
        "protocol_version",
        "handshake",
        "client",
    }
)
"""The steps without which there is no connection."""


NOT_REACHED: Final = "not reached"
"""The message of a step that was not taken."""


class Status(enum.StrEnum):
    """How a step ended."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@attrs.frozen(kw_only=True)
class Found:
    """What a step found.

    Attributes:
        message: One sentence; may quote the server.
        status: How the step ended.
        fix: What to do about it; ours alone.
        evidence: Untrusted; lines that show it.
    """

    message: str
    status: Status = Status.OK
    fix: str = ""
    evidence: tuple[str, ...] = ()


def failed(message: str, *, fix: str, evidence: tuple[str, ...] = ()) -> Found:
    """Return that a step failed."""
    return Found(message=message, status=Status.FAILED, fix=fix, evidence=evidence)


class TroubleError(Exception):
    """A step failed; *found* says how."""

    def __init__(self, found: Found) -> None:
        super().__init__(found)
        self.found = found


class StoppedError(Exception):
    """A step failed without which the next ones make no sense."""


@attrs.frozen(kw_only=True)
class Step:
    """One step after it ended; every text is one printable, redacted line.

    Attributes:
        name: Of the step.
        status: How it ended.
        message: One sentence.
        fix: What to do about it, empty when there is nothing to do.
        evidence: What shows it.
        seconds: How long it took.
        cause: The exception behind a failure, for ``--debug``.
    """

    name: str
    status: Status
    message: str
    fix: str = ""
    evidence: tuple[str, ...] = ()
    seconds: float = 0.0
    cause: BaseException | None = attrs.field(default=None, eq=False, repr=False)


@attrs.define(eq=False)
class Checkup:
    """Takes the steps of *plan* one after the other.

    Attributes:
        plan: Their names, in order.
        on_step: Told when one begins.
    """

    plan: tuple[str, ...]
    on_step: Callable[[str], None]
    _steps: dict[str, Step] = attrs.field(factory=dict[str, Step], init=False)

    async def take(
        self, name: str, look: Callable[[], Awaitable[Found]], *, seconds: float
    ) -> None:
        """Take the step *name*: what *look* finds, within *seconds*.

        Raises:
            StoppedError: It failed.
        """
        self.on_step(name)
        started = time.monotonic()
        cause: BaseException | None = None
        found = _too_slow(seconds)
        with anyio.move_on_after(seconds):
            try:
                found = await look()
            except TroubleError as trouble:
                found, cause = trouble.found, trouble.__cause__ or trouble
        self.note(name, found, seconds=time.monotonic() - started, cause=cause)
        if found.status is Status.FAILED:
            raise StoppedError

    def note(
        self,
        name: str,
        found: Found,
        *,
        seconds: float = 0.0,
        cause: BaseException | None = None,
    ) -> None:
        """Write down what the step *name* found; a failure does not stop the rest."""
        self._steps[name] = Step(
            name=name,
            status=found.status,
            message=one_line(found.message, _MAX_MESSAGE),
            fix=found.fix if found.status in _ASKS_FOR_MORE else "",
            evidence=tuple(one_line(line, _MAX_EVIDENCE) for line in found.evidence),
            seconds=seconds,
            cause=cause,
        )

    def steps(self) -> tuple[Step, ...]:
        """Return every step of the plan; those not reached are skipped."""
        return tuple(self._steps.get(name) or _not_reached(name) for name in self.plan)


_ASKS_FOR_MORE = frozenset({Status.FAILED, Status.WARNING})


def _not_reached(name: str) -> Step:
    return Step(name=name, status=Status.SKIPPED, message=NOT_REACHED)


def _too_slow(seconds: float) -> Found:
    return Found(
        message=f"no answer within {seconds:g} s",
        status=Status.FAILED,
        fix="check that the server is up and can be reached from here; "
        "--timeout gives it more time",
    )


@attrs.frozen(kw_only=True)
class Diagnosis:
    """The outcome of a whole check-up.

    Attributes:
        target: The server, safe to show.
        transport: How it is reached.
        steps: In the order of the plan.
        server: Untrusted, but printable; what the server calls itself.
        protocol_version: What was agreed on, None when nothing was.
        tools: How many it lists, None when it was not asked.
    """

    target: str
    transport: Literal["http", "sse", "stdio"]
    steps: tuple[Step, ...]
    server: str | None = None
    protocol_version: str | None = None
    tools: int | None = None

    @property
    def failed(self) -> Step | None:
        """The first step that failed."""
        return next((step for step in self.steps if step.status is Status.FAILED), None)
