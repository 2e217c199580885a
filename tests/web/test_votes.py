"""A panel as pages and lists show it: every judge's label by name, dissent first."""

from dataclasses import replace

from markup import Page
from runs import claim_card, page_of

from assay.domain.record import Source
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.findings import format_doubts, list_doubts
from assay.runner.combine import combine
from assay.web.record_view import build_record_view

OUTPUT = "It is blue. It is old. It is big."
SPANS = (Span(0, 11), Span(12, 22), Span(23, 33))
SOURCES = [Source("s1", "We sold two. The barn is blue. A cow was seen.")]


def judged(judge: str, *labels: str, output: str = OUTPUT) -> Scorecard:
    claims = [(span, label, ()) for span, label in zip(SPANS, labels, strict=True)]
    return replace(claim_card(output, SOURCES, claims, note=f"as {judge} sees it"), judge=judge)


PANEL = combine(
    [
        judged("a:one/prompts-0123", "contradicted", "supported", "supported"),
        judged("b:two", "contradicted", "supported", "supported"),
        judged("c:three", "contradicted", "absent", "undecided"),
    ]
)


def test_the_claim_on_which_judges_differ_comes_first_and_the_dissenter_first_of_all() -> None:
    (group,) = build_record_view(PANEL).claims
    first, second, third = (view.finding for view in group.doubtful)
    assert (first.unit.id, first.tone.name, first.said) == ("c2", "split", "split: 1 not in source, 2 supported")
    assert [(each.judge, each.said) for each in first.answers] == [
        ("c:three", "not in source"),
        ("a:one", "supported"),
        ("b:two", "supported"),
    ]
    assert (second.unit.id, second.tone.name) == ("c1", "contradicted")
    assert (third.unit.id, third.tone.name, third.said) == ("c3", "undecided", "split: 1 uncertain, 2 supported")
    assert group.held == []
    assert [(tone.name, said, count) for tone, said, count in group.counts] == [
        ("split", "split", 1),
        ("contradicted", "contradicted", 1),
        ("undecided", "split", 1),
    ]


def test_each_judge_stands_by_name_beside_each_claim_with_its_reason() -> None:
    page = Page(page_of([PANEL]))
    assert (page.open, page.misnested) == ([], [])
    (marked,) = page.of("a", **{"class": "t-split"})
    assert (marked.text, marked.attributes["data-sign"]) == ("It is old.", "≠")
    for name in ("a:one", "b:two", "c:three"):
        assert page.text.count(f"as {name}") >= 3
    assert "✕ contradicted a:one" in " ".join(page.text.split())


def test_lists_name_a_split_before_what_all_agree_on() -> None:
    doubts = list_doubts(PANEL)
    assert [doubt.said for doubt in doubts] == [
        "split: 1 not in source, 2 supported",
        "contradicted",
        "split: 1 uncertain, 2 supported",
    ]
    assert format_doubts(PANEL, most=1)[0] == "split: 1 not in source, 2 supported: “It is old.”"


def test_samples_of_one_judge_are_told_apart_by_number() -> None:
    answers = ["supported", "absent"]
    cards = [replace(judged("a:one", said, said, said), sample=at) for at, said in enumerate(answers)]
    (group,) = build_record_view(combine(cards)).claims
    assert [each.judge for each in group.doubtful[0].finding.answers] == ["a:one, sample 2", "a:one, sample 1"]


def test_a_label_of_another_text_is_no_vote() -> None:
    other = judged("b:two", "absent", "absent", "absent", output="It is dead. It is new. It is odd.")
    (group,) = build_record_view(combine([judged("a:one", "supported", "supported", "supported"), other])).claims
    assert not group.doubtful
    assert [[each.judge for each in view.finding.answers] for view in group.held] == [["a:one"]] * 3


def test_one_judge_is_not_named_beside_each_claim() -> None:
    (group,) = build_record_view(judged("a:one", "absent", "supported", "supported")).claims
    assert (group.doubtful[0].finding.judge, group.doubtful[0].finding.answers) == ("", ())


def test_an_undecided_claim_without_a_quote_shows_the_nearest_sentence_everywhere() -> None:
    card = judged("a:one", "undecided", "supported", "absent")
    view = build_record_view(card)
    (undecided,) = [each for each in view.claims[0].doubtful if each.finding.tone.name == "undecided"]
    (quote,) = undecided.finding.quotes
    assert quote.quote == "The barn is blue."
    assert undecided.quoted
    page = Page(page_of([card]))
    assert "Closest source sentence:" in page.text
    assert "The barn is blue." in [each.text for each in page.of("span", **{"class": "quoted"})]
    assert format_doubts(card)[1] == "uncertain: “It is blue.” — closest source sentence (s1): “The barn is blue.”"
    assert "Closest source sentence ([1] " in page.text
