"""Preferences of people: label files whose rows are pairs, kept in the store, and held against a judge."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from shell import opinion, reply, run, write_lines

from assay.store.store import open_store

FILE = Path("preferences.csv")
HEADER = "item,system_a,system_b,winner,person,metric"
ITEMS = 8
# What the judge says of the two systems, item by item: alpha is better six times, once beta, once they tie.
ALPHA, BETA = (5, 4, 5, 3, 4, 5, 1, 3), (1, 2, 3, 1, 2, 3, 4, 3)


@pytest.fixture(autouse=True)
def judged() -> None:
    """Both systems answered each item under one record id; alpha's outputs are the longer ones."""
    records, replies = [], []
    for at in range(ITEMS):
        for system, scores in (("alpha", ALPHA), ("beta", BETA)):
            text = "It is loud." + " It is cheap." * (system == "alpha")
            records.append(opinion(f"r{at}", item=f"i{at}", system=system, product_opinion_summary=text))
            replies.append(reply(f"r{at}", scores[at]) | {"system": system})
    write_lines(Path("r.jsonl"), records)
    write_lines(Path("p.jsonl"), replies)
    assert run("judge", "r.jsonl", "--rubric", "opinion-relevance", "--judge", "recorded:p.jsonl", "--quiet").code == 0


def prefer(rows: Iterable[str], header: str = HEADER) -> Path:
    FILE.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return FILE


def choose(winners: Sequence[str], person: str = "Ada", metric: str = "relevance") -> list[str]:
    return [f"i{at},alpha,beta,{winner},{person},{metric}" for at, winner in enumerate(winners)]


def measure(*arguments: object, labels: Path | None = FILE) -> dict:
    given = ("--labels", labels) if labels else ()
    ended = run("agree", "last", *given, *arguments, "--format", "json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["agreement"]


def read_share(found: dict) -> tuple[float, int]:
    return found["figures"][0]["judge"]["value"], found["n"]


def test_the_share_of_pairs_ordered_alike_stands_beside_the_longer_output_and_chance():
    prefer(choose(["alpha"] * 4 + ["beta"] * 4))
    (found,) = measure()["preferences"]
    # Right on four of alpha's and one of beta's; on the last the judge ties.
    assert read_share(found) == (pytest.approx(5.5 / 8), 8)
    figure = found["figures"][0]
    assert figure["constant"] == ["chance", 0.5]
    assert figure["note"] == "always the longer output 0.50"
    low, high = figure["judge"]["interval"]
    assert low < 5.5 / 8 < high
    said = " ".join(run("agree", "last", "--labels", FILE).out.split())
    assert (
        "Relevance, preferences: Not shown to be better than a constant guess (8 pairs from 8 source groups)." in said
    )
    assert "the judge scores both outputs the same in 1 of 8 pairs; these count half" in said


def test_always_the_longer_output_is_the_baseline_where_it_is_better_than_chance():
    prefer(choose(["alpha"] * 7 + ["beta"]))
    (found,) = measure()["preferences"]
    assert found["figures"][0]["constant"] == ["always the longer output", pytest.approx(7 / 8)]
    assert found["figures"][0]["note"] == "chance 0.50"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (HEADER, "i{at},alpha,beta,alpha,Ada,relevance"),
        (HEADER, "i{at},beta,alpha,b,Ada,relevance"),
        (HEADER, "i{at},alpha,beta,LEFT,Ada,relevance"),
        ("record,model_a,model_b,preference,annotator", "r{at},beta,alpha,model_b,Ada"),
    ],
)
def test_a_winner_is_a_name_or_a_side_and_an_item_may_be_named_by_its_record(header: str, row: str):
    prefer([row.format(at=at) for at in range(ITEMS)], header)
    (found,) = measure()["preferences"]
    assert read_share(found) == (pytest.approx(6.5 / 8), 8)


def test_ties_blank_cells_and_cannot_tell_are_left_out_and_said():
    prefer(choose(["alpha"] * 5 + ["tie", "can't tell", ""]))
    (found,) = (agreed := measure())["preferences"]
    assert read_share(found) == (1.0, 5)
    said = " ".join(found["warnings"])
    assert "people find the outputs equally good, or are evenly split, in 1 of 6 pairs" in said
    assert "1 answers are “can't tell”" in said
    assert agreed["account"]["rows"]["have no label"] == 1


def test_people_are_held_against_people_in_the_same_place():
    prefer([*choose(["alpha"] * 6 + ["beta"] * 2), *choose(["alpha"] * 5 + ["beta"] * 3, "Bo")])
    (found,) = measure()["preferences"]
    main, ceiling = found["figures"]
    assert ceiling["name"] == "pairs ordered alike, judge vs each annotator"
    assert ceiling["beside"]["value"] == pytest.approx(7 / 8)
    # Right on six or five of alpha's, on one of beta's, and half on the tie.
    assert ceiling["judge"]["value"] == pytest.approx((7.5 + 6.5) / 16)
    assert ceiling["gap"]["value"] == pytest.approx(0)
    assert main["judge"]["n"] == 7, "they are split on one"


