"""What a store holds, known without a look at the disk."""

from collections.abc import Callable, Hashable, Iterable

from assay.domain.fingerprints import Fingerprints

# A list of so many keys is read in a few hundredths of a second.
_MOST = 50_000


class Ledger:
    """A key that is in it may be in the store, one that is not was never put there by this process nor before it.

    What another process puts there meanwhile is not seen: it is asked for twice then, and kept once. Where the store
    held too much at first to be listed, every key may be in it.
    """

    def __init__(self, list_keys: Callable[[int], Iterable[Hashable] | None]) -> None:
        self._list_keys = list_keys
        self._is_listed: bool | None = None
        self._keys = Fingerprints()

    def add(self, key: Hashable) -> None:
        self._keys.setdefault(key, 1)

    def may_hold(self, key: Hashable) -> bool:
        if self._is_listed is None:
            self._list()
        return not self._is_listed or key in self._keys

    def _list(self) -> None:
        # At the first question and not before: a run may not be in the store yet when its memory of it is made.
        listed = self._list_keys(_MOST)
        self._is_listed = listed is not None
        for key in listed or ():
            self.add(key)
