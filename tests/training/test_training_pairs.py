import gzip
import json
import random

import pytest
from training.holdout import split_pairs
from training.measures import measure_accuracy
from training.modern import expand_claim, read_modern
from training.pairs import Label, Pair, PairsMissingError, clean_text, count_origins, read_pairs
from training.sentences import MOST_WORDS, focus, split_sentences
from training.twins import ORIGIN, TwinMaker
from training.windows import build_neighbours, may_stand_beside, set_among_others

pytestmark = pytest.mark.integration

TOWNS = ("Oslo", "Lyon", "Perth", "Lima", "Porto", "Leeds", "Turin", "Ghent", "Basel", "Tampa", "Izmir", "Kyoto")
SUBJECTS = ("library", "tram", "market", "harbour", "theatre", "orchard", "quarry", "observatory")

SAID = (
    "The {0} of {1} was opened in {2} by mayor Holm", "Since {2} a {0} has served the people of {1}",
    "Visitors to {1} like its old {0}, first mentioned in {2}", "A fire destroyed the {0} at {1} during {2}",
    "In {2} the council of {1} sold its only {0}", "Nobody in {1} remembers when the {0} closed, perhaps in {2}",
    "Prizes won by the {0} in {1} include one from {2}", "{1} borrowed money for a new {0} as early as {2}",
)  # fmt: skip


def build_sample() -> list[Pair]:
    """Invented pairs of every origin: a page per town, a fact per subject."""
    out = []
    for origin in ("vitaminc", "mnli", "snli", "conjnli", "fever"):
        for town in TOWNS:
            for number, subject in enumerate(SUBJECTS):
                said = SAID[number].format(subject, town, 1900 + number)
                premise = f"{said} ({origin})."
                negative = Label.NOT_SUPPORTED if origin == "fever" else Label(1 + number % 2)
                group = f"{origin}:{town}"
                out.append(Pair(premise, f"{town} has a {subject}.", Label.SUPPORTED, origin, group))
                out.append(Pair(premise, f"{town} has no {subject}.", negative, origin, group))
    return out


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Holm -LRB- born 1950 -RRB- is a judge .", "Holm (born 1950) is a judge."),
        ("`` Yes , '' he said .", '" Yes, " he said.'),
        ("It did n't end.It began .", "It didn't end. It began."),
        ("It costs $ 4.50 , or 3 % less", "It costs $4.50, or 3% less"),
    ],
)
def test_treebank_spelling_becomes_ordinary(written, clean):
    assert clean_text(written) == clean


def test_a_pair_without_a_group_is_grouped_by_its_premise(tmp_path):
    rows = [
        {"premise": "A b.", "hypothesis": "A.", "label": "neutral", "origin": "mnli", "group": None},
        {"premise": "A b.", "hypothesis": "B.", "label": "not_supported", "origin": "mnli", "group": "P"},
    ]
    path = tmp_path / "pairs.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    first, second = read_pairs(path)
    assert (first.group, first.label) == ("mnli:A b.", Label.NOT_IN_SOURCE)
    assert (second.group, second.label) == ("mnli:P", Label.NOT_SUPPORTED)


def test_missing_pairs_are_named_in_the_error(tmp_path):
    with pytest.raises(PairsMissingError, match=r"nowhere\.gz.*--pairs"):
        read_pairs(tmp_path / "nowhere.gz")


def test_the_held_out_part_shares_no_page_and_no_premise_with_training():
    split = split_pairs(build_sample(), {"vitaminc": 30, "mnli": 10}, seed=3)
    assert count_origins(split.held_out) == {"mnli": 10, "vitaminc": 30}
    assert not {pair.group for pair in split.train} & {pair.group for pair in split.held_out}
    assert not {pair.premise for pair in split.train} & {pair.premise for pair in split.held_out}
    assert count_origins(split.train)["snli"] == len(TOWNS) * len(SUBJECTS) * 2


def test_the_split_does_not_depend_on_the_order_of_the_file():
    pairs = build_sample()
    shuffled = random.Random(5).sample(pairs, len(pairs))
    sizes = {"vitaminc": 32, "mnli": 16}
    assert {p.group for p in split_pairs(pairs, sizes, 3).held_out} == {
        p.group for p in split_pairs(shuffled, sizes, 3).held_out
    }


def test_twins_come_with_both_labels_and_never_verbatim_when_false():
    maker = TwinMaker(build_sample(), 1)
    drawn = [maker.draw() for _ in range(600)]
    assert {pair.origin for pair in drawn} == {ORIGIN}
    false = [pair for pair in drawn if pair.label != Label.SUPPORTED]
    assert all(pair.hypothesis != pair.premise for pair in false)
    assert 0.35 < 1 - len(false) / len(drawn) < 0.6
    assert any(pair.hypothesis == pair.premise for pair in drawn)


