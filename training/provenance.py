"""Where the pair model comes from: every set and every weight it was made of, each with its licence."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Source:
    """Something the weights were derived from."""

    name: str
    origin: str
    what: str
    licence: str
    credit: str


SOURCES: Final = (
    Source(
        "VitaminC",
        "vitaminc",
        "claims with contrasting Wikipedia revisions (development and test parts)",
        "CC BY-SA 3.0",
        "Schuster, Fisch and Barzilay, 2021; text by Wikipedia contributors",
    ),
    Source(
        "MultiNLI",
        "mnli",
        "sentence pairs of ten genres (development parts)",
        "OANC terms; parts CC BY 3.0, CC BY-SA 3.0 or public domain",
        "Williams, Nangia and Bowman, 2018",
    ),
    Source(
        "SNLI",
        "snli",
        "picture captions with hypotheses (development and test parts)",
        "CC BY-SA 4.0",
        "Bowman, Angeli, Potts and Manning, 2015",
    ),
    Source("ConjNLI", "conjnli", "pairs that differ in a conjunct", "MIT", "Saha, Nie and Bansal, 2020"),
    Source(
        "FEVER",
        "fever",
        "claims with Wikipedia evidence, supported or not (development part)",
        "CC BY-SA 3.0",
        "Thorne, Vlachos, Christodoulopoulos and Mittal, 2018; text by Wikipedia contributors",
    ),
    Source(
        "Assay's corruptions",
        "corruption",
        "rule-made changes of the texts above, and small made-up texts, by the code in training/",
        "CC BY-SA 4.0 where made from the texts above, else Apache-2.0",
        "the Assay maintainers",
    ),
)

ENCODER: Final = Source(
    "all-MiniLM-L6-v2",
    "",
    "the six-layer encoder training started from",
    "Apache-2.0",
    "the sentence-transformers project; after MiniLM by Wang, Wei, Dong, Bao, Yang and Zhou, 2020",
)
