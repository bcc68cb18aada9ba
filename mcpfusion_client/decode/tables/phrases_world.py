"""The same in other languages; see `phrases` for how a phrase is written."""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.RATE_LIMITED,
        """
        quá nhiều yêu cầu; terlalu banyak permintaan; คำขอมากเกินไป; 回数制限; 頻度制限;
        アクセス制限中; 调用次数; 请求次数; 限速; limite de requêtes; limite de taux;
        tasa de solicitudes; anfragelimit; ratenbegrenzung; limite de taxa;
        превышен лимит запросов; 요청이 많; 呼び出し上限; リクエストが多すぎ;
        レート制限; レートリミット; リクエスト制限; アクセスが集中; 请求过于频繁;
        請求過於頻繁; 请求太频繁; 频率限制; 访问频率; 速率限制; 流量限制; 限流;
        调用频率; 요청이 너무 많; 요청 한도를 초과; 요청 한도 초과; 요청 한도에 도달;
        trop de requêtes; zu viele anfragen; demasiadas solicitudes;
        demasiadas peticiones; límite de solicitudes; muitas solicitações;
        muitas requisições; troppe richieste; слишком много запросов; te veel verzoeken;
        リクエストの上限; リクエスト数の上限; 回数の上限; 呼び出しの上限; 呼び出し回数;
        アクセス数の上限; リクエスト数が; 頻度が高すぎ; 送信しすぎ; 请求频率; 请求太多;
        请求过多; 调用过于频繁; 操作过于频繁; 操作太频繁; 访问过于频繁; 访问太频繁;
        請求次數; 요청 횟수; limite d'appels; limite de débit * dépass~;
        limite de débit * attein~; limite de débit * attend; quota de requêtes par;
        trop d'appels; trop de tentatives; anfragen pro; zu viele versuche;
        zu viele aufrufe; límite de peticiones; límite de tasa; demasiados intentos;
        demasiadas llamadas; limite de requisições * excedid~;
        limite de requisições * atingid~; muitas tentativas; muitos pedidos;
        muitas chamadas; troppi tentativi; limite di richieste * superat~;
        limite di richieste * raggiunt~; слишком много попыток; te veel pogingen;
        çok fazla istek; zbyt wiele żądań; för många förfrågningar;
        for mange forespørgsler; liian monta pyyntöä; アクセスが多すぎ;
        リクエストが多い; アクセス過多; 回数が多すぎ; 操作频繁; 过于频繁; 太频繁; 过快;
        너무 잦; 너무 많은 요청
        """,
    ),
    (
        m.BUSY,
        """
        sobrecargado; 处理中; 正在处理; ocupado; ausgelastet; surchargé; перегружен;
        混雑して; 混み合って; 服务繁忙; 系统繁忙; 服务器繁忙; サーバーが混雑;
        系统正忙; 服务器忙; 负载过高; serveur est occupé; server ist ausgelastet;
        servidor está ocupado; server occupato; сервер занят; 서버가 바쁩니다
        """,
    ),
    (
        m.OUTAGE,
        """
        サービス停止; 正在升级; 升级中; 利用できない状態; 暂停服务; 维护中; 점검 중;
        en maintenance; wartung; en mantenimiento; em manutenção; in manutenzione;
        технические работы; hors service; サービスが利用できません;
        一時的に利用できません; 一時的な障害; メンテナンス中; 服务暂时不可用;
        暂时不可用; 服务不可用; 일시적으로; 서비스를 사용할 수 없;
        temporairement indisponible; vorübergehend nicht verfügbar;
        temporalmente no disponible; temporariamente indisponível;
        temporaneamente non disponibile; временно недоступ~; 一時的なエラー;
        メンテナンス; 系统维护; 維護中; 服务维护; momentanément indisponible
        """,
    ),
    (
        m.LOST,
        """
        hết thời gian; waktu habis; หมดเวลา; انتهت المهلة;
        erreur de connexion; 通信エラー; ネットワークエラー; 応答なし; 连接超时;
        网络异常; 网络连接; 통신 오류; 네트워크 오류; erreur réseau; netzwerkfehler;
        verbindungsfehler; error de conexión; error de red; erro de conexão;
        errore di connessione; ошибка сети; ошибка соединения; tijdslimiet;
        zaman aşımı~; przekroczono czas; タイムアウト; 応答がありません; 応答しません;
        接続に失敗; 接続できません; 接続エラー; 到達できません; 超时; 逾時; 连接失败;
        連線失敗; 连接被重置; 网络错误; 시간 초과; 시간이 초과; 연결 실패;
        연결할 수 없; délai d'attente; délai dépassé; zeitüberschreitung;
        verbindung fehlgeschlagen; tiempo de espera; tempo esgotado; tempo limite;
        tempo scaduto; время ожидания; тайм-аут; 応答がなかった; 接続が切れ;
        接続が切断; 切断されました; 通信に失敗; ネットワークに接続; 连接中断;
        连接断开; 连接已断开; 连接被拒绝; 无法连接; 無法連線; 无响应; 没有响应;
        请求超时; 연결이 끊; connexion perdue; connexion interrompue;
        connexion refusée; connexion impossible; temps d'attente; a expiré le délai;
        verbindung unterbrochen; verbindung verloren; verbindung abgelehnt;
        keine verbindung; nicht erreichbar; antwortet nicht; conexión perdida;
        conexión rechazada; se agotó el tiempo; tiempo agotado; no responde;
        sin conexión; no se pudo conectar; conexão perdida; conexão recusada;
        tempo excedido; não responde; não foi possível conectar; connessione persa;
        connessione rifiutata; connessione scaduta; non risponde;
        impossibile connettersi; соединение разорвано; нет соединения; не отвечает;
        превышено время; time-out
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
        autenticação; autenticazione; аутентификац~; 認証に失敗; 認証エラー;
        パスワードが正しくありません; パスワードが違い; ログインして;
        トークンが期限切れ; 登录已过期; 登录失效; 登录状态; 请先登录; 密码错误;
        用户名或密码; 凭证无效; token无效; token已过期; token失效; 令牌; 授权已过期;
        認證失敗; mot de passe incorrect; non authentifié; authentification requise;
        jeton invalide; jeton d'accès; session a expiré; passwort ist falsch;
        falsches passwort; token ungültig; token abgelaufen; nicht authentifiziert;
        anmeldung fehlgeschlagen; credenciales; token inválido; token no válido;
        debe iniciar; senha incorreta; senha inválida; credenciais; não autenticado;
        credenziali; non autenticato; password errata; неверный пароль;
        учетные данные; токен недействителен; inloggen; reconnecter; neu anmelden;
        erneut anmelden; volver a iniciar; faça o login; 再度ログイン; 重新登录;
        다시 로그인
        """,
    ),
    (
        m.PERMISSION,
        """
        không có quyền; không được phép; tidak diizinkan; tidak memiliki izin;
        ไม่ได้รับอนุญาต; ไม่มีสิทธิ์; غير مصرح; अनुमति नहीं;
        承認が必要;
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
        нет прав; недостаточно прав; geen toegang; 権限がない; 権限を持って;
        アクセスは許可; アクセスが許可; 許可がない; 利用できる権限; 管理者に連絡;
        管理者に依頼; 没有操作权限; 操作权限; 没有 * 权限; 无操作权限; 無 * 權限;
        無權; 访问被拒绝; 未授权访问; 不允许; 권한이 부족; n'avez pas la permission;
        n'avez pas les droits; n'avez pas accès; n'avez pas l'autorisation;
        n'est pas autorisé; n'êtes pas autorisé; autorisation requise;
        droits d'administrateur; réservé aux; interdit; keine rechte;
        fehlende berechtigung; fehlende rechte; nicht autorisiert;
        nicht die berechtigung; nur für administratoren; verweigert;
        no tiene permisos; no tienes permiso; no tienes permisos; no está autorizado;
        permisos de administrador; no autorizada; prohibido; não tem permissão;
        não possui permissão; não tem autorização; não está autorizado;
        sem autorização; não autorizada; permissão negada; proibido;
        non hai i permessi; non hai il permesso; non hai accesso; non ha i permessi;
        non autorizzata; permesso; не имеете права; нет доступа; нет разрешения;
        geen rechten; niet toegestaan; erişim reddedildi; izniniz yok; odmowa dostępu;
        åtkomst nekad; 缺少权限; 缺少 * 权限
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
        saldo insufficiente; недостаточно средств; 残高が足り; 足りません;
        不足しています; 予算を超え; 返品期間; キャンセルできません; 上限金額;
        受付を終了; 受付期間; 支払いが; 決済に失敗; 金额不足; 额度不足; 额度已用完;
        超出额度; 超出预算; 已过期限; 不支持退款; 支付失败; 已售完; 已停售; 배송;
        예산; crédits insuffisants; limite de votre; votre forfait; votre abonnement;
        délai de remboursement; hors stock; rupture de stock; guthaben reicht nicht;
        kontostand; limit ihres; ihr tarif; ihr abonnement; rückgabefrist;
        nicht auf lager; nicht vorrätig; fondos insuficientes; límite de su; su plan;
        su suscripción; límite diario; sin existencias; fuera de stock; plazo de;
        fundos insuficientes; limite do seu; seu plano; sua assinatura; limite diário;
        sem estoque; fora de estoque; prazo de; fondi insufficienti; limite del tuo;
        il tuo piano; limite giornaliero; non disponibile a magazzino; дневной лимит;
        нет в наличии; 次数已用完; 已用完; 已用尽; 已达上限; 次数不足; 超出次数;
        本月 * 上限; 今日 * 上限; 免费次数; 無料枠; 今月の; 使い切り; 利用回数の上限;
        limite * atteinte; limite * dépassée; limite mensal; limite de * atingido;
        limite * atingido; limite * excedido; límite * alcanzado; límite * superado;
        límite mensual; limit erreicht; limit überschritten; tageslimit; monatslimit;
        limite * raggiunto; лимит * исчерпан; лимит * превышен; 한도에 도달
        """,
    ),
    (
        m.NOT_FOUND,
        """
        未知工具; 未知操作; 未知命令; 未知的; không tìm thấy; không tồn tại;
        không có; tidak ditemukan; tidak ada; ไม่พบ; غير موجود; नहीं मिला;
        알 수 없는; 見当たらない; 該当するデータ; 該当なし; 存在しない; 查无; 没有该;
        해당하는; 찾지 못; aucun résultat; impossible de trouver; n'a pas été trouvé;
        keine ergebnisse; konnte nicht gefunden; existiert kein; no se pudo encontrar;
        no se ha encontrado; no se encuentra; não foi encontrado;
        não foi possível encontrar; não localizado; inesistente; impossibile trovare;
        не удалось найти; отсутствует; bulunamadı; nie znaleziono; nie istnieje;
        hittades inte; 存在しません; 見つかりません; 見つからない; 見当たりません;
        不存在; 未找到; 找不到; 没有找到; 找到不到; 찾을 수 없; 존재하지 않;
        introuvable; n'existe pas; non trouvé; pas trouvé; nicht gefunden;
        existiert nicht; no encontrado; no encontrada; no existe; no se encontró;
        não encontrado; não encontrada; não existe; non trovato; non esiste;
        не найден~; не существует; niet gevonden; 見つかりませんでした;
        見つけられません; 存在していません; 削除されています; 削除済み;
        データがありません; 登録されていません; 没有此; 没有这个; 没有数据; 无此;
        无法找到; 查询不到; 查不到; 未查询到; 已被删除; 已删除; 找不到该; 삭제되었;
        n'a pas pu être trouvé; n'existent pas; aucun fichier; aucun enregistrement;
        aucune donnée; aucun utilisateur; a été supprimé; inexistant; inconnu;
        kein * gefunden; keine * gefunden; nicht vorhanden; wurde gelöscht;
        unbekannt~; existieren nicht; no se encontraron; no existen; inexistente;
        desconocido; desconocida; ha sido eliminado; não existem; nenhum registro;
        nenhum resultado; desconhecido; foi excluído; foi removido; nessun risultato;
        non esistono; sconosciuto; è stato eliminato; нет такого; не обнаружен~;
        удалён; удален; bestaat niet; bulunamıyor; mevcut değil; nie odnaleziono;
        finns inte; ikke fundet; ei löydy; 退会済み; 該当する; は存在し;
        無効になりました; 不存在的; 未注册; n'existe plus; ya no existe;
        não existe mais; nicht mehr vorhanden; больше не существует
        """,
    ),
    (
        m.CONFLICT,
        """
        đã tồn tại; sudah ada; sudah digunakan; มีอยู่แล้ว; موجود بالفعل;
        すでに登録; 既に登録; 登録済み; 使用中です; 他のユーザーが編集; 已被占用;
        已被使用; 已经被; 이미 사용; 이미 등록; déjà utilisé; déjà pris; wird bereits;
        bereits verwendet; ya está en uso; já está em uso; già in uso; già presente;
        уже используется; zaten; すでに存在; 既に存在; 競合; ロックされて; 重複;
        已存在; 已经存在; 冲突; 重复; 被锁定; 이미 존재; 충돌; existe déjà;
        déjà existant; existiert bereits; bereits vorhanden; konflikt; ya existe;
        conflicto; já existe; conflito; esiste già; уже существует; конфликт;
        同じ名前; 同名の; が存在します; 使用されています; 編集中; 更新されました;
        変更されています; 既に使用; 他のユーザー; 更新されています; 締め切られ;
        完了しています; 済みです; 排他; 已更新; 已变更; 已被修改; 已被锁定; 正在使用;
        被占用; 正在编辑; 名称已; 已经被使用; 已使用; 状态不; 当前状态; 已关闭;
        已完成; 已结束; 이미; a été modifié; est déjà; a déjà; sont déjà;
        en cours d'utilisation; verrouillé; wurde bereits; ist bereits; sind bereits;
        wurde geändert; gesperrt; schon vorhanden; in verwendung; ya está; ya existen;
        ya fue; ya se; ha sido modificado; en uso; bloqueado; duplicado; já está;
        já existem; já foi; foi modificado; em uso; bloqueado por; è già;
        già esistente; è stato modificato; in uso; bloccato; уже занят; уже есть;
        был изменен; был изменён; заблокирован; bestaat al; zaten var; już istnieje;
        finns redan; findes allerede; すでに * されて; 既に * されて; すでに * います;
        予約済み; 利用中です; 満席; 已经 * 了; 已被取消; 已预订; 已过期; a déjà été;
        ont déjà été; bereits storniert; bereits abgeschlossen; bereits gebucht;
        ya ha sido; ya está cancelad~; já foi cancelad~; è già stato; уже был~;
        уже отмен~
        """,
    ),
    (
        m.VALIDATION,
        """
        为空; 太大; 太小; 太长; 太短; 缺失; 需为; 需要 * 参数; 不是有效; không hợp lệ;
        bắt buộc; tidak valid; wajib diisi; harus diisi; ไม่ถูกต้อง; غير صالح; مطلوب;
        अमान्य; がありません; が不正; 非法; 不是合法; 未配置; 正しくありません; 範囲外;
        桁; 文字以内; 選択してください; 必須; 不正确; 超出范围; 无效; 必须提供; 请提供;
        请输入; 不支持; 유효하지; 필요합니다; 형식이; 범위를; 입력해; manquant;
        manquante; non valide; n'est pas valide; doit être; veuillez fournir; fehlt;
        fehlend; fehlende; darf nicht; muss; ist ungültig; falta; faltan; faltante;
        no válido; debe ser; debe tener; formato incorrecto; inválido; inválida;
        deve ser; deve ter; formato incorreto; mancante; deve essere; formato non;
        отсутствует параметр; должен; должно; неверный; geçersiz; gerekli;
        nieprawidłow~; wymagane; verplicht; moet; 入力が不正; 入力エラー; 不正な;
        無効な; 無効です; 必須です; 必須項目; 必須パラメータ; 形式が正しくありません;
        形式が不正; 指定してください; 入力してください; 参数错误; 參數錯誤; 参数无效;
        无效的; 無效的; 缺少参数; 缺少必; 必填; 必须; 不能为空; 格式错误; 格式不正确;
        不合法; in einem stapel; pro stapel; in einer einzigen; im selben stapel;
        dans un même lot; dans un seul lot; par lot; en un lote; en un solo; por lote;
        em um lote; num lote; in un lotto; in un solo; per lotto; в одном пакете;
        в одном запросе; за один раз; 一次请求过多; 1回のリクエスト; 유효하지 않;
        잘못된; 필수; paramètre manquant; invalide; requis; obligatoire; ungültig~;
        erforderlich; fehlender parameter; pflichtfeld; inválid~; no es válid~;
        obligatorio; requerido; falta el; obrigatório; non valido; non valida;
        obbligatorio; недопустим~; неверн~; обязательн~; некорректн~; ongeldig~; 形式が;
        正しい形式; 正しい値; 無効な値; 未入力; 入力必須; 必要です; 指定されていません;
        数値で; 半角; 以下で; 以上で; 未来の日付; 過去の日付; は使用できません; 格式;
        不能小于; 不能大于; 长度不能; 长度超; 不可为空; 必须为; 请选择; 类型错误;
        参数有误; 参数不; 参数缺失; 缺少; 無效; 不得; 최소; 최대; 올바르지; 올바른;
        est requis; est requise; est invalide; sont obligatoires; ne peut pas être;
        ne doit pas; doit contenir; trop long; trop court; trop grand; ist erforderlich;
        muss angegeben; darf nicht leer; kein gültig~; keine gültig~; zu lang; zu kurz;
        zu groß; ungültiges format; es obligatorio; es obligatoria; es requerido;
        es inválido; no puede estar; no puede ser; demasiado largo; no son válidos;
        no es correcto; debe contener; é obrigatório; é obrigatória; é inválido;
        não é válido; não é válida; não pode ser; não pode estar; deve conter;
        muito longo; muito grande; è obbligatorio; è richiesto; non è valido;
        non è valida; non può essere; deve contenere; troppo lungo; обязательно для;
        не может быть; слишком длин~; is verplicht; ongeldig; geçerli bir; zorunlu;
        wymagany; wymagane jest; ogiltig~; obligatorisk; ugyldig~; 長すぎ; 短すぎ;
        大きすぎ; 小さすぎ; 多すぎます; 文字まで; 最大文字; 超过限制; 超过最大;
        超出限制; 大小超; 长度超过; 过长; 过短; 过大; 过小; 태그가; 너무 깁니다;
        너무 큽니다; in der vergangenheit; in der zukunft; überschreitet; dans le passé;
        dans le futur; dépasse; en el pasado; en el futuro; supera el; no passado;
        no futuro; excede; nel passato; nel futuro; supera il; в прошлом; в будущем;
        превышает
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
        用户拒绝; 취소; annulé; abgebrochen; cancelado; annullato; отменен~;
        キャンセルされまし; 拒否されました; 操作已取消; 用户已拒绝; annulée par;
        vom benutzer abgebrochen; cancelada por; cancelado por; annullata;
        vom benutzer; par l'utilisateur; por el usuario; pelo usuário; dall'utente;
        пользователем; ユーザーによって; 用户已取消; 사용자가 취소
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
        erro interno; errore interno; внутренняя ошибка; неизвестная ошибка;
        でエラーが発生; システムエラー; 不明なエラー; 処理に失敗; 系统异常; 系统错误;
        服务异常; 操作失败; 未知异常; 程序异常; une erreur est survenue;
        une erreur s'est produite; erreur inattendue; ein fehler ist aufgetreten;
        unerwarteter fehler; unbekannter fehler; ocurrió un error;
        se produjo un error; ha ocurrido un error; error inesperado;
        error desconocido; ocorreu um erro; erro inesperado; erro desconhecido;
        si è verificato un errore; errore imprevisto; произошла ошибка;
        непредвиденная ошибка; errore sconosciuto; erreur inconnue
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.AUTHENTICATION,
        """
        mot de passe; passwort; contraseña; wachtwoord; 비밀번호
        """,
    ),
    (
        m.VALIDATION,
        """
        不正; 错误的; inválid; incorrect~; falsch~; incorrecto; incorreto; errato;
        неправильн~
        """,
    ),
    (
        m.NOT_FOUND,
        """
        ありません; 没有; 無い; 없습니다; no hay; não há; nenhum
        """,
    ),
    (
        m.PERMISSION,
        """
        权限; 權限; 権限; 권한; berechtigung; permisos; permissão; permiso;
        autorisation
        """,
    ),
    (
        m.LOST,
        """
        mais tarde; しばらくしてから; 稍后重试; 请稍后; 잠시 후; réessayez plus tard;
        später erneut; más tarde; più tardi; позже; 時間をおいて; 後ほど; 再度お試し;
        稍后再试; 稍後再試; 请重试; 請重試; nochmals versuchen; später;
        ultérieurement; inténtelo de nuevo; inténtelo más tarde; tente novamente;
        riprova; попробуйте; temporairement; vorübergehend; temporalmente;
        temporariamente; temporaneamente; momentaneamente; временно; tijdelijk niet;
        geçici olarak; tymczasowo; tillfälligt; 一時的に利用; 暂时无法; 暫時無法
        """,
    ),
)
