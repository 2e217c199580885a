"""What JSON can hold, as a type."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
