"""What becomes of quotes: honest ones, hollow ones, and those that differ from their claim in a negation or a bound.

python bench/evidence.py                  reads bench/evidence/*.jsonl, writes bench/results/evidence.md
python bench/evidence.py FILE … [--list]  reads these files of claims, prints the table; --list: what was noticed
"""

import asyncio
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.domain.ask import Answer, Ask, MetricAsk
from assay.domain.findings import Citation, Findings, Label
from assay.domain.record import Record, Source
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.runner.asking import ask_group
from assay.runner.planning import cut_record
from assay.text.keywords import keywords
from assay.text.sentences import split_sentences
from assay.units.claims import cut_claims
from assay.units.passages import Passages
from labelled_sets import FOLDER
from workload import conclude, render_table

HERE = Path(__file__).parent / "evidence"
AUDIT = open_rubric("article-audit")
PAIRS = FOLDER.parent / "train" / "pairs_more.jsonl.gz"
WRITTEN = ("clapnq", "onestop", "fm2", "apty", "factscore_atomic", "cochrane_pls")
MOST_PAIRS = 200
HEADER = ("file", "kind", "claims", "undecided", "re-asked", "flagged", "flags")
NOTE = """\
Each claim goes through the walk with a judge that says the same twice: its label, with its quote. *undecided*: the quote is
void. *re-asked*: the judge was asked again, about a void quote or a suspicion. *flagged*: a suspicion stayed, so the interval
is wider. *claims-a* was written with the rule in sight. *claims-b* was written by someone who had not seen it, and was first run
when the rule was done: 13 of 15 negated claims were noticed then; "hardly" became a negation afterwards, the rest is as it was.
*honest-b* and *hollow-b* were written for an earlier rule, and like the sets below were looked at when this one was chosen.
*honest* in *claims-b* and the older files means as far from the source's words as can be."""
REAL = """\
Claims that people call supported. Of *wice* the quotes are the sentences that people marked as supporting, whole. Of the other
sets (at most {most} claims each) the quote is the one sentence of the text that shares most words with the claim, which may be
too little: these figures are upper bounds. No recorded replies with quotes for supported claims are at hand."""
HIDDEN = """\
A false statement hidden in a heading, a table, a footnote and the like has to be a claim, or part of one."""


@dataclass
class Stubborn(Judge):
    """Gives the same label and quotes each time it is asked."""

    label: Label
    name: str = "stubborn"
    reasks: int = 2
    asks: list[Ask] = field(default_factory=list)

    async def answer(self, ask: Ask, passages: Passages) -> Answer:  # noqa: ARG002
        self.asks.append(ask)
        return Answer(Findings((self.label,)), reply="the same")


@dataclass(frozen=True)
class Result:
    claim: str
    label: str
    asks: int
    suspicion: str
    flags: tuple[str, ...]


def judge(source: str, claim: str, label: str, cited: list[tuple[str, str]], title: str | None = None) -> Result:
    record = Record("r", "i", claim, (Source("s1", source, title=title),))
    cut = cut_record(record, AUDIT)
    quotes = tuple(Citation(sentence or name(cut.passages, quote), quote) for sentence, quote in cited)
    stubborn = Stubborn(Label("claim", "c1", label, quotes))
    ask = MetricAsk("hallucination", AUDIT, AUDIT.metric("hallucination"), record, (Unit("c1", "claim", claim),))
    found = asyncio.run(ask_group(stubborn, [ask], cut))["hallucination"]
    (said,) = found.trail.findings.labels
    flags = tuple(flag for flag in found.trail.flags if said.suspicion)
    return Result(claim, said.label, len(stubborn.asks), said.suspicion, flags)


def name(passages: Passages, quote: str) -> str:
    return next((each.id for each in passages.of("s1") if quote[:20] in each.text), "")


def read_claims(path: Path) -> Iterator[tuple[str, Result]]:
    for case in map(json.loads, path.read_text("utf-8").splitlines()):
        if "quote" in case:
            yield case["kind"], judge(case["source"], case["claim"], case["label"], [("", case["quote"])])
            continue
        for said in case["labels"]:
            cited = [(each["sentence"] or "none", each["quote"]) for each in said["evidence"]]
            kind = "honest" if path.stem.startswith("honest") else case["kind"]
            yield kind, judge(case["article"], said["claim"], said["label"], cited)


def read_real() -> Iterator[tuple[str, Result]]:
    with gzip.open(FOLDER / "wice_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["human"]["support"] == "supported":
                texts = [row["source_sentences"][at] for at in row["human"]["supporting_sentences"][0]]
                quotes = [("", text) for text in texts if any(map(str.isalnum, text))]
                yield "wice", judge(row["source"], row["output"], "supported", quotes, row.get("claim_title"))
    seen: Counter[str] = Counter()
    with gzip.open(PAIRS, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            origin, claim, text = row["origin"], row["hypothesis"], row["premise"]
            if origin in WRITTEN and row["label"] == "supported" and seen[origin] < MOST_PAIRS:
                seen[origin] += 1
                own = keywords(claim)
                sentences = [span.of(text) for span in split_sentences(text)]
                quote = max(sentences, key=lambda each: len(own & keywords(each)))
                yield origin, judge(text, claim, "supported", [("", quote)])


def tabulate(file: str, results: list[tuple[str, Result]]) -> list[tuple[object, ...]]:
    rows = []
    for kind in dict.fromkeys(kind for kind, _ in results):
        own = [result for each, result in results if each == kind]
        flags = Counter(flag for result in own for flag in result.flags)
        shares = [sum(result.label == "undecided" for result in own), sum(result.asks > 1 for result in own)]
        shares.append(sum(bool(result.suspicion) for result in own))
        named = ", ".join(f"{flag} {count}" for flag, count in sorted(flags.items()))
        rows.append((file, kind, len(own), *(f"{each} ({each / len(own):.0%})" for each in shares), named))
    return rows


def measure_hidden(path: Path) -> str:
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    cut = [[" ".join(unit.text.split()) for unit in cut_claims(case["output"])] for case in cases]
    words = [" ".join(case["false_words"].split()) for case in cases]
    found = sum(any(false in claim for claim in claims) for false, claims in zip(words, cut, strict=True))
    return f"- {path.stem}: {found} of {len(cases)} forms are."


def main() -> None:
    paths = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    files = paths or [path for path in sorted(HERE.glob("*.jsonl")) if not path.stem.startswith("hidden")]
    results = {path.stem: list(read_claims(path)) for path in files}
    table = render_table(HEADER, [row for file, each in results.items() for row in tabulate(file, each)])
    if "--list" in sys.argv:
        for file, each in results.items():
            for kind, result in each:
                print(f"{file} {kind}: {result.label}: {result.claim} [{result.suspicion or 'nothing noticed'}]")
    if paths:
        print(table)
        return
    parts = [NOTE, table]
    if PAIRS.exists():
        real = list(read_real())
        parts.append("## Claims of other people\n\n" + REAL.format(most=MOST_PAIRS))
        parts.append(render_table(HEADER, tabulate("labelled", real)))
    else:
        print("the labelled sets are not at hand: the claims of other people are left out")
    parts.append(
        "## Hidden claims\n\n" + HIDDEN + "\n\n" + "\n".join(map(measure_hidden, sorted(HERE.glob("hidden*"))))
    )
    conclude("evidence", "Quotes and their claims", parts)


if __name__ == "__main__":
    main()
