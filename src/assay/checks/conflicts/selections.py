"""Bounds that select: doses above 4,000 IU, children under 5, if the level is below 20."""

import re
from typing import Final

from assay.domain.span import Span
from assay.text.verbs import first_finite_verb

_WINDOW: Final = 160
_CLAUSE_ENDS: Final = re.compile(r"[.,;:!?()]\s|[\n|]")
_WORD: Final = re.compile(r"[\w'’-]+")
_SIDE: Final = r"above|below|over|under|(?:older|younger|greater|higher|lower|longer|heavier) than"
_BOUND: Final = (
    rf"(?:{_SIDE}|(?:no |not )?(?:more|less|fewer) than|at least|at most|up to|exceeding|in excess of"
    r"|(?:a )?(?:minimum|maximum)(?: of)?|[<>≤≥]=?)"
)
_SELECTED: Final = (
    r"(?:people|persons?|adults?|children|kids|child|infants|babies|toddlers|teenagers|seniors|men|women|girls|boys"
    r"|patients|those|anyone|everyone|residents|citizens|drivers|passengers|riders|visitors|guests|students|pupils"
    r"|workers|employees|employers|users|customers|members|participants|smokers|drinkers|runners|families|households"
    r"|couples|dogs|cats|animals|dos(?:e|es|ages?)|levels?|values?|amounts?|quantities|concentrations?|readings?|scores?"
    r"|temperatures?|speeds?|pressures?|ages?|weights?|incomes?|salaries|earnings|ratios?|rates?|orders|purchases"
    r"|sums|loans|deposits|payments|transactions|contracts|gifts|cars|vehicles|trucks|lorries|trailers|ships|boats"
    r"|bags|parcels|packages|letters|loads|items|products|goods|files|groups|teams|classes|parties|firms|companies"
    r"|businesses|shops|homes|houses|buildings|rooms|trees|trips|journeys|flights|stays|tumou?rs|lesions|nodules)"
)
# What may part the noun from its bound: "cars weighing more than", "patients with an eGFR below", "homes that lost".
_JOINED: Final = (
    rf"(?:\s(?:of|aged?|[a-z]+ing|with(?:\s[\w'’-]+){{1,4}}(?=\s(?:{_SIDE}|of)\b)(?:\sof)?"
    r"|(?:who|that|which)(?:\s(?:is|are|was|were|has|have|had))?(?:\s[\w'’-]+)?))?"
)
# "Of the patients at least 12 died": behind a preposition no subject stands.
_SUBJECT: Final = re.compile(
    r"^(?!(?:of|in|on|at|among|after|before|during|from|with|by|for|to)\s)"
    rf"(?P<lead>(?:[\w'’-]+\s){{0,3}}{_SELECTED}){_JOINED}\s(?:{_BOUND}\s)?$"
)
_ADJUNCT: Final = re.compile(
    rf"\b(?:for|in|among|to|from|at|by|of|with)\s(?:[\w'’-]+\s){{0,2}}{_SELECTED}(?:\saged?)?\s(?:{_SIDE})\s$"
    rf"|\bwith\s(?:an?\s)?(?:[\w'’-]+\s){{1,2}}(?:{_SIDE})\s$"
    rf"|\baged?\s(?:{_BOUND}\s)?$"
)
# One word and "above" or "below" at the start are a noun and what it is measured by: "HbA1c below 7% is the target".
_MEASURED: Final = re.compile(r"^[\w'’-]+\s(?:above|below)\s$")
_CONDITION: Final = re.compile(rf"\b(?:if|unless|when|whenever)(?:\s[\w'’-]+){{1,5}}\s{_BOUND}\s$")
# Of what is asked for, a looser bound asks for something else.
_DEMAND: Final = re.compile(
    r"(?:\b(?:must|should|shall|may not|cannot|can't|do not|don't|never|(?:required|allowed|advised) to)"
    r"|^(?:please )?(?:take|use|give|keep|eat|drink|drive|store|apply|wait|allow|avoid))"
    rf"(?:\s[\w'’-]+){{0,3}}\s{_BOUND}\s$"
)


def selects(text: str, figure: Span) -> bool:
    """Whether the bound on a figure says of whom or what the sentence holds, rather than how many there were.

    "At least 18 were treated" is true if 20 were; "doses above 400 IU do harm" is another claim than "above 4,000 IU".
    """
    before = text[max(0, figure.start - _WINDOW) : figure.start].lower()
    clause = _CLAUSE_ENDS.split(before)[-1].lstrip(" $€£¥₹").rstrip("$€£¥₹~ ") + " "
    subject = _SUBJECT.search(clause)
    if subject and first_finite_verb([*_WORD.findall(subject["lead"]), "it"]) is None:
        return True
    return any(each.search(clause) for each in (_ADJUNCT, _MEASURED, _CONDITION, _DEMAND))
