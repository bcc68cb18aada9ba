"""Option types that say in plain words what they take."""

import click


class Seconds(click.FloatRange):
    """A time in seconds, more than 0."""

    name = "number of seconds"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)


class Number(click.FloatRange):
    """A number between two others."""

    name = "number"


class WholeNumber(click.IntRange):
    """A whole number between two others."""

    name = "whole number"
