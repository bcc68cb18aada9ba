"""The same in other languages; see `phrases` for how a phrase is written."""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.RATE_LIMITED,
        """
        回数制限; 頻度制限; アクセス制限中; 调用次数; 请求次数; 限速;
        limite de requêtes; limite de taux; tasa de solicitudes; anfragelimit;
        ratenbegrenzung; limite de taxa; превышен лимит запросов; 요청이 많;
        呼び出し上限; リクエストが多すぎ; レート制限; レートリミット; リクエスト制限;
        アクセスが集中; 请求过于频繁; 請求過於頻繁; 请求太频繁; 频率限制; 访问频率;
        速率限制; 流量限制; 限流; 调用频率; 요청이 너무 많; 요청 한도;
        trop de requêtes; zu viele anfragen; demasiadas solicitudes;
        demasiadas peticiones; límite de solicitudes; muitas solicitações;
        muitas requisições; troppe richieste; слишком много запросов;
        te veel verzoeken
        """,
    ),
    (
        m.BUSY,
        """
        sobrecargado; 处理中; 正在处理; ocupado; ausgelastet; surchargé; перегружен;
        混雑して; 混み合って; 服务繁忙; 系统繁忙; 服务器繁忙
        """,
    ),
    (
        m.OUTAGE,
        """
        サービス停止; 利用できない状態; 暂停服务; 维护中; 점검 중; en maintenance;
        wartung; en mantenimiento; em manutenção; in manutenzione; технические работы;
        hors service; サービスが利用できません; 一時的に利用できません; 一時的な障害;
        メンテナンス中; 服务暂时不可用; 暂时不可用; 服务不可用; 일시적으로;
        서비스를 사용할 수 없; temporairement indisponible;
        vorübergehend nicht verfügbar; temporalmente no disponible;
        temporariamente indisponível; temporaneamente non disponibile;
        временно недоступ~
        """,
    ),
    (
        m.LOST,
        """
        erreur de connexion; 通信エラー; ネットワークエラー; 応答なし; 连接超时;
        网络异常; 网络连接; 통신 오류; 네트워크 오류; erreur réseau; netzwerkfehler;
        verbindungsfehler; error de conexión; error de red; erro de conexão;
        errore di connessione; ошибка сети; ошибка соединения; tijdslimiet;
        zaman aşımı; przekroczono czas; タイムアウト; 応答がありません; 応答しません;
        接続に失敗; 接続できません; 接続エラー; 到達できません; 超时; 逾時; 连接失败;
        連線失敗; 连接被重置; 网络错误; 시간 초과; 시간이 초과; 연결 실패;
        연결할 수 없; délai d'attente; délai dépassé; zeitüberschreitung;
        verbindung fehlgeschlagen; tiempo de espera; tempo esgotado; tempo limite;
        tempo scaduto; время ожидания; тайм-аут
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        セッションが切れ; セッションの有効期限; サインイン; 再ログイン; apiキーが;
        登录; 登錄; 登入; 密钥无效; 密钥错误; 令牌失效; 凭证; 로그인; 토큰이 만료;
        세션이 만료; abgelaufene sitzung; sitzung ist abgelaufen;
        token ist abgelaufen; melden sie sich; anmelden; session expirée;
        jeton expiré; connectez-vous; clé api; identifiants; sesión ha expirado;
        sesión expirada; token ha expirado; iniciar sesión; inicie sesión;
        clave de api; sessão expirou; token expirado; faça login; sessione scaduta;
        token scaduto; accedi; сессия истекла; токен истек; войдите; 認証;
        ログインが必要; ログインしてください; トークンが無効; トークンの有効期限;
        有効期限が切れ; 身份验证; 未登录; 未授权; 认证失败; 令牌无效; 令牌已过期;
        鉴权失败; 인증; 로그인이 필요; authentification; authentifizierung;
        anmeldung erforderlich; nicht angemeldet; autenticación; no autenticado;
        autenticação; autenticazione; аутентификац~
        """,
    ),
    (
        m.PERMISSION,
        """
        権限が必要; 管理者権限; 管理者のみ; のみ実行でき; のみ利用でき;
        許可がありません; アクセスできません; 操作できません; 閲覧できません;
        没有访问; 没有足够; 未被授权; 仅限; 접근 권한; 권한이 필요; nicht erlaubt;
        nicht zulässig; nicht gestattet; pas autorisé; pas la permission;
        droits insuffisants; no está permitido; no tiene acceso;
        permisos insuficientes; não tem acesso; não é permitido;
        permissões insuficientes; non consentito; permessi insufficienti; vietato;
        запрещено; yetkiniz yok; brak uprawnień; 権限がありません; 権限が不足;
        権限不足; アクセスが拒否; アクセス権; 許可されていません; 没有权限; 無權限;
        权限不足; 无权限; 无权访问; 拒绝访问; 禁止访问; 权限被拒绝; 권한이 없;
        권한 없음; 액세스가 거부; 접근이 거부; accès refusé; accès interdit;
        permission refusée; non autorisé; zugriff verweigert; keine berechtigung;
        nicht berechtigt; acceso denegado; no tiene permiso; sin permiso;
        no autorizado; acesso negado; sem permissão; não autorizado; accesso negato;
        permesso negato; non autorizzato; доступ запрещ~; отказано в доступе;
        нет прав; недостаточно прав; geen toegang
        """,
    ),
    (
        m.BUSINESS,
        """
        在庫不足; 残高が不足; 上限に達し; 上限を超え; 締め切り; 対象外;
        利用できないプラン; 每日调用上限; 已达到; 达到上限; 超过上限; 超出限额; 库存;
        已售罄; 한도를 초과; 한도 초과; 재고; solde; épuisé; quota dépassé;
        limite atteinte; kontingent; guthaben reicht; ausverkauft; agotado;
        cuota excedida; saldo; esgotado; cota excedida; esaurito; quota superata;
        лимит исчерпан; превышена квота; bakiye; 残高不足; 在庫がありません; 在庫切れ;
        返金期間; 期限を過ぎ; 利用上限; 余额不足; 余額不足; 库存不足; 配额已用完;
        超出配额; 欠费; 잔액이 부족; solde insuffisant; guthaben; saldo insuficiente;
        saldo insufficiente; недостаточно средств
        """,
    ),
    (
        m.NOT_FOUND,
        """
        見当たらない; 該当するデータ; 該当なし; 存在しない; 查无; 没有该; 해당하는;
        찾지 못; aucun résultat; impossible de trouver; n'a pas été trouvé;
        keine ergebnisse; konnte nicht gefunden; existiert kein; no se pudo encontrar;
        no se ha encontrado; no se encuentra; não foi encontrado;
        não foi possível encontrar; não localizado; inesistente; impossibile trovare;
        не удалось найти; отсутствует; bulunamadı; nie znaleziono; nie istnieje;
        hittades inte; 存在しません; 見つかりません; 見つからない; 見当たりません;
        不存在; 未找到; 找不到; 没有找到; 找到不到; 찾을 수 없; 존재하지 않;
        introuvable; n'existe pas; non trouvé; pas trouvé; nicht gefunden;
        existiert nicht; no encontrado; no encontrada; no existe; no se encontró;
        não encontrado; não encontrada; não existe; non trovato; non esiste;
        не найден~; не существует; niet gevonden
        """,
    ),
    (
        m.CONFLICT,
        """
        すでに登録; 既に登録; 登録済み; 使用中です; 他のユーザーが編集; 已被占用;
        已被使用; 已经被; 이미 사용; 이미 등록; déjà utilisé; déjà pris; wird bereits;
        bereits verwendet; ya está en uso; já está em uso; già in uso; già presente;
        уже используется; zaten; すでに存在; 既に存在; 競合; ロックされて; 重複;
        已存在; 已经存在; 冲突; 重复; 被锁定; 이미 존재; 충돌; existe déjà;
        déjà existant; existiert bereits; bereits vorhanden; konflikt; ya existe;
        conflicto; já existe; conflito; esiste già; уже существует; конфликт
        """,
    ),
    (
        m.VALIDATION,
        """
        がありません; が不正; 正しくありません; 範囲外; 桁; 文字以内;
        選択してください; 必須; 不正确; 超出范围; 无效; 必须提供; 请提供; 请输入;
        不支持; 유효하지; 필요합니다; 형식이; 범위를; 입력해; manquant; manquante;
        non valide; n'est pas valide; doit être; veuillez fournir; fehlt; fehlend;
        fehlende; darf nicht; muss; ist ungültig; falta; faltan; faltante; no válido;
        debe ser; debe tener; formato incorrecto; inválido; inválida; deve ser;
        deve ter; formato incorreto; mancante; deve essere; formato non;
        отсутствует параметр; должен; должно; неверный; geçersiz; gerekli;
        nieprawidłow~; wymagane; verplicht; moet; 入力が不正; 入力エラー; 不正な;
        無効な; 無効です; 必須です; 必須項目; 必須パラメータ; 形式が正しくありません;
        形式が不正; 指定してください; 入力してください; 参数错误; 參數錯誤; 参数无效;
        无效的; 無效的; 缺少参数; 缺少必; 必填; 必须; 不能为空; 格式错误; 格式不正确;
        不合法; 유효하지 않; 잘못된; 필수; paramètre manquant; invalide; requis;
        obligatoire; ungültig~; erforderlich; fehlender parameter; pflichtfeld;
        inválid~; no es válid~; obligatorio; requerido; falta el; obrigatório;
        non valido; non valida; obbligatorio; недопустим~; неверн~; обязательн~;
        некорректн~; ongeldig~
        """,
    ),
    (
        m.AMBIGUOUS,
        """
        複数の候補; 候補が複数
        """,
    ),
    (
        m.CANCELLED,
        """
        中止されました; 取り消されました; 被取消; 취소되었; a été annulé;
        wurde abgebrochen; fue cancelada; foi cancelada; è stata annullata;
        キャンセルされました; キャンセルしました; ユーザーが拒否; 用户取消; 已取消;
        用户拒绝; 취소; annulé; abgebrochen; cancelado; annullato; отменен~
        """,
    ),
    (
        m.STATE_UNKNOWN,
        """
        実行されたか不明; 状態不明
        """,
    ),
    (
        m.CRASH,
        """
        内部エラー; サーバーエラー; 予期しないエラー; 予期せぬエラー; 内部错误;
        内部錯誤; 服务器错误; 服务器内部; 未知错误; 서버 오류; 내부 오류;
        erreur interne; interner fehler; interner serverfehler; error interno;
        erro interno; errore interno; внутренняя ошибка; неизвестная ошибка
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.LOST,
        """
        mais tarde; しばらくしてから; 稍后重试; 请稍后; 잠시 후; réessayez plus tard;
        später erneut; más tarde; più tardi; позже
        """,
    ),
)
