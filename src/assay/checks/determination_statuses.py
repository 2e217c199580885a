"""The statuses that an answer sets apart from its prose: behind a label, or at the head of a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Final

from assay.checks.determination_mentions import Mention, goes_on_plainly, occurs
from assay.checks.determination_phrases import AS_STATUS, Phrases, Reading, all_phrases
from assay.domain.span import Span

_LINE: Final = re.compile(r"[^\n]+")
_SENTENCE_END: Final = re.compile(r"[.!。！](?=\s|$|[^\x00-\x7f])")
_MARK: Final = re.compile(r"[,:;()–—，：；（）]|\s-\s")
_LEAD: Final = re.compile(r"[^\w\n|]{0,12}")
_OPTION: Final = re.compile(r"(?:[/|,、]|\bor\b|\bo\b|\bou\b|\boder\b|\bhoặc\b|或)")
_FINAL: Final = re.compile(r"final|overall|endg|cuối|complessiv|最终|总体", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s{0,3}")
_STATUS_END: Final = re.compile(r"\s{0,3}(?:$|[.,:;!()–—\-|\"”'’，。：；（]|\n)")


@dataclass(frozen=True, slots=True)
class Value:
    """What stands behind a label."""

    span: Span
    is_final: bool


@cache
def _label_pattern() -> re.Pattern[str]:
    labels = "|".join(phrases.labels.pattern for phrases in all_phrases())
    # A label ends in a mark of its own, or is a line of its own.
    return re.compile(
        rf"(?:^|(?<=[\n.;|\"(,，。；：:—–]))[^\w\n]{{0,12}}(?P<label>{labels})[ \t\"”]{{0,6}}"
        r"(?:[:：=|–—-]|(?=\n))",
        re.IGNORECASE,
    )


def find_values(text: str) -> Iterator[Value]:
    labels = list(_label_pattern().finditer(text))
    for label, following in zip_longest(labels, labels[1:]):
        line = _LINE.search(text, label.end(), following.start() if following else len(text))
        if line is not None and not _is_menu(text, span := Span(*line.span())):
            yield Value(span, bool(_FINAL.search(label["label"])))


def find_lone_statuses(text: str) -> Iterator[Mention]:
    for line in _LINE.finditer(text):
        span = Span(*line.span())
        found = None if line[0].lstrip().startswith("|") else read_status(text, span, with_end=True)
        if found is not None and not _is_menu(text, span):
            yield found


def read_status(text: str, line: Span, *, with_end: bool) -> Mention | None:
    """The status a line opens with; unclear where the rest of its sentence may take it back."""
    at = _skip_subject(text, line, and_patient=not with_end)
    best: tuple[int, Reading, Phrases] | None = None
    for phrases in all_phrases():
        for reading, pattern in phrases.statuses:
            match = pattern.match(text, at, line.end)
            if match and _ends_word(text, match.end()) and (best is None or match.end() > best[0]):
                best = (match.end(), reading, phrases)
    if best is None:
        return None
    end, reading, phrases = best
    alone = not text[end : line.end].strip(" \t.!\"”'’。)")
    if with_end and not alone and not _stands_out(text, Span(at, end), line, reading):
        return None
    if phrases.elsewhere.match(text, end, line.end):
        return None
    if reading.startswith("maybe") and phrases.confirming.search(text, end, min(line.end, end + 2_000)):
        reading = "needs_confirmation"
    mention = Mention(reading, Span(at, end), phrases)
    is_plain = reading == "needs_confirmation" or _is_kept_up(text, line, mention)
    return mention if is_plain else replace(mention, standing="unclear")


def _is_kept_up(text: str, line: Span, mention: Mention) -> bool:
    """Whether nothing takes a status back: right behind it, and where it is for the patient in its whole sentence."""
    end, phrases = mention.span.end, mention.phrases
    stop = _SENTENCE_END.search(text, end, line.end)
    sentence = Span(mention.span.start, stop.start() if stop else line.end)
    mark = _MARK.search(text, end, sentence.end)
    words = Span(mention.span.start, mark.start() if mark else sentence.end)
    if phrases.reversing.search(text, end, words.end):
        return False
    if occurs(phrases.conditions, text, Span(end, words.end), phrases.deferrals):
        return False
    if mention.determination != "likely_eligible":
        return goes_on_plainly(text, words, mention)
    if occurs(phrases.conditions, text, Span(end, sentence.end), phrases.deferrals):
        return False
    is_taken_back = occurs(phrases.retreats, text, Span(end, line.end), phrases.deferrals)
    return not is_taken_back and goes_on_plainly(text, sentence, mention)


def _stands_out(text: str, status: Span, line: Span, reading: Reading) -> bool:
    """Whether a status at the head of a line is one, and not the head of a list, as in `Eligible: adults over 18`."""
    following = _STATUS_END.match(text, status.end)
    if following is None or status.end - status.start <= len("eligible"):
        return False
    if not following[0].rstrip().endswith((":", "：")):
        return True
    of_patient = any(phrases.own.search(text, following.end(), line.end) for phrases in all_phrases())
    return reading != "needs_confirmation" and of_patient


def _skip_subject(text: str, line: Span, *, and_patient: bool) -> int:
    lead = _LEAD.match(text, line.start, line.end)
    at = lead.end() if lead else line.start
    for phrases in all_phrases() if and_patient else ():
        subject = phrases.subjects.match(text, at, line.end)
        if subject:
            space = _SPACE.match(text, subject.end(), line.end)
            return space.end() if space else subject.end()
    return at


def _ends_word(text: str, end: int) -> bool:
    return end >= len(text) or not (text[end].isalpha() and text[end].isascii())


def _is_menu(text: str, line: Span) -> bool:
    """Whether a line offers several statuses, as a copied instruction does."""
    offered = {
        AS_STATUS[reading]
        for option in _OPTION.split(line.of(text))
        for reading in [_longest_status(option.strip(" \t\"'“”‘’()[]"))]
        if reading is not None
    }
    return len(offered) > 1


def _longest_status(option: str) -> Reading | None:
    fitting = [
        (match.end(), reading)
        for phrases in all_phrases()
        for reading, pattern in phrases.statuses
        if (match := pattern.match(option))
    ]
    return max(fitting)[1] if fitting else None
