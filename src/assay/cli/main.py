"""The command `assay`: finds the subcommand, and turns an error into a message and an exit code."""

import os
import re
import sys
import traceback
import warnings
from collections.abc import Mapping
from importlib import import_module
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

import click

from assay import __version__
from assay.errors import InputError, Suspended

DONE, FAILED, WRONG_INPUT, STOPPED, BUG = 0, 1, 2, 3, 70
# The variable in which a shell's completion script asks, as click names it.
_COMPLETE = "_ASSAY_COMPLETE"
_CLOSED = "standard output is closed. Send it to a file or to /dev/null."

_COMMANDS = {
    "agree": ("assay.cli.agree", "Measure how far a judge agrees with people."),
    "attack": ("assay.labs.attack.command", "Measure how far hostile text moves a judge's scores."),
    "config": ("assay.cli.config", "Show the settings that apply in this folder, and where each comes from."),
    "demo": ("assay.cli.demo", "Judge the shipped examples; no key is needed."),
    "judge": ("assay.cli.judge", "Judge records against a rubric."),
    "label": ("assay.cli.pages", "Label a run's records in a browser."),
    "labels": ("assay.cli.pages", "Export and import people's labels."),
    "mcp": ("assay.mcp", "Serve Assay to an agent over the Model Context Protocol."),
    "report": ("assay.cli.report", "Write a run as HTML, Markdown or JUnit XML."),
    "rubric": ("assay.cli.rubric", "List, show, check, create, test and align rubrics."),
    "rank": ("assay.cli.rank", "Rank systems by their scores."),
    "runs": ("assay.cli.runs", "List, show, compare, export, import, rescore and delete runs."),
    "view": ("assay.cli.pages", "Show runs, records and comparisons in a browser."),
}


class LazyGroup(click.Group):
    """Loads a subcommand's module only when it is called. `lazy` has by its name the module and the function."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, name = self.lazy[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command


class Commands(LazyGroup):
    """Lists its subcommands without loading them: `assay --help` stays quick."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's own signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS:
            from assay.files.place import nearest

            groups = ((name, self.get_command(ctx, name)) for name in _COMMANDS)
            lists = ((name, each.list_commands(ctx)) for name, each in groups if isinstance(each, click.Group))
            inside = next((name for name, listed in lists if args[0] in listed), None)
            remedy = f"Write `assay {inside} {args[0]}`." if inside else nearest(args[0], _COMMANDS)
            raise InputError(f"there is no command {args[0]!r}", remedy=remedy)
        return super().resolve_command(ctx, args)


@click.command(
    cls=Commands,
    lazy={name: (module, name) for name, (module, _) in _COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: assay judge records.jsonl --rubric RUBRIC --judge openai:MODEL",
)
@click.version_option(__version__, prog_name="assay")
def assay() -> None:
    """Judge generated texts against their sources, and see the evidence."""


def main() -> None:
    is_closed = sys.stdout is None
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        _prepare(stream)
    warnings.formatwarning = lambda message, *_, **__: f"assay: {message}\n"
    try:
        code = _call()
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        code = WRONG_INPUT
    except (click.exceptions.Abort, KeyboardInterrupt):
        code = _say("interrupted", STOPPED)
    except click.UsageError as error:
        code = _say(_explain_usage(error), WRONG_INPUT)
    except InputError as error:
        code = _say(_name_flags(str(error)), STOPPED if isinstance(error, Suspended) else WRONG_INPUT)
    except BrokenPipeError:  # the reader closed our output, as `head` does; nothing is wrong
        code = _say(_CLOSED, WRONG_INPUT) if is_closed else DONE
    except Exception:  # noqa: BLE001  # the one place: whatever reaches it is our bug, and says so
        sys.stderr.write(_hide_keys(traceback.format_exc()))
        code = _say("this is a bug in assay. Please report it with the lines above.", BUG)
    sys.exit(_flush(code, is_closed=is_closed))


def _call() -> int:
    """As click's own main, which would turn a closed pipe into exit 1."""
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(assay, {}, "assay", _COMPLETE, instruction)
    try:
        with assay.make_context("assay", sys.argv[1:]) as context:
            code: object = assay.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    return code if isinstance(code, int) else DONE


class _LenientFile(FileIO):
    """Drops what can't be written: a message that nobody can read must not end a run."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data))


def _open_streams() -> None:
    """Gives a closed descriptor a file, so that the next one to be opened, such as the store, does not get its number.

    A closed standard output becomes a pipe without a reader: there is one way in which nobody reads the results.
    """
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")  # noqa: SIM115, PTH123  # stays open
    if sys.stdout is None:
        reader, writer = os.pipe()
        os.close(reader)
        sys.stdout = open(_move(writer, 1), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        _move(os.open(os.devnull, os.O_WRONLY), 2)
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        encoding = "utf-8" if sys.stderr is None else sys.stderr.encoding
        buffer = BufferedWriter(_LenientFile(2, "w", closefd=False))
        sys.stderr = TextIOWrapper(buffer, encoding, "replace", line_buffering=True)


def _move(descriptor: int, wanted: int) -> int:
    if descriptor != wanted:
        os.dup2(descriptor, wanted)
        os.close(descriptor)
    return wanted


def _prepare(stream: object) -> None:
    """Pipes get UTF-8; a terminal gets a replacement for a character that its encoding lacks."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="replace")


def _flush(code: int, *, is_closed: bool) -> int:
    """Says where output can't be written, unless an error was said already; Python would change the exit code."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What is unwritten must not fail again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code == DONE and is_closed:
            return _say(_CLOSED, WRONG_INPUT)
        if code not in {WRONG_INPUT, BUG} and not isinstance(error, BrokenPipeError):
            message = f"can't write to standard output: {error.strerror}. Free some space, or use --out."
            return _say(message, WRONG_INPUT)
    return code


def _name_flags(message: str) -> str:
    """Shared code names arguments in backticks (`max_failures`); a shell user types --max-failures."""
    command: click.Command | None = assay
    context = click.Context(assay)
    for word in sys.argv[1:]:
        if isinstance(command, click.Group):
            command = command.get_command(context, word) or command
    flags = {
        name: max(option.opts, key=len)
        for option in (command.params if command is not None else ())
        if isinstance(option, click.Option)
        for name in (option.name, max(option.opts, key=len).removeprefix("--").replace("-", "_"))
    }
    return re.sub(r"`(\w+)`", lambda found: flags.get(found[1], found[0]), message)


def _explain_usage(error: click.UsageError) -> str:
    message = error.format_message().rstrip(".")
    return message if error.ctx is None else f"{message}. See: {error.ctx.command_path} --help"


def _hide_keys(text: str) -> str:
    """Users send tracebacks to others, and an error may quote a key."""
    from assay.models.secrets import find_address_secrets, find_login_secrets, find_secrets

    variables = [(name.lower(), value) for name, value in os.environ.items()]
    known = [value for name, value in variables if name.endswith("_key") or "token" in name]
    addresses = [value for name, value in variables if name.endswith(("_base_url", "_endpoint", "_proxy"))]
    addresses += [word for word in sys.argv if "://" in word]
    known += [each for value in addresses for each in (*find_login_secrets(value), *find_address_secrets(value))]
    return find_secrets(*known).redact(text)


def _say(message: str, code: int) -> int:
    print(f"assay: {message}", file=sys.stderr)
    return code
