"""The shipped code has no door through which data becomes code: read from its syntax, module by module."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Modules that turn bytes into objects or code, and parsers that follow what a document refers to.
FORBIDDEN_MODULES = {
    *("pickle", "cPickle", "_pickle", "marshal", "shelve", "dbm", "dill", "cloudpickle", "joblib", "yaml", "commands"),
    *("xml.sax", "xml.dom", "xml.parsers", "lxml", "xmlrpc", "code", "codeop", "imp", "telnetlib", "ftplib", "pty"),
    *("jinja2.Template", "string.Template"),
}
# Calls, by the names they are written with. `re.compile` is another one.
FORBIDDEN_CALLS = {
    *("eval", "exec", "compile", "__import__", "breakpoint", "execfile", "input"),
    *(
        "os.system",
        "os.popen",
        "os.execv",
        "os.execvp",
        "os.spawnv",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
    ),
    *("tempfile.mktemp", "ET.parse", "ET.fromstring", "ET.XML", "ET.iterparse", "ElementTree.parse"),
    *("ssl._create_unverified_context", "logging.config.listen", "zipfile.ZipFile.extractall", "tarfile.open"),
}
# Templates run in a sandbox, and their files must be ours.
OUR_LOADERS = {"PackageLoader", "ChoiceLoader"}
MAY_BUILD_TEMPLATES = {"report/html.py"}


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def read(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"), name_of(module))


@lru_cache(maxsize=1)
def list_nodes(tree: ast.Module) -> list[ast.AST]:
    """Read once for all searches of a module."""
    return list(ast.walk(tree))


def find_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in list_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""
            yield from ((node.lineno, f"{node.module}.{each.name}") for each in node.names)


def find_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Each call with the dotted name it is written with; what is called by no name has an empty one."""
    return ((node, find_dotted_name(node.func)) for node in list_nodes(tree) if isinstance(node, ast.Call))


def find_dotted_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{find_dotted_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def find_keyword(call: ast.Call, name: str) -> object:
    """The literal a keyword is given; what is no literal is its text."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value.value if isinstance(keyword.value, ast.Constant) else ast.unparse(keyword.value)
    return None


def find_faults(module: Path, tree: ast.Module) -> Iterator[str]:
    name = name_of(module)
    for line, imported in find_imports(tree):
        parts = imported.split(".")
        if any(".".join(parts[:count]) in FORBIDDEN_MODULES for count in range(1, len(parts) + 1)):
            yield f"{name}:{line}: imports {imported}"
        if parts[0] in {"subprocess", "multiprocessing"}:
            yield f"{name}:{line}: imports {imported}"
    for call, called in find_calls(tree):
        place = f"{name}:{call.lineno}"
        if called in FORBIDDEN_CALLS:
            yield f"{place}: calls {called}"
        if find_keyword(call, "shell") not in (None, False):
            yield f"{place}: starts a shell"
        if find_keyword(call, "allow_pickle") not in (None, False):
            yield f"{place}: unpickles arrays"
        if find_keyword(call, "ssl") is False or find_keyword(call, "verify") is False:
            yield f"{place}: trusts every certificate"
    yield from find_template_faults(name, tree)
    yield from find_format_faults(name, tree)


def find_template_faults(name: str, tree: ast.Module) -> Iterator[str]:
    for call, called in find_calls(tree):
        last = called.rpartition(".")[2]
        if last in {"Environment", "SandboxedEnvironment", "ImmutableSandboxedEnvironment"}:
            if name not in MAY_BUILD_TEMPLATES:
                yield f"{name}:{call.lineno}: another template environment"
            elif find_keyword(call, "autoescape") is not True:
                yield f"{name}:{call.lineno}: templates print unescaped"
            elif last != "ImmutableSandboxedEnvironment":
                yield f"{name}:{call.lineno}: templates outside the sandbox"
        if last.endswith("Loader") and last not in OUR_LOADERS:
            yield f"{name}:{call.lineno}: templates that are not our own files"
        if last == "from_string":
            yield f"{name}:{call.lineno}: a template from a string"


def find_format_faults(name: str, tree: ast.Module) -> Iterator[str]:
    """A format string may reach into what it is given, so it must be one we wrote: a literal or a constant of ours."""
    constants = {name for node in tree.body for name in find_constant_names(node)}
    constants |= {imported.rpartition(".")[2] for _, imported in find_imports(tree) if is_our_constant(imported)}
    for call, _ in find_calls(tree):
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"format", "format_map"}:
            holder = call.func.value
            is_ours = isinstance(holder, ast.Constant) or (isinstance(holder, ast.Name) and holder.id in constants)
            if not is_ours:
                yield f"{name}:{call.lineno}: formats by a string that is not its own: {ast.unparse(holder)}"
    for node in list_nodes(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            holder = node.left
            tells_text = isinstance(holder, ast.Name | ast.Attribute) and isinstance(node.right, ast.Tuple | ast.Dict)
            if tells_text and not (isinstance(holder, ast.Name) and holder.id in constants):
                yield f"{name}:{node.lineno}: formats by a string that is not its own: {ast.unparse(holder)}"


def is_our_constant(imported: str) -> bool:
    return imported.startswith("assay.") and imported.rpartition(".")[2].isupper()


def find_constant_names(node: ast.stmt) -> Iterator[str]:
    """Texts that a module binds once, at its top: plain ones, or several joined."""
    if isinstance(node, ast.Assign):
        targets, value = node.targets, node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets, value = [node.target], node.value
    else:
        return
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield from (target.id for target in targets if isinstance(target, ast.Name))


TEMPLATES = sorted(ROOT.rglob("*.html"))


def test_no_template_prints_anything_unescaped():
    unescaped = re.compile(r"\|\s*safe\b|autoescape|\|\s*attr\b|__\w+__")
    found = {name_of(each): unescaped.findall(each.read_text(encoding="utf-8")) for each in TEMPLATES}
    assert {name: words for name, words in found.items() if words} == {}
    assert len(found) > 10


def test_no_module_has_a_door_for_data_to_become_code():
    assert [fault for module in MODULES for fault in find_faults(module, read(module))] == []


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from xml.dom import minidom",
        "import xml.sax",
        "import subprocess",
        "eval(text)",
        "exec(text)",
        "compile(text, '', 'exec')",
        "os.system(text)",
        "run(text, shell=True)",
        "numpy.load(path, allow_pickle=True)",
        "ET.fromstring(text)",
        "Environment(autoescape=True)",
        "FileSystemLoader(folder)",
        "from jinja2 import Template",
        "from string import Template",
        "environment.from_string(text)",
        "text.format(name)",
        "def f(text):\n    return text % (1,)",
        "session.post(url, ssl=False)",
    ],
)
def test_the_reader_of_the_code_sees_each_door(source: str):
    assert list(find_faults(ROOT / "planted.py", ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "re.compile(text)",
        "_WORDS = 'it is {}'\n_WORDS.format(name)",
        "'{} of {}'.format(1, 2)",
        "number % 2",
    ],
)
def test_the_reader_of_the_code_raises_no_false_alarm(source: str):
    assert list(find_faults(ROOT / "planted.py", ast.parse(source))) == []
