"""For tests of programs that use this package: no server, no waiting.

`ScriptedSession` is a target that plays what it is told; `ScriptedServer` is a real
MCP server in this process that does the same, and `load_script` reads what they play
from a file. `VirtualClock` is a clock on which hours pass in no time, and
`no_waiting` makes every client of the process skip its waits. `CallRecorder` keeps
what happened; `assert_attempts` says what should have. ``testing.fixtures`` holds
all of it as pytest fixtures.
"""

from mcpfusion_client.testing.assertions import Story, assert_attempts, attempts_table
from mcpfusion_client.testing.clocks import VirtualClock, no_waiting
from mcpfusion_client.testing.outcomes import (
    After,
    Hang,
    Progress,
    ProtocolFailure,
    ScriptedCall,
    ScriptedOutcome,
    ScriptExhaustedError,
)
from mcpfusion_client.testing.recorder import CallRecorder, RecordedCall
from mcpfusion_client.testing.script import Script, Step, load_script
from mcpfusion_client.testing.server import ScriptedServer
from mcpfusion_client.testing.session import ScriptedSession

__all__ = [
    "After",
    "CallRecorder",
    "Hang",
    "Progress",
    "ProtocolFailure",
    "RecordedCall",
    "Script",
    "ScriptExhaustedError",
    "ScriptedCall",
    "ScriptedOutcome",
    "ScriptedServer",
    "ScriptedSession",
    "Step",
    "Story",
    "VirtualClock",
    "assert_attempts",
    "attempts_table",
    "load_script",
    "no_waiting",
]
