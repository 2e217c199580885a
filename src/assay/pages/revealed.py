"""A hostile text as a reader should see it: what is drawn as nothing by its number, what looks like a letter marked."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import Final

# Everything that is drawn as nothing, honest joiners and selectors too: in a hostile text none of it is innocent.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_CYRILLIC: Final = "асеорхуіјѕһӏԁАВСЕНІЈКМОРЅТХ"
_GREEK: Final = "ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_ALIKE: Final = frozenset(_CYRILLIC + _GREEK)
# How Unicode marks fullwidth and mathematical letters; raised letters and ligatures, as in "nº", are honest.
_FORMS: Final = ("<wide>", "<font>")
_LITRE: Final = "ℓ"
_MOST_UNSEEN: Final = 8
_MOST_CHARACTERS: Final = 700


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text; `note` names the letters of one that only look like Latin ones."""

    text: str
    note: str = ""


def reveal(text: str, most: int = _MOST_CHARACTERS) -> str:
    """A text in which every character is seen, those of a long hidden run by their number; its end may be cut off."""
    cut = text[:most]
    shown = _UNSEEN.sub(_spell, cut)
    return shown if len(text) <= most else f"{shown} … ({len(text) - most} more characters)"


def mark_lookalikes(text: str) -> tuple[Stretch, ...]:
    """The text in order, look-alike letters in stretches of their own.

    A letter of another script counts in a word that has Latin letters too, and in a word of look-alikes alone where
    others of the text are mixed; a Russian sentence is no disguise. A fullwidth or mathematical form of a Latin letter
    counts too.
    """
    is_mixed = any(_mixes(word) for word in _WORD.findall(text))
    marked = [False] * len(text)
    for word in _WORD.finditer(text):
        is_disguised = _mixes(word.group()) or (is_mixed and _ALIKE.issuperset(word.group()))
        for at, letter in enumerate(word.group(), word.start()):
            marked[at] = (is_disguised and letter in _ALIKE) or _is_form(letter)
    grouped = groupby(range(len(text)), key=marked.__getitem__)
    return tuple(_stretch(text[(own := list(places))[0] : own[-1] + 1], is_alike=alike) for alike, places in grouped)


def _mixes(word: str) -> bool:
    return any(letter in _ALIKE for letter in word) and any(letter.isascii() for letter in word)


def _is_form(letter: str) -> bool:
    if letter.isascii() or letter == _LITRE or not unicodedata.decomposition(letter).startswith(_FORMS):
        return False
    return unicodedata.normalize("NFKC", letter).isascii()


def _stretch(text: str, *, is_alike: bool) -> Stretch:
    return Stretch(text, ", ".join(f"U+{ord(letter):04X}" for letter in text) if is_alike else "")


def _spell(found: re.Match[str]) -> str:
    run = found.group()
    said = "".join(f"‹U+{ord(character):04X}›" for character in run[:_MOST_UNSEEN])
    return said if len(run) <= _MOST_UNSEEN else f"{said}‹{len(run) - _MOST_UNSEEN} more unseen characters›"
