r"""The Markdown of rubric files as sections: settings, tables, paragraphs and quotes, each with its line.

Only the blocks are parsed. Text stays as its author typed it: emphasis, entities and links are left alone, and
`\|` in a table cell is the only escape. Comments are removed: they start with `<!--` at the beginning of a line and
end with `-->` at the end of one. Settings and tables are read by type; what does not fit is refused by its line.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TypeVar

from markdown_it import MarkdownIt

from assay.domain.scale import YES_NO, Scale, in_words
from assay.errors import InputError
from assay.files.place import nearest
from assay.text.tables import split_line

Row = TypeVar("Row")
Value = TypeVar("Value")
_PARSER = MarkdownIt("zero").enable(["heading", "blockquote", "table"])
_LINE_END = re.compile(r"\r\n|\r|\n")
# A colon without a space after it is part of the text, as in 1:20.
_SETTING = re.compile(r"[-*+]\s+([^:\s][^:]*):(?:\s(.*))?")
_UNSPACED_SETTING = re.compile(r"-[^\W\d][\w ]{0,60}:(?:\s|$)")
# Digits are limited because Python refuses to read a number of thousands of them.
_PLAIN_NUMBER = r"-?(?:[0-9]{1,12}(?:\.[0-9]{1,12})?|\.[0-9]{1,12})"
_NUMBER = re.compile(_PLAIN_NUMBER)
_SCALE = re.compile(rf"({_PLAIN_NUMBER}) to ({_PLAIN_NUMBER}), (high|low) is best(?:, ([0-9]) decimals?)?")
_YES_NO = re.compile(r"no to yes, (yes|no) is best")
_WHOLE = re.compile(r"[0-9]{1,9}")


def identifier(title: str) -> str:
    return title.strip().lower().replace(" ", "_").replace("-", "_")


def _has_heading(title: str, heading: str) -> bool:
    return title.startswith(heading) if heading.endswith(" ") else title == heading


@dataclass(frozen=True, slots=True)
class NamedText:
    """A setting or a table cell: its name (for a cell, the column's) and its text."""

    name: str
    text: str
    line: int
    path: str

    def fault(self, message: str, remedy: str) -> InputError:
        return InputError(message, path=self.path, line=self.line, remedy=remedy)

    def misfit(self, remedy: str) -> InputError:
        return self.fault(f"{self.name!r} is {self.text!r}", remedy)

    def filled(self) -> str:
        if not self.text:
            raise self.fault(f"an empty {self.name}", f"Fill the column {self.name!r}.")
        return self.text

    def choice(self, options: Iterable[str]) -> str:
        options = list(options)
        if self.text not in options:
            raise self.misfit(nearest(self.text, options))
        return self.text

    def names(self) -> tuple[str, ...]:
        """The parts of a list with commas."""
        return tuple(name.strip() for name in self.text.split(",") if name.strip())

    def whole(self, unit: str = "") -> int:
        text = self.text.removesuffix(unit).strip()
        if not _WHOLE.fullmatch(text):
            raise self.misfit("Write a whole number.")
        return int(text)

    def number(self, low: Fraction, high: Fraction) -> Fraction:
        if not _NUMBER.fullmatch(self.text) or not low <= Fraction(self.text) <= high:
            point = ", with a point for its decimals" if "," in self.text else ""
            raise self.misfit(f"Write a number from {in_words(low)} to {in_words(high)}{point}.")
        return Fraction(self.text)

    def score(self, scale: Scale) -> Fraction:
        """A number that a score on this scale can be; of a yes/no scale, 0 for no and 1 for yes."""
        if scale.is_yes_no:
            return Fraction(YES_NO.index(self.choice(YES_NO)))
        number = self.number(scale.low, scale.high)
        if scale.round(number) != number:
            numbers = "whole numbers" if scale.decimals == 0 else f"numbers of at most {scale.decimals} decimals"
            raise self.misfit(f"The scores of this scale are {numbers}.")
        return number

    def scale(self) -> Scale:
        if match := _YES_NO.fullmatch(self.text):
            return Scale(Fraction(0), Fraction(1), "high" if match[1] == "yes" else "low", is_yes_no=True)
        match = _SCALE.fullmatch(self.text)
        remedy = "Write it as `0 to 10, high is best`, `1 to 5, low is best, 2 decimals` or `no to yes, yes is best`."
        if not match:
            raise self.fault(f"the scale {self.text!r} can't be read", remedy)
        low, high = Fraction(match[1]), Fraction(match[2])
        if low >= high:
            raise self.fault(f"the scale {self.text!r} has no values between its ends", remedy)
        scale = Scale(low, high, "high" if match[3] == "high" else "low", int(match[4] or 0))
        if scale.round(low) != low or scale.round(high) != high:
            remedy = "Allow more decimals, as in `0.5 to 2, high is best, 1 decimal`, or move the ends."
            raise self.fault(f"the ends of the scale {self.text!r} have more decimals than its scores", remedy)
        return scale


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, NamedText], ...]
    line: int

    @property
    def texts(self) -> tuple[Mapping[str, str], ...]:
        """The rows as plain text, for tables that are handed on as they are."""
        return tuple({column: cell.text for column, cell in row.items()} for row in self.rows)


