"""The list that an address asks for: which records, in which order, which page; and the address of every other list."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from urllib.parse import quote, unquote, urlencode

from assay.domain.rubric import Rubric
from assay.store.browsing import TOTAL, Wanted

PAGE_ROWS = 50
# Numbers are compared as the database has them, in binary: a hair's breadth keeps 0.7 within "up to 0.7".
_HAIR = 1e-9
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Query:
    """As it was typed. What can't be understood is ignored in the list and stays in the form, with a remark."""

    q: str = ""
    metric: str = ""
    least: str = ""
    most: str = ""
    status: str = ""
    flag: str = ""
    facet: str = ""
    system: str = ""
    order: str = ""
    down: str = ""
    page: int = 1
    remarks: tuple[str, ...] = field(default=(), compare=False)

    def address(self, **changes: object) -> str:
        """The query of an address; another order or another filter begins on its first page."""
        changed = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]  # names are those of the fields
        pairs = [(name, getattr(changed, name)) for name in _FIELDS]
        return urlencode([pair for pair in pairs if pair[1] not in {"", 1}], errors="replace")

    @property
    def is_filtered(self) -> bool:
        return any(getattr(self, name) for name in ("q", "least", "most", "status", "flag", "facet", "system"))


_FIELDS = ("q", "metric", "least", "most", "status", "flag", "facet", "system", "order", "down", "page")


def read_query(given: Mapping[str, str], rubric: Rubric) -> Query:
    texts = {name: given.get(name, "").strip()[:_LONGEST] for name in _FIELDS if name != "page"}
    names = {metric.id for metric in rubric.metrics}
    remarks = []
    if texts["metric"] not in names | {""}:
        remarks.append("There is no such metric.")
        texts["metric"] = ""
    if texts["order"] not in names | {"", "id", "total"}:
        texts["order"] = ""
    remarks += [f"{texts[each]!r} is no number." for each in ("least", "most") if _read_number(texts[each]) is None]
    page = given.get("page", "1")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1
    return Query(**texts, page=max(1, number), remarks=tuple(remarks))


def build_wanted(query: Query, rubric: Rubric) -> Wanted:
    least, most = _find_range(query, rubric)
    name, _, value = query.facet.partition("=")
    return Wanted(
        text=query.q,
        metric=query.metric or TOTAL,
        least=least,
        most=most,
        status=query.status,
        flag=query.flag,
        facet=(unquote(name), unquote(value)) if query.facet else None,
        system=query.system or None,
        order={"": "place", "total": TOTAL}.get(query.order, query.order),
        descending=bool(query.down),
    )


def write_facet(name: str, value: str) -> str:
    return f"{quote(name, safe='', errors='replace')}={quote(value, safe='', errors='replace')}"


def _find_range(query: Query, rubric: Rubric) -> tuple[float | None, float | None]:
    """Scores are typed on the metric's own scale; where a low score is best, the ends change places."""
    ends = [_read_number(query.least), _read_number(query.most)]
    given = [None if end in {None, ""} else end for end in ends]
    values = [Fraction(end) if end is not None else None for end in given]
    if query.metric:
        scale = rubric.metric(query.metric).scale
        values = [None if value is None else scale.goodness(value) for value in values]
        if scale.best == "low":
            values.reverse()
    low, high = values
    return None if low is None else float(low) - _HAIR, None if high is None else float(high) + _HAIR


def _read_number(text: str) -> str | None:
    """The text of a number, empty for none; None where it is not one."""
    bare = text.replace(",", ".")
    digits = bare.removeprefix("-").replace(".", "", 1)
    if not bare:
        return ""
    return bare if digits.isascii() and digits.isdigit() and len(bare) < 20 else None
