"""Frames of sentences, most of them English: what they say whatever fills their gaps.

All lower case, each ended by a semicolon. A token is a word or several with ``|``
between them; ``_`` stands for a blank, ``~`` lets a word go on, ``{name}`` is a class
of `sentence_classes`, ``?`` makes a token optional, ``!`` says what must not follow,
``*`` is a gap of up to six words, ``+`` any word, ``#`` a number, and ``^`` before the
first token ties it to the start of a sentence. Phrases come first: what one of them
matched is not read again. Of two frames the upper one comes first.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.VALIDATION,
        """
        {argument}|arguments|parameters|fields|options|config|metadata|headers ?{is}
            not ?valid|proper json;
        """,
    ),
    (
        m.CRASH,
        """
        not ?valid json;
        {cannot} parse|decode|read|unmarshal|deserialize|interpret * {reply};
        unknown|unexpected * error|reason|exception|failure|cause|problem;
        unexpected * status|{reply};
        """,
    ),
    (
        m.STATE_UNKNOWN,
        """
        may|might or_may_not|or_might_not have;
        result|outcome|state|status|whether * {is} not_known|unknown|unclear|uncertain;
        may|might have ?already gone|succeeded|completed|happened;
        may|might have ?already been !{edited};
        """,
    ),
    (
        m.LOST,
        """
        {cannot}|{isnt} * right_now|at_the_moment|at_present|for_now|momentarily|
            at_this_time;
        temporarily|currently|momentarily|presently unable;
        connection|connections to * failed|lost|refused|dropped;
        platform|system|site|api|database|db|host|node|cluster|network|backend|server|
            service|upstream|gateway ?is down;
        no answer|reply|response|signal|acknowledgement|heartbeat|echo * from|within|
            after;
        nobody|nothing|no_one answered|responded|picked_up|replied;
        """,
    ),
    (
        m.VALIDATION,
        """
        too many * in|per + request|txn|transaction|batch|query|call|body|payload;
        too many * in|per|inside ?a|an|one|the|this|each|single|your batch|request|
            call|expression|query|prompt|list|array|body|payload|transaction|message|
            file|row;
        too many * chained|nested|combined;
        too many tokens !please|wait|per;
        cannot|can't|can_not slow down;
        """,
    ),
    (
        m.RATE_LIMITED,
        """
        too many ?api|login|recent {act} !at_most;
        too many !{counted} + {act} !at_most;
        too many !{counted} + !{counted} + {act} !at_most;
        too many tokens ?please wait|per|before;
        only|maximum|max|limit|allows|exceeds|exceeded|over|quota|cap * {call} per|a|
            an|each|every second|minute|hour;
        {call}|tokens per|a second|minute|hour * exceeded|limit|reached|allowed|quota;
        quota|exceeded|exceeds * per second|minute|per-minute|per-second;
        limited to # per|a|an|each|every second|minute;
        rate limits * exceeded|hit|reached|enforced|applied|active|respected;
        request|requests|call|calls|access|api|invocation|trigger|visit frequency
            limit|limits|limited|control|is_too|too|exceeded|exceeds|restriction;
        send|sending|sent|calling|requesting|asking * faster than;
        called|calling|requests|requesting|sending|sent|submitted|submitting|calls|
            polling * too quickly|fast|often|frequently|rapidly;
        only send|make|request|call * per ?a second|minute|hour;
        more than # request|requests|call|calls in|per|within ?a|an|one|# second|
            seconds|minute|minutes|hour|hours;
        rate of requests|calls;
        number|amount of ?api requests|calls * exceeded|exceeds|exceed|reached;
        ^slow|slowdown ?down !the|a|an|your|this|that;
        please|to|should|must|and slow down !the|a|an|your|this|that;
        cooldown|cool-down|cooling-down * active|remaining|remains|left|in_effect|
            seconds;
        in|on|under cooldown|cool-down;
        cooling|cool down !period|the|a;
        """,
    ),
    (
        m.BUSY,
        """
        {machine} ?is|are|was ?currently|temporarily|too|very|all busy|overloaded;
        {is} ?currently|temporarily overloaded;
        {machine} * is|are ?currently busy;
        ^overloaded !method|methods|operator|operators|function|functions|constructor;
        is_not|isn't|are_not|aren't|was_not|wasn't ready !for|to;
        not ready yet;
        at|over capacity !for|#;
        worker|thread|connection|job|task|request pool|queue|backlog ?is full;
        too many ?open|client|database|concurrent|active connections !between|in|on|for;
        too many * ?already in_flight|running|queued|in_progress;
        """,
    ),
    (
        m.OUTAGE,
        """
        temporarily|currently unavailable !for|in|to|item|items|product|products|on|
            because;
        come back later !when|once|after|if|with|until;
        {is} doing|performing|undergoing|having ?some ?scheduled|planned|routine|
            regular maintenance !task|tasks|job|jobs|script|scripts|work_on;
        """,
    ),
    (
        m.NOT_FOUND,
        """
        no|nothing|nobody|none * with|named|called|matching;
        """,
    ),
    (
        m.VALIDATION,
        """
        {isnt} * allowed|permitted|valid|supported|accepted|possible values|options|
            choices|types|formats;
        {argument}|{character} * {isnt} allowed|permitted|accepted;
        """,
    ),
    (
        m.CANCELLED,
        """
        user|human|operator|person|you cancelled|canceled|declined|rejected|refused;
        stopped|cancelled|canceled|aborted on|at your|user|client|the * request;
        user|human|operator|person|you said|answered no;
        user|human|operator|person * turned * down;
        cancelled|canceled|declined|rejected|aborted|denied|dismissed by the|a ?user|
            client|human|caller|operator;
        cancelled|canceled|declined|rejected|aborted|denied|dismissed by user|client|
            caller;
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        {must} ?first be logged|signed|authenticated;
        {must} ?first log|sign|login|authenticate|reauthenticate|re-authenticate|
            reconnect|authorize;
        {bad} ?or ?{bad} ?api|access|auth|refresh|bearer|oauth|session|security|client
            {credential};
        no ?valid ?api|access|auth|refresh|bearer|oauth|session {credential} !found_in|
            limit;
        {credential} * {is} ?no ?longer ?not {bad}|accepted|valid|found|recognized|
            recognised|set|configured;
        {credential} {bad}|rejected|refused|needed;
        {credential} * no_longer|not valid|accepted;
        {credential} * switched_off|turned_off|deactivated;
        without|needs|requires a|an|the|valid ?valid {credential};
        {cannot} * who you are;
        {bad} or {bad} + {credential};
        {bad} !{position} + {credential};
        {bad} request|download|upload|invite|invitation|reset|identity|csrf|webhook|
            hmac|sso|jwt {credential}|link|claim|claims;
        {credential}|challenge validation|verification|introspection failed|fails|error;
        {credential} {doesnt} match|verify|validate;
        auth|authorization failed|error;
        {cannot} confirm|verify|establish|check * identity;
        """,
    ),
    (
        m.PERMISSION,
        """
        only ?the|an|a ?{role} * {role} * can|may|could|are|is|has|have;
        only ?the|an|a|its|their|your * {role} * can|may|could|are|is|has|have;
        {must} be ?the|an|a|its * {role};
        {isnt} a|an|the|its * {role};
        {must} be approved|granted|invited|authorized|authorised|allowed|permitted;
        {isnt} in|on|among ?the|your|our ?list|set ?of allowed|permitted|approved|
            trusted;
        {isnt} allowed|permitted|authorized|authorised|entitled|cleared|granted;
        {isnt} * something * can|may do;
        {isnt} currently|yet|properly authorized|authorised|permitted|allowed|entitled;
        {isnt} public|accessible|visible|shared;
        {isnt} an|a allowed|authorized|approved|permitted|trusted {actor};
        member|members|part|property of another|a_different;
        {doesnt} belong to ?the|this|your {actor}|you;
        ^tool|feature|endpoint|command|function|integration|operation|action * disabled;
        blocked|limited|disabled|locked|closed|banned|revoked|suspended
            permanently|for_good|forever|indefinitely;
        permanently blocked|disabled|locked|closed|banned|removed;
        is|was|are|were|been|account suspended|banned|terminated|deactivated;
        {guest} {refuse} !be|find|connect;
        {guest} aren't|are_not|isn't|is_not able;
        nur * dürfen|darf|können;
        seuls|seul|seules|seule * peuvent|peut;
        solo|sólo|solamente|apenas|somente * puede|pueden|pode|podem|può|possono;
        только * может|могут;
        limited to !# +;
        belongs|belong to somebody|someone|another|others|other_users|a_different;
        ask|asks * {role} to give|grant|add|invite|enable|approve|allow|share;
        {access} * {is} withdrawn|revoked|removed|suspended|terminated|denied|
            restricted;
        account|workspace|tenant * {is} closed|locked|disabled|frozen|deactivated;
        can|may only manage|edit|view|see|access|delete|modify|read|update|change;
        {doesnt} include|have|hold|carry|possess|grant|give * {access} !token|key|log|
            point;
        lacks|lack|without|missing|insufficient|inadequate * {access} !token|key|log|
            point;
        needs|need|requires|require * {access} !token|key|log|point;
        no|not_enough|not_the {access} * to|for|on|over;
        disabled|revoked|suspended|banned|switched_off|turned_off by;
        outside|beyond * directory|directories|repository|repo|workspace|sandbox|root|
            project|folder|jail|base_path;
        off limits;
        asks|asking|waits|waiting for * {access}|approval|consent|confirmation;
        approve|authorize|authorise|confirm|allow ?it|access|this here|at|via;
        is|are off-limits;
        person|human|someone|somebody|admin|administrator|owner has_to|must|needs_to
            approve|confirm|allow|authorize|grant;
        needs|requires|awaiting|pending|awaits|without * approval|consent;
        """,
    ),
    (
        m.BUSINESS,
        """
        {plan} * {doesnt}|without|excludes;
        exceed|exceeds|exceeded|exceeding|crossed|surpassed ?the|your|their ?maximum|
            allowed|permitted number|amount|quota|quotas of;
        not|no|n't|isn't|doesn't|without ?have enough|sufficient * {means};
        {means} {isnt} enough|sufficient|adequate;
        insufficient * {means};
        {cant} afford;
        negative ?account balance;
        {plan} * comes without;
        try|retry|again|later|back * when|once|after|until|as_soon_as you|your;
        {isnt} available|included|enabled|offered|covered|part * {plan};
        only ?available ?in|with|on|for * {plan};
        limits exceeded;
        all * used|consumed|spent|redeemed|taken;
        only * left|remaining !char~|to;
        we|store|shop|seller|restaurant {doesnt} deliver|ship|sell|offer|refund|serve|
            accept;
        {isnt}|can't|cannot|can_not ?be sold|shipped|delivered|refunded|insured;
        no ?attached ?default payment;
        ^payment failed;
        the|your|this|card|a payment ?has|have failed;
        payment|subscription|upgrade|purchase|deposit|top-up * {is} ?not needed|
            required|due|missing|overdue|outstanding|received;
        has|with no * payment;
        more than * charge|balance|paid|available|budget|original;
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        which one|of * mean|meant|want;
        multiple|several|two|three|many|more_than_one|different * match|matches|
            matched|found|fit|exist|connected;
        match|matches|matched # instances|records|items|entries|elements|resources|
            projects|files|results|users|rows|objects;
        appears|occurs|matches|matched|occurrences|found ?in # times|places|locations;
        appears|occurs|matches|matched multiple|several|many times|places|locations;
        """,
    ),
    (
        m.CONFLICT,
        """
        {is} cancelled|canceled by;
        may|might|must|could have ?already been {edited};
        concurrently modified|changed|updated|deleted|created|edited;
        {is} modified|changed|updated|edited|created|deleted concurrently;
        was|were|been|is ?just|already taken;
        version|revision|etag|sequence|generation * expected|expecting;
        {is} being deleted|purged|removed|terminated|torn_down;
        {is} in + state|status;
        requires|require|expects|expected * status|state * got|but|found;
        exists|exist with * key|name|id|email;
        parallel|concurrent|simultaneous ?write|update requests|updates|modifications|
            writes|changes;
        no longer pending|open|active|running|editable|current;
        other|another * depend|depends|depending|rely|relies on|upon;
        changed|updated|modified|edited while|since|after you|this|it|the|your;
        reload|refresh ?the|this|your page|form|conversation|record;
        delete|remove|transfer|detach|close * before you|deleting|removing|closing|
            archiving;
        already !exceeded|reached|hit|used_up|retried|gone|spent|timed|failed|expired|
            tried|up +;
        {someone} ?else ?has|is|was changed|edited|modified|updated|holds|has|is|took|
            deleted|renamed|moved|editing|using|working;
        {cant} ?be * while|until|as_long_as|unless|once|now_that;
        {refuse}|not_possible_to transition|move|go|switch|change * from * to;
        overlap|overlaps|overlapping|overlapped|clash|clashes|collide|collides|
            conflicts|conflicting;
        is|was|are|were|been closed|resolved;
        {isnt} initialized|initialised|loaded|attached|paired|linked|subscribed|joined;
        {isnt} awaiting|marked;
        {isnt} started|active|running|open|opened|paused|published|draft|pending|
            editable|finished|mergeable|empty|locked|unlocked|checked_out;
        no * open|opened|loaded|active|selected|mounted|running|started;
        нет открытого|активного|выбранного|открытой|активной|выбранной;
        no open|opened|loaded|active|selected|mounted|running|current * !found;
        not * yet;
        not|isn't|won't|never * twice|a_second_time;
        {is} * currently|still|presently in_use|used|open|referenced|attached|assigned|
            linked|active|locked|connected;
        """,
    ),
    (
        m.VALIDATION,
        """
        unexpected * parameter|argument|field|property|keyword|type|value|key|format;
        unknown|unrecognized|unrecognised|unsupported|undefined|invalid|illegal|bad|
            wrong * {argument};
        {doesnt} belong to ?the|this|that|your|any;
        parse|parsing|decode|decoding|read|reading ?tool|the|your|function arguments|
            parameters|args|input|inputs|params;
        ^empty|null|nil|blank * supplied|provided|given|passed|for|value|array|list|
            string|name;
        only * supported|accepted|implemented for|in|by|at|here|with|as;
        unmatched|unbalanced|unclosed brace|braces|bracket|brackets|parenthesis|
            parentheses|quote|quotes|tag|tags;
        contains|contain|has|have ?a|an leading|trailing|embedded|unescaped|forbidden|
            disallowed|duplicate|dangerous|suspicious|malicious|unsafe;
        accepts|accept|takes either|exactly|at_most;
        {isnt} before|after|earlier|later|greater|smaller|larger;
        {cant} specify|set|provide|pass|give * with|and|together|via|when|for;
        multiple|two|several * specified|given|provided|passed;
        {must} !be_back|be_available|be_up|be_online|be_ready|be_restored|be_closed|
            have_gone|have_been|have_failed|have_lost|be_stopped|wait|retry|try be|
            have|contain|match|start|begin|end|follow|lie|equal|precede|differ|include|
            come|consist|fit|look|point|refer|specify|give|provide|supply|use|not;
        no * {needed}|defined|selected;
        no {needed}|defined|selected;
        {isnt} {needed};
        expected|expecting|wanted|want|needed * got|received|found|instead|but;
        {cannot} parse|understand|interpret|decode|convert|cast|coerce|deserialize|
            unmarshal|tokenize|evaluate|divide|combine|mix|compare|map|concatenate;
        {refuse} read|open|load|treat|use * as;
        {cannot} be parsed|understood|interpreted|decoded|converted|combined|mixed|
            divided|read|both|empty|blank|null|nil|none|unspecified|whitespace|negative|zero|undefined|equal|
            greater|less|longer|used|the_same;
        {cant} contain|include|exceed|precede|start_with|begin_with|end_with|be_more|
            be_less;
        {doesnt} conform|satisfy|fit|look|comply|make_sense|agree|add_up|support|
            accept|understand|parse|pass|follow|recognize|recognise|match !any;
        makes|make no sense;
        disagree|disagrees|mismatch|mismatched|mismatching|inconsistent|contradicts|
            contradictory|unparseable|unparsable|uninterpretable;
        {isnt} a|an|one|in|within|between|of|understood|accepted|valid|supported|
            accepted|allowed_value|recognized|recognised|well-formed|numeric|unique|
            possible|finite|applicable|compatible|parseable|parsable|formatted;
        too {adjective};
        is|are of type * not;
        is|are|was|were {comparative} than;
        exceeds|exceed|exceeding|over|above|below|beyond|under ?the|its|their ?maximum|
            minimum|allowed|max|min|permitted|supported|size|length|safety limit|
            maximum|max|minimum|min|bounds|range|length|size|count|cap;
        nothing to do|send|update|change|save|post|write|insert|set|apply|replace;
        exceeds|exceed|over|above|beyond ?the|its|their # !minuten|uur|uren +;
        supports|support|accepts|accept|takes|understands|handles * only;
        limited to # +;
        only understand|understands|accept|accepts|support|supports|work|works|take|
            takes|handle|handles|know|knows;
        start|begin|end|date|time|from|to|deadline comes|falls|lies|is|are|starts|ends
            after|before|later|earlier;
        more than one statement|value|argument|item|file|query|parameter|option;
        only one * allowed|permitted|at_a_time|can|may|statement;
        fails|failed|bad|wrong|invalid ?its|the checksum|check_digit;
        missing|absent|omitted * {argument};
        {argument} {is} ?not missing|absent|omitted|blank|empty|needed|required|
            incorrect|unknown|malformed|illegal|ambiguous|negative;
        ^usage;
        """,
    ),
    (
        m.NOT_FOUND,
        """
        {cannot} find|locate|see|resolve|identify|spot|look_up;
        {cannot} be found|located|resolved|seen|identified;
        {isnt} found|registered|listed|known|present|there|on_file|on_the_list|
            in_the_list|anywhere;
        {doesnt} exist|correspond|lead;
        {doesnt} have|know|see|contain|recognise a|an|any|such|that|this;
        {doesnt} have|know|see|contain * with|called|named|by;
        have|has|had|carry|carries|find|finds|found|match|matches|matched no *
            !permission|access|effect|capacity|space|response|connection|payment with|
            called|named|for|on|in|by|under;
        no|zero * with|named|called|found|matching|exists|exist|under|carry|carries|
            by_that|at_that|bears|match|matches|matched;
        turned|turns up nothing|nobody|empty;
        leads|lead|points|point|refers|belongs to no|nothing;
        nothing|nobody|none|no_one|nowhere * by|with|called|named|under|stored|found|
            matched|matches|matching|in|at|there;
        is|are|was|were * nowhere;
        gibt * kein|keine|keinen|nicht;
        ne|n' correspond|correspondent à|pas;
        нет|нету * с|под именем|таким|номером;
        never set_up|created|existed|registered|defined|added|stored|recorded|uploaded;
        leads|lead|points|point|refers nowhere;
        unknown !error|reason|exception|host +;
        nonexistent|non-existent|inexistent;
        {doesnt} resolve|map|translate to;
        neither * nor * exist|exists|found|present;
        {is} taken_down|gone|nowhere;
        """,
    ),
    (
        m.LOST,
        """
        {cannot} be reached|contacted|pinged|dialled;
        session|connection|stream|channel|socket {is} closed|terminated|dropped|reset;
        stream|connection|session terminated|interrupted;
        {doesnt} finish|complete|end|return before|within|in_time|by;
        stopped|stops|quit|ceased answering|responding|replying|sending;
        went|gone|going|goes to_sleep|dead|silent|dark|quiet;
        hung|hangs up;
        ne répond|répondent pas|plus;
        not ready;
        temporarily|currently unavailable;
        {isnt} answering|responding|replying;
        {doesnt} answer|respond|reply|pick_up;
        """,
    ),
)
