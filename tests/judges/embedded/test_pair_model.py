"""The shipped pair model computes in floats, and what lies near a threshold is flagged."""

from collections.abc import Sequence

import pytest

import assay
from assay.judges.embedded.judge import Checker, EmbeddedJudge
from assay.judges.embedded.pair_model import Pair, Rating, load_pair_model
from assay.judges.embedded.signals import FEATURES
from assay.judges.embedded.weights import MODEL, Calibration, read_weights

SOURCE = "The harbour board opened the new quay in spring. It has room for twelve boats and a small crane."
PAIRS = [
    Pair(SOURCE, claim)
    for claim in (
        "The new quay was opened in spring.",
        "The quay can't take any boats.",
        "A crane stands on the quay, which the harbour board opened to the public after years of delay.",
        "It rained.",
        "The board closed the quay.",
    )
]
AS_IT_IS = Calibration({name: float(name == "support") for name in FEATURES}, 0, 0.2, 0.5, {"verbatim": 1, "absent": 0})


def test_the_file_holds_bytes_and_asks_for_no_arithmetic_with_them():
    content = read_weights(MODEL)
    assert len(content) < 23_600_000
    assert [name for name in (b"DynamicQuantizeLinear", b"MatMulInteger", b"QLinearMatMul") if name in content] == []


def test_one_pair_at_a_time_and_several_are_rated_alike():
    model = load_pair_model()
    for pair, rating in zip(PAIRS, model.rate(PAIRS), strict=True):
        assert rating == pytest.approx(model.rate([pair])[0], abs=1e-5)
    assert model.rate([]) == []


def test_the_order_of_pairs_is_kept_whatever_their_lengths():
    forwards, backwards = load_pair_model().rate(PAIRS), load_pair_model().rate(PAIRS[::-1])
    assert all(one == pytest.approx(other, abs=1e-5) for one, other in zip(forwards, backwards[::-1], strict=True))


@pytest.mark.parametrize(
    ("support", "contradiction", "label", "is_near"),
    [
        (0.504, 0.0, "supported", True),
        (0.496, 0.0, "undecided", True),
        (0.506, 0.0, "supported", False),
        (0.204, 0.0, "undecided", True),
        (0.196, 0.0, "absent", True),
        (0.150, 0.0, "absent", False),
        (0.150, 0.504, "contradicted", True),
        (0.150, 0.496, "absent", True),
        (0.150, 0.520, "contradicted", False),
        (0.350, 0.501, "undecided", False),
    ],
)
def test_a_label_near_a_threshold_of_its_decision_is_flagged(support, contradiction, label, is_near):
    class Fixed:
        def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
            return [Rating(support, contradiction, 1 - support - contradiction) for _ in pairs]

    judge = EmbeddedJudge(Checker("embedded:fixed", Fixed, AS_IT_IS))
    claim = "The harbour board opened the quay, with room for boats and a crane."
    records = [{"id": "r", "article": SOURCE, "summary": claim}]
    metric = next(iter(assay.judge(records, "article-audit", judge))).metrics["hallucination"]
    assert [finding["support"] for finding in metric.findings] == [label]
    assert ("near_threshold" in metric.flags) == is_near