@dataclass(slots=True)
class MarkdownSection:
    """A heading and what is under it, down to the next heading of the same or a higher level."""

    level: int
    title: str
    line: int
    path: str
    settings: list[NamedText] = field(default_factory=list)
    tables: list[MarkdownTable] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    sections: list["MarkdownSection"] = field(default_factory=list)
    # The names of settings that were asked for, and the kinds of content that were read.
    asked: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    # What is wrong in the whole file; every section has the same list. `failed` where this section could not be read.
    faults: list[InputError] = field(default_factory=list)
    failed: bool = False
    damaged: bool = False

    def fault(self, message: str, remedy: str, line: int | None = None) -> InputError:
        return InputError(message, path=self.path, line=line or self.line, remedy=remedy)

    def attempt(self, read: Callable[[], Value], *, whole: bool = False) -> Value | None:
        """What was read; None where it can't be, with the fault kept, so that all are told at once.

        Of a section that the parser could not take in, nothing more is said. Where the `whole` section is read, it is
        not known which of its other settings would have been asked for.
        """
        try:
            return read()
        except InputError as error:
            self.failed = True
            if whole:
                self.asked.clear()
            if not self.damaged:
                self.faults.append(error)
            return None

    def attempt_each(self, rows: Iterable[Row], read: Callable[[Row], Value]) -> list[Value]:
        """The rows that can be read."""
        found = [self.attempt(partial(read, row)) for row in rows]
        return [each for each in found if each is not None]

    @property
    def is_sound(self) -> bool:
        """Whether all of it could be read."""
        return not (self.failed or self.damaged) and all(section.is_sound for section in self.sections)

    def raise_faults(self) -> None:
        """One error for all that is wrong in the file, the first by its line."""
        if self.faults:
            first, *others = sorted(self.faults, key=lambda error: error.line or 0)
            first.others = tuple(others)
            raise first

    def expect(
        self, name: str, known: Collection[str], message: str, line: int | None = None, remedy: str = ""
    ) -> None:
        """Refuses a name that is not known. `remedy` is for the case that no name is."""
        if name not in known:
            raise self.fault(message, nearest(name, known) if known else remedy, line)

    def find_sections(self, heading: str) -> list["MarkdownSection"]:
        return [section for section in self.sections if _has_heading(section.title, heading)]

    def check_headings(self, known: Sequence[str], repeated: str = "") -> None:
        """Refuses a heading that is unknown or there twice. A known one that ends in a space goes on with a name."""
        self.read.add("headings")
        seen: set[str] = set()
        for section in self.sections:
            if not any(_has_heading(section.title, heading) for heading in known):
                listed = [f"{heading}…" if heading.endswith(" ") else heading for heading in known]
                remedy = f"{nearest(section.title, listed)} The headings are: {', '.join(listed)}."
                message = f"unknown heading {section.title!r} under {self.title!r}"
                self.faults.append(section.fault(message, remedy))
                section.failed = True
            if identifier(section.title) in seen and section.title != repeated:
                message = f"{section.title!r} appears twice under {self.title!r}"
                self.faults.append(section.fault(message, "Keep one of the two."))
                section.failed = True
            seen.add(identifier(section.title))

    @property
    def prose(self) -> str:
        self.read.add("text")
        return "\n\n".join(self.paragraphs)

    def line_of(self, setting: str) -> int:
        return next((each.line for each in self.settings if each.name == setting), self.line)

    def every(self, name: str) -> list[NamedText]:
        self.asked.append(name)
        return [setting for setting in self.settings if setting.name == name]

    def get(self, name: str, default: str | None = None) -> NamedText:
        """The setting of this name. Without a default it must be there."""
        found = self.every(name)
        if len(found) > 1:
            raise found[1].fault(f"{name!r} is set twice", "Keep one of the two.")
        if found and not found[0].text:
            raise found[0].fault(f"{name!r} has no value", f"Write `- {name}: …`.")
        if not found and default is None:
            raise self.fault(f"{name!r} is not set", f"Add a line `- {name}: …` under this heading.")
        return found[0] if found else NamedText(name, default or "", self.line, self.path)

    def get_limits(self, most: str | None = None) -> tuple[int, int]:
        """The settings `least` and `most`. Without a default for `most`, both must be there."""
        limits = self.get("least", most and "0").whole(), self.get("most", most).whole()
        if limits[0] > limits[1] or not limits[1]:
            raise self.fault(f"at least {limits[0]} and at most {limits[1]}", "Correct the limits.")
        return limits

    def get_table(
        self, columns: tuple[str, ...], optional: tuple[str, ...] = (), *, others: bool = False, repeats: bool = False
    ) -> MarkdownTable:
        """The one table of the section. The names in its first column are not empty, and each is there once.

        With `others` it may have more columns, with `repeats` the names may come again.
        """
        if len(self.tables) != 1:
            remedy = f"Give it one table with the columns {', '.join(columns)}."
            raise self.fault(f"{self.title!r} has {len(self.tables)} tables", remedy)
        self.read.add("tables")
        table = self.tables[0]
        missing = [column for column in columns if column not in table.columns]
        unknown = [column for column in table.columns if column not in columns + optional and not others]
        if missing or unknown:
            what = f"the column {missing[0]!r} is missing" if missing else f"unknown column {unknown[0]!r}"
            remedy = f"The table of {self.title!r} has the columns {', '.join(columns + optional)}."
            raise self.fault(what, remedy, table.line)
        if not table.rows:
            raise self.fault("a table with no rows", "Add at least one row.", table.line)
        seen: dict[str, str] = {}
        for cell in (row[columns[0]] for row in table.rows):
            key = identifier(cell.filled().casefold())
            if key in seen and not repeats:
                remedy = f"Keep one row for it, or give it another name than {seen[key]!r}."
                raise cell.fault(f"the {cell.name} {cell.text!r} appears twice", remedy)
            seen[key] = cell.text
        return table

    def refuse_unread(self, *read: str) -> None:
        """Refuses settings that nobody asked for, and all of a kind that was not read, here and under its headings.

        `read` are kinds that are let pass.
        """
        unasked = [each for each in self.settings if each.name not in self.asked]
        if self.asked:
            for each in unasked:
                self.faults.append(each.fault(f"unknown setting {each.name!r}", nearest(each.name, self.asked)))
            unasked = []
        found = {
            "settings": [(each.line, f"the setting {each.name!r}") for each in unasked],
            "tables": [(each.line, "a table") for each in self.tables],
            "text": [(self.line, "text")] if self.paragraphs else [],
            "quotes": [(self.line, "a quote")] if self.quotes else [],
            "headings": [(each.line, f"the heading {each.title!r}") for each in self.sections],
        }
        where = f"under {self.title!r}" if self.title else "before the title"
        for kind, places in found.items() if not (self.failed or self.damaged) else ():
            if places and kind not in self.read and kind not in read:
                line, what = places[0]
                remedy = "Move it to where it is read, or make it a comment: `<!-- … -->` on separate lines."
                self.faults.append(self.fault(f"{what} {where} would not be read", remedy, line))
        if "headings" in self.read:
            for section in self.sections:
                section.refuse_unread()


