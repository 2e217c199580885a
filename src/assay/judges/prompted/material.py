"""The record as a model sees it: every text between digest delimiters, sources and output by sentence ids.

What all calls on an item share comes first, byte for byte the same: the sources with a mark made from them alone, the
query, and what else the rubric always shows. The output, with a mark of its own, and what is asked follow.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.units import NAMES, PREFIXES, Unit
from assay.text.hostile import delimiter as make_mark
from assay.text.hostile import neutralise
from assay.units.passages import OUTPUT, Passage, Passages

# What borders look like that everybody knows; only a measurement shows them to a judge.


@dataclass(frozen=True, slots=True)
class Delimiter:
    """What keeps data apart from the question: the mark of every border, and how a text is shown inside."""

    mark: str

    def show(self, text: str) -> str:
        return one_line(text)


def delimit_sources(sources: Sequence[Source], record: Record | None = None) -> Delimiter:
    """The mark of what all calls on an item share. Another text of the record that holds it makes for another mark."""
    texts = [text for source in sources for text in (source.text, source.title or "", source.details)]
    others = [] if record is None else [record.output, record.query or "", *map(str, record.inputs.values())]
    mark = make_mark(texts)
    if any(mark in other for other in others):
        mark = make_mark([*texts, *others])
    return Delimiter(mark)


def delimit_output(record: Record) -> Delimiter:
    """The mark of the output and of what only this record's calls show. A text can't contain its own digest."""
    texts = [source.text for source in record.sources] + [record.output]
    return Delimiter(make_mark([*texts, *(str(record.inputs[name]) for name in sorted(record.inputs))]))


def render_block(delimiter: Delimiter, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{delimiter.mark} {name}", *lines, f"{delimiter.mark} end"])


def render_sources(
    sources: Sequence[Source], passages: Passages, delimiter: Delimiter, only: Collection[str] | None = None
) -> str:
    """All sentences of the sources, or only the passages named; what is left out is said in its place."""
    lines = []
    for source in sources:
        about = "; ".join(part for part in (source.title, source.url, source.details) if part)
        shown = f" ({delimiter.show(about)})" if about else ""
        lines.append(f"{delimiter.mark} source {source.id.upper()}{shown}")
        lines.append(_show_passages(passages.of(source.id), delimiter, only))
    return "\n".join([*lines, f"{delimiter.mark} end"])


def render_shared(
    record: Record, rubric: Rubric, passages: Passages, delimiter: Delimiter, only: Collection[str] | None = None
) -> str:
    """All that comes before the output: the same for every system's output on an item."""
    blocks = [render_sources(record.sources, passages, delimiter, only)]
    if record.query is not None:
        blocks.append(render_block(delimiter, "query", [delimiter.show(record.query)]))
    known = [(each.label.lower(), record.text(each.name)) for each in rubric.inputs if each.role == "context"]
    blocks += [render_block(delimiter, name, [delimiter.show(text)]) for name, text in known if text.strip()]
    return "\n\n".join(blocks) + say_not_provided(rubric, record.sources)


def say_not_provided(rubric: Rubric, sources: Sequence[Source]) -> str:
    """What the record lacks, so that its absence is not taken for an oversight of the output."""
    given = {source.input for source in sources}
    absent = [each.label for each in rubric.inputs if each.role == "source" and each.name not in given]
    return f"\n\nNot provided: {', '.join(absent)}." if absent else ""


def render_output(record: Record, passages: Passages, delimiter: Delimiter) -> str:
    blocks = [render_block(delimiter, OUTPUT, [_show_passages(passages.of(OUTPUT), delimiter)])]
    if record.citations is not None:
        blocks.append(render_block(delimiter, "citations of the output", [delimiter.show(str(record.citations))]))
    return "\n\n".join(blocks)


def _show_passages(passages: Sequence[Passage], delimiter: Delimiter, only: Collection[str] | None = None) -> str:
    return "\n".join(_render_passages(passages, delimiter, only)) or "(no text)"


def _render_passages(passages: Sequence[Passage], delimiter: Delimiter, only: Collection[str] | None) -> Iterator[str]:
    left_out = 0
    for passage in passages:
        if only is not None and passage.id not in only:
            left_out += 1
            continue
        if left_out:
            yield f"({left_out} sentences not shown)"
            left_out = 0
        yield f"[{passage.id}] {delimiter.show(passage.text)}"
    if left_out:
        yield f"({left_out} sentences not shown)"


def render_units(units: Sequence[Unit], passages: Passages, delimiter: Delimiter) -> str:
    """The units by their texts; units that are sentences of the output only by their ids, as those stand there."""
    one, many = NAMES[units[0].kind]
    named = [find_sentence(unit, passages) for unit in units]
    if all(named):
        pairs = [f"{unit.id} is {name}" for unit, name in zip(units, named, strict=True)]
        in_order = [f"{PREFIXES[units[0].kind]}{at} is O.{at}" for at in range(1, len(units) + 1)]
        if pairs == in_order and len(pairs) > _FEW:
            pairs = [*pairs[:2], f"and so on to {pairs[-1]}"]
        return f"Each {one} is a sentence of the output: {', '.join(pairs)}."
    lines = [f"[{unit.id}] {_place(unit, delimiter)}{delimiter.show(unit.text)}" for unit in units]
    return render_block(delimiter, many, lines)


def find_sentence(unit: Unit, passages: Passages) -> str | None:
    """The id of the output's sentence that the unit is, apart from a bullet before it."""
    if unit.span is None or unit.context:
        return None
    for passage in passages.of(OUTPUT):
        if passage.span.start <= unit.span.start and unit.span.end <= passage.span.end:
            rest = passage.span.end - passage.span.start - (unit.span.end - unit.span.start)
            return passage.id if rest <= _LONGEST_BULLET else None
    return None


_LONGEST_BULLET = 5
_FEW = 3


def _place(unit: Unit, delimiter: Delimiter) -> str:
    """Where a cell stands, or what is known of a unit that a bank holds."""
    weight = unit.weight if unit.kind == "item" else ""
    known = ", ".join(part for part in (unit.context, weight, unit.direction) if part)
    return f"({delimiter.show(known)}) " if known else ""


@lru_cache(maxsize=20_000)
def one_line(text: str) -> str:
    """A passage as a prompt shows it. Every metric of a record shows the same passages, so each is made ready once."""
    return " ".join(neutralise(text).text.split())
