"""The eligibility determination an answer states, by its phrases."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Final, Literal, get_args

from assay.checks.determination_phrases import Phrases, Reading, all_phrases
from assay.domain.span import Span
from assay.text.sentences import split_sentences

Determination = Literal["likely_eligible", "not_eligible", "needs_confirmation"]
DETERMINATIONS: Final[tuple[Determination, ...]] = get_args(Determination)

_AS_STATUS: Final[dict[Reading, Determination]] = {
    "likely_eligible": "likely_eligible",
    "maybe_eligible": "likely_eligible",
    "not_eligible": "not_eligible",
    "maybe_not": "not_eligible",
    "needs_confirmation": "needs_confirmation",
}
_MARKUP: Final = re.compile(r"[*_#`>~]")
_LINE: Final = re.compile(r"[^\n]+")
_LEAD: Final = re.compile(r"[^\w\n|]{0,12}")
_OPTION: Final = re.compile(r"(?:[/|,、]|\bor\b|\bo\b|\bou\b|\boder\b|\bhoặc\b|或)")
_FINAL: Final = re.compile(r"final|overall|endg|cuối|complessiv|最终|总体", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s{0,3}")
_CLAUSE: Final = re.compile(r"[^;；]{1,2000}")
_AFTER_WORDS: Final = re.compile(r"(?:\s+[^\s,.;:()]+){0,6}")
_STATUS_END: Final = re.compile(r"\s{0,3}(?:$|[.,:;!()–—\-|\"”'’，。：；（]|\n)")


@dataclass(frozen=True, slots=True)
class FoundDetermination:
    determination: Determination
    span: Span


@dataclass(frozen=True, slots=True)
class _Labelled:
    found: FoundDetermination
    is_final: bool


def find_determination(answer: str) -> FoundDetermination | None:
    """A labelled or lone status, else a status in title case, else what the sentences say about this patient.

    Within each of these a conflict is no determination: a judge has to decide.
    """
    text = _MARKUP.sub(" ", answer)
    labelled = [*_find_labelled(text), *(_Labelled(found, False) for found in _find_lone_statuses(text))]
    if labelled:
        final = [each.found for each in labelled if each.is_final]
        return _agree(final) or _agree([each.found for each in labelled])
    titled = list(_find_titled(text))
    if titled:
        return _agree(titled)
    return _agree(list(_find_in_sentences(text)))


def _agree(found: list[FoundDetermination]) -> FoundDetermination | None:
    return found[0] if len({each.determination for each in found}) == 1 else None


@cache
def _label_pattern() -> re.Pattern[str]:
    labels = "|".join(phrases.labels.pattern for phrases in all_phrases())
    # A label ends in a mark of its own, or is a line of its own.
    return re.compile(
        rf"(?:^|(?<=[\n.;|\"(,，。；：:—–]))[^\w\n]{{0,12}}(?P<label>{labels})[ \t\"”]{{0,6}}"
        r"(?:[:：=|–—-]\s{0,12}|\n\s{0,12})",
        re.IGNORECASE,
    )


def _find_labelled(text: str) -> Iterator[_Labelled]:
    labels = list(_label_pattern().finditer(text))
    for label, following in zip_longest(labels, labels[1:]):
        line = _LINE.search(text, label.end(), following.start() if following else len(text))
        if line is None:
            continue
        value = Span(label.end(), line.end())
        if _is_menu(text, value):
            continue
        found = _read_status(text, value, with_end=False) or _agree(list(_find_in_sentences(text, value)))
        if found is not None:
            yield _Labelled(found, bool(_FINAL.search(label["label"])))


def _find_lone_statuses(text: str) -> Iterator[FoundDetermination]:
    for line in _LINE.finditer(text):
        span = Span(*line.span())
        found = None if line[0].lstrip().startswith("|") else _read_status(text, span, with_end=True)
        if found is not None and not _is_menu(text, span):
            yield found


def _read_status(text: str, line: Span, *, with_end: bool) -> FoundDetermination | None:
    """The status a line opens with."""
    at = _skip_subject(text, line)
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
    if with_end and not alone and not _stands_out(text, Span(at, end), reading):
        return None
    if phrases.elsewhere.match(text, end, line.end):
        return None
    determination = _AS_STATUS[reading]
    if reading.startswith("maybe") and phrases.confirming.search(text, end, min(line.end, end + 2_000)):
        determination = "needs_confirmation"
    return FoundDetermination(determination, Span(at, end))


def _stands_out(text: str, status: Span, reading: Reading) -> bool:
    """Whether a status at the head of a line is one, and not the head of a list, as in `Eligible: adults over 18`."""
    following = _STATUS_END.match(text, status.end)
    if following is None or status.end - status.start <= len("eligible"):
        return False
    return reading != "needs_confirmation" or not following[0].rstrip().endswith((":", "："))


def _skip_subject(text: str, line: Span) -> int:
    lead = _LEAD.match(text, line.start, line.end)
    at = lead.end() if lead else line.start
    for phrases in all_phrases():
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
        _AS_STATUS[reading]
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


def _find_titled(text: str) -> Iterator[FoundDetermination]:
    for phrases in all_phrases():
        for reading, pattern in phrases.titles:
            for match in pattern.finditer(text):
                yield FoundDetermination(_AS_STATUS[reading], Span(*match.span()))


def _find_in_sentences(text: str, within: Span | None = None) -> Iterator[FoundDetermination]:
    area = within or Span(0, len(text))
    for span in split_sentences(area.of(text), "en"):
        sentence = span.shifted(area.start)
        if not sentence.of(text).rstrip().endswith(("?", "？")):
            for clause in _CLAUSE.finditer(text, sentence.start, sentence.end):
                yield from _read_clause(text, Span(*clause.span()))


def _read_clause(text: str, clause: Span) -> Iterator[FoundDetermination]:
    matches = [
        (Span(*match.span()), reading, phrases)
        for phrases in all_phrases()
        for reading, pattern in phrases.verdicts
        for match in pattern.finditer(text, clause.start, clause.end)
    ]
    for span, reading, phrases in _keep_longest(matches):
        confirming = phrases.confirming.search(text, span.end, clause.end)
        if _is_beside_the_point(text, clause, span, phrases):
            continue
        if reading.startswith("maybe"):
            if confirming:
                yield FoundDetermination("needs_confirmation", Span(span.start, confirming.end()))
        elif reading == "needs_confirmation" or not _is_hypothetical(text, clause, span, phrases):
            yield FoundDetermination(_AS_STATUS[reading], span)


def _keep_longest(
    matches: Iterable[tuple[Span, Reading, Phrases]],
) -> Iterator[tuple[Span, Reading, Phrases]]:
    kept: list[Span] = []
    for match in sorted(matches, key=lambda each: (each[0].start - each[0].end, each[0].start)):
        if not any(match[0].overlaps(span) for span in kept):
            kept.append(match[0])
            yield match


def _last_end(pattern: re.Pattern[str], text: str, area: Span) -> int:
    return max((match.end() for match in pattern.finditer(text, area.start, area.end)), default=-1)


def _is_beside_the_point(text: str, clause: Span, span: Span, phrases: Phrases) -> bool:
    return bool(
        _is_about_others(text, clause, span, phrases)
        or phrases.reversing.search(text, clause.start, span.start)
        or phrases.elsewhere.match(text, span.end, clause.end)
    )


def _is_about_others(text: str, clause: Span, span: Span, phrases: Phrases) -> bool:
    # A verdict may begin with its own subject.
    before = Span(clause.start, span.end)
    return _last_end(phrases.others, text, before) > _last_end(phrases.own, text, before)


def _is_hypothetical(text: str, clause: Span, span: Span, phrases: Phrases) -> bool:
    following = _AFTER_WORDS.match(text, span.end, clause.end)
    stop = following.end() if following else span.end
    return bool(
        phrases.conditions.search(text, clause.start, span.start) or phrases.conditions.search(text, span.end, stop)
    )
