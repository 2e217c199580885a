"""`import assay` costs nothing: no heavy module, no file of ours, no socket, no look at the environment."""

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import assay

ROOT = Path(__file__).parents[1]
HEAVY = ("aiohttp", "rich", "click", "orjson", "numpy", "rapidfuzz", "pandas", "polars")
PROBE = """
import sys
events = []
def watch(event, arguments):
    if event in {"open", "socket.__new__", "socket.connect", "socket.getaddrinfo", "os.listdir", "subprocess.Popen"}:
        events.append((event, str(arguments[0])))
sys.addaudithook(watch)
import assay
found = [
    each for each in events
    if each[0] != "open" and each[0] != "os.listdir"
    or each[0] == "open" and not each[1].endswith((".py", ".pyc", ".pth", ".so"))
]
print([name for name in %r if name in sys.modules], found, assay.__version__)
"""


def test_importing_assay_loads_nothing_heavy_and_opens_nothing() -> None:
    code = PROBE % (HEAVY,)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, _, rest = ended.stdout.partition("] ")
    assert loaded == "["
    assert rest.startswith("[] 0.")


def test_importing_assay_reads_no_environment_of_ours() -> None:
    code = (
        "import os, assay, sys\n"
        "class Watched(dict):\n"
        "    def __getitem__(self, key): raise AssertionError(key)\n"
        "    get = __contains__ = __getitem__\n"
        "os.environ = Watched()\n"
        "assert not hasattr(assay, 'nothing')\n"
        "import importlib; importlib.reload(assay)\n"
        "print('fine')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "fine\n"


def test_the_public_names_are_listed_before_they_are_loaded_and_are_there_on_first_use() -> None:
    code = (
        "import assay; print(*dir(assay)); import assay.cli.main\n"
        "assert all(getattr(assay, name) is not None for name in assay.__all__); print(*dir(assay))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = (set(line.split()) for line in ended.stdout.splitlines())
    assert {name for name in before if not name.startswith("__")} == set(assay.__all__) - {"__version__"}
    assert after == before
    assert len(assay.__all__) <= 30


def test_the_wheel_and_the_command_name_the_same_version() -> None:
    """The wheel said 0.1.0 where `assay --version` said 0.2.0."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"] == {"path": "src/assay/__init__.py"}
    assert version("assay-judge") == assay.__version__, "install it anew with: make install-dev"
