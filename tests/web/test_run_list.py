"""The list of runs: found by words, rubric and judge, each with its scores, and their course over time."""

import re
from dataclasses import replace

import pytest
from kept_many import begin
from markup import read
from runs import claim_card

from assay.domain.outcome import Abstention
from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.scoring.total import compute_total
from assay.store.agreements import AgreementVerdict, KeptAgreement
from assay.store.store import Store
from assay.web.library import Library
from assay.web.lists import ListQuery, build_groups
from equipment.page_server import serve_view

RUBRIC = open_rubric("comparison-faithfulness")


def keep(store: Store, name: str, value: int, judge: str = "a:one/prompts-0", source: str = "made.jsonl") -> None:
    begin(store, name, RUBRIC, judge, source)
    for at in range(3):
        claims = [(Span(0, 6), "supported", ())]
        store.add_record(name, at, claim_card("It is.", [], claims, value=value, identifier=f"n{at}"))
    store.flush()


def list_runs(store: Store, **query: str) -> list[str]:
    runs, _ = Library(store).runs()
    groups = build_groups(Library(store), runs, ListQuery(**query))
    return [run.id for group in groups for run, _, _ in group.lines]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, {"first", "second", "third"}),
        ({"q": "FIRST"}, {"first"}),
        ({"q": "b:two other"}, {"third"}),
        ({"q": "b:two made"}, set()),
        ({"judge": "a:one"}, {"first", "second"}),
        ({"rubric": "comparison-faithfulness"}, {"first", "second", "third"}),
        ({"rubric": "ghost"}, set()),
    ],
)
def test_runs_are_found_by_words_rubric_and_judge(own_store: Store, query: dict[str, str], found: set[str]) -> None:
    keep(own_store, "first", 5)
    keep(own_store, "second", 3)
    keep(own_store, "third", 1, "b:two", "other.jsonl")
    assert set(list_runs(own_store, **query)) == found


def test_three_comparable_runs_have_a_course_below_their_list_and_others_are_not_in_it(own_store: Store) -> None:
    for name, value in (("first", 5), ("second", 3), ("third", 1)):
        keep(own_store, name, value)
    keep(own_store, "other judge", 5, "b:two")
    keep(own_store, "other file", 5, source="other.jsonl")
    with serve_view(own_store) as served:
        text = served.get("/").text
    page = read(text)
    (plot,) = [each for each in page.of("svg") if each.attributes["class"] == "plot"]
    assert plot.attributes["aria-label"] == "Faithfulness: normalized score of 3 runs, oldest first"
    assert len(page.of("polyline")) == 1
    dots = [each.attributes for each in page.of("a") if "point" in each.attributes.get("class", "")]
    assert {each["href"] for each in dots} == {
        f"{served.keys.root}/runs/{name}" for name in ("first", "second", "third")
    }
    assert {each["aria-label"].partition(" [")[0] for each in dots} == {"first: 1.00", "second: 0.50", "third: 0.00"}
    assert text.index("</table>") < text.index('class="plot"')
    flat = " ".join(page.text.split())
    assert "● 1.00" in flat
    assert "a:one," not in flat


def test_two_comparable_runs_are_no_course(own_store: Store) -> None:
    keep(own_store, "first", 5)
    keep(own_store, "second", 3)
    keep(own_store, "third", 1, "b:two")
    keep(own_store, "fourth", 1, "b:two")
    with serve_view(own_store) as served:
        page = read(served.get("/").text)
    assert not [each for each in page.of("svg") if each.attributes["class"] == "plot"]
    assert "The oldest run is on the left." not in page.text


def test_a_run_of_which_little_was_scored_shows_a_range_with_its_count_and_nothing_green(own_store: Store) -> None:
    begin(own_store, "few", RUBRIC, "a:one", "made.jsonl")
    cards = [claim_card("It is.", [], [(Span(0, 6), "supported", ())], value=5, identifier=f"n{at}") for at in range(4)]
    for at, card in enumerate(cards):
        outcomes = card.outcomes if not at else {"faithfulness": Abstention("abstained", "who knows")}
        own_store.add_record("few", at, replace(card, outcomes=outcomes, total=compute_total(RUBRIC, outcomes)))
    own_store.flush()
    with serve_view(own_store) as served:
        runs, run, ordered = (served.get(path).text for path in ("/", "/runs/few", "/runs/few?order=faithfulness"))
    for page in (runs, run):
        flat = " ".join(read(page).text.split())
        assert "0.25–1.00" in flat
        assert "1 of 4 scored" in flat
    assert "chip g-high" not in runs
    assert "headline g-none" in run
    assert re.findall(r"/records/(\d)", ordered) == ["2", "3", "4", "1"]


def test_many_runs_of_a_rubric_are_listed_whole_only_on_their_own(own_store: Store) -> None:
    for number in range(12):
        keep(own_store, f"run{number}", 3)
    assert len(list_runs(own_store)) == 10
    assert len(list_runs(own_store, all="1")) == 12
    with serve_view(own_store) as served:
        page = read(served.get("/?q=run&judge=a%3Aone").text)
        (more,) = [each for each in page.of("a") if each.text == "all runs of this rubric"]
        whole = read(served.get(more.attributes["href"]).text)
    assert "2 older runs are not listed" in page.text
    assert "not listed" not in whole.text


def test_a_search_that_finds_nothing_says_so(own_store: Store) -> None:
    keep(own_store, "first", 5)
    with serve_view(own_store) as served:
        assert "No run matches." in read(served.get("/?q=ghost").text).text


def agree(judge: str, value: float, finding: str = "not_shown") -> KeptAgreement:
    key = (judge, RUBRIC.digest, "faithfulness", "run", 40)
    figure = ("Spearman, all records", value, value - 0.1, value + 0.1, 0.0)
    verdict = AgreementVerdict(finding, "Not shown (40 records from 8 source groups).", 40, 8, 1)
    return KeptAgreement(*key, *figure, RUBRIC.id, "Faithfulness", verdict=verdict)


def test_the_judges_of_a_metric_are_listed_with_their_verdicts_the_best_first_and_those_without_one_last(
    own_store: Store,
) -> None:
    kept = [agree("<b>two</b>", 0.5), agree("a:one/prompts-0", 0.7), agree("c", 0.2), agree("few", 0.9, "too_few")]
    own_store.agreements.put(kept)
    assert own_store.agreements.all() == sorted(kept, key=lambda each: each.judge)
    with serve_view(own_store) as served:
        page = read(served.get("/judges").text)
    assert (page.open, page.misnested) == ([], [])
    names = [each.text for each in page.of("th") if each.attributes.get("scope") == "row"]
    assert names == ["a:one", "<b>two</b>", "c", "few"]
    assert not [each for each in page.of("svg") if each.attributes["class"] == "plot"]
    assert page.text.count("Not shown (40 records from 8 source groups).") == 4
