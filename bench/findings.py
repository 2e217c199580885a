"""How often a conflict or an absence that code finds in a real output is really there.

    python bench/findings.py [FOLDER]                     writes results/findings.md
    python bench/findings.py [FOLDER] --draw KIND HALF    prints hits to be judged, with texts; HALF is "fresh" or "seen"

FOLDER holds the labelled sets. Each sentence of an output is held against the two sentences of its source that share
most of its rarer words. Documents are parted in two halves by their digest: hits of the first half were looked at
while the rules were written, hits of the second half alone were judged for the figures. The verdicts are in
results/findings_checked.jsonl: ids, offsets and a word, no text.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from pathlib import Path
from random import Random
from typing import Any

from assay.checks.conflicts.absent import find_absent
from assay.checks.conflicts.pair import ENABLED, find_conflicts
from assay.checks.proportion import Proportion
from assay.domain.span import Span
from assay.text.keywords import keywords
from assay.text.sentences import split_sentences

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "labelled"
CHECKED = ROOT / "bench" / "results" / "findings_checked.jsonl"
RESULT = ROOT / "bench" / "results" / "findings.md"
SEED = 11
MOST_HITS = 100
MOST_OF_A_DOCUMENT = 3
PASSAGES = 2
LEAST_SHARE = 0.3
LONGEST = 2_000
SWITCHES: dict[str, bool] = {str(kind): on for kind, on in ENABLED.items()}
# Rules that were changed because of errors among their hits of round 1.
CHANGED = ("number", "date", "negation", "quantifier", "absent price")


def _faithful_dialogue(human: dict[str, Any]) -> bool | None:
    score = human["consistency"]
    return True if score >= 4.5 else False if score <= 3 else None


# What people said of an output as a whole: every statement borne out, not every one, or no clear answer.
LABELS: dict[str, Callable[[dict[str, Any]], bool | None]] = {
    "qags_cnndm": lambda human: human["faithful"] == 1,
    "summac_factcc": lambda human: human["factual"] == 1,
    "summac_xsumfaith": lambda human: human["factual"] == 1,
    "summac_polytope": lambda human: bool(human["inaccuracy_ok"] and human["addition_ok"]),
    "summedits_dev": lambda human: human["factual"] == 1,
    "wice_dev": lambda human: human["support"] == "supported",
    "summeval": lambda human: human["consistency"] == 5,
    "dialsummeval": _faithful_dialogue,
    "trialgpt_dev": lambda human: human["explanation_correctness"] == "Correct",
    "topical_chat_usr": lambda human: human["groundedness"] == 1,
    # People did not say whether these are faithful: hits alone are drawn from them.
    "realsumm": lambda _human: None,
    "opinsummeval": lambda _human: None,
    "factcc_explanations": lambda _human: None,
}


@dataclass(frozen=True, slots=True)
class Hit:
    """`place` is the offsets in the source; an absence has none."""

    set: str
    id: str
    document: str
    kind: str
    claim: Span
    place: Span | None
    faithful: bool | None

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.id, self.kind, *self.claim


@dataclass(frozen=True, slots=True)
class Output:
    """`beside` is what was asked; a number or name may come from there, but it states no fact."""

    set: str
    id: str
    document: str
    source: str
    beside: str
    text: str
    faithful: bool | None

    @property
    def fresh(self) -> bool:
        """Whether its document is of the half that no rule was written on."""
        return int(self.document, 16) % 2 == 1


def read_outputs(folder: Path, name: str) -> Iterator[Output]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            source = record["source"]
            if not isinstance(source, str):
                source = "\n\n".join(part["content"] or "" for part in source)
            beside = record["query"] or "" if name == "trialgpt_dev" else ""
            digest = blake2b(source.encode(), digest_size=6).hexdigest()
            yield Output(name, record["id"], digest, source, beside, record["output"], LABELS[name](record["human"]))


class Source:
    """The sentences of a source by their keywords."""

    def __init__(self, text: str) -> None:
        self.spans = [span for span in split_sentences(text) if span.end - span.start <= LONGEST]
        self.stems = [keywords(span.of(text)) for span in self.spans]
        counts = Counter(stem for stems in self.stems for stem in stems)
        self.weights = {stem: log(1 + len(self.spans) / count) for stem, count in counts.items()}
        self.rarest = log(1 + len(self.spans))

    def best(self, claim: str) -> list[Span]:
        own = keywords(claim)
        total = sum(self.weights.get(stem, self.rarest) for stem in own)
        if not total:
            return []
        shares = [sum(self.weights[stem] for stem in own & stems) / total for stems in self.stems]
        order = sorted(range(len(shares)), key=lambda at: (-shares[at], at))[:PASSAGES]
        return [self.spans[at] for at in order if shares[at] >= LEAST_SHARE]


def find_hits(output: Output, source: Source) -> Iterator[Hit]:
    for sentence in split_sentences(output.text):
        claim = sentence.of(output.text)
        if len(claim) > LONGEST:
            continue
        seen = set()
        for passage in source.best(claim):
            for conflict in find_conflicts(
                claim, passage.of(output.source), sources=[output.source, output.beside], every=True
            ):
                own, place = conflict.claim.shifted(sentence.start), conflict.passage.shifted(passage.start)
                if (conflict.kind, own) not in seen:
                    seen.add((conflict.kind, own))
                    yield Hit(output.set, output.id, output.document, conflict.kind, own, place, output.faithful)
        for absent in find_absent(claim, [output.source, output.beside]):
            own = absent.span.shifted(sentence.start)
            yield Hit(output.set, output.id, output.document, f"absent {absent.kind}", own, None, output.faithful)


@dataclass(frozen=True, slots=True)
class Survey:
    outputs: dict[tuple[str, str], Output]
    hits: list[Hit]


def survey(folder: Path) -> Survey:
    outputs: dict[tuple[str, str], Output] = {}
    hits: list[Hit] = []
    sources: dict[str, Source] = {}
    for name in LABELS:
        if not (folder / f"{name}.jsonl.gz").exists():
            print(f"left out: {folder / name}.jsonl.gz is not there", file=sys.stderr)
            continue
        for output in read_outputs(folder, name):
            outputs[output.set, output.id] = output
            if output.document not in sources:
                sources[output.document] = Source(output.source)
            hits.extend(find_hits(output, sources[output.document]))
    return Survey(outputs, hits)


def draw(found: Survey, kind: str, *, fresh: bool) -> list[Hit]:
    """A seeded sample of one kind's hits, few of a document, equal statements of one document only once."""
    of_kind = [hit for hit in found.hits if hit.kind == kind and found.outputs[hit.set, hit.id].fresh is fresh]
    Random(SEED).shuffle(of_kind)
    kept: list[Hit] = []
    per_document: Counter[str] = Counter()
    told: set[tuple[str, str, Span | None]] = set()
    for hit in of_kind:
        words = (hit.document, hit.claim.of(found.outputs[hit.set, hit.id].text).lower(), hit.place)
        if per_document[hit.document] < MOST_OF_A_DOCUMENT and words not in told:
            per_document[hit.document] += 1
            told.add(words)
            kept.append(hit)
    return kept[:MOST_HITS]


def show(found: Survey, hits: list[Hit]) -> None:
    for number, hit in enumerate(hits):
        output = found.outputs[hit.set, hit.id]
        sentence = next(span for span in split_sentences(output.text) if span.start <= hit.claim.start < span.end)
        own = hit.claim
        print(f"\n#{number} {hit.set} {hit.id} {hit.kind} {own.start}-{own.end} faithful={hit.faithful}")
        print(
            "  O:",
            output.text[sentence.start : own.start]
            + "⟦"
            + own.of(output.text)
            + "⟧"
            + output.text[own.end : sentence.end],
        )
        if hit.place:
            place = next(span for span in split_sentences(output.source) if span.start <= hit.place.start < span.end)
            text = output.source
            print(
                "  S:",
                text[place.start : hit.place.start] + "⟦" + hit.place.of(text) + "⟧" + text[hit.place.end : place.end],
            )


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
