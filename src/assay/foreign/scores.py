"""What the lists of an explanation make of its score: arithmetic on the reply's own counts."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.rubric import Rubric
from assay.domain.shape import Counts
from assay.foreign.answer import Counted, ForeignMetric

MOSTLY_UNSUPPORTED = Fraction(1, 2)
HALF, MOST = Fraction(3, 8), Fraction(5, 8)
LITTLE_EXCESS, MOSTLY_EXCESS = Fraction(1, 5), Fraction(1, 2)
LEVELS_APART = 2
_NAMES = {"whole": "items", "best": "matched or supported", "worst": "missed or unsupported", "excess": "in excess"}
_NAMES |= {"held": "in the output"}
Number: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class ListedScore:
    """`value` is the score and `raw` the reply's own or the lists' before a limit; `computed` is the lists' level.

    Without a value there is none: the reply gives no score and its lists do not decide one. `is_empty` where a list
    that the score needs is there and has no entries. `uses_lists` where a list had a say, `is_doubtful` where it would
    have one if it could be read without doubt.
    """

    value: Number | None
    words: str
    raw: Number | None = None
    computed: int | None = None
    uses_lists: bool = False
    is_empty: bool = False
    is_doubtful: bool = False


def conclude_lists(rubric: Rubric, read: ForeignMetric, trail: Trail, proven: int) -> Outcome:
    """An explanation: its own score within what its own lists allow, or what the lists alone come to."""
    own = read.reported.get("grade")
    fault = read.fault
    counts = rubric.shape.counts if rubric.shape is not None else None
    grade = own if isinstance(own, int | float) else None
    if read.counted is None or (fault is not None and fault.status in {"truncated", "refused"}):
        return Failure(fault.status if fault else "malformed", fault.words if fault else "nothing was read", trail)
    scored = score_lists(counts, read.counted, grade, proven)
    if scored.is_empty:
        return Abstention("empty_input", scored.words, trail)
    if scored.value is None:
        reason = f"{fault.words}; {scored.words}" if fault is not None else scored.words
        return Failure(fault.status if fault else "malformed", reason, trail)
    repairs = trail.repairs if fault is None else (*trail.repairs, f"no grade beside the lists: {fault.words}")
    flags = list(trail.flags) if scored.uses_lists else [*trail.flags, "reported_only"]
    flags += ["list_mismatch"] if find_contradiction(read.counted) else []
    flags += ["list_in_doubt"] if scored.is_doubtful else []
    if grade is not None and scored.computed is not None and abs(grade - scored.computed) >= LEVELS_APART:
        flags.append("computed_differs" if counts == "coverage" else "reported_differs")
    value, raw = (Fraction(str(each)) for each in (scored.value, scored.value if scored.raw is None else scored.raw))
    beside = None if scored.computed is None else Fraction(scored.computed)
    ends = (min(value, beside or value), max(value, beside or value))
    score = Score(value, raw, ends, rubric.metrics[0].scale, scored.words, computed=beside)
    return Verdict(score, replace(trail, flags=tuple(dict.fromkeys(flags)), repairs=repairs))


def score_lists(counts: Counts | None, counted: Counted, own: Number | None, proven: int = 0) -> ListedScore:
    """The score of a reply by its lists, its own score, and the items that code proved wrong.

    A list that may be misread changes no score: in doubt the reply is scored as if it had none.
    """
    scored = _score(counts, counted, own, proven)
    doubt = find_contradiction(counted) or ("a list may have other entries" if counted.is_open else "")
    if not doubt or scored.value == own:
        return scored
    alone = _score(counts, Counted(missing=counted.missing), own, proven)
    return replace(alone, words=f"{alone.words}; its lists are left out: {doubt}", is_doubtful=True)


def find_contradiction(counted: Counted) -> str:
    """How the lists contradict each other or a count that the reply states; "" where they agree."""
    whole, best, worst = counted.whole, counted.best, counted.worst
    for name, part, limit in (("best", best, whole), ("worst", worst, whole), ("best", best, counted.held)):
        if part is not None and limit is not None and part > limit:
            return f"{part} {_NAMES[name]} of {limit}"
    if whole is not None and best is not None and worst is not None and best + worst != whole:
        return f"{best} {_NAMES['best']} and {worst} {_NAMES['worst']} of {whole}"
    for name, stated in counted.stated:
        if getattr(counted, name) not in {None, stated}:
            return f"it states {stated} {_NAMES[name]} and lists {getattr(counted, name)}"
    return f"{counted.strays} entries are in no other list or in two" if counted.strays else ""


def _score(counts: Counts | None, counted: Counted, own: Number | None, proven: int) -> ListedScore:
    if counted.whole == 0:
        return ListedScore(None, "the reply lists no items", is_empty=True)
    if counts == "unsupported":
        return _score_unsupported(counted, own, proven)
    return _score_coverage(counted, own) if counts == "coverage" else _take_own(counted, own)


def _take_own(counted: Counted, own: Number | None) -> ListedScore:
    lacking = " and ".join(f"no list of {name}" for name in counted.missing)
    said = f"; the reply has {lacking}" if lacking else ""
    return ListedScore(
        own, f"the reply's own score {own}{said}" if own is not None else f"the reply gives no score{said}", own
    )


def _score_unsupported(counted: Counted, own: Number | None, proven: int) -> ListedScore:
    """By all items and those unsupported; with these alone, 5, 4 or at most 3, and a lower score of its own stands."""
    if counted.worst is None:
        own_score = _take_own(counted, own)
        if not proven or own is None:
            return own_score
        limit = 4 if proven == 1 else 3
        return ListedScore(min(own, limit), f"{own_score.words}; {proven} proven wrong by code", own)
    unsupported = max(counted.worst, proven)
    if counted.whole is not None:
        unsupported = min(unsupported, counted.whole)
        level = rate_unsupported(counted.whole, unsupported)
        words = f"{counted.whole} items listed, {unsupported} unsupported → {level}"
        return ListedScore(level, words, level, level, uses_lists=True)
    limit = {0: 5, 1: 4}.get(unsupported, 3)
    words = f"{unsupported} unsupported {'item' if unsupported == 1 else 'items'} listed, and not all items"
    if own is None:
        is_decided = unsupported < 2
        return ListedScore(limit if is_decided else None, f"{words} → at most {limit}", limit, uses_lists=True)
    value = min(own, limit)
    said = f"the reply's own {own} stands" if value == own else f"at most {limit}, where the reply says {own}"
    return ListedScore(value, f"{words}: {said}", own, limit if unsupported < 2 else None, uses_lists=True)


def rate_unsupported(total: int, unsupported: int) -> int:
    share = Fraction(total - unsupported, total)
    if share == 0:
        return 1
    if share <= MOSTLY_UNSUPPORTED:
        return 2
    return {0: 5, 1: 4}.get(unsupported, 3)


def rate_coverage(total: int, matched: int, excess: int) -> int:
    covered = Fraction(matched, total)
    share = Fraction(excess, matched + excess) if excess else Fraction(0)
    if covered == 0:
        return 1
    if covered == 1 and not excess:
        return 5
    if covered < HALF or share > MOSTLY_EXCESS:
        return 2
    return 4 if covered >= MOST and share <= LITTLE_EXCESS else 3


def _score_coverage(counted: Counted, own: Number | None) -> ListedScore:
    """The reply's score, below 5 beside an unmatched item or an excess, and 1 where nothing matches."""
    total, matched, excess = counted.whole, counted.best, counted.excess
    computed = None
    if total is not None and matched is not None and excess is not None:
        computed = rate_coverage(total, min(matched, total), excess)
    if own is None:
        words = _say_counts(counted)
        return ListedScore(
            computed, f"{words} → {computed}" if computed else "the reply gives no score", computed, computed
        )
    limit = 5
    if total is not None and matched == 0:
        limit = 1
    elif excess or (total is not None and matched is not None and matched < total):
        limit = 4
    value = min(own, limit)
    base = _take_own(counted, own)
    said = [base.words, _say_counts(counted)]
    said += [f"at most {limit} by its own lists"] if value < own else []
    said += [f"the lists alone give {computed}"] if computed is not None else []
    has_lists = matched is not None or excess is not None
    return ListedScore(value, "; ".join(each for each in said if each), own, computed, uses_lists=has_lists)


def _say_counts(counted: Counted) -> str:
    said = []
    if counted.whole is not None and counted.best is not None:
        said.append(f"{counted.best} of {counted.whole} important items matched")
    elif counted.best is not None:
        said.append(f"{counted.best} items matched")
    if counted.excess is not None:
        said.append(f"{counted.excess} in excess")
    return ", ".join(said)
