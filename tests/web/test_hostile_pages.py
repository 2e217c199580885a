"""Data is hostile: nothing of a record, a reply, a judge's name or a rubric is markup, on live pages and in reports."""

import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from kept_many import EVIL, begin, hostile_card, keep_hostile
from markup import Page, read
from runs import claim_card, example_page, page_of, run_row

from assay.domain.findings import Evidence
from assay.domain.record import Source
from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.report.ci import format_junit
from assay.report.markdown import format_markdown, quote_code
from assay.report.run_report import build_run_report
from assay.store.labels import PersonLabel
from assay.store.store import Store
from assay.web.labelling import Task
from equipment.page_server import Served, serve_labels, serve_view

RUBRIC = open_rubric("search-summary")
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
OUR_TAGS = frozenset(
    """
a article b bdi blockquote body br button circle code dd del details dialog div dl dt fieldset figcaption figure
footer form g h1 h2 h3 h4 h5 head header html i input ins kbd label legend li line link main meta nav ol option
p polyline pre progress rect script section select span strong summary svg table tbody td text textarea th thead title
tr ul wbr
""".split()  # noqa: SIM905  # a list of forty lines says no more
)
VIEWED = ["/", *(f"/runs/hostile{more}" for more in ("", "/summary", "/rubric", "/groups", "/groups/1"))] + [
    f"/runs/hostile/records/{number}{more}" for number in range(1, 6) for more in ("", "/raw")
]


def check(markup: Page) -> None:
    for element in markup.elements:
        assert element.tag in OUR_TAGS, element.tag
        assert not [name for name in element.attributes if name.startswith("on") or name in {"style", "srcdoc"}]
        for name in ("href", "src", "action"):
            address = element.attributes.get(name, "#")
            assert re.match(r"(?:/(?!/)|#|\?|https://fine\.example/|data:,$)", address), address
        if element.tag == "script":
            assert re.match(r"/[\w-]{32}/static/", element.attributes["src"])
        if element.tag == "meta":
            assert element.attributes.get("http-equiv", "") == ""
    assert "49" not in markup.text.split("{{7*7}}")[0][-3:]
    assert "\u202e" not in markup.text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Store(tmp_path_factory.mktemp("hostile") / "assay.db") as store:
        keep_hostile(store)
        with serve_view(store) as served:
            yield served


def test_hostile_records_stay_text_on_every_page(hostile: Served):
    for path in VIEWED:
        answer = hostile.get(path)
        assert answer.status == 200, path
        markup = read(answer.text)
        check(markup)
        if "rubric" not in path:
            assert "window.executed=1" in markup.text, path


def test_a_hostile_query_stays_text(hostile: Served):
    for name in ("q", "metric", "least", "status", "flag", "facet", "system", "order", "down", "page", "at"):
        for page in ("", "/groups", "/groups/1"):
            answer = hostile.get(f"/runs/hostile{page}?{name}={quote(EVIL, errors='replace')}")
            assert answer.status == 200
            check(read(answer.text))
    for path in (f"/runs/{quote(EVIL, safe='', errors='replace')}", f"/compare?first={quote(EVIL, errors='replace')}"):
        answer = hostile.get(path)
        assert answer.status == 404
        check(read(answer.text))


def test_a_hostile_run_compared_with_itself_stays_text(hostile: Served):
    for path in ("/compare?first=hostile&second=hostile", "/compare/records?first=hostile&second=hostile&one=1&two=2"):
        answer = hostile.get(path)
        assert answer.status == 200
        check(read(answer.text))


def test_labelling_hostile_records_shows_text_alone(own_store):
    task = Task(own_store.find_run(keep_hostile(own_store)))
    position = own_store.browser.places("hostile")[0]
    listed = own_store.browser.find_places("hostile", [position])[position]
    assert listed is not None
    said = {EVIL[:90]: "Not", "Ada": "Partially"}
    own_store.labels.put(
        "hostile",
        [
            PersonLabel(listed.record, listed.system, "coverage", "key_point", "k1", *given, None, EVIL)
            for given in said.items()
        ],
    )
    with serve_labels(own_store, task, "Ada", EVIL[:90]) as ada:
        evil = ada.as_person(EVIL[:90])
        for served in (ada, evil):
            for path in ("/done", *(f"/label/{place}/{at}" for place in range(3) for at in range(4)), "/label/99/0"):
                answer = served.get(path)
                assert answer.status in {200, 404}, path
                check(read(answer.text))
            assert served.post("/done", {"done": "1", "key": served.keys.write}).status == 303
        for path in ("/done", "/adjudicate/0/0"):
            answer = ada.get(path)
            assert answer.status == 200, read(answer.text).text
            assert "window.executed=1" in read(answer.text).text
            check(read(answer.text))


@pytest.fixture(scope="module")
def known() -> set[tuple[str, str]]:
    """The elements and attributes of pages whose data is tame."""
    rubrics = ("search-summary", "trial-eligibility", "article-audit", "opinion-relevance", "comparison-faithfulness")
    tame = hostile_card("tame", RUBRIC)
    return set().union(*(Page(example_page(name)).kinds for name in rubrics), Page(page_of([tame, tame])).kinds)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_from_a_record_is_markup(attack: str, known: set[tuple[str, str]]) -> None:
    cards = [hostile_card(attack, RUBRIC), hostile_card("tame", RUBRIC)]
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
    for source in (page_of([hostile_card(ATTACKS[0], RUBRIC)] * 3), example_page("article-audit")):
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


def test_two_thousand_claims_make_pages_that_list_the_gravest_and_can_all_be_labelled(own_store: Store) -> None:
    labels = [(Span(at * 5, at * 5 + 4), "contradicted" if at == 1_777 else "supported", ()) for at in range(2_000)]
    card = claim_card("word " * 2_000, [Source("s1", "text")], labels)
    begin(own_store, "claims", card.rubric)
    own_store.add_record("claims", 0, card)
    own_store.flush()
    with serve_view(own_store) as served:
        assert served.get("/runs/claims").status == 200
        page = Page(served.get("/runs/claims/records/1").text)
    assert (page.open, page.misnested) == ([], [])
    assert len(page.of("a", **{"class": "claim"})) == 2_000
    assert len(page.of("li", **{"class": "unit"})) == 400
    assert "1\u202f600 more of 2000 claims are not listed" in page.text
    assert page.of("li", **{"class": "t-contradicted"})
    with serve_labels(own_store, Task(own_store.find_run("claims"))) as served:
        assert "claim 2000 of 2000" in Page(served.get("/label/0/1999").text).text
        assert served.post("/label/0/1999", {"label": "absent", "key": served.keys.write}).status == 303
        assert [label.unit for label in own_store.labels.all("claims")] == ["c2000"]


def test_markdown_shows_data_as_code_only() -> None:
    for attack in [
        *ATTACKS,
        "@everyone see #12 and https://evil.example ![x](http://evil.example/y) **b** | c\n\n# Title\n`tick``",
    ]:
        card = hostile_card(attack, RUBRIC)
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
        card = hostile_card(attack, RUBRIC)
        row = run_row("search-summary", judges=(attack,))
        text = format_junit(row, card.rubric, [card], {"hallucination": 0.9})
        root = ET.fromstring(text.encode("utf-8"))  # noqa: S314  # our own text
        assert {each.tag for each in root.iter()} == {
            "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped", "system-out", "system-err",
        }  # fmt: skip
