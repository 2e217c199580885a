"""Hollow evidence, honest evidence and hidden claims: what the evidence rule and the cutting of claims make of them.

`python bench/evidence.py` reads bench/evidence/*.jsonl and writes bench/results/evidence.md. Files that end in -a were
written with the rule in sight, those that end in -b by someone else and kept unseen until the rule was finished.
"""

import json
from collections import Counter
from pathlib import Path

from assay.domain.ask import MetricAsk
from assay.domain.findings import Citation, Findings, Label
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.runner.planning import cut_record
from assay.runner.suspicions import build_suspect
from assay.units.claims import cut_claims
from assay.units.evidence import verify

HERE = Path(__file__).parent
AUDIT = open_rubric("article-audit")


def read_cases(name: str) -> list[dict]:
    return [json.loads(line) for line in (HERE / "evidence" / f"{name}.jsonl").read_text("utf-8").splitlines()]


def judge(case: dict) -> tuple[list[str], set[str]]:
    """The label of each claim after its quotes were checked, and the flags that suspicions raise."""
    (record,) = records_from([{"article": case["article"], "summary": case["summary"]}], AUDIT)
    cut = cut_record(record, AUDIT)
    claims = tuple(unit for unit in cut.units if unit.kind == "claim")
    labels = []
    for unit in claims:
        said = next((each for each in case["labels"] if unit.text in each["claim"] or each["claim"] in unit.text), None)
        if said is not None:
            cited = tuple(Citation(each["sentence"], each["quote"]) for each in said["evidence"])
            labels.append(Label("claim", unit.id, said["label"], cited))
    ask = MetricAsk("hallucination", AUDIT, AUDIT.metric("hallucination"), record, claims)
    findings = verify(Findings(tuple(labels)), ask, cut.passages).findings
    flags = {each.flag for each in build_suspect(record, {}, cut.language)(ask, findings)}
    return [label.label for label in findings.labels], flags


def measure_quotes(name: str) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for case in read_cases(name):
        labels, flags = judge(case)
        count = counts.setdefault(case["kind"] if name.startswith("hollow") else "honest", Counter())
        count["replies"] += 1
        count["labels"] += len(labels)
        count["supported"] += labels.count("supported")
        count["full"] += set(labels) == {"supported"}
        count["flagged"] += bool(flags)
    rows = [
        "| kind | replies | labels | still supported | replies with all supported | replies flagged |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for kind, count in (*sorted(counts.items()), ("**all**", sum(counts.values(), Counter()))):
        rows.append(
            f"| {kind} | {count['replies']} | {count['labels']} | {count['supported']} | {count['full']} | {count['flagged']} |"
        )
    return rows


def measure_hidden(name: str) -> list[str]:
    cases = read_cases(name)
    missed = []
    for case in cases:
        claims = [" ".join(unit.text.split()) for unit in cut_claims(case["output"])]
        if not any(" ".join(case["false_words"].split()) in claim for claim in claims):
            missed.append(case["form"])
    said = f"{len(cases) - len(missed)} of {len(cases)} forms are a claim, or part of one"
    return [said + (f"; not: {', '.join(missed)}." if missed else ".")]


def main() -> None:
    lines = [
        "# Evidence that bears on its claim",
        "",
        "Written by `python bench/evidence.py`. "
        + (__doc__ or "").split("\n\n")[1].split(". ", 1)[1].replace("\n", " ").strip(),
        "",
    ]
    for title, name, measure in (
        ("Hollow evidence, written with the rule in sight", "hollow-a", measure_quotes),
        ("Hollow evidence, unseen", "hollow-b", measure_quotes),
        ("Honest evidence, written with the rule in sight", "honest-a", measure_quotes),
        ("Honest evidence, unseen", "honest-b", measure_quotes),
        ("Hidden claims, written with the rule in sight", "hidden-a", measure_hidden),
        ("Hidden claims, unseen", "hidden-b", measure_hidden),
    ):
        if (HERE / "evidence" / f"{name}.jsonl").exists():
            lines += [f"## {title}", "", *measure(name), ""]
    (HERE / "results" / "evidence.md").write_text("\n".join(lines), "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
