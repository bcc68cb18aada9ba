"""Change one operator of the retry rules at a time, and see whether a test notices.

A line that a test runs is not yet a line that a test would miss. Each mutant is
the package with one comparison, one piece of arithmetic, one ``and``, ``or`` or
``not``, or one ``min`` or ``max`` turned into its neighbour (``<`` into ``<=``,
``+`` into ``-``). The tests of that file are run on it in a process of its own;
a mutant that passes them all is printed. Either a test is missing, or the two
mean the same.

    nice python bench/retry_mutants.py [window drain ...]

Nothing is written to disk. Without names it takes every file of the package,
which is some hundred mutants and half an hour.
"""

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType

import anyio
import attrs
import hypothesis
import pytest
import trio

_ROOT = Path(__file__).parents[1]
_PACKAGE = "mcpfusion_client.retry"
_PRELOADED = (anyio, attrs, hypothesis, trio)  # a fork need not import them again
_SECONDS = 120  # after which a mutant has hung, which is noticed too

_STATE = (
    "gate",
    "gate_tickets",
    "lane",
    "window",
    "window_shrinks",
    "drain",
    "usual",
    "budget",
    "window_evidence",
)
_TESTS: dict[str, tuple[str, ...]] = {
    "backoff": ("policy_room", "decision_properties"),
    "budget": ("budget",),
    "decision": ("decision_table", "decision_temporary", "policy"),
    "drain": ("drain", *_STATE),
    "gate": ("gate", *_STATE),
    "guard": ("guard",),
    "lane": ("lane", *_STATE),
    "patterns": ("rules", "policy", "decision_temporary"),
    "policy": ("policy", "policy_room", "policy_words"),
    "room": ("policy_room", "policy", "decision_properties"),
    "rules": ("rules", "guard"),
    "safety": ("safety", "decision_table"),
    "usual": ("usual", *_STATE),
    "validation": ("policy", "budget", "guard", "rules"),
    "window": ("window", *_STATE),
}

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
}
_FUNCTIONS = {"min": "max", "max": "min"}


@attrs.frozen(kw_only=True)
class Mutant:
    """A module with one change.

    Attributes:
        line: Where, counted from 1.
        before: The expression as it was.
        after: The expression as it is.
        tree: The whole module.
    """

    line: int
    before: str
    after: str
    tree: ast.Module


def mutants(source: str) -> Iterator[Mutant]:
    """Yield every module that differs from *source* in one operator."""
    original = ast.parse(source)
    _drop_annotations(original)
    for place, node in enumerate(ast.walk(original)):
        for choice in range(_choices(node)):
            tree = copy.deepcopy(original)
            changed = next(
                each for number, each in enumerate(ast.walk(tree)) if number == place
            )
            _change(changed, choice)
            ast.fix_missing_locations(tree)
            yield Mutant(
                line=getattr(node, "lineno", 0),
                before=ast.unparse(node),
                after=ast.unparse(changed),
                tree=tree,
            )


def _drop_annotations(tree: ast.Module) -> None:
    """``int | None`` is no arithmetic; a default of a field needs its annotation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None


def _choices(node: ast.AST) -> int:
    match node:
        case ast.Compare(ops=operators):
            return len(operators)
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return int(type(operator) in _ARITHMETIC)
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return 1
        case ast.Call(func=ast.Name(id=name)):
            return int(name in _FUNCTIONS)
        case _:
            return 0


def _change(node: ast.AST, choice: int) -> None:
    match node:
        case ast.Compare():
            node.ops[choice] = _COMPARISONS[type(node.ops[choice])]()
        case ast.BinOp() | ast.AugAssign():
            node.op = _ARITHMETIC[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():
            node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)
        case ast.Call(func=ast.Name() as function):
            function.id = _FUNCTIONS[function.id]
        case _:
            raise TypeError(node)


class _Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a tree instead of its file."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(
        self, fullname: str, _path: object, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102 - it is our own


def survives(name: str, mutant: Mutant | None) -> bool:
    """Run the tests of module *name* on *mutant*, None for the module as it is."""
    child = os.fork()
    if child == 0:
        _test(name, mutant)
    _, status = os.waitpid(child, 0)
    return status == 0


def _test(name: str, mutant: Mutant | None) -> None:
    """Run the tests in this process and end it."""
    signal.alarm(_SECONDS)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    path = _ROOT / "mcpfusion_client" / "retry" / f"{name}.py"
    if mutant is not None:
        code = compile(mutant.tree, str(path), "exec")
        sys.meta_path.insert(0, _Replaced(f"{_PACKAGE}.{name}", path, code))
    files = dict.fromkeys(f"tests/retry/test_{test}.py" for test in _TESTS[name])
    alone = "addopts=--import-mode=importlib --assert=plain -p no:xdist -x -q"
    os._exit(pytest.main(["-o", alone, *files]))


def main(names: Sequence[str]) -> None:
    """Print the mutants that no test notices."""
    os.chdir(_ROOT)
    for name in names:
        if not survives(name, None):
            sys.exit(f"the tests of {name} fail without any change")
        source = (_ROOT / "mcpfusion_client" / "retry" / f"{name}.py").read_text(
            "utf-8"
        )
        count = survivors = 0
        for mutant in mutants(source):
            count += 1
            if survives(name, mutant):
                survivors += 1
                where = f"{name}.py:{mutant.line}"
                print(f"{where}: {mutant.before}  ->  {mutant.after}", flush=True)
        print(f"{name}: {count} mutants, {survivors} survive", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[*_TESTS, []])
    main(parser.parse_args().modules or list(_TESTS))
