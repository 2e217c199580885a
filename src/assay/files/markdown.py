r"""Reads the plain part of Markdown that rubrics are written in: headings, settings, tables, paragraphs, quotes.

Text is kept as its author typed it: nothing is unescaped but `\|` inside a table cell, and nothing is turned into
a number, a date or a yes. A general Markdown parser would rewrite emphasis, entities and stray cells in silence.
Comments, from a line that opens with `<!--` to one that closes with `-->`, are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.errors import InputError

_LINE_END = re.compile(r"\r\n|\r|\n")
_DIVIDER = re.compile(r"^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_BAR = re.compile(r"(?<!\\)\|")
_UNSPACED_SETTING = re.compile(r"^-[^\W\d][\w ]{0,60}:(?:\s|$)")


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
    lines = list(_read_lines(text, path))
    position = 0
    while position < len(lines):
        line = lines[position]
        heading = _read_heading(line)
        if heading:
            while stack[-1].level >= heading.level:
                stack.pop()
            stack[-1].sections.append(heading)
            stack.append(heading)
            position += 1
        elif not line.text:
            position += 1
        else:
            position = _read_block(lines, position, stack[-1], path)
    return root


def _read_lines(text: str, path: str) -> Iterator[Line]:
    """The lines outside comments, each with its number in the file as an editor shows it."""
    opened = 0
    for number, written in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        line = Line(written.rstrip(), number)
        opens = not opened and line.text.lstrip().startswith("<!--")
        if opens:
            opened = number
        if not opened:
            yield line
            continue
        _, closing, after = line.text.partition("-->")
        if after.strip():
            remedy = "Put it on a line of its own."
            raise InputError("text behind the end of a comment is not read", path=path, line=number, remedy=remedy)
        opened = 0 if closing else opened
    if opened:
        raise InputError("a comment without its end", path=path, line=opened, remedy="Close it with a line `-->`.")


def _read_heading(line: Line) -> Section | None:
    level = len(line.text) - len(line.text.lstrip("#"))
    if not 1 <= level <= 6 or not line.text[level : level + 1].isspace():
        return None
    title = line.text[level:].strip()
    opened = title.rstrip("#")
    closed = not opened or opened[-1].isspace()
    return Section(level, opened.rstrip() if closed else title, line.number)


def _read_block(lines: list[Line], start: int, section: Section, path: str) -> int:
    end = start
    while end < len(lines) and lines[end].text and not _read_heading(lines[end]):
        end += 1
    block = lines[start:end]
    if len(block) > 1 and _DIVIDER.match(block[1].text.strip()) and "|" in block[0].text:
        section.tables.append(_read_table(block, path))
    elif block[0].text.startswith(">"):
        section.quotes.append(" ".join(line.text.removeprefix(">").strip() for line in block))
    elif settings := [setting for line in block if (setting := _read_setting(line))]:
        _check_unmixed(block, settings, path)
        section.settings.extend(settings)
    else:
        _check_prose(block, path)
        section.paragraphs.append("\n".join(line.text for line in block))
    return end


def _read_setting(line: Line) -> SettingLine | None:
    """`- name: value`. A colon that no space follows is part of the text, as in 1:20."""
    text = line.text.strip()
    if text[:1] not in {"-", "*", "+"} or not text[1:2].isspace():
        return None
    name, colon, value = text[1:].partition(":")
    if not colon or not name.strip() or (value and not value[0].isspace()):
        return None
    return SettingLine(name.strip(), value.strip(), line.number)


def _check_unmixed(block: list[Line], settings: list[SettingLine], path: str) -> None:
    """A setting inside a paragraph would be lost in silence, and so would a line inside a list of settings."""
    if len(settings) < len(block):
        stray = next(line for line in block if not _read_setting(line))
        raise InputError(
            f"{stray.text.strip()[:60]!r} stands among settings and is none",
            path=path,
            line=stray.number,
            remedy="Write `- name: value` on one line, and put an empty line between settings and text.",
        )


def _check_prose(block: list[Line], path: str) -> None:
    for line in block:
        if line.text.lstrip().startswith("|"):
            raise InputError(
                "a table without its divider line",
                path=path,
                line=block[0].number,
                remedy="Put a line such as |---|---| under the table's first line.",
            )
        if _UNSPACED_SETTING.match(line.text):
            raise InputError(
                f"{line.text[:60]!r} looks like a setting and is none",
                path=path,
                line=line.number,
                remedy="Put a space behind the hyphen.",
            )


def _read_table(block: list[Line], path: str) -> TableBlock:
    columns = tuple(_cells(block[0].text))
    if len(set(columns)) != len(columns) or len(_cells(block[1].text)) != len(columns):
        raise InputError(
            f"a table whose columns ({', '.join(columns)}) are not each named once and divided",
            path=path,
            line=block[0].number,
            remedy="Give each column its own name, and the line under them one --- for each.",
        )
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
