r"""Parses the Markdown of rubric files into sections: settings, tables, paragraphs and quotes, each with its line.

Only the blocks are parsed. Text stays as its author typed it: emphasis, entities and links are left alone, and
`\|` in a table cell is the only escape. Comments are removed: they start with `<!--` at the beginning of a line and
end with `-->` at the end of one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit

from assay.files.sections import MarkdownTable, NamedText, Section

_PARSER = MarkdownIt("zero").enable(["heading", "blockquote", "table"])
_LINE_END = re.compile(r"\r\n|\r|\n")
# A colon without a space after it is part of the text, as in 1:20.
_SETTING = re.compile(r"[-*+]\s+([^:\s][^:]*):(?:\s(.*))?")
_UNSPACED_SETTING = re.compile(r"-[^\W\d][\w ]{0,60}:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def parse_markdown(text: str, path: str) -> Section:
    """The document as a section of level 0 that holds the others."""
    root = Section(0, "", 1, path)
    stack = [root]
    lines = list(_remove_comments(text, root))
    tokens = _PARSER.parse("\n".join(line.text for line in lines))
    for token, inner in pairwise(tokens):
        if token.level or not token.map:
            continue
        block = lines[slice(*token.map)]
        if token.type == "heading_open":
            level = int(token.tag[1:])
            while stack[-1].level >= level:
                stack.pop()
            stack[-1].sections.append(Section(level, inner.content, block[0].number, path))
            stack.append(stack[-1].sections[-1])
        elif token.type == "table_open":
            stack[-1].tables.append(_parse_table(block, stack[-1]))
        elif token.type == "blockquote_open":
            stack[-1].quotes.append(" ".join(line.text.strip().removeprefix(">").strip() for line in block))
        elif token.type == "paragraph_open":
            _parse_paragraph(block, stack[-1])
    return root


def _remove_comments(text: str, root: Section) -> Iterator[_Line]:
    """The lines outside comments, with their numbers in the file. A comment inside a table does not end the table."""
    opened = 0
    for number, written in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        line = written.rstrip()
        if not opened and not line.lstrip().startswith("<!--"):
            yield _Line(number, line)
            continue
        opened = opened or number
        _, closing, after = line.partition("-->")
        if after.strip():
            raise root.fault("text after the end of a comment is not read", "Put it on a line of its own.", number)
        opened = 0 if closing else opened
    if opened:
        raise root.fault("a comment without its end", "Close it with a line `-->`.", opened)


def _parse_paragraph(block: list[_Line], section: Section) -> None:
    """A list of settings, or prose. The two are not mixed: a setting inside a paragraph would not be seen."""
    matches = [_SETTING.fullmatch(line.text.strip()) for line in block]
    if any(matches):
        for line, match in zip(block, matches, strict=True):
            if match is None:
                remedy = "Write `- name: value` on one line, and put an empty line between settings and text."
                message = f"{line.text.strip()[:60]!r} is in a list of settings and is not a setting"
                raise section.fault(message, remedy, line.number)
            section.settings.append(NamedText(match[1].strip(), (match[2] or "").strip(), line.number, section.path))
        return
    for line in block:
        if line.text.lstrip().startswith("|"):
            remedy = "Put a line such as |---|---| under the table's first line, with one --- for each column."
            message = "a table without its divider line, or divided into another number of columns"
            raise section.fault(message, remedy, block[0].number)
        if _UNSPACED_SETTING.match(line.text):
            message = f"{line.text[:60]!r} looks like a setting and is not one"
            raise section.fault(message, "Put a space after the hyphen.", line.number)
    section.paragraphs.append("\n".join(line.text for line in block))


def _parse_table(block: list[_Line], section: Section) -> MarkdownTable:
    """The parser would fill up short rows and cut long ones, so the cells are split and counted here."""
    columns = tuple(_split_cells(block[0].text))
    named = ", ".join(columns)
    if len(set(columns)) != len(columns):
        message = f"a table whose columns ({named}) are not each named once"
        raise section.fault(message, "Give each column its own name.", block[0].number)
    rows = []
    for line in block[2:]:
        cells = _split_cells(line.text)
        if len(cells) != len(columns):
            message = f"a table row with {len(cells)} cells under {len(columns)} columns ({named})"
            remedy = "Write \\| for a bar inside a cell, and leave a cell empty rather than out."
            raise section.fault(message, remedy, line.number)
        pairs = zip(columns, cells, strict=True)
        rows.append({name: NamedText(name, cell, line.number, section.path) for name, cell in pairs})
    return MarkdownTable(columns, tuple(rows), block[0].number)


def _split_cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in escapedSplit(line.strip())]
    start = 1 if len(cells) > 1 and not cells[0] else 0
    end = len(cells) - 1 if len(cells) > start + 1 and not cells[-1] else len(cells)
    return cells[start:end]
