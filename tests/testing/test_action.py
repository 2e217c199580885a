"""The steps of action.yml run as they stand in bash, with the package at hand instead of an installed one."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from importlib.resources import as_file
from pathlib import Path

import pytest
import yaml

from assay.packs import list_packs

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
RUBRIC = "grounded-answer"


@dataclass
class Runner:
    """As GitHub's: resolves expressions of `env`, and keeps what a step writes to the files it is given."""

    folder: Path
    inputs: dict[str, str]
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        programs = self.folder / "bin"
        programs.mkdir()
        self.write_program("assay", f'exec {sys.executable} -c "from assay.cli.main import main; main()" "$@"')
        self.write_program("gh", f'printf "%s\\n" "$@" > {self.folder}/gh.log')
        self.write_program("python3", f'echo "$@" >> {self.folder}/python3.log')

    def write_program(self, name: str, script: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def run(self, step: str) -> subprocess.CompletedProcess[str]:
        given = {name: self.resolve(value) for name, value in STEPS[step].get("env", {}).items()}
        files = {"GITHUB_OUTPUT": self.folder / f"{step}.out", "GITHUB_STEP_SUMMARY": self.folder / "summary.md"}
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, **given, **files, "RUNNER_TEMP": str(self.folder), "PATH": path}
        # The options with which GitHub starts `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]]
        ended = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        written = files["GITHUB_OUTPUT"]
        lines = written.read_text(encoding="utf-8").splitlines() if written.exists() else []
        self.outputs[step] = dict(line.split("=", 1) for line in lines)
        return ended

    def resolve(self, value: str) -> str:
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: self.look_up(found[1]), value)

    def look_up(self, name: str) -> str:
        match name.split("."):
            case ["inputs", key]:
                return self.inputs.get(key, ACTION["inputs"][key].get("default", ""))
            case ["steps", step, "outputs", key]:
                return self.outputs[step][key]
        known = {"github.action_path": "/the/action", "github.token": "t", "github.repository": "us/ours"}
        return {**known, "github.event.pull_request.number": "7"}[name]


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    with as_file(list_packs()[RUBRIC].folder) as folder:
        shutil.copy(folder / "examples.jsonl", tmp_path / "my answers.jsonl")
    return Runner(tmp_path, {"records": "my answers.jsonl", "rubric": RUBRIC})


