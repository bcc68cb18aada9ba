"""Every example in these pages is run; a text block right after one is its output."""

import contextlib
import io

from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.myst import CodeBlockParser

_PRINTED = "printed by the last example"
_run = PythonEvaluator()


def run_example(example: Example) -> None:
    """Run a block and keep what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        _run(example)
    example.namespace[_PRINTED] = printed.getvalue()


def compare_output(example: Example) -> None:
    """Hold a text block to what the block before it printed, if anything."""
    printed: str = example.namespace.pop(_PRINTED, "")
    if printed and printed.strip() != str(example.parsed).strip():
        msg = f"the page shows\n{example.parsed}\nbut the example printed\n{printed}"
        raise AssertionError(msg)


pytest_collect_file = Sybil(
    parsers=[
        CodeBlockParser("python", run_example),
        CodeBlockParser("text", compare_output),
    ],
    patterns=["*.md"],
).pytest()
