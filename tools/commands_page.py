"""Writes docs/commands.md from the commands themselves: `python tools/commands_page.py`, or `make docs`."""

# ruff: noqa: INP001  # programs of the project, not a package

import re
from collections.abc import Iterator
from pathlib import Path

import click

from assay.cli.main import assay
from assay.cli.options import CommandOption, GroupedCommand, group_options

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
_HEAD = """\
# Commands

<!-- Written by tools/commands_page.py from the commands: edit their help, then run `make docs`. -->

Every command has `--help` (or `-h`). `assay --version` prints the version. [Exit codes](running.md#exit-codes) are \
those of all commands. RUN is an id, the beginning of an id, a [name](running.md#store-and-resume), or `last`. An \
option with a key takes its default from [`assay.toml`](running.md#settings).
"""
_SEE = {
    "assay agree": "[agreement](agreement.md)",
    "assay attack": "[defences and attacks](defences.md#measure-your-judge)",
    "assay config": "[settings](running.md#settings)",
    "assay demo": "[the shipped examples](../src/assay/packs/EXAMPLES.md)",
    "assay judge": "[choose](choose.md), [running](running.md), [judges](judges.md), [results](results.md), "
    "[costs](cost.md), [Ray](ray.md) and [your own prompt](prompt.md)",
    "assay label": "[pages](pages.md)",
    "assay labels": "[the CSV columns](pages.md#csv)",
    "assay mcp": "[judging from an agent](mcp.md)",
    "assay report": "[reports](reports.md)",
    "assay rubric": "[writing a rubric](rubrics.md)",
    "assay rubric align": "[edits](align.md#edits)",
    "assay rubric test": "[worked examples](align.md#worked-examples)",
    "assay runs compare": "[comparing runs](running.md#comparing-runs)",
    "assay runs export": "[other tools](tools.md)",
    "assay view": "[pages](pages.md)",
}


def build_page() -> str:
    commands = list(_walk(assay, "assay"))[1:]
    rows = [(f"[`{path}`](#{path.replace(' ', '-')})", _shorten(command)) for path, command in commands]
    described = [_format_command(path, command) for path, command in commands]
    return "\n".join([_HEAD, *_format_table(("command", "what it does"), rows), *described, ""])


def _walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from _walk(found, f"{path} {name}")


def _shorten(command: click.Command) -> str:
    """The first sentence of its help."""
    return re.split(r"(?<=\.)\s", " ".join((command.help or "").split()))[0]


def _format_command(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    # A subcommand stands one level below its group.
    level = "#" * path.count(" ")
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    paragraphs = [_mark_flags(" ".join(each.split())) for each in (command.help or "").split("\n\n")]
    examples = (command.epilog or "").removeprefix("Example: ").split(", or: ")
    lines = [f"\n#{level} {path}\n", f"`{usage}`\n", *(f"{each}\n" for each in paragraphs)]
    lines += ["```console parsed", *examples, "```"]
    options = [each for each in command.params if isinstance(each, click.Option)]
    groups = group_options(options) if isinstance(command, GroupedCommand) else {"": options} if options else {}
    for group, each in groups.items():
        rows = [_describe_option(context, option) for option in each]
        lines += [f"\n#{level}# {group}"] if group else []
        lines += ["", *_format_table(("option", "meaning", "default", "key"), rows)]
    return "\n".join([*lines, f"\nSee {_SEE[path]}."] if path in _SEE else lines)


def _describe_option(context: click.Context, option: click.Option) -> tuple[str, ...]:
    names = " / ".join([*option.opts, *option.secondary_opts])
    named = names if option.is_flag else f"{names} {option.make_metavar(context)}"
    default = option.get_help_extra(context).get("default", "required" if option.required else "").strip("()")
    key = f"`{option.key}`" if isinstance(option, CommandOption) and option.key else ""
    return f"`{named}`", _mark_flags(option.help or ""), f"`{default}`" if default else "", key


def _mark_flags(text: str) -> str:
    return re.sub(r"(?<![\w`-])--[a-z][a-z-]+", r"`\g<0>`", text)


def _format_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Without the columns that are empty everywhere."""
    full = [at for at in range(len(head)) if any(row[at] for row in rows)]
    cells = [[row[at].replace("|", "\\|") for at in full] for row in ([head], rows) for row in row]
    return [f"| {' | '.join(cells[0])} |", f"|{'---|' * len(full)}", *(f"| {' | '.join(row)} |" for row in cells[1:])]


if __name__ == "__main__":
    PAGE.write_text(build_page(), encoding="utf-8")
