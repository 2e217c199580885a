"""Reads recorded replies of real judges and counts what could be read, what had to be repaired and what was wrong.

    python bench/replies.py [DATA]            writes bench/results/replies.md
    python bench/replies.py --show [DATA]     prints the sample for a person, without what the reader made of it

DATA is a folder with labelled/*.jsonl.gz; without it the benchmark says so and ends.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from assay.replies.fields import read_label
from assay.replies.reading import Misreading, Reading
from assay.replies.refusals import is_refusal
from assay.replies.salvage import salvage_json
from prose.anchored import read_anchored_score
from prose.answers import read_answer

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
SOURCES = ("summeval", "opinsummeval", "finesure_sample", "prometheus_gpt4_replies", "factcc_explanations")
STATUSES = ("read", "repaired", "refused", "malformed", "ambiguous", "out_of_range")
SEED = 7919
RANDOM_SIZE, HARD_SIZE = 200, 100
CHECKED = RESULTS / "replies_checked.jsonl"

INTRODUCTION = """\
Written by `python bench/replies.py`. Each row counts readings: a reply that grades four aspects counts four times.
*read*: taken as written. *repaired*: a value, and a note of what had to be overlooked. The rest have no value: *refused*,
*malformed* (nothing to read), *ambiguous* (a grade such as 3.5 on a scale of whole numbers, or answers that differ),
*out_of_range*. The prompts behind each family: a letter of a multiple choice; a reason and then a score from 1 to 5; stars;
one or four named aspects; JSON lists; rubric feedback; yes or no with evidence or after reasoning."""
AGREEMENT_NOTE = """\
The rubric feedback was stored without its closing score, so almost none of it can be read, and what is read there is what the
prose says of itself: it tests that no number of the discussed text is taken for a score. All stored predictions of
factcc_explanations are "No", so always answering "No" would agree everywhere; of the few replies read as "Yes", two say so
plainly ("Answer: Yes")."""
CHECK_NOTE = """\
Both samples were read by one annotator, a language-model assistant working from the bare texts without the reader's result;
`replies_checked.jsonl` holds both readings, without text. The reader was written while looking at other replies of the same
sets, and some of the hard ones had been seen then; it was not changed after the samples were compared. The random sample is a
simple one over all readings and gives the headline. The other is spread evenly over each source's kinds of readings that were
not plain (repaired, refused, malformed, ambiguous, out_of_range): its rate is that of the hard cases and says nothing of the
whole. A grade between two whole numbers counts as right when it is called ambiguous."""

FACTUAL = {
    f"{opening}{adverb}{adjective}": answer
    for adverb in ("", "factually ")
    for answer, openings, adjectives in (
        ("No", ("not ", "n't "), ("consistent", "correct", "accurate")),
        ("No", ("",), ("inconsistent", "incorrect", "inaccurate")),
        ("Yes", ("is ", "are "), ("consistent", "correct", "accurate")),
    )
    for opening in openings
    for adjective in adjectives
}
ASPECTS = {
    "relevance": ("Aspect Relevance",),
    "coherence": ("Self-Coherence", "Self Coherence"),
    "consistency": ("Sentiment Consistency",),
    "readability": (),
}


Reply = dict[str, Any]
Outcome = Reading[object] | Misreading
Row = tuple[str, str, Outcome, object]


@dataclass(frozen=True)
class Item:
    source: str
    model: str
    family: str
    record: str
    index: int
    part: str
    text: str
    outcome: Outcome
    own: object = None

    @property
    def key(self) -> tuple[str, str, int, str]:
        return (self.source, self.record, self.index, self.part)

    @property
    def status(self) -> str:
        if isinstance(self.outcome, Reading):
            return "repaired" if self.outcome.repaired else "read"
        return "refused" if is_refusal(self.text) else self.outcome.status

    @property
    def value(self) -> object:
        """What a person's reading is compared with: the value, or the status where there is none."""
        return self.outcome.value if isinstance(self.outcome, Reading) else self.status


def read_summeval(reply: Reply) -> Iterator[Row]:
    prompt, text = reply["prompt"], reply["text"]
    if "mcq" in prompt:
        yield "letter", "", read_answer(text, "ABCDE"), None
    else:
        yield ("stars" if prompt == "stareval" else "reason, then score"), "", score(text, reply["metric"]), None


def read_opinsummeval(reply: Reply) -> Iterator[Row]:
    if reply["metric"] != "all4":
        yield "one aspect", "", score(reply["text"], reply["metric"]), None
        return
    for name, others in ASPECTS.items():
        yield "four aspects", name, score(reply["text"], name, others), None


def read_finesure(reply: Reply) -> Iterator[Row]:
    salvaged = salvage_json(reply["text"])
    entries = salvaged.values[0] if salvaged.values else None
    outcome: Outcome = Misreading("no list of objects")
    if isinstance(entries, list):
        bits = [flagged(entry) for entry in entries]
        outcome = Reading(bits, ", ".join(salvaged.repairs) or None)
    yield reply["metric"], "", outcome, reply["parsed"]


def flagged(entry: Reply) -> int | None:
    """FineSurE's own coding: 1 for a sentence with an error, and for a key fact that is covered."""
    if "response" in entry:
        label = read_label(entry["response"], ("Yes", "No"))
        return None if isinstance(label, Misreading) else int(label.value == "Yes")
    return int(str(entry.get("category", "")).strip().lower() != "no error")


def read_prometheus(reply: Reply) -> Iterator[Row]:
    yield "feedback", "", score(reply["text"], "response"), reply["score"]


