"""What Assay stands on: every installed package, what it is there for, and its licence, from its own metadata.

`python tools/licences.py FILE` writes the table to FILE. Reads the environment of requirements-dev.lock.
"""
# ruff: noqa: INP001  # programs of the project, not a package

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, distribution, distributions
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Use = Literal["run time", "extra", "development"]
UNLOCKED = {"inspect", "local", "mcp", "mlflow", "otel", "ray"}
"""Extras outside the lock that Assay is developed with. What they name is under BSD-3-Clause, Apache-2.0 or MIT."""

ROOT = Path(__file__).parent.parent
PROJECT = "assay-judge"
# What came with the environment itself, and no lock pins.
_TOOLS = frozenset({"pip", "setuptools", "wheel", PROJECT})

# Older metadata names its licence by a classifier or by hand. What can't be told from these is written down below.
_CLASSIFIERS: Mapping[str, str] = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT No Attribution License (MIT-0)": "MIT-0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
_WRITTEN: Mapping[str, str] = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "bsd": "BSD",
    "3-clause bsd license": "BSD-3-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "bsd-2-clause": "BSD-2-Clause",
    "mit": "MIT",
    "mit license": "MIT",
    "psf-2.0": "PSF-2.0",
}
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    version: str
    use: Use
    extras: tuple[str, ...]
    licence: str


def read_packages() -> list[Package]:
    """All that is installed, by name. What run time needs is at run time, whatever else needs it too."""
    running = {canonicalize_name(name) for name in find_needed(PROJECT, ())}
    by_extra = {extra: {canonicalize_name(name) for name in find_needed(PROJECT, (extra,))} for extra in find_extras()}
    found = {}
    for each in distributions():
        name = canonicalize_name(each.metadata["Name"])
        if name in _TOOLS:
            continue
        extras = tuple(extra for extra, names in sorted(by_extra.items()) if name in names - running)
        use: Use = "run time" if name in running else "extra" if extras else "development"
        found[name] = Package(name, each.version, use, extras, read_licence(each.metadata))
    return [found[name] for name in sorted(found)]


def find_extras() -> list[str]:
    named = distribution(PROJECT).metadata.get_all("Provides-Extra") or []
    return [extra for extra in named if extra not in UNLOCKED]


def find_needed(name: str, extras: tuple[str, ...]) -> set[str]:
    """Everything that a package with these extras leads to on this machine."""
    needed: set[str] = set()
    waiting = [(name, extras)]
    seen = set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for requirement in _read_requirements(*current):
            needed.add(requirement.name)
            waiting.append((requirement.name, tuple(sorted(requirement.extras))))
    return needed


def _read_requirements(name: str, extras: tuple[str, ...]) -> Iterator[Requirement]:
    for text in distribution(name).requires or ():
        requirement = Requirement(text)
        chosen = [{"extra": extra} for extra in ("", *extras)]
        if requirement.marker is None or any(requirement.marker.evaluate(each) for each in chosen):
            yield requirement


def read_licence(metadata: PackageMetadata) -> str:
    """An SPDX expression where the package has one, else the nearest name that its metadata allow."""
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classified = [
        _CLASSIFIERS.get(each.rpartition(" :: ")[2], each.rpartition(" :: ")[2])
        for each in metadata.get_all("Classifier") or ()
        if each.startswith("License :: ") and not each.endswith(":: OSI Approved")
    ]
    if classified:
        return " OR ".join(dict.fromkeys(classified))
    written = metadata["License"].strip().partition("\n")[0] if "License" in metadata else ""
    return _WRITTEN.get(written.lower(), written if 0 < len(written) <= 40 else UNKNOWN)


def split_licence(expression: str) -> list[set[str]]:
    """What must all be granted, each as a set of which one is enough: `MIT AND (BSD OR ISC)`."""
    parts = re.split(r"\s+AND\s+", expression)
    return [set(re.split(r"\s+OR\s+", part.strip("() "))) for part in parts]


def render(packages: Iterable[Package]) -> str:
    rows = list(packages)
    lines = [
        "# Licences",
        "",
        "Written by `make sbom` from the metadata of the packages in `requirements.lock`, as installed on Linux.",
        "Only what is used at run time or by an extra comes to a user. The rest is for developing Assay.",
        "",
    ]
    for use, title in (("run time", "At run time"), ("extra", "By an extra"), ("development", "For development")):
        chosen = [row for row in rows if row.use == use]
        lines += [f"## {title}", "", "| package | version | licence | extra |", "|---|---|---|---|"]
        lines += [f"| {row.name} | {row.version} | {row.licence} | {', '.join(row.extras)} |" for row in chosen]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(render(read_packages()), encoding="utf-8")
