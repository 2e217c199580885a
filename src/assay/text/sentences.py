"""The sentences of a text, as spans that cover every character that is not white space exactly once; its sections.

First the text is cut into blocks, which no sentence crosses. A line break ends a block where
  1. a blank line follows, or a bullet, a number marker, a heading, a table row, a rule or a code fence;
  2. the line before is a heading, a table row, a rule or a code fence, or ends in a colon or in a sentence's last mark;
  3. the text is clearly one item per line: the line before is short, does not end in a comma, a dash or a word that
     needs a sequel ("of", "the"), and the next line starts with a capital.
Every other line break is a soft wrap. Within a block a mark ends a sentence unless it is unclear whether it does.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from assay.domain.span import Span
from assay.text.markup import MarkupKind, blot, cover_gaps, find_markup
from assay.text.normal import INVISIBLE_KINDS
from assay.text.word_lists import read_lists, read_words

SECTION_WORDS = 6
_SHORT_LINE_CHARACTERS = 60
_CITATION = r"[ \u00a0]?\[\^?\d{1,3}(?:[ \u00a0]?[,;–-][ \u00a0]?\d{1,3}){0,20}\]"
# Invisible characters may follow the mark, or they would join the next sentence to this one.
_CLOSERS = r"\"'”’»›)\]}）】」』〉》＂＇*_`~⁰¹²³⁴-⁹“«" + "".join(INVISIBLE_KINDS.values())
# Marks of scripts that need no space after them.
_UNSPACED = "。．！？｡؟۔।॥։።፧။។"
_MARKS = f".!?…‼⁇⁈⁉{_UNSPACED}"
_TERMINATOR = re.compile(rf"\.(?:[ \u00a0]\.){{2,}}|[{_MARKS}]+")
_AFTER = re.compile(rf"(?:[{_CLOSERS}]|(?P<cited>{_CITATION})|[ \u00a0\u202f]»(?=[\s.,;:]|$)|[ ](?:''|\")(?=\s|$))*")
# After an unspaced mark an asterisk or a low-high quote may just as well open the next sentence.
_AFTER_UNSPACED = re.compile(rf"(?:[”’»›)\]}}）】」』〉》⁰¹²³⁴-⁹]|(?P<cited>{_CITATION}))*")
_TAIL = re.compile(rf"(?P<mark>[{_MARKS}])(?:[{_CLOSERS}]|{_CITATION})*$")
_TAIL_CHARACTERS = 60

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_ITEM_MARKER = re.compile(r"(?:[-*+•‣◦▪●○·–]|\(?\d{1,3}(?:\.\d{1,3}){0,4}[.)]|\(?[a-zA-Z]\)|\([ivx]{1,4}\))(?=\s)\s*")
_STANDS_ALONE = re.compile(r"#{1,6}\s|\||```|~~~|(?:[-=*_][ \t]?){3,}$")

# What stands before a full stop, up to white space or an opening mark.
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“‘«—–*_]{1,40}$")
_LONGEST_WORD = 40
# J, J.K, J.-P, U.S, b.i.d, Ph.D
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*|(?:[^\W\d_]{1,2}\.){1,6}[^\W\d_]{1,2}")
_ORDINAL = re.compile(r"[0-3]?\d")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_MARKER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?|[ivxIVX]{1,4}|[A-Za-z]")
_OPENING = re.compile(r"[\s\"'“‘«‹„‚(\[{（「『*_`¿¡—–•·-]*+")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_REMEMBERED = 20_000
# How a reader sees markup: as nothing, as a new paragraph, as emphasis.
_READ_AS: Mapping[MarkupKind, str] = {"comment": " ", "block": "\n", "inline": "_"}


def split_sentences(text: str, language: str = "en") -> tuple[Span, ...]:
    """Sentences in order; a list item, a heading and a table row are sentences of their own.

    A bullet or a number marker belongs to its item, closing quotes, brackets and citation markers to the sentence they
    close. Tags that start a new line end a sentence, and a comment parts two as a space would; each belongs to a
    sentence beside it.
    """
    # A record's texts are split for several purposes. Long texts are not cached: hashing them takes long too.
    return _remember_split(text, language) if len(text) <= _REMEMBERED else _split(text, language)


def split_sections(text: str, language: str = "en") -> tuple[Span, ...]:
    """Sentences and list items of at least six words, without their bullets; where all are shorter, the whole text."""
    found = [(_ITEM_MARKER.match(text, *span), span) for span in split_sentences(text, language)]
    pieces = [Span(marker.end(), span.end) if marker else span for marker, span in found]
    sections = tuple(piece for piece in pieces if _count_words(piece.of(text)) >= SECTION_WORDS)
    if sections or not text.strip():
        return sections
    return (Span(len(text) - len(text.lstrip()), len(text.rstrip())),)


def _count_words(piece: str) -> int:
    """Words between white space; scripts without spaces count two letters as a word."""
    return max(len(piece.split()), len(_UNSPACED_LETTER.findall(piece)) // 2)


def _split(text: str, language: str) -> tuple[Span, ...]:
    markup = find_markup(text)
    if markup:
        return cover_gaps(text, _split_plain(blot(text, markup, _READ_AS), language), markup)
    return _split_plain(text, language)


_remember_split = lru_cache(maxsize=256)(_split)


def _split_plain(text: str, language: str) -> tuple[Span, ...]:
    words = _read_abbreviations(language)
    reader = _SentenceSplitter(text, words, lower_cased=text.islower())
    spans: list[Span] = []
    for block, is_whole in _find_blocks(text, words):
        spans.extend([block] if is_whole else reader.find_sentences(block))
    return tuple(spans)


# Abbreviations


# The full stop after a word ends the sentence, or never does, or not where a number follows, or only where a clear
# opener does.
_Stop: TypeAlias = Literal["plain", "bound", "bound to number", "doubtful"]


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """An abbreviation that is listed with a capital counts only with it: in small letters it is a word."""

    bound: frozenset[str]
    before_number: frozenset[str]
    doubtful: frozenset[str]
    openers: frozenset[str]
    ordinal_stop: bool

    def stop_after(self, word: str) -> _Stop:
        """Judge `word`, given without its last full stop."""
        elided = max(word.rfind("'"), word.rfind("’"))
        if 0 < elided < len(word) - 2:
            word = word[elided + 1 :]
        folded = word.lower()
        if folded in self.bound or word[:1] + folded[1:] in self.bound:
            return "bound"
        if folded in self.before_number:
            return "bound to number"
        if folded in self.doubtful or _INITIALS.fullmatch(word):
            return "doubtful"
        if self.ordinal_stop and _ORDINAL.fullmatch(word):
            return "doubtful"
        return "plain"


@cache
def _read_abbreviations(language: str) -> _Abbreviations:
    """The lists of a language tag such as "en" or "pt-BR"; English where a language has none."""
    tongue = language.lower().replace("_", "-").partition("-")[0]
    lists = read_lists("sentences")
    by_language = lists["abbreviations"]
    common, own = by_language["latin"], by_language.get(tongue) or by_language["en"]
    words = {kind: frozenset(f"{common.get(kind, '')} {listed}".split()) for kind, listed in own.items()}
    return _Abbreviations(**words, ordinal_stop=tongue in lists["ordinal_stop"].split())


# Blocks


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def is_whole(self) -> bool:
        """Whether it is one unit whatever stops it holds, such as a table row."""
        return _STANDS_ALONE.match(self.text) is not None


def _find_blocks(text: str, words: _Abbreviations) -> Iterator[tuple[Span, bool]]:
    """Blocks in order, trimmed of white space, and whether each is one unit; they cover every other character."""
    for paragraph in _find_paragraphs(text):
        first = paragraph[0]
        for before, after in zip(paragraph, [*paragraph[1:], None], strict=True):
            if after is None or _breaks(before, after, words):
                yield Span(first.start, before.start + len(before.text)), first.is_whole
                first = after or first


def _find_paragraphs(text: str) -> Iterator[list[_Line]]:
    paragraph: list[_Line] = []
    end = 0
    for match in _LINE.finditer(text):
        is_blank = match.start() - end > (2 if text.startswith("\r\n", end) else 1)
        end = match.end()
        line = match.group()
        bare = line.strip()
        if paragraph and (is_blank or not bare):
            yield paragraph
            paragraph = []
        if bare:
            paragraph.append(_Line(match.start() + len(line) - len(line.lstrip()), bare))
    if paragraph:
        yield paragraph


def _breaks(before: _Line, after: _Line, words: _Abbreviations) -> bool:
    if before.is_whole or after.is_whole or before.text.rstrip("*_ ").endswith((":", "：")):
        return True
    is_symbol = unicodedata.category(after.text[0]) == "So" and after.text[1:3].strip("\ufe0f")[:1].isspace()
    if is_symbol or _ITEM_MARKER.match(after.text):
        return True
    tail = before.text[-_TAIL_CHARACTERS:]
    mark = _TAIL.search(tail)
    if mark and mark["mark"] != "…" and not tail.endswith("..", 0, mark.end("mark")):
        word = _WORD_BEFORE.search(tail, 0, mark.start())
        if mark["mark"] != "." or word is None or words.stop_after(word.group()) == "plain":
            return True
    opening = after.text.lstrip("\"'“‘«(*_`[")[:1]
    if not opening.isupper() or before.text.endswith((",", "-", "–", "—", "(", "&")):
        return False
    last = before.text.rsplit(None, 1)[-1].lower()
    return len(before.text) < _SHORT_LINE_CHARACTERS and last not in read_words("sentences", "sequels")


# Sentences within a block


@dataclass(frozen=True, slots=True)
class _Terminator:
    """A terminator in the sentence that began at `opened`, with the closers after it up to `after`."""

    opened: int
    start: int
    after: int
    text: str
    is_cited: bool


@dataclass(frozen=True, slots=True)
class _SentenceSplitter:
    text: str
    words: _Abbreviations
    lower_cased: bool

    def find_sentences(self, block: Span) -> Iterator[Span]:
        opened = block.start
        begun = self._find_word(opened, block.end)
        for found in _TERMINATOR.finditer(self.text, block.start, block.end):
            if found.start() < begun:
                continue
            mark = self._close(found, opened, block.end)
            if mark.after >= block.end:
                break
            if self._ends_sentence(mark, block.end):
                yield Span(opened, mark.after)
                opened = self._skip_space(mark.after, block.end)
                begun = self._find_word(opened, block.end)
        yield Span(opened, block.end)

    def _find_word(self, start: int, end: int) -> int:
        found = _LETTER_OR_DIGIT.search(self.text, start, end)
        return end if found is None else found.start()

    def _skip_space(self, position: int, end: int) -> int:
        while position < end and self.text[position].isspace():
            position += 1
        return position

    def _close(self, found: re.Match[str], opened: int, end: int) -> _Terminator:
        pattern = _AFTER_UNSPACED if found.group()[-1] in _UNSPACED else _AFTER
        closers = pattern.match(self.text, found.end(), end)
        after = closers.end() if closers else found.end()
        return _Terminator(
            opened, found.start(), after, found.group(), closers is not None and closers["cited"] is not None
        )

    def _ends_sentence(self, mark: _Terminator, end: int) -> bool:
        character = self.text[mark.after]
        if any(each in _UNSPACED for each in mark.text):
            # A Japanese quotation goes on with its particle: 「行く。」と言った。
            goes_on = self.text[mark.after - 1] in "」』" and character in "とっ"
            return not goes_on and not (mark.text == "．" and character.isdigit())
        if not character.isspace():
            return False
        starts, is_opener = self._read_following(mark.after, end)
        is_spaced = self.text[mark.start - 1].isspace()
        if any(dots in mark.text for dots in ("…", "..", ". .")):
            return is_opener if is_spaced else starts
        token = _WORD_BEFORE.search(self.text, max(mark.opened, mark.start - _LONGEST_WORD), mark.start)
        if mark.text != ".":
            is_name = token is not None and (token.group() + mark.text).lower() in self.words.doubtful
            return self.text[mark.start - 1] not in "([（" and (is_opener if is_name else starts)
        if is_spaced or token is None:
            return starts
        if self._is_list_marker(token, mark) or self._is_torn_number(token, mark, end):
            return False
        stop = self.words.stop_after(token.group())
        if stop == "bound" or (stop == "bound to number" and self._is_before_number(mark, end)):
            return False
        if stop == "doubtful" and not self._is_named_letter(token, mark):
            return is_opener or (mark.is_cited and starts)
        return starts

    def _is_named_letter(self, token: re.Match[str], mark: _Terminator) -> bool:
        """Whether a single letter is a unit ("6 h.") or a name ("Product A.") rather than an initial."""
        lead = self.text[max(mark.opened, token.start() - _LONGEST_WORD) : token.start()].rstrip()
        if len(token.group()) > 1 or lead[-1:].isdigit():
            return token.group().islower() and len(token.group()) == 1
        word = _WORD_BEFORE.search(lead)
        return word is not None and word.group().lower() in read_words("sentences", "lettered")

    def _is_torn_number(self, token: re.Match[str], mark: _Terminator, end: int) -> bool:
        """Whether the stop is a decimal point with a stray space, as in "1. 7 million"; "5. 2. Then" is a list."""
        is_number = token.group().isdecimal() and len(token.group()) <= 3 and self._is_before_number(mark, end)
        return is_number and not _ITEM_MARKER.match(self.text, self._skip_space(mark.after, end), end)

    def _is_before_number(self, mark: _Terminator, end: int) -> bool:
        return self.text[self._skip_space(mark.after, end)].isdigit()

    def _is_list_marker(self, token: re.Match[str], mark: _Terminator) -> bool:
        lead = self.text[mark.opened : token.start()] if token.start() - mark.opened < 8 else token.group()
        return _MARKER.fullmatch(token.group()) is not None and not lead.strip(" \t-*+•_#(")

    def _read_following(self, position: int, end: int) -> tuple[bool, bool]:
        """Whether what follows can start a sentence, and whether it does so with a word that mostly does."""
        skipped = _OPENING.match(self.text, position, end)
        position = skipped.end() if skipped else position
        while position < end and unicodedata.category(self.text[position]) in ("So", "Mn", "Cf"):
            position = self._skip_space(position + 1, end)
        if position >= end:
            return False, False
        character = self.text[position]
        if character.isdigit() or unicodedata.category(character) == "Sc":
            return True, False
        found = _WORD.match(self.text, position, end)
        word = found.group() if found else ""
        if character.islower() and not any(letter.isupper() for letter in word[1:3]):
            # Tokenised text opens a quotation with a backtick set apart, whatever the case of its first word.
            return self.lower_cased or (skipped is not None and "` " in skipped.group()), False
        # An initial ("A.") opens nothing.
        is_initial = len(word) == 1 and self.text.startswith(".", position + 1, end)
        return character.isalpha() or character in "@#", word.lower() in self.words.openers and not is_initial
