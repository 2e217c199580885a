"""The sentences of a text, as spans that cover every character that is not white space exactly once; its sections."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from assay.domain.span import Span
from assay.text.abbreviations import LONGEST_WORD, WORD_BEFORE, Abbreviations, Stop, abbreviations
from assay.text.blocks import CITATION, CLOSERS, ITEM_MARKER, find_blocks
from assay.text.markup import MarkupKind, blot, cover_gaps, find_markup

# Marks of scripts that need no space after them.
_UNSPACED = "。．！？｡؟۔।॥։።፧။។"
_MARKS = f".!?…‼⁇⁈⁉{_UNSPACED}"
_TERMINATOR = re.compile(rf"\.(?:[ \u00a0]\.){{2,}}|[{_MARKS}]+")
_AFTER = re.compile(
    rf"(?:[{CLOSERS}]|(?P<cited>{CITATION})|[ \u00a0\u202f]»(?=[\s.,;:]|$)|[ ]''(?=\s|$))*",
)
# After an unspaced mark an asterisk or a low-high quote may just as well open the next sentence.
_AFTER_UNSPACED = re.compile(rf"(?:[”’»›)\]}}）】」』〉》⁰¹²³⁴-⁹]|(?P<cited>{CITATION}))*")
_BRACKETED = re.compile(
    r"\([^()]{1,300}\)|\[[^\[\]]{1,300}\]|（[^（）]{1,300}）|「[^「」]{1,300}」|『[^『』]{1,300}』",
)
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_MARKER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?|[ivxIVX]{1,4}|[A-Za-z]")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s")
_SHORT_NUMBER = re.compile(r"\d{1,3}")
_OPENING = re.compile(r"[\s\"'“‘«‹„‚(\[{（「『*_`¿¡—–•·-]*+")
_WORD = re.compile(r"[^\W_]+")
# A comma after a short word may as well part two names: "Console.In, Console.Out".
_OPENER = re.compile(r"[^\W\d_]{2,}(?:(?=[\s'’])|(?<=\w{4})(?=,))")
# A word, a year or a share, in brackets or not.
_ENDED_WORD = re.compile(r"(?:[^\W\d_]{2,}(?:['’-]\w+)*|\d{4}|[\d.,]+%)[)\]}”’»]*")
_CLOSED = re.compile(rf"(?:[)\]}}”’»⁰¹²³⁴-⁹]|{CITATION})*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPEAKER = re.compile(r"(?:[^\W\d_]\w+ ){1,2}(?:said|says|asked|asks|added|replied|told|wrote|shouted|cried)\b")
_UNSPACED_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
SECTION_WORDS = 6
_QUOTE_WINDOW = 2000
_LIST_WINDOW = 2000
_REMEMBERED = 20_000
# What markup is to a reader: nothing, a new paragraph, emphasis.
_READ_AS: Mapping[MarkupKind, str] = {"comment": " ", "block": "\n", "inline": "_"}


class _Next(Enum):
    """What follows a mark and its closers."""

    CAPITAL = "a capital, or a letter of a script without case"
    LOWER = "a lower-case letter"
    NUMBER = "a digit or a currency sign"
    OTHER = "anything else"


def split_sentences(text: str, language: str = "en") -> tuple[Span, ...]:
    """Sentences in order; a list item, a heading and a table row are sentences of their own.

    A bullet or a number marker belongs to its item, closing quotes, brackets and citation markers to the sentence they
    close. Where it is unclear whether a full stop ends a sentence, it does not. Tags that start a new line end a
    sentence, and a comment parts two as a space would; each belongs to a sentence beside it.
    """
    # A record's texts are split for several ends; a text too long to remember is long to hash as well.
    return _remember_split(text, language) if len(text) <= _REMEMBERED else _split(text, language)


def split_sections(text: str, language: str = "en") -> tuple[Span, ...]:
    """Sentences and list items of at least six words, without their bullets; where all are shorter, the whole text."""
    found = [(ITEM_MARKER.match(text, *span), span) for span in split_sentences(text, language)]
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


def _split_plain(text: str, language: str) -> tuple[Span, ...]:
    reader = _Reader(text, abbreviations(language), lower_cased=text.islower(), french=language.startswith("fr"))
    spans: list[Span] = []
    for block in find_blocks(text, language):
        if block.whole:
            spans.append(block.span)
        else:
            spans.extend(reader.sentences(block.span))
    return tuple(spans)


_remember_split = lru_cache(maxsize=256)(_split)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A terminator in the sentence that began at `opened`, with the closers after it up to `after`."""

    opened: int
    start: int
    after: int
    text: str
    cited: bool

    @property
    def unspaced(self) -> bool:
        return any(character in _UNSPACED for character in self.text)

    @property
    def trails_off(self) -> bool:
        return "…" in self.text or ".." in self.text or ". ." in self.text


