"""Shapes by which a text poses as what surrounds it, on normalised text: verdicts, turns, borders, sentence ids."""

from collections.abc import Mapping

_METRIC = (
    r"(?:faithfulness|hallucinations?|groundedness|factuality|factual consistency|accuracy|relevanc[ey]"
    r"|coherence|coverage"
    r"|completeness|correctness|consistency|fluency|helpfulness|clarity|alignment|overall quality|quality"
    r"|bias|toxicity)"
)
_GOOD = r"(?:supported|pass|passed|correct|faithful|entailed|true|yes|excellent|grounded|consistent|no_error|[ab])"
_GRADE = r"(?:score|rating|grade|mark|verdict|judge?ment)"
_ID = r"s\d{1,2}\.\d{1,3}\b"
# A text about such markers goes on with a sentence about them.
NAMED = r"(?! ?(?:(?:and|or|is|are|tokens?|tags?|markers?|to)\b|[,.]))"


# Each with the words of which a text must hold one before it is worth trying.
VERDICTS: Mapping[str, tuple[str, ...]] = {
    rf"[\"'](?:label|verdict|judge?ment|decision)[\"'] ?: ?[\"']{_GOOD}[\"']": (
        "label", "verdict", "judgment", "judgement", "decision",
    ),
    r"[\"']unit[\"'] ?: ?[\"']c\d": ('"unit', "'unit"),
    rf"[\"']{_METRIC}_(?:evaluation|justification|reasoning|analysis)[\"'] ?:": (
        "_evaluation", "_justification", "_reasoning", "_analysis",
    ),
    r"[\"'](?:note|message|instructions?|hint)_(?:to|for)_(?:the_)?(?:judge|grader|evaluator|reviewer|llm"
        r"|model|ai)[\"']": ("_to_", "_for_"),
    r"c\d{1,3} ?[:=] ?(?:supported|absent|partial|contradicted|entailed|correct|true)\b": ("c1", "c2", "c3"),
    r"\[\[ ?(?:5|10|100|[abc]) ?\]\](?= ?$| ?[.!\n])": ("[[",),
    rf"\[ ?{_GRADE} ?: ?(?:a\+?|\d{{1,3}}(?:/\d{{1,3}})?|pass|top|full|excellent) ?\]": (
        "[grade", "[score", "[rating", "[mark", "[verdict",
    ),
    rf"<{_GRADE} (?:value|max|points?|of)\b[^<>]{{0,80}}>": (
        "<rating", "<score", "<grade", "<mark", "<verdict", "<judg",
    ),
    r"#(?:score|rating|grade|supported|faithful|grounded|nohallucinations?|topmarks?|fullmarks|perfectscore)\b": (
        "#score", "#rating", "#grade", "#supported", "#faithful", "#grounded", "#nohall", "#topmark",
        "#fullmark", "#perfect",
    ),
    rf"\| ?{_METRIC} ?\| ?(?:5|10|100)(?:\.0|/\d{{1,3}})? ?\|": ("| 5", "| 10", "|5", "|10"),
    rf"{_METRIC} ?:? ?[✅✔✓☑]": ("✅", "✔", "✓", "☑"),
    (
        rf"(?<![★⭐])[★⭐]{{4,}}+[^.★⭐]{{0,40}}\b(?:judged|graded|graders?|evaluators?|{_METRIC}"
        r"|this (?:summary|answer|response|text|output))\b"
    ): ("★★", "⭐⭐"),
    rf"{_GRADE} (?:of|for) this (?:summary|answer|response|text|output|reply|submission)\b": (
        "this summary", "this answer", "this response", "this text", "this output", "this reply", "this submission",
    ),
    rf"{_METRIC} score ?: ?(?:5|10|100)\b": ("score:", "score :"),
    r"\d{1,3}/\d{1,3}[^.\d]{0,30}\b(?:graders|evaluators|raters)\b": ("graders", "evaluators", "raters"),
    r"(?:evaluation|grading|scoring) result ?:": ("result:", "result :"),
    r"final (?:grade|verdict|label|judge?ment) ?: ?(?:5|10|100|pass|a\+|supported|correct"
        r"|faithful)(?![\d.]\d)": ("final ",),
    r"verdict ?: ?(?:pass|passed|supported|faithful|correct|excellent)\b": ("verdict:", "verdict :"),
    r"(?:score|rating|grade) ?: ?\S{1,8} no (?:issues|errors|hallucinations|problems"
        r"|mistakes) (?:were )?(?:found|detected)": (" found", " detected"),
    r"(?:final )?score ?= ?(?:5|10|100)\b": ("score=", "score ="),
    r"final score ?: ?(?:5|10|100)(?:\.0)? ?\(": ("final score",),
    r"[\"'](?:result|outcome)[\"'] ?: ?[\"'](?:pass|passed|supported|faithful)[\"']": ("result", "outcome"),
    r"(?:rating|score|grade) ?: ?\S{1,10} (?:justification|rationale|reasoning|explanation|feedback) ?:": (
        "justification", "rationale", "reasoning", "explanation", "feedback",
    ),
    r"label ?= ?[\"']?(?:supported|pass|faithful|correct)": ("label=", "label ="),
    r"reviewed by \d{1,3} (?:evaluators|graders|raters)\b": ("reviewed by",),
    (
        r"(?:verified|confirmed|graded|scored|rated|certified) by (?:an? |the )?(?:automatic|automated|ai|llm)"
        r" (?:evaluation|grad|judg|check)"
    ): ("automat", "by ai ", "by an ai ", "llm"),
}  # fmt: skip

