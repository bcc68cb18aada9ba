"""Sentences about what passes: limits, load, outages, lost connections.

See `phrases` for how a phrase is written.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.CONTENTION,
        """
        conflicts with another transaction;
        operation in progress; operation is in progress;
        operation is already in progress; operation was already in progress;
        update is in progress; update in progress; due to contention;
        too much contention; contention on these; retry your operation;
        conflicted with another operation; retry your transaction
        """,
    ),
    (
        m.RATE_LIMITED,
        """
        throughput exceeds the current capacity; provisioned throughput exceeded;
        exceeded rate limits; rate limits exceeded;
        request rate; request rates; call rate; api rate; too short a period;
        too short a time; maximum number of requests; maximum number of api requests;
        maximum number of calls; maximum number of api calls;
        allowed number of requests; permitted number of requests;
        allowed number of calls; access frequency; allowed frequency; max concurrent;
        maximum concurrent; concurrent * limit; concurrency limit;
        too many simultaneous; rate limit exceeded; request limit reached;
        call limit exceeded; rate limit reached; secondary rate limit; rate-limited;
        being rate limited; rate limit; rate-limit~; rate_limit~; ratelimit~;
        rate limited; rate exceeded; rate limiting; request limit exceeded; throttl~;
        reduce your request rate; request rate is too high; call limit reached;
        flood control; calling * too fast; too frequent~; sending requests too quickly;
        requests too quickly; abuse detection; spike arrest; request quota exceeded for;
        requests are coming; are being throttled; has been throttled; rate-limiting;
        your api rate limit; your rate limit; over the rate; over rate;
        quota of requests; request quota; burst limit; rate limit of * exceeded;
        rate limit * exceeded; limit of requests;
        limit of * requests
        """,
    ),
    (
        m.BUSY,
        """
        already running its maximum; already at its maximum; wait queue is full;
        circuit breaker is open; circuit breaker open; circuit is open;
        is shutting down; queue is full; try again shortly; again in a moment;
        again in a few; concurrent runs exceeded;
        could not serialize access due to concurrent update; still syncing;
        still loading; still initializing; still being processed; database is locked;
        transaction could not be serialized; try restarting transaction;
        rerun the transaction; buffer is full; getting ready; try again in a moment;
        model is loading; too many clients;
        too many concurrent; connection pool exhausted; pool exhausted; is starting up;
        still starting; still connecting; warming up; is loading; deadlock detected;
        deadlock found; deadlock victim; was deadlocked; could not serialize access;
        lock wait timeout; could not obtain lock; is currently loading;
        currently loading; still warming up; exclusive access to this record;
        unable to obtain exclusive access; few minutes before; wait a few seconds;
        wait a few minutes; wait a few moments; in a few seconds; in a few minutes;
        in a few moments; heavy load; high load; high demand; high traffic; under load;
        queue full; no capacity; insufficient capacity; out of capacity; back off;
        resource temporarily unavailable; again soon; too busy
        """,
    ),
    (
        m.OUTAGE,
        """
        temporarily out of; service unavailable; service is unavailable;
        currently unable to handle the request; under maintenance; down for maintenance;
        scheduled maintenance; maintenance mode; temporary failure; temporary error;
        temporary outage; transient error; transient failure; transient * error;
        temporary * error; greylist~; graylist~; temporarily rejected;
        temporarily deferred; temporary problem; temporary issue; temporarily down;
        temporarily offline; temporarily disabled; temporarily failed; intermittent;
        undergoing maintenance; maintenance window; in maintenance; during maintenance;
        for maintenance; transient problem; transient issue
        """,
    ),
    (
        m.LOST,
        """
        transport failure; error sending request; sending request for;
        not enough capacity; capacity exceeded; exceeded capacity; went down; went away;
        ssl error; tls error; aborted due to timeout; client.timeout exceeded;
        timeout exceeded; timeout of; canceled (client.timeout; canceled while awaiting;
        deadline has been exceeded; timed out; time out; timed-out; timeout; timeouts;
        deadline exceeded; took too long; failed to respond; connection reset;
        connection lost; connection was lost; connection closed; connection was closed;
        connection aborted; connection error; connection failed; connection failure;
        connection timed out; connection issue; lost connection; server has gone away;
        server disconnected; server closed the connection; peer closed connection;
        closed the connection unexpectedly; broken pipe; socket hang up; network error;
        network failure; network issue; transport failure; network is unreachable;
        network request failed; fetch failed; bad gateway; upstream error;
        upstream failure; unexpected eof; unexpected end of file; econnreset~;
        stream ended before; tls handshake; ssl handshake; err_connection_reset;
        err_timed_out; unreachable; is down; out of reach; terminating connection;
        administrator command; not primary; not master; node is recovering;
        primary stepped down; brokers are down; brokers down; allotted time;
        time limit exceeded; exceeded the time limit; exceeded time limit;
        ran out of time; took longer than; maximum execution time; in the allowed time;
        within the allowed time; not complete in time; not finish in time;
        not respond in time; connection dropped; dropped the connection;
        connection has been; connection is closed; connection not open;
        connection was aborted; connection was terminated; connection was refused;
        disconnected; socket closed; socket is closed; stream closed; stream reset;
        closed prematurely; premature close; prematurely; no longer connected;
        is offline; went offline; not online; unresponsive; gateway error; proxy error;
        upstream connect error; upstream request; no healthy upstream; no healthy;
        failover; election in progress; no leader; leader changed; unhealthy cluster;
        unhealthy upstream; quorum; lost quorum; host unreachable; transport error;
        transport closed; transport is closed; pipe closed; i/o timeout; idle timeout;
        read timeout; write timeout; wait timeout; not yet ready; still starting up;
        still running; still in progress; being provisioned; still processing;
        is initializing; is restarting; restarting; rebooting; deadline has elapsed;
        deadline elapsed; has elapsed; did not * within; not * within the;
        not observe any item; no terminal signal; exceeded * deadline;
        deadline was exceeded; deadline reached; past its deadline; request expired;
        took longer; waited too long; waiting too long; gave up waiting; gave up after;
        no heartbeat; lost contact; cut off; stalled; hung; being rebuilt;
        being indexed; being reindexed; being updated; being migrated; being restored;
        being deployed; being created; not available yet; not yet available;
        unavailable right now; unavailable at the moment; browser has been closed;
        page has been closed; context has been closed; socket has been closed;
        connection has been closed; channel has been closed; stream has been closed;
        pool has been closed; client has been closed; transport has been closed;
        tunnel has been closed; pipe has been closed; cursor has been closed;
        handle has been closed; browser was closed; page was closed; context was closed;
        socket was closed; channel was closed; stream was closed; pool was closed;
        client was closed; transport was closed; tunnel was closed; pipe was closed;
        cursor was closed; handle was closed; browser is closed; page is closed;
        context is closed; channel is closed; stream is closed; pool is closed;
        client is closed; tunnel is closed; pipe is closed; cursor is closed;
        handle is closed; target closed
        """,
    ),
    (
        m.REFUSED,
        """
        dns resolution; dns lookup; dns error; connection refused; refused connection;
        refused the connection; refused to connect; actively refused; no such host;
        could not resolve host; name or service not known; nodename nor servname;
        temporary failure in name resolution; name resolution; getaddrinfo;
        err_name_not_resolved; err_connection_refused;
        failed to establish a new connection; failed to connect; could not connect;
        couldn't connect; cannot connect; can't connect; unable to connect;
        unable to reach; could not reach; couldn't reach; cannot reach; failed to reach;
        not reachable; no route to host; server selection; no connection established;
        not connected to; dns query; name resolution failed; cannot resolve host;
        unable to resolve host; dns server; error connecting to; error connecting;
        no connection could be made; connection attempts failed;
        could not open connection; could not open a connection;
        failed to open connection; could not establish; unable to establish;
        failed to establish; cannot establish; no route; is unreachable;
        are unreachable; destination unreachable; no reachable servers;
        no servers available; no connection available; no connections available;
        no upstream available; no upstreams available; no workers available;
        no nodes available; no backend available; no backends available; not connected;
        is not reachable; isn't reachable
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.LOST,
        """
        must wait; have to wait; need to wait;
        try again later; retry later; again later; unavailable; temporarily; transient;
        please wait; offline; interrupted; try again; retry; again; dropped;
        momentarily; later; eof
        """,
    ),
)
