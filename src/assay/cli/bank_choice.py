"""What `--bank` names: a file of banks, or an earlier run that lends its own."""

import re
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.files.banks import BankFile
from assay.runner.banking import Banks
from assay.runner.kept import KeptBanks
from assay.store.store import RunRow, Store

# How the id of a run begins.
_LIKE_RUN = re.compile(r"\d{8}(?:-[\da-f]*){0,2}\Z")


@dataclass(frozen=True, slots=True)
class BankChoice:
    """One of the two at most, by a name that holds in every folder and after every run: a whole path or id."""

    file: Path | None = None
    lender: str | None = None

    @property
    def said(self) -> str | None:
        """As a run's parameters keep it."""
        return self.lender if self.file is None else str(self.file)

    def open(self, store: Store, run: str) -> Banks:
        """For a run that goes on: a lender that is gone by now has lent already."""
        if self.file is not None:
            return BankFile(self.file)
        return KeptBanks(store, run, self.lender if self.lender in store.run_ids() else None)

    def look(self, store: Store | None) -> Banks | None:
        """For who adds nothing to it."""
        if self.file is not None:
            return BankFile(self.file)
        return None if store is None or self.lender is None else KeptBanks(store, self.lender)


def choose_bank(name: str | None, store: Store | None, resumed: RunRow | None = None) -> BankChoice:
    """A run that goes on has what it was begun with; its `last` is the same, and not the run itself."""
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
            remedy = "Put it back, or begin a new run without --resume."
            raise InputError("the bank that the run was begun with is not there", path=begun, remedy=remedy)
    if name == "last" or _LIKE_RUN.match(name) or any(each.startswith(name) for each in store.run_ids()):
        return BankChoice(lender=_find_lender(name, store))
    return BankChoice(file)


def _find_lender(name: str, store: Store) -> str:
    found = store.find_run(name)
    filled = found.parameters.get("bank")
    if filled is not None and not _LIKE_RUN.match(str(filled)):
        raise InputError(f"run {found.id} has its banks in a file", remedy=f"Write --bank {filled}.")
    return found.id
