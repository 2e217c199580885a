"""Where the pair model comes from: every set and every weight it was made of, each with its licence."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Source:
    """Something the weights were derived from."""

    name: str
    origins: str
    """Its names in the training pairs."""
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
        "mnli, mnli_ni",
        "sentence pairs of ten genres (development parts, and training rows by way of Natural Instructions)",
        "OANC terms; parts CC BY 3.0, CC BY-SA 3.0 or public domain",
        "Williams, Nangia and Bowman, 2018",
    ),
    Source(
        "SNLI",
        "snli, snli_ni",
        "picture captions with hypotheses (all parts, some rows by way of Natural Instructions)",
        "CC BY-SA 4.0",
        "Bowman, Angeli, Potts and Manning, 2015",
    ),
    Source(
        "ConjNLI",
        "conjnli",
        "pairs that differ in a conjunct",
        "MIT",
        "Saha, Nie and Bansal, 2020",
    ),
    Source(
        "FEVER",
        "fever, fever_nli",
        "claims with Wikipedia evidence, supported or not",
        "CC BY-SA 3.0; the repository of the second part BSD-3",
        "Thorne, Vlachos, Christodoulopoulos and Mittal, 2018; text by Wikipedia contributors",
    ),
    Source(
        "Symmetric FEVER",
        "fever_symmetric",
        "claims with counterfactual evidence",
        "MIT; text CC BY-SA 3.0",
        "Schuster and others, 2019",
    ),
    Source(
        "FM2",
        "fm2",
        "claims written by players to fool each other",
        "Apache-2.0",
        "Eisenschlos and others, 2021",
    ),
    Source(
        "InfoTabS",
        "infotabs",
        "tables written out, with hypotheses",
        "Apache-2.0",
        "Gupta, Mehta, Nokhiz and Srikumar, 2020",
    ),
    Source(
        "Evidence Inference",
        "evidence_inference",
        "what trials found, by templates",
        "MIT",
        "Lehman, DeYoung, Barzilay and Wallace, 2019",
    ),
    Source(
        "WANLI",
        "wanli_part",
        "pairs written by a model and revised by people (part)",
        "CC BY 4.0; the repository MIT",
        "Liu, Swayamdipta, Smith and Choi, 2022",
    ),
    Source(
        "PAWS",
        "paws_ni",
        "sentences that differ by word order",
        "free for any purpose, with credit; the copy Apache-2.0",
        "Zhang, Baldridge and He, 2019",
    ),
    Source(
        "CAD",
        "cad_nli",
        "captions and hypotheses changed by people until the label turned",
        "Apache-2.0; SNLI's text CC BY-SA 4.0",
        "Kaushik, Hovy and Lipton, 2020",
    ),
    Source(
        "SciTail",
        "scitail_ni",
        "science sentences and answers",
        "the copy Apache-2.0",
        "Khot, Sabharwal and Clark, 2018",
    ),
    Source(
        "RTE",
        "rte_ni",
        "news sentences and hypotheses, by way of GLUE",
        "the copy Apache-2.0",
        "Dagan, Glickman, Magnini and others, 2005 to 2009",
    ),
    Source(
        "MED",
        "med",
        "pairs that test monotonicity",
        "CC BY-SA 4.0",
        "Yanaka and others, 2019",
    ),
    Source(
        "QASC",
        "qasc_ni",
        "two facts and what follows",
        "CC BY 4.0; the copy Apache-2.0",
        "Khot and others, 2020",
    ),
    Source(
        "Breaking NLI",
        "breaking_nli",
        "captions with one word changed",
        "CC BY-SA 4.0",
        "Glockner, Shwartz and Goldberg, 2018",
    ),
    Source(
        "FActScore",
        "factscore_atomic",
        "biographies by models and their single facts, edited by people",
        "MIT",
        "Min and others, 2023",
    ),
    Source(
        "FactCG",
        "factcg_cg2c",
        "claims over several sentences, made by a model",
        "MIT",
        "Lei and others, 2025",
    ),
    Source(
        "Factcheck-GPT",
        "factcheckgpt",
        "claims of a model against web evidence",
        "Apache-2.0",
        "Wang and others, 2023",
    ),
    Source(
        "FACTOR",
        "factor_news",
        "news sentences and false variants of them",
        "ODC-By 1.0",
        "Muhlgay and others, 2023",
    ),
    Source(
        "ClapNQ",
        "clapnq",
        "long answers from Wikipedia passages",
        "Apache-2.0",
        "Rosenthal and others, 2024",
    ),
    Source(
        "FaithDial's audit",
        "faithdial_audit",
        "dialogue answers and whether their source has them",
        "MIT",
        "Dziri and others, 2022",
    ),
    Source(
        "BEGIN",
        "begin",
        "dialogue answers and whether their source has them",
        "CC BY 4.0, CDLA-Sharing and others, by folder",
        "Dziri and others, 2022",
    ),
    Source(
        "Q2",
        "q2_wow",
        "dialogue answers and whether their source has them",
        "Apache-2.0",
        "Honovich and others, 2021",
    ),
    Source(
        "StorySumm",
        "storysumm",
        "sentences of model-written summaries of stories",
        "MIT",
        "Subbiah and others, 2024",
    ),
    Source(
        "DiaSumFact",
        "diasumfact",
        "sentences of model-written summaries of meetings",
        "MIT",
        "Zhu, Qi and Lau, 2023",
    ),
    Source(
        "APTY",
        "apty",
        "paraphrases by a model, judged by people",
        "CC BY 4.0",
        "Meier and others, 2025",
    ),
    Source(
        "MedHallu",
        "medhallu",
        "conclusions of abstracts, right and made up",
        "MIT",
        "Pandit and others, 2025",
    ),
    Source(
        "DialFact",
        "dialfact_small",
        "dialogue answers as claims (sample)",
        "BSD-3",
        "Gupta, Wu, Liu and Xiong, 2022",
    ),
    Source(
        "LENS",
        "lens_adequacy",
        "simplifications with people's grades",
        "Apache-2.0",
        "Maddela, Dou, Heineman and Xu, 2023",
    ),
    Source(
        "HaluEval",
        "halueval_qa",
        "answers, right and made up",
        "MIT",
        "Li and others, 2023",
    ),
    Source(
        "WikiSplit",
        "wikisplit",
        "sentences split in two",
        "CC BY-SA 4.0",
        "Botha and others, 2018; text by Wikipedia contributors",
    ),
    Source(
        "OneStopEnglish",
        "onestop",
        "news at three levels",
        "CC BY-SA 4.0",
        "Vajjala and Lučić, 2018",
    ),
    Source(
        "SWiPE",
        "swipe",
        "Wikipedia and Simple Wikipedia",
        "Apache-2.0; text CC BY-SA",
        "Laban and others, 2023; text by Wikipedia contributors",
    ),
    Source(
        "Cochrane summaries",
        "cochrane_pls",
        "abstracts and plain-language summaries",
        "CC BY 4.0",
        "Devaraj, Marshall, Wallace and Li, 2021; text of Cochrane",
    ),
    Source(
        "QMSum",
        "qmsum",
        "meetings and answers about them",
        "MIT",
        "Zhong and others, 2021",
    ),
    Source(
        "SciTLDR",
        "scitldr",
        "abstracts and one-sentence summaries",
        "Apache-2.0",
        "Cachola, Lo, Cohan and Weld, 2020",
    ),
    Source(
        "MTS-Dialog",
        "mts_dialog",
        "doctors' visits and notes",
        "CC BY 4.0",
        "Ben Abacha, Yim, Fan and Lin, 2023",
    ),
    Source(
        "ACI-Bench",
        "aci_bench",
        "doctors' visits and notes",
        "CC BY 4.0",
        "Yim and others, 2023",
    ),
    Source(
        "ConvoSumm",
        "convosumm",
        "mail threads and summaries",
        "CC BY-SA 4.0",
        "Fabbri and others, 2021",
    ),
    Source(
        "FewSum",
        "fewsum_amazon",
        "product reviews and summaries",
        "MIT",
        "Bražinskas, Lapata and Titov, 2020",
    ),
    Source(
        "ToS;DR summaries",
        "tosdr",
        "terms of service and what they mean",
        "Apache-2.0",
        "Manor and Li, 2019",
    ),
    Source(
        "Assay's made pairs",
        "corruption",
        "rule-made changes of the texts above, and small made-up texts, by the code in training/",
        "CC BY-SA 4.0 where made from the texts above, else Apache-2.0",
        "the Assay maintainers",
    ),
    Source(
        "Assay's modern twins",
        "modern, fact_twins",
        "short invented texts of many kinds with right and wrong claims about them, written by a language model",
        "Apache-2.0",
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
