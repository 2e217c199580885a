"""CPU seconds until Assay is there: importing it, and asking it for help. Median of five, each in a new process.

python bench/startup.py            writes bench/results/startup.md
"""

import os
import subprocess
import sys
import time

from workload import conclude, load, median, render_table

RUNS = 5
LIMITS = {"python -c pass": None, "import assay": 0.15, "assay --help": 0.25}
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import assay": [sys.executable, "-c", "import assay"],
    "assay --help": [
        sys.executable,
        "-c",
        "import sys; from assay.cli.main import main; sys.argv = ['assay', '--help']; sys.exit(main())",
    ],
}


def measure(command: list[str]) -> tuple[float, float]:
    """CPU and wall-clock seconds of one process."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return cpu, time.perf_counter() - start


def main() -> None:
    script = os.path.join(os.path.dirname(sys.executable), "assay")  # noqa: PTH118, PTH120  # as a shell would start it
    if os.path.exists(script):  # noqa: PTH110
        COMMANDS["assay --help"] = [script, "--help"]
    rows = []
    for name, command in COMMANDS.items():
        measure(command)  # the first one also reads the files from the disk
        runs = [measure(command) for _ in range(RUNS)]
        cpu = median([each[0] for each in runs])
        limit = LIMITS[name]
        verdict = "" if limit is None else "yes" if cpu <= limit else "**no**"
        spread = f"{min(each[0] for each in runs):.2f}–{max(each[0] for each in runs):.2f}"
        rows.append(
            (name, f"{cpu:.2f}", spread, f"{median([each[1] for each in runs]):.2f}", limit or "", verdict, load())
        )
    header = ("command", "CPU s (median of 5)", "range", "wall s", "at most", "reached", "load")
    conclude("startup", "Start-up", [render_table(header, rows)])


if __name__ == "__main__":
    main()
