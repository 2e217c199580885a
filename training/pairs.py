"""Premise-hypothesis pairs with their labels, as public sets give them."""

import gzip
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final


class Label(IntEnum):
    """What the premise says about the hypothesis; the first three are the model's outputs, in their order."""

    SUPPORTED = 0
    CONTRADICTED = 1
    NOT_IN_SOURCE = 2
    NOT_SUPPORTED = 3
    """Contradicted or not in the source: the set does not say which, and the loss does not ask."""


_NAMES: Final = {
    "supported": Label.SUPPORTED,
    "contradicted": Label.CONTRADICTED,
    "neutral": Label.NOT_IN_SOURCE,
    "not_supported": Label.NOT_SUPPORTED,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One example. `group` keeps together what shares a page or a premise, so that no split cuts through it."""

    premise: str
    hypothesis: str
    label: Label
    origin: str
    group: str


class PairsMissingError(SystemExit):
    """The training pairs are not on this machine; nothing else can take their place."""


_TREEBANK: Final = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-COLON-": ":",
    "``": '"',
    "''": '"',
}
_MARKS = re.compile("|".join(re.escape(mark) for mark in _TREEBANK))
_SPACE_BEFORE = re.compile(r" (?=[,.;:!?)\]%](?:\s|$)|'s\b|n't\b)")
_SPACE_AFTER = re.compile(r"(?<=[(\[$]) ")
_GLUED = re.compile(r"(?<=[a-z0-9)])\.(?=[A-Z][a-z])")


def clean_text(text: str) -> str:
    """Ordinary spelling for treebank text: brackets and quotes as people write them, no space before a comma."""
    plain = _MARKS.sub(lambda mark: _TREEBANK[mark.group()], text)
    plain = _SPACE_AFTER.sub("", _SPACE_BEFORE.sub("", " ".join(plain.split())))
    return _GLUED.sub(". ", plain)


def read_pairs(*paths: Path) -> list[Pair]:
    """Every pair of gzipped JSON-lines files, once; a pair without a group is grouped by its premise."""
    found: dict[tuple[str, str], Pair] = {}
    for path in paths:
        if not path.exists():
            raise PairsMissingError(f"{path}: no such file; pass --pairs with the gzipped JSON lines of training pairs")
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                pair = _read_pair(json.loads(line))
                found.setdefault((pair.premise, pair.hypothesis), pair)
    return list(found.values())


def _read_pair(row: dict[str, str | None]) -> Pair:
    premise, hypothesis = clean_text(row["premise"] or ""), clean_text(row["hypothesis"] or "")
    origin = row["origin"] or ""
    group = row.get("group") or premise
    return Pair(premise, hypothesis, _NAMES[row["label"] or ""], origin, f"{origin}:{group.removeprefix(f'{origin}:')}")


def count_origins(pairs: Iterable[Pair]) -> dict[str, int]:
    """How many pairs come from each set, by name."""
    counts: dict[str, int] = {}
    for pair in pairs:
        counts[pair.origin] = counts.get(pair.origin, 0) + 1
    return dict(sorted(counts.items()))
