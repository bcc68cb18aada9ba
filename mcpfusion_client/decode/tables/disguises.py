"""Words by which a text that is nothing but an error report is told from an answer.

Each set fills a gap of the patterns in `disguised_texts`: add a word here, never a
pattern there.
"""

from mcpfusion_client.decode.tables.wordlist import words

VERBS = words(
    """access add analyze apply attach authenticate authorize build call change clear
    clone close combine commit compile complete compute configure connect convert copy
    create decode decrypt delete deploy determine detect disable disconnect display
    download edit enable encode establish evaluate execute export extract fetch find
    format generate get import initialize insert install invoke join list load locate
    log lookup mark merge modify mount move mute navigate obtain open parse perform
    post process publish pull push query reach read rebuild receive refresh register
    release remove rename render replace reply request resolve restart restore retrieve
    run save schedule scan search select send serialize set share start stop store
    submit switch sync take transcribe transfer translate trigger unlink update
    upload use validate verify view write"""
)
"""What a tool could not do: "cannot ..." and "unable to ..."."""

NOT_A_FAILED_VERB = words(
    """agree attend be care come enter fit fly go have help hear leave like live
    make-up pass pay play reproduce see sit sleep speak stay swim travel vote
    walk wait win work yield"""
)
"""What people fail to do, or things: "failed to yield"."""

NO_TOPIC = words(
    """accounting analysis bars boundary budgeting catching checking-code coding
    concealment correcting correction detecting detection guessing handling logging
    minimization modeling monitoring propagation recovering recovery reporting
    tracing tracking"""
)
"""Gerunds that make a topic of "error": error handling, error reporting."""

NOT_A_SYSTEM = words(
    """absolute add added all average clerical clear common created cumulative
    estimation expected experimental first fix fixed fixes forecast handle handled
    human i ii last latest log logged max maximum mean measurement median medical
    medication min minimum my new no normalized other our percent percentage pilot
    prediction previous quantization random recent relative removed residual root
    rounding sampling second see show spelling squared standard sum systematic test
    that the this top total tracking training trial type typical typographical user
    validation-set what when why your"""
)
"""Words before "error" that name no part of a program: mean squared error."""

ARGUMENTS = words(
    """action address algorithm alias amount angle argument arguments base64
    category channel character choice cidr code color colour column combination
    command condition configuration content coordinate coordinates country credentials
    cron currency cursor data date date_range datetime day depth dimension dimensions
    direction domain duration email encoding endpoint entity enum event expression
    extension field file filename filter flag folder format height hex host hostname
    id identifier image index input interval ip key keyword language latitude layout
    length level limit location locale longitude message method mime mode model month
    name namespace node number offset operation operator option options order
    page parameter parameters params password path pattern payload period permission
    phone pin port position priority prompt property provider query range rating ratio
    ref region regex region request resolution resource response role schema scope
    selection selector session severity sheet signature size slug sort source sql state
    status step syntax tag target template text theme time timeframe timestamp timezone
    title token tool transition type unit units uri url user username uuid value
    variable version view volume week width window xpath year zone json xml yaml csv"""
)
"""What a caller passes, one of each: plurals are what an answer counts."""

THINGS = words(
    """account action agent album alert asset attachment board bookmark branch bucket
    button
    calendar card channel chart chat class clip cluster collection column comment
    commit component composition connection contact container contract conversation
    course customer dashboard dataset database deployment device directory document
    domain draft drawing editor element entity environment epic event extension feature
    feed field file filter folder form function gallery group guild home image incident
    index instance integration invoice issue item job label layer library list
    location machine mailbox map material meeting member memory message method
    milestone model module network node note notebook object order organization
    organisation package page panel paragraph parameter patient path pattern-file
    payment photo pipeline plan player playlist plugin pod policy portfolio
    post presentation process product profile program project property provider
    pull-request queue recipe record release repo repository reservation resource
    role room rule run scene schedule schema script section selector sensor server
    service session shape sheet site skill slide snippet snapshot space spreadsheet
    stack station step stock store story stream subscription symbol tab table tag target
    task team template tenant test thread ticker ticket timeline token tool topic track
    transaction trigger type url user variable version video view volume voice
    wallet webhook widget window workbook workflow worksheet workspace zone"""
)
"""What a tool looks up by a name or an id."""

STATES = words(
    """account agent api-key board browser calendar client composition
    connection context credentials cursor database device document editor file graph
    guild image index instance kernel login model notebook organization page
    presentation process profile program project repository sandbox scene selection
    server session sheet spreadsheet tab team terminal timeline token tool
    user wallet window workbook worksheet workspace"""
)
"""What has to be there before a tool can work: "no project is open"."""

JOBS = words(
    """action analysis call click connection conversion creation
    deletion download execution export extraction fetch generation import
    initialization insert installation invocation login lookup navigation
    operation parsing processing publish query reading rendering request
    retrieval save scrape search transcription transfer translation update
    upload write"""
)
"""What a tool does, as a noun: "upload failed: ..."."""

SETTINGS = words(
    """api-key api-token access-token bot-token client credentials database
    connection environment-variable secret server service token webhook"""
)
"""What somebody has to set up: "API key is not set"."""

MEANS = words(
    """action api command endpoint feature file format function integration
    language method mode model operation option parameter platform property protocol
    provider query region request scheme statement tool type version"""
)
"""What can be unsupported for the tool itself, not for what it tells about."""
