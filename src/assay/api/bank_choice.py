"""What `bank` names: a file of banks, or an earlier run whose banks are used again."""

import re
from dataclasses import dataclass
from pathlib import Path

from assay.api.kept import KeptBanks
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.runner.banks import BankStore
from assay.store.store import RunRow, Store

# How the id of a run begins.
_LIKE_RUN = re.compile(r"\d{8}(?:-[\da-f]*){0,2}\Z")


@dataclass(frozen=True, slots=True)
class BankChoice:
    """A file or an earlier run, by its whole path or id, so that the name holds in every folder."""

    file: Path | None = None
    lender: str | None = None

    @property
    def said(self) -> str | None:
        """As a run's parameters keep it."""
        return self.lender if self.file is None else str(self.file)

    def open(self, store: Store | None, run: str) -> BankStore | None:
        """The banks of a run. A lender that has been deleted since the run began has lent already."""
        if self.file is not None:
            return BankFile(self.file)
        if store is None:
            return None
        return KeptBanks(store, run, self.lender if self.lender in store.run_ids() else None)

    def look(self, store: Store | None) -> BankStore | None:
        """The banks as they are, to read only."""
        if self.file is not None:
            return BankFile(self.file)
        return None if store is None or self.lender is None else KeptBanks(store, self.lender)


def choose_bank(name: str | None, store: Store | None, resumed: RunRow | None = None) -> BankChoice:
    """A resumed run keeps the bank it began with: its `last` is the lender of that time, not the run itself."""
    if name is None:
        return BankChoice()
    file = Path(name).resolve()
    if store is None or file.exists():
        return BankChoice(file)
    if resumed is not None:
        begun = str(resumed.parameters.get("bank", resumed.id))
        if name in {"last", begun} and _LIKE_RUN.match(begun):
            return BankChoice(lender=begun)
        if (name == "last" or file == Path(begun)) and store.count(resumed.id):
            remedy = "Put it back, or begin a new run without `resume`."
            raise InputError("the bank that the run was begun with is not there", path=begun, remedy=remedy)
    if name == "last" or _LIKE_RUN.match(name) or any(each.startswith(name) for each in store.run_ids()):
        return BankChoice(lender=_find_lender(name, store))
    return BankChoice(file)


def _find_lender(name: str, store: Store) -> str:
    found = store.find_run(name)
    filled = found.parameters.get("bank")
    if filled is not None and not _LIKE_RUN.match(str(filled)):
        raise InputError(f"run {found.id} has its banks in a file", remedy=f"Name that file as `bank`: {filled}.")
    return found.id
