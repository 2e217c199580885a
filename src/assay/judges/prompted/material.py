"""The record as a model sees it: every text between digest delimiters, sources and output by sentence ids."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from assay.domain.record import Record, Source
from assay.domain.units import Unit
from assay.text.hostile import delimiter, neutralise
from assay.units.passages import OUTPUT, Passage, Passages


def mark_of(record: Record) -> str:
    """One mark per record, so that every call on it shares a prefix. A text can't contain its own digest."""
    texts = [source.text for source in record.sources] + [source.title or "" for source in record.sources]
    others = [str(record.inputs[name]) for name in sorted(record.inputs)]
    return delimiter([*texts, record.output, record.query or "", *others])


def mark_of_sources(sources: Sequence[Source]) -> str:
    return delimiter([text for source in sources for text in (source.text, source.title or "")])


def render_block(mark: str, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{mark} {name}", *lines, f"{mark} end"])


def render_sources(
    sources: Sequence[Source], passages: Passages, mark: str, only: Collection[str] | None = None
) -> str:
    """All sentences of the sources, or only the passages named; what is left out is said in its place."""
    blocks = []
    for source in sources:
        title = f" ({one_line(source.title)})" if source.title else ""
        shown = list(_render_passages(passages.of(source.id), only)) or ["(no text)"]
        blocks.append(render_block(mark, f"source {source.id.upper()}{title}", shown))
    return "\n\n".join(blocks)


def _render_passages(passages: Sequence[Passage], only: Collection[str] | None) -> Iterator[str]:
    left_out = 0
    for passage in passages:
        if only is not None and passage.id not in only:
            left_out += 1
            continue
        if left_out:
            yield f"({left_out} sentences not shown)"
            left_out = 0
        yield f"[{passage.id}] {one_line(passage.text)}"
    if left_out:
        yield f"({left_out} sentences not shown)"


def render_record(record: Record, passages: Passages, mark: str, only: Collection[str] | None = None) -> str:
    blocks = [render_sources(record.sources, passages, mark, only)]
    if record.query is not None:
        blocks.append(render_block(mark, "query", [one_line(record.query)]))
    blocks.append(render_block(mark, OUTPUT, list(_render_passages(passages.of(OUTPUT), None)) or ["(no text)"]))
    return "\n\n".join(blocks)


def render_units(units: Sequence[Unit], mark: str, name: str) -> str:
    lines = [f"[{unit.id}] {_place(unit)}{one_line(unit.text)}" for unit in units]
    return render_block(mark, name, lines)


def _place(unit: Unit) -> str:
    return f"({one_line(unit.context)}) " if unit.context else ""


@lru_cache(maxsize=20_000)
def one_line(text: str) -> str:
    """A passage as a prompt shows it. Every metric of a record shows the same passages, so each is made ready once."""
    return " ".join(neutralise(text).text.split())
