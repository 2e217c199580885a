"""Whether an output carries a point of its source: the output is the premise, the point the hypothesis."""

from collections.abc import Sequence

from assay.domain.findings import Citation, Label
from assay.domain.parts import LabelPart
from assay.domain.units import Unit
from assay.judges.embedded.banks import answer_of
from assay.judges.embedded.pair_desk import PairDesk
from assay.judges.embedded.pair_model import Pair
from assay.judges.embedded.windows import Searched
from assay.units.passages import OUTPUT, Passage, Passages

_WHOLE_WORDS = 150


async def rate_coverage(
    points: Sequence[str], passages: Sequence[Passage], language: str, desk: PairDesk
) -> list[float]:
    """How far each point is carried, from 0 to 1: the mean of what the model sees and of the point's words found."""
    searched = Searched(tuple(passages), language)
    asked: list[list[Pair]] = []
    for point in points:
        premises = [searched.text] if len(searched.text.split()) <= _WHOLE_WORDS else _premises(searched, point)
        asked.append([Pair(premise, point) for premise in premises])
    ratings = iter(await desk.rate([pair for pairs in asked for pair in pairs]))
    heard = [max((next(ratings).supported for _ in pairs), default=0.0) for pairs in asked]
    return [(support + searched.coverage(point)) / 2 for support, point in zip(heard, points, strict=True)]


def _premises(searched: Searched, point: str) -> list[str]:
    return [window.text for window in searched.windows(searched.best(point))]


async def label_covered(
    units: Sequence[Unit], part: LabelPart, passages: Passages, language: str, desk: PairDesk
) -> list[Label]:
    shown = passages.of(OUTPUT)
    points = [answer_of(unit.text) for unit in units]
    shares = await rate_coverage(points, shown, language, desk)
    searched = Searched(shown, language)
    labels = []
    for unit, point, share in zip(units, points, shares, strict=True):
        best = searched.best(point)
        label = part.best if share >= 0.6 else part.middle if share >= 0.4 else part.worst
        cited = (Citation(shown[best[0]].id, shown[best[0]].text),) if best and label != part.worst else ()
        if not cited and label != part.worst:
            label = part.worst
        labels.append(Label(part.id, unit.id, label, cited, note=f"carried by {share:.2f}", probability=None))
    return labels
