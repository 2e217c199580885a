"""The determination of an answer, read from a status field or a label line, and the one that the truth asks for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, TypeGuard, get_args

from assay.domain.findings import Findings
from assay.domain.span import Span
from assay.text.quotes import find_quote

Determination = Literal["likely_eligible", "not_eligible", "needs_confirmation"]
Match = Literal["match", "partial", "mismatch", "undetermined"]
DETERMINATIONS: Final[tuple[Determination, ...]] = get_args(Determination)
UNDETERMINED: Final = "undetermined"

_STATUSES: Final[Mapping[Determination, str]] = {
    "likely_eligible": """eligible, likely eligible, probably eligible, include, included,
        elegible, probablemente elegible, éligible, probablement éligible, geeignet, wahrscheinlich geeignet,
        teilnahmeberechtigt, wahrscheinlich teilnahmeberechtigt, elegível, provavelmente elegível, idoneo, idonea,
        probabilmente idoneo, probabilmente idonea, đủ điều kiện, có khả năng đủ điều kiện, 符合条件, 很可能符合条件""",
    "not_eligible": """not eligible, likely not eligible, probably not eligible, ineligible, likely ineligible, exclude,
        excluded, not relevant, irrelevant, no elegible, probablemente no elegible, non éligible, inéligible,
        probablement non éligible, nicht geeignet, nicht teilnahmeberechtigt, não elegível, inelegível, non idoneo,
        non idonea, không đủ điều kiện, 不符合条件""",
    "needs_confirmation": """needs confirmation, needs doctor confirmation, not enough information,
        insufficient information, uncertain, requiere confirmación, necesita confirmación, confirmation nécessaire,
        bestätigung erforderlich, requer confirmação, necessita conferma, cần xác nhận, 需要确认""",
}
TRUTH_LABELS: Final[Mapping[str, Determination]] = MappingProxyType(
    {name.strip(): determination for determination, names in _STATUSES.items() for name in names.split(",")}
)
"""What a ground-truth label, or the status of an answer, stands for. A rubric may add its own truth labels."""

_LABEL: Final = r"""(?:(?:final|overall|preliminary|trial|eligibility)[ _]){0,2}(?:determination|verdict|status|decision
    |assessment|conclusion|result|outcome|eligibility|answer) | determinación | veredicto | estado | conclusión
    | resultado | elegibilidad | détermination | statut | résultat | éligibilité | ergebnis | fazit | eignung
    | determinação | situação | conclusão | elegibilidade | determinazione | esito | stato | idoneità | kết[ ]luận
    | trạng[ ]thái | 结论 | 判定 | 状态 | 资格"""
_YES_OR_NO: Final[Mapping[str, Determination]] = {
    "yes": "likely_eligible",
    "true": "likely_eligible",
    "no": "not_eligible",
    "false": "not_eligible",
}
# The status ends with its line, its sentence, its cell or its JSON string: whatever else follows may change it.
_END: Final = r"[*_`~\"”]{0,4}(?:[ \t\r]{0,8}(?:\|[ \t\r]{0,8})?(?:\n|\Z)|[.!。](?:\s|\Z|(?<=。))|\s{0,8}\}|(?<=\"),)"
_MARKS: Final = r"[*_`~\"”.!。]{0,4}"
_LEAD: Final = r"[ \t>#*_`~\"|✅❌-]{0,12}+"
_GAP: Final = r"[\s>#*_`~\"|✅❌-]{0,12}+"
# Collections number their grades differently, so a digit is read only by the name beside it.
_GRADE: Final = re.compile(r"\d{1,2}\s*(?:[-–—:.)=]\s*|\s)|\d{1,2}\s*(?=\()")
# Between the answer and a status these mean that the status is the truth's, or is denied.
_NOT_THE_ANSWER: Final = re.compile(
    r"\b(?:truth|gold|label|should|correct answer|expected|whether|if|not|never|fails?|instead of|rather than)\b|n't\b",
    re.IGNORECASE,
)
_JOINTS: Final = re.compile(r"[\s_\-‐‑–—]+")
_WRAPPING: Final = " \t\n.,;:!\"'“”‘’()[]*`"


@dataclass(frozen=True, slots=True)
class Stated:
    """What an answer says about eligibility, where it says so, and who read it; None where that is unknown."""

    determination: Determination | None
    span: Span | None = None
    by: Literal["code", "judge", "reason"] = "code"


def find_status(answer: str) -> Stated | None:
    """The status of a field or label line ("Determination: Not Eligible"), or of the first sentence or last line alone.

    None where there is none, where several differ, and where more words stand beside one.
    """
    found = list(_find_statuses(answer))
    return found[0] if len({each.determination for each in found}) == 1 else None


def read_statement(answer: str, findings: Mapping[str, Findings]) -> Stated:
    """The answer's own status; else the judge's determination, if the words that it quotes are in the answer."""
    status = find_status(answer)
    if status is not None:
        return status
    for remark in (remark for each in findings.values() for remark in each.remarked("determination")):
        quoted = find_quote(remark.fields.get("quote", ""), answer)
        for determination in DETERMINATIONS:
            if remark.fields.get("determination") == determination and quoted is not None:
                return Stated(determination, quoted, "judge")
        if remark.fields.get("determination") == UNDETERMINED:
            return Stated(None, None, "judge")
    reasons = [remark.fields.get("text", "") for each in findings.values() for remark in each.remarked("reason")]
    told = {determination for reason in reasons for determination in _find_told(reason)}
    return Stated(told.pop(), None, "reason") if len(told) == 1 else Stated(None)


def _find_told(reason: str) -> Iterator[Determination]:
    """What a judge's reasoning says that the answer determines; what it says of the truth does not count."""
    for match in _build_told().finditer(reason):
        if not _NOT_THE_ANSWER.search(match["between"]):
            yield TRUTH_LABELS[_fold(match["status"])]


