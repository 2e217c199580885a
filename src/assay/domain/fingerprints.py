"""Numbers for more names than memory could hold."""

from array import array
from collections.abc import Hashable

_LEAST_SLOTS = 1 << 10
_WORD = (1 << 64) - 1


class Fingerprints:
    """The number that each name was first given, in 18 to 36 bytes a name: of the name only its hash is kept.

    Hashes have 64 bits, so among a million names the chance that any two are taken for one is 1 in 37 million.
    """

    __slots__ = ("_hashes", "_length", "_numbers")

    def __init__(self) -> None:
        self._hashes, self._numbers = _make_slots(_LEAST_SLOTS)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __contains__(self, name: Hashable) -> bool:
        return self._hashes[self._find((hash(name) & _WORD) or 1)] != 0

    def setdefault(self, name: Hashable, number: int) -> int:
        """The name's number: the one it has, or from now on this one."""
        found = (hash(name) & _WORD) or 1  # 0 is a slot that is free
        slot = self._find(found)
        if self._hashes[slot]:
            return self._numbers[slot]
        self._fill(slot, found, number)
        self._length += 1
        if 3 * self._length > 2 * len(self._hashes):
            self._grow()
        return number

    def _find(self, found: int) -> int:
        hashes, last = self._hashes, len(self._hashes) - 1
        slot = found & last
        while hashes[slot] and hashes[slot] != found:
            slot = (slot + 1) & last
        return slot

    def _fill(self, slot: int, found: int, number: int) -> None:
        self._hashes[slot], self._numbers[slot] = found, number

    def _grow(self) -> None:
        hashes, numbers = self._hashes, self._numbers
        self._hashes, self._numbers = _make_slots(2 * len(hashes))
        for found, number in zip(hashes, numbers, strict=True):
            if found:
                self._fill(self._find(found), found, number)


def _make_slots(count: int) -> "tuple[array[int], array[int]]":
    """Hashes of eight bytes and numbers of four, all 0: no run has more names than four bytes can count."""
    return array("Q", bytes(8 * count)), array("I", bytes(4 * count))
