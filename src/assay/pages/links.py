"""Addresses from data: only a web address may be followed, everything else is text."""

import re
from urllib.parse import urlsplit

_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_SCHEMES = ("http", "https")
_LONGEST = 2_000


def find_link(address: str | None) -> str | None:
    """The address where it is http or https with a host; None for `javascript:`, `data:`, paths and anything odd.

    Browsers drop control characters inside a scheme, so an address that holds one is never a link; nor is one too long
    for any of them.
    """
    bare = (address or "").strip()
    if not bare or len(bare) > _LONGEST or _SPACE_OR_CONTROL.search(bare):
        return None
    try:
        parts = urlsplit(bare)
        host = parts.hostname
    except ValueError:
        return None
    return bare if parts.scheme.lower() in _SCHEMES and host else None
