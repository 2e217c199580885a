"""The configuration of a run, declared once for the command line, Python, `assay.toml` and Ray."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from assay.errors import InputError
from assay.judges.judge import Judge
from assay.models.catalogue import FORMS
from assay.models.chat import ReasoningEffort
from assay.options import DeclaredOption, OptionSpec, list_options, option
from assay.packs.default import DEFAULT
from assay.runner.run import require_count, require_seconds
from assay.store.opening import default_path

EMBEDDED = "embedded"
LOCAL = "local:"
INPUT, JUDGING, LIMITS = "What to judge", "Who judges", "Limits"
RUNS, BATCHES = "Runs and replies", "Batches"
_LONGEST_NAME = 100
_RECORDS = 8
# Each takes memory while it waits: about 0.1 MB for 600 words of sources.
_BATCHED_RECORDS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The options of a run, with their defaults. Raises InputError where they contradict each other.

    `providers` is a TOML file whose `[providers.NAME]` tables are added to the shipped providers.
    """

    judges: tuple[str | Judge, ...] = option(
        (EMBEDDED,),
        f"embedded, {FORMS}. Repeat for a panel.",
        group=JUDGING,
        flags=("--judge",),
        repeats=True,
        in_settings=True,
    )
    name: str | None = option(
        None, "Name of the run; commands that take RUN take it too.", group=RUNS, metavar="TEXT", in_attacks=True
    )
    base_url: str | None = option(
        None, "Address of the server, for every judge that has none after @.", group=JUDGING, in_attacks=True
    )
    providers: str | Path | None = None
    joint: bool = option(
        True,
        "Ask about all metrics of a record in one call, or about each metric in a call of its own.",
        kind="flag",
        group=JUDGING,
        flags=("--joint/--separate",),
    )
    prompt: str | Path | None = option(
        None,
        "Send a judge prompt of your own, one call per record; the reply is read by the rubric's reply shape.",
        kind="path",
        group=JUDGING,
    )
    slots: Mapping[str, str] | Sequence[str] = option(
        (),
        "Fill a slot of --prompt from an input, from the whole `record` or from @FILE. May be repeated.",
        group=JUDGING,
        flags=("--slot",),
        metavar="NAME=VALUE",
        repeats=True,
    )
    reasoning_effort: ReasoningEffort | None = option(
        None,
        "How hard a reasoning model thinks before it answers.",
        group=JUDGING,
        choices=get_args(ReasoningEffort),
    )
    samples: int = option(1, "Ask each judge this many times.", kind="whole", group=JUDGING, least=1)
    workers: int | None = option(
        None,
        f"Records judged at the same time.  [default: {_RECORDS}; more with --batch]",
        kind="whole",
        group=LIMITS,
        least=1,
        in_settings=True,
        in_attacks=True,
    )
    max_failures: int | None = option(
        None,
        "Stop when more than this many records have failed, and exit 1.",
        kind="whole",
        group=LIMITS,
        least=0,
        in_settings=True,
    )
    timeout: float = option(
        120.0,
        "Seconds before a call is given up.",
        kind="number",
        group=LIMITS,
        least=1,
        in_settings=True,
        in_attacks=True,
    )
    record_timeout: float | None = option(
        None,
        "Seconds before a record is given up.",
        kind="number",
        group=LIMITS,
        least=0,
        above=True,
        in_settings=True,
        in_batches=False,
    )
    requests_per_minute: float | None = option(
        None,
        "Send at most this many requests per minute to an endpoint.",
        kind="whole",
        group=LIMITS,
        metavar="N",
        least=1,
        in_settings=True,
        in_batches=False,
    )
    tokens_per_minute: float | None = option(
        None,
        "Send at most this many tokens per minute to an endpoint.",
        kind="whole",
        group=LIMITS,
        metavar="N",
        least=1,
        in_settings=True,
        in_batches=False,
    )
    budget_usd: str | float | None = option(
        None,
        "Spend at most this many dollars. The model's price must be known.",
        kind="number",
        group=LIMITS,
        metavar="X",
        in_settings=True,
        in_attacks=True,
    )
    budget_tokens: int | None = option(
        None,
        "Use at most this many tokens.",
        kind="whole",
        group=LIMITS,
        metavar="N",
        least=1,
        in_settings=True,
        in_attacks=True,
    )
    prices: str | Path | None = option(
        None,
        "TOML file of prices that override the shipped ones.",
        kind="path",
        group=LIMITS,
        in_settings=True,
        in_attacks=True,
    )
    bank: str | Path | None = option(
        None, "Reuse key points, questions and items from an earlier run, or from a file and add to it.", group=RUNS
    )
    recorder: str | Path | None = option(
        None,
        "Append every reply to this file, to replay it with --judge recorded:FILE.",
        kind="path",
        group=RUNS,
        flags=("--record",),
        on_ray=False,
    )
    resume: str | None = option(
        None,
        "Resume a stopped run: its id or name, or last.",
        group=RUNS,
        metavar="RUN",
        on_ray=False,
        in_attacks=True,
    )
    no_cache: bool = option(
        False,
        "Send every call, even if its reply is in the store.",
        kind="flag",
        group=RUNS,
        on_ray=False,
        in_attacks=True,
    )
    batch: bool = option(
        False,
        "Use the provider's batch endpoint: cheaper, within a day (openai, anthropic, groq).",
        kind="flag",
        group=BATCHES,
        on_ray=False,
    )
    poll: float = option(
        30.0,
        "With --batch, how often to look for results.",
        kind="number",
        group=BATCHES,
        metavar="SECONDS",
        least=0,
        above=True,
    )
    resubmit: bool = option(
        False,
        "With --batch --resume, send again what may or may not have been submitted before.",
        kind="flag",
        group=BATCHES,
        on_ray=False,
    )

    def __post_init__(self) -> None:
        self._check_name()
        require_count(self.records_under_way, "workers")
        require_count(self.samples, "samples")
        require_seconds(self.timeout, "timeout")
        require_seconds(self.poll, "poll")
        if self.reasoning_effort not in (None, *get_args(ReasoningEffort)):
            remedy = f"Write one of: {', '.join(get_args(ReasoningEffort))}."
            raise InputError(f"there is no reasoning effort {self.reasoning_effort!r}", remedy=remedy)
        if self.slots and self.prompt is None:
            raise InputError("slots are those of a prompt", remedy="Name the file of the prompt: `prompt`.")
        if self.prompt is not None and len(self.chat_names) < len(self.judges):
            message = "a prompt of your own needs a language model, or a recording of one"
            raise InputError(message, path=str(self.prompt), remedy="Name one: --judge openai:MODEL.")
        if self.recorder is not None and len(self.judges) > 1:
            remedy = "Record each judge in a run of its own."
            raise InputError("a recording holds the replies of one judge", path=str(self.recorder), remedy=remedy)
        self._check_batch()

    def _check_name(self) -> None:
        if self.name is None:
            return
        is_line = self.name.isprintable() and self.name == self.name.strip() and 0 < len(self.name) <= _LONGEST_NAME
        # `last` is the last run, and RUN:SYSTEM is one system of a run.
        if not is_line or self.name == "last" or ":" in self.name:
            remedy = f"Write one line of at most {_LONGEST_NAME} characters, without a colon, and not `last`."
            raise InputError(f"{self.name!r:.80} can't be the name of a run", remedy=remedy)

    def _check_batch(self) -> None:
        if self.resubmit and not (self.batch and self.resume):
            remedy = "Use it beside `batch` and `resume`."
            raise InputError("`resubmit` is for a batch run that is resumed", remedy=remedy)
        if not self.batch:
            return
        for each in self.judges:
            if each not in self.chat_names:
                name = each if isinstance(each, str) else each.name
                remedy = "Leave out `batch`, or name openai:MODEL or anthropic:MODEL."
                raise InputError(f"the judge {name} has no batch endpoint", remedy=remedy)
        for name in NOT_OF_BATCHES:
            if getattr(self, name) is not None:
                raise InputError(f"`{name}` does not apply to batches", remedy=f"Leave out `{name}` or `batch`.")

    @property
    def records_under_way(self) -> int:
        """As many as can share a batch, or few where each call is sent by itself."""
        return self.workers if self.workers is not None else (_BATCHED_RECORDS if self.batch else _RECORDS)

    @property
    def judge_names(self) -> tuple[str, ...]:
        """Without the judges that were passed in as objects."""
        return tuple(judge for judge in self.judges if isinstance(judge, str))

    @property
    def chat_names(self) -> tuple[str, ...]:
        """The judges that are language models, or recordings of one."""
        return tuple(name for name in self.judge_names if name != EMBEDDED and not name.startswith(LOCAL))


RUBRIC = DeclaredOption(
    "rubric_name",
    None,
    OptionSpec(
        f"Id of an installed rubric, or a rubric file. Required with RECORDS; otherwise {DEFAULT} by default.",
        group=INPUT,
        flags=("--rubric",),
        in_settings=True,
    ),
)
LABEL_MAP = DeclaredOption(
    "label_map",
    (),
    OptionSpec(
        'Read a truth label of the records as one of the rubric\'s: "Yes=Likely Eligible". May be repeated.',
        group=INPUT,
        metavar="LABEL=TRUTH_LABEL",
        repeats=True,
        in_settings=True,
    ),
)
STORE = DeclaredOption(
    "store",
    default_path(),
    OptionSpec("File that keeps runs and replies.", kind="path", group=RUNS, in_settings=True),
)
RUN_OPTIONS = tuple(list_options(RunConfig))
NOT_OF_BATCHES = tuple(each.name for each in RUN_OPTIONS if not each.spec.in_batches)
