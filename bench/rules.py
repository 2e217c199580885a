"""What each rule of the embedded judge that reads prose finds, how often it is right, and what it changes.

PYTHONPATH=. python bench/rules.py           writes bench/results/rules.md
"""

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from assay.judges.embedded.signals import FEATURES
from assay.text.figures import find_unsourced
from claim_signals import RULES, load
from contrastive import TWINS, build_records, read_pairs
from embedded import as_claims, rate_each
from labelled_sets import FOLDER, SETS, is_there
from ranking import agree
from workload import conclude, render_table

PAIRS = FOLDER.parent / "train" / "pairs_more.jsonl.gz"
# Claims and the text they were written from; no rule was written or changed after a look at these. In the first group
# people or models wrote freely and people judged; in the second a model or a rule changed a true sentence.
FREE = ("begin", "faithdial_audit", "q2_wow", "dialfact_small", "diasumfact", "factcheckgpt", "apty")
EDITED = ("factor_news", "clapnq", "onestop")
MOST_PAIRS = 500
SEED = 7
NAMES = {"figure": "figure in no source"}
NOTE = """\
One rule looks up facts: *figure in no source*, a plain figure of a claim that no reading of any source yields. Three more decide what is looked at
([below](#what-is-looked-at)). All else that the embedded judge uses are words found in a source, and the model's ratings.

*fires*: claims in which the rule finds something. *right*: how many of those people (or the way the claim was made) call
not supported. *base*: the same share among all claims of the set: a rule that fires at random would be right so often."""
FRESH = """\
`pairs_more` of the training data, of which no rule has seen anything; at most {most} claims of a set, drawn with a fixed
seed. In *free* sets people or models wrote freely, in *edited* ones a model or a rule changed a true sentence. In dialfact
and factcheckgpt the text is a piece of the evidence, so a name may stand in what was left out."""
LABELLED = """\
Whole outputs that people judged. A rule is right here if people found the output at fault; whether they meant the same words
is not known. *without*: AUC (Spearman for grades) of the whole judge, weights fitted anew, if this rule alone is left out.
Parts of these documents were looked at when earlier forms of the rules were written."""
TWIN = """\
Of the contrastive pairs in the half that no rule was mended by, in how many a rule fires in one twin alone: *corrupted* is
right, *correct* is wrong."""


OTHER = """\
| rule | what it does | measured by leaving it out |
|---|---|---|
| own source | A claim is held to the one source whose title is its row or column, or that alone has its names. | contrastive pairs of comparisons, higher / equal / lower: 38 / 0 / 8 with it, 32 / 5 / 9 with titles alone; of search summaries 39 / 9 / 13 and 38 / 10 / 13 |
| labelled no fact | A short value behind a label that the rubric's meaning of no_fact names ("Determination: …") is no claim. | contrastive pairs of trial answers: 40 / 8 / 14 with it, 17 / 45 / 0 without |
| nothing to check | A short output without a name, a figure or the words of a source is declined. | [attack_bearing.md](attack_bearing.md) |"""


class Claim(NamedTuple):
    text: str
    source: str
    supported: bool


