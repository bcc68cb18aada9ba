"""The options that say how a call is repeated, shared by the commands that ask."""

import functools
from collections.abc import Callable
from typing import TypeVar

import click

from mcpfusion_client.cli.parameters import Seconds, WholeNumber
from mcpfusion_client.retry import RetryPolicy

T = TypeVar("T")


def policy_options(function: Callable[..., T]) -> Callable[..., T]:
    """Add the options of a policy; the function gets ``policy``."""

    @functools.wraps(function)
    def made(*, max_attempts: int, deadline: float | None, **others: object) -> T:
        policy = RetryPolicy(max_attempts=max_attempts, deadline=deadline)
        return function(policy=policy, **others)

    attempts = click.option(
        "--max-attempts",
        type=WholeNumber(min=1, max=1000),
        default=RetryPolicy().max_attempts,
        show_default=True,
        help="The most attempts, the first included; 1 never repeats a call.",
    )
    deadline = click.option(
        "--deadline",
        type=Seconds(),
        metavar="SECONDS",
        help="Everything ends after this long: attempts, waits and all.",
    )
    return attempts(deadline(made))