def test_a_claim_that_was_held_out_is_not_learned_from_another_set():
    held = Pair(
        "Oslo opened a tram in 1904.", "The city of Oslo opened its tram.", Label.SUPPORTED, "vitaminc", "v:oslo"
    )
    same = Pair("A tram ran.", "the city of oslo opened its tram", Label.NOT_SUPPORTED, "fever_nli", "f:1")
    other = Pair("A tram ran.", "The city of Lima sold its tram.", Label.NOT_SUPPORTED, "fever_nli", "f:2")
    assert split_pairs([held, same, other], {"vitaminc": 1}, 3).train == [other]


LONG = " ".join(f"The {name} of {town} draws many a visitor in spring." for name in SUBJECTS for town in TOWNS[:3])


def test_a_long_premise_is_cut_to_what_the_claim_is_about():
    pair = Pair(LONG, "Visitors see the quarry of Perth.", Label.SUPPORTED, "qmsum", "q:1")
    cut = focus(pair)
    assert len(cut.premise.split()) <= MOST_WORDS
    assert "The quarry of Perth" in cut.premise
    assert set(split_sentences(cut.premise)) <= set(split_sentences(LONG))
    assert (cut.hypothesis, cut.label) == (pair.hypothesis, pair.label)


def test_a_scrap_goes_with_the_sentence_after_it():
    assert split_sentences("Dr. Moe left. He came back.") == ["Dr. Moe left.", "He came back."]


def test_balanced_accuracy_weighs_both_kinds_alike():
    labels = [0, 0, 0, 2]
    measured = measure_accuracy(labels, [0, 0, 0, 0], [True, True, True, True])
    assert (measured.three_way, measured.balanced) == (0.75, 0.5)


def test_two_way_labels_have_no_three_way_figure():
    assert measure_accuracy([0, 3], [0, 1], [True, False]).three_way is None


def test_a_claim_with_choices_is_said_rightly_once_and_wrongly_in_each_way():
    said = expand_claim("{more|fewer} people came, {perhaps~surely} by train.")
    assert said == [
        ("More people came, perhaps by train.", Label.SUPPORTED),
        ("Fewer people came, perhaps by train.", Label.CONTRADICTED),
        ("More people came, surely by train.", Label.NOT_IN_SOURCE),
    ]
    assert expand_claim("~ It rained.") == [("It rained.", Label.NOT_IN_SOURCE)]


def test_every_written_claim_is_whole_and_differs_from_its_wrong_twins():
    pairs = read_modern()
    assert len({pair.group for pair in pairs}) > 300
    assert not [pair.hypothesis for pair in pairs if set(pair.hypothesis) & set("{}|~")]
    assert len({(pair.premise, pair.hypothesis) for pair in pairs}) == len(pairs)


def test_a_window_keeps_the_deciding_sentence_whole():
    pairs = build_sample()
    neighbours, rng = build_neighbours(pairs), random.Random(2)
    widened = [(pair, neighbours.widen(pair, rng)) for pair in pairs]
    assert all(pair.premise in wide.premise for pair, wide in widened)
    assert all((pair.hypothesis, pair.label) == (wide.hypothesis, wide.label) for pair, wide in widened)
    assert any(pair.premise != wide.premise for pair, wide in widened)


def test_a_sentence_about_the_hypothesis_may_not_stand_beside_it():
    premise, hypothesis = "The tram of Oslo opened in 1904.", "Oslo has a tram with red seats."
    assert not may_stand_beside("Oslo sold its tram and the red seats.", premise, hypothesis)
    assert may_stand_beside("Lima exports copper.", premise, hypothesis)


def test_an_open_hypothesis_gets_only_strangers_beside_it():
    page = [Pair(f"Fact {word} stands alone here.", "x", Label.SUPPORTED, "vitaminc", "v:p") for word in SUBJECTS]
    neighbours = build_neighbours([*page, Pair("Quite another page says this.", "x", Label.SUPPORTED, "fever", "f:q")])
    asked = Pair("Nothing said.", "Something unheard of.", Label.NOT_IN_SOURCE, "vitaminc", "v:p")
    decided = [neighbours.widen(asked, random.Random(seed)).premise for seed in range(40)]
    assert any("another page" in premise for premise in decided)


def test_twins_stand_among_the_same_sentences():
    pairs = build_sample()
    neighbours = build_neighbours(pairs)
    twins = [
        Pair(pair.premise, claim, Label.SUPPORTED, ORIGIN, "g") for pair in pairs[:40] for claim in ("Yes.", "No.")
    ]
    seen = [set_among_others(pair, neighbours, 5).premise for pair in twins]
    assert seen[::2] == seen[1::2]
    assert seen != [pair.premise for pair in twins]
