"""Data is hostile: whatever stands in a record, it is text on the page and nothing else."""

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from markup import Page
from runs import claim_card, example_page, page_of, run_row

from assay.domain.findings import Evidence, Fact, Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Abstention, Failure, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.report.junit import format_junit
from assay.report.markdown import format_markdown, quote_code
from assay.report.run_report import build_run_report
from assay.scoring.total import compute_total

ATTACKS = [
    "<script>alert('MARK')</script>",
    "</script><script>alert('MARK')</script>",
    "</style><img src=x onerror=alert('MARK')>",
    "\"><svg onload=alert('MARK')>",
    "' onmouseover='alert(\"MARK\")' x='",
    "<!-- MARK --><base href=//evil.example>",
    "{{ 7 * 7 }} {% include 'MARK' %} {# x #}",
    "]]><MARK/>",
    "&lt;b&gt;MARK &amp;amp; &#60;script&#62;",
    "\u202eMARK\u202c \u2066x\u2069",
    "\ud800MARK\udfff\x00\x1b[31m",
    "javascript:alert('MARK')",
]


def hostile_card(attack: str) -> Scorecard:
    """Every place of a scorecard that data can reach holds the attack."""
    rubric = open_rubric("search-summary")
    output = f"{attack} is what it says. {attack}"
    source = Source("s1", f"Before {attack} after.", title=attack, url=attack, input="search_results")
    label = Label(
        "claim",
        "c1",
        "contradicted",
        evidence=(Evidence("s1", Span(7, 7 + len(attack)), attack), Evidence("s9", Span(0, 3), attack)),
        qualifier=attack,
        note=attack,
        suspicion=attack,
    )
    trail = Trail(
        units=(Unit("c1", "claim", attack, Span(0, len(attack)), context=attack, sources=(attack,)),),
        findings=Findings(
            (label,),
            (Grade("grade", Fraction(1), attack),),
            (Pick(attack, (attack,)),),
            (Remark(attack, {attack: attack}),),
        ),
        flags=(attack,),
        repairs=(attack,),
        reported={attack: attack},
    )
    scale = rubric.metric("hallucination").scale
    outcomes = {
        "hallucination": Verdict(Score(Fraction(2), Fraction(3), (Fraction(1), Fraction(3)), scale, attack), trail),
        "summary_quality": Abstention("abstained", attack, trail),
        "answer_relevancy": Failure("refused", attack, trail),
    }
    record = Record(
        attack, attack, output, (source,), query=attack, system=attack,
        inputs={"user_query": attack, "search_query": attack}, facets={attack: attack, "other": attack},
    )  # fmt: skip
    facts = {attack: Fact(attack, attack), "share": Fact(Fraction(1, 2), attack)}
    notices = (Notice(attack, attack, Span(0, 5)), Notice(attack, attack))
    return Scorecard(record, rubric, attack, outcomes, compute_total(rubric, outcomes), notices, facts, attack)


@pytest.fixture(scope="module")
def known() -> set[tuple[str, str]]:
    """The elements and attributes of pages whose data is tame."""
    rubrics = ("search-summary", "trial-eligibility", "article-audit", "opinion-relevance", "comparison-faithfulness")
    tame = hostile_card("tame")
    return set().union(*(Page(example_page(name)).kinds for name in rubrics), Page(page_of([tame, tame])).kinds)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_from_a_record_is_markup(attack: str, known: set[tuple[str, str]]) -> None:
    cards = [hostile_card(attack), hostile_card("tame")]
    source = page_of(cards)
    source.encode("utf-8")
    page = Page(source)
    assert page.kinds <= known
    assert (page.open, page.misnested) == ([], [])
    assert len(page.of("script")) == len(page.of("style")) == 1
    assert "MARK" not in page.of("script")[0].text + page.of("style")[0].text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", source)
    targets = {each.attributes.get("href") or "" for each in page.of("a")}
    assert all(re.fullmatch(r"#[\w-]+", target) for target in targets), "only web addresses are links"
    if attack in ATTACKS[:6]:
        assert page.text.count(attack) > 10, "the attack is there to be read"


