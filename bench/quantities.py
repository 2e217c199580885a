"""How often a found quantity is read as a person reads it, on real summaries and claims.

python bench/quantities.py --show --seed 2          print a sample to be checked
python bench/quantities.py --draft FILE --seed 2    write the sample's rows, verdicts left open
python bench/quantities.py                          compute precision from the checked rows
"""

import argparse
import gzip
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from math import sqrt
from pathlib import Path
from typing import Any

from assay.text.quantities import find_quantities
from assay.text.quantity import Kind, Quantity

ROOT = Path(__file__).resolve().parent.parent
CHECKED = ROOT / "bench" / "results" / "quantities_checked.jsonl"
# Documents that were looked at while the finder was being changed; no sample is drawn from them again.
SEEN = ROOT / "bench" / "results" / "quantities_seen.txt"
RESULTS = ROOT / "bench" / "results" / "quantities.md"
SETS = ("summeval", "wice_dev")
TITLES = {"summeval": "SummEval summaries", "realsumm": "RealSumm summaries", "wice_dev": "WiCE claims (dev)"}
HITS_PER_SET = 50
HITS_PER_DOCUMENT = 2
NOTES = {
    "name": "a name, label or telephone number, no quantity",
    "kind": "wrong kind",
    "span": "span too short or too long",
    "unit": "unit wrong or missed",
    "value": "value misread",
}


@dataclass(frozen=True, slots=True)
class Hit:
    set: str
    id: str
    document: str
    text: str
    quantity: Quantity

    def reading(self) -> str:
        """A digest of all that was read, so that a verdict holds for this reading alone."""
        found = self.quantity
        printed = f"{found.value}|{found.low}|{found.high}|{found.unit}|{found.kind}"
        return hashlib.sha256(printed.encode()).hexdigest()[:12]


def find_hits(data: Path, name: str) -> Iterator[Hit]:
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            document = f"{name}/{record.get('doc_id') or record['id']}"
            for quantity in find_quantities(record["output"]):
                yield Hit(name, record["id"], document, record["output"], quantity)


def draw(data: Path, sets: list[str], seed: int) -> list[Hit]:
    """A sample of documents nobody looked at before; many summaries of one document repeat its numbers, so few of each."""
    seen = set(SEEN.read_text(encoding="utf-8").split()) if SEEN.exists() else set()
    drawn: list[Hit] = []
    for name in sets:
        hits = [hit for hit in find_hits(data, name) if hit.document not in seen]
        random.Random(seed).shuffle(hits)
        different = {(hit.document, hit.reading()): hit for hit in reversed(hits)}.values()
        per_document: Counter[str] = Counter()
        chosen: list[Hit] = []
        for hit in reversed(different):
            per_document[hit.document] += 1
            if per_document[hit.document] <= HITS_PER_DOCUMENT and len(chosen) < HITS_PER_SET:
                chosen.append(hit)
        drawn += chosen
    return drawn


def show(hits: list[Hit]) -> None:
    for number, hit in enumerate(hits, 1):
        found = hit.quantity
        start, end = found.span
        value = f"{float(found.value):g}"
        if found.kind is Kind.DATE and found.unit == "date":
            value = f"{date.fromordinal(int(found.low))}..{date.fromordinal(int(found.high))}"
        before, after = hit.text[max(0, start - 70) : start], hit.text[end : end + 50]
        print(f"{number:3} {found.kind} {value} {found.unit or '-'} {found.bound}")
        print("      " + f"{before}⟦{hit.text[start:end]}⟧{after}".replace("\n", " "))


