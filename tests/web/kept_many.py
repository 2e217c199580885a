"""Runs made by hand: many records, and hostile ones."""

from datetime import UTC, datetime
from fractions import Fraction

from assay.domain.findings import Evidence, Fact, Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
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


EVIL = (
    "<script>window.executed=1</script><img src=x onerror=window.executed=1>'\"><svg onload=window.executed=1>"
    "<x-evil></x-evil>{{7*7}}{% raw %}</textarea></title></style></pre>\u202egnp.exe\u202c \ud800 \x00"
)
LINKS = ("javascript:window.executed=1", "data:text/html,<script>window.executed=1</script>", "java\tscript:alert(1)", "//evil.example", "https://fine.example/a?b=<c>")  # fmt: skip


def hostile_card(attack: str, rubric: Rubric, number: int = 0, url: str | None = None, more: str = "") -> Scorecard:
    """Every place of a scorecard that data or a judge can reach holds the attack; the last two metrics have no score."""
    output = f"{attack} is what it says. {attack}{more}"
    start = Span(0, len(attack))
    sources = (
        Source("s1", f"Before {attack} after.", attack, url or attack, "article"),
        Source("s2", "", None, url or attack, attack),
    )
    units = (
        Unit("c1", "claim", attack, start, context=attack, sources=(attack,)),
        Unit("k1", "key_point", attack, sources=("s1",), weight="minor"),
        Unit("p1", "section", attack, start),
    )
    evidence = (Evidence("s1", Span(7, 7 + len(attack)), attack), Evidence("ghost", Span(0, 2), attack))
    labels = (
        Label("claim", "c1", "contradicted", (), evidence, attack, attack, "code", None, attack, attack),
        Label("key_point", "k1", "Not", (), evidence, None, attack),
        Label("section", "p1", attack),
    )
    remarks = (Remark("issues", {attack: attack}), Remark(attack, {attack: attack}))
    picks = (Pick("tone", (attack,)), Pick(attack, (attack,)))
    findings = Findings(labels, (Grade("grade", Fraction(1), attack),), picks, remarks)
    trail = Trail(units, findings, (attack,), (attack,), {attack: attack}, (attack,))
    *scored, declined, failed = rubric.metrics
    outcomes: dict[str, Outcome] = {
        each.id: Verdict(Score(Fraction(2), Fraction(3), (Fraction(1), Fraction(3)), each.scale, attack), trail)
        for each in scored
    }
    outcomes |= {declined.id: Abstention("abstained", attack, trail), failed.id: Failure("refused", attack, trail)}
    inputs = {each.name: attack for each in rubric.inputs}
    record = Record(
        *(f"{number or ''}{attack}", attack, output, sources, attack, f"{attack}{number or ''}", inputs),
        citations={attack: attack, "other": attack},
    )
    facts = {attack: Fact(attack, attack), "share": Fact(Fraction(1, 2), attack)}
    notices = (Notice(attack, attack, Span(0, 5)), Notice(attack, attack))
    return Scorecard(record, rubric, attack, outcomes, compute_total(rubric, outcomes), notices, facts, attack)


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
    for number, link in enumerate(LINKS, 1):
        card = hostile_card(EVIL, rubric, number, link, "A" * 1_000_000 if number == 2 else "")
        store.add_record("hostile", number - 1, card)
        reply = Completion(EVIL, "stop", Usage(1, 1), EVIL, (EVIL,))
        store.put_reply(f"k{number}", reply, "hostile", CallKey(card.record.id, EVIL))
    store.flush()
    return "hostile"
