"""The outputs of one source in columns, on live pages and in the report."""

from dataclasses import replace
from fractions import Fraction

import pytest
from kept_many import EVIL, begin, hostile_card
from markup import Page, read
from runs import claim_card, page_of

from assay.domain.findings import Evidence, Grade
from assay.domain.listed import build_listed
from assay.domain.outcome import Abstention, Outcome, Placement, Trail
from assay.domain.record import Source
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.report.ranking import Ranking
from assay.scoring.total import compute_total
from assay.store.store import Store
from assay.web.columns import SourceGroup
from equipment.page_server import Served, serve_view

SOURCE = "We sell it for 8 euros. It is blue."
QUOTE = Evidence("s1", Span(15, 22), "8 euros")


def write(system: str | None, price: int, value: int, item: str = "pump", **options: object) -> Scorecard:
    output = f"The pump costs {price} euros."
    label = "supported" if price == 8 else "contradicted"
    labels = [(Span(0, len(output)), label, (QUOTE,))]
    return claim_card(
        output, [Source("s1", SOURCE)], labels, identifier=item, item=item, value=value, system=system, **options
    )


def keep(store: Store, *cards: Scorecard) -> None:
    begin(store, "run", cards[0].rubric)
    for position, card in enumerate(cards):
        store.add_record("run", position, card)
    store.flush()


def place(card: Scorecard, *placements: Placement) -> Scorecard:
    outcomes: dict[str, Outcome] = {}
    for (name, outcome), placement in zip(card.outcomes.items(), placements, strict=True):
        outcomes[name] = replace(outcome, trail=replace(outcome.trail, placement=placement))
    return replace(card, outcomes=outcomes)


def check_columns(page: Page) -> None:
    """Three outputs of one source, whose text stands there once, with one mark for what all of them quote."""
    assert [each.attributes["class"] for each in page.of("article")] == ["column"] * 3
    assert len(page.of("section", **{"class": "source"})) == 1
    sources = [each for each in page.of("span", **{"class": "quoted"}) if each.text == "8 euros"]
    assert len(sources) == 1
    claims = page.of("a", **{"class": "claim"})
    assert [claim.text for claim in claims] == [f"The pump costs {price} euros." for price in (8, 9, 9)]
    assert {claim.attributes["href"] for claim in claims} == {f"#{sources[0].attributes['id']}"}
    assert [name for name, count in page.ids.items() if count > 1] == []
    assert {each.attributes["href"][1:] for each in page.of("a") if each.attributes["href"].startswith("#")} <= set(
        page.ids
    )


def test_a_page_shows_the_source_once_and_under_each_system_its_findings_and_distance_from_the_best(own_store: Store):
    second = place(write("b", 9, 2), Placement(1, 0, 2, 3))
    keep(own_store, write("a", 8, 5), second, write("c", 9, 2), write("a", 8, 5, "alone"))
    with serve_view(own_store) as served:
        page = read(served.get("/runs/run/groups/2").text)
        assert served.get("/runs/run/groups/9").status == 404
        assert "Side by side: all 3 outputs" in read(served.get("/runs/run/records/1").text).text
        assert "Side by side: all" not in read(served.get("/runs/run/records/4").text).text
    check_columns(page)
    cells = [each.text for each in page.of("td", **{"class": "number"})]
    assert [each.text for each in page.of("b") if each.text == "best"] == ["best"]
    assert len(cells) == 3
    assert page.text.count("−3") == 2
    assert "Round 2: output C, place 3 of 3" in page.text


def test_the_list_leads_from_group_to_group_in_its_own_order(own_store: Store):
    pairs = [(write("a", 8, 5, item), write("b", 9, value, item)) for item, value in (("near", 4), ("far", 1))]
    keep(own_store, *(card for pair in pairs for card in pair))
    with serve_view(own_store) as served:
        page = read(served.get("/runs/run/groups").text)
        links = [each for each in page.of("a") if "data-step" in each.attributes]
        assert [each.text for each in links] == ["far", "near"]
        first = read(served.get(links[0].attributes["href"]).text)
        (onward,) = first.of("a", rel="next")
        assert "near" in read(served.get(onward.attributes["href"]).text).text
        assert not first.of("a", rel="prev")
        assert "1 to 1 of 1 source group" in read(served.get("/runs/run/groups?q=far").text).text
        assert "No source group matches" in read(served.get("/runs/run/groups?q=nothing").text).text
        assert "/runs/run/groups" in served.get("/runs/run").text


