"""How large an input may be, so that none fills memory: within these bounds reading one takes less than 1 GB.

To raise a bound, set it before reading: `assay.files.bounds.RECORDS = 2_000_000`.
"""

from pathlib import Path

from assay.errors import InputError
from assay.files.place import Place

FILE_BYTES = 4_000_000_000
# A JSON array is read as a whole, and what is made of it may be twenty times larger.
ARRAY_BYTES = 24_000_000
# A line, a row of a table, or a file that is one record.
RECORD_BYTES = 16_000_000
RECORDS = 500_000
COLUMNS = 2_000
DEPTH = 100
# Rows times columns of Parquet, where a column of nothing takes no bytes.
CELLS = 20_000_000
ROW_GROUPS = 10_000
# Of Parquet, before its texts are repeated.
ROW_GROUP_BYTES = 256_000_000


def refuse(place: Place, what: str, name: str, advice: str) -> InputError:
    """An error that names the bound and how to raise it. `what` ends where the bound follows."""
    remedy = f"{advice}, or raise the bound in Python: assay.files.bounds.{name}."
    return place.fault(f"{what} more than {globals()[name]:,}", remedy)


def check_file(path: Path) -> None:
    """Refuses what is no file: a pipe never ends, a device fills memory. An absent one is left to the reader."""
    place = Place(str(path), None)
    if path.exists() and not path.is_file():
        raise place.fault("this is not a regular file but a pipe, a device or a folder", "Save it to a file first.")
    if path.exists() and path.stat().st_size > FILE_BYTES:
        raise refuse(place, f"the file has {path.stat().st_size:,} bytes,", "FILE_BYTES", "Split it")
