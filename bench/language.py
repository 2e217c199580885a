"""How often the language we find in a model's answer is the language it was asked for.

    python bench/language.py [language_confusion_sample.jsonl.gz]

The set says which language was asked for, not which one was given, and models do answer in another. So part of the
answers were read: all those where we found neither the expected language nor English, and a random part of the rest.
The verdicts are in results/language_checked.jsonl, with how much of an answer was read; they give our own error rate.
"""

import gzip
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from assay.domain.wilson import place_wilson
from assay.text.language import language_shares
from assay.text.scripts import language_name

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "labelled" / "language_confusion_sample.jsonl.gz"
CHECKED = ROOT / "bench" / "results" / "language_checked.jsonl"
RESULT = ROOT / "bench" / "results" / "language.md"
VERDICTS = ("expected language", "output really in other language", "mixed", "no words", "our error")


@dataclass(frozen=True, slots=True)
class Proportion:
    count: int
    total: int

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, at 95 %."""
        return place_wilson(self.count / self.total, self.total, 1.96) if self.total else None


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    expected: str
    found: str | None
    words: int

    @property
    def group(self) -> str:
        if self.found == self.expected:
            return "agreed"
        return "English instead" if self.found == "en" else "other or none"


def read_answers(path: Path) -> list[Answer]:
    answers = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            expected = record["human"]["expected_language"]
            shares = language_shares(record["output"], expected)
            answers.append(Answer(record["id"], expected, shares.dominant, shares.words))
    return answers


def read_checked() -> dict[str, dict[str, str]]:
    with CHECKED.open(encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}


def describe_errors(answers: list[Answer], checked: dict[str, dict[str, str]]) -> str:
    errors = Counter(
        (checked[each.id]["note"], "none told" if each.found is None else "another told")
        for each in answers
        if each.id in checked and checked[each.id]["verdict"] == "our error"
    )
    return "; ".join(f"{note}, {told}: {count}" for (note, told), count in errors.most_common())


def show(proportion: Proportion) -> str:
    share, interval = proportion.share, proportion.interval
    if share is None or interval is None:
        return "–"
    return f"{share:.1%} [{interval[0]:.1%}, {interval[1]:.1%}]"


def accuracy_table(answers: list[Answer], verdicts: dict[str, str]) -> list[str]:
    lines = [
        "| language | n | found as expected | English instead | other | none told | always English | our errors among those read |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for code in [*sorted({each.expected for each in answers}), None]:
        own = [each for each in answers if code is None or each.expected == code]
        right = Proportion(sum(each.group == "agreed" for each in own), len(own))
        english = sum(each.group == "English instead" for each in own)
        none = sum(each.found is None for each in own)
        other = len(own) - right.count - english - none
        read = [verdicts[each.id] for each in own if each.id in verdicts]
        always = Proportion(sum(each.expected == "en" for each in own), len(own))
        name = "**all**" if code is None else language_name(code)
        errors = f"{read.count('our error')} of {len(read)}"
        lines.append(
            f"| {name} | {len(own)} | {show(right)} | {english} | {other} | {none} | {show(always)} | {errors} |"
        )
    return lines


def checked_table(answers: list[Answer], verdicts: dict[str, str]) -> tuple[list[str], float, float, float]:
    """Rows per group, and our error rate over the whole set with its range, each group weighted by its size."""
    lines = [f"| group | n | read | {' | '.join(VERDICTS)} | our errors |", "|---" * (4 + len(VERDICTS)) + "|"]
    expected = low = high = 0.0
    for group in ("agreed", "English instead", "other or none"):
        own = [each for each in answers if each.group == group]
        counts = Counter(verdicts[each.id] for each in own if each.id in verdicts)
        read = Proportion(counts["our error"], counts.total())
        cells = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
        lines.append(f"| {group} | {len(own)} | {read.total} | {cells} | {show(read)} |")
        # A group that was read to its end leaves nothing to chance.
        bounds = (read.share or 0.0,) * 2 if read.total == len(own) else (read.interval or (0.0, 1.0))
        weight = len(own) / len(answers)
        expected += weight * (read.share or 0.0)
        low += weight * bounds[0]
        high += weight * bounds[1]
    return lines, expected, low, high


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not path.exists():
        print(f"skipped: {path} is not here; give the path of the language confusion sample as the first argument")
        return
    answers, checked = read_answers(path), read_checked()
    verdicts = {id_: row["verdict"] for id_, row in checked.items()}
    table, expected, low, high = checked_table(answers, verdicts)
    text = [
        "# Language identification",
        "",
        f"{len(answers):,} answers of four models that were asked to answer in a given language. *Found as expected*: the",
        "dominant language by `language_shares` is the one asked for. This mixes our errors with the models' own, so it is no",
        "accuracy; the last column and the second table are about ours. Ranges are Wilson's, 95 %. Made by `bench/language.py`.",
        "",
        *accuracy_table(answers, verdicts),
        "",
        "## What a reader found",
        "",
        "All answers in which we told another language or none were read, and of the other two groups a part chosen by hash of",
        "the id. An answer in the expected language of which we tell none is counted as our error.",
        "",
        *table,
        "",
        f"**Our error rate over the whole set: {expected:.2%} [{low:.2%}, {high:.2%}]**, each group weighted by its size. The",
        "range is made of the groups' own, so it covers more than 95 %; most of its width is the small part read of the agreed.",
        f"Our errors by kind: {describe_errors(answers, checked)}.",
        "",
        "What this does not show: the reader was a language model, one only, that saw what we had found, and read the agreed",
        "answers by their opening and end. The rules for fenced answers, for transcribed ones and for close neighbours were made",
        "with these same answers in sight, so expect more errors elsewhere. The answers are cut off at some 600 characters.",
        "",
    ]
    RESULT.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


if __name__ == "__main__":
    main()
