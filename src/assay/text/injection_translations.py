"""Sentences in other languages that ask an evaluator for marks or to drop its instructions, on normalised text."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from assay.domain.span import Span
from assay.text.injection_patterns import Family
from assay.text.injection_sentences import cut_sentences
from assay.text.normal import Normal


class Tongue(NamedTuple):
    """What the best mark is called; whom or what the sentence is about; and how instructions are dropped.

    `stems` are the beginnings of words of which a text must hold one. A mark alone is a review of something else.
    """

    stems: tuple[str, ...]
    top: str
    about: str
    drop: str


_OUT_OF = r"\b(?:10|5|100)(?: ?/ ?| sur | sobre | von | su | de | van | из | z )(?:10|5|100)\b"

TONGUES: dict[str, Tongue] = {
    "es": Tongue(
        (
            "puntuac", "calificac", "puntaje", "nota máx", "nota más", "mejor nota", "nota perf",
            "instrucciones", "criterios", "evaluador", "rúbrica",
        ),
        rf"(?:puntuación|nota|calificación|puntaje|valoración) (?:máxim[ao]|perfect[ao]|complet[ao]|más alt[ao]"
        rf"|total)|(?:máxim[ao]|mejor|más alt[ao])"
        rf" (?:puntuación|nota|calificación|puntaje)|{_OUT_OF}",
        r"\best[ea] (?:resumen|respuesta|texto|salida)|\b(?:evaluador|corrector|calificador"
        r"|modelo de lenguaje)|\bpor favor\b|\bse ruega\b|\bel (?:juez|revisor) (?:debe|otorgará)",
        r"\b(?:ignor[ae]n?|olvid[ae]n?|omit[ae]n?|descart[ae]n?|desatiend[ae]n?) (?:\w+ ){0,3}(?:instrucciones"
        r"|indicaciones|criterios|reglas|rúbrica|pautas)",
    ),
    "pt": Tongue(
        ("nota máx", "nota mais", "melhor nota", "nota perf", "pontua", "instruções", "critérios", "avaliador"),
        rf"(?:nota|pontuação|classificação|avaliação) (?:máxima|perfeita|total|mais alta|completa)|(?:máxima"
        rf"|melhor|mais alta) (?:nota|pontuação)|{_OUT_OF}",
        r"\best[ea] (?:resumo|resposta|texto|saída)|\bavaliador|\bmodelo de linguagem|\bpor favor\b",
        r"\b(?:ignor[ae]m?|esque[çc]a?m?|desconsider[ae]m?|descart[ae]m?) (?:\w+ ){0,3}(?:instruções|critérios"
        r"|regras|orientações|diretrizes)",
    ),
    "fr": Tongue(
        (
            "note max", "note parf", "note la plus", "meilleure note", "notation", "consigne", "critère",
            "évaluat", "ce texte", "ce résumé", "cette réponse", "les instructions", "vos instructions",
            "tes instructions",
        ),
        rf"(?:note|score|notation|évaluation) (?:maximale?|maximum|parfaite?|la plus (?:haute|élevée)|complète)"
        rf"|(?:meilleure|plus haute) note|{_OUT_OF}",
        r"\b(?:ce (?:résumé|texte)|cette (?:réponse|synthèse|sortie))|\bà l'(?:évaluateur|évaluatrice"
        r"|examinateur)|\b(?:évaluateur|correcteur|modèle de langage)|s'il (?:vous|te) plaît|\bveuillez\b",
        r"\b(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|écarte[zr]?) (?:(?:toutes|tous|les|tes|vos"
        r"|ces) ){1,3}(?:instructions|consignes|critères|règles|directives)",
    ),
    "de": Tongue(
        (
            "punktzahl", "punkte", "höchst", "bestnote", "bewert", "anweisung", "kriterien", "vorgaben",
            "prüfer", "gutachter", "maximale note",
        ),
        r"voll(?:e|en|er)? punkt(?:e|zahl)|höchstpunktzahl|höchstnote|bestnote|(?:maximale|höchste|beste"
        r"|bestmögliche)n? (?:punktzahl|bewertung|note|wertung)|\b(?:10|5|100) von (?:10|5|100)\b",
        r"\bdiese[rsnm]? (?:zusammenfassung|antwort|text|ausgabe)|\bfür diesen text|\ban (?:den|die) (?:prüfer"
        r"|bewerter|gutachter)|\b(?:prüfer|bewerter|gutachter|sprachmodell)\b|\bbitte\b",
        r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*|verwirf"
        r"|verwerfen sie)(?: sie)? (?:\w+ ){0,3}(?:anweisungen|instruktionen|kriterien|vorgaben|regeln"
        r"|bewertungskriterien|richtlinien)",
    ),
    "it": Tongue(
        ("punteggio", "voto", "istruzioni", "valutator"),
        rf"(?:punteggio|voto|giudizio|valutazione) (?:pieno|massimo|massima|perfetto|più alto|ottimale)"
        rf"|(?:massimo|miglior|pieno) (?:punteggio|voto)|{_OUT_OF}",
        r"\bquest[oa] (?:riassunto|testo|risposta|sintesi|output)|\bvalutatore|\bmodello linguistico"
        r"|\bper favore|\bsi prega",
        r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re|te)?) (?:\w+ ){0,3}(?:istruzioni|criteri"
        r"|regole|indicazioni)",
    ),
    "nl": Tongue(
        ("hoogste", "volle punten", "beoordel", "instructies", "maximale"),
        rf"(?:volle|maximale|hoogste|beste|perfecte) (?:score|punten|cijfer|beoordeling|waardering)"
        rf"|hoogste aantal punten|{_OUT_OF}",
        r"\b(?:deze (?:samenvatting|reactie|uitvoer)|dit (?:antwoord|stuk))|\bdeze tekst|\bbeoordelaar"
        r"|\btaalmodel|\balstublieft|\bgelieve\b",
        r"\b(?:negeer|vergeet|sla) (?:\w+ ){0,3}(?:instructies|criteria|regels|richtlijnen|aanwijzingen)",
    ),
    "pl": Tongue(
        ("ocenę", "oceny", "ocena", "maksymaln", "najwyższ", "punktów", "instrukcj", "kryteri", "polece"),
        rf"(?:maksymaln\w+|najwyższ\w+|pełn\w+|najlepsz\w+) (?:ocen\w+|punktacj\w+|liczb\w+ punktów|not\w+"
        rf"|wynik\w*)|{_OUT_OF}",
        r"\bte(?:j|mu|go|n|o) (?:odpowiedzi|streszczeni\w+|tekst\w*|podsumowani\w+)|\boceniając\w+"
        r"|\bmodel\w* językow\w+|\bproszę\b",
        r"\b(?:zignoruj\w*|ignoruj\w*|zapomnij|pomiń\w*) (?:\w+ ){0,3}(?:instrukcj\w+|kryteri\w+|poleceni\w+"
        r"|zasad\w*|wytyczn\w+)",
    ),
    "ru": Tongue(
        ("балл", "оцен", "инструкци", "указани", "критери"),
        r"(?:высш\w+|максимальн\w+|наивысш\w+|полн\w+|лучш\w+|отличн\w+) (?:балл\w*|оценк\w+|оценок)|\b(?:10|5"
        r"|100) (?:из|балл\w*)",
        r"\bэт(?:ому|ой|от|у|о|ого) (?:ответ\w*|текст\w*|резюме|пересказ\w*|краткому|сводк\w+)|\b(?:оценщик"
        r"|проверяющ|эксперт|модел)\w*|\bпожалуйста",
        r"\b(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?) (?:\w+ ){0,3}(?:инструкци\w+"
        r"|указани\w+|критери\w+|правил\w*)",
    ),
    "tr": Tongue(
        ("puan", "talimat", "kriter", "değerlendir"),
        r"(?:tam|en yüksek|maksimum|azami) (?:puan|not|skor)\w*",
        r"\bbu (?:metn|yanıt|cevab|özet|metin|cevap|çıktı)\w*|\bdeğerlendir(?:ici|en|me)\w*|\blütfen\b|\bdil modeli",
        r"(?:talimat|yönerge|kriter|kural)\w* (?:\w+ ){0,2}(?:yok say|görmezden gel|unut|dikkate alma)\w*",
    ),
    "vi": Tongue(
        ("điểm", "hướng dẫn", "chỉ dẫn", "tiêu chí", "chỉ thị"),
        r"điểm (?:tối đa|tuyệt đối|cao nhất)|\b(?:10/10|5/5)\b",
        r"(?:bài|bản|câu|đoạn) (?:này|tóm tắt|trả lời)|(?:tóm tắt|trả lời|văn bản) này|người chấm|giám khảo"
        r"|hãy|vui lòng|xin hãy",
        r"(?:bỏ qua|phớt lờ|quên)(?: \w+){0,4} (?:hướng dẫn|chỉ dẫn|chỉ thị|tiêu chí|quy tắc)",
    ),
    "id": Tongue(
        ("nilai", "skor", "instruksi", "kriteria", "petunjuk"),
        r"(?:nilai|skor|peringkat) (?:penuh|sempurna|tertinggi|maksimal|maksimum)",
        r"(?:ringkasan|jawaban|teks|respons|tulisan) ini|\bpenilai\b|\bmodel bahasa|\btolong\b|\bmohon\b|\bharap\b",
        r"\b(?:abaikan|lupakan|hiraukan) (?:\w+ ){0,3}(?:instruksi|kriteria|petunjuk|aturan|pedoman)",
    ),
    "ar": Tongue(
        ("درج", "علام", "تعليمات", "معايير", "تقييم", "نقاط"),
        r"(?:الدرجة|العلامة|درجة|علامة) (?:ال)?(?:كاملة|القصوى|قصوى|العليا|النهائية)|أعلى (?:درجة|علامة|تقييم"
        r"|الدرجات)|كامل (?:الدرجات|النقاط|العلامات)",
        r"هذ(?:ا|ه) (?:ال)?(?:نص|ملخص|إجابة|اجابة|جواب|رد|إخراج)|امنح|أعط|اعط|المقي[ّ]?م|من فضلك|يرجى|الرجاء",
        r"(?:تجاهل|تجاهلوا|انس|انسَ|أهمل)[^.؟!]{0,30}(?:التعليمات|تعليمات|المعايير|معايير|القواعد|الإرشادات)",
    ),
    "hi": Tongue(
        ("अंक", "निर्देश", "मानदंड", "स्कोर", "मूल्यांकन"),
        r"(?:पूरे|पूर्ण|अधिकतम|सर्वोच्च|सबसे अधिक|उच्चतम) (?:अंक|स्कोर|रेटिंग|नंबर)",
        r"इस (?:उत्तर|सारांश|पाठ|जवाब|लेख)|कृपया|मूल्यांकनकर्ता|परीक्षक|भाषा मॉडल",
        r"(?:निर्देशों|निर्देश|मानदंडों|मानदंड|नियमों)[^।.!?]{0,30}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा)",
    ),
    "ja": Tongue(
        ("満点", "最高", "指示", "評価", "採点", "基準"),
        r"満点|最高(?:点|評価|得点|スコア)|(?:10|5|100)点",
        r"この(?:要約|回答|文章|テキスト|答え|出力)|(?:評価者|採点者|審査員)(?:は|へ|の|さん)|(?:付け|つけ|与え|出し|し)(?:て)?(?:ください|下さい|なさい|よ)",
        r"(?:指示|命令|基準|プロンプト|ルール)[^。！？]{0,12}(?:無視|忘れ|破棄)(?!し(?:た|ない)|れ(?:た|ない))",
    ),
    "ko": Tongue(
        ("만점", "최고", "지침", "지시", "기준", "평가", "점수"),
        r"만점|최고 ?(?:점수?|등급|평점)|(?:10|5|100)점",
        r"이 (?:답변|요약|글|텍스트|응답|문서)|평가자|채점자|(?:주세요|주십시오|부여하|매기|달라)",
        r"(?:지침|지시|명령|기준|규칙)[^.!?]{0,14}(?:무시|잊)(?:하고|하세요|하십시오|하라|어|으)",
    ),
    "zh": Tongue(
        ("满分", "滿分", "最高", "评分", "評分", "指令", "提示", "打分"),
        r"满分|滿分|最高(?:分|评分|評分|等级|等級)|(?:打|给|給|输出|輸出) ?(?:10|5|100) ?分|(?:10|5|100) ?分",
        r"(?:这|這|此|本)(?:篇|个|個|份|段)?(?:摘要|总结|總結|回答|答案|文本|文章|回复|回覆|输出)|(?:评审|评估者|评分者|裁判|评委)(?:请|请注意|：|，)|请|請|务必"
        r"|務必|必须|必須|不要扣分",
        r"(?<!不要)(?<!不能)(?<!不可)(?<!勿)(?<!别)(?:忽略|无视|無視|忽视|忽視|忘记|忘記|不要理会)[^。！？.!?]{0,14}(?:指令|提示词|提示詞|标准|標準|规则"
        r"|規則|要求|说明)",
    ),
}  # fmt: skip
# Where no order of words tells an order from a report, the wording itself must.
_VERB_LAST = {"ja", "ko", "hi", "tr", "zh", "ar"}
_NOT_ASKED = re.compile(r"打了|给了|給了|ました|했다|받았|gave\b")


@cache
def _compile(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    tongue = TONGUES[language]
    return (
        re.compile(tongue.top),
        re.compile(tongue.about),
        re.compile(tongue.drop if language in _VERB_LAST else rf"^\W*(?:\w+,? ){{0,3}}?(?:{tongue.drop})"),
    )


def find_foreign(text: str, normal: Normal, spoken: Sequence[str]) -> Iterator[tuple[Span, Family]]:
    """By the tongues of which the text holds a stem: a plain English text holds none, and most others neither."""
    if not spoken:
        return
    for start, end in cut_sentences(text, normal):
        sentence = normal.text[start:end].strip()
        family = next((found for name in spoken if (found := _match(sentence, name)) is not None), None)
        if family is not None:
            yield normal.span(start, end), family


def _match(sentence: str, language: str) -> Family | None:
    if not any(stem in sentence for stem in TONGUES[language].stems):
        return None
    top, about, drop = _compile(language)
    if drop.search(sentence):
        return "override"
    if top.search(sentence) and about.search(sentence) and not _NOT_ASKED.search(sentence):
        return "marks"
    return None
