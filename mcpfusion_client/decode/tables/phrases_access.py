"""Sentences about who may do what: credentials, rights, policies.

See `phrases` for how a phrase is written.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
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
        not signed in; login failed; invalid login; logon denied; bad credentials;
        invalid credentials; invalid credential; incorrect credentials;
        missing credentials; no credentials; unable to locate credentials;
        credentials not; credentials are; credentials have expired;
        invalid username or password; invalid username/password; wrong password;
        incorrect password; password authentication failed; invalid api key;
        invalid api-key; incorrect api key; api key is invalid; api key invalid;
        api key not valid; api key expired; missing api key; no api key;
        api key not configured; api key is not configured; api key is not set;
        api key required; api key is required; api key is missing; api key not found;
        invalid token; invalid access token; invalid auth~; invalid bearer token;
        invalid signature; invalid jwt; jwt expired; token is invalid;
        token is expired; token expired; token has expired; token was revoked;
        token revoked; token has been revoked; token is required; token required;
        token is missing; token not found; missing token; no token;
        access token expired; expired token; expired access token; token * rejected;
        token * has expired; token * is invalid; token * is not valid;
        token * not set; token * is not set; session expired; session has expired;
        session is invalid; invalid session; wrong username; noauth;
        authorization violation; password is wrong; wrong pass~;
        password is incorrect; login was refused; password mismatch;
        invalid passphrase; login incorrect; one-time password; two-factor;
        multi-factor; verification code; mfa required; 2fa; signature has expired;
        signature expired; key has expired; key expired; key is disabled;
        key has been; key is not valid; key is invalid; api key disabled;
        api key revoked; invalid refresh token; session has ended; session ended;
        no active session; not been authenticated; logged out; signed out;
        you must authenticate; must be authenticated; must sign in; must log in;
        must login; requires login; requires you to log in; requires sign-in;
        authenticate first; retrieve a token; credentials were rejected;
        credentials rejected; credentials expired; credentials have been;
        credential has expired; wrong credentials; authorization header;
        authentication header; missing authorization; missing authentication;
        client certificate required; bind failed; authentication token has;
        token not valid; token not recognized; token is not; token has been;
        token could not be; token lacks; tokens expired; sign in; signed in elsewhere;
        logged in elsewhere; signed in on another; logged in on another;
        session was revoked; session has been revoked; session revoked;
        session was closed; session has timed out; session timed out; session timeout
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
        is disabled; are disabled; been disabled; disabled by;
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
        restricted to; security policy; paywall; privileges; not the owner;
        must be an admin; must be admin; must be the owner; must be an owner;
        only available to; only visible to; requires the * role;
        requires * permission; requires * permissions; requires * privileges;
        requires elevated; elevated privileges; operation not permitted;
        not whitelisted; not allowlisted; ip address * not; ip not allowed;
        you are banned; been banned; been suspended; is suspended; account is locked;
        account locked; account disabled; account has been; been deactivated;
        is deactivated; access revoked; access has been revoked; insufficient role;
        not shared with; not visible to; no rights to; not have rights;
        have the rights; no authority; write-protected; write protected; is read-only;
        is read only; is readonly; is immutable; disallowed; is not allowed;
        are not allowed; isn't allowed; aren't allowed; not allowed in;
        not allowed on; not allowed when; not allowed by; refused by policy;
        path traversal; outside of the sandbox; outside the sandbox;
        outside the workspace; outside workspace; outside the project; outside * root;
        cannot view; cannot modify; authorization to perform; not authorised to;
        not authorized to; does not allow; do not allow; is a private; is private;
        are private; only members; only members of; members only; cross-origin;
        administrator approval; admin consent; not enabled; need * rights;
        needs * rights; need * permission; need * permissions; needs * permission;
        need * access; needs * access; need the * role; needs the * role;
        need to be an admin; need to be a member; need to be the owner;
        requires * rights; requires * access; requires owner; requires moderator;
        only * have access; only * has access; reserved for; limited to;
        not among the; are not a member; not entitled to; lacks * permission;
        lack * permission; missing * permission; missing * scope; missing the * scope;
        missing the * permission; doesn't allow; not enough permissions;
        not enough rights; not enough privileges; higher privileges;
        has no permission; has no access; have no permission; has no rights;
        without * permission; outside of your; belongs to another; accept the terms;
        accept the license; agree to the terms; terms and conditions; terms of use;
        not accepted the; must accept; must agree; be approved by; approved by an;
        needs to be approved; must be approved; pending approval;
        waiting for approval; for your role; your role; your permissions;
        your access level; your account type
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.PERMISSION,
        """
        denied; not allowed; rejected by policy; prohibited; blocked; revoked;
        restricted; banned; suspended; refused; read-only; private; you are not;
        you're not; you cannot; you can't; you may not; only * can; only * may;
        only * are allowed; only * is allowed
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