@dataclass(frozen=True, slots=True)
class _NumberedLine:
    number: int
    text: str


def parse_markdown(text: str, path: str) -> MarkdownSection:
    """The document as a section of level 0 that holds the others. What can't be parsed is among its `faults`."""
    root = MarkdownSection(0, "", 1, path)
    stack = [root]
    lines = list(_remove_comments(text, root))
    tokens = _PARSER.parse("\n".join(line.text for line in lines))
    for token, inner in pairwise(tokens):
        if token.level or not token.map:
            continue
        block = lines[slice(*token.map)]
        try:
            if token.type == "heading_open":
                level = int(token.tag[1:])
                while stack[-1].level >= level:
                    stack.pop()
                stack.append(MarkdownSection(level, inner.content, block[0].number, path, faults=root.faults))
                stack[-2].sections.append(stack[-1])
            elif token.type == "table_open":
                stack[-1].tables.append(_parse_table(block, stack[-1]))
            elif token.type == "blockquote_open":
                stack[-1].quotes.append(" ".join(line.text.strip().removeprefix(">").strip() for line in block))
            elif token.type == "paragraph_open":
                _parse_paragraph(block, stack[-1])
        except InputError as error:
            root.faults.append(error)
            stack[-1].damaged = True
    return root


def _remove_comments(text: str, root: MarkdownSection) -> Iterator[_NumberedLine]:
    """The lines outside comments, with their numbers in the file. A comment inside a table does not end the table."""
    opened = 0
    for number, written in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        line = written.rstrip()
        if not opened and not line.lstrip().startswith("<!--"):
            yield _NumberedLine(number, line)
            continue
        opened = opened or number
        _, closing, after = line.partition("-->")
        if after.strip():
            raise root.fault("text after the end of a comment is not read", "Put it on a separate line.", number)
        opened = 0 if closing else opened
    if opened:
        raise root.fault("a comment without its end", "Close it with a line `-->`.", opened)