def is_determination(word: str) -> TypeGuard[Determination]:
    return word in DETERMINATIONS


def read_truth(label: str, table: Mapping[str, Determination] = TRUTH_LABELS) -> Determination | None:
    """The determination a label stands for: `Excluded`, `not_relevant`, `0 (Not Relevant)`, `2 - Eligible`.

    None for a bare digit and for a label that is not in the table; of two names alike the later one counts.
    """
    stripped = label.strip()
    grade = _GRADE.match(stripped)
    wanted = _fold(stripped[grade.end() :] if grade else stripped)
    return {_fold(name): determination for name, determination in table.items()}.get(wanted)


def match_determination(found: Determination | None, truth: Determination) -> Match:
    """Needs Confirmation against anything else is half right, whichever side it is on."""
    if found is None:
        return "undetermined"
    if found == truth:
        return "match"
    return "partial" if "needs_confirmation" in (found, truth) else "mismatch"


def _fold(label: str) -> str:
    return _JOINTS.sub(" ", label.casefold()).strip(_WRAPPING)


def _find_statuses(answer: str) -> Iterator[Stated]:
    for pattern in _build_patterns():
        for match in pattern.finditer(answer):
            written = _fold(match["status"])
            yield Stated(TRUTH_LABELS.get(written) or _YES_OR_NO[written], Span(*match.span("status")))


@cache
def _build_told() -> re.Pattern[str]:
    names = sorted((name for name in TRUTH_LABELS if "elig" in name or "confirmation" in name), key=len, reverse=True)
    status = "|".join(r"[ _-]".join(map(re.escape, name.split())) for name in names)
    subject = r"determin\w+|answer\w*|workflow\w*|response|assistant|system|conclu\w+|verdict|classif\w+"
    return re.compile(rf"\b(?:{subject})\b(?P<between>[^.;\n]{{0,80}}?)\b(?P<status>{status})\b", re.IGNORECASE)


@cache
def _build_patterns() -> tuple[re.Pattern[str], ...]:
    names = sorted(TRUTH_LABELS, key=len, reverse=True)
    status = "|".join(r"[ _-]".join(map(re.escape, name.split())) for name in names)
    labelled = rf"(?:^|(?<=[{{,|])){_LEAD}(?:{_LABEL})[*_`\"]{{0,4}}[ \t]{{0,4}}(?:[:：=|–—]|[ ]-[ ]|\r?\n){_GAP}"
    flag = rf"(?:^|(?<=[{{,|])){_LEAD}(?:is[ _])?eligible[*_`\"]{{0,4}}[ \t]{{0,4}}[:：=|]{_GAP}"
    whole = (
        rf"{labelled}(?P<status>{status}){_END}",
        rf"{flag}(?P<status>yes|no|true|false){_END}",
        rf"\A{_GAP}(?P<status>{status}){_END}",
        rf"^{_LEAD}(?P<status>{status}){_MARKS}\s{{0,8}}\Z",
    )
    return tuple(re.compile(each, re.IGNORECASE | re.MULTILINE | re.VERBOSE) for each in whole)
