"""Reads the plain part of Markdown that rubrics are written in: headings, settings, tables, paragraphs, quotes.

Text is kept as its author typed it: nothing is unescaped but `\\|` inside a table cell, and nothing is turned into
a number, a date or a yes. A general Markdown parser would rewrite emphasis, entities and stray cells in silence.
"""

import re
from dataclasses import dataclass, field

from assay.errors import InputError

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_SETTING = re.compile(r"^[-*]\s+([^:]+?):(?:\s+(.*))?$")
_DIVIDER = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class SettingLine:
    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class TableRow:
    cells: dict[str, str]
    line: int


@dataclass(frozen=True, slots=True)
class TableBlock:
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    line: int


@dataclass(slots=True)
class Section:
    """A heading with what stands under it, down to the next heading of its own level or above."""

    level: int
    title: str
    line: int
    settings: list[SettingLine] = field(default_factory=list)
    tables: list[TableBlock] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    sections: list["Section"] = field(default_factory=list)

    @property
    def prose(self) -> str:
        return "\n\n".join(self.paragraphs)


def read_markdown(text: str, path: str) -> Section:
    """The document as one section of level 0 that holds the others."""
    root = Section(0, "", 1)
    stack = [root]
    lines = [Line(line.rstrip(), number) for number, line in enumerate(text.splitlines(), 1)]
    position = 0
    while position < len(lines):
        line = lines[position]
        heading = _HEADING.match(line.text)
        if heading:
            section = Section(len(heading[1]), heading[2], line.number)
            while stack[-1].level >= section.level:
                stack.pop()
            stack[-1].sections.append(section)
            stack.append(section)
            position += 1
        elif not line.text.strip():
            position += 1
        else:
            position = _read_block(lines, position, stack[-1], path)
    return root


def _read_block(lines: list[Line], start: int, section: Section, path: str) -> int:
    end = start
    while end < len(lines) and lines[end].text.strip() and not _HEADING.match(lines[end].text):
        end += 1
    block = lines[start:end]
    if len(block) > 1 and _DIVIDER.match(block[1].text) and "|" in block[0].text:
        section.tables.append(_read_table(block, path))
    elif block[0].text.startswith(">"):
        section.quotes.append(" ".join(line.text.lstrip("> ") for line in block))
    elif all(_SETTING.match(line.text) for line in block):
        section.settings.extend(_read_setting(line) for line in block)
    elif any("|" in line.text and line.text.lstrip().startswith("|") for line in block):
        raise InputError(
            "a table without its divider line",
            path=path,
            line=block[0].number,
            remedy="Put a line such as |---|---| under the table's first line.",
        )
    else:
        section.paragraphs.append("\n".join(line.text for line in block))
    return end


def _read_setting(line: Line) -> SettingLine:
    match = _SETTING.match(line.text)
    assert match is not None  # noqa: S101  # the caller has matched the line
    return SettingLine(match[1].strip(), (match[2] or "").strip(), line.number)


def _read_table(block: list[Line], path: str) -> TableBlock:
    columns = tuple(_cells(block[0].text))
    rows = []
    for line in block[2:]:
        cells = _cells(line.text)
        if len(cells) != len(columns):
            raise InputError(
                f"a table row with {len(cells)} cells under {len(columns)} columns ({', '.join(columns)})",
                path=path,
                line=line.number,
                remedy="Write \\| for a bar inside a cell, and leave a cell empty rather than out.",
            )
        rows.append(TableRow(dict(zip(columns, cells, strict=True)), line.number))
    return TableBlock(columns, tuple(rows), block[0].number)


def _cells(line: str) -> list[str]:
    inner = line.strip()
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inner)]