def test_records_are_judged_reported_annotated_and_gated(runner: Runner):
    runner.inputs |= {
        "fail-under": "faithfulness=0.9\nfaithfulness.low=0.1\n",
        "min-scored": "0.5",
        "arguments": "--limit=3\n--quiet",
    }
    records = runner.folder / "my answers.jsonl"
    answers = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
    for each in answers:
        each["answer"] = "A bicycle costs 22 kroner extra. It costs 90 kroner on Mondays."
    records.write_text("".join(json.dumps(each) + "\n" for each in answers), encoding="utf-8")
    judged = runner.run("judge")
    assert judged.returncode == 0, judged.stderr
    assert len((runner.folder / "assay.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    reported = runner.run("report")
    assert reported.returncode == 0, reported.stderr
    assert "::error title=Assay gate::Faithfulness: mean normalized score " in reported.stdout
    assert "::warning file=my answers.jsonl,title=" in reported.stdout
    assert "**Gate: failed**" in (runner.folder / "summary.md").read_text(encoding="utf-8")
    assert all(Path(runner.outputs["report"][name]).is_file() for name in ("markdown", "html", "junit"))
    assert runner.run("gate").returncode == 1


def test_without_a_gate_the_job_passes_and_the_report_is_a_comment(runner: Runner):
    assert [runner.run(step).returncode for step in ("judge", "report", "comment", "gate")] == [0, 0, 0, 0]
    words = (runner.folder / "gh.log").read_text(encoding="utf-8").splitlines()
    assert words[:5] == ["pr", "comment", "7", "--repo", "us/ours"]
    assert Path(words[words.index("--body-file") + 1]).read_text(encoding="utf-8").startswith("## Grounded answer")


def test_a_comment_that_is_not_allowed_fails_nothing(runner: Runner):
    runner.write_program("gh", "exit 1")
    runner.outputs["report"] = {"markdown": "assay.md"}
    ended = runner.run("comment")
    assert (ended.returncode, "::warning title=Assay::" in ended.stdout) == (0, True)


def test_a_judge_nobody_has_measured_fails_the_gate_where_one_is_asked_for(runner: Runner):
    runner.inputs |= {"require-agreement": "30"}
    assert runner.run("judge").returncode == 0
    assert "no agreement of embedded%3A" not in (said := runner.run("report").stdout)
    assert "::error title=Assay gate::Faithfulness: no agreement of embedded:" in said
    assert runner.run("gate").returncode == 1


def test_wrong_input_ends_the_job_at_once_with_its_message(runner: Runner):
    runner.inputs |= {"rubric": "taste"}
    ended = runner.run("judge")
    assert (ended.returncode, "there is no rubric 'taste'" in ended.stderr) == (2, True)


def test_failures_past_the_limit_are_reported_and_then_fail_the_job(runner: Runner):
    records = [json.loads(line) for line in (runner.folder / "my answers.jsonl").read_text("utf-8").splitlines()]
    (runner.folder / "replies.jsonl").write_text(
        json.dumps({"record": records[0]["id"], "ask": "all", "sample": 0, "text": "no"}) + "\n", encoding="utf-8"
    )
    runner.inputs |= {"judge": "recorded:replies.jsonl", "arguments": "--max-failures=0"}
    assert runner.run("judge").returncode == 0
    assert runner.outputs["judge"]["code"] == "1"
    assert "the judge failed" in runner.run("report").stdout
    ended = runner.run("gate")
    assert (ended.returncode, "::error title=Assay::the judge failed too often" in ended.stdout) == (1, True)


@pytest.mark.parametrize(("version", "wanted"), [("", "/the/action"), ("0.2.0", "assay-judge==0.2.0")])
def test_the_version_named_or_that_of_the_action_is_installed_with_what_the_lock_holds(
    runner: Runner, version: str, wanted: str
):
    runner.inputs |= {"version": version}
    assert runner.run("install").returncode == 0
    assert (runner.folder / "python3.log").read_text(encoding="utf-8").splitlines() == [
        "-m pip install --quiet --require-hashes --requirement /the/action/requirements.lock",
        f"-m pip install --quiet --no-deps {wanted}",
        "-m pip check",
    ]


@pytest.mark.parametrize(
    ("said", "code"),
    [("assay-judge 9.0 requires newest, which is not installed.", 1), ("other 1 has requirement x.", 0)],
)
def test_a_version_that_does_not_fit_the_lock_is_refused_before_anything_is_judged(
    runner: Runner, said: str, code: int
):
    runner.write_program("python3", f'if [ "$3" = check ]; then echo "{said}"; exit 1; fi')
    runner.inputs |= {"version": "9.0"}
    ended = runner.run("install")
    assert ended.returncode == code
    assert ("::error title=Assay::version 9.0 does not fit the lock of this action" in ended.stdout) == bool(code)


def test_the_lock_of_the_action_has_a_hash_for_all_that_the_package_needs():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = {
        found[1]: found[2]
        for found in re.finditer(r"^([\w.-]+)==(.*?)(?=^[\w.-]+==|\Z)", lock, re.MULTILINE | re.DOTALL)
    }
    assert all("--hash=sha256:" in rest for rest in locked.values())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}
    assert needed - set(locked) == set()


def test_no_input_is_written_into_a_script():
    scripts = {name: step["run"] for name, step in STEPS.items() if "run" in step}
    assert len(scripts) == 5
    assert [name for name, script in scripts.items() if "${{" in script] == []


def test_every_input_stands_on_the_page_and_is_used():
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    used = json.dumps(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"`{name}`" not in page or f"inputs.{name} " not in used] == []


def test_the_hook_checks_the_rubric_files_it_is_given(tmp_path: Path):
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    with as_file(list_packs()[RUBRIC].folder) as folder:
        text = (folder / "rubric.md").read_text(encoding="utf-8")
    (tmp_path / "rubric.md").write_text(text, encoding="utf-8")
    (tmp_path / "bad.md").write_text(text.replace("scale: 0 to 100", "scale: wide"), encoding="utf-8")
    assert [bool(re.search(hook["files"], path)) for path in ("a/rubric.md", "rubrics/x.md", "README.md")] == [True, True, False]  # fmt: skip
    program, *words = hook["entry"].split()
    assert (program, hook["language"]) == ("assay", "python")
    command = [sys.executable, "-c", "from assay.cli.main import main; main()", *words]
    for name, code in (("rubric.md", 0), ("bad.md", 2)):
        ended = subprocess.run([*command, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == code, ended.stderr
    assert "bad.md:" in ended.stderr
