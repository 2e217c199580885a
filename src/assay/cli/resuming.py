"""Going on with a run: the command that does it, and the runs it may not be done with."""

import shlex
import sys
from pathlib import Path

from assay.cli.naming import name_command
from assay.errors import InputError
from assay.models.secrets import hide_secrets
from assay.store.store import RunRow

# What a run was begun with that says nothing of it.
_UNSAID = {"samples": "1", "joint": "False"}


def render_resume_command(run: str) -> str:
    """The command that was typed, with the run to go on with; a key in an address is left for the user to fill in."""
    words = [hide_secrets(word) if "://" in word else word for word in sys.argv[1:]]
    if "--resume" in words:
        at = words.index("--resume")
        del words[at : at + 2]
    return f"{name_command()} {shlex.join([*words, '--resume', run])}"


def refuse_other_command(kept: RunRow, asked: RunRow) -> None:
    """The records of an attack are made by it: judged under its run, others would count as its trials."""
    begun, typed = _find_command(kept), _find_command(asked)
    if begun != typed:
        remedy = f"Go on with it by `assay {begun}`, or name a run of `assay {typed}` (see `assay runs list`)."
        raise InputError(f"`assay {begun}` has begun run {kept.id}", remedy=remedy)


def _find_command(run: RunRow) -> str:
    """Only an attack has variants."""
    return "attack" if "variants" in run.parameters else "judge"


def refuse_other_run(kept: RunRow, asked: RunRow) -> None:
    """A run goes on under the rubric, judges, samples and banks it was begun with, or it would be two runs in one."""
    if kept.rubric_digest != asked.rubric_digest:
        remedy = "Use the rubric it was begun with, or begin a new run without --resume."
        what = "another version of" if kept.rubric_id == asked.rubric_id else "another rubric:"
        raise InputError(f"run {kept.id} was begun with {what} {kept.rubric_id}", remedy=remedy)
    if kept.judges != asked.judges:
        remedy = f"It was begun with {', '.join(kept.judges)}. Name the same, or begin a new run without --resume."
        raise InputError(f"run {kept.id} was begun with other judges than {', '.join(asked.judges)}", remedy=remedy)
    for name in ("samples", "joint", "bank"):
        begun, now = (str(run.parameters.get(name, _UNSAID.get(name, ""))) for run in (kept, asked))
        # An earlier version kept a bank's path as it was typed.
        if begun != now and not (name == "bank" and begun and str(Path(begun).resolve()) == now):
            said = {"": f"no --{name}", "False": f"no --{name}", "True": f"--{name}"}.get(begun, f"--{name} {begun}")
            remedy = "Write the same, or begin a new run without --resume."
            raise InputError(f"run {kept.id} was begun with other settings: {said}", remedy=remedy)


def refuse_other_settings(kept: RunRow, asked: RunRow) -> None:
    """Other settings would make other records, and what is kept would be of both."""
    if (kept.parameters, kept.records_source) != (asked.parameters, asked.records_source):
        remedy = "Write the same options, or begin a new run without --resume."
        raise InputError(f"run {kept.id} was begun with other settings", remedy=remedy)
