"""Finds which part of the shape each title, entry and table of an outline opens."""

import re
from collections.abc import Sequence
from functools import lru_cache

from assay.domain.shape import Shape, ShapeRow
from assay.foreign.lists import read_table
from assay.foreign.marks import read_marks
from assay.foreign.outline import Node, fold_words, is_none


@lru_cache(maxsize=10_000)
def match_title(title: str, rows: tuple[ShapeRow, ...], number: int | None = None) -> ShapeRow | None:
    """The first part of the shape that the words of a title name, or the one of its number if they name that too.

    All words of a phrase begin words of the title.
    """
    # A remark in brackets does not name the part, but "(summary)" may.
    for said in (re.sub(r"\([^()\s]+\s+[^()\s]+\s[^()]*\)", "", title), title):
        words = fold_words(re.split(r"(?<=[a-z)])[.!?]\s", said, maxsplit=1)[0])
        named = [row for row in rows if names_all(words, row.words) and not names_all(words, row.without)]
        if named:
            return next((row for row in named if row.step == number and number is not None), named[0])
    return None


def names_all(words: Sequence[str], phrases: Sequence[str]) -> bool:
    """Whether all words of a phrase begin words of the text."""
    return any(
        all(any(word.startswith(part) for word in words) for part in phrase.lower().split()) for phrase in phrases
    )


def open_rows(parent: Node, inside: ShapeRow | None, shape: Shape) -> None:
    """Sets which part of the shape each node opens. Inside a list only a title opens another part."""
    is_list = inside is not None and inside.holds != "text"
    for child in parent.children:
        row = None
        heads = child.is_entry and any(each.is_entry or is_none(each.text) for each in child.children)
        if child.kind == "table":
            row = _match_header(child, inside, shape)
        elif child.kind == "title" or (child.is_entry and (not is_list or _is_title(child))):
            title = child.title or (child.text if heads else "")
            row = match_title(title, shape.rows, child.number) if title else None
            if row is None and child.is_step:
                row = next((each for each in shape.rows if each.step == child.number), None)
        if inside is not None and row is not None and _introduces(child, row, parent):
            row = None
        child.row = None if row is inside else row
        open_rows(child, row or inside, shape)


def _introduces(node: Node, row: ShapeRow, heading: Node) -> bool:
    """Whether a line with a colon, the only one under a heading that names a list, speaks of what is in that list.

    "These important points are in the summary:" under "Overlap" is the list of the overlap.
    """
    is_plain = node.kind == "title" and not node.is_heading and not node.rest
    others = [
        each for each in heading.children if each is not node and each.kind not in {"text", "count"} and not each.rest
    ]
    is_heading = heading.row is not None and heading.row.holds != "text" and heading.is_heading
    return is_plain and is_heading and not others and row.label is None and row.holds in {"unit", "count"}


def _is_title(node: Node) -> bool:
    """Whether an entry only announces those below it."""
    return node.text.rstrip().endswith(":") and any(child.is_entry for child in node.children)


def _match_header(table: Node, inside: ShapeRow | None, shape: Shape) -> ShapeRow | None:
    """The part that a column names; or all units, where every row of a table has its verdict.

    In the list of one label only a table that shares out all units is another list.
    """
    rows = tuple(row for row in shape.rows if row.holds != "text")
    whole = next((row for row in rows if row.holds == "unit" and row.label is None), None)
    entries = list(read_table(table))
    words = [mark.word for mark in read_marks(entries, whole.unit, shape)] if whole is not None else [None]
    is_shared = bool(words) and None not in words
    if inside is not None and inside.holds != "text":
        best = next((word.label for word in shape.words if word.unit == inside.unit), None)
        is_mixed = inside.label == best and len(set(words)) > 1
        return whole if is_shared and (inside.holds == "count" or is_mixed) else None
    named = next((row for cell in table.cells if (row := match_title(cell, rows))), None)
    is_check = inside is not None and inside.name in {"values", "facts"}
    if (named is not None and named.label is None) or is_check or not is_shared:
        return named
    return whole
