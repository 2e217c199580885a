"""What rules and the embedded judge say of true paraphrases, and of their twins with one thing changed.

python bench/paraphrases.py [FILE …]            without files bench/paraphrases/*.jsonl; writes bench/results/paraphrases.md
"""

import json
import sys
from collections import Counter
from pathlib import Path

import assay
from assay.domain.ask import MetricAsk
from assay.domain.findings import Findings, Label
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.runner.planning import cut_record
from assay.runner.suspicions import build_suspect
from workload import conclude, render_table

FOLDER = Path(__file__).parent / "paraphrases"
RUBRIC = open_rubric("search-summary")
METRIC = "hallucination"
BY_RULE = "nowhere in the sources"
TWINS = ("true", "faulty")
NOTE = """\
Each case has source sentences, a true paraphrase, and a faulty twin with one thing changed. *a* was written with the code in
sight; other files were kept unseen until it was finished, unless said otherwise. A rule fires if the embedded judge, a notice
or a suspicion about a prompted judge's label says that a figure or name is in no source. In a true paraphrase that is false.
*at fault*: absent or contradicted. *declined*: the embedded judge reads English only."""


def build(case: dict, twin: str) -> dict:
    results = [
        {"url": f"https://{at}.example", "content": text, "metadata": {"title": f"Result {at}"}}
        for at, text in enumerate(case["sources"], 1)
    ]
    query = case.get("query") or "What do the results say?"
    return {"id": f"{case['id']} {twin}", "user_query": query, "search_results": results, "summary": case[twin]}


def suspect(given: dict) -> list[str]:
    """What is noticed against the statement, were it called supported by a prompted judge."""
    (record,) = records_from([given], RUBRIC)
    cut = cut_record(record, RUBRIC)
    claims = tuple(unit for unit in cut.units if unit.kind == "claim")
    findings = Findings(tuple(Label("claim", unit.id, "supported") for unit in claims))
    ask = MetricAsk(METRIC, RUBRIC, RUBRIC.metric(METRIC), record, claims)
    return [each.words for each in build_suspect(record, {}, cut.passages)(ask, findings)]


def measure(cases: list[dict]) -> dict[str, tuple[str, list[str]]]:
    """By the record's id: the worst label of its claims, and what rules say against it."""
    given = [build(case, twin) for case in cases for twin in TWINS]
    measured = {}
    for record, scored in zip(given, assay.judge(given, rubric=RUBRIC.id, judge="embedded"), strict=True):
        result = scored.to_dict()
        findings = [each for each in result["metrics"][METRIC].get("findings", ()) if each["kind"] == "claim"]
        said = [each["note"] for each in findings if BY_RULE in (each.get("note") or "")]
        said += [each["note"] for each in result.get("notices", ()) if each["check"] == "unsourced_quantity"]
        labels = {each["support"] for each in findings}
        worst = next(
            (each for each in ("contradicted", "absent", "undecided", "supported") if each in labels), "declined"
        )
        measured[record["id"]] = worst, said + suspect(record)
    return measured


def main() -> None:
    rows, false = [], []
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(FOLDER.glob("*.jsonl")):
        cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        measured = measure(cases)
        for twin in TWINS:
            own = {case["id"]: measured[f"{case['id']} {twin}"] for case in cases}
            counts = Counter(label for label, _ in own.values())
            fires = {name: said for name, (_, said) in own.items() if said}
            at_fault = counts["absent"] + counts["contradicted"]
            shown = (counts["supported"], counts["undecided"], at_fault, counts["declined"])
            share = counts["supported"] / max(1, len(own) - counts["declined"])
            rows.append((path.stem, twin, len(own), len(fires), *shown, f"{share:.0%}"))
            if twin == "true":
                false += [f"- {path.stem} {name}: {'; '.join(dict.fromkeys(said))}" for name, said in fires.items()]
    header = (
        "file",
        "twin",
        "cases",
        "a rule fires",
        "supported",
        "undecided",
        "at fault",
        "declined",
        "supported of judged",
    )
    conclude("paraphrases", "True paraphrases and their faulty twins", [
        NOTE, render_table(header, rows), "## False statements\n\n" + ("\n".join(false) or "None."),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
