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
        unable to verify the first certificate;
        unable to get local issuer certificate; certificate is not trusted;
        certificate is not valid; pkix path building failed; hostname mismatch;
        certificate validation failed; server certificate verification failed; x509~;
        err_cert_~
        """,
    ),
    (
        m.BUSINESS,
        """
        upgrade to a; upgrade to the; upgrade to pro; upgrade to premium; paid plan;
        premium plan; higher plan; payment is needed; payment is required;
        payment needed; budget exhausted; exhausted your; not enough;
        payment required; insufficient funds; insufficient balance;
        insufficient credit; insufficient credits; insufficient_quota;
        insufficient stock; not enough credit; not enough credits; not enough balance;
        out of credits; out of stock; credit limit; credits exhausted; no credits;
        card was declined; card declined; payment failed; payment declined;
        quota exceeded; quota is full; quota exhausted; quota has been;
        exceeded * quota; exceeds * quota; quota limit; over quota; usage limit;
        plan limit; limit of your plan; your plan; current plan; upgrade your;
        subscription required; subscription has expired; subscription expired;
        subscription is; billing; trial has ended; trial expired; spending limit;
        budget exceeded; daily limit; monthly limit; monthly usage; storage limit;
        storage quota; business rule; refund window; refund period; return window;
        window has expired; window has closed; past the deadline; deadline has passed;
        not eligible; ineligible; company policy; policy does not allow;
        not refundable; already shipped; already been shipped; minimum order;
        maximum * per customer; feature is not available on; not available on your;
        not enabled for your; not supported on your plan; rejected as spam;
        marked as spam; content policy; content filter; content management policy;
        content was flagged; flagged by; moderation; safety system; safety filter;
        terms of service; acceptable use; over the limit; over limit; over budget;
        mailbox full; mailbox is full; limit for your; free tier; free plan;
        enterprise plan; license required; license expired; license has expired;
        licence; no active subscription; past due; overdue; unpaid;
        outside business hours; market is closed; trading is; not available in your;
        not available in this country; sold out; fully booked; no availability;
        no seats; non-refundable; cannot be refunded; refund is not;
        cannot be cancelled; cannot be canceled; no longer be cancelled;
        no longer be changed; no longer be refunded; maximum number of; exceeds your;
        exceeds available; exceeds the available; exceeds the remaining;
        exceeded your; exceed your; allowance; balance is too low; balance too low;
        low balance; not have enough; insufficient permissions for plan;
        requires a paid; requires a subscription; requires a premium; requires a pro;
        requires a business; requires an upgrade; requires an active; coupon; voucher;
        do not honor; card has expired; expired card; transaction declined;
        was declined; been declined; compliance; sanctions; age restriction;
        cannot be shipped; not in stock; out of inventory; insufficient inventory;
        not enough inventory; blackout; cutoff; cut-off; only * left;
        only * remaining; only * in stock; left in stock; used all; used up;
        all * have been used; maximum of * reached; limit of * reached;
        limit of * exceeded; limits exceeded; usage limits; limits have been;
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
        too early to; not allowed after; not allowed before; closed for; not sold;
        cannot be combined; minimum purchase; minimum amount; credit check;
        risk check; blocked for fraud; suspected fraud; fraud; only possible for;
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
        did not match any; not found; notfound; not_found; could not be found;
        was not found; cannot find; can't find; could not find; couldn't find;
        unable to find; failed to find; unable to locate; could not locate;
        cannot locate; does not exist; doesn't exist; do not exist; did not exist;
        not exist; no longer exists; no such; no * found; no * with id;
        no * with title; no * with name; no * named; no * called; no * by that name;
        no matching; no match for; nothing found; could not resolve to; unknown tool;
        unknown action; unknown resource; unknown table; unknown database;
        unknown command; unknown prompt; unknown user; unknown project; unknown model;
        invalid tool name; undefined table; isn't available; command not found;
        has been deleted; was deleted; been removed; is gone; 404 page; user unknown;
        unknown recipient; recipient unknown; no such user; no longer available;
        does not host; not have a resource; doesn't have a resource;
        not a git repository; failed to open file; is not registered; not registered;
        isn't registered; is not present; not present in; returned no results;
        no results for; did not return any; there is no * named; there is no * called;
        has no * named; does not have a * named; no * matched; no * matches;
        nothing matched; no longer exist; unable to resolve *; cannot resolve;
        could not resolve the; could not be located; could not be resolved;
        cannot be found; can't be found; can not be found; couldn't be found;
        doesn't appear to exist; does not appear to exist; not exist or; no record of;
        no record found; mailbox unavailable; doesn't contain a; is not in the list;
        not in the list of; has expired or does not exist; could not resolve;
        no * exists; no * exist; no * available; no * could be found; no * was found;
        no * were found; there is no such; there's no; there is no * with;
        there are no; couldn't locate; not able to find; unknown id; unknown or;
        nonexistent; non-existent; has been archived or deleted; was removed;
        were removed; has been removed; is not part of; not listed; never existed;
        unknown message; unknown channel; unknown member; unknown guild;
        unknown webhook; unknown account; unknown page; unknown document;
        unknown file; unknown record; unknown item; unknown order; unknown customer;
        unknown issue; unknown repository; unknown branch; unknown host; unknown job;
        unknown session; unknown thread; unknown folder; unknown workspace;
        unknown team; unknown organization
        """,
    ),
    (
        m.CONFLICT,
        """
        is in use; are in use; is currently in use; already present;
        invalid state for; already exists; already exist; already in use;
        already been taken; already taken; already closed; already merged;
        already open; already running; already registered; already locked;
        already been; already completed; already processed; already deleted;
        already cancelled; already assigned; already has; is already; was already;
        another * already exists; duplicate key; duplicate entry; duplicate value;
        duplicate name; duplicate record; unique constraint; unique violation;
        foreign key constraint; violates foreign key; version conflict;
        version mismatch; edit conflict; merge conflict; merge conflicts;
        write conflict; conflict; conflicts with; conflicting; conflicted;
        has been modified; was modified; modified by another; changed since;
        out of date; etag; precondition failed; precondition not met;
        optimistic lock~; concurrent modification; concurrent update; is locked;
        is locked by; locked by another; resource is locked; state lock;
        not mergeable; not a fast-forward; non-fast-forward; updates were rejected;
        cannot be deleted because; is in use by; still in use; has dependent;
        directory not empty; not empty; was archived; is archived; in the wrong state;
        invalid state transition; current state; current status;
        unique constraint failed; primary key constraint; file exists; path exists;
        would be overwritten; would overwrite; uncommitted changes; unstaged changes;
        local changes; unmerged files; have diverged; has diverged; divergent;
        being used by; being edited; being modified; checked out by; lock is held;
        lock held by; lock file exists; is taken; name is taken; has dependents;
        has dependencies; has children; still referenced; is referenced by;
        referenced by other; not in the correct state; not in a valid state;
        in a state that; current state of; valid for the current state;
        cannot be * in its current; cannot be * in the current; cannot be * while;
        cannot * while; is not active; is not running; not currently running;
        is not open; is already closed; is closed; newer version; has changed on;
        overlaps with; overlapping; double-booked; double booked; slot is taken;
        no longer available at; has conflicts; conflicts must be; conflicts found;
        resolve conflicts; already allocated; address already in use;
        rebase in progress; merge in progress; already been used; already up to date;
        already a member; already enabled; already disabled; already accepted;
        already approved; already paid; already refunded; already submitted;
        already subscribed; already started; already stopped; already voted;
        already booked; already reserved; must first be; been superseded; out of sync;
        in an invalid state; stale; another * process seems; another process seems;
        used by another process; used by another user; is booked; is reserved;
        is occupied; is assigned to another; is owned by another; is claimed;
        already claimed; were already; have already; checked out; in the meantime;
        meanwhile; since you; since it was; by someone else; by another user;
        by another; conflicting with; clashes with; collides with; has not been * yet;
        not yet been; must be * before; must be * first; is not pending; is not draft;
        is in progress; is final; is finalized; is completed; is cancelled;
        is canceled; was cancelled by; was canceled by; is paused; was paused;
        is stopped; is inactive; is frozen; has been closed; was closed; was resolved;
        was completed; reopen it; resume it; unlock it; restore it first; with active;
        with existing; while it is; still contains; still has; has active;
        has pending; has open; has unsaved; unsaved changes; pending changes;
        not been saved; open one first; select one first; nothing is selected;
        no active document; no active file; no active editor; no document is open;
        no file is open; no project is open
        """,
    ),
    (
        m.VALIDATION,
        """
        method not allowed; only supported; is only available; are only available;
        only available in; requires a; requires an; requires at least; requires the;
        does not support; doesn't support; is not a; are not a; unknown operation;
        unknown type; unknown mode; unknown language; unknown format; unknown param;
        unknown output; unknown input; unknown function; unknown event;
        unknown provider; unknown role; unknown unit; unknown currency;
        unknown timezone; unknown country; unknown locale; unknown node;
        unknown encoding; unknown identifier; unknown symbol; unknown flag;
        unknown method; unknown enum; unknown value; unknown attribute; unknown scope;
        unknown filter; unknown status; unknown category; unknown region;
        not provided; not specified; was not given; needs a; was not supplied;
        no arguments; nothing to update; at least one field; validation error;
        validation errors; validation failed; validation failure; failed validation;
        did not pass validation; does not pass validation; invalid argument;
        invalid arguments; invalid parameter; invalid parameters; invalid params;
        invalid input; invalid request; invalid value; invalid format; invalid type;
        invalid date~; invalid url; invalid uri; invalid json; invalid email;
        invalid id; invalid uuid; invalid query; invalid syntax; invalid enum value;
        invalid option; invalid choice; invalid filter; invalid cursor;
        invalid page token; invalid timezone; invalid path; invalid regex;
        invalid regular expression; invalid identifier; invalid name; invalid range;
        invalid sort; invalid object name; invalid attribute; invalid body;
        invalid payload; invalid data; bad request; bad parameter; malformed;
        badly formatted; ill-formed; unprocessable; missing required;
        missing parameter; missing parameters; missing argument; missing arguments;
        missing field; missing fields; missing property; missing properties;
        missing input; missing positional argument;
        missing * required positional argument;
        missing * required keyword-only argument; required parameter;
        required argument; required field; required property; required input;
        is required; are required; is a required; must be provided; must be specified;
        must be set; must be supplied; must provide; must specify; must supply;
        must contain; must include; must have; must match; must start with;
        must end with; must be one of; must be a; must be an; must be at least;
        must be at most; must be between; must be greater; must be less; must be in;
        must be valid; must be positive; must be non-negative; must be before;
        must be after; must be unique; must not; must come after; must come before;
        must be string; must be number; must be integer; must be boolean;
        must be array; must be object; must be equal; should be a; should be an;
        should be one of; should be greater; should be less; should have;
        should match; has to be; cannot be empty; can't be empty; cannot be blank;
        can't be blank; cannot be null; can't be null; cannot be negative;
        cannot be in the past; can not be empty; may not be; not be blank;
        not be empty; not be null; not a valid; is not valid; are not valid;
        isn't valid; not of type; is invalid; are invalid; is malformed; is too long;
        is too short; is too large; is too small; too large; too long; out of range;
        out of bounds; exceeds maximum; exceeds the maximum; exceeds max~;
        exceeds limit of; maximum length; minimum length; maximum allowed;
        unexpected keyword argument; unexpected argument; unexpected property;
        unexpected parameter; unknown parameter; unknown argument; unknown field;
        unknown option; unknown property; unknown key; unknown column; unknown query;
        unrecognized key~; unrecognized argument~; unrecognized parameter~;
        unrecognized field~; unsupported; not supported; additional properties;
        additionalproperties; not one of; expected one of; expected string;
        expected number; expected integer; expected array; expected object;
        expected boolean; expected a; expected an; expected type; syntax error;
        parse error; parsing error; failed to parse; could not parse; cannot parse;
        can't parse; unable to parse; failed to deserialize; cannot deserialize;
        could not deserialize; cannot unmarshal; failed to decode; type mismatch;
        does not match; doesn't match; do not match; mutually exclusive;
        cannot specify both; cannot be used together; cannot both; not both;
        provide either; provide exactly one; exactly one of; at least one of;
        only one of; either * or * must be; either * or * is required;
        one of * is required; one of * must; no arguments provided; not a number;
        not an integer; not a string; no value given; wrong number of arguments;
        wrong type; wrong input; wrong kind of value; wrong format;
        too many arguments; too few arguments; positional argument;
        null value in column; violates not-null constraint; violates check constraint;
        illegal argument; illegal value; bad input; bad value; context length;
        maximum context; not recognized; not a recognized; unterminated;
        ambiguous column; not null constraint; not-null constraint; check constraint;
        field validation for; unknown operator; is not unique; not unique in;
        expected * but got; expected * but received; expected * but found;
        should not be; should contain; only accepts; can only contain;
        may only contain; contains invalid; contains illegal; contains unsupported;
        incorrect format; not in the correct format; invalid character;
        invalid characters; illegal character; cannot be parsed; could not be parsed;
        cannot be converted; could not be converted; cannot convert;
        could not convert; unable to convert; conversion failed; no value provided;
        is not an allowed value; is not recognised; not recognised; is not a known;
        character limit; too many items; too many values; too many parameters;
        no such option; no such parameter; no such argument;
        extra inputs are not permitted; extra fields not permitted;
        a value is required; field required; value required; cannot be omitted;
        is mandatory; are mandatory; invalid base64; invalid utf-8; not well-formed;
        does not conform; unexpected type; data too long; wrong data type;
        is not an integer; is not a number; is not a string; is not an array;
        is not an object; could not be interpreted; exceeds the allowed;
        exceeds the limit of; is not within; not within the; must lie; must follow;
        must equal; has an invalid; have an invalid; with invalid; an invalid;
        incompatible; not compatible with; cannot contain; can't contain;
        may not contain; cannot start with; cannot end with; no * was provided;
        no * was specified; no * was given; no * provided; no * specified; no query;
        needs to be; in the past; in the future; must precede; must exceed;
        must differ; cannot be the same; must not be the same; can't be the same;
        value too large; value too long; value too small; value out of range;
        too large for; too long for; parsing * invalid syntax; expected * found;
        characters or fewer; characters or less; no more than; no fewer than;
        no less than; or greater; or fewer; is not supported; are not supported;
        isn't supported; not supported for; no longer supported; only supports;
        unparsable; not parseable; please enter a valid; enter a valid; a valid;
        must be an * address; looks invalid; seems invalid; is incorrect;
        are incorrect; incorrectly formatted; wrongly formatted; not formatted;
        should look like; does not look like; doesn't look like; only * files;
        only * formats; only letters; only numbers; only digits; only alphanumeric;
        ensure this value; less than or equal to; greater than or equal to;
        requires argument; requires parameter; requires field; requires property;
        requires option; requires arguments; requires parameters; requires either;
        requires one of; requires exactly; requires a value; one argument;
        two arguments; expects a; expects an; expects one; expects exactly;
        expects at; takes a; takes no; takes at; takes exactly; takes one;
        takes * positional; got an unexpected; got multiple values; but got;
        but received; must also; is only valid; only valid; only works; only applies;
        only accepted; isn't a; aren't; wasn't a; should not; shouldn't; ought to be;
        not expected; no longer accepted; not accepted as; not acceptable;
        not understood; cannot be interpreted; cannot interpret; can't interpret;
        couldn't parse; couldn't be parsed; unable to decode; unable to interpret;
        unable to read the; malformatted; mis-formatted; out of the range; beyond the;
        below the; above the; cannot exceed; can't exceed; must not exceed;
        may not exceed; should not exceed
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        multiple * found; multiple results; more than one; ambiguous;
        multiple matches; multiple * match; more than one match; more than one result;
        matches multiple; matched multiple; strict mode violation;
        did you mean one of; two * match; three * match; several * match;
        many * match; pass an id; specify which; which one; be more specific;
        several results; several candidates; multiple candidates; not unique enough;
        matches several; matches more than; matches two; matched several;
        more than one possible
        """,
    ),
    (
        m.CANCELLED,
        """
        request was rejected by; cancelled by user; canceled by user;
        cancelled by the user; canceled by the user; aborted by user;
        aborted by the user; rejected by user; rejected by the user; declined by user;
        declined by the user; denied by user; denied by the user; user cancelled;
        user canceled; user rejected; user declined; user denied; user aborted;
        user refused; user chose not; user did not approve; user did not confirm;
        did not confirm; did not approve; not confirmed by; declined to
        """,
    ),
    (
        m.STATE_UNKNOWN,
        """
        may have been applied; may or may not have; might have been processed;
        may have been processed; may have succeeded; may have completed;
        state is unknown; outcome is unknown; status is unknown
        """,
    ),
    (
        m.CRASH,
        """
        parse api response; parse response; decode response; unmarshal response;
        parse the response; invalid response; unexpected response; malformed response;
        bad response; empty response; failed to decode * response;
        failed to parse * response; unknown error; unknown reason; unknown exception;
        unknown failure; unknown cause; panic; panicked at; runtime error;
        nil pointer; null pointer; null reference; object reference not set;
        index out of bounds; index out of range; list index out of range;
        segmentation fault; cannot read properties of; cannot read property;
        is not a function; is not iterable; object has no attribute; has no attribute;
        unhandled exception; unhandled error; division by zero; stack overflow;
        out of memory; maximum recursion; maximum call stack; invalid memory address;
        assertion failed; not json serializable; circular structure; is not defined;
        no module named; cannot find module; internal server error; internal error;
        crashed; was killed; exited unexpectedly; terminated unexpectedly;
        core dumped; unhandled rejection; unhandled promise; unexpected token;
        unexpected end of json input; in json at position; went wrong;
        something is wrong; returned an invalid; returned invalid; sent an invalid;
        sent invalid; returned malformed; returned unexpected; returned an unexpected;
        returned an empty; returned no data; returned html; returned garbage;
        could not be decoded; not valid json; is not json; was not json; not json
        """,
    ),
    (
        m.PROTOCOL,
        """
        method not found; not implemented; protocol version;
        unsupported protocol version; server not initialized
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
        duplicate; duplicated; already; outdated; in use; locked;
        in its current state; not open; cannot delete; cannot remove; cannot close;
        cannot archive; cannot cancel; cannot rename; cannot merge; cannot move;
        cannot assign; cannot change; cannot update; cannot edit; cannot rebase;
        can't delete; can't remove; can't close; can't cancel; can't rename;
        can't merge; can't change; can't update; can't be deleted; cannot be deleted;
        cannot be removed; cannot be changed; cannot be closed; cannot be merged;
        cannot be moved; cannot be renamed; cannot be edited; cannot be updated;
        cannot be modified
        """,
    ),
    (
        m.VALIDATION,
        """
        invalid; syntax; bad; missing; required; incorrect; must; illegal;
        unexpected value; please provide; please specify; is not set; not configured;
        no * configured; provide a; provide at least; cannot be set; you must specify;
        unknown; at least; at most; non-empty; unrecognised; unrecognized; mandatory;
        no value; wrong; expected; cannot be used; not applicable; should be;
        less than; greater than; blank
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
        expired; limit reached; exhausted; limit exceeded; exceeded the limit; quota;
        not available for; insufficient; too low; too few; days only; hours only
        """,
    ),
)
