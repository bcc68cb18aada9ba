"""What changed between a router and the server it was generated from, graded.

BREAKING: code that type-checks against the router may fail. RISKY: it still fits,
and may behave differently. SAFE: nothing that was possible has become wrong.
"""

import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import attrs

from mcpfusion_client.codegen.actions import Action, actions
from mcpfusion_client.codegen.compare import Difference, Kind, compare
from mcpfusion_client.codegen.contract import options_of, recall, remember
from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject
from mcpfusion_client.router import Contract


class Grade(enum.StrEnum):
    """How bad a change is for code that uses the router."""

    BREAKING = "BREAKING"
    RISKY = "RISKY"
    SAFE = "SAFE"


_ORDER: Final = tuple(Grade)


@attrs.frozen(kw_only=True)
class Change:
    """One change.

    Attributes:
        grade: How bad it is.
        action: The path of the method; ``.*`` at its end for all of a tool.
            Untrusted.
        place: What of it, e.g. ``argument id``. Untrusted.
        change: What happened, in words.
        before: The old state, where there is a short one. Untrusted.
        after: The new state, where there is a short one. Untrusted.
    """

    grade: Grade
    action: str
    place: str
    change: str
    before: str | None = None
    after: str | None = None


@attrs.frozen
class _Sides:
    """How bad a difference is in what is sent, and in what comes back."""

    argument: Grade
    result: Grade


_GRADES: Final[Mapping[Kind, _Sides]] = {
    Kind.NARROWED: _Sides(Grade.BREAKING, Grade.SAFE),
    Kind.WIDENED: _Sides(Grade.SAFE, Grade.BREAKING),
    Kind.CHANGED: _Sides(Grade.BREAKING, Grade.BREAKING),
    Kind.TIGHTENED: _Sides(Grade.RISKY, Grade.SAFE),
    Kind.LOOSENED: _Sides(Grade.SAFE, Grade.RISKY),
    Kind.ALTERED: _Sides(Grade.RISKY, Grade.RISKY),
    Kind.DEFAULT: _Sides(Grade.RISKY, Grade.SAFE),
    Kind.ADDED: _Sides(Grade.SAFE, Grade.SAFE),
    Kind.DEMANDED: _Sides(Grade.BREAKING, Grade.SAFE),
    Kind.REMOVED: _Sides(Grade.BREAKING, Grade.BREAKING),
    Kind.REQUIRED: _Sides(Grade.BREAKING, Grade.SAFE),
    Kind.OPTIONAL: _Sides(Grade.SAFE, Grade.BREAKING),
    Kind.CLOSED: _Sides(Grade.RISKY, Grade.SAFE),
    Kind.OPENED: _Sides(Grade.SAFE, Grade.SAFE),
}

_HINTS: Final = {
    "readOnlyHint": ("read-only", Grade.SAFE, Grade.BREAKING),
    "destructiveHint": ("destructive", Grade.BREAKING, Grade.SAFE),
    "idempotentHint": ("idempotent", Grade.SAFE, Grade.RISKY),
    "openWorldHint": ("open-world", Grade.RISKY, Grade.SAFE),
}
"""For each hint: its word, the grade of its becoming true, and of its ceasing to be."""


def diff(contract: Contract, tools: Iterable[JsonObject]) -> tuple[Change, ...]:
    """Return what changed, the worst first; empty when nothing did.

    Args:
        contract: What the router was generated from.
        tools: What the server lists now, checked. Untrusted.

    Raises:
        NoContractError: The contract is of another version.
    """
    options = options_of(contract)
    listed = recall(remember(tools, options))
    known = recall(contract)
    if listed == known:
        return ()
    old = _by_path(known, options.discriminator, split=options.split_flat)
    new = _by_path(listed, options.discriminator, split=options.split_flat)
    found = [
        *_presence(old, new),
        *_arguments(old, new),
        *_tools(old, new),
    ]
    return tuple(
        sorted(
            found,
            key=lambda change: (
                _ORDER.index(change.grade),
                change.action,
                change.place,
                change.change,
            ),
        )
    )


def worst(changes: Iterable[Change]) -> Grade | None:
    """Return the worst grade; None without a change."""
    grades = [change.grade for change in changes]
    return min(grades, key=_ORDER.index, default=None)


def at_least(grade: Grade, limit: Grade) -> bool:
    """Is *grade* as bad as *limit*, or worse?"""
    return _ORDER.index(grade) <= _ORDER.index(limit)


def _by_path(
    tools: Iterable[JsonObject], discriminator: str, *, split: bool
) -> dict[str, Action]:
    found: dict[str, Action] = {}
    for action in actions(tools, discriminator=discriminator, split_flat=split):
        path = ".".join(action.path)
        found[path if path not in found else f"{path} ({action.tool['name']})"] = action
    return found


