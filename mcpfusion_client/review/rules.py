"""The table of rules: what is looked for, why, and how a server fixes it.

A rule is one entry here and one small function. Rules of the kind *leak* and
*mistake* count only when they are broken: keeping a secret earns no points.
"""

import enum
from collections.abc import Callable
from typing import Final

import attrs

from mcpfusion_client.review.checks import (
    blind_repeat,
    category,
    cause,
    correct_value,
    empty_is_no_failure,
    error_flag,
    how_to_check,
    how_to_fix,
    lookup,
    names_argument,
    policy,
    retry_contradiction,
    retry_wait,
    retry_word,
    side_effects,
    what_happened,
)
from mcpfusion_client.review.failure import Failure
from mcpfusion_client.review.leaks import (
    internal_host,
    personal_data,
    secret,
    source_path,
    stack_trace,
    upstream_body,
)
from mcpfusion_client.review.verdict import Note

_FUSION: Final = "MCP Fusion's documentation of errors"
_CHECKLIST: Final = "the checklist for error messages that an AI can act on"
_METADATA: Final = "the lesson on retryable metadata and partial results"
_RESPONSES: Final = "the chapter on structured error responses of MCP tools"


class Kind(enum.StrEnum):
    """What a rule is about."""

    CHECKLIST = "checklist"
    DETAIL = "detail"
    MISTAKE = "mistake"
    LEAK = "leak"


@attrs.frozen(kw_only=True)
class Rule:
    """One thing to look for.

    Attributes:
        id: A short name, stable for scripts.
        kind: The six lines of the rewriting form are the checklist.
        looks_for: What a failure that keeps the rule does.
        why: What it does for an agent.
        fix: What to change in the server.
        source: The documents it comes from, by name.
        points: Its weight in the score.
        fatal: A failure that breaks it scores 0.
        check: Says how well a failure keeps it, None where it does not apply.
    """

    id: str
    kind: Kind
    looks_for: str
    why: str
    fix: str
    source: str
    points: int
    check: Callable[[Failure], Note | None]
    fatal: bool = False


