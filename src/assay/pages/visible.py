"""Characters that no reader sees, or that turn the reading direction, shown as marks."""

import re

# Joiners, direction marks and variation selectors are part of honest Persian, Hebrew, Thai and emoji; they stay.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_PICTURES = 0x2400


def show_hidden(text: str) -> str:
    """A text that can be written as UTF-8 and whose every sign is seen: an override is ‹U+202E›, a null ␀.

    A carriage return before a line feed is an end of line and nothing more.
    """
    if _HIDDEN.search(text) is None:
        return text
    return _HIDDEN.sub(_show, text.replace("\r\n", "\n"))


def _show(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return "" if code == 0xAD else f"‹U+{code:04X}›"
