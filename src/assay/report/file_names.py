"""A file name for a record, whatever its id holds: safe on every system, and its own."""

import hashlib
import re

_UNSAFE = re.compile(r"[^\w.-]+")
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
_LONGEST_BYTES = 80


def name_file(identifier: str, system: str | None, ending: str) -> str:
    """The id, and the system behind it; a name that could meet another one on some file system carries a digest."""
    given = identifier if system is None else f"{identifier}.{system}"
    cut = _UNSAFE.sub("_", given).encode("utf-8", "replace")[:_LONGEST_BYTES].decode("utf-8", "ignore")
    safe = cut.strip("._-") or "record"
    if safe == given and safe == safe.lower() and safe.partition(".")[0] not in _RESERVED and "." not in identifier:
        return f"{safe}{ending}"
    digest = hashlib.sha256(repr((identifier, system)).encode()).hexdigest()[:8]
    bare = safe if safe.partition(".")[0].lower() not in _RESERVED else f"record-{safe}"
    return f"{bare}-{digest}{ending}"