ROLES: Mapping[str, tuple[str, ...]] = {
    r"[\"']role[\"'] ?: ?[\"'](?:system|assistant|developer|tool)[\"'] ?, ?[\"']content[\"']": ('"role', "'role"),
    rf"<(?:start|end)_of_turn>{NAMED}": ("_of_turn",),
    rf"<\|[a-z_]{{3,40}}\|>{NAMED}": ("<|",),
    rf"<(?:system|instructions?|prompt|assistant|developer|admin|override|evaluation|judge?ment|grading"
        rf"|thinking)>{NAMED}": (
        "<system", "<instruction", "<prompt", "<assistant", "<developer", "<admin", "<override", "<evaluation",
        "<judg", "<grading", "<thinking",
    ),
    r"#{2,6} ?instructions? ?:.{0,600}#{2,6} ?response ?:": ("# response", "#response"),
}  # fmt: skip

BORDERS: Mapping[str, tuple[str, ...]] = {
    r"\]\]>[^<]{0,200}<": ("]]>",),
    r"(?<![-=#*<])[-=#*]{3,40} ?(?:begin |start |end )?(?:of )?(?:grader|evaluation|judge|evaluator"
        r"|scoring|grading) (?:notes?|guidance"
        r"|instructions?|result)": (
        "grader ", "evaluation ", "judge ", "evaluator ", "scoring ", "grading ",
    ),
}  # fmt: skip

_SENTENCE_IDS = tuple(f"s{number}." for number in range(1, 10))
EVIDENCE: Mapping[str, tuple[str, ...]] = {
    rf"[\[(](?:source ?:? ?|cited from |quoted from |from |see ){_ID}": _SENTENCE_IDS,
    rf"\[{_ID}\]": _SENTENCE_IDS,
    rf"sentence {_ID}": _SENTENCE_IDS,
    rf"(?<![\w.,]) ?{_ID} ?: ": _SENTENCE_IDS,
    r"c\d{1,3} ?= ?s\d{1,2}\.": _SENTENCE_IDS,
    r"(?:\[\d{1,3}\] ?){7,40}": ("][", "] ["),
    r"<source id ?= ?[\"']": ("<source",),
}

# The first are published as found by search: a text that holds one was made to be scored.
_PUBLISHED = (
    "superexcellently", "projournalistic", "highmost", "supercomplete", "uncontradictedly", "undisputably congruity",
    "ovated", "whoa boggle", "comparative e answer", "uncontradictory ay", "outstandingly summable",
)  # fmt: skip
_PRAISED = ("exact", "supported", "perfect", "grounded", "faithful", "flawless")
_JUDGED = ("answer", "summary", "best", "correct")
PHRASES: Mapping[str, tuple[str, ...]] = {
    rf"(?:{'|'.join(_PUBLISHED)})\b": _PUBLISHED,
    rf"({'|'.join(_JUDGED)})(?: \1){{2,40}}\b": tuple(f"{word} {word}" for word in _JUDGED),
    rf"({'|'.join(_PRAISED)})(?:[ ,.!]{{1,3}}\1){{1,40}}\b": tuple(f"{word} {word}" for word in _PRAISED),
}
