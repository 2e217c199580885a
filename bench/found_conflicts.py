"""Conflicts and absences that code finds in the outputs of labelled sets.

Each sentence of an output is held against the two sentences of its source that share most of its rarer words.
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
from assay.checks.conflicts.pair import find_conflicts
from assay.domain.span import Span
from assay.text.keywords import keywords
from assay.text.sentences import split_sentences

SEED = 11
MOST_HITS = 100
MOST_OF_A_DOCUMENT = 3
PASSAGES = 2
LEAST_SHARE = 0.3
LONGEST = 2_000


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
