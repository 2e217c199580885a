"""Numbers for more names than memory could hold."""

from array import array
from collections.abc import Hashable
from typing import Protocol

_SHARDS = 64
_LEAST_SLOTS = 16
_WORD = (1 << 64) - 1


class Numbering(Protocol):
    """Each name keeps the number it was first given. A dictionary is quicker, fingerprints take less memory."""

    def __len__(self) -> int: ...

    def setdefault(self, name: str, number: int, /) -> int: ...


class Fingerprints:
    """The number that each name was first given, in 18 to 24 bytes a name: of the name only its hash is kept.

    Hashes have 64 bits, so among a million names the chance that any two are taken for one is 1 in 37 million.
    """

    __slots__ = ("_length", "_shards")

    def __init__(self) -> None:
        self._shards = [_Shard() for _ in range(_SHARDS)]
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __contains__(self, name: Hashable) -> bool:
        found = _hash(name)
        return self._shards[found % _SHARDS].holds(found)

    def setdefault(self, name: Hashable, number: int) -> int:
        """The name's number: the one it has, or from now on this one."""
        found = _hash(name)
        shard = self._shards[found % _SHARDS]
        self._length -= shard.length
        known = shard.setdefault(found, number)
        self._length += shard.length
        return known


class _Shard:
    """One part of the names: it grows by itself and by a third, so that no moment holds a large table twice."""

    __slots__ = ("_hashes", "_numbers", "length")

    def __init__(self) -> None:
        self._hashes, self._numbers = _make_slots(_LEAST_SLOTS)
        self.length = 0

    def holds(self, found: int) -> bool:
        return self._hashes[self._find(found)] != 0

    def setdefault(self, found: int, number: int) -> int:
        slot = self._find(found)
        if self._hashes[slot]:
            return self._numbers[slot]
        self._fill(slot, found, number)
        self.length += 1
        if 3 * self.length > 2 * len(self._hashes):
            self._grow()
        return number

    def _find(self, found: int) -> int:
        hashes, count = self._hashes, len(self._hashes)
        slot = found // _SHARDS % count
        while hashes[slot] and hashes[slot] != found:
            slot = (slot + 1) % count
        return slot

    def _fill(self, slot: int, found: int, number: int) -> None:
        self._hashes[slot], self._numbers[slot] = found, number

    def _grow(self) -> None:
        hashes, numbers = self._hashes, self._numbers
        self._hashes, self._numbers = _make_slots(len(hashes) * 4 // 3)
        for found, number in zip(hashes, numbers, strict=True):
            if found:
                self._fill(self._find(found), found, number)


def _hash(name: Hashable) -> int:
    """Never 0: that is a slot that is free."""
    return (hash(name) & _WORD) or _SHARDS


def _make_slots(count: int) -> "tuple[array[int], array[int]]":
    """Hashes of eight bytes and numbers of four, all 0: no run has more names than four bytes can count."""
    return array("Q", bytes(8 * count)), array("I", bytes(4 * count))
