"""Labels claims as supported, contradicted or absent, each with the sentence that decides; or leaves them undecided."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.domain.findings import NO_FACT, UNDECIDED, Citation, Label, Piece
from assay.domain.parts import LabelPart
from assay.domain.record import Source
from assay.domain.units import Unit
from assay.judges.embedded.pair_model import PairQueue
from assay.judges.embedded.signals import Searched, Signals, search, weigh
from assay.judges.embedded.weights import Calibration
from assay.text.keywords import keywords
from assay.text.markup import as_seen, see, without_surroundings
from assay.text.names import find_holder
from assay.text.normal import Normal
from assay.units.passages import OUTPUT, Passage, Passages

DENIED: Final = 0.5
"""The least probability of a contradiction. Below it, the sources do not speak of the claim."""
NEAR: Final = 0.005  # So near to a threshold, a label could as well be the one beyond it.
_NEAREST: Final = 2
"""So many sentences of the sources stand beside a claim that is left undecided."""
_LONGEST_LABEL: Final = 40
_MOST_WORDS_OF_A_VALUE: Final = 6
_MOST_WORDS_OF_A_TITLE: Final = 5
_MOST_WORDS_OF_A_FRAGMENT: Final = 2
_COURTESY: Final = re.compile(
    r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: \w+){0,2}[,!. ]*)?"
    r"(?:(?:many )?(?:thanks|thank you)(?: (?:so|very) much)?(?: for (?:reaching out|asking|writing|contacting us"
    r"|your (?:question|message|interest|patience|email)))?"
    r"|(?:please )?let (?:me|us) know if (?:you (?:need|have|want|would like) (?:any )?(?:more|further|other|anything)?"
    r" ?(?:help|questions?|details?|information|else)?|(?:this|that) helps|there is anything else)"
    r"|(?:please )?(?:feel free|do(?:n't| not) hesitate) to (?:ask|reach out|contact (?:me|us))(?: (?:again|anytime))?"
    r"|(?:i|we) hope (?:this|that|it) helps|(?:i am|i'm|we are|we're)? ?(?:happy|glad) to help|you(?:'re| are) welcome"
    r"|(?:best|kind|warm) regards|yours sincerely|have a (?:great|nice|good) day)?[,!. ]*",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|.*:$")


@dataclass(frozen=True, slots=True)
class Rated:
    """A claim's signals, the probability that the sources support it, and where its figures were looked up."""

    signals: Signals
    probability: float
    looked_in: str


@dataclass(frozen=True, slots=True)
class Own:
    """The source that a unit speaks of. `is_titled` where its title is the row or column of the unit's cell."""

    source: str
    is_titled: bool


@dataclass(frozen=True, slots=True)
class Ground:
    """The sources that a claim is held to, as a reader sees them: by their passages, and whole to look up figures."""

    searched: Searched
    texts: Sequence[str]
    name: str = "the sources"


def prepare(passages: Passages, language: str, own: Own | None = None) -> Ground:
    """All sources, or a unit's own one. Figures are looked up in all sources, unless a cell of a table names its own.

    That a name stands in one source alone is no proof that the figure beside it must.
    """
    names = [name for name in passages.texts if name != OUTPUT]
    held = names if own is None else [own.source]
    sources = tuple(passage for passage in passages.all if passage.source in held)
    whole = {name: see(passages.texts[name]) for name in names}
    searched = Searched(sources, language, tuple(_read(each, whole[each.source]) for each in sources))
    looked_up = held if own is not None and own.is_titled else names
    texts = [passages.texts[name] if (seen := whole[name]) is None else seen.text for name in looked_up]
    return Ground(searched, texts) if len(texts) == len(names) else Ground(searched, texts, "the source of this cell")


def find_own_source(unit: Unit, sources: Sequence[Source]) -> Own | None:
    """The one source that a unit speaks of: its title is the unit's row or column, or it alone has the unit's names.

    What is said of one thing is not supported by what a source says of another.
    """
    places = {place.strip().casefold() for place in unit.context.split("|") if unit.is_cell} - {""}
    titled = [source.id for source in sources if (source.title or "").strip().casefold() in places]
    if titled:
        return Own(titled[0], is_titled=True) if len(titled) == 1 else None
    at = find_holder(unit.text, tuple(f"{source.title or ''}\n{source.text}" for source in sources))
    return None if at is None else Own(sources[at].id, is_titled=False)


def _read(passage: Passage, seen: Normal | None) -> str:
    if seen is None:
        return passage.text
    start, end = (bisect_left(seen.starts, place) for place in passage.span)
    return seen.text[start:end].strip()


async def rate_claims(
    claims: Sequence[str], grounds: Sequence[Ground], queue: PairQueue, calibration: Calibration
) -> list[Rated]:
    """Each claim on its own ground."""
    pairs = zip(claims, grounds, strict=True)
    found = [search(as_seen(claim), ground.searched, ground.texts) for claim, ground in pairs]
    ratings = iter(await queue.rate([pair for each in found for pair in each.pairs]))
    signals = [weigh(each, [next(ratings) for _ in each.pairs]) for each in found]
    return [
        Rated(each, calibration.probability(each.features, each.found.settled), ground.name)
        for each, ground in zip(signals, grounds, strict=True)
    ]


