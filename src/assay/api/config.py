"""The configuration of a run, declared once for the command line, Python, `assay.toml` and Ray."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from assay.errors import InputError
from assay.judges.judge import Judge
from assay.models.catalogue import FORMS
from assay.models.chat import ReasoningEffort
from assay.options import ATTACK, NO_BATCH, NO_RAY, PYTHON_ONLY, TOML, list_options, option
from assay.runner.run import require_count, require_seconds
from assay.store.opening import default_path

EMBEDDED = "embedded"
LOCAL = "local:"
JUDGES = f"embedded, {FORMS}."
GROUPS = ("What to judge", "Who judges", "What comes out", "Limits", "Runs and replies", "Batches", "Ray")
INPUT, JUDGING, RESULTS, LIMITS, RUNS, BATCHES, CLUSTER = GROUPS
_LONGEST_NAME = 100
_RECORDS = 8
# Each takes memory while it waits: about 0.1 MB for 600 words of sources.
_BATCHED_RECORDS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The options of a run, with their defaults. Raises InputError where they contradict each other."""

    judges: tuple[str | Judge, ...] = option(
        (EMBEDDED,), f"{JUDGES} Repeat for a panel.", JUDGING, TOML, flags=("--judge",), metavar="JUDGE"
    )
    metrics: Sequence[str] = option(
        (),
        "Ask about this metric only, and pay for no other. May be repeated.",
        INPUT,
        flags=("--metric",),
        metavar="METRIC",
    )
    name: str | None = option(
        None, "Name of the run; commands that take RUN take it too.", RUNS, ATTACK, metavar="TEXT"
    )
    base_url: str | None = option(
        None, "Address of the server, for every judge that has none after @.", JUDGING, ATTACK, metavar="URL"
    )
    providers: str | Path | None = option(
        None, "TOML file whose [providers.NAME] tables are added to the shipped providers.", JUDGING, PYTHON_ONLY
    )
    joint: bool = option(
        True,
        "Ask about all metrics of a record in one call, or about each metric in a call of its own.",
        JUDGING,
        flags=("--joint/--separate",),
    )
    prompt: str | Path | None = option(
        None,
        "Send a judge prompt of your own, one call per record; the reply is read by the rubric's reply shape.",
        JUDGING,
    )
    slots: Mapping[str, str] | Sequence[str] = option(
        (),
        "Fill a slot of --prompt from an input, from the whole `record` or from @FILE. May be repeated.",
        JUDGING,
        flags=("--slot",),
        metavar="NAME=VALUE",
    )
    reasoning_effort: ReasoningEffort | None = option(
        None, "How hard a reasoning model thinks before it answers.", JUDGING
    )
    samples: int = option(1, "Ask each judge this many times, at temperature 0.7 if more than once.", JUDGING, least=1)
    side_by_side: bool = option(
        False, "Show the outputs of several systems on the same sources in one call.", JUDGING, NO_RAY
    )
    rounds: int | None = option(
        None,
        "With --side-by-side, ask this many times, in other orders.",
        JUDGING,
        NO_RAY,
        least=1,
        shown="1; 2 for two outputs",
    )
    workers: int | None = option(
        None,
        "Records judged at the same time.",
        LIMITS,
        TOML | ATTACK,
        least=1,
        shown=f"{_RECORDS}; {_BATCHED_RECORDS} with --batch",
    )
    max_failures: int | None = option(
        None, "Stop when more than this many records have failed, and exit 1.", LIMITS, TOML, least=0
    )
    timeout: float = option(
        120.0, "Seconds before a call is given up.", LIMITS, TOML | ATTACK, least=1, metavar="SECONDS"
    )
    record_timeout: float | None = option(
        None, "Seconds before a record is given up.", LIMITS, TOML | NO_BATCH, over=0, metavar="SECONDS"
    )
    requests_per_minute: int | None = option(
        None, "Send at most this many requests per minute to an endpoint.", LIMITS, TOML | NO_BATCH, least=1
    )
    tokens_per_minute: int | None = option(
        None, "Send at most this many tokens per minute to an endpoint.", LIMITS, TOML | NO_BATCH, least=1
    )
    budget_usd: str | float | None = option(
        None, "Spend at most this many dollars. The model's price must be known.", LIMITS, TOML | ATTACK, metavar="X"
    )
    budget_tokens: int | None = option(None, "Use at most this many tokens.", LIMITS, TOML | ATTACK, least=1)
    prices: str | Path | None = option(
        None, "TOML file of prices that override the shipped ones.", LIMITS, TOML | ATTACK
    )
    bank: str | Path | None = option(
        None,
        "Reuse key points, questions and items from an earlier run, or from a file and add to it.",
        RUNS,
        metavar="FILE_OR_RUN",
    )
    recorder: str | Path | None = option(
        None,
        "Append every reply to this file, to replay it with --judge recorded:FILE.",
        RUNS,
        NO_RAY,
        flags=("--record",),
    )
    resume: str | None = option(
        None, "Resume a stopped run: its id or name, or last.", RUNS, ATTACK | NO_RAY, metavar="RUN"
    )
    no_cache: bool = option(False, "Send every call, even if its reply is in the store.", RUNS, ATTACK | NO_RAY)
    batch: bool = option(
        False, "Use the provider's batch endpoint: cheaper, within a day (openai, anthropic, groq).", BATCHES, NO_RAY
    )
    poll: float = option(30.0, "With --batch, how often to look for results.", BATCHES, over=0, metavar="SECONDS")
    resubmit: bool = option(
        False, "With --batch and --resume, send again what may or may not have been submitted before.", BATCHES, NO_RAY
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
        if self.rounds is not None:
            require_count(self.rounds, "rounds")
            if not self.side_by_side:
                raise InputError("`rounds` are those of outputs that are judged side by side", remedy="Leave it out.")
        if self.side_by_side and self.prompt is not None:
            raise InputError("a prompt of your own shows one output", remedy="Leave out `side_by_side`.")
        if isinstance(self.metrics, str):
            raise InputError(f"`metrics` is {self.metrics!r}, not a list", remedy=f"Write [{self.metrics!r}].")
        if self.metrics and self.prompt is not None:
            raise InputError("a prompt of your own asks about all metrics", remedy="Leave out `metrics`.")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """What several commands have beside a run's options, and `assay.judge` too where it is no matter of a terminal."""

    rubric: str | None = option(None, "Id of an installed rubric, or a rubric file.", INPUT, TOML, metavar="ID_OR_FILE")
    limit: int | None = option(None, "Judge only the first N records.", INPUT, least=1)
    map: tuple[str, ...] = option(
        (), "Read a rubric's input from another column. May be repeated.", INPUT, metavar="FIELD=COLUMN"
    )
    label_map: tuple[str, ...] = option(
        (),
        'Read a truth label of the records as one of the rubric\'s: "Yes=Likely Eligible". May be repeated.',
        INPUT,
        TOML,
        metavar="LABEL=TRUTH_LABEL",
    )
    skip_invalid: bool = option(False, "Report invalid records as invalid_record instead of stopping.", INPUT)
    explained: tuple[str, ...] = option(
        (),
        "Show each claim, label, quote and reason behind this record's scores. May be repeated.",
        RESULTS,
        flags=("--explain",),
        metavar="RECORD",
    )
    metrics: tuple[str, ...] = option((), "Only this metric. May be repeated.", flags=("--metric",), metavar="METRIC")
    quiet: bool = option(False, "Print no progress and no summary.", RESULTS)
    store: Path = option(default_path(), "File that keeps runs and replies.", RUNS, TOML)


_COMMON = {each.name: each for each in list_options(CommonOptions)}
# `metrics` is declared twice: what it narrows in other commands costs nothing.
OPTIONS = _COMMON | {each.name: each for each in list_options(RunConfig)} | _COMMON
RUN_OPTIONS = tuple(each for each in list_options(RunConfig) if PYTHON_ONLY not in each.where)
NOT_OF_BATCHES = tuple(each.name for each in RUN_OPTIONS if NO_BATCH in each.where)
