"""Reads sets of outputs that people have labelled, from a folder of JSON lines, each set in a file of its own."""

import gzip
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import parse_json
from assay.files.json_values import is_list
from assay.files.known_sets import KNOWN, Reading, read_field
from assay.files.place import Place

_ENDINGS = (".jsonl.gz", ".jsonl")
# The keys of `human` that a set of anybody's own may use, the first that is there counting.
_OWN = ("factual", "faithful", "supported", "consistency", "score", "label")


@dataclass(frozen=True, slots=True)
class Document:
    text: str
    title: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """`item` is the source document, whose outputs are not independent of each other. `truths` are by label."""

    id: str
    item: str
    domain: str | None
    system: str | None
    query: str | None
    documents: tuple[Document, ...]
    output: str
    truths: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """`anchor` is what others have published on the set, in words."""

    name: str
    path: Path
    labels: tuple[str, ...]
    anchor: str
    rows: tuple[LabelledRow, ...]
    total: int


def find_sets(folder: Path, names: tuple[str, ...] = ()) -> dict[str, Path]:
    """The files of a folder by set name, or those named; refused where one is not there."""
    if not folder.is_dir():
        raise InputError(
            "there is no such folder", path=str(folder), remedy="Name a folder of .jsonl or .jsonl.gz files."
        )
    found = {
        path.name.removesuffix(ending): path
        for path in sorted(folder.iterdir())
        for ending in _ENDINGS
        if path.name.endswith(ending)
    }
    for name in names:
        if name not in found:
            remedy = f"Write one of: {', '.join(found)}" if found else "It holds no .jsonl or .jsonl.gz file."
            raise InputError(f"there is no set {name!r}", path=str(folder), remedy=remedy)
    return {name: path for name, path in found.items() if not names or name in names}


def read_set(name: str, path: Path, limit: int | None = None) -> LabelledSet:
    """Rows without a source, an output or a label are left out. Of a limit, whole documents in an order of chance."""
    known = KNOWN.get(name)
    readings = known.readings if known is not None else (Reading("label", _read_own),)
    rows = tuple(row for row in _read_rows(path, readings) if row is not None)
    kept = rows if limit is None else _choose(rows, limit)
    labels = tuple(each.label for each in readings if any(each.label in row.truths for row in rows))
    return LabelledSet(name, path, labels, known.anchor if known is not None else "", kept, len(rows))


def _choose(rows: tuple[LabelledRow, ...], limit: int) -> tuple[LabelledRow, ...]:
    """The same rows every time, and not the first of the file, which are often of one kind."""
    ordered = sorted(rows, key=lambda row: (hashlib.sha256(row.item.encode()).digest(), row.id))
    return tuple(ordered[:limit])


def _read_own(human: Mapping[str, JSON]) -> float | None:
    for name in _OWN:
        if human.get(name) is not None:
            return read_field(name)(human)
    return None


def _read_rows(path: Path, readings: tuple[Reading, ...]) -> Iterator[LabelledRow | None]:
    opened: Callable[..., object] = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as lines:  # type: ignore[attr-defined]  # both give a binary stream
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    place = Place(str(path), number)
                    yield _read_row(parse_json(line, place), place, readings)
    except (OSError, EOFError) as error:
        raise InputError(
            f"can't be read ({error})", path=str(path), remedy="Give JSON lines, plain or gzipped."
        ) from None


def _read_row(row: JSON, place: Place, readings: tuple[Reading, ...]) -> LabelledRow | None:
    if not isinstance(row, Mapping):
        raise place.fault("the line is no object", 'Write {"id", "source", "output", "human": {"factual": 1}}.')
    human, output = row.get("human"), row.get("output")
    documents = tuple(_read_documents(row.get("source")))
    if not isinstance(human, Mapping) or not isinstance(output, str) or not output.strip() or not documents:
        return None
    truths = {each.label: value for each in readings if (value := each.read(human)) is not None}
    if not truths:
        return None
    named = row.get("doc_id") or row.get("patient_id")
    text = "\n".join(each.text for each in documents)
    item = str(named) if named else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return LabelledRow(
        str(row.get("id") or f"line {place.line}"),
        item,
        _text(row, "domain"),
        _text(row, "system"),
        _text(row, "query"),
        documents,
        output,
        truths,
    )


def _text(row: Mapping[str, JSON], name: str) -> str | None:
    value = row.get(name)
    return value if isinstance(value, str) and value.strip() else None


def _read_documents(source: JSON) -> Iterator[Document]:
    if isinstance(source, str) and source.strip():
        yield Document(source)
    elif is_list(source):
        for each in source:
            if isinstance(each, str) and each.strip():
                yield Document(each)
            elif isinstance(each, Mapping) and (content := _text(each, "content")) is not None:
                yield Document(content, _text(each, "title"), _text(each, "url"))
