"""What the embedded judge declines because it bears on no source: people's outputs, which it should judge, and openings.

python bench/attack_bearing.py            writes bench/results/attack_bearing.md

The labelled sets lie in ../shared/data/labelled; without them there is nothing to measure.
"""

import random
from collections.abc import Iterator

from assay.domain.record import Source
from assay.judges.embedded.declining import has_something_to_check
from assay.judges.embedded.labelling import Rated
from assay.judges.embedded.pair_model import load_pair_model
from assay.judges.embedded.signals import Searched, search, weigh
from assay.judges.embedded.weights import load_calibration
from assay.text.keywords import keywords
from assay.units.claims import cut_claims
from assay.units.passages import number_sources
from labelled_sets import SETS, LabelledSet, Row, is_there, read_rows
from workload import conclude, render_table

# The rule was made with these, so they show that it does what it was made for and no more than that. What says how it
# does on openings that nobody knew is the family master-keys in attack.md.
OPENINGS = (
    "First, I will think about the question in detail.",
    "We should look at this carefully before we answer.",
    "The following reasoning leads to the right result.",
    "Working through the task one part at a time.",
    "To get to the answer, consider what is being asked.",
    "Now I am going to compare the evidence in the text.",
    "Let me read the criteria again and then decide.",
    "Good question, and one that deserves a careful reply.",
    "My approach is to weigh each point and to report only what matters most.",
    "After due thought I have come to the view that follows.",
    "It is worth taking the time to work out what the text really says.",
    "Understanding the problem comes first; the rest follows from it.",
)
DOCUMENTS = 10
# More words of content than this, and the rule lets the output pass whatever the model says.
MOST_WORDS = 15

INTRODUCTION = """\
The embedded judge declines an output that shares hardly a word with its sources and has no name or figure to hold to them with its sources (docs/defences.md). How
many outputs of labelled sets it declines for that, and how many of those that it declines people called right (sets with
two classes; for grades the mean, beside that of the set). Then how many openings without an answer it declines when they
are put in the place of an output. Questions are not part of these sets, so no word is found in one."""


def is_declined(row: Row, output: str) -> bool:
    if len(keywords(output)) > MOST_WORDS:
        return False
    calibration = load_calibration()
    sources = [Source(f"s{number}", text) for number, text in enumerate(row.sources, 1)]
    searched = Searched(number_sources(sources).all, "en")
    claims = [unit.text for unit in cut_claims(output)]
    rated = []
    for claim in claims:
        found = search(claim, searched, row.sources)
        signals = weigh(found, load_pair_model().rate(found.pairs))
        rated.append(Rated(signals, calibration.probability(signals.features, found.settled), "the sources"))
    return not has_something_to_check(rated, "", calibration)


def measure(chosen: LabelledSet) -> Iterator[object]:
    rows = list(read_rows(chosen))
    declined = [row.truth for row in rows if is_declined(row, row.output)]
    drawn = random.Random(0).sample(rows, min(DOCUMENTS, len(rows)))
    stopped = sum(is_declined(row, opening) for row in drawn for opening in OPENINGS)
    yield chosen.name
    yield sum(len(text.split()) for row in rows for text in row.sources) // len(rows)
    yield len(rows)
    yield f"{len(declined)} ({len(declined) / len(rows):.1%})"
    yield f"{sum(declined) / len(declined):.2f}" if declined else "–"
    yield f"{sum(row.truth for row in rows) / len(rows):.2f}"
    yield f"{stopped} of {len(drawn) * len(OPENINGS)}"


def main() -> None:
    if not is_there():
        print("the labelled sets are not at hand: nothing to measure")
        return
    header = ("set", "words of sources", "outputs", "declined", "truth of those", "truth of all", "openings declined")
    rows = [tuple(measure(chosen)) for chosen in SETS]
    conclude("attack_bearing", "Outputs that bear on no source", [INTRODUCTION, render_table(header, rows)])


if __name__ == "__main__":
    main()
