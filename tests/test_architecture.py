"""The layers are those that the documents draw, and no package escapes the contracts on imports."""

import ast
import re
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "assay"
CONTRACTS = ConfigParser()
CONTRACTS.read(ROOT / ".importlinter", encoding="utf-8")

PARTS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {
    path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"
}
# Test equipment may lean on anything; weights are data, without a line of code.
OUTSIDE_LAYERS = {"testing", "weights"}


def read_names(contract: str, option: str) -> list[str]:
    return CONTRACTS[f"importlinter:contract:{contract}"][option].split()


def read_layers() -> list[set[str]]:
    lines = CONTRACTS["importlinter:contract:layers"]["layers"].strip().splitlines()
    return [{name.strip().removeprefix("assay.") for name in line.split("|")} for line in lines]


def read_drawn_layers() -> list[set[str]]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = text.partition("## Layers")[2].split("```")[1]
    drawn = [re.split(" {2,}", line)[0] for line in drawing.strip().splitlines() if not line.startswith(" ")]
    return [{name.strip() for name in line.split("|")} for line in drawn]


def find_dependencies() -> set[str]:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"assay"}


def test_every_package_stands_in_one_layer():
    placed = [name for layer in read_layers() for name in layer]
    assert sorted(placed) == sorted(PARTS - OUTSIDE_LAYERS)


def test_the_layers_are_those_that_the_document_draws():
    assert read_layers() == read_drawn_layers()


@pytest.mark.parametrize(
    ("contract", "exempt"), [("network", {"models", "testing"}), ("testing", {"testing"}), ("pages", {"web", "testing"})]
)  # fmt: skip
def test_a_contract_binds_every_package_but_those_it_is_about(contract: str, exempt: set[str]):
    bound = {name for name in read_names(contract, "source_modules") if name.count(".") == 1}
    assert bound == {f"assay.{name}" for name in PARTS - exempt}


def test_of_the_pages_only_the_live_ones_may_need_a_web_server():
    modules = {f"assay.web.{path.stem}" for path in (PACKAGE / "web").glob("*.py") if path.stem != "__init__"}
    free = modules & set(read_names("pages", "source_modules"))
    assert modules - free == {f"assay.web.{name}" for name in ("app", "guard", "labelling", "reading")}


def test_the_domain_may_use_nothing_that_has_to_be_installed():
    assert read_names("domain", "source_modules") == ["assay.domain", "assay.errors"]
    assert find_dependencies() - set(read_names("domain", "forbidden_modules")) == set()
