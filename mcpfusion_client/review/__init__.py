"""Review: how well do a server's errors serve an agent?

Pure: recorded results in, findings and scores out. What is looked for stands in one
table, `RULES`; every rule names the document on structured errors it comes from.
"""

from mcpfusion_client.review.draft import draft
from mcpfusion_client.review.failure import Failure, failure_of
from mcpfusion_client.review.report import (
    Finding,
    Report,
    Reviewed,
    RuleReport,
    ToolReport,
    review,
)
from mcpfusion_client.review.rules import RULES, Kind, Rule
from mcpfusion_client.review.verdict import Note, Verdict

__all__ = [
    "RULES",
    "Failure",
    "Finding",
    "Kind",
    "Note",
    "Report",
    "Reviewed",
    "Rule",
    "RuleReport",
    "ToolReport",
    "Verdict",
    "draft",
    "failure_of",
    "review",
]