def _parse_paragraph(block: list[_NumberedLine], section: MarkdownSection) -> None:
    """A list of settings, or prose. The two are not mixed: a setting inside a paragraph would not be seen."""
    matches = [_SETTING.fullmatch(line.text.strip()) for line in block]
    if any(matches):
        for line, match in zip(block, matches, strict=True):
            if match is None:
                remedy = "Write `- name: value` on one line, and put an empty line between settings and text."
                message = f"{line.text.strip()[:60]!r} is in a list of settings but is not a setting"
                raise section.fault(message, remedy, line.number)
            section.settings.append(NamedText(match[1].strip(), (match[2] or "").strip(), line.number, section.path))
        return
    for line in block:
        if line.text.lstrip().startswith("|"):
            remedy = "Put a line such as |---|---| under the table's first line, with one --- for each column."
            message = "a table without its divider line, or divided into another number of columns"
            raise section.fault(message, remedy, block[0].number)
        if _UNSPACED_SETTING.match(line.text):
            message = f"{line.text[:60]!r} looks like a setting but is not one"
            raise section.fault(message, "Put a space after the hyphen.", line.number)
    section.paragraphs.append("\n".join(line.text for line in block))


def _parse_table(block: list[_NumberedLine], section: MarkdownSection) -> MarkdownTable:
    """The parser would fill up short rows and cut long ones, so the cells are split and counted here."""
    columns = tuple(split_line(block[0].text))
    named = ", ".join(columns)
    if len(set(columns)) != len(columns):
        message = f"a table in which columns ({named}) have no name or the same name"
        raise section.fault(message, "Give each column its own name.", block[0].number)
    rows = []
    for line in block[2:]:
        cells = split_line(line.text)
        if len(cells) != len(columns):
            message = f"a table row with {len(cells)} cells under {len(columns)} columns ({named})"
            remedy = "Write \\| for a bar inside a cell, and write an empty cell instead of leaving it out."
            raise section.fault(message, remedy, line.number)
        pairs = zip(columns, cells, strict=True)
        rows.append({name: NamedText(name, cell, line.number, section.path) for name, cell in pairs})
    return MarkdownTable(columns, tuple(rows), block[0].number)
