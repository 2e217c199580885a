"""What comes to a user is under a licence that lets them use it, and the lists of it are in step with the lock."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "docs" / "supply-chain" / "licences.md"
BILL = ROOT / "docs" / "supply-chain" / "sbom.cdx.json"
# The machine that the lists are written on; packages for others are in the lock alone.
MACHINE = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"} | {
    "python_version": "3.11",
    "python_full_version": "3.11.9",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}
ALLOWED = {
    *("MIT", "MIT-0", "0BSD", "BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "PSF-2.0", "MPL-2.0"),
    *("Zlib", "CC0-1.0", "Unlicense", "CNRI-Python"),
}
# For tests alone, and never imported by what is shipped.
ALLOWED_FOR_DEVELOPMENT = {*ALLOWED, "GPL-3.0-or-later", "Apache-2.0 WITH LLVM-exception"}
# Packages whose metadata name no licence, with the one in their repository.
READ_ELSEWHERE = {"ppi-python": "MIT"}

sys.path.insert(0, str(ROOT / "tools"))
tools = import_module("licences")


def read_lock() -> dict[str, set[str]]:
    """Versions by name, of all that this lock would install on the machine of the lists."""
    found: dict[str, set[str]] = {}
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    for line in re.findall(r"^[a-z0-9][^\\\n]*", lock, re.MULTILINE):
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate(MACHINE):
            version = str(requirement.specifier).removeprefix("==")
            found.setdefault(canonicalize_name(requirement.name), set()).add(version)
    return found


def read_listed() -> list[tuple[str, str, str, str]]:
    """The use, the package, its version and its licence, a row each."""
    rows, use = [], ""
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            use = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| package"):
            name, version, licence, _ = (cell.strip() for cell in line.strip("|").split("|"))
            rows.append((use, name, version, licence))
    return rows


def refuse(licence: str, allowed: set[str]) -> list[str]:
    return [" or ".join(sorted(choice)) for choice in tools.split_licence(licence) if not choice & allowed]


def test_what_comes_to_a_user_is_under_an_allowed_licence():
    shipped = [each for each in tools.read_packages() if each.use != "development"]
    assert {each.name: each.licence for each in shipped if refuse(each.licence, ALLOWED)} == {}
    assert len(shipped) > 20


def test_what_is_for_development_is_under_a_known_licence():
    rows = [(name, READ_ELSEWHERE.get(name, licence)) for use, name, _, licence in read_listed() if "develop" in use]
    assert [name for name, licence in rows if refuse(licence, ALLOWED_FOR_DEVELOPMENT)] == []
    assert len(rows) > 20


@pytest.mark.parametrize(
    ("licence", "refused"),
    [
        ("MIT", []),
        ("GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT AND GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT OR GPL-3.0-only", []),
        ("MPL-2.0 AND (Apache-2.0 OR AGPL-3.0-only)", []),
        ("unknown", ["unknown"]),
    ],
)
def test_an_expression_is_read_as_its_author_meant_it(licence, refused):
    assert refuse(licence, ALLOWED) == refused


def test_the_list_of_licences_is_in_step_with_the_lock():
    lock = read_lock()
    listed = {name: {version} for _, name, version, _ in read_listed()}
    assert listed == lock, "write both anew with: make sbom"


def test_the_bill_of_materials_is_in_step_with_the_list():
    bill = json.loads(BILL.read_text(encoding="utf-8"))
    scopes = {"At run time": "required", "By an extra": "optional", "For development": "excluded"}
    components = {(each["name"], each["version"], each["scope"]) for each in bill["components"]}
    assert components == {(name, version, scopes[use]) for use, name, version, _ in read_listed()}


def test_every_dependency_of_the_project_is_listed_at_run_time():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {canonicalize_name(Requirement(each).name) for each in project["dependencies"]}
    assert wanted <= {name for use, name, _, _ in read_listed() if use == "At run time"}


@pytest.mark.parametrize("path", [LISTED, BILL], ids=lambda path: path.name)
def test_no_host_and_no_moment_is_in_the_lists(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"https?://|\b[\w-]+\.(?:org|com|io|net|dev)\b", text) == []
    assert not re.search(r"timestamp|serialNumber|\d{4}-\d\d-\d\dT", text)
