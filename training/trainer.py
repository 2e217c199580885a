"""The training loop: a fixed plan of batches, walked from wherever the last checkpoint stands."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import torch

from training.encoder import PairModel
from training.schedule import Schedule
from training.tokens import TokenPairs
from training.workers import Workers, freeze_words

_CLIP: Final = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """Every batch of a run in order. The same seed gives the same plan, so a place in it is all a checkpoint needs."""

    data: TokenPairs
    batches: Sequence[Sequence[int]]
    fingerprint: str


@dataclass(slots=True)
class Progress:
    """How far a run has come, and how it went since anyone last asked."""

    step: int = 0
    passes: int = 0
    losses: list[float] = field(default_factory=list)


class PlanChangedError(SystemExit):
    """A checkpoint belongs to another plan: going on from it would repeat some pairs and skip others."""


class Trainer:
    """A model on its way through a plan.

    Nothing in the loop is random: there is no dropout, and the plan fixes the order, so a run that was stopped and
    resumed ends with the same weights as one that was not.
    """

    def __init__(self, model: PairModel, plan: Plan, schedule: Schedule, threads: int = 2) -> None:
        freeze_words(model)
        self.model = model
        self.plan = plan
        self.schedule = schedule
        self.progress = Progress()
        self._workers = Workers(model, threads)
        moving = [weight for weight in model.parameters() if weight.requires_grad]
        decayed = [weight for weight in moving if weight.dim() > 1]
        plain = [weight for weight in moving if weight.dim() == 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self._moving = moving
        self._optimizer = torch.optim.AdamW(groups, lr=schedule.peak, betas=(0.9, 0.98), fused=True)

    @property
    def finished(self) -> bool:
        return self.progress.passes >= self.schedule.budget or self.progress.step >= len(self.plan.batches)

    def walk(self, until: Callable[[], bool]) -> float:
        """Step until the plan is done or `until` says so; the seconds spent come back."""
        begun = time.monotonic()
        while not self.finished:
            self._step()
            if until():
                break
        return time.monotonic() - begun

    def _step(self) -> None:
        rows = self.plan.batches[self.progress.step]
        rate = self.schedule.rate_at(self.progress.passes)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss = self._workers.compute_gradients(self.plan.data, rows)
        torch.nn.utils.clip_grad_norm_(self._moving, _CLIP)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self.progress.step += 1
        self.progress.passes += len(rows)
        self.progress.losses.append(loss)

    def save(self, path: Path) -> None:
        """Write beside the old checkpoint, then rename: a crash leaves one whole checkpoint, never half of one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "step": self.progress.step,
            "passes": self.progress.passes,
            "plan": self.plan.fingerprint,
            "random": torch.get_rng_state(),
        }
        partial = path.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(path)

    def resume(self, path: Path) -> None:
        """Go on exactly where the checkpoint was written."""
        state = torch.load(path, weights_only=True)
        if state["plan"] != self.plan.fingerprint:
            raise PlanChangedError(f"{path}: written for plan {state['plan']}, this is plan {self.plan.fingerprint}")
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.progress = Progress(state["step"], state["passes"])
