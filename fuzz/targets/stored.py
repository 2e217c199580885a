"""What the store keeps: a card comes out as it went in, and out of a damaged cell nothing but a StoreError."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache

from assay.domain.findings import Citation, Evidence, Fact, Findings, Grade, Label, Pick, Remark
from assay.domain.json import JSON
from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Notice, Scorecard, Voice
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.scoring.total import compute_total
from assay.store.cards import build_card_write
from assay.store.codec import (
    dump,
    dump_json,
    load,
    load_card,
    load_json,
    pack_bytes,
    to_cell,
    unpack,
    unpack_bytes,
)
from assay.store.faults import StoreError, reading
from assay.store.runs import RunRow
from fuzz.choices import BORDER, Choices
from fuzz.rules import hold
from fuzz.strict_json import build_value, damage
from fuzz.targets.exchange_seeds import STORE_KEYS, STORE_WORDS

_STATUSES = ("unreachable", "refused", "malformed", "timed_out")


@cache
def _rubric() -> Rubric:
    return open_rubric("search-summary")


def check_card(data: bytes) -> None:
    """Texts of any kind in every field; what is read back equals what was kept."""
    choices = Choices(data)
    card = _build_card(choices)
    for content, text in ((dump(card), "a card"), (dump(card.record), "a record")):
        hold(unpack_bytes(pack_bytes(content)) == content, f"{text} is packed with loss")
    record = load(dump(card.record), Record, "record")
    hold(record == card.record, "a record comes out changed")
    voices = {name: (Voice(card.judge, 0, each), Voice(card.judge, 1, each)) for name, each in card.outcomes.items()}
    for each in (card, replace(card, voices=voices)):
        again = load_card(dump(each), record, card.rubric, card.run)
        hold(again == each, "a card comes out changed")
        build_card_write(0, each)


def _build_card(choices: Choices) -> Scorecard:
    words = choices.text()[:300] or "said"
    other = choices.text()[:300]
    odd = _as_value(build_value(choices, STORE_KEYS, (words, other, *STORE_WORDS)))
    number = Fraction(choices.number(256) - 128, 1 + choices.number(256))
    source = Source("s1", words, title=other or None, url=words, input="search_results")
    label = Label(
        words, "c1", other, (Citation(other, words),), (Evidence(words, Span(0, len(words)), other),),
        choices.pick((None, words)), other, "code", choices.pick((None, 0.5, 1.0)), other, words,
    )  # fmt: skip
    findings = Findings(
        (label,), (Grade(words, number, other),), (Pick(other, (words,)),), (Remark(words, {other: words}),)
    )
    units = (Unit("c1", "claim", words, Span(0, 3), context=other), Unit("q1", "question", other, sources=(words,)))
    trail = Trail(units[: choices.number(3)], findings, (words,), (other,), {words: odd}, (other, words, other))
    score = Score(number, number, (number - 1, number), Scale(Fraction(1), Fraction(5)), other, {words: number})
    outcomes: dict[str, Outcome] = {
        "hallucination": Verdict(score, trail),
        "summary_quality": Abstention("abstained", words, trail),
        "answer_relevancy": Failure(choices.pick(_STATUSES), other, trail),  # type: ignore[arg-type]  # words of its own
    }
    record = Record(words, other, words, (source,), other, choices.pick((None, words)), {words: odd}, {other: words})
    total = compute_total(_rubric(), outcomes)
    notices = (Notice(words, other, Span(0, 5)), Notice(other, words))
    return Scorecard(record, _rubric(), words, outcomes, total, notices, {words: Fact(other, words)}, other)


def _as_value(value: JSON) -> JSON:
    """Numbers that JSON has no words for are among the values of a record."""
    return value if value != "inf" else float("inf")


def check_damage(data: bytes) -> None:
    """Cells with one place exchanged, cut short, or of any bytes: they are read, or a StoreError says what to do."""
    choices = Choices(data)
    kind = choices.number(6)
    if kind < 2:
        card = _card_of("A reader's words.", "Others.")
        changed = _spoil(damage(load_json(dump(card)), choices), choices)
        _try(lambda: load_card(unpack_bytes(changed), card.record, card.rubric))
    elif kind == 2:
        changed = _spoil(damage(load_json(dump(_card_of("A record.", "").record)), choices), choices)
        _try(lambda: load(unpack_bytes(changed), Record, "record"))
    elif kind == 3:
        changed = _spoil(damage(load_json(dump(_run())), choices), choices)
        _try(lambda: load(unpack_bytes(changed), RunRow, "run"))
    elif kind == 4:
        value = build_value(choices, STORE_KEYS, STORE_WORDS)
        _try(lambda: _read_value(lambda: unpack(value)))
    else:
        content = choices.bytes()
        _try(lambda: unpack_bytes(content))
        _try(lambda: _read_value(lambda: load_json(content)))
        text = content.decode("utf-8", "surrogatepass") if _is_text(content) else ""
        hold(len(to_cell(text) or "") == len(text), "a name is kept with loss")


def _spoil(value: JSON, choices: Choices) -> bytes:
    """A cell as the store packs it, or with bytes of it lost or changed."""
    cell = pack_bytes(dump_json(value))
    how = choices.number(4)
    if how < 2:
        return cell
    at = choices.number(256) * len(cell) // 256
    return cell[:at] if how == 2 else cell[:at] + choices.bytes() + cell[at + 1 :]


def _read_value(read: Callable[[], object]) -> object:
    """A part of a cell, as all cells are read."""
    with reading("value"):
        return read()


def _try(read: Callable[[], object]) -> None:
    try:
        read()
    except StoreError as error:
        hold(error.message.strip() and error.remedy, "an error that says nothing")
        hold(len(str(error)) < 1000, f"an error of {len(str(error))} characters")


@cache
def _card_of(words: str, other: str) -> Scorecard:
    return _build_card(Choices(BORDER.join((words.encode(), other.encode(), bytes(range(9, 60))))))


@cache
def _run() -> RunRow:
    rubric, judges = _rubric(), ("scripted",)
    parameters: dict[str, JSON] = {"samples": 1, "workers": (1, 2)}
    return RunRow(
        "20260102-030405-abcdef", datetime(2026, 1, 2, tzinfo=UTC), rubric.id, rubric.digest, rubric.text, judges, "0",
        "records.jsonl", parameters=parameters,
    )  # fmt: skip


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True
