"""The record as a model sees it: every text between digest delimiters, sources and output by sentence ids."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record, Source
from assay.domain.same import Same
from assay.domain.units import Unit
from assay.text.hostile import delimiter, neutralise
from assay.units.passages import OUTPUT, Passage, Passages

# What borders look like that everybody knows; only a measurement shows them to a judge.
_PLAIN_MARK = "====="
# Of longer texts, so many would be too much to keep.
_FEW = 200


@dataclass(frozen=True, slots=True)
class Fence:
    """What keeps a call's data apart from its question: the mark of every border, and how a text is shown inside."""

    mark: str
    neutralises: bool = True

    def show(self, text: str) -> str:
        return one_line(text) if self.neutralises else " ".join(text.split())


def fence_record(record: Record, defences: Defences = DEFENDED) -> Fence:
    """One mark per record, so that every call on it shares a prefix. A text can't contain its own digest."""
    if not defences.delimiters:
        return Fence(_PLAIN_MARK, defences.normalise)
    return Fence(_mark_record(Same(record)), defences.normalise)


@lru_cache(maxsize=256)
def _mark_record(same: Same[Record]) -> str:
    record = same.thing
    texts = [source.text for source in record.sources] + [source.title or "" for source in record.sources]
    others = [str(record.inputs[name]) for name in sorted(record.inputs)]
    return delimiter([*texts, record.output, record.query or "", *others])


def fence_sources(sources: Sequence[Source], defences: Defences = DEFENDED) -> Fence:
    texts = [text for source in sources for text in (source.text, source.title or "")]
    return Fence(delimiter(texts) if defences.delimiters else _PLAIN_MARK, defences.normalise)


def render_block(fence: Fence, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{fence.mark} {name}", *lines, f"{fence.mark} end"])


def render_sources(
    sources: Sequence[Source], passages: Passages, fence: Fence, only: Collection[str] | None = None
) -> str:
    """All sentences of the sources, or only the passages named; what is left out is said in its place."""
    blocks = []
    for source in sources:
        title = f" ({fence.show(source.title)})" if source.title else ""
        shown = _show_passages(passages.of(source.id), fence, only)
        blocks.append(f"{fence.mark} source {source.id.upper()}{title}\n{shown}\n{fence.mark} end")
    return "\n\n".join(blocks)


def _show_passages(passages: tuple[Passage, ...], fence: Fence, only: Collection[str] | None = None) -> str:
    if only is None and fence.neutralises:
        return _remember_shown(Same(passages)) if len(passages) <= _FEW else _show_all(Same(passages))
    return "\n".join(_render_passages(passages, fence, only)) or "(no text)"


def _show_all(passages: Same[tuple[Passage, ...]]) -> str:
    """A bank and every metric of a record show the same passages, so they are made ready once."""
    lines, texts = [f"[{passage.id}] " for passage in passages.thing], [passage.text for passage in passages.thing]
    if not _is_plain(texts):
        texts = [one_line(text) for text in texts]
    return "\n".join([line + text for line, text in zip(lines, texts, strict=True)]) or "(no text)"


_remember_shown = lru_cache(maxsize=256)(_show_all)


def _is_plain(texts: Sequence[str]) -> bool:
    """Whether each of them is one line already, with nothing in it to defuse: a look at all at once tells."""
    together = " ".join(texts)
    is_lined = together.isprintable() and "  " not in together and together == together.strip()
    return is_lined and not neutralise("\n".join(texts)).removed


def _render_passages(passages: Sequence[Passage], fence: Fence, only: Collection[str] | None) -> Iterator[str]:
    left_out = 0
    for passage in passages:
        if only is not None and passage.id not in only:
            left_out += 1
            continue
        if left_out:
            yield f"({left_out} sentences not shown)"
            left_out = 0
        yield f"[{passage.id}] {fence.show(passage.text)}"
    if left_out:
        yield f"({left_out} sentences not shown)"


def render_record(record: Record, passages: Passages, fence: Fence, only: Collection[str] | None = None) -> str:
    blocks = [render_sources(record.sources, passages, fence, only)]
    if record.query is not None:
        blocks.append(render_block(fence, "query", [fence.show(record.query)]))
    blocks.append(render_block(fence, OUTPUT, [_show_passages(passages.of(OUTPUT), fence)]))
    return "\n\n".join(blocks)


def render_units(units: Sequence[Unit], fence: Fence, name: str) -> str:
    lines = [f"[{unit.id}] {_place(unit, fence)}{fence.show(unit.text)}" for unit in units]
    return render_block(fence, name, lines)


def _place(unit: Unit, fence: Fence) -> str:
    return f"({fence.show(unit.context)}) " if unit.context else ""


@lru_cache(maxsize=20_000)
def one_line(text: str) -> str:
    """A passage as a prompt shows it. Every metric of a record shows the same passages, so each is made ready once."""
    return " ".join(neutralise(text).text.split())
