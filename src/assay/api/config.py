"""The configuration of a run, declared once for the command line, Python, `assay.toml` and Ray.

Here stand the types and the defaults; `options.toml` says what each option is for and where it is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, get_args

from assay.errors import InputError
from assay.judges.judge import Judge
from assay.models.catalogue import FORMS
from assay.models.chat import ReasoningEffort
from assay.options import NO_BATCH, PYTHON_ONLY, DeclaredOption, list_options, read_table
from assay.runner.run import require_count, require_seconds
from assay.store.opening import default_path

EMBEDDED = "embedded"
LOCAL = "local:"
JUDGES = f"embedded, {FORMS}."
GROUPS = ("What to judge", "Who judges", "What comes out", "Limits", "Runs and replies", "Batches", "Ray")
INPUT, JUDGING, RESULTS, LIMITS, RUNS, BATCHES, CLUSTER = GROUPS
_LONGEST_NAME = 100
_STORE = default_path()
_RECORDS = 8
# Each takes memory while it waits: about 0.1 MB for 600 words of sources.
_BATCHED_RECORDS = 5_000
_TABLE = read_table("assay.api", "options.toml", forms=FORMS, records=_RECORDS, batched_records=_BATCHED_RECORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The options of a run, with their defaults. Raises InputError where they contradict each other."""

    option_table: ClassVar[Mapping[str, DeclaredOption]] = _TABLE

    judges: tuple[str | Judge, ...] = (EMBEDDED,)
    metrics: Sequence[str] = ()
    name: str | None = None
    base_url: str | None = None
    providers: str | Path | None = None
    joint: bool = True
    prompt: str | Path | None = None
    slots: Mapping[str, str] | Sequence[str] = ()
    reasoning_effort: ReasoningEffort | None = None
    samples: int = 1
    side_by_side: bool = False
    rounds: int | None = None
    workers: int | None = None
    max_failures: int | None = None
    timeout: float = 120.0
    record_timeout: float | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    budget_usd: str | float | None = None
    budget_tokens: int | None = None
    prices: str | Path | None = None
    bank: str | Path | None = None
    recorder: str | Path | None = None
    resume: str | None = None
    no_cache: bool = False
    batch: bool = False
    poll: float = 30.0
    resubmit: bool = False

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
            raise InputError("`slots` only apply with `prompt`", remedy="Give the file of the prompt as `prompt`.")
        if self.prompt is not None and len(self.chat_names) < len(self.judges):
            message = "your own prompt needs a language model, or a recording of one"
            raise InputError(message, path=str(self.prompt), remedy="Name one: --judge openai:MODEL.")
        if self.recorder is not None and len(self.judges) > 1:
            remedy = "Record each judge in a separate run."
            raise InputError("a recording holds the replies of one judge", path=str(self.recorder), remedy=remedy)
        if self.rounds is not None:
            require_count(self.rounds, "rounds")
            if not self.side_by_side:
                raise InputError("`rounds` only applies with `side_by_side`", remedy="Leave it out.")
        if self.side_by_side and self.prompt is not None:
            raise InputError("your own prompt judges one output at a time", remedy="Leave out `side_by_side`.")
        if isinstance(self.metrics, str):
            raise InputError(f"`metrics` is {self.metrics!r}, not a list", remedy=f"Write [{self.metrics!r}].")
        if self.metrics and self.prompt is not None:
            raise InputError("your own prompt asks about all metrics", remedy="Leave out `metrics`.")
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
            remedy = "Give `batch` and `resume` too, or leave it out."
            raise InputError("`resubmit` only applies with `batch` and `resume`", remedy=remedy)
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

    option_table: ClassVar[Mapping[str, DeclaredOption]] = _TABLE

    rubric: str | None = None
    limit: int | None = None
    map: tuple[str, ...] = ()
    label_map: tuple[str, ...] = ()
    skip_invalid: bool = False
    explained: tuple[str, ...] = ()
    quiet: bool = False
    store: Path = _STORE


OPTIONS = {each.name: each for kind in (CommonOptions, RunConfig) for each in list_options(kind)}
RUN_OPTIONS = tuple(each for each in list_options(RunConfig) if PYTHON_ONLY not in each.where)
NOT_OF_BATCHES = tuple(each.name for each in RUN_OPTIONS if NO_BATCH in each.where)
