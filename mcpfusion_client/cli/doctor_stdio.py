"""A server that is started here: can it be run, does it live, what does it print?"""

import errno
import importlib
import json
import os
import shutil
import signal
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream

from mcpfusion_client.cli.doctor_steps import Found, Status, TroubleError, failed
from mcpfusion_client.cli.targets import Target
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.model.text import one_line

_MAX_LINE: Final = 8 * 1024 * 1024
_TAIL: Final = 16 * 1024
"""Bytes of standard error that are kept."""
_SHOWN_LINES: Final = 6
_MAX_SHOWN: Final = 200
_GOODBYE: Final = 2.0
"""Seconds a server gets to end after its input was closed, and after a signal."""
_AFTERMATH: Final = 0.5
"""Seconds to wait for a status and for what was written last."""

_COMES_WITH: Final[Mapping[str, str]] = {
    "npx": "npx comes with Node.js",
    "node": "node comes with Node.js",
    "uvx": "uvx comes with uv",
    "uv": "install uv",
    "docker": "install Docker",
    "bunx": "bunx comes with Bun",
    "deno": "install Deno",
}


def environment(target: Target) -> dict[str, str]:
    """Return the variables the command gets: a few of ours, and those given."""
    stdio: Any = importlib.import_module("mcp.client.stdio")
    inherited: dict[str, str] = stdio.get_default_environment()
    return {**inherited, **target.env}


def find_program(target: Target) -> Found:
    """Look for the program of the command.

    Raises:
        TroubleError: There is none, or it cannot be run.
    """
    if target.cwd is not None and not Path(target.cwd).is_dir():
        raise TroubleError(
            failed(
                f"the working directory {target.cwd!r} does not exist",
                fix='correct "cwd" in the configuration file',
            )
        )
    program = target.command[0]
    if os.sep not in program:
        return _on_the_path(program, environment(target).get("PATH"))
    path = Path(target.cwd or ".", program)
    if not path.is_file():
        raise TroubleError(
            failed(
                f"there is no program {program!r}",
                fix="correct the path of the command",
            )
        )
    if not os.access(path, os.X_OK):
        raise _not_executable(program)
    return Found(message=f"{program} can be run")


def _on_the_path(program: str, path: str | None) -> Found:
    found = shutil.which(program, path=path)
    if found is not None:
        return Found(message=f"{program} is {found}")
    tip = _COMES_WITH.get(program, "install it")
    raise TroubleError(
        failed(
            f"there is no command {program!r} on the PATH",
            fix=f"{tip}, or give the full path of the program",
        )
    )


def _not_executable(program: str) -> TroubleError:
    return TroubleError(
        failed(
            f"{program!r} is not executable",
            fix="chmod +x it, or start it with its interpreter, such as python FILE",
        )
    )


class StdioChannel:
    """Carries JSON-RPC over the input and output of a process.

    Attributes:
        garbage: Untrusted; the lines that are no JSON-RPC, with their numbers.
        has_answered: Did it ever answer?
    """

    def __init__(self, process: anyio.abc.Process) -> None:
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert process.stdout is not None  # noqa: S101 - the same
        self.garbage: list[tuple[int, str]] = []
        self.has_answered: bool = False
        self._process = process
        self._input = process.stdin
        self._output = BufferedByteReceiveStream(process.stdout)
        self._errors: deque[bytes] = deque()
        self._kept = 0
        self._lines = 0
        self._last_id = 0

    async def ask(
        self, method: str, params: JsonObject, *, version: str | None = None
    ) -> JsonObject:
        """Send a request and wait for its answer.

        Raises:
            TroubleError: The process ended first.
        """
        del version  # it travels in the parameters
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params}
        await self._write(message, method)
        while True:
            answer = await self._read(method)
            if answer.get("id") == self._last_id and "method" not in answer:
                self.has_answered = True
                return answer

    async def tell(self, method: str, *, version: str) -> None:
        """Send a notification.

        Raises:
            TroubleError: The process has ended.
        """
        del version
        await self._write({"method": method}, method)

    async def _write(self, message: JsonObject, method: str) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        try:
            await self._input.send(line.encode())
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise await self.ended(method) from error

    async def _read(self, method: str) -> JsonObject:
        """Return the next JSON-RPC message; what is none is kept as garbage."""
        while True:
            try:
                raw = await self._output.receive_until(b"\n", _MAX_LINE)
            except (anyio.EndOfStream, anyio.IncompleteRead) as error:
                self._note_rest()
                raise await self.ended(method) from error
            except anyio.DelimiterNotFound as error:
                raise TroubleError(
                    failed(
                        "the server writes a line of more than 8 MiB",
                        fix="send one JSON-RPC message a line, and smaller ones",
                    )
                ) from error
            message = self._parsed(raw)
            if message is not None:
                return message

    def _parsed(self, raw: bytes) -> JsonObject | None:
        self._lines += 1
        text = raw.decode("utf-8", "replace").strip()
        try:
            message: JsonValue = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if is_object(message) and message.get("jsonrpc") == "2.0":
            return message
        if text:
            self.garbage.append((self._lines, text[:_MAX_LINE]))
        return None

    def _note_rest(self) -> None:
        """Note what was written last, without an end of the line."""
        if self._output.buffer:
            self._parsed(self._output.buffer)

    async def ended(self, method: str) -> TroubleError:
        """Return the trouble that the process no longer answers."""
        with anyio.move_on_after(_AFTERMATH):
            await self._process.wait()
        status = self._process.returncode
        how = "closed its output" if status is None else _ending(status)
        return TroubleError(
            failed(
                f"the server {how} before it answered {method}",
                fix="its last words may say why; run the command by hand",
                evidence=(*self.printed(), *self.last_words()),
            )
        )

    def printed(self) -> tuple[str, ...]:
        """Return the first line of garbage, cleaned and bounded."""
        return tuple(
            f"standard output, line {number}: {one_line(text, _MAX_SHOWN)}"
            for number, text in self.garbage[:1]
        )

    def last_words(self) -> tuple[str, ...]:
        """Return the end of standard error, cleaned and bounded."""
        text = b"".join(self._errors).decode("utf-8", "replace")
        lines = [one_line(line, _MAX_SHOWN) for line in text.splitlines()]
        told = [line for line in lines if line]
        return tuple(f"standard error: {line}" for line in told[-_SHOWN_LINES:])

    async def listen_to_errors(self) -> None:
        """Keep the end of what the process writes to standard error."""
        assert self._process.stderr is not None  # noqa: S101 - it was asked for
        async for chunk in self._process.stderr:
            self._errors.append(chunk)
            self._kept += len(chunk)
            while self._kept - len(self._errors[0]) > _TAIL:
                self._kept -= len(self._errors.popleft())


