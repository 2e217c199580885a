"""How other languages ask an evaluator for marks or to drop its instructions, on normalised text."""

from typing import NamedTuple


class Orders(NamedTuple):
    """Regular expressions that begin at the verb; each needs one of its words to be in the text at all."""

    marks: str
    marks_need: tuple[str, ...]
    override: str
    override_needs: tuple[str, ...]


TRANSLATIONS = {
    "es": Orders(
        r"(?:da|dé|den|dale|dame|deme|otorga|otorgue|asigna|asigne|pon|ponga|califica|califique)\b[^.!?]{0,40}"
        r"\b(?:puntuación|nota|calificación|puntaje) (?:máxim[ao]|perfect[ao]|complet[ao]|más alt[ao])",
        ("puntuación", "nota", "calificación", "puntaje"),
        r"(?:ignora|ignore|ignoren|olvida|olvide|omite|omita|descarta) (?:(?:todas|todos|las|los|tus|sus) ){0,3}"
        r"(?:instrucciones|indicaciones|criterios|reglas) (?:anteriores|previ[ao]s|de (?:evaluación|calificación))",
        ("instrucciones", "indicaciones", "criterios", "reglas"),
    ),
    "fr": Orders(
        r"(?:donne[zr]?|attribue[zr]?|accorde[zr]?|mets|mettez|mettre)\b[^.!?]{0,40}"
        r"\b(?:note|score|notation) (?:maximale?|maximum|parfaite?|la plus (?:haute|élevée)|complète)",
        ("note", "score", "notation"),
        r"(?:ignore[zr]?|oublie[zr]?) (?:(?:toutes|tous|les|tes|vos) ){0,3}(?:instructions|consignes|critères|règles)"
        r" (?:précédente?s|antérieure?s|ci-dessus|d'évaluation)",
        ("instructions", "consignes", "critères", "règles"),
    ),
    "de": Orders(
        r"(?:gib|geben sie|vergib|vergeben sie|bewerte|bewerten sie|erteile|erteilen sie)\b[^.!?]{0,60}"
        r"\b(?:vollen? punktzahl|höchstpunktzahl|höchstnote|bestnote"
        r"|(?:maximale|höchste)n? (?:punktzahl|bewertung|note))",
        ("punktzahl", "note", "bewertung"),
        r"(?:ignoriere|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie) (?:(?:alle|die|deine|ihre) ){0,2}"
        r"(?:vorherigen|bisherigen|obigen|vorigen|früheren|vorangegangenen)"
        r" (?:anweisungen|instruktionen|kriterien|vorgaben|regeln)",
        ("anweisungen", "instruktionen", "kriterien", "vorgaben", "regeln"),
    ),
    "vi": Orders(
        r"(?:cho|chấm|đánh giá)\b[^.!?]{0,40}(?:điểm (?:tối đa|tuyệt đối|cao nhất)|\b10/10\b|\b5/5\b)",
        ("điểm", "chấm", "đánh giá"),
        r"(?:bỏ qua|phớt lờ|quên)(?: đi)?(?: (?:tất cả|mọi|các|những)){0,3}"
        r" (?:hướng dẫn|chỉ dẫn|chỉ thị|tiêu chí|quy tắc)(?: chấm điểm)?(?: ở)? (?:trước|trên|phía trên|bên trên)",
        ("hướng dẫn", "chỉ dẫn", "chỉ thị", "tiêu chí", "quy tắc"),
    ),
    # Chinese has no spaces to show where a sentence's verb opens it, so the plea itself is part of the wording.
    "zh": Orders(
        r"(?:请|請|务必|務必|必须|必須)[^。！？.!?]{0,6}(?:给|給|打|评|評)[^。！？.!?]{0,12}(?:满分|滿分|最高分|最高评分|最高評分)",
        ("分",),
        r"(?<!不要)(?<!不能)(?<!不可)(?<!勿)(?<!别)(?:忽略|无视|無視|忽视|忽視|忘记|忘記)[^。！？.!?]{0,10}"
        r"(?:之前|以上|上述|先前|前面|上面)[^。！？.!?]{0,8}(?:指令|提示词|提示詞|评分标准|評分標準|评分规则|評分規則)",
        ("指令", "提示", "评分", "評分"),
    ),
}
