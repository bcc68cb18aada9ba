"""Sentences about who may do what: credentials, rights, policies.

See `phrases` for how a phrase is written.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.AUTHENTICATION,
        """
        no authentication available; authentication methods failed;
        no * token available; no * key available; no credentials available;
        authorization failure; authorisation failure; identity verification;
        verification failed; identify yourself; invalidcredentials; provide credentials;
        token is invalid; token was invalid; tokens are invalid; signature is invalid;
        signature does not match; signature mismatch; invalid signature; bearer token;
        username or password not; jwt parse error; account is disabled;
        disabled account; oauth token; oauth error; authorize again; sign in again;
        link your account; connect your account; authorization expired;
        authorization has expired; authorization is required; authorization required;
        re-authorize; reconnect your account; reauthorization; stored token;
        log in again; sign-in; token refresh; unauthorized; unauthorised;
        unauthenticated; not authenticated; authentication failed;
        authentication failure; authentication error; authentication required;
        authentication is required; authentication credentials were not provided;
        requires authentication; authentication token; invalid authentication;
        could not authenticate; failed to authenticate; unable to authenticate;
        re-authenticate; reauthenticate; reauthorize; please log in; please login;
        log in first; login first; not logged in; not signed in; login failed;
        logon denied; unable to locate credentials; credentials not; credentials are;
        credentials have expired; invalid username or password;
        invalid username/password; password authentication failed; invalid api-key;
        api key not configured; api key not found; invalid auth~; token has expired;
        token not found; session has expired; wrong username; noauth;
        authorization violation; wrong pass~; login was refused; password mismatch;
        one-time password; two-factor; multi-factor; verification code; mfa required;
        2fa; signature has expired; key has expired; key expired; key is disabled;
        key has been; key is not valid; key is invalid; api key disabled;
        session has ended; session ended; no active session; not been authenticated;
        logged out; signed out; requires login; requires you to log in;
        requires sign-in; authenticate first; retrieve a token; credentials have been;
        credential has expired; authorization header; authentication header;
        missing authorization; missing authentication; bind failed;
        authentication token has; token not recognized; token is not; token has been;
        token could not be; token lacks; sign in; signed in elsewhere;
        logged in elsewhere; signed in on another; logged in on another;
        session was closed; session has timed out; session timed out; session timeout
        """,
    ),
    (
        m.PERMISSION,
        """
        access is needed; permission is needed; approval is needed; quarantined;
        --allow~; --enable~;
        required permission; required permissions; admin scope; scope required;
        role required; access required; requires at least * role;
        requires at least * access; requires at least * permission; readonly database;
        read-only database; allow list; allowlist; whitelist; blocklist; denylist;
        entitlement; entitlements; access is required; role is required;
        scope is required; protected by; is protected; are protected; can only be * by;
        may only be * by; cannot be * by members; cannot be * by guests;
        permission is required; consent; only * queries are allowed;
        only * statements are allowed; only * operations are allowed; lacks the;
        lack the; not writable; not writeable; not readable; approval required;
        not in channel; only allows read; only read-only; read-only queries;
        readonly query; only select; only the owner; only admins; only administrators;
        is disabled; are disabled; been disabled; not been used in project; blocked for;
        write access; admin rights; cannot access; can't access; may not access;
        permission denied; permissions denied; permission error; permission required;
        permissions required; permission to; permissions to; no permission;
        not have permission; not have permissions; not have the permission;
        not have the required permission; lacks the required; lack the required;
        missing_scope; required scope; access denied; access to * denied;
        access denied for; denied access; access forbidden; forbidden; not have access;
        have no access; not accessible by; not have authorization; requires admin~;
        admin access required; admin only; admin privileges; administrator privileges;
        read-only mode; read only mode; read-only transaction; readonly mode;
        outside the allowed; outside of allowed; not on the allowlist;
        not in the allowlist; not in the whitelist; within one of these directories;
        blocked by policy; blocked by * policy; denied by policy; violates * policy;
        policy violation; restricted to; security policy; paywall; privileges;
        only available to; only visible to; requires elevated; elevated privileges;
        operation not permitted; not whitelisted; not allowlisted; ip address * not;
        account locked; account disabled; account has been; access revoked;
        not shared with; not visible to; not have rights; have the rights; no authority;
        write-protected; write protected; is read-only; is read only; is readonly;
        is immutable; disallowed; refused by policy; path traversal; cannot view;
        cannot modify; authorization to perform; does not allow; do not allow;
        is a private; is private; are private; only members; only members of;
        members only; cross-origin; administrator approval; admin consent; not enabled;
        need to be an admin; need to be a member; need to be the owner; requires owner;
        requires moderator; only * have access; only * has access; reserved for;
        not among the; doesn't allow; not enough permissions; not enough rights;
        not enough privileges; higher privileges; has no permission; has no access;
        have no permission; has no rights; outside of your; accept the terms;
        accept the license; agree to the terms; terms and conditions; terms of use;
        not accepted the; must accept; must agree; be approved by; approved by an;
        for your role; your role; your permissions; your access level; your account type
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.PERMISSION,
        """
        denied; not allowed; rejected by policy; prohibited; blocked; revoked;
        restricted; banned; suspended; refused; read-only; private; you are not;
        you're not; you cannot; you can't; you may not; only * are allowed;
        only * is allowed
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        authenticate; api key; api_key; credentials; log in; login; token; authorize;
        passcode; password; access token; refresh token
        """,
    ),
)