def read_claims() -> dict[str, list[Claim]]:
    held: dict[str, list[Claim]] = defaultdict(list)
    with gzip.open(PAIRS, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["origin"] in FREE + EDITED:
                held[row["origin"]].append(Claim(row["hypothesis"], row["premise"], row["label"] == "supported"))
    for claims in held.values():
        random.Random(SEED).shuffle(claims)
    return {name: held[name][:MOST_PAIRS] for name in FREE + EDITED}


def find_kinds(claim: str, *sources: str) -> set[str]:
    return {"figure"} if find_unsourced(claim, sources) else set()


def tabulate_fresh() -> str:
    rows: list[tuple[object, ...]] = []
    total: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for name, claims in read_claims().items():
        group = "free" if name in FREE else "edited"
        wrong = sum(not claim.supported for claim in claims)
        fired = [(find_kinds(claim.text, claim.source), claim.supported) for claim in claims]
        for rule in RULES:
            hits = [supported for kinds, supported in fired if rule in kinds]
            right = hits.count(False)
            total[rule, group] += Counter(fires=len(hits), right=right, claims=len(claims), wrong=wrong)
            if hits:
                rows.append((NAMES[rule], name, group, *say(len(hits), right, len(claims), wrong)))
    for (rule, group), each in total.items():
        said = say(each["fires"], each["right"], each["claims"], each["wrong"])
        rows.append((f"**{NAMES[rule]}**", "all", group, *said))
    return render_table(("rule", "set", "kind", "claims", "fires", "right", "share right", "base"), sorted_rows(rows))


def sorted_rows(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(rows, key=lambda row: (str(row[0]).strip("*"), row[2] != "free", row[1] == "all", row[1]))


def say(fires: int, right: int, claims: int, wrong: int) -> Iterator[object]:
    yield from (claims, fires, right, f"{right / fires:.0%}" if fires else "–", f"{wrong / claims:.0%}")


def tabulate_labelled() -> str:
    measured = {chosen.name: load(chosen) for chosen in SETS}
    fitted = [chosen.name for chosen in SETS if chosen.fitted]
    used = [True] * len(FEATURES)
    chosen_rules = {"whole": RULES, **{rule: [each for each in RULES if each != rule] for rule in RULES}, "none": ()}
    scores = {
        name: rate_each({each.name: as_claims(each, measured[each.name], rules) for each in SETS}, fitted, used)[0]
        for name, rules in chosen_rules.items()
    }
    rows: list[tuple[object, ...]] = []
    for chosen in SETS:
        one = measured[chosen.name]
        figures = {name: agree(each[chosen.name], one.truth, binary=chosen.binary) for name, each in scores.items()}
        row: list[object] = [chosen.name, f"{figures['whole']:.3f}"]
        for rule in RULES:
            outputs = sorted({*one.row[one.fired[:, RULES.index(rule)] & ~one.copied]})
            right = sum(float(one.truth[at]) < 0.5 for at in outputs) if chosen.binary else "–"
            row += [f"{len(outputs)} / {right}", f"{figures[rule]:.3f}"]
        rows.append((*row, f"{figures['none']:.3f}"))
    header = ["set", "whole"]
    for rule in RULES:
        header += [f"{NAMES[rule]}: outputs / at fault", "without"]
    return render_table((*header, "without the rule"), rows)


def tabulate_twins() -> str:
    pairs = [pair for pair in read_pairs() if pair.half == "not looked at"]
    records = build_records(pairs)
    counts: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        kinds = []
        for twin in TWINS:
            record = records[pair.id, twin]
            sources = [source.text for source in record.sources]
            kinds.append({kind for line in record.output.split("\n") for kind in find_kinds(line, *sources)})
        correct, corrupted = kinds
        counts.update([(rule, "correct") for rule in correct - corrupted])
        counts.update([(rule, "corrupted") for rule in corrupted - correct])
    rows = [(NAMES[rule], len(pairs), counts[rule, "corrupted"], counts[rule, "correct"]) for rule in RULES]
    return render_table(("rule", "pairs", "fires in the corrupted twin alone", "in the correct twin alone"), rows)


def main() -> None:
    if not is_there() or not PAIRS.exists():
        print("the labelled sets are not at hand: nothing to measure")
        return
    conclude("rules", "The rules of the embedded judge that read prose", [
        NOTE,
        "## Claims that no rule was written on\n\n" + FRESH.format(most=MOST_PAIRS) + "\n\n" + tabulate_fresh(),
        "## Pairs that differ by one fact\n\n" + TWIN + "\n\n" + tabulate_twins(),
        "## Outputs judged by people\n\n" + LABELLED + "\n\n" + tabulate_labelled(),
        "## What is looked at\n\n" + OTHER,
    ])  # fmt: skip


if __name__ == "__main__":
    main()