def test_a_run_of_one_system_has_no_such_list(own_store: Store):
    keep(own_store, write("a", 8, 5, "one"), write("a", 8, 5, "two"))
    with serve_view(own_store) as served:
        assert "/runs/run/groups" not in served.get("/runs/run").text
        assert served.get("/runs/run/groups").status == 200


def test_outputs_on_other_sources_under_one_name_are_not_compared(own_store: Store):
    other = write("b", 8, 2)
    other = replace(other, record=replace(other.record, sources=(Source("s1", "Another text for 8 euros."),)))
    keep(own_store, write("a", 8, 5), other)
    with serve_view(own_store) as served:
        page = read(served.get("/runs/run/groups/1").text)
    assert len(page.of("section", **{"class": "source"})) == 2
    assert "−3" not in page.text


def test_the_report_shows_each_source_of_several_systems_once():
    page = Page(page_of([write("a", 8, 5), write("b", 9, 2), write(None, 9, 2)]))
    assert (page.open, page.misnested) == ([], [])
    check_columns(page)
    assert page.of("h2", id="groups")


def test_a_report_of_some_records_holds_whole_source_groups():
    ranking = Ranking()
    cards = [write(system, 9 - (value > 2), value, f"i{at}") for at, value in enumerate((1, 5, 3)) for system in "ab"]
    for position, card in enumerate(cards):
        ranking.add(build_listed(card, position), card)
    assert ranking.choose(3) == {0, 1, 4}
    assert ranking.choose(4) == {0, 1, 4, 5}


def test_a_list_of_groups_says_what_is_not_scored_and_has_such_groups_last(own_store: Store):
    groups = {
        item: [write(system, 8, value, item) for system, value in zip("abc", values, strict=True)]
        for item, values in {"none": (5, 5, 5), "some": (5, 4, 4)}.items()
    }
    unscored = [*groups["none"], groups["some"][2]]
    cards = [decline(card) if card in unscored else card for cards in groups.values() for card in cards]
    keep(own_store, *cards)
    with serve_view(own_store) as served:
        page = read(served.get("/runs/run/groups").text)
    assert [each.text for each in page.of("span") if "not scored" in each.text] == ["1 not scored", "not scored"]
    report = Page(page_of(cards))
    assert [each.text for each in report.of("a") if each.attributes["href"].endswith("-group")] == ["some", "none"]


def decline(card: Scorecard) -> Scorecard:
    outcomes: dict[str, Outcome] = {name: Abstention("abstained", "unsure", Trail()) for name in card.outcomes}
    return replace(card, outcomes=outcomes, total=compute_total(card.rubric, outcomes))


@pytest.mark.parametrize(("values", "said"), [((5, 2), ["best", "−3"]), ((4, 4), ["same", "same"]), ((4,), [""])])
def test_a_distance_is_said_only_between_scores(values: tuple[int, ...], said: list[str]):
    rows = [build_listed(write(str(at), 8, value), at) for at, value in enumerate(values)]
    metric = open_rubric("comparison-faithfulness").metrics[0]
    assert [SourceGroup(rows).compare(row, metric) for row in rows] == said


def test_hostile_outputs_stay_text_in_columns(own_store: Store):
    rubric = open_rubric("article-audit")
    cards = [hostile_card(EVIL, rubric), hostile_card("tame", rubric)]
    first = cards[0].record
    cards[1] = replace(cards[1], record=replace(first, system="tame", output=f"{EVIL} too"))
    grade = Grade("grade", Fraction(1), EVIL)
    outcomes = {
        name: replace(each, trail=replace(each.trail, findings=replace(each.trail.findings, grades=(grade,))))
        for name, each in cards[0].outcomes.items()
    }
    cards[0] = replace(cards[0], outcomes=outcomes)
    keep(own_store, *cards)
    with serve_view(own_store) as served:
        check_tame(served, "/runs/run/groups")
        check_tame(served, "/runs/run/groups/1")
    page = Page(page_of(cards))
    assert len(page.of("article", **{"class": "column"})) == 2
    assert not page.of("svg", onload="window.executed=1") + page.of("x-evil")
    assert len(page.of("script")) == 1


def check_tame(served: Served, path: str) -> None:
    answer = served.get(path)
    assert answer.status == 200
    page = read(answer.text)
    assert not page.of("x-evil") + page.of("img")
    assert not [name for each in page.elements for name in each.attributes if name.startswith("on")]
    assert "window.executed=1" in page.text
    assert (page.open, page.misnested) == ([], [])
