"""The side of a body and the way of giving a drug, where claim and passage name different ones."""

from collections.abc import Iterator
from typing import Final

from assay.checks.conflicts.conflict import Conflict, ConflictKind
from assay.checks.conflicts.context import compare
from assay.checks.conflicts.reading import Reading
from assay.checks.conflicts.word_sets import word_set

_SIDES: Final = {
    "left": "right bilateral", "right": "left bilateral", "bilateral": "left right unilateral",
    "unilateral": "bilateral", "upper": "lower", "lower": "upper", "proximal": "distal", "distal": "proximal",
    "anterior": "posterior", "posterior": "anterior", "medial": "lateral", "lateral": "medial",
}  # fmt: skip
_BODY: Final = word_set(
    """
    arm leg knee hip shoulder eye ear lung kidney breast foot hand ankle wrist elbow side lobe ventricle atrium ovary
    femur thigh calf cheek flank groin hemisphere quadrant abdomen chest hemithorax limb extremity extremities arms
    legs knees hips shoulders eyes ears lungs kidneys breasts feet hands ankles wrists sided lower upper ventricular
    carotid femoral tibia fibula humerus clavicle testicle temple jaw neck back heel toe finger thumb forearm
    """
)
_ROUTES: Final = {
    "oral": ("oral", "orally", "po", "mouth"),
    "intravenous": ("intravenous", "intravenously", "iv"),
    "subcutaneous": ("subcutaneous", "subcutaneously", "sc", "subq"),
    "intramuscular": ("intramuscular", "intramuscularly", "im"),
    "topical": ("topical", "topically"),
    "rectal": ("rectal", "rectally"),
    "sublingual": ("sublingual", "sublingually"),
    "inhaled": ("inhaled", "inhalation", "nebulised", "nebulized"),
    "intranasal": ("intranasal", "intranasally"),
    "transdermal": ("transdermal", "transdermally"),
    "intrathecal": ("intrathecal", "intrathecally"),
}
_ROUTE_OF: Final = {word: route for route, words in _ROUTES.items() for word in words}


def find_laterality_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    """Another side of the same thing, which the passage has on that side alone."""
    for at, token in enumerate(claim.tokens):
        against = _SIDES.get(token.key, "").split()
        things = _things(claim, at)
        if not against or not things:
            continue
        places = {place: _things(passage, place) & things for place in range(len(passage.tokens))}
        if any(shared and passage.tokens[place].key == token.key for place, shared in places.items()):
            continue
        for place, shared in places.items():
            if shared and passage.tokens[place].key in against and _is_about_one(claim, at, passage, place):
                yield _tell("laterality", claim, at, passage, place)
                break


def find_route_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    routes = {_ROUTE_OF[token.key] for token in passage.tokens if token.key in _ROUTE_OF}
    if not routes:
        return
    for at, token in enumerate(claim.tokens):
        route = _ROUTE_OF.get(token.key)
        if route is None or route in routes:
            continue
        for place, other in enumerate(passage.tokens):
            if other.key in _ROUTE_OF:
                found = _conflict("route", claim, at, passage, place)
                if found:
                    yield found
                    break


def _conflict(kind: ConflictKind, claim: Reading, at: int, passage: Reading, place: int) -> Conflict | None:
    context = compare(claim, range(at, at + 1), passage, range(place, place + 1))
    return _tell(kind, claim, at, passage, place) if context.is_same(shared=2) else None


def _is_about_one(claim: Reading, at: int, passage: Reading, place: int) -> bool:
    """A side is told of few things in a text, so little more than the thing itself need be shared."""
    context = compare(claim, range(at, at + 1), passage, range(place, place + 1))
    return context.is_same(share=0.25, passage_share=0.1, shared=2, near=1)


def _tell(kind: ConflictKind, claim: Reading, at: int, passage: Reading, place: int) -> Conflict:
    return Conflict.between(kind, claim, claim.tokens[at].span, passage, passage.tokens[place].span)


def _things(reading: Reading, at: int) -> frozenset[str]:
    """What has that side: one of the next two words, a part of the body, or whatever is left or right."""
    near = reading.tokens[at + 1 : at + 3]
    known = frozenset(token.key for token in near) & _BODY
    if known or reading.tokens[at].key not in {"left", "right"}:
        return known
    return frozenset(token.stem for token in near[:1] if token.stem)
