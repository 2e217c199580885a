"""What a run has sent, received and spent so far."""

from collections import Counter
from dataclasses import dataclass, field

from assay.engine.costs import Size, render_usd
from assay.errors import FailureStatus
from assay.models.chat import EFFORT_MARK

_LISTED_MODELS = 3


@dataclass(slots=True)
class Meter:
    """Shared by all chats of a run. Only ever grows, except for `running`.

    `sent` counts requests, retries among them; `failures` counts calls that stay without an answer.
    `uncertain_tokens` are what replies without a usage may have been billed at most; the cost includes them. A call
    that was never answered costs nothing. `other_models` answered in the place of the one that was asked for.
    """

    running: int = 0
    sent: int = 0
    retries: int = 0
    cached: int = 0
    shared: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    uncertain_tokens: int = 0
    picodollars: int = 0
    sent_unpriced: int = 0
    unpriced: bool = False
    failures: Counter[FailureStatus] = field(default_factory=Counter)
    other_models: dict[str, None] = field(default_factory=dict)

    def begin(self, *, priced: bool = True) -> None:
        self.running += 1
        self.sent += 1
        self.sent_unpriced += not priced

    def pay(self, size: Size, picodollars: int, *, certain: bool) -> None:
        self.picodollars += picodollars
        if certain:
            self.prompt_tokens += size.prompt
            self.reply_tokens += size.reply
        else:
            self.uncertain_tokens += size.prompt + size.reply

    def note_model(self, asked: str, answered: str) -> None:
        """`asked` is a chat's name. An endpoint that makes up a name for every reply is noted only so often."""
        model = asked.partition(":")[2].partition(EFFORT_MARK)[0]
        if answered and answered != model and len(self.other_models) <= _LISTED_MODELS:
            self.other_models[answered] = None

    def render(self) -> str:
        """One line of it, for people."""
        parts = [f"{self.sent} sent"]
        parts += [f"{self.cached + self.shared} from cache"] if self.cached + self.shared else []
        parts += [f"{self.retries} retries"] if self.retries else []
        parts += [f"{count} {status.replace('_', ' ')}" for status, count in sorted(self.failures.items())]
        parts += [f"{self.prompt_tokens + self.reply_tokens:,} tokens"]
        parts += [f"at most {self.uncertain_tokens:,} tokens not counted"] if self.uncertain_tokens else []
        parts += ["price unknown" if self.unpriced else render_usd(self.picodollars)]
        names = [*self.other_models][:_LISTED_MODELS] + ["…"] * (len(self.other_models) > _LISTED_MODELS)
        parts += [f"answered by {' and '.join(names)}"] if names else []
        return ", ".join(parts)
