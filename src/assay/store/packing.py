"""How texts lie in the store's cells: small ones as they are, large ones compressed, odd ones without loss."""

import zlib

from assay.store.faults import DamagedError, StoreError, reading

# Below this a compressed text is no smaller once its own header is counted in.
_SMALL_BYTES = 200
# The fastest level: replies and cards shrink to a third with it, and to little less with the slowest.
_LEVEL = 1

_RAW, _COMPRESSED = b"r", b"z"


def pack_bytes(content: bytes) -> bytes:
    """One letter says which of the two it is; what does not shrink is left alone."""
    if len(content) > _SMALL_BYTES:
        compressed = zlib.compress(content, _LEVEL)
        if len(compressed) < len(content):
            return _COMPRESSED + compressed
    return _RAW + content


def unpack_bytes(cell: bytes) -> bytes:
    kind, content = cell[:1], cell[1:]
    try:
        if kind == _COMPRESSED:
            return zlib.decompress(content)
    except zlib.error as error:
        raise DamagedError(f"a stored text is damaged ({error})", remedy="Delete its run, and judge again.") from error
    if kind == _RAW:
        return content
    raise StoreError(f"a stored text is packed as {kind!r}, which is unknown", remedy="Use a newer version of Assay.")


def pack_text(text: str) -> bytes:
    return pack_bytes(text.encode("utf-8", "surrogatepass"))


def unpack_text(cell: bytes) -> str:
    return _decode(unpack_bytes(cell))


def to_cell(text: str) -> str | bytes:
    """A name as a column keeps it: as text, or as bytes where it holds a lone surrogate that no text column takes."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def from_cell(cell: str | bytes) -> str:
    return cell if isinstance(cell, str) else _decode(cell)


def _decode(content: bytes) -> str:
    with reading("text"):
        return content.decode("utf-8", "surrogatepass")


def maybe_to_cell(text: str | None) -> str | bytes | None:
    return None if text is None else to_cell(text)


def maybe_from_cell(cell: str | bytes | None) -> str | None:
    return None if cell is None else from_cell(cell)
