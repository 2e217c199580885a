"""The record as a model sees it: every text between digest delimiters, sources and output by sentence ids."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record, Source
from assay.domain.units import Unit
from assay.text.hostile import delimiter as make_mark
from assay.text.hostile import neutralise
from assay.units.passages import OUTPUT, Passage, Passages

# What borders look like that everybody knows; only a measurement shows them to a judge.
_PLAIN_MARK = "====="


@dataclass(frozen=True, slots=True)
class Delimiter:
    """What keeps a call's data apart from its question: the mark of every border, and how a text is shown inside."""

    mark: str
    neutralises: bool = True

    def show(self, text: str) -> str:
        return one_line(text) if self.neutralises else " ".join(text.split())


def delimit_record(record: Record, defences: Defences = DEFENDED) -> Delimiter:
    """One mark per record, so that every call on it shares a prefix. A text can't contain its own digest."""
    if not defences.delimiters:
        return Delimiter(_PLAIN_MARK, defences.normalise)
    return Delimiter(_mark_record(record), defences.normalise)


def _mark_record(record: Record) -> str:
    texts = [source.text for source in record.sources] + [source.title or "" for source in record.sources]
    others = [str(record.inputs[name]) for name in sorted(record.inputs)]
    return make_mark([*texts, record.output, record.query or "", *others])


def delimit_sources(sources: Sequence[Source], defences: Defences = DEFENDED) -> Delimiter:
    texts = [text for source in sources for text in (source.text, source.title or "")]
    return Delimiter(make_mark(texts) if defences.delimiters else _PLAIN_MARK, defences.normalise)


def render_block(delimiter: Delimiter, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{delimiter.mark} {name}", *lines, f"{delimiter.mark} end"])


def render_sources(
    sources: Sequence[Source], passages: Passages, delimiter: Delimiter, only: Collection[str] | None = None
) -> str:
    """All sentences of the sources, or only the passages named; what is left out is said in its place."""
    blocks = []
    for source in sources:
        title = f" ({delimiter.show(source.title)})" if source.title else ""
        shown = _show_passages(passages.of(source.id), delimiter, only)
        blocks.append(f"{delimiter.mark} source {source.id.upper()}{title}\n{shown}\n{delimiter.mark} end")
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


def render_record(record: Record, passages: Passages, delimiter: Delimiter, only: Collection[str] | None = None) -> str:
    blocks = [render_sources(record.sources, passages, delimiter, only)]
    if record.query is not None:
        blocks.append(render_block(delimiter, "query", [delimiter.show(record.query)]))
    blocks.append(render_block(delimiter, OUTPUT, [_show_passages(passages.of(OUTPUT), delimiter)]))
    return "\n\n".join(blocks)


def render_units(units: Sequence[Unit], delimiter: Delimiter, name: str) -> str:
    lines = [f"[{unit.id}] {_place(unit, delimiter)}{delimiter.show(unit.text)}" for unit in units]
    return render_block(delimiter, name, lines)


def _place(unit: Unit, delimiter: Delimiter) -> str:
    return f"({delimiter.show(unit.context)}) " if unit.context else ""


@lru_cache(maxsize=20_000)
def one_line(text: str) -> str:
    """A passage as a prompt shows it. Every metric of a record shows the same passages, so each is made ready once."""
    return " ".join(neutralise(text).text.split())
