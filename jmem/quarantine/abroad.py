"""Orders in other languages that no memory may give. Pure.

Only what is never the work itself is asked of them: setting instructions aside, keeping something
from the user, sending what is private to an address.
"""

from __future__ import annotations

from jmem import disguise
from jmem.quarantine.english import REMOTE_URL
from jmem.quarantine.reasons import EXFILTRATION, OVERRIDE, SAID, SECRECY, Row

_TO = rf"[^\n]{{0,60}}?(?:{REMOTE_URL}|[\w.+-]+@[\w-]+\.\w)"

LATIN: tuple[Row, ...] = (
    (
        SAID,
        OVERRIDE,
        "anweisungen anweisung instruktionen befehle regeln vorgaben richtlinien instructions"
        " consignes directives instrucciones indicaciones directrices instru regras istruzioni"
        " direttive indicazioni",
        r"\b(?:ignorier(?:en?|t)?|missachte[nt]?|vergiss|vergesst|vergessen|umgehe[nt]?)\b.{0,30}?"
        r"\b(?:(?:vorherige|bisherige|frühere|vorangegangene|obige|alle|deine|ihre|eure)[nrs]?\b"
        r".{0,20}?(?:anweisung|instruktion|befehle)"
        r"|(?:vorherige|bisherige|frühere|deine|ihre)[nrs]?\b.{0,20}?(?:regeln|vorgaben|richtlinie))"
        r"|\b(?:ignore[zr]?|oublie[zr]?|ne (?:suis|suivez) (?:pas|plus))\b.{0,30}?"
        r"\b(?:instructions|consignes|directives)\b.{0,12}?"
        r"(?:précédent|antérieur|ci dessus|système)"
        r"|\b(?:ignor[ae]r?|ignoren|olvid[ae]r?|olviden|descart[ae]r?|haz caso omiso de)\b.{0,30}?"
        r"(?:\b(?:instrucciones|indicaciones|directrices)\b.{0,12}?(?:anterior|previ|sistema)"
        r"|\btodas (?:las|tus)\b.{0,20}?\b(?:instrucciones|directrices))"
        r"|\b(?:ignor[ea]r?|esque[çc][ae]|desconsider[ea])\b.{0,30}?"
        r"\b(?:instruções|regras|orientações)\b.{0,12}?(?:anterior|acima|sistema)"
        r"|\b(?:ignora(?:re|te)?|dimentica(?:re|te)?)\b.{0,30}?"
        r"\b(?:istruzioni|direttive|indicazioni)\b.{0,12}?(?:precedent|sopra|sistema)",
    ),
    (
        SAID,
        OVERRIDE,
        "instructies aanwijzingen instruktioner instrukser instruksjoner instrukcje instrukcji"
        " polecenia instruksi perintah",
        r"\b(?:negeer|vergeet)\b.{0,20}?\b(?:eerdere|vorige|bovenstaande|alle)\b.{0,20}?"
        r"\b(?:instructies|aanwijzingen)"
        r"|\b(?:ignorera?|glem)\b.{0,20}?\b(?:tidligere|tidigare|forrige|alle|alla)\b.{0,20}?"
        r"\b(?:instruktioner|instrukser|instruksjoner)"
        r"|\b(?:zignoruj|ignoruj|zapomnij)\b.{0,20}?\b(?:poprzednie|wszystkie|wszystkich)\b"
        r".{0,20}?\b(?:instrukcj|polece)"
        r"|\b(?:abaikan|lupakan)\b (?:semua )?(?:instruksi|perintah)",
    ),
    (
        SAID,
        SECRECY,
        "nutzer benutzer benutzers anwender user utilisateur usuario usu utente utilizador",
        r"\b(?:sag|erzähl|verrat|erwähn|meld|informier|teil)\w*\b.{0,24}?"
        r"\b(?:nutzer|benutzer|anwender|user)\w*\b.{0,20}?\b(?:nicht|nichts|niemals)\b"
        r"|\bne (?:lui )?(?:dis|dites|dire|mentionne[zr]?|révèle[zr]?|informe[zr]?)\b.{0,12}?"
        r"\b(?:pas|rien|jamais)\b.{0,20}?\butilisateur"
        r"|\b(?:no|nunca) (?:le |les |se lo )?(?:dig|mencion|inform|revel|avis)\w*\b.{0,24}?"
        r"\busuario"
        r"|\b(?:não|nunca) (?:lhe )?(?:dig|mencion|inform|revel|avis)\w*\b.{0,24}?"
        r"\b(?:usuário|utilizador)"
        r"|\bnon (?:dire|dirlo|menzion|rivel|inform|avvis)\w*\b.{0,24}?\butente",
    ),
    (
        SAID,
        EXFILTRATION,
        "http https",
        r"\b(?:(?:send|schick|übertrag|übermittl|poste|leite|lade)\w*\b.{0,50}?"
        r"(?:schlüssel|passw[oö]r|zugangsdaten|geheimnis|umgebungsvariablen|\.env\b|token)"
        r"|(?:envo(?:ie|yer|yez)|transmet|transfère|publie)\w*\b.{0,50}?"
        r"(?:clés?\b|mots? de passe|identifiants|secrets|variables d'environnement|\.env\b|jetons?)"
        r"|(?:env[ií][ae]|mand[ae]|sub[ea]|publica)\w*\b.{0,50}?"
        r"(?:claves?\b|contraseñas?|credenciales|secretos|variables de entorno|\.env\b|tokens?\b"
        r"|chaves?\b|senhas?\b|credenciais|segredos|variáveis de ambiente)"
        r"|(?:invia|manda|carica)\w*\b.{0,50}?"
        rf"(?:chiavi|password|credenziali|segreti|variabili d'ambiente|\.env\b|token)){_TO}",
    ),
)