def label_claim(unit: Unit, part: LabelPart, rated: Rated, calibration: Calibration) -> Label:
    names = {option.name for option in part.options}
    if _names_no_fact(unit, part):
        return Label(part.id, unit.id, NO_FACT, note="its own label says that it states no fact")
    probability = rated.probability
    if probability > calibration.low:
        # A figure that two others come to may be right or wrong: a reader can tell.
        is_held = probability >= calibration.high and not rated.signals.found.unstated
        label = part.best if is_held else UNDECIDED
        cited = _cite_nearest(unit, rated.signals, 1 if label == part.best else _NEAREST)
        return Label(part.id, unit.id, label, cited, note=_say(rated), probability=probability)
    denial = _cite_denial(unit, rated.signals) if "contradicted" in names else ()
    label = "contradicted" if denial else "absent" if "absent" in names else part.worst
    # A figure that no parse of any source yields is a fault that code has proved.
    found = rated.signals.found
    pieces = tuple(Piece(span.of(found.claim), "serious") for span in found.unsourced)
    return Label(part.id, unit.id, label, denial, note=_say(rated), probability=probability, pieces=pieces)


def is_near_threshold(label: Label, rated: Rated, calibration: Calibration) -> bool:
    """Whether a slightly different rating would have given another label."""
    gaps = [rated.probability - calibration.low, rated.probability - calibration.high]
    gaps += [_find_denial_gap(rated.signals)] if label.label in {"absent", "contradicted"} else []
    return label.probability is not None and min(map(abs, gaps)) < NEAR


def _names_no_fact(unit: Unit, part: LabelPart) -> bool:
    """Whether it is a labelled value ("Status: open") whose label stands in the rubric's own words for no fact."""
    label, colon, value = as_seen(unit.text).partition(":")
    if not colon or len(label) > _LONGEST_LABEL or not 0 < len(value.split()) <= _MOST_WORDS_OF_A_VALUE:
        return False
    meaning = next((option.meaning for option in part.options if option.name == NO_FACT), "")
    words = keywords(label)
    return bool(words) and words <= keywords(meaning)


def is_unlike_a_sentence(text: str) -> bool:
    """Short headings, fragments, questions and courtesies: no sentences as the pair model knows them. Left unjudged."""
    bare = text.strip()
    words = len(bare.split())
    is_fragment = words <= _MOST_WORDS_OF_A_FRAGMENT and not any(character.isdigit() for character in bare)
    is_title = words <= _MOST_WORDS_OF_A_TITLE and _TITLE.match(bare) is not None
    is_courtesy = _COURTESY.fullmatch(bare.replace("’", "'")) is not None
    return is_courtesy or is_fragment or is_title or bare.rstrip("\"'”’)]*").endswith("?")


def _cite_nearest(unit: Unit, signals: Signals, most: int) -> tuple[Citation, ...]:
    """The sentences of the window that supports the claim best: the one that holds most of it first."""
    window = signals.supporting
    return () if window is None else tuple(_cite(each) for each in _sort_by_words(unit, window.passages)[:most])


def _cite_denial(unit: Unit, signals: Signals) -> tuple[Citation, ...]:
    if signals.denying is not None and _find_denial_gap(signals) >= 0:
        return (_cite(_sort_by_words(unit, signals.denying.passages)[0]),)
    return ()


def _find_denial_gap(signals: Signals) -> float:
    """How far the model's contradiction is above the threshold; from 0 on the claim is denied."""
    return signals.contradiction - max(DENIED, signals.support)


def _sort_by_words(unit: Unit, passages: Sequence[Passage]) -> list[Passage]:
    """Passages that share most of the unit's own words come first. Words of its context are in many."""
    own = set(as_seen(unit.text).casefold().split())
    return sorted(passages, key=lambda passage: -len(own & set(as_seen(passage.text).casefold().split())))


def _cite(passage: Passage) -> Citation:
    """Quotes the passage exactly as the source has it, so that the quote is found there."""
    return Citation(passage.id, without_surroundings(passage.text))


def _say(rated: Rated) -> str:
    """Why, in words: what was found verbatim or is missing, and how likely the claim is supported."""
    found, said = rated.signals.found, []
    if found.verbatim is not None:
        return "the source says it word for word"
    said += [f"{span.of(found.claim)!r} is nowhere in {rated.looked_in}" for span in found.unsourced]
    for each in found.derived:
        said.append(f"no source states {each.span.of(found.claim)!r}; {each.one!r} and {each.other!r} together give it")
    said += [found.other_polarity] if found.other_polarity else []
    if not found.windows:
        said.append("no sentence of the sources shares a word with it")
    said.append(f"probability of support {rated.probability:.2f}")
    return "; ".join(said)
