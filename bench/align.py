"""Are edits accepted on a hidden half really better? Real replies to three wordings of one question, on public labels.

python bench/align.py [STUDIES]            writes bench/results/align.md

A model answered the same question about 1,200 summaries in three wordings. Going from one wording to another is an
edit. Each study labels some documents, halves them as `assay rubric align` does, and accepts or refuses by the hidden
half; the documents that it did not label say what is true. The replies lie in ../shared/data; nothing of them is copied.
"""

import gzip
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations

from assay.agreement.alignment import AgreementChange, AnswerPair, fit_mapping, is_hidden, measure_change, measure_error
from labelled_sets import FOLDER
from workload import conclude, render_table

STUDIES = 40
DOCUMENTS, SYSTEMS = 40, 3
SEED = 29
MODEL, WORDINGS = "gpt-3.5-turbo-0301", ("rts", "altrts", "stareval")
METRICS = ("coherence", "consistency", "fluency", "relevance")
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
NUMBER = re.compile(rf"\b([1-5]|{'|'.join(WORDS)})\b", re.IGNORECASE)
NOTE = """\
{model} on SummEval (1,200 summaries of 100 documents, mean of three experts, 1 to 5), in three
wordings: {wordings}. Four metrics, six edits each (from one wording to another), {studies} studies of {documents} documents with
{systems} summaries each. An edit is *better* or *worse* if the interval of its change over the documents that a study did not
label excludes 0, else *alike*. *Tuning half*: accepted if agreement rises on the half that is shown, the usual practice. *Hidden
half*: the rule of `assay rubric align`, which asks for both."""


def read_level(text: str, wording: str) -> float | None:
    """The last number of a reason that ends in a score, the first of a rating that comes first."""
    found = NUMBER.findall(re.sub(r"(out of|/)\s*5", "", text))
    if not found:
        return None
    said = found[0 if wording == "stareval" else -1].lower()
    return float(WORDS.get(said, 0) or said)


def read_pairs(metric: str) -> dict[str, dict[str, list[AnswerPair]]]:
    """By wording and document."""
    pairs: dict[str, dict[str, list[AnswerPair]]] = {wording: defaultdict(list) for wording in WORDINGS}
    with gzip.open(FOLDER / "summeval.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for each in row.get("judge_outputs") or ():
                wording, human = each["prompt"], row["human"][metric]
                if each["model"] != MODEL or each["metric"] != metric or wording not in pairs:
                    continue
                level = read_level(each["text"], wording)
                levels = None if level is None else (human, level)
                agreement = None if level is None else 1 - abs(level - human) / 4
                said = ("", str(human), str(level), "", "")
                pair = AnswerPair((row["id"], None), row["doc_id"], metric, None, *said, agreement, levels)
                pairs[wording][row["doc_id"]].append(pair)
    return pairs


def judge_change(change: AgreementChange) -> str:
    return "better" if change.is_better else "worse" if change.is_worse else "alike"


def run_studies(metric: str, studies: int) -> Iterator[tuple[str, bool, bool, tuple[float, float] | None]]:
    """What is true of an edit, whether either rule accepts it, and the error without and with the mapping."""
    pairs = read_pairs(metric)
    documents = sorted(pairs[WORDINGS[0]])
    for one, two in permutations(WORDINGS, 2):
        for number in range(studies):
            chance = random.Random(f"{SEED}:{metric}:{one}:{two}:{number}")  # no secret is drawn
            chosen = set(chance.sample(documents, DOCUMENTS))
            # Another salt for each study: the halves differ, as they would with other documents.
            hidden = {each for each in chosen if is_hidden(f"{number} {each}")}
            systems = {each: chance.sample(range(len(pairs[one][each])), SYSTEMS) for each in documents}

            def pick(wording: str, wanted: set[str], systems: dict[str, list[int]] = systems) -> list[AnswerPair]:
                return [pairs[wording][each][at] for each in sorted(wanted) for at in systems[each]]

            def measure(wanted: set[str], one: str = one, two: str = two, pick=pick) -> AgreementChange:
                return measure_change("", pick(one, wanted), pick(two, wanted), {metric})

            tuned = measure(chosen - hidden).difference.mean > 0
            accepted = tuned and measure(hidden).is_better
            rest = {each for each in documents if each not in chosen}
            mapped = fit_mapping(pick(two, chosen - hidden))
            error = measure_error(pick(two, hidden), mapped) if mapped else None
            yield judge_change(measure(rest)), tuned, accepted, error


def main() -> None:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    if not FOLDER.is_dir():
        sys.exit(f"{FOLDER} is not there: nothing to measure")
    rows, errors = [], []
    total: Counter[tuple[str, str]] = Counter()
    for metric in METRICS:
        counts: Counter[tuple[str, str]] = Counter()
        plain, nearer = [], []
        for truth, tuned, accepted, error in run_studies(metric, studies):
            counts.update({(truth, "asked"): 1, (truth, "tuning"): tuned, (truth, "hidden"): accepted})
            if error is not None:
                plain.append(error[0])
                nearer.append(error[1])
        total += counts
        rows.append([metric, *format_counts(counts)])
        errors.append([metric, f"{sum(plain) / len(plain):.2f}", f"{sum(nearer) / len(nearer):.2f}"])
    rows.append(["all", *format_counts(total)])
    names = [
        f"{truth}: accepted by {half} half" for truth in ("better", "alike", "worse") for half in ("tuning", "hidden")
    ]
    note = NOTE.format(model=MODEL, wordings=", ".join(WORDINGS), studies=studies, documents=DOCUMENTS, systems=SYSTEMS)
    table = render_table(["metric", *names], rows)
    mapping = render_table(["metric", "mean error on the hidden half", "mapped by the tuning half"], errors)
    conclude("align", "Edits held to a hidden half", [note, table, "## Mapping of levels", mapping])


def format_counts(counts: Counter[tuple[str, str]]) -> list[str]:
    return [
        f"{counts[truth, rule]} of {counts[truth, 'asked']}"
        for truth in ("better", "alike", "worse")
        for rule in ("tuning", "hidden")
    ]


if __name__ == "__main__":
    main()
