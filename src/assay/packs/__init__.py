"""Packs: one installed package per rubric, with its Markdown, its examples and, where code can prove things, hooks.

A pack is found by the entry point group `assay.packs`: the entry's name is the rubric's id, its value a package that
holds `rubric.md`, and optionally `examples.jsonl`, `replies.jsonl` and a module `pack` with any of the three hooks. A
rubric file that a user writes is Markdown alone and runs no code.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

from assay.domain.findings import Fact, Findings, Label
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice
from assay.domain.units import Unit

GROUP = "assay.packs"


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the code of a rubric does. Each hook is optional.

    notices(record): what code observes, shown beside the scores
    labels(record, claims): what code proves of a claim, with both places; it stands over a judge's label
    facts(record, findings by metric, rubric): named values that a scoring rule or a report may use; called before any
    ask with no findings, and again after all of them
    """

    find_notices: Callable[[Record], Iterable[Notice]] | None = None
    find_labels: Callable[[Record, Sequence[Unit]], Iterable[Label]] | None = None
    find_facts: Callable[[Record, Mapping[str, Findings], Rubric], Mapping[str, Fact]] | None = None

    def notices(self, record: Record) -> tuple[Notice, ...]:
        return () if self.find_notices is None else tuple(self.find_notices(record))

    def labels(self, record: Record, claims: Sequence[Unit]) -> tuple[Label, ...]:
        return () if self.find_labels is None else tuple(self.find_labels(record, claims))

    def facts(self, record: Record, findings: Mapping[str, Findings], rubric: Rubric) -> Mapping[str, Fact]:
        return {} if self.find_facts is None else dict(self.find_facts(record, findings, rubric))


NO_HOOKS = Hooks()


@dataclass(frozen=True, slots=True)
class Pack:
    """An installed rubric by its id."""

    id: str
    package: str

    @property
    def folder(self) -> Traversable:
        return files(self.package)

    def read_rubric(self) -> str:
        return (self.folder / "rubric.md").read_text(encoding="utf-8")

    def load_hooks(self) -> Hooks:
        """Imports the pack's module `pack`, where it has one."""
        name = f"{self.package}.pack"
        if find_spec(name) is None:
            return NO_HOOKS
        module = import_module(name)
        return Hooks(*(getattr(module, hook, None) for hook in ("notices", "labels", "facts")))


@cache
def list_packs() -> Mapping[str, Pack]:
    """All installed packs by rubric id, in alphabetical order."""
    found: Iterable[EntryPoint] = entry_points(group=GROUP)
    return {entry.name: Pack(entry.name, entry.value) for entry in sorted(found, key=lambda entry: entry.name)}


def find_hooks(rubric: Rubric) -> Hooks:
    """The hooks of the pack that this rubric comes from; none for a rubric file of one's own, or a changed copy."""
    pack = list_packs().get(rubric.id)
    if pack is None or pack.read_rubric() != rubric.text:
        return NO_HOOKS
    return pack.load_hooks()
