"""Classes of words that frames of sentences are made of; see `sentences`."""

from collections.abc import Mapping

CLASSES: Mapping[str, str] = {
    "cannot": """can't cannot can_not couldn't could_not unable_to not_able_to
        failed_to fails_to fail_to failure_to not_possible_to impossible_to""",
    "cant": """can't cannot can_not may_not must_not not_possible_to impossible_to
        unable_to not_able_to""",
    "refuse": "can't cannot can_not may_not must_not",
    "isnt": """isn't is_not aren't are_not wasn't was_not weren't were_not not_been
        not_be not""",
    "doesnt": "doesn't does_not don't do_not didn't did_not",
    "must": """must should has_to have_to needs_to ought_to may_only can_only
        must_only has_got_to must_all must_also""",
    "is": "is are was were has_been have_been had_been be been got gets being",
    "role": """admin admins administrator administrators owner owners member members
        manager managers moderator moderators organiser organisers organizer
        organizers author authors creator creators maintainer maintainers staff
        superuser superusers collaborator collaborators editor editors host hosts
        operator operators employees subscribers root""",
    "guest": """guest guests viewer viewers visitor visitors bot bots reader readers
        account accounts role roles integration app apps""",
    "access": """access permission permissions rights right privileges privilege
        authority authorization scope scopes role roles clearance grants""",
    "credential": """token tokens credential credentials api_key api_keys apikey
        password passphrase passcode secret session grant cookie login jwt signature
        access_key bearer certificate sign-in pin""",
    "bad": """invalid expired revoked missing bad wrong incorrect stale rejected
        unrecognized unrecognised absent unset undefined malformed required""",
    "argument": """parameter parameters param params argument arguments arg args field
        fields option options property properties key keys column columns attribute
        attributes flag flags type format mode unit units operator operation function
        method value values language param output input event provider role currency
        timezone country locale node encoding identifier symbol enum scope filter
        status category region query directive syntax token variable placeholder
        keyword parameter_name field_name""",
    "someone": """someone somebody another_user another_process another_person
        another_session another_client another_transaction other_users""",
    "character": """character characters letter letters space spaces symbol symbols
        digit digits duplicates wildcards quotes blanks comma commas newline newlines
        numbers mapping tabs""",
    "adjective": """long short large big small high low old new deep wide
        narrow complex broad vague tall heavy far precise specific thin short-lived
        lengthy""",
    "comparative": """longer shorter larger bigger smaller higher lower greater less
        more fewer earlier later older newer wider""",
    "reply": "response responses reply replies answer output result body payload",
    "machine": """server servers system systems service services api backend database
        db host node cluster model engine worker workers gateway provider upstream
        network site instance device resource daemon scheduler we""",
    "call": """request requests call calls query queries lookup lookups operation
        operations message messages api_call api_calls hit hits""",
    "act": """request requests call calls query queries operations messages attempts
        logins actions uploads emails downloads submissions invocations lookups
        tries""",
    "counted": """for in of with per on to nested chained combined open failed results
        columns fields arguments parameters rows items joins values characters""",
    "actor": """account accounts user users principal principals service host hosts
        origin domain ip client caller address organization organisation tenant
        workspace team""",
    "position": """page pagination continuation next sync cursor unexpected json or
        start end stop""",
    "means": """balance balances funds credit credits margin collateral stock inventory
        money points seats allowance amount""",
    "edited": "modified changed edited updated altered overwritten",
    "plan": "plan tier subscription edition licence license membership",
    "needed": """supplied provided given specified passed sent filled entered chosen
        picked stated included""",
}
