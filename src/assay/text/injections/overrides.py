"""Instructions dropped in other languages: the plainest of all orders, and too short to be told by a sum of weights.

An order not to ignore or forget them is none.
"""

# ruff: noqa: E501  # a wording is read best in one piece

from collections.abc import Mapping

_FEW = r"(?:(?!pas |nicht |niet |non |keine?|no |nunca |jamais |nie )\w+ ){0,3}"

# Each with the words of which a text must hold one before it is worth trying. These begin at their verb.
DROPPED: Mapping[str, tuple[str, ...]] = {
    rf"(?<!no )(?:ignor[ae]|olvid[ae]|descart[ae])n? {_FEW}(?:instrucciones|criterios|reglas) (?:anteriores|previ[ao]s|dad[ao]s)":
        ("instrucciones", "criterios", "reglas"),
    rf"(?<!não )(?:ignor[ae]m?|esque[çc]am?|desconsider[ae]m?) {_FEW}(?:instruções|critérios|regras) (?:anteriores|prévi[ao]s|dad[ao]s)":
        ("instruções", "critérios", "regras"),
    rf"(?<!n')(?<!ne )(?:ignore[zr]?|oublie[zr]?) {_FEW}(?:instructions|consignes|critères|règles) (?:précédent|antérieur|donné|ci-dessus)":
        ("instructions", "consignes", "critères", "règles"),
    rf"(?:ignoriere|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie) {_FEW}(?:vorherig|bisherig|vorig|obig|früher|gegeben)\w{{1,2}} (?:anweisung|instruktion|kriteri|vorgabe|regel)":
        ("vorherig", "bisherig", "vorig", "obig", "früher", "gegeben"),
    rf"(?<!non )(?:ignora|dimentica)(?:re|te)? {_FEW}(?:istruzioni|criteri|regole) (?:precedent|dat|ricevut)":
        ("istruzioni", "criteri", "regole"),
    rf"(?:negeer|vergeet) {_FEW}(?:eerdere|vorige|voorgaande|gegeven) (?:instructies|criteria|regels)":
        ("instructies", "criteria", "regels"),
    rf"(?<!nie )(?:z?ignoruj|zapomnij o|pomiń)\w{{0,3}} {_FEW}(?:poprzedni|wcześniejsz|podan)\w{{1,3}} (?:instrukcj|kryteri|poleceni|zasad)":
        ("poprzedni", "wcześniejsz", "podan"),
    rf"(?<!не )(?:про)?(?:игнорируй|забудь)(?:те)? {_FEW}(?:предыдущ|прежн|данн)\w{{1,3}} (?:инструкци|указани|критери|правил)":
        ("предыдущ", "прежн", "данн"),
    rf"(?<!đừng )(?<!không )(?<!được )(?:bỏ qua|phớt lờ|quên) {_FEW}(?:hướng dẫn|chỉ dẫn|chỉ thị|tiêu chí|quy tắc)(?: \w+){{0,2}} (?:trước|trên|đã cho)":
        ("hướng dẫn", "chỉ dẫn", "chỉ thị", "tiêu chí", "quy tắc"),
    rf"(?<!jangan )(?:abaikan|lupakan) {_FEW}(?:instruksi|kriteria|petunjuk|aturan) (?:\w+ ){{0,1}}(?:sebelumnya|di atas|diberikan)":
        ("sebelumnya", "di atas", "diberikan"),
}  # fmt: skip
# In these the verb comes last, or words are not set apart.
DROPPED_AT_LAST: Mapping[str, tuple[str, ...]] = {
    r"(?:önceki|verilen|yukarıdaki) (?:\w+ ){0,2}(?:talimat|yönerge|ölçüt|kriter|kural)\w{0,8} (?:\w+ ){0,1}(?:yok say(?!ma)|görmezden gel(?!me)|unut(?!ma)|dikkate alma)":
        ("talimat", "yönerge", "ölçüt", "kriter", "kural"),
    "(?<!ت)(?<!لا )(?:تجاهل|انس)[^.؟!]{0,20}(?:التعليمات|المعايير|القواعد) (?:السابقة|المعطاة)": ("السابقة", "المعطاة"),
    "(?:पिछले|पूर्व|दिए गए)[^।.!?]{0,20}(?:निर्देश|मानदंड|नियम)[^।.!?]{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)(?! (?:न|मत|नहीं)\\b)":
        ("निर्देश", "मानदंड", "नियम"),
    "(?:これまで|以前|上記|前)の[^。！？]{0,6}(?:指示|基準|ルール)[^。！？]{0,8}(?:無視し(?!な|た)|無視せよ|忘れ(?!な|た|ず))": ("無視", "忘れ"),
    "(?:이전|앞|위)[^.!?]{0,6}(?:지침|지시|기준|규칙)[^.!?]{0,6}(?:무시(?!하지)|잊(?!지))": ("지침", "지시", "기준", "규칙"),
    "(?<!不要)(?<!不能)(?<!不可)(?<!不得)(?<!勿)(?<!别)(?:忽略|无视|無視|忘记|忘掉|忘記)[^。！？.!?]{0,4}(?:之前|以上|上述|先前|前面)[^。！？.!?]{0,6}(?:指令|指示|标准|標準|规则|規則|要求)":
        ("之前", "以上", "上述", "先前", "前面"),
}  # fmt: skip
