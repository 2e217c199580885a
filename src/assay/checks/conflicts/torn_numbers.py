"""Numbers that a tokeniser or a plain space has torn: 12, 000 and 12 500 for thousands, 98 . 7 for 98.7."""

import re
from typing import Final

from assay.text.quantity_spaces import find_loose_groups, harden_spaces

_TORN: Final = re.compile(r"(?<![\d.,])\d{1,4}(?: ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)")
_SPACES: Final = re.compile(r" ")


def find_torn(text: str) -> list[tuple[int, int]]:
    """Where a tokeniser's torn number may stand; a list (100, 200) looks the same."""
    return [found.span() for found in _TORN.finditer(text)]


def may_be_torn(text: str) -> bool:
    return _TORN.search(text) is not None or bool(find_loose_groups(text))


def mend_numbers(text: str) -> str:
    """The text with torn numbers joined, to look values up in; its offsets are its own."""
    return harden_spaces(_TORN.sub(lambda found: _SPACES.sub("", found.group()), text), sure=False)
