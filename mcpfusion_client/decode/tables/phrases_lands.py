"""The same in languages with few rows each; see `phrases` for how one is written.

Dutch, Turkish, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Hungarian,
Romanian, Greek, Ukrainian, Arabic, Hebrew, Hindi, Vietnamese, Indonesian and Thai.
"""

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

STRONG: tuple[tuple[Meaning, str], ...] = (
    (
        m.RATE_LIMITED,
        """
        zbyt wiele zapytań; for mange forespørsler; příliš mnoho požadavků;
        túl sok kérés; prea multe cereri; prea multe solicitări; πάρα πολλά αιτήματα;
        забагато запитів; занадто багато запитів; طلبات كثيرة; عدد كبير من الطلبات;
        الكثير من الطلبات; יותר מדי בקשות; बहुत अधिक अनुरोध; बहुत सारे अनुरोध;
        istek sınırı; hız sınırı; limiet voor verzoeken; limit żądań; limit zapytań
        """,
    ),
    (
        m.OUTAGE,
        """
        in onderhoud; onderhoudswerk~; onderhoudsmodus; wegens onderhoud;
        gepland onderhoud; voor onderhoud; onderhoud tot; tijdelijk niet beschikbaar;
        bakımda~; bakım çalış~; bakım modu~; bakım nedeniyle; bakım için; planlı bakım;
        geçici olarak kullanılamıyor; trwa konserwacj~; trakcie konserwacji;
        powodu konserwacji; w konserwacji; konserwacja systemu; przerwa techniczna;
        tymczasowo niedostępn~; underhåll; tillfälligt otillgänglig~; vedligeholdelse;
        vedlikehold; midlertidigt utilgængelig~; midlertidig utilgjengelig; huolto~;
        tilapäisesti poissa; údržb~; dočasně nedostupn~; karbantartás~; átmenetileg nem;
        întreținere; mentenanță; temporar indisponibil~; συντήρηση~; προσωρινά μη;
        технічні роботи; тимчасово недоступ~; قيد الصيانة; تحت الصيانة; أعمال الصيانة;
        بسبب الصيانة; للصيانة; غير متاحة مؤقتا; غير متاح مؤقتا; غير متاحة حاليا;
        غير متاح حاليا; בתחזוקה; אינו זמין כרגע; अस्थायी रूप से; bảo trì;
        tạm thời không; pemeliharaan; sementara tidak tersedia; ปิดปรับปรุง; บำรุงรักษา;
        ไม่พร้อมใช้งานชั่วคราว
        """,
    ),
    (
        m.LOST,
        """
        verbinding verbroken; verbinding mislukt; bağlantı kesildi; bağlantı hatası;
        przekroczenie czasu; utracono połączenie; tidsgränsen; anslutningen bröts;
        tidsfristen; aikakatkaisu; vypršel časový; spojení přerušeno; időtúllépés;
        timpul de așteptare; timp expirat; λήξη χρόνου; χρονικό όριο; час очікування;
        з'єднання розірвано; انتهت مهلة; פסק זמן; समय समाप्त; mất kết nối
        """,
    ),
    (
        m.AUTHENTICATION,
        """
        niet ingelogd; sessie is verlopen; token is verlopen; log opnieuw in;
        giriş yap~; oturum açın; oturumunuz; kimlik doğrulama; zaloguj~; sesja wygasła;
        token wygasł; uwierzytelni~; logga in; log ind; logg inn; kirjaudu~;
        přihlaste se; přihlásit se; relace vypršela; jelentkezzen be;
        sesiunea a expirat; autentific~; συνδεθείτε; увійдіть; термін дії токена;
        تسجيل الدخول; انتهت صلاحية; התחבר; פג תוקף; लॉग इन; लॉगिन; đăng nhập;
        phiên đã hết; sesi anda; เข้าสู่ระบบ; โทเค็น
        """,
    ),
    (
        m.PERMISSION,
        """
        geen toestemming; toegang geweigerd; niet bevoegd; erişim engellendi; yetkiniz;
        brak dostępu; nie masz uprawnień; saknar behörighet; adgang nægtet;
        ikke tilladelse; ingen tilgang; tilgang nektet; käyttö estetty; ei oikeuksia;
        ei käyttöoikeutta; přístup odepřen; nemáte oprávnění; hozzáférés megtagadva;
        nincs jogosultsága; acces interzis; acces refuzat; nu aveți permisiunea;
        δεν έχετε δικαίωμα; άρνηση πρόσβασης; δεν επιτρέπεται; доступ заборонено;
        немає прав; недостатньо прав; رفض الوصول; الصلاحية; صلاحيات; ليس لديك إذن;
        אין הרשאה; אין לך הרשאה; הגישה נדחתה; पहुँच अस्वीकृत; từ chối truy cập;
        akses ditolak
        """,
    ),
    (
        m.BUSINESS,
        """
        onvoldoende saldo; limiet bereikt; limiet overschreden; yetersiz bakiye; kota;
        kotanız; niewystarczające środki; limit wyczerpany; otillräckligt saldo;
        utilstrækkelig saldo; utilstrekkelig saldo; saldo ei riitä; kiintiö;
        nedostatečný zůstatek; kvóta; nincs elegendő; sold insuficient;
        ανεπαρκές υπόλοιπο; недостатньо коштів; ліміт вичерпано; квоту; رصيد غير كاف;
        الرصيد; הגעת למגבלה; אין מספיק; số dư; hạn mức; saldo tidak; kuota; ยอดเงิน;
        โควต้า; 配额超限; 配额不足; 配額不足
        """,
    ),
    (
        m.NOT_FOUND,
        """
        blev ikke fundet; findes ikke; ikke funnet; finnes ikke; ei löytynyt;
        ei ole olemassa; nenalezen~; neexistuje; nem található; nem létezik;
        nu a fost găsit~; nu există; δεν βρέθηκε; δεν υπάρχει; не знайдено; не існує;
        لم يتم العثور; لا يوجد; לא נמצא~; לא קיים; मौजूद नहीं
        """,
    ),
    (
        m.CONFLICT,
        """
        in gebruik; kullanımda; już zajęt~; finnes allerede; eksisterer allerede;
        on jo olemassa; on jo käytössä; již existuje; már létezik; există deja;
        υπάρχει ήδη; вже існує; вже використовується; مستخدم بالفعل; כבר קיים;
        पहले से मौजूद; đang được sử dụng; sedang digunakan; ถูกใช้งานแล้ว
        """,
    ),
    (
        m.VALIDATION,
        """
        wymagan~; musi; krävs; saknas; påkrævet; påkrevd; virheellinen; pakollinen;
        puuttuu; neplatn~; povinn~; chybí; érvénytelen; kötelező; hiányzik;
        obligatori~; lipsește; μη έγκυρ~; υποχρεωτικ~; απαιτείται; недійсн~;
        обов'язков~; некоректн~; غير صحيح; يجب; לא חוקי; לא תקין; חובה; आवश्यक;
        thiếu; không đúng
        """,
    ),
    (
        m.CANCELLED,
        """
        geannuleerd door; door de gebruiker; kullanıcı tarafından; iptal edildi;
        anulowan~; przez użytkownika; avbröts av; avbruten; afbrudt af; avbrutt;
        peruutettu; käyttäjä peruutti; zrušen~; megszakította; anulat~;
        de către utilizator; ακυρώθηκε; скасовано; تم الإلغاء; ألغى المستخدم; בוטל;
        đã hủy; đã bị hủy; dibatalkan; ถูกยกเลิก
        """,
    ),
    (
        m.CRASH,
        """
        interne fout; onverwachte fout; fout opgetreden; dahili hata;
        beklenmeyen hata; bir hata oluştu; błąd wewnętrzny; wystąpił błąd;
        nieoczekiwany błąd; internt fel; ett fel uppstod; oväntat fel; intern fejl;
        opstod en fejl; intern feil; oppstod en feil; sisäinen virhe; tapahtui virhe;
        interní chyba; došlo k chybě; belső hiba; hiba történt; eroare internă;
        apărut o eroare; εσωτερικό σφάλμα; παρουσιάστηκε σφάλμα; внутрішня помилка;
        сталася помилка; خطأ داخلي; حدث خطأ; שגיאה פנימית; אירעה שגיאה; lỗi nội bộ;
        đã xảy ra lỗi; kesalahan internal; terjadi kesalahan; ข้อผิดพลาดภายใน;
        เกิดข้อผิดพลาด
        """,
    ),
)

WEAK: tuple[tuple[Meaning, str], ...] = (
    (
        m.LOST,
        """
        probeer het later; opnieuw; tekrar deneyin; daha sonra; spróbuj ponownie;
        później; försök igen; prøv igen; prøv igjen; yritä uudelleen; zkuste to znovu;
        próbálja újra; încercați din nou; δοκιμάστε ξανά; спробуйте; пізніше;
        المحاولة لاحقا; حاول مرة أخرى; נסה שוב; पुनः प्रयास; thử lại; coba lagi;
        ลองใหม่; ลองอีกครั้ง
        """,
    ),
)
