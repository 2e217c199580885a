"""`assay config`: the settings in force in this folder, and where each comes from."""

import sys

import click
from click.core import ParameterSource

from assay.api.config import RunConfig
from assay.api.settings import KEYS, PROVIDERS, Settings
from assay.cli.judge import judge
from assay.cli.judging import hide_address
from assay.cli.main import DONE
from assay.cli.options import CommandOption, open_settings
from assay.models.providers import read_providers
from assay.models.secrets import hide_secrets
from assay.report.terminal import build_table, open_console

# In the order of the message about an unknown one.
_OPTIONS = {option.key: option for option in judge.params if isinstance(option, CommandOption)}
_SETTINGS = [_OPTIONS[key] for key in KEYS]


@click.command(params=_SETTINGS, epilog="Example: assay config")
def config(**_values: object) -> int:
    """Show what `assay judge` would use in this folder, and where each value comes from.

    The command line overrides the settings file, and the settings file overrides the defaults. Options given here
    count as those of `assay judge`.
    """
    context = click.get_current_context()
    settings = open_settings(context)
    table = build_table("setting", "value", "from")
    for option in _SETTINGS:
        table.add_row(option.key, _format_value(context, option), _name_source(context, option, settings))
    if settings is not None:
        shipped = read_providers()
        for name, provider in read_providers(settings.path).items():
            if name not in shipped:
                heading = f"{PROVIDERS}.{name}"
                table.add_row(heading, hide_secrets(provider.base_url), settings.name_place("", heading))
    open_console(sys.stdout).print(table)
    if settings is None:
        print("No settings file: there is no assay.toml and no [tool.assay] in pyproject.toml.", file=sys.stderr)
    return DONE


def _format_value(context: click.Context, option: CommandOption) -> str:
    value = context.params[option.name]
    if option.key == "workers" and value is None:
        value = RunConfig().records_under_way
    given = value if isinstance(value, tuple) else (value,)
    return ", ".join("–" if each is None else hide_address(str(each)) for each in given) or "–"


def _name_source(context: click.Context, option: CommandOption, settings: Settings | None) -> str:
    source = context.get_parameter_source(option.name)
    if source is ParameterSource.DEFAULT_MAP and settings is not None:
        return settings.name_place(option.key)
    return "command line" if source is ParameterSource.COMMANDLINE else "built-in"