def test_preferences_for_whole_outputs_are_held_against_every_metric():
    prefer(choose(["alpha"] * 8, metric=""))
    (found,) = measure()["preferences"]
    assert (found["metric"], found["name"]) == ("relevance", "Relevance, preferences for outputs as a whole")


def test_the_order_of_two_people_s_screens_does_not_matter():
    turned = [f"i{at},beta,alpha,left,Bo,relevance" for at in range(ITEMS)]
    prefer([*choose(["beta"] * 8), *turned])
    (found,) = measure()["preferences"]
    assert found["figures"][1]["beside"]["value"] == 1.0


def test_what_belongs_to_no_pair_of_the_run_is_counted_and_named():
    prefer([*choose(["alpha"] * 6), "i9,alpha,beta,a,Ada,relevance", "i1,alpha,gamma,a,Ada,relevance"])
    ended = run("agree", "last", "--labels", FILE)
    assert "2 of 8 labels name an output that the run does not have: i9 (alpha, beta), i1 (alpha, gamma)" in ended.err


@pytest.mark.parametrize(
    ("row", "words", "remedy"),
    [
        (
            "i0,alpha,beta,gamma,Ada,relevance",
            "winner 'gamma' is neither of the two systems",
            "Write alpha, beta, a, b",
        ),
        ("i0,alpha,alpha,a,Ada,relevance", "system_a and system_b are both 'alpha'", "Name two systems."),
        ("i0,alpha,,a,Ada,relevance", "there is no system_b", "Name item or record, system_a, system_b, winner."),
        (",alpha,beta,a,Ada,relevance", "there is no item", "Name item or record"),
        ("i0,b,a,a,Ada,relevance", "winner 'a' is both a side and the name of a system", "write left"),
    ],
)
def test_a_row_that_can_not_be_read_is_named_with_its_line(row: str, words: str, remedy: str):
    prefer([*choose(["alpha"]), row.replace("i0", "i5")])
    ended = run("agree", "last", "--labels", FILE)
    assert ended.code == 2
    assert "preferences.csv:3" in ended.err
    assert words in ended.err
    assert remedy in ended.err


def test_one_person_has_one_answer_to_a_pair():
    prefer([*choose(["alpha"]), "i0,beta,alpha,left,Ada,relevance"])
    ended = run("agree", "last", "--labels", FILE)
    assert (ended.code, "line 2 has another label for the same question: 'alpha'" in ended.err) == (2, True)


def test_preferences_are_imported_measured_from_the_store_and_exported_as_they_were():
    prefer([*choose(["alpha"] * 6 + ["tie", "can't tell"]), *choose(["right"], "Bo", "")])
    ended = run("labels", "import", FILE, "--run", "last")
    assert (ended.code, "9 preferences imported into run" in ended.out) == (0, True)
    found = measure(labels=None)
    assert [each["name"] for each in found["preferences"]] == [
        "Relevance, preferences",
        "Relevance, preferences for outputs as a whole",
    ]
    assert run("labels", "export", "out.csv").code == 0
    with open_store(".assay/assay.db") as store:
        kept = store.labels.preferences(store.find_id("last"))
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        assert [row["winner"] for row in csv.DictReader(file)][:2] == ["left", "right"]
    assert run("labels", "import", "out.csv").code == 0
    with open_store(".assay/assay.db") as store:
        assert store.labels.preferences(store.find_id("last")) == kept


def test_labels_and_preferences_may_stand_in_one_file():
    scores = [f",,,,Ada,relevance,r{at},alpha,{ALPHA[at]}" for at in range(ITEMS)]
    prefer([*(f"{row},,," for row in choose(["alpha"] * 6)), *scores], f"{HEADER},record,system,score")
    found = measure()
    assert read_share(found["preferences"][0]) == (1.0, 6)
    assert found["metrics"][0]["n"] == ITEMS


def test_nothing_of_a_file_is_imported_where_one_row_does_not_fit():
    prefer([*choose(["alpha"]), "i9,alpha,beta,a,Ada,relevance"])
    ended = run("labels", "import", FILE, "--run", "last")
    assert (ended.code, "preferences.csv:3" in ended.err) == (2, True)
    with open_store(".assay/assay.db") as store:
        assert store.labels.preferences(store.find_id("last")) == ()


def test_a_report_shows_what_stored_preferences_say_of_the_judge():
    prefer(choose(["alpha"] * 8))
    assert run("labels", "import", FILE, "--run", "last").code == 0
    assert run("report", "last", "--markdown", "r.md").code == 0
    text = Path("r.md").read_text(encoding="utf-8")
    assert "Relevance, preferences" in text
    assert "8 pairs from 8 source groups" in text
