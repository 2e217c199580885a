"""Numbers that a tokeniser has torn: 12, 000 for 12,000 and 98 . 7 for 98.7."""

import re
from typing import Final

_TORN: Final = re.compile(r"(?<![\d.,])\d{1,4}(?: ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)")
_SPACES: Final = re.compile(r" ")


def find_torn(text: str) -> list[tuple[int, int]]:
    """Where such a number may stand; a list (100, 200) looks the same."""
    return [found.span() for found in _TORN.finditer(text)]


def mend_numbers(text: str) -> str:
    """The text with torn numbers joined, to look values up in; its offsets are its own."""
    return _TORN.sub(lambda found: _SPACES.sub("", found.group()), text)