def draft(hits: list[Hit], seed: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as rows:
        for hit in hits:
            span = hit.quantity.span
            row = {"round": 0, "seed": seed, "set": hit.set, "id": hit.id, "start": span.start, "end": span.end}
            row |= {"kind": hit.quantity.kind, "reading": hit.reading(), "verdict": "", "note": ""}
            rows.write(json.dumps(row) + "\n")


def refuse_stale(rows: list[dict[str, Any]], data: Path) -> None:
    """A verdict about a reading that the finder no longer gives says nothing about the finder."""
    now = {
        (hit.id, *hit.quantity.span): (hit.quantity.kind.value, hit.reading())
        for name in {row["set"] for row in rows}
        for hit in find_hits(data, name)
    }
    stale = [row for row in rows if now.get((row["id"], row["start"], row["end"])) != (row["kind"], row["reading"])]
    if stale:
        places = "\n".join(f"  {row['id']} {row['start']}-{row['end']} {row['kind']}" for row in stale[:10])
        sys.exit(
            f"{len(stale)} of {len(rows)} verdicts no longer match what the finder reads there:\n{places}\n"
            "No figure is written. Draw a sample with a new seed, check it, and put its rows in place of these."
        )


def wilson(right: int, total: int) -> tuple[float, float]:
    z = 1.959964
    share = right / total
    centre = share + z * z / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (centre - spread) / (1 + z * z / total), (centre + spread) / (1 + z * z / total)


def render_line(name: str, rows: list[dict[str, Any]]) -> str:
    right = sum(row["verdict"] == "right" for row in rows)
    low, high = wilson(right, len(rows))
    return f"| {name} | {len(rows)} | {right} | {right / len(rows):.1%} | {low:.1%} – {high:.1%} |"


def render_table(rows: list[dict[str, Any]]) -> str:
    lines = ["| | hits | right | precision | Wilson 95 % |", "|---|---|---|---|---|"]
    sets = dict.fromkeys(row["set"] for row in rows)
    lines += [render_line(TITLES[name], [row for row in rows if row["set"] == name]) for name in sets]
    if len(sets) > 1:
        lines.append(render_line("together", rows))
    errors = Counter(row["note"] for row in rows if row["verdict"] == "wrong")
    said = "; ".join(f"{count} × {NOTES[note]}" for note, count in errors.most_common()) or "none"
    return "\n".join(lines) + f"\n\nErrors: {said}."


def render_results(rounds: list[list[dict[str, Any]]]) -> str:
    *earlier, last = rounds
    text = f"""# Precision of the quantity finder

Regenerated by `python bench/quantities.py` from `quantities_checked.jsonl`. Every drawn hit was judged in its context by
one judge, a language model that also wrote the finder; no independent human has checked the verdicts. Right means that
value, unit, kind and span are all what a reader would say; the bound was not judged. Points of a score, ages between
commas and numbers without a noun count as right when read as plain numbers. Recall was not measured.

A round draws {HITS_PER_SET} hits at random from a set, at most {HITS_PER_DOCUMENT} of a document (one in round 1), and leaves out the documents in
`quantities_seen.txt`, which were looked at before. Hits looked at outside the rounds were not logged; their documents
were put on that list afterwards by searching for phrases of what had been shown, so a few may be missing. A first draw
for round 2 was shown and discarded because it overlapped with them. All rounds that were judged are below.

SummEval has 100 documents; when they were used up, RealSumm, news summaries that are cut into words more roughly, took
its place, so SummEval was not measured again after its last fixes.

## The figure: fresh hits (round {last[0]["round"]})

No error among these hits led to a change of the finder, and every verdict is checked against what it reads today. The
WiCE half was drawn before, the RealSumm half after the changes that round 3 led to. Eleven of the 100 hits that
were drawn are left out: ten that the finder no longer reads (ordinals in words, # as a pound sign), and "number seven", which
it now reads as a count.

{render_table(last)}
"""
    for rows in reversed(earlier):
        text += f"""
## Before fixes (round {rows[0]["round"]})

The finder was changed because of these errors, so this is no estimate of what it does now.

{render_table(rows)}
"""
    return text


def report(data: Path) -> None:
    rows = [json.loads(line) for line in CHECKED.read_text(encoding="utf-8").splitlines()]
    if unjudged := [row for row in rows if row["verdict"] not in {"right", "wrong"}]:
        sys.exit(f"{len(unjudged)} rows of {CHECKED.name} have no verdict: write right or wrong.")
    rounds = [[row for row in rows if row["round"] == number] for number in sorted({row["round"] for row in rows})]
    refuse_stale(rounds[-1], data)
    RESULTS.write_text(render_results(rounds), encoding="utf-8")
    print(render_table(rounds[-1]))
    print(f"\nWritten to {RESULTS.relative_to(ROOT)}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=ROOT / ".." / "shared" / "data" / "labelled")
    parser.add_argument("--show", action="store_true", help="print the sample with its context")
    parser.add_argument("--draft", type=Path, help="write the sample's rows to this file, without verdicts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", nargs="+", choices=list(TITLES), default=list(SETS), help="where to draw from")
    arguments = parser.parse_args()
    missing = [name for name in TITLES if not (arguments.data / f"{name}.jsonl.gz").exists()]
    if missing:
        print(f"Skipped: {', '.join(missing)} not found in {arguments.data}. Give the folder as an argument.")
        return
    if arguments.show or arguments.draft:
        hits = draw(arguments.data, arguments.sets, arguments.seed)
        if arguments.show:
            show(hits)
        if arguments.draft:
            draft(hits, arguments.seed, arguments.draft)
        return
    report(arguments.data)


if __name__ == "__main__":
    main()