def _folded(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows as their texts arrive: what looks like a letter of another script is that letter."""
    fold = disguise.plain_letters
    return tuple((level, why, fold(needs), fold(pattern)) for level, why, needs, pattern in rows)


SIGNS: tuple[Row, ...] = _folded(
    (
        (
            SAID,
            OVERRIDE,
            "تعليمات निर्देश hướng dẫn chỉ talimat yönerge"
            " инструкц указан ограничен 指示 命令 指令 プロンプト 지시 명령 지침 프롬프트",
            r"(?:игнорируй|проигнорируй|забудь|не следуй|не выполняй)(?:те)?\s.{0,40}?"
            r"(?:инструкц|указан|ограничен)"
            r"|تجاهل.{0,20}?تعليمات|निर्देश.{0,20}?(?:अनदेखा|नज़रअंदाज़|भूल)"
            r"|(?:bỏ qua|quên)\s.{0,20}?(?:hướng dẫn|chỉ dẫn|chỉ thị).{0,12}?(?:trước|trên)"
            r"|(?:talimat|yönerge)\S*\s.{0,10}?(?:yok say|görmezden gel|unut)"
            r"|(?:以前|これまで|上記|先ほど|すべて|全て|システム)[^。\n]{0,12}"
            r"(?:指示|命令|指令|プロンプト)[^。\n]{0,10}(?:無視|忘れ|従わ)"
            r"|(?:이전|지금까지|위의|모든|시스템)[^.\n]{0,14}(?:지시|명령|지침|프롬프트)[^.\n]{0,10}"
            r"(?:무시|잊|따르지)",
        ),
        (
            SAID,
            SECRECY,
            "пользовател ユーザ 利用者 사용자",
            r"не (?:говори|сообщай|упоминай|раскрывай|рассказывай)(?:те)?\s.{0,24}?пользовател"
            r"|(?:ユーザー?|利用者)(?:に|へ)は?[^。\n]{0,12}(?:言わな|伝えな|知らせな|教えな|秘密)"
            r"|사용자(?:에게|한테)는?[^.\n]{0,12}(?:말하지|알리지|알려주지|언급하지)",
        ),
        (
            SAID,
            EXFILTRATION,
            "ключ парол токен 鍵 キー パスワード トークン 環境変数 키 비밀번호 토큰 환경",
            r"(?:отправ|перешл|выгруз|загруз|скопиру)\S*\s.{0,50}?(?:ключ|парол|токен|\.env)"
            r".{0,40}?(?:https?://|сервер|почт)"
            r"|(?:鍵|キー|パスワード|トークン|環境変数|\.env)[^。\n]{0,40}"
            r"(?:https?://|サーバ|外部)[^。\n]{0,60}(?:送信|送っ|アップロード|転送)"
            r"|(?:키|비밀번호|토큰|환경 ?변수|\.env)[^\n]{0,40}(?:https?://|서버|외부)[^\n]{0,60}"
            r"(?:보내|전송|업로드|전달)",
        ),
    )
)