def read_factcc(reply: Reply) -> Iterator[Row]:
    family = "evidence after" if "gwe" in reply["prompt"] else "reasoning first"
    yield family, "", read_answer(reply["text"], ("Yes", "No"), FACTUAL), ("No", "Yes")[reply["prediction"]]


def score(text: str, metric: str, names: tuple[str, ...] = ()) -> Outcome:
    return read_anchored_score(text, metric, 1, 5, names)


READERS = dict(
    zip(SOURCES, (read_summeval, read_opinsummeval, read_finesure, read_prometheus, read_factcc), strict=True)
)


def read_items(data: Path) -> Iterator[Item]:
    for source in SOURCES:
        path = data / "labelled" / f"{source}.jsonl.gz"
        if not path.exists():
            print(f"{source}: skipped, no file {path}")
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                for index, reply in enumerate(record.get("judge_outputs") or []):
                    for family, part, outcome, own in READERS[source](reply):
                        model = re.sub(r"\s*\(.*", "", reply["model"])
                        yield Item(source, model, family, record["id"], index, part, reply["text"], outcome, own)


def draw(items: list[Item]) -> dict[str, list[Item]]:
    """A simple random sample for the headline, and one even over each source's kinds of readings that were not plain."""
    dice = random.Random(SEED)
    samples = {"random": dice.sample(items, min(RANDOM_SIZE, len(items))), "not plain": []}
    cells: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        if item.status != "read":
            cells.setdefault((item.source, item.status), []).append(item)
    pools = [dice.sample(cells[key], len(cells[key])) for key in sorted(cells)]
    while len(samples["not plain"]) < HARD_SIZE and any(pools):
        samples["not plain"] += [pool.pop() for pool in pools if pool]
    samples["not plain"] = samples["not plain"][:HARD_SIZE]
    return samples


def show(items: list[Item]) -> None:
    for sample, drawn in draw(items).items():
        for number, item in enumerate(drawn):
            print(f"=== {sample} {number} | {item.source} | {item.family} {item.part}\n{item.text.strip()}")


def judge(person: object, item: Item) -> str:
    """How the reader did: a person's number between two grades is rightly ambiguous, and no value is no number."""
    expected = "ambiguous" if isinstance(person, float) and not person.is_integer() else person
    if item.value == expected:
        return "right"
    if isinstance(item.outcome, Reading):
        return "wrong value"
    return "wrong status" if expected in STATUSES else "missed"


def check(items: list[Item]) -> dict[str, list[str]]:
    """Compares the reader, as it is now, with what a person read, and writes the comparison back."""
    if not CHECKED.exists():
        return {}
    by_key = {item.key: item for item in items}
    rows = [json.loads(line) for line in CHECKED.read_text(encoding="utf-8").splitlines()]
    verdicts: dict[str, list[str]] = {}
    for row in rows:
        item = by_key[(row["source"], row["record"], row["index"], row["part"])]
        row["ours"] = item.value
        row["verdict"] = judge(row["person"], item)
        verdicts.setdefault(row["sample"], []).append(row["verdict"])
    CHECKED.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return verdicts


def wilson(hits: int, n: int) -> str:
    """The hits of n with their 95 % interval, in percent."""
    z, share = 1.96, hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{hits} of {n}: {100 * share:.1f} % (95 % interval {100 * max(0, centre - half):.1f}–{100 * (centre + half):.1f} %)"


def counts_table(items: list[Item]) -> list[str]:
    rows = Counter((item.source, item.family, item.model) for item in items)
    by_status = Counter((item.source, item.family, item.model, item.status) for item in items)
    total = Counter(item.status for item in items)
    lines = [
        f"| source | family | model | replies | {' | '.join(STATUSES)} |",
        "|---|---|---|" + "--:|" * (1 + len(STATUSES)),
    ]
    lines += [
        f"| {' | '.join(key)} | {n} | {' | '.join(str(by_status[*key, status]) for status in STATUSES)} |"
        for key, n in sorted(rows.items())
    ]
    return [*lines, f"| **all** | | | {len(items)} | {' | '.join(str(total[status]) for status in STATUSES)} |"]


def agreement_lines(items: list[Item]) -> Iterator[str]:
    for source in SOURCES:
        own = [item for item in items if item.source == source and item.own is not None]
        valued = [item for item in own if isinstance(item.outcome, Reading)]
        if valued:
            same = sum(item.value == item.own for item in valued)
            yield f"- {source}: {len(valued)} of {len(own)} replies read; the same as the set's own value in {same} of {len(valued)}."


def report(items: list[Item], verdicts: dict[str, list[str]]) -> str:
    lines = [
        "# Reading recorded replies",
        "",
        INTRODUCTION,
        "",
        *counts_table(items),
        "",
        "## Against the sets' own parsed values",
        "",
    ]
    lines += [*agreement_lines(items), "", AGREEMENT_NOTE, "", "## Checked by hand", "", CHECK_NOTE, ""]
    for sample, found in verdicts.items():
        tally = Counter(found)
        lines.append(f"- {sample} sample, errors: {wilson(len(found) - tally['right'], len(found))}")
        lines.append(f"  - a wrong value: {wilson(tally['wrong value'], len(found))}")
        lines.append(
            f"  - a value that a person reads, missed: {tally['missed']}; no value, under another status: {tally['wrong status']}"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    items = list(read_items(options.data))
    if not items:
        print(f"nothing to measure: no recorded replies under {options.data}")
    elif options.show:
        show(items)
    else:
        (RESULTS / "replies.md").write_text(report(items, check(items)), encoding="utf-8")


if __name__ == "__main__":
    main()
