"""What people see of a run: whatever stands in a record, it is text on the page and nothing else."""

import re
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from assay.domain.findings import Evidence, Fact, Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.report.ci import format_junit
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.scoring.total import compute_total
from assay.store.runs import RunRow
from assay.web.rendering import find_link, render_report
from fuzz.choices import Choices
from fuzz.rules import hold, is_utf_8, read_twice

_VOID = {"meta", "link", "input", "br", "wbr", "hr"}
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)


class Parsed(HTMLParser):
    """The elements and attributes that a browser would see."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.kinds: set[tuple[str, str]] = set()
        self.open: list[str] = []
        self.links: set[str] = set()
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds |= {(tag, ""), *((tag, name) for name, _ in attrs)}
        self.links |= {value or "" for name, value in attrs if name in {"href", "src"}}
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds |= {(tag, ""), *((tag, name) for name, _ in attrs)}

    def handle_endtag(self, tag: str) -> None:
        hold(self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        self.open.pop()


@cache
def _rubric() -> Rubric:
    return open_rubric("search-summary")


@cache
def _tame() -> frozenset[tuple[str, str]]:
    """The elements and attributes of pages whose data is tame, with and without a link."""
    pages = (_render(_card(words, words), words) for words in ("tame", "", "https://tame.example/a"))
    return frozenset().union(*(Parsed(page).kinds for page in pages))


def _run(words: str) -> RunRow:
    rubric = _rubric()
    started = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return RunRow(
        "20260102-030405-abcdef", started, rubric.id, rubric.digest, rubric.text, (words,), "0", words, state="done"
    )


def _card(words: str, other: str) -> Scorecard:
    """Every place of a scorecard that data can reach holds the words, or the other ones."""
    rubric = _rubric()
    source = Source("s1", f"Before {words} after.", title=other, url=words, input="search_results")
    evidence = (Evidence("s1", Span(7, 7 + len(words)), words), Evidence("s9", Span(0, 3), other))
    label = Label("claim", "c1", "contradicted", (), evidence, words, other)
    findings = Findings(
        (label,), (Grade("grade", Fraction(1), words),), (Pick(words, (other,)),), (Remark(other, {words: other}),)
    )
    unit = Unit("c1", "claim", words, Span(0, len(words)), context=other, sources=(words,))
    trail = Trail((unit,), findings, (words,), (other,), {words: other}, (words,))
    score = Score(Fraction(2), Fraction(3), (Fraction(1), Fraction(3)), rubric.metric("hallucination").scale, words)
    outcomes: dict[str, Outcome] = {
        "hallucination": Verdict(score, trail),
        "summary_quality": Abstention("abstained", words, trail),
        "answer_relevancy": Failure("refused", other, trail),
    }
    inputs = {"user_query": words, "search_query": other}
    record = Record(
        words, other, f"{words} is. {other}", (source,), other, words, inputs, {words: other, "other": words}
    )
    notices = (Notice(words, other, Span(0, 5)), Notice(other, words))
    total = compute_total(rubric, outcomes)
    return Scorecard(record, rubric, words, outcomes, total, notices, {words: Fact(other, words)}, words)


def _render(card: Scorecard, words: str) -> str:
    return "".join(render_report(build_run_report(_run(words), card.rubric, [card]), [card]))


def check_pages(data: bytes) -> None:
    """The report page, the Markdown comment and the JUnit file of a run whose every text is hostile."""
    choices = Choices(data)
    words = choices.text()
    other = choices.text() if choices.left else words
    card = _card(words, other)
    page = read_twice(lambda: _render(card, words))
    hold(is_utf_8(page), "half a surrogate pair on the page")
    hold(not _UNSEEN.search(page), "something unseen on the page")
    parsed = Parsed(page)
    hold(parsed.kinds <= _tame(), f"markup from data: {parsed.kinds - _tame()}")
    hold(not parsed.open, f"left open: {parsed.open}")
    hold(all(link.startswith("#") or find_link(link) == link for link in parsed.links), f"links: {parsed.links}")
    _check_markdown(card, words)
    junit = format_junit(_run(words), card.rubric, [card], {"hallucination": 0.9})
    ET.fromstring(junit.encode("utf-8"))  # noqa: S314  # our own text


def _check_markdown(card: Scorecard, words: str) -> None:
    text = format_markdown(build_run_report(_run(words), card.rubric, [card]))
    hold(is_utf_8(text), "half a surrogate pair in the comment")
    outside = _CODE.sub("", text)
    hold(not re.search(r"<(?!/?(?:details|summary)>)[a-z/!]", outside, re.IGNORECASE), f"markup in {outside!r}")
    hold("@" not in outside, f"a mention in {outside!r}")