@dataclass(frozen=True, slots=True)
class _Reader:
    text: str
    words: Abbreviations
    lower_cased: bool
    french: bool

    def sentences(self, block: Span) -> Iterator[Span]:
        opened = block.start
        begun = self._find_word(opened, block.end)
        brackets = _BRACKETED.finditer(self.text, block.start, block.end)
        bracket = next(brackets, None)
        for found in _TERMINATOR.finditer(self.text, block.start, block.end):
            if found.start() < begun:
                continue
            mark = self._close(found, opened, block.end)
            if mark.after >= block.end:
                break
            while bracket is not None and bracket.end() <= found.start():
                bracket = next(brackets, None)
            # A bracket opened inside the sentence stays in it, with all the stops it holds.
            inside = bracket is not None and opened < bracket.start() < found.start() and mark.after < bracket.end()
            if not inside and self._ends_sentence(mark, block.end):
                yield Span(opened, mark.after)
                opened = self._skip_space(mark.after, block.end)
                begun = self._find_word(opened, block.end)
        yield Span(opened, block.end)

    def _find_word(self, start: int, end: int) -> int:
        found = _LETTER_OR_DIGIT.search(self.text, start, end)
        return end if found is None else found.start()

    def _close(self, found: re.Match[str], opened: int, end: int) -> _Mark:
        unspaced = found.group()[-1] in _UNSPACED
        closers = (_AFTER_UNSPACED if unspaced else _AFTER).match(self.text, found.end(), end)
        after = closers.end() if closers else found.end()
        cited = closers is not None and closers["cited"] is not None
        window = max(opened, found.start() - _QUOTE_WINDOW)
        if unspaced:
            for quote in ('"', "**"):
                if self.text.startswith(quote, after, end) and self.text.count(quote, window, after) % 2:
                    after += len(quote)
        elif self.text.startswith(' "', after, end) and self.text[after + 2 : after + 3].strip() == "":
            # Tokenised text sets closing quotes apart: only counting tells them from opening ones.
            after += 2 * (self.text.count('"', window, after) % 2)
        return _Mark(opened, found.start(), after, found.group(), cited)

    def _ends_sentence(self, mark: _Mark, end: int) -> bool:
        character = self.text[mark.after]
        if mark.unspaced:
            return self._ends_unspaced(mark, character)
        if not character.isspace():
            joined = _CJK.match(character) and _CJK.match(self.text[mark.start - 1])
            return bool(joined) or self._has_lost_space(mark, end)
        following, word = self._following(mark.after, end)
        spaced = self.text[mark.start - 1].isspace()
        opener = following is _Next.CAPITAL and word.lower() in self.words.openers
        if mark.trails_off:
            return opener if spaced else following in (_Next.CAPITAL, _Next.NUMBER)
        if mark.text != ".":
            return self._ends_exclaimed(mark, following, spaced=spaced, opener=opener)
        if spaced:
            return self._ends_tokenised(mark, following, end)
        token = self._find_token(mark)
        if token is None:
            return self._starts_sentence(following)
        if self._is_list_marker(token, mark, end) or self._is_torn_number(token, mark, end):
            return False
        stop = self.words.stop_after(token.group())
        if stop is Stop.BOUND or (stop is Stop.BOUND_TO_NUMBER and following is _Next.NUMBER):
            return False
        if stop is Stop.DOUBTFUL and not self._is_named_letter(token, mark):
            return opener or (mark.cited and following is _Next.CAPITAL)
        return self._starts_sentence(following)

    def _has_lost_space(self, mark: _Mark, end: int) -> bool:
        """Whether a sentence begins without a space, as in "on Monday.The vote": only a word that opens one tells.

        Names, addresses and code have stops within a word as well. A quote or an emphasis right before the word may
        open with it.
        """
        opener = _OPENER.match(self.text, mark.after, end)
        token = self._find_token(mark)
        if opener is None or token is None or not opener.group()[0].isupper():
            return False
        is_opener = opener.group().lower() in self.words.openers
        if not is_opener or not _CLOSED.fullmatch(self.text, mark.start + len(mark.text), mark.after):
            return False
        word = token.group()
        # "Amazon.In" is a name, and "said.In" is none.
        is_name = len(opener.group()) == 2 and word[0].isupper()
        if is_name or not _ENDED_WORD.fullmatch(word):
            return False
        return self.words.stop_after(word) not in (Stop.BOUND, Stop.DOUBTFUL)

    def _find_token(self, mark: _Mark) -> re.Match[str] | None:
        """What stands right before a mark."""
        return WORD_BEFORE.search(self.text, max(mark.opened, mark.start - LONGEST_WORD), mark.start)

    def _ends_unspaced(self, mark: _Mark, character: str) -> bool:
        if mark.text == "．" and character.isdigit():
            return False
        # A Japanese quotation goes on with its particle: 「行く。」と言った。
        return not (self.text[mark.after - 1] in "」』" and character in "とっ")

    def _ends_exclaimed(self, mark: _Mark, following: _Next, *, spaced: bool, opener: bool) -> bool:
        if self.text[mark.start - 1] in "([（":
            return False
        if following is _Next.LOWER:
            return self.lower_cased or (spaced and not self.french)
        token = self._find_token(mark)
        if token and (token.group() + mark.text).lower() in self.words.doubtful:
            return opener
        quoted = self.text[mark.after - 1] in "\"'”’"
        if quoted and _SPEAKER.match(self.text, mark.after + 1):
            return False
        return following is not _Next.OTHER

    def _ends_tokenised(self, mark: _Mark, following: _Next, end: int) -> bool:
        before = self.text[max(mark.opened, mark.start - 3) : mark.start].rstrip()
        if following is _Next.NUMBER and before[-1:].isdigit():
            return False
        if before[-1:].isupper() and not before[-2:-1].strip():
            return False
        return following is not _Next.OTHER or self.text[self._skip_space(mark.after, end)] not in ",;:.)"

    def _starts_sentence(self, following: _Next) -> bool:
        return following in (_Next.CAPITAL, _Next.NUMBER) or (following is _Next.LOWER and self.lower_cased)

    def _is_list_marker(self, token: re.Match[str], mark: _Mark, end: int) -> bool:
        if not _MARKER.fullmatch(token.group()):
            return False
        lead = self.text[max(mark.opened, token.start() - 8) : token.start()]
        if token.start() - mark.opened < 8 and not lead.strip(" \t-*+•_#("):
            return True
        listed = token.group() == "1" and lead.rstrip().endswith(":")
        return listed and self.text.find(" 2.", mark.after, min(end, mark.after + _LIST_WINDOW)) >= 0

    def _is_named_letter(self, token: re.Match[str], mark: _Mark) -> bool:
        """Whether a single letter is a unit ("6 h.") or a name ("Product A.") rather than an initial."""
        if len(token.group()) > 1:
            return False
        lead = self.text[max(mark.opened, token.start() - LONGEST_WORD) : token.start()].rstrip()
        if lead[-1:].isdigit():
            return token.group().islower() or token.group() == "L"
        word = WORD_BEFORE.search(lead)
        return word is not None and word.group().lower() in self.words.lettered

    def _is_torn_number(self, token: re.Match[str], mark: _Mark, end: int) -> bool:
        """Whether the stop is a decimal point with a stray space, as in "1. 7 million"; "5. 2. Then" is a list."""
        if not _SHORT_NUMBER.fullmatch(token.group()):
            return False
        position = self._skip_space(mark.after, end)
        return self.text[position].isdigit() and not _NUMBERED.match(self.text, position, end)

    def _following(self, position: int, end: int) -> tuple[_Next, str]:
        skipped = _OPENING.match(self.text, position, end)
        position = skipped.end() if skipped else position
        while position < end and unicodedata.category(self.text[position]) in ("So", "Mn", "Cf"):
            position = self._skip_space(position + 1, end)
        if position >= end:
            return _Next.OTHER, ""
        found = _WORD.match(self.text, position, end)
        word = found.group() if found else ""
        # An initial ("A.") opens nothing.
        opener = "" if self.text.startswith(".", position + len(word), end) and len(word) == 1 else word
        # Tokenised text opens a quotation with a backtick set apart, whatever the case of its first word.
        quoted = skipped is not None and "` " in skipped.group()
        return _Next.CAPITAL if quoted else self._kind(self.text[position], word), opener

    def _skip_space(self, position: int, end: int) -> int:
        while position < end and self.text[position].isspace():
            position += 1
        return position

    def _kind(self, character: str, word: str) -> _Next:
        if character.isdigit() or unicodedata.category(character) == "Sc":
            return _Next.NUMBER
        if character.islower():
            return _Next.CAPITAL if any(letter.isupper() for letter in word[1:3]) else _Next.LOWER
        return _Next.CAPITAL if character.isalpha() or character in "@#" else _Next.OTHER
