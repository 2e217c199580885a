"""The self-contained page: what it shows, and that it needs nothing else."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
from markup import Page, list_keys
from runs import claim_card, example_cards, example_page, example_report, page_of, run_row

from assay.domain.findings import Evidence
from assay.domain.record import Source
from assay.domain.span import Span
from assay.report.gate import check_gates, parse_thresholds
from assay.report.run_report import build_run_report
from assay.web.rendering import render_report
from equipment.example_runs import SCRIPTED


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_the_page_is_whole_and_reaches_for_nothing(rubric: str) -> None:
    page = Page(example_page(rubric))
    assert (page.open, page.misnested) == ([], [])
    assert not page.of("link") + page.of("img") + page.of("iframe") + page.of("object") + page.of("base")
    assert all(not {"src", "style", "action"} & each.attributes.keys() for each in page.elements)
    assert "url(" not in page.of("style")[0].text
    assert "@import" not in page.of("style")[0].text


def test_the_page_lists_its_keys() -> None:
    assert list_keys(example_page("article-audit")) == ["j", "k", "n", "p", "/", "?", "Esc"]


def test_the_policy_lets_in_this_style_and_this_script_alone() -> None:
    page = Page(example_page("search-summary"))
    (policy,) = [each.attributes["content"] for each in page.of("meta") if "http-equiv" in each.attributes]
    for name in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.of(name)[0].text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("rubric", "said"), [("search-summary", True), ("trial-eligibility", True), ("article-audit", False)]
)
def test_clinical_rubrics_say_that_they_are_a_screening_aid(rubric: str, said: bool) -> None:
    assert ("not for clinical decisions" in Page(example_page(rubric)).text) == said


def test_a_search_summary_lists_every_source_as_a_numbered_link() -> None:
    page = Page(example_page("search-summary"))
    links = page.of("a", rel="external")
    assert len(links) == len(page.of("section", **{"class": "source"}))
    sources = [source for card in example_cards("search-summary") for source in card.record.sources]
    assert {link.attributes["href"] for link in links} == {source.url for source in sources}
    link = links[0]
    assert link.attributes["href"].startswith("https://example.org/")
    title = example_cards("search-summary")[0].record.sources[0].title
    assert f"{title} [1]" in page.text


def test_a_claim_leads_to_its_verified_quote() -> None:
    output, source = "The pump costs 9 euros. It is blue.", "We sell it for 8 euros."
    evidence = (Evidence("s1", Span(15, 22), "8 euros"),)
    card = claim_card(
        output, [Source("s1", source)], [(Span(0, 23), "contradicted", evidence), (Span(24, 35), "absent", ())]
    )
    page = Page(page_of([card]))
    (wrong, unknown) = page.of("a", **{"class": "claim"})
    assert (wrong.text, unknown.text) == ("The pump costs 9 euros.", "It is blue.")
    (quote,) = page.of("span", **{"class": "quoted"})
    assert quote.text == "8 euros"
    assert wrong.attributes["href"] == f"#{quote.attributes['id']}"
    assert wrong.attributes["data-shows"] == quote.attributes["data-keys"]
    assert (wrong.attributes["data-sign"], unknown.attributes["data-sign"]) == ("✕", "?")
    assert unknown.attributes["href"] == f"#{unknown.attributes['data-unit']}"


def test_a_notice_inside_a_claim_does_not_hide_it() -> None:
    page = Page(example_page("search-summary"))
    pieces = [each for each in page.of("a", **{"class": "t-contradicted"}) if "claim" in each.attributes["class"]]
    assert "".join(each.text for each in pieces).startswith("The starting dose of soralimide is ")
    assert "50 mg" in [each.text for each in page.of("strong", **{"class": "serious"})]
    assert len({each.attributes["data-key"] for each in pieces}) == 1
    assert ["data-sign" in each.attributes for each in pieces] == [True] + [False] * (len(pieces) - 1)
    assert len(pieces) > 1


def test_every_number_has_its_derivation_and_every_missing_one_its_reason() -> None:
    text = Page(example_page("trial-eligibility")).text
    for card in example_cards("trial-eligibility"):
        for outcome in card.outcomes.values():
            words = outcome.score.derivation if hasattr(outcome, "score") else outcome.reason
            assert words in text


def test_key_points_and_questions_show_what_covers_them() -> None:
    page = Page(example_page("article-audit"))
    units = "".join(each.text for each in page.of("blockquote"))
    assert "extend its harbour tram line by 4.2 kilometres" in units
    assert "Key points" in page.text


def test_a_run_too_large_for_one_file_shows_the_worst_and_says_so() -> None:
    cards = [
        claim_card("It is.", [], [(Span(0, 6), "supported", ())], identifier=f"n{at}", value=1 + at % 5)
        for at in range(100)
    ]
    page = Page(page_of(cards, most=40))
    assert len(page.of("article")) == 40
    assert "This file holds 40 of 100 records" in page.text
    shown = {each.text for each in page.of("bdi") if each.text.startswith("n")}
    assert shown == {f"n{at}" for at in range(100) if at % 5 < 2}
    anchors = {each.attributes["href"][1:] for each in page.of("a")}
    assert anchors <= set(page.ids)


def test_the_gate_stands_on_the_page() -> None:
    view = example_report("search-summary")
    gates = check_gates(parse_thresholds(["hallucination=0.9", "answer_relevancy=0.1"], view.rubric), view.summary, 0.8)
    page = Page("".join(render_report(view, example_cards("search-summary"), gates)))
    assert [each.attributes["class"] for each in page.of("li") if each.attributes.get("class") in {"pass", "fail"}] == [
        "fail",
        "pass",
    ]


def test_a_run_without_a_record_is_a_page_too() -> None:
    view = example_report("search-summary")
    empty = build_run_report(run_row("search-summary", state="running"), view.rubric, [])
    page = Page("".join(render_report(empty, [])))
    assert (page.open, page.misnested) == ([], [])
    assert "running" in page.text


def test_texts_say_their_own_direction() -> None:
    card = claim_card("שלום עולם", [Source("s1", "你好，世界")], [(Span(0, 4), "supported", ())])
    page = Page(page_of([replace(card)]))
    assert all(each.attributes.get("dir") == "auto" for each in page.of("div", **{"class": "text"}))
    assert re.search("שלום", page.text)


def test_a_record_that_may_have_spoken_to_its_judge_is_marked_in_the_list_and_above_its_scores() -> None:
    shown = example_page("article-audit")
    suspects = [
        card
        for card in example_cards("article-audit")
        if any(note.check == "injection_suspect" for note in card.notices)
    ]
    assert len(suspects) == 1
    badges = [row for row in shown.split("<tr") if ">suspected prompt injection</span></th>" in row]
    assert len(badges) == shown.count("Its texts may contain prompt injection") == 1


def test_a_suspicion_stands_beside_its_claim_and_a_minor_point_is_marked() -> None:
    card = claim_card("It is.", [], [(Span(0, 6), "supported", ())])
    outcome = card.outcomes["faithfulness"]
    trail = outcome.trail
    (label,), (unit,) = trail.findings.labels, trail.units
    findings = replace(trail.findings, labels=(replace(label, suspicion="the figure 7 is in no source"),))
    trail = replace(trail, findings=findings, units=(replace(unit, weight="minor"),))
    page = Page(page_of([replace(card, outcomes={"faithfulness": replace(outcome, trail=trail)})]))
    (shown,) = page.of("li", **{"class": "unit"})
    assert "the figure 7 is in no source" in page.text
    assert [each.text for each in page.of("span", **{"class": "tag"}) if each.text in {"suspicion", "minor"}] == [
        "minor",
        "suspicion",
    ]
    assert "without problems" not in page.text, "a suspected claim is not folded away"
    assert shown
