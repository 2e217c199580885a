"""The score in a `<score>` tag, told apart from the tags of a rubric that the model repeats."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.replies.values import Misreading, Reading, parse_amount, read_level
from assay.replies.wrapping import strip_thinking, to_half_width

_TAG = re.compile(r"[<\[]\s*score\s*[>\]]([^<>\[\]\n]{0,60})[<\[]\s*/\s*score\s*[>\]]", re.IGNORECASE)
_UNCLOSED = re.compile(r"<\s*score\s*>\s*(-?\d{1,9}(?:[.,]\d{1,9})?)\s*(?:<|\Z)", re.IGNORECASE)
_ESCAPED = (("&lt;", "<"), ("&gt;", ">"), ("\\<", "<"), ("\\>", ">"))
_BOXED = re.compile(r"\\boxed\s*\{([^{}\n]*)\}")
_FULL_WIDTH = re.compile(r"[０-９＜＞]")
_LIST_MARK = re.compile(r"[\s\-–—*•#>|(]*(?:\d{1,2}[.)]\s)?[\s*(]*")
_DESCRIPTION = re.compile(r"[\s*)\]]*[-–—:=.,(|]*\s*(?:[^\W\d_]|\()")
_FINAL_FORM = re.compile(r"\bscore[\s*_]*+(?:is[\s*_]*+)?(?:[-–—:=]++[\s*_]*+)?$", re.IGNORECASE)
AMOUNT = (
    r"(?P<amount>[-−]?\d{1,3}(?:[.,]\d{1,3})?(?:\s*(?:/|out\s+of)\s*\d{1,3}(?:\.0)?)?"
    r"|(?:one|two|three|four|five)(?:\s+(?:out\s+of|of)\s+(?:five|5))?|zero|six)"
)
_NAMED = (
    r"[\W_]*+(?:\d{1,2}[.)]\s*\**)?(?:the\s+)?(?:(?:final|overall|assigned|given|NAMES)\s+)*(?:score|rating|grade|verdict|NAMES)\b"
    r"[\s*_]*+(?:\([^()]*\)[\s*_]*+)?(?:(?:is|of|would be|[:=|]|[-–—])[\s*_]*+)*" + AMOUNT
)
_ALONE = re.compile(rf"[\W_]*+{AMOUNT}(?:\s*stars?)?[\W_]*", re.IGNORECASE)
_SENTENCE = re.compile(
    rf"\b(?:scor\w*|rat(?:e|ed|ing)|grade|give|assign)\b[^.\n\d]{{0,80}}?\b{AMOUNT}(?!\w|[.,]\d)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Tag:
    written: str
    line: int
    before: str
    after: str

    @property
    def number(self) -> int | None:
        return int(self.written) if self.written.isdecimal() else None

    @property
    def describes(self) -> bool:
        """The tag opens its line and words follow: the shape of a rubric's level."""
        return bool(_LIST_MARK.fullmatch(self.before) and _DESCRIPTION.match(self.after))

    @property
    def concludes(self) -> bool:
        """The form that is asked for: Score- and the tag, and nothing behind it."""
        return bool(_FINAL_FORM.search(self.before)) and not self.after.strip(" .*_")


def read_score_tag(
    text: str, low: int, high: int, names: Sequence[str] = (), *, whole: bool = True
) -> Reading[int | float] | Misreading:
    """The tag after the last repeated rubric. Several that differ are ambiguous, unless the last line settles it.

    Without a tag, a line that says the score and no more; `names` are what the score may be called besides "score".
    """
    plain = strip_thinking(to_half_width(text))
    for written, meant in _ESCAPED:
        plain = plain.replace(written, meant)
    plain = _BOXED.sub(r"\1", plain)
    lines = [line for line in plain.split("\n") if line.strip()]
    tags = _after_echo(_find_tags(lines, low, high))
    if not tags:
        return _read_without_tag(plain, lines, names, lambda written: read_level(written, low, high, whole=whole))
    chosen, repairs = tags[-1], []
    if len({tag.written for tag in tags}) > 1:
        final = [tag for tag in tags if tag.line == len(lines) - 1]
        if len({tag.written for tag in final}) != 1 or not _FINAL_FORM.search(final[0].before):
            return Misreading(f"{len(tags)} score tags that differ", "ambiguous")
        chosen = final[0]
        repairs.append("several tags, the last line's taken")
    reading = read_level(chosen.written, low, high, whole=whole)
    if isinstance(reading, Misreading):
        return reading
    if _FULL_WIDTH.search(text):
        repairs.append("full-width forms")
    if not chosen.written.isdecimal():
        repairs.append("number form")
    if chosen.line == 0 and not re.search(r"\w{2,}\W+\w{2,}", chosen.before):
        repairs.append("score first")
    return Reading(reading.value, ", ".join(repairs) or None)


