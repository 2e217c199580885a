"""How often a conflict or an absence that code finds in a real output is really there.

    python bench/findings.py [FOLDER]                     writes results/findings.md
    python bench/findings.py [FOLDER] --draw KIND HALF    prints hits to be judged, with texts; HALF is "fresh" or "seen"

FOLDER holds the labelled sets. Each sentence of an output is held against the two sentences of its source that share
most of its rarer words. Documents are parted in two halves by their digest: hits of the first half were looked at
while the rules were written, hits of the second half alone were judged for the figures. The verdicts are in
results/findings_checked.jsonl: ids, offsets and a word, no text.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.checks.conflicts.pair import ENABLED
from assay.domain.span import Span
from assay.report.eligibility_table import Proportion
from found_conflicts import LABELS, MOST_HITS, MOST_OF_A_DOCUMENT, Survey, draw, show, survey

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "labelled"
CHECKED = ROOT / "bench" / "results" / "findings_checked.jsonl"
RESULT = ROOT / "bench" / "results" / "findings.md"
SWITCHES: dict[str, bool] = {str(kind): on for kind, on in ENABLED.items()}
# Rules that were changed because of errors among their hits of round 1.
CHANGED = ("number", "date", "negation", "quantifier", "absent price")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A hit read by hand. `round` 1 are hits of the second half; `round` 2 those of rules changed because of round 1."""

    round: int
    set: str
    id: str
    kind: str
    claim: Span
    right: bool


def read_checked() -> list[Verdict]:
    with CHECKED.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Verdict(row["round"], row["set"], row["id"], row["kind"], Span(*row["claim"]), row["verdict"] == "right")
        for row in rows
    ]


def tell_share(verdicts: list[Verdict]) -> str:
    proportion = Proportion(sum(verdict.right for verdict in verdicts), len(verdicts))
    if not proportion.total:
        return "0 | | | "
    low, high = proportion.interval or (0.0, 1.0)
    return f"{proportion.total} | {proportion.count} | {proportion.share:.2f} | {low:.2f} – {high:.2f}"


def tell_precision(checked: list[Verdict], found: Survey) -> Iterator[str]:
    """One row a kind; a rule that was changed because of its hits is judged by those of round 2 alone."""
    today = {(hit.id, hit.kind, hit.claim) for hit in found.hits}
    kinds = [*ENABLED, *sorted({hit.kind for hit in found.hits if hit.place is None})]
    yield "| kind | on by default | hits judged | right | precision | Wilson 95 % | found today | in outputs people found faithful / not |"
    yield "|---|---|--:|--:|--:|---|--:|---|"
    for kind in kinds:
        number = 2 if kind in CHANGED else 1
        judged = [verdict for verdict in checked if verdict.kind == kind and verdict.round == number]
        lost = [verdict for verdict in judged if (verdict.id, verdict.kind, verdict.claim) not in today]
        if lost:
            print(f"{kind}: {len(lost)} judged hits are no longer found: {lost[:3]}", file=sys.stderr)
        switch = "yes" if SWITCHES.get(kind, True) else "no"
        labels = [hit.faithful for hit in found.hits if hit.kind == kind]
        seen = f"{labels.count(True)} / {labels.count(False)}"
        yield f"| {kind} | {switch} | {tell_share(judged)} | {len(labels)} | {seen} |"


def tell_before(checked: list[Verdict]) -> Iterator[str]:
    yield "| kind | hits judged | right | precision | Wilson 95 % |"
    yield "|---|--:|--:|--:|---|"
    for kind in CHANGED:
        judged = [verdict for verdict in checked if verdict.kind == kind and verdict.round == 1]
        yield f"| {kind} | {tell_share(judged)} |"


def tell_labels(found: Survey) -> Iterator[str]:
    """How many outputs of either label have a finding of a kind that is on."""
    conflicts, absences = set(), set()
    for hit in found.hits:
        if hit.place is None:
            absences.add((hit.set, hit.id))
        elif SWITCHES.get(hit.kind, True):
            conflicts.add((hit.set, hit.id))
    yield "| set | label | outputs | with a conflict | with something absent |"
    yield "|---|---|--:|--:|--:|"
    labelled = [output for output in found.outputs.values() if output.faithful is not None]
    for name in (*LABELS, "all"):
        for faithful in (True, False):
            keys = [
                (output.set, output.id)
                for output in labelled
                if name in (output.set, "all") and output.faithful is faithful
            ]
            if keys:
                counts = [sum(key in told for key in keys) for told in (conflicts, absences)]
                shares = " | ".join(f"{count} ({100 * count / len(keys):.1f} %)" for count in counts)
                yield f"| {name} | {'faithful' if faithful else 'not faithful'} | {len(keys)} | {shares} |"


def render(checked: list[Verdict], found: Survey) -> str:
    return "\n".join(
        [
            "# Precision of conflicts and absences",
            "",
            "Made by `python bench/findings.py`. Each sentence of an output is held against the two sentences of its source",
            "that share most of its rarer words; a conflict is right if the output's statement really conflicts with what",
            "the source says at that place, an absence if the name or quantity is read rightly and no source has it in any",
            "form. The verdicts were given by one reader, a language model that also wrote the rules; no independent person",
            f"has checked them. At most {MOST_HITS} hits a kind, {MOST_OF_A_DOCUMENT} a document; ids, offsets and verdicts are in",
            "`findings_checked.jsonl`.",
            "",
            "Documents are parted in two halves. The rules were written on the first half and on public pairs of a statement",
            "and a passage; no hit from there is counted, but for absent prices below. Round 1 are the hits of the second half (the",
            "one dose is from factcc_explanations, which was read last).",
            f"Errors among them led to changes of {', '.join(CHANGED[:-1])} and {CHANGED[-1]}: for these round 1 is no figure,",
            "and round 2 are hits of the changed rules that were never judged before: statements of factcc_explanations",
            "(source sentences edited by rule or by a model, so easier than summaries) and, for absent prices, the first half.",
            "",
            "## The figure",
            "",
            *tell_precision(checked, found),
            "",
            "A kind without judged hits had none among all outputs (unit, laterality, route, role), so it raised no false",
            "alarm either, or has none left that was not used for a fix (number, quantifier). Number stays on: no hit of",
            "the changed rule is in an output that people found faithful (last column), though one such hit was among the errors",
            "that led to the change, so this too is weak. With the sources given, a quantity or",
            "name is a conflict only if it is absent from all of them, so the rows of absences bound those kinds.",
            "",
            "## Before fixes (round 1)",
            "",
            *tell_before(checked),
            "",
            "## Against people's labels of whole outputs",
            "",
            "A finding in an output that people found faithful is probably a false alarm, one in an unfaithful output may be",
            "what they saw. Faithful means: qags_cnndm, summac_* and summedits_dev their own label (polytope: no inaccuracy and",
            "no addition), wice_dev fully supported, summeval consistency 5, dialsummeval consistency at least 4.5 against at",
            "most 3, trialgpt_dev explanation correct, topical_chat_usr grounded by all. All documents, both halves.",
            "",
            *tell_labels(found),
            "",
        ]
    )


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments and not arguments[0].startswith("--") else DATA
    if not folder.exists():
        print(f"{folder} is not there: name the folder of the labelled sets", file=sys.stderr)
        return 2
    found = survey(folder)
    if "--draw" in arguments:
        kind, half = arguments[arguments.index("--draw") + 1 :][:2]
        show(found, draw(found, kind, fresh=half == "fresh"))
        return 0
    RESULT.write_text(render(read_checked(), found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