RULES: tuple[Rule, ...] = (
    Rule(
        id="error-type",
        kind=Kind.CHECKLIST,
        looks_for="the kind of failure as a word",
        why="an agent branches on the kind; from free text it has to guess each time",
        fix=(
            "send errorCategory, a canonical code, or an error type line; use unknown "
            "and other only with a detail"
        ),
        source=f"{_CHECKLIST}; {_METADATA}; {_RESPONSES}",
        points=3,
        check=category,
    ),
    Rule(
        id="what-happened",
        kind=Kind.CHECKLIST,
        looks_for="one sentence that says what failed",
        why='"Operation failed" leaves an agent nothing to reason about',
        fix="name the operation and the fact, in one sentence",
        source=f"{_CHECKLIST}; {_RESPONSES}",
        points=3,
        check=what_happened,
    ),
    Rule(
        id="cause",
        kind=Kind.CHECKLIST,
        looks_for="the cause, or that it is unknown or guessed",
        why="the cause decides what has to change",
        fix="say why, as far as it is known; mark a guess as a guess",
        source=_CHECKLIST,
        points=1,
        check=cause,
    ),
    Rule(
        id="how-to-fix",
        kind=Kind.CHECKLIST,
        looks_for="what to do next, in a place of its own",
        why="with it an agent repairs the call instead of apologising to its user",
        fix="send a recovery, a how to fix line, or the available actions",
        source=f"{_FUSION}; {_CHECKLIST}",
        points=3,
        check=how_to_fix,
    ),
    Rule(
        id="retry",
        kind=Kind.CHECKLIST,
        looks_for="whether the same call is worth repeating",
        why="without it an agent repeats what cannot work, or gives up too early",
        fix="state isRetryable, a retry line, or retry_after; keep it apart from the "
        "category",
        source=f"{_CHECKLIST}; {_METADATA}; {_RESPONSES}",
        points=3,
        check=retry_word,
    ),
    Rule(
        id="side-effects",
        kind=Kind.CHECKLIST,
        looks_for="whether something was changed, unless the tool is read-only or "
        "surely did not run",
        why="after a timeout a repeat may do it twice",
        fix="state side effects: none, some (which) or unknown (how to check)",
        source=_CHECKLIST,
        points=2,
        check=side_effects,
    ),
    Rule(
        id="retry-wait",
        kind=Kind.DETAIL,
        looks_for="the seconds to wait after a rate limit",
        why="a guess is either too short or too long",
        fix="send retry_after in seconds, not only a sentence",
        source=f"{_FUSION}; {_CHECKLIST}",
        points=2,
        check=retry_wait,
    ),
    Rule(
        id="argument-name",
        kind=Kind.DETAIL,
        looks_for="the name of the argument that was rejected",
        why="an agent has to know which argument to change",
        fix="name every rejected argument, as in a validation error's fields",
        source=f"{_FUSION}; {_CHECKLIST}; {_RESPONSES}",
        points=2,
        check=names_argument,
    ),
    Rule(
        id="correct-value",
        kind=Kind.DETAIL,
        looks_for="a right value, its form or its limits",
        why="an agent has only a few tries to converge",
        fix="write what was sent and what is expected, with an example",
        source=f"{_FUSION}; {_CHECKLIST}; {_RESPONSES}",
        points=2,
        check=correct_value,
    ),
    Rule(
        id="look-up",
        kind=Kind.DETAIL,
        looks_for="where to look for what was not found or was ambiguous",
        why="the next step is a list or a search, and an agent should not guess which",
        fix="name the tool that lists or searches, or list the candidates",
        source=f"{_FUSION}; {_CHECKLIST}",
        points=1,
        check=lookup,
    ),
    Rule(
        id="policy",
        kind=Kind.DETAIL,
        looks_for="a business rule in words a customer can be told",
        why="an agent quotes the text; a rule's number explains nothing",
        fix="write the rule as a polite, concrete sentence",
        source=_RESPONSES,
        points=2,
        check=policy,
    ),
    Rule(
        id="how-to-check",
        kind=Kind.DETAIL,
        looks_for="how to find out whether an unknown write happened",
        why="without it the only choices are a double write and a lost one",
        fix="name the read to make, or say that a person has to look",
        source=_CHECKLIST,
        points=2,
        check=how_to_check,
    ),
    Rule(
        id="no-blind-repeat",
        kind=Kind.DETAIL,
        looks_for="a write that may have happened and is not offered for a repeat",
        why="a repeat may create the invoice twice",
        fix="say not retryable, or after checking, until it is known not to have run",
        source=_CHECKLIST,
        points=3,
        check=blind_repeat,
    ),
    Rule(
        id="error-flag",
        kind=Kind.MISTAKE,
        looks_for="isError: true on every failure",
        why="a failure sent as a success is taken for data",
        fix="set isError to true",
        source=f"{_METADATA}; {_RESPONSES}",
        points=3,
        check=error_flag,
    ),
    Rule(
        id="retry-contradiction",
        kind=Kind.MISTAKE,
        looks_for="no retryable validation, permission, business or critical failure",
        why="the same call is refused the same way",
        fix="set isRetryable to false, or correct the category",
        source=f"{_FUSION}; {_RESPONSES}",
        points=2,
        check=retry_contradiction,
    ),
    Rule(
        id="empty-answer",
        kind=Kind.MISTAKE,
        looks_for="an empty answer that is sent as a success",
        why="a search that worked and found nothing must not be repeated",
        fix="answer with isError: false and say that nothing matched",
        source=f"{_METADATA}; {_RESPONSES}",
        points=1,
        check=empty_is_no_failure,
    ),
    Rule(
        id="no-secrets",
        kind=Kind.LEAK,
        looks_for="no token, password or key",
        why="a result goes to a model, into logs and to users",
        fix="remove it, and revoke it: it has been seen",
        source=_CHECKLIST,
        points=5,
        check=secret,
        fatal=True,
    ),
    Rule(
        id="no-stack-trace",
        kind=Kind.LEAK,
        looks_for="no stack trace",
        why="it shows how the server is built and tells an agent nothing to do",
        fix="log it on the server; send a sentence",
        source=f"{_FUSION}; {_CHECKLIST}; {_RESPONSES}",
        points=3,
        check=stack_trace,
    ),
    Rule(
        id="no-internal-hosts",
        kind=Kind.LEAK,
        looks_for="no host name or address from inside",
        why="it maps the network for whoever reads it",
        fix="say which service, not where it runs",
        source=_CHECKLIST,
        points=2,
        check=internal_host,
    ),
    Rule(
        id="no-source-paths",
        kind=Kind.LEAK,
        looks_for="no path of source, packages or home directories",
        why="it shows how and for whom the server is installed",
        fix="leave it out, or give a path the caller may use",
        source=_CHECKLIST,
        points=2,
        check=source_path,
    ),
    Rule(
        id="no-personal-data",
        kind=Kind.LEAK,
        looks_for="no e-mail address the caller did not send",
        why="errors are logged and shown more widely than data",
        fix="use an id",
        source=_CHECKLIST,
        points=2,
        check=personal_data,
    ),
    Rule(
        id="no-upstream-page",
        kind=Kind.LEAK,
        looks_for="no page of another server",
        why="text from elsewhere may carry orders to the model, and explains nothing",
        fix="replace it by a sentence of your own",
        source=_CHECKLIST,
        points=2,
        check=upstream_body,
    ),
)