def has_score_tag(text: str) -> bool:
    plain = to_half_width(text)
    for written, meant in _ESCAPED:
        plain = plain.replace(written, meant)
    return any(parse_amount(match[1].strip(" *_`")) for match in _TAG.finditer(plain)) or bool(_UNCLOSED.search(plain))


def _find_tags(lines: Sequence[str], low: int, high: int) -> list[_Tag]:
    """The tags with a number in them; `<score>n</score>` and `<score>1-5</score>` only show the form."""
    return [
        _Tag(
            match.group(1).strip(" *_`"),
            number,
            line[max(0, match.start() - 200) : match.start()],
            line[match.end() : match.end() + 200],
        )
        for number, line in enumerate(lines)
        if "<" in line or "[" in line
        for match in _TAG.finditer(line)
        if parse_amount(match.group(1).strip(" *_`")) and match.group(1).strip() != f"{low}-{high}"
    ]


def _after_echo(tags: Sequence[_Tag]) -> Sequence[_Tag]:
    """The tags behind the last run of neighbouring levels: two that describe, or three in any form."""
    start, run = 0, 1
    for place in range(1, len(tags) + 1):
        if place < len(tags) and _neighbours(tags, place, run):
            run += 1
            continue
        if run >= 3 or (run == 2 and tags[place - 1].describes and place < len(tags)):
            start = place
        run = 1
    return tags[start:]


def _neighbours(tags: Sequence[_Tag], place: int, run: int) -> bool:
    """Whether the tag goes on from the one before it, one level up or down, in the run's direction and shape."""
    if place == len(tags) - 1 and tags[place].concludes:
        return False
    here, before = tags[place].number, tags[place - 1].number
    if here is None or before is None or abs(here - before) != 1 or tags[place].describes != tags[place - 1].describes:
        return False
    earlier = tags[place - 2].number if run > 1 else None
    return earlier is None or here - before == before - earlier


def _read_without_tag(
    plain: str, lines: Sequence[str], names: Sequence[str], read: Callable[[str], Reading[int | float] | Misreading]
) -> Reading[int | float] | Misreading:
    unclosed = _UNCLOSED.search(plain, max(0, len(plain) - 100))
    if unclosed and not _TAG.search(plain):
        reading = read(unclosed.group(1))
        return reading if isinstance(reading, Misreading) else Reading(reading.value, "unclosed tag")
    written = _find_untagged([line for line in lines if not _TAG.search(line)], names)
    if not written:
        return Misreading("no score tag")
    if len(set(written)) > 1:
        return Misreading(f"{len(written)} scores that differ", "ambiguous")
    reading = read(written[0])
    return reading if isinstance(reading, Misreading) else Reading(reading.value, "score without a tag")


def _find_untagged(lines: Sequence[str], names: Sequence[str]) -> list[str]:
    """What the last line says; else every line that is nothing but a score, or begins with one under its name."""
    if not lines:
        return []
    called = "|".join(re.escape(name).replace("_", "[ _]").replace("\\ ", "[ _]") for name in names) or "score"
    named = re.compile(_NAMED.replace("NAMES", called), re.IGNORECASE)
    last = lines[-1]
    if len(last) < 300:
        found = [named.match(last), _ALONE.fullmatch(last), *_SENTENCE.finditer(last)]
        amounts = [each["amount"] for each in found if each and _ends_well(last[each.end() :])]
        if amounts:
            return amounts[:1] if named.match(last) or _ALONE.fullmatch(last) else amounts
    matches = [match for line in lines if len(line) < 2000 and (match := named.match(line))]
    clear = [match for match in matches if ends_clearly(match.string[match.end() :])]
    # "Average rating of 4.2" may be a point of a list.
    scores = [match for match in clear if "score" in match[0].lower()]
    return [match["amount"] for match in scores or clear]


def _ends_well(rest: str) -> bool:
    """Not a range, a list of scores, or a part of a longer number."""
    return re.match(r"\s*(?:[-–/]|to\b|or\b)\s*\w*\d|[.,]\d|\w", rest) is None


def ends_clearly(rest: str) -> bool:
    """A number inside prose is a score only where the line, or a sentence or clause of its own, ends with it."""
    return _ends_well(rest) and re.match(r"[\s*_)\]]*(?:$|[.:;,(|\[–—-]\s?)", rest) is not None
