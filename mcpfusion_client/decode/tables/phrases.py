"""Sentences people write into errors, and what they mean.

All lower case, separated by semicolons. A phrase matches at the start and the end
of a word; ``~`` at its end lets the word go on, ``*`` stands for up to 60 characters
of the same line. A longer phrase hides the shorter ones inside it. Rows of `WEAK`
count only where nothing clearer was said. What passes by itself and other languages
have their own files.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
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
        m.AUTHENTICATION,
        """
        invalidcredentials; provide credentials; not accepted; oauth token;
        oauth error; invalid session id; authorize again; sign in again;
        link your account; connect your account; authorization expired;
        authorization has expired; authorization is required; authorization required;
        re-authorize; reconnect your account; invalid or expired session;
        expired session; invalid or expired token; reauthorization; stored token;
        log in again; sign-in; token refresh; unauthorized; unauthorised;
        unauthenticated; not authenticated; authentication failed;
        authentication failure; authentication error; authentication required;
        authentication is required; authentication credentials were not provided;
        requires authentication; authentication token; invalid authentication;
        could not authenticate; failed to authenticate; unable to authenticate;
        re-authenticate; reauthenticate; reauthorize; login required; please log in;
        please login; must be logged in; log in first; login first; not logged in;
        not signed in; sign in; login failed; invalid login; logon denied;
        bad credentials; invalid credentials; invalid credential;
        incorrect credentials; missing credentials; no credentials;
        unable to locate credentials; credentials not; credentials are;
        credentials have expired; invalid username or password;
        invalid username/password; wrong password; incorrect password;
        password authentication failed; invalid api key; invalid api-key;
        incorrect api key; api key is invalid; api key invalid; api key not valid;
        api key expired; missing api key; no api key; api key not configured;
        api key is not configured; api key is not set; api key required;
        api key is required; api key is missing; api key not found; invalid token;
        invalid access token; invalid auth~; invalid bearer token; invalid signature;
        invalid jwt; jwt expired; token is invalid; token is expired; token expired;
        token has expired; token was revoked; token revoked; token has been revoked;
        token is required; token required; token is missing; token not found;
        missing token; no token; access token expired; expired token;
        expired access token; token * rejected; token * has expired;
        token * is invalid; token * is not valid; token * not set; token * is not set;
        session expired; session has expired; session is invalid; invalid session;
        wrong username; noauth; authorization violation; password is wrong;
        wrong pass~; password is incorrect; login was refused; password mismatch;
        invalid passphrase
        """,
    ),
    (
        m.PERMISSION,
        """
        protected by; is protected; are protected; can only be * by; may only be * by;
        cannot be * by members; cannot be * by guests; permission is required;
        consent; not granted; only * queries are allowed;
        only * statements are allowed; only * operations are allowed; lacks the;
        lack the; not writable; not writeable; not readable; not a member;
        must be a member; approval required; requires approval; needs approval;
        awaiting approval; approve here; full permissions; not in channel;
        only allows read; only read-only; read-only queries; readonly query;
        only select; only the owner; only admins; only administrators;
        don't have access; doesn't have access; do not have access;
        does not have access; don't have permission; doesn't have permission;
        is disabled; are disabled; been disabled; disabled by; not enabled;
        not been used in project; blocked for; write access; admin rights;
        cannot access; can't access; may not access; permission denied;
        permissions denied; permission error; permission required;
        permissions required; permission to; permissions to; no permission;
        not have permission; not have permissions; not have the permission;
        not have the required permission; without permission; lack permission;
        lacks permission; lacks the required; lack the required; missing permission;
        missing permissions; missing or insufficient permissions;
        insufficient permission; insufficient permissions; insufficient privilege;
        insufficient privileges; insufficient rights; insufficient access;
        insufficient scope; insufficient authentication scopes; missing scope;
        missing required scope; missing_scope; required scope; requires scope;
        access denied; access is denied; access to * denied; access denied for;
        denied access; access forbidden; access not allowed; access is not allowed;
        forbidden; not authorized; not authorised; not allowed to; not allowed for;
        not permitted; not permitted to; not have access; no access to;
        have no access; not entitled; not accessible by; not have authorization;
        don't have authorization; requires admin~; requires administrator privileges;
        admin access required; admin only; admin privileges; administrator privileges;
        read-only mode; read only mode; read-only transaction; readonly mode;
        outside allowed directories; outside the allowed; outside of allowed;
        not in allowed directories; not in the allowed; not on the allowlist;
        not in the allowlist; not in the whitelist; path not allowed;
        within one of these directories; blocked by policy; blocked by * policy;
        denied by policy; not allowed by policy; violates * policy; policy violation;
        restricted to; security policy; paywall; privileges
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
        storage quota; no space left on device; disk full; business rule;
        refund window; refund period; return window; window has expired;
        window has closed; past the deadline; deadline has passed; not eligible;
        ineligible; company policy; policy does not allow; not refundable;
        already shipped; already been shipped; minimum order; maximum * per customer;
        feature is not available on; not available on your; not enabled for your;
        not supported on your plan
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
        has been deleted; was deleted; been removed; is gone; 404 page
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
        out of date; stale; etag; precondition failed; precondition not met;
        optimistic lock~; concurrent modification; concurrent update; is locked;
        is locked by; locked by another; resource is locked; state lock;
        not mergeable; not a fast-forward; non-fast-forward; updates were rejected;
        cannot be deleted because; is in use by; still in use; has dependent;
        directory not empty; not empty; was archived; is archived; in the wrong state;
        invalid state transition; current state; current status;
        unique constraint failed; primary key constraint
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
        field validation for
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        multiple * found; multiple results; more than one; ambiguous;
        multiple matches; multiple * match; more than one match; more than one result;
        matches multiple; matched multiple; strict mode violation; did you mean one of
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
        no module named; cannot find module; internal server error; internal error
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
        m.CONFLICT,
        """
        duplicate; duplicated
        """,
    ),
    (
        m.VALIDATION,
        """
        invalid; syntax; bad; missing; required; incorrect; must; illegal;
        unexpected value; please provide; please specify; is not set; not configured;
        no * configured; provide a; provide at least; cannot be set; you must specify
        """,
    ),
    (
        m.CANCELLED,
        """
        cancelled; canceled; was aborted; operation aborted; request aborted
        """,
    ),
    (
        m.PERMISSION,
        """
        denied; not allowed; rejected by policy; prohibited; blocked
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        authenticate; api key; api_key; credentials; log in
        """,
    ),
    (
        m.BUSINESS,
        """
        expired; limit reached; exhausted; limit exceeded; exceeded the limit; quota;
        not available for
        """,
    ),
)
