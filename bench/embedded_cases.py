"""What the built-in judge says of short cases, right and wrong, by kind of fault, beside counting words.

PYTHONPATH=.:tests python bench/embedded_cases.py            writes bench/results/embedded_cases.md
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.packs import list_packs
from workload import conclude, render_table

FOLDER = Path(__file__).parent / "embedded_cases"
RUBRIC, METRIC = "article-audit", "hallucination"
KINDS = ("negation", "figure", "name", "role", "reason", "condition", "direction", "invention", "paraphrase", "close")
NOTE = """\
Each case is a short source and one claim, right or wrong. *own* was written with the code in sight; *earlier* by somebody who had not
seen it, but choices were made since by its figures; *unseen* by somebody else who had not seen it, and measured once, at the end.
No weight or threshold was fitted to any of them ([decision 48](../../docs/decisions/0048-supported-by-cost.md)).
*found*: called absent or contradicted. *accused*: the same said of a right claim. *undecided* includes what the judge declined to
score. *by words*: wrong claims that would pass if as many right claims were passed by the share of their words that the source
has as the judge calls supported."""


@dataclass(frozen=True)
class Case:
    id: str
    kind: str
    source: str
    claim: str
    label: str

    @property
    def overlap(self) -> float:
        known = {word.strip(".,;:()") for word in self.source.casefold().split()}
        own = [word.strip(".,;:()") for word in self.claim.casefold().split()]
        return sum(word in known for word in own) / max(1, len(own))


def read_cases(path: Path) -> list[Case]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [Case(*(row[name] for name in ("id", "kind", "source", "claim", "label"))) for row in rows]


def judge(cases: Sequence[Case]) -> dict[str, str]:
    """supported, at fault or undecided, by the case's id."""
    records = [{"id": case.id, "article": case.source, "summary": case.claim} for case in cases]
    said = {}
    for case, scored in zip(cases, assay.judge(records, RUBRIC, "embedded"), strict=True):
        found = scored.to_dict()["metrics"][METRIC].get("findings", ())
        labels = {each["support"] for each in found if each["kind"] == "claim"}
        at_fault = labels & {"absent", "contradicted"}
        said[case.id] = "at fault" if at_fault else "supported" if labels == {"supported"} else "undecided"
    return said


def count_by_words(cases: Sequence[Case], said: dict[str, str]) -> dict[str, bool]:
    """Which wrong claims would pass at the share of words where as many right ones pass as the judge supports."""
    right = sorted((case.overlap for case in cases if case.label == "right"), reverse=True)
    passed = sum(said[case.id] == "supported" for case in cases if case.label == "right")
    least = right[passed - 1] if passed else 2.0
    return {case.id: case.overlap >= least for case in cases if case.label == "wrong"}


def tabulate(halves: dict[str, list[Case]]) -> str:
    rows = []
    for half, cases in halves.items():
        said = judge(cases)
        by_words = count_by_words(cases, said)
        for kind in (*(kind for kind in KINDS if any(case.kind == kind for case in cases)), "all"):
            held = [case for case in cases if kind in {case.kind, "all"}]
            wrong = Counter(said[case.id] for case in held if case.label == "wrong")
            right = Counter(said[case.id] for case in held if case.label == "right")
            passed = sum(by_words[case.id] for case in held if case.label == "wrong")
            rows.append((
                half, kind, wrong.total(), wrong["supported"], wrong["at fault"], wrong["undecided"], passed,
                right.total(), right["supported"], right["at fault"], right["undecided"],
            ))  # fmt: skip
    header = ("half", "kind", "wrong", "supported", "found", "undecided", "by words", "right", "supported ", "accused",
              "undecided ")  # fmt: skip
    return render_table(header, rows)


def count_clean() -> str:
    """Of the shipped examples without a seeded error: how many are scored on a metric of claims, and how many accused."""
    asked = scored = accused = 0
    for pack in list_packs().values():
        examples = [json.loads(line) for line in (pack.folder / "examples.jsonl").read_text("utf-8").splitlines()]
        clean = [record for record in examples if (record.get("facets") or {}).get("seeded") == "nothing"]
        for card in assay.judge(clean, pack.id, "embedded") if clean else ():
            metrics = [each for each in card.to_dict()["metrics"].values() if each.get("findings")]
            labels = {finding.get("support") for each in metrics for finding in each["findings"]}
            asked += bool(metrics)
            scored += any(each["status"] == "scored" for each in metrics)
            accused += bool(labels & {"absent", "contradicted"})
    return f"Of {asked} shipped examples without a seeded error whose claims it labels, {scored} have a score and {accused} a claim at fault."


def main() -> None:
    halves = {path.stem: read_cases(path) for path in sorted(FOLDER.glob("*.jsonl"))}
    parts = [NOTE, tabulate(halves), "## Clean examples\n\n" + count_clean()]
    conclude("embedded_cases", "The built-in judge by kind of fault", parts)


if __name__ == "__main__":
    main()
