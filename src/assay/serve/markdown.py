"""A rubric as its author wrote it: the plain Markdown of rubrics as blocks that a template prints, never as markup."""

import re
from dataclasses import dataclass

_BAR = re.compile(r"(?<!\\)\|")
_DIVIDER = re.compile(r"^[|\s:]*-[|\s:-]*$")
_CODE = re.compile(r"`([^`\n]{1,500})`")


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of a line; `is_code` where it stood between backticks."""

    text: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """`kind` is heading, list, table, quote, comment or text. A table's first line is its head."""

    kind: str
    lines: tuple[tuple[tuple[Words, ...], ...], ...]
    level: int = 0


def read_blocks(text: str) -> tuple[Block, ...]:
    """Everything is kept: what is none of the known kinds is text, as it stands."""
    blocks: list[Block] = []
    block: list[str] = []
    lines = text.removeprefix("\ufeff").splitlines()
    for line in [*lines, ""]:
        is_heading = _heading_level(line) > 0
        if (not line.strip() or is_heading) and block:
            blocks.append(_build_block(block))
            block = []
        if is_heading:
            level = _heading_level(line)
            blocks.append(Block("heading", ((_words(line[level:].strip()),),), level))
        elif line.strip():
            block.append(line.strip())
    return tuple(blocks)


def _heading_level(line: str) -> int:
    level = len(line) - len(line.lstrip("#"))
    return level if 1 <= level <= 6 and line[level : level + 1] == " " else 0


def _build_block(lines: list[str]) -> Block:
    if len(lines) > 1 and "|" in lines[0] and _DIVIDER.match(lines[1]):
        return Block("table", tuple(_cells(line) for line in (lines[0], *lines[2:])))
    if all(line[:2] in {"- ", "* ", "+ "} for line in lines):
        return Block("list", tuple((_words(line[2:].strip()),) for line in lines))
    if lines[0].startswith(">"):
        return Block("quote", tuple((_words(line.removeprefix(">").strip()),) for line in lines))
    kind = "comment" if lines[0].startswith("<!--") else "text"
    return Block(kind, tuple((_words(line),) for line in lines))


def _cells(line: str) -> tuple[tuple[Words, ...], ...]:
    inner = line.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(_words(cell.strip().replace("\\|", "|")) for cell in _BAR.split(inner))


def _words(text: str) -> tuple[Words, ...]:
    pieces = _CODE.split(text)
    return tuple(Words(piece, at % 2 == 1) for at, piece in enumerate(pieces) if piece)
