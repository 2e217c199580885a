import asyncio

import pytest

from assay.domain.record import Source
from assay.judges.embedded.pair_model import Pair, PairQueue, Rating, load_pair_model
from assay.judges.embedded.signals import FEATURES, Found, Searched, search, weigh
from assay.units.passages import number_sources

TEXT = (
    "The trial enrolled 240 adults with type 2 diabetes at eleven clinics in the north of the country. "
    "Patients took 10 mg of dapagliflozin once daily for 24 weeks, beside the medicines they already had. "
    "HbA1c fell by 0.8 points with the drug, against 0.1 points with placebo. "
    "Genital infections were reported by 14 patients, and nobody stopped the treatment because of them. "
    "The clinics were paid by the maker of the drug, which had no hand in the analysis. "
    "A follow-up over two years is planned, and the results are expected in the spring."
)


def find(claim: str) -> Found:
    sources = [Source("s1", TEXT)]
    return search(claim, Searched(number_sources(sources).all), [TEXT])


def test_a_sentence_of_the_source_is_settled_without_the_model():
    found = find("HbA1c fell by 0.8 points with the drug, against 0.1 points with placebo.")

    assert found.verbatim is not None
    assert found.verbatim.id == "S1.3"
    assert found.pairs == []


@pytest.mark.parametrize(
    "claim",
    [
        "HbA1c fell by 8 points with the drug, against 0.1 points with placebo.",
        "HbA1c rose by 0.8 points with the drug, against 0.1 points with placebo.",
    ],
)
def test_one_changed_word_is_not_verbatim(claim):
    assert find(claim).verbatim is None


def test_the_best_sentence_comes_with_its_neighbours():
    window = find("Infections were seen in 14 of the patients.").windows[0]

    assert window.passages[0].id == "S1.4"
    assert {passage.id for passage in window.passages} == {"S1.3", "S1.4", "S1.5"}


def test_a_claim_with_nothing_in_common_has_no_window():
    found = find("Zebras migrate.")

    assert found.windows == ()
    assert found.settled is None
    assert weigh(found, []).support == 0.0


def test_passages_are_searched_as_seen_and_kept_as_they_stand():
    text = TEXT.replace("HbA1c", "Hb\u00adA1c").replace("drug", "<i>drug</i>")
    searched = Searched(number_sources([Source("s1", text)]).all)
    found = search("HbA1c fell by 0.8 points with the drug, against 0.1 points with placebo.", searched, [text])

    assert found.verbatim is not None
    assert found.verbatim.text.startswith("Hb\u00adA1c fell by 0.8 points with the <i>drug</i>")
    assert all("\u00ad" not in window.text for window in found.windows)


def test_every_feature_has_a_direction():
    found = find("Genital infections were reported by 14 patients in the trial.")
    signals = weigh(found, [Rating(0.6, 0.1, 0.3) for _ in found.pairs])

    assert signals.features.keys() == FEATURES.keys()
    assert set(FEATURES.values()) == {1, -1}


def test_a_number_that_the_source_lacks_is_noticed():
    found = find("The trial enrolled 940 adults with type 2 diabetes.")

    assert [span.of(found.claim) for span in found.unsourced] == ["940"]
    assert found.settled == "absent"
    assert found.pairs == []


def test_the_queue_rates_a_pair_once_and_keeps_the_order():
    asked: list[int] = []

    class Counted:
        def rate(self, pairs):
            asked.append(len(pairs))
            return [Rating(len(pair.premise) / 100, 0, 0) for pair in pairs]

    async def work():
        queue = PairQueue(Counted)  # type: ignore[arg-type]
        first, second = await asyncio.gather(
            queue.rate([Pair("a", "x"), Pair("bb", "x")]), queue.rate([Pair("bb", "x"), Pair("ccc", "x")])
        )
        again = await queue.rate([Pair("ccc", "x"), Pair("a", "x")])
        queue.close()
        return first, second, again

    first, second, again = asyncio.run(work())

    assert [each.supported for each in first] == [0.01, 0.02]
    assert [each.supported for each in second] == [0.02, 0.03]
    assert [each.supported for each in again] == [0.03, 0.01]
    assert asked == [2, 1]


def test_a_rating_does_not_depend_on_the_pairs_rated_with_it():
    one = Pair("The trial enrolled 240 adults.", "The trial had 240 participants.")
    others = [Pair(TEXT, "Nobody stopped the treatment."), Pair("x " * 300, "y"), Pair("", "")]
    model = load_pair_model()

    assert model.rate([*others, one])[-1] == pytest.approx(model.rate([one])[0], abs=1e-5)