def _presence(old: Mapping[str, Action], new: Mapping[str, Action]) -> Iterator[Change]:
    for path in old.keys() - new.keys():
        yield Change(grade=Grade.BREAKING, action=path, place="tool", change="is gone")
    for path in new.keys() - old.keys():
        yield Change(grade=Grade.SAFE, action=path, place="tool", change="is new")
    for path in old.keys() & new.keys():
        if old[path].key != new[path].key:
            yield Change(
                grade=Grade.BREAKING,
                action=path,
                place="tool",
                change="is called another way",
                before=" ".join(old[path].key),
                after=" ".join(new[path].key),
            )


def _arguments(
    old: Mapping[str, Action], new: Mapping[str, Action]
) -> Iterator[Change]:
    """Yield the changes of arguments; those of all actions of a tool once."""
    per_tool: dict[str, list[str]] = {}
    seen: dict[tuple[str, Change], list[str]] = {}
    for path in sorted(old.keys() & new.keys()):
        tool = str(old[path].tool["name"])
        per_tool.setdefault(tool, []).append(path)
        for change in _argument_changes(old[path], new[path]):
            seen.setdefault((tool, change), []).append(path)
    for (tool, change), paths in seen.items():
        if len(paths) > 1 and paths == per_tool[tool]:
            yield attrs.evolve(change, action=f"{tool}.*")
        else:
            yield from (attrs.evolve(change, action=path) for path in paths)


def _argument_changes(old: Action, new: Action) -> Iterator[Change]:
    before, after = old.parameters, new.parameters
    if before.known != after.known:
        change = "are described now" if after.known else "are no longer described"
        yield Change(grade=Grade.RISKY, action="", place="arguments", change=change)
        return
    if (before.extra is None) != (after.extra is None):
        closed = after.extra is None
        kind = Kind.CLOSED if closed else Kind.OPENED
        yield Change(
            grade=Grade.BREAKING if closed else Grade.SAFE,
            action="",
            place="arguments",
            change=kind.value,
        )
    found = compare(
        _as_object(old),
        _as_object(new),
        Pointers(old.tool.get("inputSchema")),
        Pointers(new.tool.get("inputSchema")),
    )
    for difference in found:
        yield _graded(difference, "argument", _GRADES[difference.kind].argument)


def _as_object(action: Action) -> JsonObject:
    """Return the arguments of *action* as one object."""
    given = action.parameters
    return {
        "type": "object",
        "properties": dict(given.properties),
        "required": sorted(given.required),
    }


def _tools(old: Mapping[str, Action], new: Mapping[str, Action]) -> Iterator[Change]:
    """Yield the changes that concern a tool as a whole, once for each."""
    seen: set[str] = set()
    for path in sorted(old.keys() & new.keys()):
        before, after = old[path], new[path]
        name = str(before.tool["name"])
        if name in seen:
            continue
        seen.add(name)
        subject = f"{name}.*" if before.fixed else path
        found = [*_result(before.tool, after.tool), *_effects(before.tool, after.tool)]
        same = _without_prose(before.tool) == _without_prose(after.tool)
        if same and before.tool["prose"] != after.tool["prose"]:
            found.append(
                Change(
                    grade=Grade.SAFE,
                    action="",
                    place="description",
                    change="reads differently",
                )
            )
        yield from (attrs.evolve(change, action=subject) for change in found)


def _without_prose(tool: JsonObject) -> JsonObject:
    return {key: value for key, value in tool.items() if key != "prose"}


def _result(old: JsonObject, new: JsonObject) -> Iterator[Change]:
    before, after = old.get("outputSchema"), new.get("outputSchema")
    if (before is None) != (after is None):
        gone = after is None
        yield Change(
            grade=Grade.BREAKING if gone else Grade.SAFE,
            action="",
            place="result",
            change="is no longer described" if gone else "is described now",
        )
        return
    for difference in compare(before, after, Pointers(before), Pointers(after)):
        yield _graded(difference, "result", _GRADES[difference.kind].result)


def _graded(difference: Difference, side: str, grade: Grade) -> Change:
    path = ".".join(difference.path).replace(".[", "[")
    return Change(
        grade=grade,
        action="",
        place=f"{side} {path}".strip(),
        change=difference.kind.value,
        before=difference.before,
        after=difference.after,
    )


def _effects(old: JsonObject, new: JsonObject) -> Iterator[Change]:
    before: JsonObject = old.get("annotations") or {}
    after: JsonObject = new.get("annotations") or {}
    for hint, (word, starts, ceases) in _HINTS.items():
        was, now = before.get(hint), after.get(hint)
        if was == now:
            continue
        if now is True:
            grade = starts
        elif was is True:
            grade = ceases
        else:
            grade = Grade.RISKY
        yield Change(
            grade=grade,
            action="",
            place="effects",
            change=f"{word} {_SAID[was]} before, {_SAID[now]} now",
            before=_SAID[was],
            after=_SAID[now],
        )


_SAID: Final = {True: "yes", False: "no", None: "not stated"}
