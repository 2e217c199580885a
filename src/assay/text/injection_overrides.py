"""Instructions dropped in other languages: the plainest of all orders, and too short to be told by a sum of weights."""

# ruff: noqa: E501  # a wording is read best in one piece

from collections.abc import Mapping

# Each with the words of which a text must hold one before it is worth trying.
DROPPED: Mapping[str, tuple[str, ...]] = {
    r"(?:ignor[ae]|olvid[ae]|descart[ae])n? (?:\w+ ){0,3}(?:instrucciones|criterios|reglas) (?:anteriores|previ[ao]s|dad[ao]s)":
        ("instrucciones", "criterios", "reglas"),
    r"(?:ignor[ae]m?|esque[çc]am?|desconsider[ae]m?) (?:\w+ ){0,3}(?:instruções|critérios|regras) (?:anteriores|prévi[ao]s|dad[ao]s)":
        ("instruções", "critérios", "regras"),
    r"(?:ignore[zr]?|oublie[zr]?) (?:\w+ ){0,3}(?:instructions|consignes|critères|règles) (?:précédent|antérieur|donné|ci-dessus)":
        ("instructions", "consignes", "critères", "règles"),
    r"(?:ignorier\w{0,4}|vergiss|vergessen sie|missachte\w{0,2})(?: sie)? (?:\w+ ){0,2}(?:vorherig|bisherig|vorig|obig|früher|gegeben)\w{1,2} "
        r"(?:anweisung|instruktion|kriteri|vorgabe|regel)": ("vorherig", "bisherig", "vorig", "obig", "früher", "gegeben"),
    r"(?:ignora|dimentica)(?:re|te)? (?:\w+ ){0,3}(?:istruzioni|criteri|regole) (?:precedent|dat|ricevut)":
        ("istruzioni", "criteri", "regole"),
    r"(?:negeer|vergeet) (?:\w+ ){0,2}(?:eerdere|vorige|voorgaande|gegeven) (?:instructies|criteria|regels)":
        ("instructies", "criteria", "regels"),
    r"(?:z?ignoruj|zapomnij o|pomiń)\w{0,3} (?:\w+ ){0,2}(?:poprzedni|wcześniejsz|podan)\w{1,3} (?:instrukcj|kryteri|poleceni|zasad)":
        ("poprzedni", "wcześniejsz", "podan"),
    r"(?:про)?(?:игнорируй|забудь)(?:те)? (?:\w+ ){0,2}(?:предыдущ|прежн|данн)\w{1,3} (?:инструкци|указани|критери|правил)":
        ("предыдущ", "прежн", "данн"),
    r"(?:önceki|verilen|yukarıdaki) (?:\w+ ){0,2}(?:talimat|yönerge|ölçüt|kriter|kural)\w{0,8} (?:\w+ ){0,1}(?:yok say|görmezden gel|unut|dikkate alma)":
        ("talimat", "yönerge", "ölçüt", "kriter", "kural"),
    r"(?:bỏ qua|phớt lờ|quên)(?: \w+){0,4} (?:hướng dẫn|chỉ dẫn|chỉ thị|tiêu chí|quy tắc)(?: \w+){0,2} (?:trước|trên|đã cho)":
        ("hướng dẫn", "chỉ dẫn", "chỉ thị", "tiêu chí", "quy tắc"),
    r"(?:abaikan|lupakan) (?:\w+ ){0,2}(?:instruksi|kriteria|petunjuk|aturan) (?:\w+ ){0,1}(?:sebelumnya|di atas|diberikan)":
        ("sebelumnya", "di atas", "diberikan"),
    "(?:تجاهل|انس)[^.؟!]{0,20}(?:التعليمات|المعايير|القواعد) (?:السابقة|المعطاة)": ("السابقة", "المعطاة"),
    "(?:पिछले|पूर्व|दिए गए)[^।.!?]{0,20}(?:निर्देश|मानदंड|नियम)[^।.!?]{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)": ("निर्देश", "मानदंड", "नियम"),
    "(?:これまで|以前|上記|前)の[^。！？]{0,6}(?:指示|基準|ルール)[^。！？]{0,8}(?:無視|忘れ)": ("無視", "忘れ"),
    "(?:이전|앞|위)[^.!?]{0,6}(?:지침|지시|기준|규칙)[^.!?]{0,6}(?:무시|잊)": ("지침", "지시", "기준", "규칙"),
    "(?:忽略|无视|無視|忘记|忘掉|忘記)[^。！？.!?]{0,4}(?:之前|以上|上述|先前|前面)[^。！？.!?]{0,6}(?:指令|指示|标准|標準|规则|規則|要求)":
        ("之前", "以上", "上述", "先前", "前面"),
}  # fmt: skip
