"""Sentences people write into errors, and what they mean.

All lower case, separated by semicolons. A phrase matches at the start and the end
of a word; ``~`` at its end lets the word go on, ``*`` stands for up to 60 characters
of the same line. A longer phrase hides the shorter ones inside it. Rows of `WEAK`
count only where nothing clearer was said. What passes by itself, who may do what,
and other languages have their own files.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.DISK_FULL,
        """
        no space left on device; disk full; disk is full; disk quota; storage is full;
        storage full; out of disk space; not enough space; insufficient storage;
        insufficient space; used memory; maxmemory; not enough storage
        """,
    ),
    (
        m.UNTRUSTED,
        """
        certificate has expired; certificate is expired; expired certificate;
        self-signed certificate; self signed certificate; certificate verify failed;
        failed to verify certificate; certificate signed by unknown authority;
        unable to verify the first certificate; unable to get local issuer certificate;
        certificate is not trusted; certificate is not valid; pkix path building failed;
        hostname mismatch; certificate validation failed;
        server certificate verification failed; x509~; err_cert_~
        """,
    ),
    (
        m.BUSINESS,
        """
        is deprecated; quotas; service quota; service limit; service limits;
        account limits; account limit; resource limitations; no payment method;
        upgrade to a; upgrade to the; upgrade to pro; upgrade to premium; paid plan;
        premium plan; higher plan; payment needed; budget exhausted; exhausted your;
        not enough; payment required; insufficient funds; insufficient balance;
        insufficient credit; insufficient credits; insufficient_quota;
        insufficient stock; not enough credit; not enough credits; not enough balance;
        out of credits; out of stock; credit limit; credits exhausted; no credits;
        card was declined; card declined; payment declined; quota exceeded;
        quota is full; quota exhausted; quota has been; exceeded * quota;
        exceeds * quota; quota limit; over quota; usage limit exceeded;
        usage limit reached; usage limit has; usage limit was; your usage limit;
        usage limits exceeded; usage limits reached; plan limit; limit of your plan;
        your plan; current plan; upgrade your; subscription required;
        subscription has expired; subscription expired; subscription is; billing;
        trial has ended; trial expired; spending limit; budget exceeded; daily limit;
        monthly limit; monthly usage; storage limit; storage quota; business rule;
        refund window; refund period; return window; window has expired;
        window has closed; past the deadline; deadline has passed; not eligible;
        ineligible; company policy; policy does not allow; not refundable;
        already shipped; already been shipped; minimum order; maximum * per customer;
        feature is not available on; not available on your; not enabled for your;
        not supported on your plan; rejected as spam; marked as spam; content policy;
        content filter; content management policy; content was flagged; flagged by;
        moderation; safety system; safety filter; terms of service; acceptable use;
        over the limit; over limit; over budget; mailbox full; mailbox is full;
        limit for your; free tier; free plan; enterprise plan; license required;
        license expired; license has expired; licence; no active subscription; past due;
        overdue; unpaid; outside business hours; market is closed; trading is;
        not available in your; not available in this country; sold out; fully booked;
        no availability; no seats; non-refundable; refund is not; cannot be cancelled;
        cannot be canceled; no longer be cancelled; no longer be changed;
        no longer be refunded; maximum number of; exceeds your; exceeds available;
        exceeds the available; exceeds the remaining; exceeded your; exceed your;
        allowance; balance is too low; balance too low; low balance; not have enough;
        insufficient permissions for plan; requires a paid; requires a subscription;
        requires a premium; requires a pro; requires a business; requires an upgrade;
        requires an active; coupon; voucher; do not honor; card has expired;
        expired card; transaction declined; was declined; been declined; compliance;
        sanctions; age restriction; not in stock; out of inventory;
        insufficient inventory; not enough inventory; blackout; cutoff; cut-off;
        only * in stock; left in stock; used all; used up; maximum of * reached;
        limit of * reached; limit of * exceeded; limits have been;
        limit has been reached; limit was reached; hit the limit; hit your limit;
        reached the limit; reached your limit; reached the maximum; reached its limit;
        can only be * within; can only be * before; can only be * after;
        can only be * until; can only be * once; only be cancelled within;
        can no longer be; could no longer be; no longer eligible; no longer valid for;
        has ended; has already ended; already ended; period has ended; offer ended;
        included in your; in your plan; with your plan; on your plan; starter plan;
        basic plan; is not offered; not offered; does not ship; cannot ship;
        not deliverable; below the minimum; above the maximum; per workspace;
        per customer; per account; exceeds the maximum number; too late to;
        too early to; not allowed after; not allowed before; closed for;
        cannot be combined; minimum purchase; minimum amount; credit check; risk check;
        blocked for fraud; suspected fraud; fraud; only possible for;
        only possible within; are possible for; is possible for; only within;
        limit of your; insufficient margin; insufficient allowance;
        insufficient collateral; margin requirement; trading limit; purchase limit;
        transfer limit; withdrawal limit; card limit; seat limit; user limit;
        file limit; size of your; too many requests this month;
        too many requests this billing; too many requests per month;
        requests this month; requests per month; unavailable in your country;
        unavailable in your region; service unavailable in your; unavailable for your;
        unavailable on your; temporarily disabled for your; temporarily out of stock;
        temporarily sold out; premium required; pro required; upgrade required;
        membership required; plan required; license key required
        """,
    ),
    (
        m.NOT_FOUND,
        """
        did not match any; no session found; no sessions found; not exists; notfound;
        not_found; not exist; no such; invalid tool name; undefined table;
        isn't available; has been deleted; was deleted; been removed; 404 page;
        user unknown; recipient unknown; no such user; no longer available;
        does not host; not have a resource; not a git repository; failed to open file;
        returned no results; no results for; did not return any; unable to resolve *;
        doesn't appear to exist; does not appear to exist; not exist or; no record of;
        mailbox unavailable; no * available; there is no such; there's no; there are no;
        has been archived or deleted; was removed; were removed; has been removed;
        is not part of; unknown host
        """,
    ),
    (
        m.CONFLICT,
        """
        conditional request failed; conditional check failed;
        hash mismatch; etag mismatch;
        primary key violation; unique index;
        is associated with; are associated with; is in use; are in use;
        invalid state for; is already; was already; uniqueness constraint;
        duplicate key; duplicate entry; duplicate value; duplicate name;
        duplicate record; unique constraint; unique violation; foreign key constraint;
        violates foreign key; version conflict; version mismatch; edit conflict;
        merge conflict; write conflict; conflict; conflicted; has been modified;
        was modified; modified by another; changed since; out of date; etag;
        precondition failed; precondition not met; optimistic lock~;
        concurrent modification; concurrent update; is locked; is locked by;
        locked by another; resource is locked; state lock; not a fast-forward;
        non-fast-forward; updates were rejected; cannot be deleted because;
        is in use by; still in use; has dependent; was archived; is archived;
        in the wrong state; invalid state transition; current state; current status;
        unique constraint failed; primary key constraint; file exists; path exists;
        would be overwritten; would overwrite; uncommitted changes; unstaged changes;
        local changes; unmerged files; have diverged; has diverged; divergent;
        being used by; being edited; being modified; checked out by; lock is held;
        lock held by; lock file exists; is taken; name is taken; has dependents;
        has dependencies; has children; still referenced; is referenced by;
        referenced by other; not in the correct state; not in a valid state;
        in a state that; current state of; valid for the current state;
        cannot be * in its current; cannot be * in the current; not currently running;
        newer version; has changed on; double-booked; double booked; slot is taken;
        no longer available at; rebase in progress; merge in progress;
        already up to date; must first be; been superseded; out of sync;
        in an invalid state; stale; another * process seems; another process seems;
        used by another process; used by another user; is booked; is reserved;
        is occupied; is assigned to another; is owned by another; is claimed;
        were already; have already; checked out; in the meantime; meanwhile; since you;
        since it was; by someone else; by another user; by another; must be * before;
        must be * first; is in progress; is final; is finalized; is completed;
        is cancelled; is canceled; is paused; was paused; is stopped; is inactive;
        is frozen; was completed; reopen it; resume it; unlock it; restore it first;
        with active; with existing; while it is; still contains; still has; has active;
        has pending; has open; has unsaved; unsaved changes; pending changes;
        not been saved; open one first; select one first; nothing is selected
        """,
    ),
    (
        m.VALIDATION,
        """
        token limit; token limits;
        parse error: unexpected; syntax error: unexpected;
        size limit; only supported; is only available; are only available;
        only available in; requires a; requires an; requires at least; requires the;
        needs a; no arguments; at least one field; validation error; validation errors;
        validation failed; validation failure; failed validation; invalid request;
        invalid date~; invalid url; invalid uri; invalid json; invalid email;
        invalid id; invalid uuid; invalid choice; invalid cursor; invalid path;
        invalid regex; invalid regular expression; invalid name; invalid range;
        invalid sort; invalid object name; invalid body; invalid payload; invalid data;
        bad request; malformed; badly formatted; ill-formed; unprocessable;
        missing required; required parameter; required argument; required field;
        required property; required input; is required; are required; is a required;
        cannot be in the past; can not be empty; may not be; not be blank; not be empty;
        not be null; is invalid; are invalid; is malformed; out of range; out of bounds;
        exceeds max~; maximum length; minimum length; maximum allowed;
        unrecognized key~; unrecognized argument~; unrecognized parameter~;
        unrecognized field~; unsupported; additional properties; additionalproperties;
        expected one of; expected string; expected number; expected integer;
        expected array; expected object; expected boolean; expected a; expected an;
        expected type; syntax error; parse error; parsing error; mutually exclusive;
        cannot specify both; cannot both; not both; provide either; provide exactly one;
        exactly one of; at least one of; only one of; either * or * is required;
        one of * is required; one of * must; positional argument; null value in column;
        violates not-null constraint; violates check constraint; context length;
        maximum context; unterminated; ambiguous column; not null constraint;
        not-null constraint; check constraint; field validation for; contains invalid;
        contains illegal; contains unsupported; incorrect format; invalid character;
        invalid characters; illegal character; conversion failed; character limit;
        no such option; no such parameter; no such argument;
        extra inputs are not permitted; field required; value required;
        cannot be omitted; is mandatory; are mandatory; invalid base64; invalid utf-8;
        exceeds the allowed; has an invalid; have an invalid; with invalid; an invalid;
        incompatible; no query; in the past; in the future; must exceed;
        value out of range; characters or fewer; characters or less; no more than;
        no fewer than; no less than; or greater; or fewer; no longer supported;
        please enter a valid; enter a valid; a valid; looks invalid; seems invalid;
        is incorrect; are incorrect; incorrectly formatted; wrongly formatted;
        only * files; only * formats; only letters; only numbers; only digits;
        only alphanumeric; ensure this value; less than or equal to;
        greater than or equal to; requires argument; requires parameter; requires field;
        requires property; requires option; requires arguments; requires parameters;
        requires either; requires one of; requires exactly; requires a value;
        one argument; two arguments; expects a; expects an; expects one;
        expects exactly; expects at; takes a; takes no; takes at; takes exactly;
        takes one; takes * positional; got an unexpected; got multiple values; but got;
        but received; must also; is only valid; only valid; only applies; only accepted;
        shouldn't; not expected; no longer accepted; not acceptable; unable to read the;
        malformatted; mis-formatted; out of the range; beyond the; below the; above the
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        multiple results; more than one; ambiguous; more than one result;
        matches multiple; matched multiple; strict mode violation; did you mean one of;
        pass an id; specify which; which one; be more specific; several results;
        several candidates; multiple candidates; not unique enough; matches several;
        matches more than; matches two; matched several; more than one possible
        """,
    ),
    (
        m.CANCELLED,
        """
        request was rejected by; user denied; user aborted; user chose not;
        was declined by the user; was declined by user; was declined by a user;
        user did not approve; user did not confirm; did not confirm; did not approve;
        not confirmed by; declined to
        """,
    ),
    (
        m.CRASH,
        """
        parse error response; parse error body; parse api response; parse response;
        decode response; unmarshal response; parse the response; invalid response;
        malformed response; bad response; empty response; panic; panicked at;
        runtime error; nil pointer; null pointer; null reference;
        object reference not set; index out of bounds; index out of range;
        list index out of range; segmentation fault; cannot read properties of;
        cannot read property; is not a function; is not iterable;
        object has no attribute; has no attribute; unhandled exception; unhandled error;
        division by zero; stack overflow; out of memory; maximum recursion;
        maximum call stack; invalid memory address; assertion failed;
        not json serializable; circular structure; is not defined; no module named;
        cannot find module; internal server error; internal error; crashed; was killed;
        exited unexpectedly; terminated unexpectedly; core dumped; unhandled rejection;
        unhandled promise; unexpected token; unexpected end of json input;
        in json at position; went wrong; something is wrong; returned an invalid;
        returned invalid; sent an invalid; sent invalid; returned malformed;
        returned unexpected; returned an unexpected; returned an empty;
        returned no data; returned html; returned garbage; could not be decoded;
        is not json; was not json; undefined method;
        undefined local variable
        """,
    ),
    (
        m.PROTOCOL,
        """
        valid session id; missing session id; invalid session id; mcp-session-id;
        session id is required; session id required; method not found; not implemented;
        protocol version; unsupported protocol version; server not initialized
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.NOT_FOUND,
        """
        no results; no records; no rows; no entries; no matches; there is no;
        nothing to; no items; no data; no longer
        """,
    ),
    (
        m.CONFLICT,
        """
        duplicate; duplicated; already; outdated; in use; locked; in its current state;
        not open; cannot cancel; can't cancel
        """,
    ),
    (
        m.VALIDATION,
        """
        invalid; syntax; missing; required; incorrect; must; illegal; unexpected value;
        please provide; please specify; is not set; not configured; no * configured;
        provide a; provide at least; try again with; try again using; cannot be set;
        you must specify; unknown; at least; at most; non-empty; unrecognised;
        unrecognized; mandatory; no value; wrong; expected; cannot be used;
        not applicable; should be; blank
        """,
    ),
    (
        m.CANCELLED,
        """
        cancelled; canceled; was aborted; operation aborted; request aborted
        """,
    ),
    (
        m.BUSINESS,
        """
        expired; limit reached; usage limit; usage limits; exhausted; limit exceeded;
        exceeded the limit; quota; not available for; insufficient; too low; too few;
        days only; hours only
        """,
    ),
)
