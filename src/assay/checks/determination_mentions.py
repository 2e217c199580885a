"""Where an answer speaks of this patient's eligibility, and whether it can be taken at its word there.

The words that turn a statement around have no end. So a mention is taken at its word only in a plain frame: the words
of its own segment before it, and those right after it, are all known. Everything else is left to a judge.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from assay.checks.determination_phrases import AS_STATUS, Determination, Phrases, Reading, all_phrases
from assay.domain.span import Span
from assay.text.sentences import split_sentences

Standing = Literal["stated", "reversed", "hypothetical", "unclear"]

_CLAUSE: Final = re.compile(r"[^;；…]{1,2000}")
# A comma within a number parts nothing, nor does one before a clause that a carrier takes with it.
_BOUNDARY: Final = re.compile(r"[,:](?=\s)(?!\s{1,3}(?:dass|daß)\b)|[，：、()（）\[\]—–“”\"«»|]|\s-\s|\n")
_END: Final = re.compile(r"\s{0,3}(?:$|[.,:;!()\[\]–—|，。：；！（）、…]|-\s|\n|[\"”'’»]{1,3}\s{0,3}(?:$|[.,:;!)\n]))")
# A clause with more verdicts than this states none of them plainly, and each would be read over and over.
_MANY: Final = 8
# How far back somebody else may have been named whom a pronoun now stands for.
_FAR: Final = 2_000
_NUMBER: Final = re.compile(r"(?:\d{1,2}|[a-zA-Z])[.)]\s")
_EDGE: Final = " \t\r\n\"'“”‘’«»*-–—•.!"


@dataclass(frozen=True, slots=True)
class Mention:
    reading: Reading
    span: Span
    phrases: Phrases
    standing: Standing = "stated"

    @property
    def determination(self) -> Determination:
        return AS_STATUS[self.reading]


def find_mentions(text: str, within: Span | None = None, *, titled: bool = False) -> Iterator[Mention]:
    """What the sentences say of this patient and this trial; or only the statuses in title case."""
    if titled and not any(pattern.search(text) for phrases in all_phrases() for _, pattern in phrases.titles):
        return
    area = within or Span(0, len(text))
    for span in split_sentences(area.of(text), "en"):
        sentence = span.shifted(area.start)
        if not sentence.of(text).rstrip().endswith(("?", "？")):
            for clause in _CLAUSE.finditer(text, sentence.start, sentence.end):
                yield from _read_clause(text, Span(*clause.span()), titled=titled)


def _read_clause(text: str, clause: Span, *, titled: bool) -> Iterator[Mention]:
    matches = [
        (Span(*match.span()), reading, phrases)
        for phrases in all_phrases()
        for reading, pattern in (phrases.titles if titled else phrases.verdicts)
        for match in pattern.finditer(text, clause.start, clause.end)
    ]
    kept = list(_keep_longest(matches))
    for span, reading, phrases in kept:
        if len(kept) > _MANY:
            yield Mention(reading, span, phrases, "unclear")
            continue
        if _is_about_others(text, clause, span, phrases) or phrases.elsewhere.match(text, span.end, clause.end):
            continue
        yield _read_mention(text, clause, Mention(reading, span, phrases))


def _keep_longest(matches: Iterable[tuple[Span, Reading, Phrases]]) -> Iterator[tuple[Span, Reading, Phrases]]:
    kept: list[Span] = []
    for match in sorted(matches, key=lambda each: (each[0].start - each[0].end, each[0].start)):
        if not any(match[0].overlaps(span) for span in kept):
            kept.append(match[0])
            yield match


def _last_end(pattern: re.Pattern[str], text: str, area: Span) -> int:
    return max((match.end() for match in pattern.finditer(text, area.start, area.end)), default=-1)


def _is_about_others(text: str, clause: Span, span: Span, phrases: Phrases) -> bool:
    # A verdict may begin with its own subject.
    before = Span(clause.start, span.end)
    return _last_end(phrases.others, text, before) > _last_end(phrases.own, text, before)


def _read_mention(text: str, clause: Span, mention: Mention) -> Mention:
    before, after = Span(clause.start, mention.span.start), Span(mention.span.end, clause.end)
    phrases = mention.phrases
    if phrases.reversing.search(text, *before):
        return replace(mention, standing="reversed")
    if mention.reading.startswith("maybe"):
        return _read_maybe(text, after, mention)
    if mention.reading == "needs_confirmation":
        return mention
    if phrases.reversing.search(text, *after):
        return replace(mention, standing="reversed")
    if phrases.conditions.search(text, *before) or occurs(phrases.conditions, text, after, phrases.deferrals):
        return replace(mention, standing="hypothetical")
    is_plain = _is_framed(text, before, mention) and goes_on_plainly(text, clause, mention)
    return mention if is_plain else replace(mention, standing="unclear")


def _read_maybe(text: str, after: Span, mention: Mention) -> Mention:
    """What may be so is to be confirmed where the answer says that too."""
    confirming = mention.phrases.confirming.search(text, *after)
    if confirming and not speaks_of_exclusion(text, after, mention.phrases):
        return replace(mention, reading="needs_confirmation", span=Span(mention.span.start, confirming.end()))
    return replace(mention, standing="unclear")


def _is_framed(text: str, before: Span, mention: Mention) -> bool:
    """Whether the words before a verdict do no more than name the patient, or say that a conclusion follows."""
    phrases = mention.phrases
    before = _skip_heading(text, before, mention)
    if phrases.asides.fullmatch(text, *_strip(text, before)):
        return _is_of_patient(text, before, before, mention)
    bounds = [match.span() for match in _BOUNDARY.finditer(text, *before)]
    segment = _strip(text, Span(bounds[-1][1] if bounds else before.start, before.end))
    earlier = _strip(text, Span(before.start, bounds[-1][0] if bounds else before.start))
    has_subject = phrases.heads.match(text, *mention.span)
    is_opening = has_subject and phrases.openings.fullmatch(text, *segment)
    if not is_opening and not phrases.frames.fullmatch(text, *segment):
        return False
    if earlier.start == earlier.end:
        return _is_of_patient(text, before, segment, mention)
    # Where no subject is named, it is that of the words before.
    if segment.start == segment.end and not has_subject:
        return phrases.frames.fullmatch(text, *earlier) is not None
    return _leads_to(text, earlier, segment, mention) and _is_of_patient(text, before, segment, mention)


def _skip_heading(text: str, before: Span, mention: Mention) -> Span:
    """What follows the number of an item, a heading, and the plain no of a verdict against the patient."""
    phrases, rest = mention.phrases, _strip(text, before)
    refusals = (phrases.refusals,) if mention.determination == "not_eligible" else ()
    for pattern in (_NUMBER, phrases.headings, *refusals):
        if match := pattern.match(text, *rest):
            rest = _strip(text, Span(match.end(), before.end))
    return Span(rest.start, before.end)


def _leads_to(text: str, earlier: Span, segment: Span, mention: Mention) -> bool:
    """Whether earlier words give a reason; a clause that hangs on a word of theirs would go on behind a comma."""
    phrases = mention.phrases
    if phrases.inferring.match(text, *segment):
        return True
    is_ground = mention.determination == "not_eligible" and phrases.grounds.match(text, *earlier)
    return bool((is_ground or phrases.leads.match(text, *earlier)) and not phrases.complements.search(text, *earlier))


def _is_of_patient(text: str, before: Span, segment: Span, mention: Mention) -> bool:
    """Whether a pronoun can stand for nobody but the patient."""
    phrases, end = mention.phrases, mention.span.end
    if phrases.plural.search(text, *segment) and not phrases.named.search(text, before.start, end):
        return False
    seen = max(0, segment.start - _FAR)
    return bool(
        phrases.named.search(text, segment.start, end) or not phrases.relatives.search(text, seen, segment.start)
    )


def _strip(text: str, area: Span) -> Span:
    start, end = area
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def goes_on_plainly(text: str, clause: Span, mention: Mention) -> bool:
    """Whether the words right after a verdict are known, and its clause does not speak against it."""
    after, phrases = Span(mention.span.end, clause.end), mention.phrases
    if not (_END.match(text, *after) or phrases.continuing.match(text, *after)):
        return False
    if phrases.exceptions.search(text, *after):
        return False
    if mention.determination != "likely_eligible":
        return True
    is_taken_back = occurs(phrases.contrasts, text, after, phrases.deferrals)
    return not is_taken_back and not speaks_of_exclusion(text, clause, phrases)


def speaks_of_exclusion(text: str, area: Span, phrases: Phrases) -> bool:
    """Whether anything is said of being excluded that is not denied in the same breath."""
    return occurs(phrases.exclusions, text, area, phrases.denied_exclusions)


def occurs(pattern: re.Pattern[str], text: str, area: Span, outside: re.Pattern[str]) -> bool:
    """Whether a pattern begins anywhere that another does not cover."""
    covered = [match.span() for match in outside.finditer(text, *area)]
    for match in pattern.finditer(text, *area):
        at = bisect_right(covered, match.start(), key=lambda span: span[0]) - 1
        if at < 0 or covered[at][1] <= match.start():
            return True
    return False
