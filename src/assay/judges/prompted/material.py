"""The record as a model sees it: every text between digest delimiters, sources and output by sentence ids.

What all calls on an item share comes first, byte for byte the same: the sources with a mark made from them alone, the
query, and what else the rubric always shows. The output, with a mark of its own, and what is asked follow. Of sources
that do not fit a model's context, windows around what each unit is about are shown.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.units import NAMES, PREFIXES, Unit
from assay.text.hostile import delimiter as make_mark
from assay.text.hostile import neutralise
from assay.text.keywords import Index
from assay.units.passages import OUTPUT, Passage, Passages

# A cautious guess of characters per token for any script and tokenizer; the endpoint has the last word.
CHARACTERS_PER_TOKEN = 3
_LONGEST_BULLET = 5
_FEW = 3


@lru_cache(maxsize=20_000)
def one_line(text: str) -> str:
    """A text as a prompt shows it. Every metric of a record shows the same passages, so each is made ready once."""
    return " ".join(neutralise(text).text.split())


def mark_sources(sources: Sequence[Source], *records: Record) -> str:
    """The mark of what all calls on an item share. Another text of a record that holds it makes for another mark."""
    texts = [text for source in sources for text in (source.text, source.title or "", source.details)]
    others = [text for each in records for text in (each.output, each.query or "", *map(str, each.inputs.values()))]
    mark = make_mark(texts)
    return make_mark([*texts, *others]) if any(mark in other for other in others) else mark


def mark_output(record: Record) -> str:
    """The mark of the output and of what only this record's calls show. A text can't contain its own digest."""
    texts = [source.text for source in record.sources] + [record.output]
    return make_mark([*texts, *(str(record.inputs[name]) for name in sorted(record.inputs))])


def render_block(mark: str, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{mark} {name}", *lines, f"{mark} end"])


def render_shared(
    sources: Sequence[Source],
    passages: Passages,
    mark: str,
    texts: Sequence[tuple[str, str]],
    only: Collection[str] | None = None,
) -> str:
    """All that comes before the output, the same for every system's output on an item: the sources, then `texts`.

    Of the sources it shows all sentences, or `only` the passages named.
    """
    lines = []
    for source in sources:
        about = "; ".join(part for part in (source.title, source.url, source.details) if part)
        lines.append(f"{mark} source {source.id.upper()}" + (f" ({one_line(about)})" if about else ""))
        lines.append(show_passages(passages.of(source.id), only))
    blocks = ["\n".join([*lines, f"{mark} end"]), *(render_block(mark, name, [one_line(text)]) for name, text in texts)]
    return "\n\n".join(blocks)


def say_not_provided(rubric: Rubric, sources: Sequence[Source]) -> str:
    """What the record lacks, so that its absence is not taken for an oversight of the output."""
    given = {source.input for source in sources}
    absent = [each.label for each in rubric.inputs if each.role == "source" and each.name not in given]
    return f"\n\nNot provided: {', '.join(absent)}." if absent else ""


def render_output(record: Record, passages: Passages, mark: str, letter: str = "") -> str:
    """Of several outputs each has a `letter`."""
    blocks = [render_block(mark, f"{OUTPUT} {letter}".strip(), [show_passages(passages.of(OUTPUT))])]
    if record.citations is not None:
        blocks.append(render_block(mark, f"citations of {letter or 'the output'}", [one_line(str(record.citations))]))
    return "\n\n".join(blocks)


def show_passages(passages: Sequence[Passage], only: Collection[str] | None = None) -> str:
    """One per line; what is left out is said in its place."""
    lines, left_out = [], 0
    for passage in passages:
        if only is not None and passage.id not in only:
            left_out += 1
            continue
        lines += [f"({left_out} sentences not shown)"] if left_out else []
        lines.append(f"[{passage.id}] {one_line(passage.text)}")
        left_out = 0
    lines += [f"({left_out} sentences not shown)"] if left_out else []
    return "\n".join(lines) or "(no text)"


def render_units(units: Sequence[Unit], passages: Passages, mark: str, letter: str = "") -> str:
    """The units by their texts; units that are sentences of the output only by their ids, as those stand there.

    Of an output with a `letter`, which stands beside others, in a line where they are sentences.
    """
    one = NAMES[units[0].kind][0]
    head = f"{letter}:\n" if letter else ""
    if units[0].kind == "source":
        return f"Each source of the material as a whole: {', '.join(unit.id for unit in units)}."
    if units[0].kind == "turn":
        turns = ", ".join(f"{unit.id} is {unit.context}" for unit in units)
        return f"{head}Each turn of the output as a whole: {turns}."
    named = [find_sentence(unit, passages) for unit in units]
    if all(named):
        pairs = [f"{unit.id} is {name}" for unit, name in zip(units, named, strict=True)]
        in_order = [f"{PREFIXES[units[0].kind]}{at} is {letter or 'O'}.{at}" for at in range(1, len(units) + 1)]
        if pairs == in_order and len(pairs) > _FEW:
            pairs = [*pairs[:2], f"and so on to {pairs[-1]}"]
        return f"{letter or f'Each {one} is a sentence of the output'}: {', '.join(pairs)}."
    return head + render_texts(units, mark, [unit.weight if unit.kind == "item" else "" for unit in units])


def render_texts(units: Sequence[Unit], mark: str, weights: Sequence[str]) -> str:
    """In a block, with what is known of them: where a cell stands, how much a unit of a bank weighs."""
    lines = []
    for unit, weight in zip(units, weights, strict=True):
        known = ", ".join(part for part in (unit.context, weight, unit.direction) if part)
        lines.append(f"[{unit.id}] " + (f"({one_line(known)}) " if known else "") + one_line(unit.text))
    return render_block(mark, NAMES[units[0].kind][1], lines)


def find_sentence(unit: Unit, passages: Passages) -> str | None:
    """The id of the output's sentence that the unit is, apart from a bullet before it."""
    if unit.span is None or unit.is_cell or unit.kind == "turn":
        return None
    for passage in passages.of(OUTPUT):
        if passage.span.start <= unit.span.start and unit.span.end <= passage.span.end:
            rest = passage.span.end - passage.span.start - (unit.span.end - unit.span.start)
            return passage.id if rest <= _LONGEST_BULLET else None
    return None


def choose_windows(units: Sequence[Unit], passages: Passages, characters: int) -> frozenset[str] | None:
    """The passages nearest to each unit with one neighbour on either side, in turns, until the room is filled.

    None where not even one window per unit fits.
    """
    shown = [passage for passage in passages.all if passage.source != OUTPUT]
    index = Index([passage.text for passage in shown])
    ranked = [index.best(unit.text, 8) for unit in units]
    chosen: set[int] = set()
    room = characters
    for turn in range(8):
        for positions in ranked:
            if turn >= len(positions):
                continue
            window = [
                position
                for position in range(positions[turn] - 1, positions[turn] + 2)
                if 0 <= position < len(shown)
                and position not in chosen
                and shown[position].source == shown[positions[turn]].source
            ]
            cost = sum(len(shown[position].text) + 16 for position in window)
            if cost > room:
                return None if turn == 0 else frozenset(shown[position].id for position in chosen)
            room -= cost
            chosen.update(window)
    return frozenset(shown[position].id for position in chosen)
