"""The layers are those that the documents draw, the core knows no rubric, and the code keeps its size."""

import ast
import re
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from functools import cache
from pathlib import Path

import pytest

from assay.files.rubrics import open_rubric
from assay.packs import list_packs

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "assay"
CONTRACTS = ConfigParser()
CONTRACTS.read(ROOT / ".importlinter", encoding="utf-8")

PARTS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {
    path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"
}
# Test equipment may lean on anything; weights are data, without a line of code.
OUTSIDE_LAYERS = {"testing", "weights"}
SPINE = ("domain", "units", "scoring", "judges/prompted", "runner")
SPINE_LINES = 6_060
# Lower it when the core has become smaller; it is never raised without a reason in a decision record.
CORE_LINES = 36_300
# Names of shipped inputs that are also words of the core: roles, units, keys of an API and of results.
CORE_WORDS = {"citations", "criteria", "output", "query", "description", "question", "sources", "answer"}
CORE_WORDS |= {"messages", "data", "report"}
# Ids of shipped rubrics that are also words of the core: HTML, texts for people, an interface of models.
CORE_IDS = {"summary", "chat"}


def read_names(contract: str, option: str) -> list[str]:
    return CONTRACTS[f"importlinter:contract:{contract}"][option].split()


def read_layers() -> list[set[str]]:
    lines = CONTRACTS["importlinter:contract:layers"]["layers"].strip().splitlines()
    return [{name.strip().removeprefix("assay.") for name in line.split("|")} for line in lines]


def read_drawn_layers() -> list[list[str]]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = text.partition("## Layers")[2].split("```")[1]
    return [re.split(" {2,}", line)[0].split(" · ") for line in drawing.strip().splitlines()]


@cache
def list_nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def find_dependencies() -> set[str]:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in list_nodes(path):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"assay"}


def list_core() -> list[Path]:
    """The modules of the core: without packs, laboratories, what needs other tools, and test equipment."""
    outside = {"packs", "labs", "ray", "exports", "inspect.py", "mcp.py", "testing"}
    found = (path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in outside)
    return [*found, PACKAGE / "packs" / "__init__.py"]


def count_lines(paths: Iterator[Path] | list[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def find_literals(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module, without docstrings."""
    nodes = list_nodes(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {id(node.body[0].value) for node in nodes
                  if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def test_every_package_stands_in_one_layer():
    placed = [name for layer in read_layers() for name in layer]
    assert sorted(placed) == sorted(PARTS - OUTSIDE_LAYERS)


def test_the_layers_are_those_that_the_document_draws():
    drawn = {name: height for height, line in enumerate(read_drawn_layers()) for name in line}
    order = [name for layer in read_layers() for name in sorted(layer)]
    assert set(drawn) == set(order)
    assert [drawn[name] for name in order] == sorted(drawn[name] for name in order)


@pytest.mark.parametrize(
    ("contract", "exempt"), [("network", {"models", "testing"}), ("testing", {"testing"}), ("pages", {"web", "testing"})]
)  # fmt: skip
def test_a_contract_binds_every_package_but_those_it_is_about(contract: str, exempt: set[str]):
    bound = {name for name in read_names(contract, "source_modules") if name.count(".") == 1}
    assert bound == {f"assay.{name}" for name in PARTS - exempt}


def test_of_the_pages_only_the_live_ones_may_need_a_web_server():
    modules = {f"assay.web.{path.stem}" for path in (PACKAGE / "web").glob("*.py") if path.stem != "__init__"}
    free = modules & set(read_names("pages", "source_modules"))
    assert modules - free == {f"assay.web.{name}" for name in ("app", "guard", "labelling", "preferring", "reading")}


def test_the_domain_may_use_nothing_that_has_to_be_installed():
    assert read_names("domain", "source_modules") == ["assay.domain", "assay.errors"]
    assert find_dependencies() - set(read_names("domain", "forbidden_modules")) == set()


def test_the_core_names_no_rubric():
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(list_packs().keys() - CORE_IDS)})(?![\w-])")
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text[:60]!r}"
        for path in list_core()
        for line, text in find_literals(path)
        if named.search(text)
    ]
    assert found == []


def test_the_core_names_no_input_of_a_rubric():
    names = {spec.name for rubric in list_packs() for spec in open_rubric(rubric).inputs} - CORE_WORDS
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text!r}"
        for path in list_core()
        for line, text in find_literals(path)
        if text in names
    ]
    assert found == []


def test_a_class_name_stands_for_one_class():
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in list_nodes(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name.lstrip("_"), []).append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_the_code_keeps_its_size():
    assert count_lines([path for part in SPINE for path in (PACKAGE / part).rglob("*.py")]) <= SPINE_LINES
    assert count_lines(list_core()) <= CORE_LINES
