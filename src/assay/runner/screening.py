"""Settles claims before a language model is asked: what a source says word for word and, if wanted, what is likely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.domain.ask import MetricAsk
from assay.domain.findings import Findings, Label
from assay.domain.parts import LabelPart
from assay.engine.budget import Bill, Load
from assay.judges.copied import find_copied, is_denied
from assay.judges.embedded.judge import EmbeddedJudge, is_faithfulness
from assay.judges.judge import Judge
from assay.judges.prompted.prompt import build_metrics_prompt
from assay.runner.asking import MetricReplies
from assay.runner.planning import drop_settled
from assay.units.evidence import verify
from assay.units.passages import Passages


@dataclass(slots=True)
class Screened:
    """What screening came to. `settled` claims of all were not asked about, `likely` ones among them by probability.

    `calls` and `tokens` are those that were saved, estimated as a forecast does. Where every claim is asked about all
    the same, `differing` counts the settled ones that the judge labels otherwise.
    """

    claims: int = 0
    settled: int = 0
    likely: int = 0
    calls: int = 0
    tokens: int = 0
    differing: int = 0

    def render(self, *, verifies: bool) -> str:
        """One line of it, for people."""
        how = f" ({self.settled - self.likely} word for word, {self.likely} by probability)" if self.likely else ""
        calls = f"{self.calls} {'call' if self.calls == 1 else 'calls'}"
        said = f"{self.settled} of {self.claims} claims settled{how}, {calls} and about {self.tokens:,} tokens saved."
        if verifies:
            return f"Without --screen-verify: {said} The judge labels {self.differing} of these claims otherwise."
        return f"Screened: {said}"


@dataclass(frozen=True, slots=True)
class Screen:
    """`embedded` settles claims whose probability is above the threshold. One that `verifies` leaves nothing out."""

    embedded: Judge | None = None
    threshold: float = 1.0
    verifies: bool = False
    total: Screened = field(default_factory=Screened)

    def __str__(self) -> str:
        return "word for word" if self.embedded is None else f"{self.threshold} by {self.embedded.name}"

    def of(self, judge: Judge) -> "Screen | None":
        """The embedded judge has no call to save."""
        return None if isinstance(judge, EmbeddedJudge) else self

    async def settle(self, ask: MetricAsk, passages: Passages, proven: Sequence[Label] = ()) -> tuple[Label, ...]:
        """The labels that need no call; `proven` are those that code has found otherwise.

        A ranking has to choose among all claims, so that a metric with one is asked about all of them.
        """
        part = ask.metric.labels("claim")
        if part is None or not is_faithfulness(part):
            return ()
        known = {label.unit for label in proven}
        claims = replace(ask, units=tuple(unit for unit in ask.units if unit.kind == "claim" and unit.id not in known))
        self.total.claims += len(claims.units)
        if _is_ranked(ask):
            return ()
        copied = find_copied(claims, part, passages) if _is_about_one_thing(ask) else []
        found = {label.unit: label for label in (*await self._find_likely(claims, part, passages), *copied)}
        verified = verify(Findings(tuple(found.values())), claims, passages).findings.labels
        by_code = {label.unit for label in copied}
        by = "" if self.embedded is None else self.embedded.name
        settled = [replace(each, by="code" if each.unit in by_code else by) for each in verified if each.decided]
        self.total.settled += len(settled)
        self.total.likely += sum(label.by != "code" for label in settled)
        return (*proven, *settled)

    def narrow(
        self, groups: Sequence[Sequence[MetricAsk]], labels: Mapping[str, Sequence[Label]], passages: Passages
    ) -> Sequence[Sequence[MetricAsk]]:
        """The groups of asks without what is settled, and what that saves, counted. A group with nothing left goes."""
        if not any(labels.values()):
            return groups
        left = [[rest for ask in group if (rest := drop_settled(ask, labels[ask.id]))] for group in groups]
        left = [group for group in left if group]
        before, after = (estimate_bill(each, passages) for each in (groups, left))
        self.total.calls += before.calls - after.calls
        self.total.tokens += before.tokens - after.tokens
        return groups if self.verifies else left

    def add_labels(self, state: MetricReplies, labels: Sequence[Label]) -> None:
        """Puts them beside the judge's, in the order of the units; or holds them to the judge's, to verify them."""
        if self.verifies:
            said = {label.unit: label.label for label in state.findings.labels if label.decided and label.by == "judge"}
            differing = sum(said.get(label.unit, label.label) != label.label for label in labels)
            self.total.differing += differing
            state.add_flags(*["screen_differs"] * bool(differing))
            return
        places = {unit.id: place for place, unit in enumerate(state.units)}
        joined = state.findings.joined(Findings(tuple(labels)))
        state.findings = replace(joined, labels=tuple(sorted(joined.labels, key=lambda label: places[label.unit])))
        state.add_flags(*["screened"] * any(label.by != "code" for label in labels))

    async def _find_likely(self, ask: MetricAsk, part: LabelPart, passages: Passages) -> list[Label]:
        """What the embedded judge calls supported with a probability above the threshold.

        The probability is no part of the label: an estimate needs that of every claim.
        """
        if self.embedded is None or not ask.units:
            return []
        units = {unit.id: unit for unit in ask.units}
        answer = await self.embedded.answer(ask, passages)
        return [
            replace(label, probability=None)
            for label in answer.findings.labels
            if label.label == part.best and label.probability is not None and label.probability > self.threshold
            if not is_denied(label, units[label.unit])
        ]


def estimate_bill(groups: Sequence[Sequence[MetricAsk]], passages: Passages) -> Bill:
    load = Load()
    for group in groups:
        prompt = build_metrics_prompt(group, passages)
        load.add(prompt.messages, prompt.max_tokens, 1)
    return load.forecast("", None).low


def _is_ranked(ask: MetricAsk) -> bool:
    claims = sum(unit.kind == "claim" for unit in ask.units)
    return any(part.over == "claims" and claims > part.most for part in ask.metric.pick_parts)


def _is_about_one_thing(ask: MetricAsk) -> bool:
    """Not products or a patient and a trial: there, what is true of the one may be said of the other."""
    sources = [each for each in ask.rubric.inputs if each.role == "source"]
    return len(sources) == 1 and sources[0].kind != "objects"
