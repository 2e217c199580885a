"""The score that a prose reply gives for one metric."""

from collections.abc import Sequence

from assay.replies.amounts import as_whole, place_amount
from assay.replies.reading import Misreading, Reading
from assay.replies.wrapping import strip_thinking, to_half_width

from .anchors import Anchored, Strength, find_anchored


def read_anchored_score(
    text: str, metric: str, low: int, high: int, names: Sequence[str] = ()
) -> Reading[int] | Misreading:
    """The score tied to the metric, which may also go by `names`, to the word score, or to the scale.

    The strongest kind of tie in the reply decides; different scores of that kind are ambiguous.
    """
    plain = strip_thinking(to_half_width(text)).strip()
    found = list(find_anchored(plain, [name for name in (metric, *names) if name.strip()], high))
    given = [anchored for anchored in found if not anchored.spoken_of]
    given = [anchored for anchored in given if not anchored.in_list] or given
    if not given:
        return Misreading(
            "a score is only spoken of" if found else "no score tied to the metric, the word or the scale"
        )
    strongest = max(anchored.strength for anchored in given)
    readings = [_place(anchored, low, high) for anchored in given if anchored.strength == strongest]
    if len(set(map(_value, readings))) > 1:
        return Misreading("several scores that differ", "ambiguous")
    if isinstance(readings[0], Misreading):
        return readings[0]
    mentioned = {_value(_place(anchored, low, high)) for anchored in given}
    notes = [
        "score in a sentence" if strongest < Strength.LABEL else None,
        "other scores mentioned" if len(mentioned) > 1 and strongest < Strength.METRIC else None,
    ]
    return Reading(readings[0].value, ", ".join(note for note in notes if note) or None)


def _place(anchored: Anchored, low: int, high: int) -> Reading[int] | Misreading:
    return as_whole(place_amount(anchored.amount, low, high))


def _value(reading: Reading[int] | Misreading) -> int | str:
    return reading.value if isinstance(reading, Reading) else reading.reason
