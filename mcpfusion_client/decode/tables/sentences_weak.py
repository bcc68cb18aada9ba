"""Frames of sentences that count only where nothing clearer was said.

See `sentences` for how a frame is written.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.VALIDATION,
        """
        too many|few +;
        {comparative} than;
        fewer|more|less * than the|expected|allowed|a|an;
        not one|two|three|four|five|six|seven|eight|nine|ten;
        not # !found|error;
        only * can|may be;
        maximum|minimum|max|min|limit|cap is|of|are;
        up to #;
        between # and;
        bad +;
        {is} ?not nil|empty|negative|whitespace|unspecified;
        is|are|was|were absent|blank|incomplete;
        ^give|provide|specify|supply|pass|enter|choose|select|pick|use|send|split|
            include|state|name|write|put !failed|error|of|timeout|phrase|was|is|has|to|
            timed;
        both * and;
        {refuse} read|open|load|import;
        requires|require +;
        not a|an;
        """,
    ),
    (
        m.NOT_FOUND,
        """
        no * for|at|in|on|between|of|by|from;
        has|have|had|holds|lists no +;
        ^no +;
        """,
    ),
    (
        m.PERMISSION,
        """
        only * can|may;
        """,
    ),
    (
        m.BUSINESS,
        """
        within # days|hours|weeks;
        {refuse} refund|cancel|book|order|deliver|ship;
        """,
    ),
    (
        m.CONFLICT,
        """
        {refuse} delete|remove|close|archive|rename|merge|move|assign|change|update|
            edit|rebase|transition|modify;
        {refuse} be deleted|removed|closed|archived|renamed|merged|moved|assigned|
            changed|updated|edited|modified|stopped|started|reopened;
        """,
    ),
)
