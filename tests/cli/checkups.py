"""Run ``mcpfusion doctor`` in this process and look at what it found."""

import json
from typing import Any

import attrs
from click.testing import CliRunner

from mcpfusion_client.cli.app import app


@attrs.frozen(kw_only=True)
class Checked:
    """What one check-up printed and returned.

    Attributes:
        status: The exit status.
        report: What it printed as JSON.
    """

    status: int
    report: dict[str, Any]

    @property
    def failed(self) -> str | None:
        """The name of the step that failed."""
        name: str | None = self.report["failed_step"]
        return name

    def step(self, name: str) -> dict[str, Any]:
        """Return the step *name*."""
        return next(step for step in self.report["steps"] if step["step"] == name)

    def status_of(self, name: str) -> str:
        """Return how the step *name* ended."""
        status: str = self.step(name)["status"]
        return status

    def told(self, name: str) -> str:
        """Return everything that was said about the step *name*."""
        step = self.step(name)
        return "\n".join([step["message"], step["fix"], *step["evidence"]])


def doctor(*arguments: str) -> Checked:
    """Run the command with ``--json``."""
    done = CliRunner().invoke(
        app, ["doctor", *arguments, "--json"], standalone_mode=False
    )
    assert done.exception is None, done.exception
    return Checked(status=done.return_value, report=json.loads(done.stdout))