def test_ids_are_ours_and_given_once_and_every_anchor_has_its_place() -> None:
    for source in (page_of([hostile_card(ATTACKS[0])] * 3), example_page("article-audit")):
        page = Page(source)
        assert [name for name, count in page.ids.items() if count > 1] == []
        assert all(re.fullmatch(r"[a-z][\w-]*", name) for name in page.ids)
        anchors = {(each.attributes.get("href") or "")[1:] for each in page.of("a")}
        assert {anchor for anchor in anchors if not anchor.startswith("ttps:")} <= set(page.ids)


def test_a_line_of_a_megabyte_and_a_source_of_five_are_clipped_with_a_note() -> None:
    line = "x" * 1_000_000
    text = "y" * 3_000_000 + " the one true quote " + "z" * 2_000_000
    evidence = (Evidence("s1", Span(3_000_001, 3_000_019), "the one true quote"),)
    card = claim_card(
        line, [Source("s1", text)], [(Span(500_000, 500_200), "supported", evidence)], identifier="i" * 100_000
    )
    source = page_of([card])
    assert len(source) < 500_000
    page = Page(source)
    assert (page.open, page.misnested) == ([], [])
    assert [each.text for each in page.of("span", **{"class": "quoted"})] == ["the one true quote"]
    assert "characters left out" in page.text


def test_a_claim_a_quote_and_a_note_of_a_megabyte_are_clipped_too() -> None:
    line = "x" * 1_000_000
    labels = [(Span(0, 1_000_000), "absent", (Evidence("s1", Span(0, 1_000_000), line),))]
    source = page_of(
        [claim_card(line, [Source("s1", line, title=line, url=f"https://example.org/{line}")], labels, note=line)]
    )
    assert len(source) < 1_500_000
    assert "998,000 characters left out" in Page(source).text


def test_two_thousand_claims_make_a_page_that_lists_the_gravest() -> None:
    output = "word " * 2_000
    labels = [(Span(at * 5, at * 5 + 4), "contradicted" if at == 1_777 else "supported", ()) for at in range(2_000)]
    page = Page(page_of([claim_card(output, [Source("s1", "text")], labels)]))
    assert (page.open, page.misnested) == ([], [])
    assert len(page.of("a", **{"class": "claim"})) == 2_000
    assert len(page.of("li", **{"class": "unit"})) == 400
    assert "1\u202f600 more of 2000 claims are not listed" in page.text
    assert page.of("li", **{"class": "t-contradicted"})


def test_markdown_shows_data_as_code_only() -> None:
    for attack in [
        *ATTACKS,
        "@everyone see #12 and https://evil.example ![x](http://evil.example/y) **b** | c\n\n# Title\n`tick``",
    ]:
        card = hostile_card(attack)
        text = format_markdown(build_run_report(run_row("search-summary", judges=(attack,)), card.rubric, [card]))
        text.encode("utf-8")
        outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
        assert not re.search(r"MARK|@|evil|<script|<img|<svg", outside), outside
        assert not re.search(r"^# Title", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("``a", "``` ``a ```"),
        ("a|b\nc", "`a\\|b c`"),
        (" ", "–"),
        ("\u202ex", "`‹U+202E›x`"),
    ],
)
def test_data_stands_in_a_code_span(text: str, shown: str) -> None:
    assert quote_code(text) == shown


def test_junit_holds_what_xml_can_hold() -> None:
    for attack in ATTACKS:
        card = hostile_card(attack)
        row = run_row("search-summary", judges=(attack,))
        text = format_junit(row, card.rubric, [card], {"hallucination": 0.9})
        root = ET.fromstring(text.encode("utf-8"))  # noqa: S314  # our own text
        assert {each.tag for each in root.iter()} == {
            "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped", "system-out", "system-err",
        }  # fmt: skip
