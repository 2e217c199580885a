"""What a model puts around its answer or in its place: thinking text, code fences, full-width forms, refusals."""

import re

_THOUGHT = r"(?:think|thinking|thought|thoughts|reasoning)"
_OPENER = re.compile(rf"[<\[]{_THOUGHT}[>\]]", re.IGNORECASE)
_LEADING_OPENER = re.compile(rf"\s*{_OPENER.pattern}", re.IGNORECASE)
_CLOSER = re.compile(rf"[<\[]/{_THOUGHT}[>\]]", re.IGNORECASE)
_FENCE_OPENER = re.compile(r"```[\w+-]*[^\S\n]*\n?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Only the forms whose meaning is the same: a full compatibility folding would turn 4½ into 41⁄2.
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}

_LONGEST_REFUSAL = 1200
_JUDGED = re.compile(r"<\s*score\s*>\s*\d|\{\s*[\"'“]|\b(?:score|rating)\s*[:=-]+\s*\d", re.IGNORECASE)
# "I cannot find any error" is a finding, so the act that is declined is named.
_ACT = (
    r"(?:help|assist|comply|fulfil+|provide|give|evaluate|assess|judge|rate|score|grade|review|answer|respond"
    r"|complete|perform|process|continue|engage|discuss|do\s+(?:that|this))(?:ing)?\b"
)
_CANNOT = (
    r"\bi(?:\s*['’]m|\s+am)?\s*+(?:can(?:no|['’])?t|can\s+not|won['’]?t|will\s+not|unable\s+to|not\s+able\s+to"
    r"|must\s+(?:decline|refuse)\s+to|decline\s+to|refuse\s+to)\s+"
)
_JUDGING = r"(?:evaluated|rated|scored|assessed|judged|graded)"
_APOLOGY = r"(?:i(?:['’]?m|\s+am)\s+(?:\w+\s+)?(?:sorry|afraid)|(?:i\s+)?apologi[sz]e|sorry|unfortunately)\b"
_OPENINGS = re.compile(
    rf"(?:as\s+an?\s+(?:ai|artificial|large|language)[^.!?\n]{{0,60}}?)?{_CANNOT}{_ACT}"
    rf"|{_APOLOGY}[^\n]{{0,300}}?(?:{_CANNOT}{_ACT}|\bcan(?:no|['’])?t\s+be\s+{_JUDGING}|\bplease\s+provide\b)",
    re.IGNORECASE,
)
# Beside a judgement only a refusal of the judging itself counts: "I can't rate this higher" is a finding.
_WHOLE = (
    r"(?:evaluat|assess|judg|rat|scor|grad|review|complet|perform|process|continu|answer|help|assist|comply|engag"
    r"|provid\w*\s+(?:an?|any|the|this)\s+(?:evaluation|assessment|judge?ment|rating|score|review|answer|response))\w*"
    r"(?:\s+(?:with\s+)?(?:this|that|these|it|such|your|the\s+(?:text|content|material|output|summary|answer|record|request))"
    r"\b(?!\W+(?:\w+\W+)?(?:higher|above|beyond|better|more|full\w*|any)\b)|\s*(?:[.!,;]|$))"
)
_DECLINES = re.compile(
    rf"(?:^|[.!?\n]\s*|\bbut\s+|\band\s+)[\s*_#>-]*(?:{_APOLOGY}\W+(?:but\s+)?|however,\s+|as\s+an?\s+[^.!?\n]{{0,60}}?,\s+)?"
    rf"{_CANNOT}{_WHOLE}",
    re.IGNORECASE,
)
_LONGEST_REMARK = 600


def to_half_width(text: str) -> str:
    """Full-width Latin letters, digits and punctuation as their plain twins, one character for one."""
    return text.translate(_HALF_WIDTH)


def strip_thinking(text: str) -> str:
    """The text after the model's thinking; nothing, where the thinking never ends: a draft is not an answer."""
    while opener := _LEADING_OPENER.match(text):
        closer = _CLOSER.search(text, opener.end())
        if closer is None:
            return ""
        text = text[closer.end() :]
    # Chat templates may hold the opener themselves, so that the reply shows only the closer.
    closers = list(_CLOSER.finditer(text))
    return text[closers[-1].end() :] if closers and not _OPENER.search(text) else text


def _strip_fence(text: str) -> str:
    """The inside of a code fence that holds the whole text; any other text unchanged."""
    bare = text.strip()
    opener = _FENCE_OPENER.match(bare)
    return bare[opener.end() : -3] if opener and bare.endswith("```") and len(bare) >= opener.end() + 3 else text


def unwrap(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer inside a reply, and the names of the steps that it took to get there."""
    repairs: list[str] = []
    for repair, strip in (
        ("invalid characters", lambda text: _SURROGATE.sub("\ufffd", text)),
        ("byte-order mark", lambda text: text.lstrip("\ufeff")),
        ("thinking text", strip_thinking),
        ("code fence", _strip_fence),
    ):
        answer = strip(text)
        repairs += [repair] if answer != text else []
        text = answer
    return text, tuple(repairs)


def is_refusal(text: str) -> bool:
    """Whether a short reply opens by declining and holds no judgement. It only decides which failure is reported."""
    reply = strip_thinking(text).strip().lstrip("*_#> ")
    if len(reply) > _LONGEST_REFUSAL or _JUDGED.search(reply):
        return False
    return _OPENINGS.match(reply) is not None


def declines_beside(words: str) -> bool:
    """Whether words that stand before or after a readable judgement open or end by declining to judge at all."""
    plain = words.strip()
    ends = plain[:_LONGEST_REMARK], plain[-_LONGEST_REMARK:]
    return any(_DECLINES.search(each) is not None for each in ends)
