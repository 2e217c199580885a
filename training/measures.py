"""How often a model is right on held-out pairs, three-way and supported-or-not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.pairs import Label


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Figures of one held-out origin; three_way is None where the labels are two-way."""

    pairs: int
    three_way: float | None
    balanced: float

    def as_row(self) -> dict[str, float | int | None]:
        three_way = None if self.three_way is None else round(self.three_way, 4)
        return {"pairs": self.pairs, "three_way": three_way, "balanced": round(self.balanced, 4)}


def measure_accuracy(labels: Sequence[int], answers: Sequence[int], supported: Sequence[bool]) -> Accuracy:
    """`answers` are the likeliest of three labels, `supported` whether support is likelier than not.

    Balanced accuracy is the mean of the share of supported pairs found and the share of the others found; with only
    one kind present it is that kind's share.
    """
    right = sum(label == answer for label, answer in zip(labels, answers, strict=True))
    three_way = None if Label.NOT_SUPPORTED in labels else right / len(labels)
    shares = []
    for kind in (True, False):
        found = [
            said == kind for label, said in zip(labels, supported, strict=True) if (label == Label.SUPPORTED) == kind
        ]
        if found:
            shares.append(sum(found) / len(found))
    return Accuracy(len(labels), three_way, sum(shares) / len(shares) if shares else 0.0)


def measure_by_origin(
    origins: Sequence[str], labels: Sequence[int], answers: Sequence[int], supported: Sequence[bool]
) -> Mapping[str, Accuracy]:
    """The accuracy of each origin, by name."""
    out: dict[str, Accuracy] = {}
    for origin in sorted(set(origins)):
        rows = [row for row, name in enumerate(origins) if name == origin]
        out[origin] = measure_accuracy(
            [labels[row] for row in rows], [answers[row] for row in rows], [supported[row] for row in rows]
        )
    return out
