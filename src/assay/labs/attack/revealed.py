"""Makes the disguises of a hostile text visible: invisible characters by code point, look-alike letters marked."""

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
_ALIKE: Final = frozenset("асеорхуіјѕһӏԁАВСЕНІЈКМОРЅТХ" + "ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
# How Unicode marks fullwidth and mathematical letters; raised letters and ligatures, as in "nº", are honest.
_FORMS: Final = ("<wide>", "<font>")
_LITRE: Final = "ℓ"
_MOST_UNSEEN, _MOST_CHARACTERS = 8, 700


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text; `note` names the code points of letters that only look like Latin ones."""

    text: str
    note: str = ""


def reveal(text: str, most: int = _MOST_CHARACTERS) -> str:
    """The beginning of a text with every character visible; those of a long hidden run are counted."""
    shown = _UNSEEN.sub(_name_unseen, text[:most])
    return shown if len(text) <= most else f"{shown} … ({len(text) - most} more characters)"


def _name_unseen(found: re.Match[str]) -> str:
    run = found.group()
    said = "".join(f"‹U+{ord(character):04X}›" for character in run[:_MOST_UNSEEN])
    return said if len(run) <= _MOST_UNSEEN else f"{said}‹{len(run) - _MOST_UNSEEN} more unseen characters›"


def mark_lookalikes(text: str) -> tuple[Stretch, ...]:
    """The text in order, look-alike letters in stretches of their own.

    A letter of another script counts in a word that has Latin letters too, and in a word of look-alikes alone where
    other words of the text are mixed; a Russian sentence is no disguise. Fullwidth and mathematical forms count too.
    """
    is_mixed = any(_mixes(word) for word in _WORD.findall(text))
    marked = [False] * len(text)
    for word in _WORD.finditer(text):
        is_disguised = _mixes(word.group()) or (is_mixed and _ALIKE.issuperset(word.group()))
        for at, letter in enumerate(word.group(), word.start()):
            marked[at] = (is_disguised and letter in _ALIKE) or _is_form(letter)
    stretches = []
    for is_alike, places in groupby(range(len(text)), key=marked.__getitem__):
        letters = "".join(text[at] for at in places)
        stretches.append(Stretch(letters, ", ".join(f"U+{ord(each):04X}" for each in letters) if is_alike else ""))
    return tuple(stretches)


def _mixes(word: str) -> bool:
    return any(letter in _ALIKE for letter in word) and any(letter.isascii() for letter in word)


def _is_form(letter: str) -> bool:
    if letter.isascii() or letter == _LITRE or not unicodedata.decomposition(letter).startswith(_FORMS):
        return False
    return unicodedata.normalize("NFKC", letter).isascii()
