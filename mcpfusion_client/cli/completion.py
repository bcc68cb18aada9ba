"""``mcpfusion completion``: the script that lets a shell complete commands."""

import json
import os
from pathlib import PurePath

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_MCPFUSION_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print shell and script as JSON.")
def command(*, shell: str | None, as_json: bool) -> None:
    """Print the completion script for SHELL; by default for the one in $SHELL.

    In ~/.bashrc: eval "$(mcpfusion completion bash)"

    In ~/.zshrc: eval "$(mcpfusion completion zsh)"

    In ~/.config/fish/config.fish: mcpfusion completion fish | source
    """
    named = shell or PurePath(os.environ.get("SHELL", "")).name
    found = get_completion_class(named) if named in _SHELLS else None
    if found is None:
        msg = f"which shell? Name one of {', '.join(_SHELLS)}"
        raise click.UsageError(msg)
    group = click.get_current_context().find_root().command
    script = found(group, {}, "mcpfusion", _VARIABLE).source()
    if as_json:
        click.echo(json.dumps({"shell": named, "script": script}, indent=2))
    else:
        click.echo(script)
