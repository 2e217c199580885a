"""One thing to be judged, with what it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.domain.json import JSON


@dataclass(frozen=True, slots=True)
class Source:
    """A text that evidence may come from. `id` is s1, s2 … in the order of the record; `details` may be its type."""

    id: str
    text: str
    title: str | None = None
    url: str | None = None
    input: str = ""
    details: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """`item` names what the output was made from; `citations` is what its markers stand for, as the record has it."""

    id: str
    item: str
    output: str
    sources: tuple[Source, ...]
    query: str | None = None
    system: str | None = None
    inputs: Mapping[str, JSON] = field(default_factory=dict)
    citations: JSON = None
    facets: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """An input as text; absent and null are the empty text."""
        value = self.inputs.get(name)
        return "" if value is None else value if isinstance(value, str) else str(value)

    def source(self, identifier: str) -> Source:
        return next(source for source in self.sources if source.id == identifier)