def _ending(status: int) -> str:
    if status < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
    return f"exited with status {status}"


@asynccontextmanager
async def started(target: Target) -> AsyncGenerator[StdioChannel, None]:
    """Start the command and yield a channel to it; it ends with the context.

    Raises:
        TroubleError: It cannot be started.
    """
    try:
        process = await anyio.open_process(
            target.command,
            env=environment(target),
            cwd=target.cwd,
            start_new_session=True,
        )
    except OSError as error:
        raise _unstartable(target.command[0], error) from error
    channel = StdioChannel(process)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(channel.listen_to_errors)
            yield channel
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process, patiently=channel.has_answered)


def _unstartable(program: str, error: OSError) -> TroubleError:
    if error.errno == errno.ENOEXEC:
        return TroubleError(
            failed(
                f"{program!r} is no program this system can run",
                fix="begin the script with #!, or start it with its interpreter",
            )
        )
    if error.errno == errno.EACCES:
        return _not_executable(program)
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    return TroubleError(
        failed(
            f"{program!r} cannot be started: {reason}",
            fix="run the command by hand; the interpreter its first line names "
            "may be missing",
        )
    )


async def _end(process: anyio.abc.Process, *, patiently: bool) -> None:
    """End the process, and whatever it has started, in bounded time.

    Args:
        process: The process.
        patiently: Wait for it to go by itself when its input ends.
    """
    if process.stdin is not None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            await process.stdin.aclose()
    for name in (None, "SIGTERM", "SIGKILL"):
        if name is not None:
            _signal(process, name)
        elif not patiently:
            continue
        with anyio.move_on_after(_GOODBYE):
            await process.wait()
            break
    await process.aclose()


def _signal(process: anyio.abc.Process, name: str) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, getattr(signal, name))
        else:
            process.kill()


def stdout_found(channel: StdioChannel, *, answered: bool) -> Found:
    """Return whether standard output holds JSON-RPC and nothing else.

    Raises:
        TroubleError: It holds something else, and no answer.
    """
    if not channel.garbage:
        said = "JSON-RPC and nothing else" if answered else "nothing yet"
        return Found(message=said)
    count = len(channel.garbage)
    lines, are = ("1 line", "is") if count == 1 else (f"{count} lines", "are")
    fix = "write logs to standard error: standard output is for JSON-RPC alone"
    if not answered:
        raise TroubleError(
            failed(
                f"the server writes {lines} to standard output that {are} not "
                "JSON-RPC, and does not answer",
                fix=fix,
                evidence=(*channel.printed(), *channel.last_words()),
            )
        )
    return Found(
        message=f"{lines} on standard output {are} not JSON-RPC; "
        "some clients give up on that",
        status=Status.WARNING,
        fix=fix,
        evidence=channel.printed(),
    )
