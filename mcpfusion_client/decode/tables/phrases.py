"""Sentences people write into errors, and what they mean.

All lower case. A phrase matches at the start and the end of a word; ``~`` at its
end lets the word go on, ``*`` stands for up to 60 characters of the same line.
A longer phrase hides the shorter ones inside it. Rows of `WEAK` count only where
nothing clearer was said.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.RATE_LIMITED,
        """
        回数制限
        頻度制限
        アクセス制限中
        调用次数
        请求次数
        限速
        limite de requêtes
        limite de taux
        tasa de solicitudes
        anfragelimit
        ratenbegrenzung
        limite de taxa
        превышен лимит запросов
        요청이 많
        max concurrent
        maximum concurrent
        concurrent * limit
        concurrency limit
        frequency limit
        frequency limited
        request frequency
        too many simultaneous
        rate limit exceeded
        request limit reached
        call limit exceeded
        rate limit reached
        secondary rate limit
        rate-limited
        being rate limited
        rate limit
        rate-limit~
        rate_limit~
        ratelimit~
        rate limited
        rate limits
        rate exceeded
        rate limiting
        too many requests
        too many calls
        too many attempts
        too many api calls
        too many messages
        too many queries
        request limit exceeded
        requests per second exceeded
        throttl~
        slow down
        reduce your request rate
        request rate is too high
        call limit reached
        flood control
        calling * too fast
        too frequent~
        sending requests too quickly
        requests too quickly
        exceeded * requests per
        呼び出し上限
        リクエストが多すぎ
        レート制限
        レートリミット
        リクエスト制限
        アクセスが集中
        请求过于频繁
        請求過於頻繁
        请求太频繁
        频率限制
        访问频率
        速率限制
        流量限制
        限流
        调用频率
        요청이 너무 많
        요청 한도
        trop de requêtes
        zu viele anfragen
        demasiadas solicitudes
        demasiadas peticiones
        límite de solicitudes
        muitas solicitações
        muitas requisições
        troppe richieste
        слишком много запросов
        te veel verzoeken
        """,
    ),
    (
        m.BUSY,
        """
        处理中
        正在处理
        ocupado
        ausgelastet
        surchargé
        sobrecargado
        перегружен
        is shutting down
        queue is full
        try again shortly
        again in a moment
        again in a few
        concurrent runs exceeded
        could not serialize access due to concurrent update
        not ready yet
        is not ready
        still syncing
        still loading
        still initializing
        still being processed
        database is locked
        could not be serialized
        try restarting transaction
        rerun the transaction
        getting ready
        try again in a moment
        model is loading
        temporarily overloaded
        server is busy
        server busy
        system is busy
        system busy
        is busy
        currently busy
        is overloaded
        overloaded
        at capacity
        over capacity
        too many connections
        too many clients
        too many concurrent
        connection pool exhausted
        pool exhausted
        is starting up
        still starting
        still connecting
        warming up
        is loading
        deadlock detected
        deadlock found
        deadlock victim
        was deadlocked
        could not serialize access
        lock wait timeout
        could not obtain lock
        混雑して
        混み合って
        服务繁忙
        系统繁忙
        服务器繁忙
        """,
    ),
    (
        m.OUTAGE,
        """
        サービス停止
        利用できない状態
        暂停服务
        维护中
        점검 중
        en maintenance
        wartung
        en mantenimiento
        em manutenção
        in manutenzione
        технические работы
        hors service
        temporarily unavailable
        temporarily out of
        service unavailable
        service is unavailable
        service is currently unavailable
        currently unavailable
        currently unable to handle the request
        under maintenance
        down for maintenance
        scheduled maintenance
        maintenance mode
        temporary failure
        temporary error
        temporary outage
        transient error
        transient failure
        サービスが利用できません
        一時的に利用できません
        一時的な障害
        メンテナンス中
        服务暂时不可用
        暂时不可用
        服务不可用
        일시적으로
        서비스를 사용할 수 없
        temporairement indisponible
        vorübergehend nicht verfügbar
        temporalmente no disponible
        temporariamente indisponível
        temporaneamente non disponibile
        временно недоступ~
        transient * error
        temporary * error
        """,
    ),
    (
        m.LOST,
        """
        通信エラー
        ネットワークエラー
        応答なし
        连接超时
        网络异常
        网络连接
        통신 오류
        네트워크 오류
        erreur réseau
        erreur de connexion
        netzwerkfehler
        verbindungsfehler
        error de conexión
        error de red
        erro de conexão
        errore di connessione
        ошибка сети
        ошибка соединения
        tijdslimiet
        zaman aşımı
        przekroczono czas
        upstream down
        server down
        service down
        backend down
        went down
        went away
        ssl error
        tls error
        aborted due to timeout
        client.timeout exceeded
        timeout exceeded
        timeout of
        canceled (client.timeout
        canceled while awaiting
        deadline has been exceeded
        timed out
        time out
        timed-out
        timeout
        timeouts
        deadline exceeded
        took too long
        did not respond
        no response from
        not responding
        failed to respond
        connection reset
        connection lost
        connection was lost
        connection closed
        connection was closed
        connection aborted
        connection error
        connection failed
        connection failure
        connection terminated
        connection timed out
        connection issue
        lost connection
        server has gone away
        server disconnected
        server closed the connection
        peer closed connection
        closed the connection unexpectedly
        broken pipe
        socket hang up
        network error
        network failure
        network issue
        network is unreachable
        network request failed
        fetch failed
        bad gateway
        upstream error
        upstream failure
        unexpected eof
        unexpected end of file
        econnreset~
        stream ended before
        tls handshake
        ssl handshake
        err_connection_reset
        err_timed_out
        connection interrupted
        unreachable
        is down
        out of reach
        タイムアウト
        応答がありません
        応答しません
        接続に失敗
        接続できません
        接続エラー
        到達できません
        超时
        逾時
        连接失败
        連線失敗
        连接被重置
        网络错误
        시간 초과
        시간이 초과
        연결 실패
        연결할 수 없
        délai d'attente
        délai dépassé
        zeitüberschreitung
        verbindung fehlgeschlagen
        tiempo de espera
        tempo esgotado
        tempo limite
        tempo scaduto
        время ожидания
        тайм-аут
        """,
    ),
    (
        m.REFUSED,
        """
        dns resolution
        dns lookup
        dns error
        connection refused
        refused connection
        refused the connection
        refused to connect
        actively refused
        no such host
        could not resolve host
        name or service not known
        nodename nor servname
        temporary failure in name resolution
        name resolution
        getaddrinfo
        err_name_not_resolved
        err_connection_refused
        failed to establish a new connection
        failed to connect
        could not connect
        couldn't connect
        cannot connect
        can't connect
        unable to connect
        unable to reach
        could not reach
        couldn't reach
        cannot reach
        failed to reach
        not reachable
        no route to host
        host is down
        server selection
        no connection established
        not connected to
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        invalidcredentials
        provide credentials
        not accepted
        セッションが切れ
        セッションの有効期限
        サインイン
        再ログイン
        apiキーが
        登录
        登錄
        登入
        密钥无效
        密钥错误
        令牌失效
        凭证
        로그인
        토큰이 만료
        세션이 만료
        abgelaufene sitzung
        sitzung ist abgelaufen
        token ist abgelaufen
        melden sie sich
        anmelden
        session expirée
        jeton expiré
        connectez-vous
        clé api
        identifiants
        sesión ha expirado
        sesión expirada
        token ha expirado
        iniciar sesión
        inicie sesión
        clave de api
        sessão expirou
        token expirado
        faça login
        sessione scaduta
        token scaduto
        accedi
        сессия истекла
        токен истек
        войдите
        oauth token
        oauth error
        invalid session id
        authorize again
        sign in again
        link your account
        connect your account
        authorization expired
        authorization has expired
        authorization is required
        authorization required
        re-authorize
        reconnect your account
        invalid or expired session
        expired session
        invalid or expired token
        reauthorization
        stored token
        log in again
        sign-in
        token refresh
        unauthorized
        unauthorised
        unauthenticated
        not authenticated
        authentication failed
        authentication failure
        authentication error
        authentication required
        authentication is required
        authentication credentials were not provided
        requires authentication
        authentication token
        invalid authentication
        could not authenticate
        failed to authenticate
        unable to authenticate
        re-authenticate
        reauthenticate
        reauthorize
        login required
        please log in
        please login
        must be logged in
        log in first
        login first
        not logged in
        not signed in
        sign in
        login failed
        invalid login
        logon denied
        bad credentials
        invalid credentials
        invalid credential
        incorrect credentials
        missing credentials
        no credentials
        unable to locate credentials
        credentials not
        credentials are
        credentials have expired
        invalid username or password
        invalid username/password
        wrong password
        incorrect password
        password authentication failed
        invalid api key
        invalid api-key
        incorrect api key
        api key is invalid
        api key invalid
        api key not valid
        api key expired
        missing api key
        no api key
        api key not configured
        api key is not configured
        api key is not set
        api key required
        api key is required
        api key is missing
        api key not found
        invalid token
        invalid access token
        invalid auth~
        invalid bearer token
        invalid signature
        invalid jwt
        jwt expired
        token is invalid
        token is expired
        token expired
        token has expired
        token was revoked
        token revoked
        token has been revoked
        token is required
        token required
        token is missing
        token not found
        missing token
        no token
        access token expired
        expired token
        expired access token
        token * rejected
        token * has expired
        token * is invalid
        token * is not valid
        token * not set
        token * is not set
        session expired
        session has expired
        session is invalid
        invalid session
        wrong username
        noauth
        認証
        ログインが必要
        ログインしてください
        トークンが無効
        トークンの有効期限
        有効期限が切れ
        身份验证
        未登录
        未授权
        认证失败
        令牌无效
        令牌已过期
        鉴权失败
        인증
        로그인이 필요
        authentification
        authentifizierung
        anmeldung erforderlich
        nicht angemeldet
        autenticación
        no autenticado
        autenticação
        autenticazione
        аутентификац~
        """,
    ),
    (
        m.PERMISSION,
        """
        consent
        not granted
        管理者のみ
        のみ実行でき
        のみ利用でき
        許可がありません
        アクセスできません
        操作できません
        閲覧できません
        没有访问
        没有足够
        未被授权
        仅限
        접근 권한
        권한이 필요
        nicht erlaubt
        nicht zulässig
        nicht gestattet
        pas autorisé
        pas la permission
        droits insuffisants
        no está permitido
        no tiene acceso
        permisos insuficientes
        não tem acesso
        não é permitido
        permissões insuficientes
        non consentito
        permessi insufficienti
        vietato
        запрещено
        yetkiniz yok
        brak uprawnień
        only * queries are allowed
        only * statements are allowed
        only * operations are allowed
        lacks the
        lack the
        not writable
        not writeable
        not readable
        not a member
        must be a member
        approval required
        requires approval
        needs approval
        awaiting approval
        approve here
        full permissions
        not in channel
        only allows read
        only read-only
        read-only queries
        readonly query
        only select
        only the owner
        only admins
        only administrators
        don't have access
        doesn't have access
        do not have access
        does not have access
        don't have permission
        doesn't have permission
        is disabled
        are disabled
        been disabled
        disabled by
        not enabled
        not been used in project
        blocked for
        write access
        admin rights
        cannot access
        can't access
        may not access
        permission denied
        permissions denied
        permission error
        permission required
        permissions required
        permission to
        permissions to
        no permission
        not have permission
        not have permissions
        not have the permission
        not have the required permission
        without permission
        lack permission
        lacks permission
        lacks the required
        lack the required
        missing permission
        missing permissions
        missing or insufficient permissions
        insufficient permission
        insufficient permissions
        insufficient privilege
        insufficient privileges
        insufficient rights
        insufficient access
        insufficient scope
        insufficient authentication scopes
        missing scope
        missing required scope
        missing_scope
        required scope
        requires scope
        access denied
        access is denied
        access to * denied
        access denied for
        denied access
        access forbidden
        access not allowed
        access is not allowed
        forbidden
        not authorized
        not authorised
        not allowed to
        not allowed for
        not permitted
        not permitted to
        not have access
        no access to
        have no access
        not entitled
        not accessible by
        not have authorization
        don't have authorization
        requires admin~
        requires administrator privileges
        admin access required
        admin only
        admin privileges
        administrator privileges
        read-only mode
        read only mode
        read-only transaction
        readonly mode
        outside allowed directories
        outside the allowed
        outside of allowed
        not in allowed directories
        not in the allowed
        not on the allowlist
        not in the allowlist
        not in the whitelist
        path not allowed
        within one of these directories
        blocked by policy
        blocked by * policy
        denied by policy
        not allowed by policy
        violates * policy
        policy violation
        restricted to
        security policy
        paywall
        privileges
        権限がありません
        権限が不足
        権限不足
        アクセスが拒否
        アクセス権
        許可されていません
        没有权限
        無權限
        权限不足
        无权限
        无权访问
        拒绝访问
        禁止访问
        权限被拒绝
        권한이 없
        권한 없음
        액세스가 거부
        접근이 거부
        accès refusé
        accès interdit
        permission refusée
        non autorisé
        zugriff verweigert
        keine berechtigung
        nicht berechtigt
        acceso denegado
        no tiene permiso
        sin permiso
        no autorizado
        acesso negado
        sem permissão
        não autorizado
        accesso negato
        permesso negato
        non autorizzato
        доступ запрещ~
        отказано в доступе
        нет прав
        недостаточно прав
        geen toegang
        """,
    ),
    (
        m.BUSINESS,
        """
        在庫不足
        残高が不足
        上限に達し
        上限を超え
        締め切り
        対象外
        利用できないプラン
        每日调用上限
        已达到
        达到上限
        超过上限
        超出限额
        库存
        已售罄
        한도를 초과
        한도 초과
        재고
        solde
        épuisé
        quota dépassé
        limite atteinte
        kontingent
        guthaben reicht
        ausverkauft
        agotado
        cuota excedida
        saldo
        esgotado
        cota excedida
        esaurito
        quota superata
        лимит исчерпан
        превышена квота
        bakiye
        upgrade to a
        upgrade to the
        upgrade to pro
        upgrade to premium
        paid plan
        premium plan
        higher plan
        payment is needed
        payment is required
        payment needed
        budget exhausted
        exhausted your
        not enough
        payment required
        insufficient funds
        insufficient balance
        insufficient credit
        insufficient credits
        insufficient_quota
        insufficient stock
        not enough credit
        not enough credits
        not enough balance
        out of credits
        out of stock
        credit limit
        credits exhausted
        no credits
        card was declined
        card declined
        payment failed
        payment declined
        quota exceeded
        quota is full
        quota exhausted
        quota has been
        exceeded * quota
        exceeds * quota
        quota limit
        over quota
        usage limit
        plan limit
        limit of your plan
        your plan
        current plan
        upgrade your
        subscription required
        subscription has expired
        subscription expired
        subscription is
        billing
        trial has ended
        trial expired
        spending limit
        budget exceeded
        daily limit
        monthly limit
        monthly usage
        storage limit
        storage quota
        no space left on device
        disk full
        business rule
        refund window
        refund period
        return window
        window has expired
        window has closed
        past the deadline
        deadline has passed
        not eligible
        ineligible
        company policy
        policy does not allow
        not refundable
        already shipped
        already been shipped
        minimum order
        maximum * per customer
        feature is not available on
        not available on your
        not enabled for your
        not supported on your plan
        残高不足
        在庫がありません
        在庫切れ
        返金期間
        期限を過ぎ
        利用上限
        余额不足
        余額不足
        库存不足
        配额已用完
        超出配额
        欠费
        잔액이 부족
        solde insuffisant
        guthaben
        saldo insuficiente
        saldo insufficiente
        недостаточно средств
        """,
    ),
    (
        m.NOT_FOUND,
        """
        did not match any
        見当たらない
        該当するデータ
        該当なし
        存在しない
        查无
        没有该
        해당하는
        찾지 못
        aucun résultat
        impossible de trouver
        n'a pas été trouvé
        keine ergebnisse
        konnte nicht gefunden
        existiert kein
        no se pudo encontrar
        no se ha encontrado
        no se encuentra
        não foi encontrado
        não foi possível encontrar
        não localizado
        inesistente
        impossibile trovare
        не удалось найти
        отсутствует
        bulunamadı
        nie znaleziono
        nie istnieje
        hittades inte
        not found
        notfound
        not_found
        could not be found
        was not found
        cannot find
        can't find
        could not find
        couldn't find
        unable to find
        failed to find
        unable to locate
        could not locate
        cannot locate
        does not exist
        doesn't exist
        do not exist
        did not exist
        not exist
        no longer exists
        no such
        no * found
        no * with id
        no matching
        no match for
        nothing found
        could not resolve to
        unknown tool
        unknown action
        unknown resource
        unknown table
        unknown database
        unknown command
        unknown prompt
        unknown user
        unknown project
        unknown model
        invalid tool name
        undefined table
        isn't available
        command not found
        has been deleted
        was deleted
        been removed
        is gone
        404 page
        存在しません
        見つかりません
        見つからない
        見当たりません
        不存在
        未找到
        找不到
        没有找到
        找到不到
        찾을 수 없
        존재하지 않
        introuvable
        n'existe pas
        non trouvé
        pas trouvé
        nicht gefunden
        existiert nicht
        no encontrado
        no encontrada
        no existe
        no se encontró
        não encontrado
        não encontrada
        não existe
        non trovato
        non esiste
        не найден~
        не существует
        niet gevonden
        """,
    ),
    (
        m.CONFLICT,
        """
        すでに登録
        既に登録
        登録済み
        使用中です
        他のユーザーが編集
        已被占用
        已被使用
        已经被
        이미 사용
        이미 등록
        déjà utilisé
        déjà pris
        wird bereits
        bereits verwendet
        ya está en uso
        já está em uso
        già in uso
        già presente
        уже используется
        zaten
        already present
        invalid state for
        already exists
        already exist
        already in use
        already been taken
        already taken
        already closed
        already merged
        already open
        already running
        already registered
        already locked
        already been
        already completed
        already processed
        already deleted
        already cancelled
        already assigned
        already has
        is already
        was already
        another * already exists
        duplicate key
        duplicate entry
        duplicate value
        duplicate name
        duplicate record
        unique constraint
        unique violation
        foreign key constraint
        violates foreign key
        version conflict
        version mismatch
        edit conflict
        merge conflict
        merge conflicts
        write conflict
        conflict
        conflicts with
        conflicting
        conflicted
        has been modified
        was modified
        modified by another
        changed since
        out of date
        stale
        etag
        precondition failed
        precondition not met
        optimistic lock~
        concurrent modification
        concurrent update
        is locked
        is locked by
        locked by another
        resource is locked
        database is locked
        state lock
        not mergeable
        not a fast-forward
        non-fast-forward
        updates were rejected
        cannot be deleted because
        is in use by
        still in use
        has dependent
        directory not empty
        not empty
        was archived
        is archived
        in the wrong state
        invalid state transition
        current state
        current status
        すでに存在
        既に存在
        競合
        ロックされて
        重複
        已存在
        已经存在
        冲突
        重复
        被锁定
        이미 존재
        충돌
        existe déjà
        déjà existant
        existiert bereits
        bereits vorhanden
        konflikt
        ya existe
        conflicto
        já existe
        conflito
        esiste già
        уже существует
        конфликт
        """,
    ),
    (
        m.VALIDATION,
        """
        がありません
        が不正
        正しくありません
        範囲外
        桁
        文字以内
        選択してください
        必須
        不正确
        超出范围
        无效
        必须提供
        请提供
        请输入
        不支持
        유효하지
        필요합니다
        형식이
        범위를
        입력해
        manquant
        manquante
        non valide
        n'est pas valide
        doit être
        veuillez fournir
        fehlt
        fehlend
        fehlende
        darf nicht
        muss
        ist ungültig
        falta
        faltan
        faltante
        no válido
        debe ser
        debe tener
        formato incorrecto
        inválido
        inválida
        deve ser
        deve ter
        formato incorreto
        mancante
        deve essere
        formato non
        отсутствует параметр
        должен
        должно
        неверный
        geçersiz
        gerekli
        nieprawidłow~
        wymagane
        verplicht
        moet
        method not allowed
        only supported
        is only available
        are only available
        only available in
        requires a
        requires an
        requires at least
        requires the
        does not support
        doesn't support
        is not a
        are not a
        unknown operation
        unknown type
        unknown mode
        unknown language
        unknown format
        unknown param
        unknown output
        unknown input
        unknown function
        unknown event
        unknown provider
        unknown role
        unknown unit
        unknown currency
        unknown timezone
        unknown country
        unknown locale
        unknown node
        unknown encoding
        unknown identifier
        unknown symbol
        unknown flag
        unknown method
        unknown enum
        unknown value
        unknown attribute
        unknown scope
        unknown filter
        unknown status
        unknown category
        unknown region
        unknown language
        not provided
        not specified
        was not given
        needs a
        was not supplied
        no arguments
        nothing to update
        at least one field
        validation error
        validation errors
        validation failed
        validation failure
        failed validation
        did not pass validation
        does not pass validation
        invalid argument
        invalid arguments
        invalid parameter
        invalid parameters
        invalid params
        invalid input
        invalid request
        invalid value
        invalid format
        invalid type
        invalid date~
        invalid url
        invalid uri
        invalid json
        invalid email
        invalid id
        invalid uuid
        invalid query
        invalid syntax
        invalid enum value
        invalid option
        invalid choice
        invalid filter
        invalid cursor
        invalid page token
        invalid timezone
        invalid path
        invalid regex
        invalid regular expression
        invalid identifier
        invalid name
        invalid range
        invalid sort
        invalid object name
        invalid attribute
        invalid body
        invalid payload
        invalid data
        bad request
        bad parameter
        malformed
        badly formatted
        ill-formed
        unprocessable
        missing required
        missing parameter
        missing parameters
        missing argument
        missing arguments
        missing field
        missing fields
        missing property
        missing properties
        missing input
        missing positional argument
        missing * required positional argument
        missing * required keyword-only argument
        required parameter
        required argument
        required field
        required property
        required input
        is required
        are required
        is a required
        must be provided
        must be specified
        must be set
        must be supplied
        must provide
        must specify
        must supply
        must contain
        must include
        must have
        must match
        must start with
        must end with
        must be one of
        must be a
        must be an
        must be at least
        must be at most
        must be between
        must be greater
        must be less
        must be in
        must be valid
        must be positive
        must be non-negative
        must be before
        must be after
        must be unique
        must not
        must come after
        must come before
        must be string
        must be number
        must be integer
        must be boolean
        must be array
        must be object
        must be equal
        should be a
        should be an
        should be one of
        should be greater
        should be less
        should have
        should match
        has to be
        cannot be empty
        can't be empty
        cannot be blank
        can't be blank
        cannot be null
        can't be null
        cannot be negative
        cannot be in the past
        can not be empty
        may not be
        not be blank
        not be empty
        not be null
        not a valid
        is not valid
        are not valid
        isn't valid
        not of type
        is invalid
        are invalid
        is malformed
        is too long
        is too short
        is too large
        is too small
        too large
        too long
        out of range
        out of bounds
        exceeds maximum
        exceeds the maximum
        exceeds max~
        exceeds limit of
        maximum length
        minimum length
        maximum allowed
        unexpected keyword argument
        unexpected argument
        unexpected property
        unexpected parameter
        unknown parameter
        unknown argument
        unknown field
        unknown option
        unknown property
        unknown key
        unknown column
        unknown query
        unrecognized key~
        unrecognized argument~
        unrecognized parameter~
        unrecognized field~
        unsupported
        not supported
        additional properties
        additionalproperties
        not one of
        expected one of
        expected string
        expected number
        expected integer
        expected array
        expected object
        expected boolean
        expected a
        expected an
        expected type
        syntax error
        parse error
        parsing error
        failed to parse
        could not parse
        cannot parse
        can't parse
        unable to parse
        failed to deserialize
        cannot deserialize
        could not deserialize
        cannot unmarshal
        failed to decode
        type mismatch
        does not match
        doesn't match
        do not match
        mutually exclusive
        cannot specify both
        cannot be used together
        cannot both
        not both
        provide either
        provide exactly one
        exactly one of
        at least one of
        only one of
        either * or * must be
        either * or * is required
        one of * is required
        one of * must
        no arguments provided
        not a number
        not an integer
        not a string
        no value given
        wrong number of arguments
        wrong type
        wrong input
        wrong kind of value
        wrong format
        too many arguments
        too few arguments
        positional argument
        null value in column
        violates not-null constraint
        violates check constraint
        illegal argument
        illegal value
        bad input
        bad value
        context length
        maximum context
        not recognized
        not a recognized
        unterminated
        ambiguous column
        入力が不正
        入力エラー
        不正な
        無効な
        無効です
        必須です
        必須項目
        必須パラメータ
        形式が正しくありません
        形式が不正
        指定してください
        入力してください
        参数错误
        參數錯誤
        参数无效
        无效的
        無效的
        缺少参数
        缺少必
        必填
        必须
        不能为空
        格式错误
        格式不正确
        不合法
        유효하지 않
        잘못된
        필수
        paramètre manquant
        invalide
        requis
        obligatoire
        ungültig~
        erforderlich
        fehlender parameter
        pflichtfeld
        inválid~
        no es válid~
        obligatorio
        requerido
        falta el
        obrigatório
        non valido
        non valida
        obbligatorio
        недопустим~
        неверн~
        обязательн~
        некорректн~
        ongeldig~
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        multiple * found
        multiple results
        more than one
        ambiguous
        multiple matches
        multiple * match
        more than one match
        more than one result
        matches multiple
        matched multiple
        strict mode violation
        did you mean one of
        複数の候補
        候補が複数
        """,
    ),
    (
        m.CANCELLED,
        """
        中止されました
        取り消されました
        被取消
        취소되었
        a été annulé
        wurde abgebrochen
        fue cancelada
        foi cancelada
        è stata annullata
        request was rejected by
        cancelled by user
        canceled by user
        cancelled by the user
        canceled by the user
        aborted by user
        aborted by the user
        rejected by user
        rejected by the user
        declined by user
        declined by the user
        denied by user
        denied by the user
        user cancelled
        user canceled
        user rejected
        user declined
        user denied
        user aborted
        user refused
        user chose not
        user did not approve
        user did not confirm
        did not confirm
        did not approve
        not confirmed by
        declined to
        キャンセルされました
        キャンセルしました
        ユーザーが拒否
        用户取消
        已取消
        用户拒绝
        취소
        annulé
        abgebrochen
        cancelado
        annullato
        отменен~
        """,
    ),
    (
        m.STATE_UNKNOWN,
        """
        may have been applied
        may or may not have
        might have been processed
        may have been processed
        may have succeeded
        may have completed
        state is unknown
        outcome is unknown
        status is unknown
        実行されたか不明
        状態不明
        """,
    ),
    (
        m.CRASH,
        """
        内部エラー
        サーバーエラー
        予期しないエラー
        予期せぬエラー
        内部错误
        内部錯誤
        服务器错误
        服务器内部
        未知错误
        서버 오류
        내부 오류
        erreur interne
        interner fehler
        interner serverfehler
        error interno
        erro interno
        errore interno
        внутренняя ошибка
        неизвестная ошибка
        parse api response
        parse response
        decode response
        unmarshal response
        parse the response
        invalid response
        unexpected response
        malformed response
        bad response
        empty response
        failed to decode * response
        failed to parse * response
        unknown error
        unknown reason
        unknown exception
        unknown failure
        unknown cause
        panic
        panicked at
        runtime error
        nil pointer
        null pointer
        null reference
        object reference not set
        index out of bounds
        index out of range
        list index out of range
        segmentation fault
        cannot read properties of
        cannot read property
        is not a function
        is not iterable
        object has no attribute
        has no attribute
        unhandled exception
        unhandled error
        division by zero
        stack overflow
        out of memory
        maximum recursion
        maximum call stack
        invalid memory address
        assertion failed
        not json serializable
        circular structure
        is not defined
        no module named
        cannot find module
        internal server error
        internal error
        """,
    ),
    (
        m.PROTOCOL,
        """
        method not found
        not implemented
        protocol version
        unsupported protocol version
        server not initialized
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.VALIDATION,
        """
        invalid
        syntax
        bad
        missing
        required
        incorrect
        must
        illegal
        unexpected value
        please provide
        please specify
        is not set
        not configured
        no * configured
        provide a
        provide at least
        cannot be set
        you must specify
        """,
    ),
    (
        m.CANCELLED,
        """
        cancelled
        canceled
        was aborted
        operation aborted
        request aborted
        """,
    ),
    (m.PERMISSION, "denied\nnot allowed\nrejected by policy\nprohibited\nblocked"),
    (
        m.AUTHENTICATION,
        "authenticate\napi key\napi_key\ncredentials\nexpired token\nlog in",
    ),
    (
        m.BUSINESS,
        "limit reached\nexhausted\nlimit exceeded\nexceeded the limit\nquota\nnot available for",
    ),
    (
        m.LOST,
        """
        しばらくしてから
        稍后重试
        请稍后
        잠시 후
        réessayez plus tard
        später erneut
        más tarde
        mais tarde
        più tardi
        позже
        try again later
        retry later
        again later
        unavailable
        temporarily
        transient
        """,
    ),
)

NOT_DONE: tuple[str, ...] = (
    "no changes were made",
    "no change was made",
    "nothing was changed",
    "nothing was sent",
    "nothing was written",
    "was not performed",
    "was not executed",
    "were not executed",
    "was not applied",
    "was not sent",
    "no action was taken",
    "not been executed",
    "rolled back",
    "変更はありません",
    "実行されていません",
)
"""Words that say that the call left nothing behind."""

PROHIBITIONS: tuple[str, ...] = (
    "do not retry",
    "don't retry",
    "do not repeat",
    "do not try again",
    "don't try again",
    "do not call again",
    "not retryable",
    "non-retryable",
    "nonretryable",
    "not be retried",
    "retrying will not",
    "retry will not",
    "retrying won't",
    "will not succeed",
    "no retry",
    "cannot be retried",
    "never retry",
    "再試行しないでください",
    "再試行しても",
    "请勿重试",
    "不要重试",
)
"""Words that forbid a repeat, whatever else is said."""
