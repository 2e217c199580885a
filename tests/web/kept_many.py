"""Runs made by hand: many records, hostile ones, and ones with thousands of claims."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from assay.domain.findings import Evidence, Fact, Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Abstention, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric, read_rubric
from assay.models.chat import CallKey, Completion, Usage
from assay.scoring.total import compute_total
from assay.store.runs import RunRow
from assay.store.store import Store


def begin(store: Store, name: str, rubric: Rubric, judge: str = "made", source: str = "made.jsonl") -> None:
    store.begin_run(
        RunRow(name, datetime(2026, 11, 15, tzinfo=UTC), rubric.id, rubric.digest, rubric.text, (judge,), "0", source)
    )


def judge_by_hand(record: Record, rubric: Rubric, trail: Trail, said: str = "so", judge: str = "made") -> Scorecard:
    """Every metric gets the middle of its scale and the same trail; the last one abstains."""
    outcomes: dict[str, Outcome] = {}
    for metric in rubric.metrics:
        value = (metric.scale.low + metric.scale.high) / 2
        outcomes[metric.id] = Verdict(Score(value, value, (value, value), metric.scale, said), trail)
    outcomes[rubric.metrics[-1].id] = Abstention("abstained", said, trail)
    total = compute_total(rubric, outcomes)
    return Scorecard(
        record,
        rubric,
        judge,
        outcomes,
        total,
        (Notice(said, said, Span(0, 3)),),
        {said: Fact(said, said), "share": Fact(Fraction(1, 2), said)},
    )


def keep_many(store: Store, count: int) -> None:
    rubric = open_rubric("article-audit")
    begin(store, "many", rubric)
    for number in range(count):
        record = Record(f"r{number}", f"i{number}", f"Output {number}.", (Source("s1", "Source."),))
        store.add_record("many", number, judge_by_hand(record, rubric, Trail()))
    store.flush()


def keep_claims(store: Store, count: int) -> str:
    """One record with so many claims."""
    rubric = open_rubric("article-audit")
    begin(store, "claims", rubric)
    sentences = [f"Claim number {number} is here." for number in range(count)]
    units, labels, start = [], [], 0
    for number, sentence in enumerate(sentences, 1):
        units.append(Unit(f"c{number}", "claim", sentence, Span(start, start + len(sentence))))
        label = ("supported", "absent", "contradicted")[number % 3]
        labels.append(Label("claim", f"c{number}", label, evidence=(Evidence("s1", Span(0, 6), "Source"),)))
        start += len(sentence) + 1
    trail = Trail(tuple(units), Findings(tuple(labels)))
    record = Record("long", "i", " ".join(sentences), (Source("s1", "Source text."),))
    card = judge_by_hand(record, rubric, Trail())
    claims = {"hallucination": replace(card.outcomes["hallucination"], trail=trail)}
    store.add_record("claims", 0, replace(card, outcomes={**card.outcomes, **claims}))
    store.flush()
    return "claims"


EVIL = (
    "<script>window.executed=1</script><img src=x onerror=window.executed=1>'\"><svg onload=window.executed=1>"
    "<x-evil></x-evil>{{7*7}}{% raw %}</textarea></title></style></pre>\u202egnp.exe\u202c \ud800 \x00"
)
LINKS = ("javascript:window.executed=1", "data:text/html,<script>window.executed=1</script>", "java\tscript:alert(1)", "//evil.example", "https://fine.example/a?b=<c>")  # fmt: skip


def keep_hostile(store: Store) -> str:
    """Every text of every kind that data, a judge or a rubric's author can bring is hostile."""
    words = " ".join(EVIL.split()).replace("|", "").replace("\x00", "").replace("\ud800", "")
    text = open_rubric("article-audit").text
    text = text.replace("The article that the summary was made from.", words).replace(
        "Is the language of", f"{words} Is"
    )
    text = text.replace("# Article summary audit", f"# Audit {words}").replace("It reports.", words)
    rubric = read_rubric(text, "hostile.md")
    begin(store, "hostile", rubric, judge=EVIL, source=EVIL)
    for number, link in enumerate(LINKS):
        output = EVIL + " And then a plain sentence." + ("A" * 1_000_000 if number == 1 else "")
        units = (
            Unit("c1", "claim", EVIL, Span(0, len(EVIL)), context=EVIL),
            Unit("k1", "key_point", EVIL, sources=("s1",), weight="minor"),
            Unit("p1", "section", EVIL, Span(0, len(EVIL))),
        )
        evidence = (Evidence("s1", Span(0, 20), EVIL), Evidence("ghost", Span(0, 2), EVIL))
        labels = (
            Label("claim", "c1", "contradicted", (), evidence, EVIL, EVIL, "code", None, EVIL, EVIL),
            Label("key_point", "k1", "Not", (), evidence, None, EVIL),
            Label("section", "p1", EVIL),
        )
        findings = Findings(
            labels, (Grade("grade", Fraction(3), EVIL),), (Pick("tone", (EVIL,)),), (Remark("issues", {EVIL: EVIL}),)
        )
        trail = Trail(units, findings, (EVIL,), (EVIL,), {EVIL: EVIL}, (EVIL,))
        sources = (Source("s1", EVIL * 3, EVIL, link, "article"), Source("s2", "", None, link, EVIL))
        inputs = {"article": EVIL, "summary": output}
        record = Record(f"{number}{EVIL}", EVIL, output, sources, EVIL, EVIL, inputs, {EVIL: EVIL})
        store.add_record("hostile", number, judge_by_hand(record, rubric, trail, EVIL, EVIL))
        reply = Completion(EVIL, "stop", Usage(1, 1), EVIL, (EVIL,))
        store.put_reply(f"k{number}", reply, "hostile", CallKey(record.id, EVIL))
    store.flush()
    return "hostile"
