"""Rules whose value is a judge's grade, alone or beside facts that code knows."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from assay.domain.findings import Fact, Findings
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.scale import in_words
from assay.scoring.rules.counts import UNNAMED_ABSENT, format_faults, unnamed_absent
from assay.scoring.rules.rule import Rule, RuleSetting
from assay.scoring.severity import count_faults
from assay.scoring.tally import Computed, MetricTally

ANY: Final = "any"
NONE: Final = "none"
AT_LEAST: Final = " at least"
# A grade so far from what code measures is asked for once more.
LEVELS_APART: Final = 2
_UNGRADED: Final = "without a grade"


def _scored(tally: MetricTally) -> tuple[str, ...]:
    """The grades that make the score, without those only kept beside it."""
    return tuple(part.id for part in tally.metric.grade_parts if not part.only_reported)


def _lacks_a_grade(tally: MetricTally) -> str | None:
    missing = next((name for name in _scored(tally) if tally.grade(name) is None), None)
    return None if missing is None else f"the judge gave no {missing.replace('_', ' ')}"


def _list_grades(tally: MetricTally) -> list[tuple[str, Fraction]]:
    return [(name, level) for name in _scored(tally) if (level := tally.grade(name)) is not None]


def _grade(tally: MetricTally) -> Computed:
    level = _list_grades(tally)[0][1]
    return Computed(level, f"graded {tally.metric.scale.say(level)} by the judge: an opinion, not a count")


def _mean_of_subscores(tally: MetricTally) -> Computed:
    grades = _list_grades(tally)
    mean = sum((level for _, level in grades), Fraction(0)) / len(grades)
    summary = ", ".join(f"{name} {in_words(level)}" for name, level in grades)
    return Computed(mean, f"graded by the judge: {summary}; mean {in_words(mean)}")


def _find_row(tally: MetricTally, rule: Rule) -> Mapping[str, str] | None:
    """The first row of the metric's table whose conditions on facts all hold; None where a fact is not known."""
    for row in tally.metric.bands:
        conditions = [(name, wanted) for name, wanted in row.items() if name not in (*rule.table, *rule.optional)]
        held = [_holds(tally, name, wanted) for name, wanted in conditions]
        if None in held:
            return None
        if all(held):
            return row
    return None


def _holds(tally: MetricTally, column: str, wanted: str) -> bool | None:
    """`any` always holds; `share at least` compares a number with the fact `share`, else the fact equals the word."""
    if wanted == ANY:
        return True
    name, at_least, _ = column.partition(AT_LEAST)
    value = tally.known(name)
    if value is None:
        return None
    return value >= Fraction(wanted) if at_least and isinstance(value, Fraction) else str(value) == wanted


def _name_facts(row: Mapping[str, str], rule: Rule) -> list[str]:
    return [column.partition(AT_LEAST)[0] for column in row if column not in (*rule.table, *rule.optional)]


def _describe_facts(tally: MetricTally, row: Mapping[str, str], rule: Rule) -> str:
    names = _name_facts(row, rule)
    words = [fact.words for name in names if (fact := tally.facts.get(name)) is not None and fact.words]
    return "; ".join(dict.fromkeys(words))


def _own_grade(tally: MetricTally) -> Fraction | None:
    return next((level for _, level in _list_grades(tally)), None)


def _lacks_grade_and_row(tally: MetricTally) -> str | None:
    """Without a grade the table has to decide alone."""
    if _own_grade(tally) is not None:
        return None
    row = _find_row(tally, GRADE_WITHIN_LIMITS)
    if row is None or row.get(_UNGRADED, NONE) == NONE:
        facts = _describe_facts(tally, row or tally.metric.bands[0], GRADE_WITHIN_LIMITS)
        return f"the judge gave no grade, and {facts or 'the measured facts alone do not decide the score'}"
    if tally.claims is None and tally.metric.claims_from is not None and row == tally.metric.bands[0]:
        return "the claims are not labelled, and the judge gave no grade"
    return None


def _grade_within_limits(tally: MetricTally) -> Computed:
    rule = GRADE_WITHIN_LIMITS
    row = _find_row(tally, rule)
    summary = _describe_facts(tally, row or tally.metric.bands[0], rule) or "the facts for the limit are not known"
    limit = None if row is None or row["at most"] == ANY else Fraction(row["at most"])
    grade = _own_grade(tally)
    if grade is not None:
        over = limit is not None and grade > limit
        flags = [tally.metric.settings["over the limit"]] if over else []
        if limit is None:
            flags.append(tally.metric.settings["no limit"])
        return Computed(grade, f"{summary}; graded {in_words(grade)} by the judge", limit=limit, flags=tuple(flags))
    if row is None:
        raise AssertionError("a metric without a grade and without a row is not scored")
    value = Fraction(row[_UNGRADED])
    if row == tally.metric.bands[0]:
        faults = count_faults(tally.all_claims, tally.units, unnamed_absent(tally.metric))
        value = max(tally.metric.scale.low, value - (2 if faults.serious else 1 if faults.slight else 0))
        summary += f"; {format_faults(faults)}"
    return Computed(value, f"{summary} → {in_words(value)}, no grade", limit=limit)


def _lacks_grade_and_facts(tally: MetricTally) -> str | None:
    if _own_grade(tally) is not None or _find_row(tally, GRADE_BESIDE_FACTS) is not None:
        return None
    named = dict.fromkeys(name for row in tally.metric.bands for name in _name_facts(row, GRADE_BESIDE_FACTS))
    facts = [tally.facts[name] for name in named if name in tally.facts]
    unknown = [fact.words for fact in facts if fact.value is None and fact.words]
    return unknown[0] if unknown else "the judge gave no grade, and code could not measure it"


def _grade_beside_facts(tally: MetricTally) -> Computed:
    """A grade stands; what code measures stands beside it. Without a grade the measure is the score."""
    row = _find_row(tally, GRADE_BESIDE_FACTS)
    grade = _own_grade(tally)
    if row is None:
        if grade is None:
            raise AssertionError("a metric without a grade and without facts is not scored")
        return Computed(grade, f"graded {in_words(grade)} by the judge: an opinion; code could not measure it")
    measured, summary = Fraction(row["score"]), _describe_facts(tally, row, GRADE_BESIDE_FACTS)
    if grade is None:
        return Computed(measured, f"measured by code: {summary} → {in_words(measured)}", flags=("measured_by_code",))
    flags = ("measured_differs",) if abs(grade - measured) >= LEVELS_APART else ()
    words = f"graded {in_words(grade)} by the judge; measured by code: {summary} → {in_words(measured)}"
    return Computed(grade, words, beside=measured, flags=flags)


def explain_measured(metric: Metric, record: Record, facts: Mapping[str, Fact], findings: Findings) -> str | None:
    """Why a grade that is far from what code measures deserves another look, in words fit for a re-ask."""
    if metric.rule != GRADE_BESIDE_FACTS.name:
        return None
    computed = _grade_beside_facts(MetricTally(metric, record, findings, facts=facts)) if findings.grades else None
    if computed is None or not computed.flags or computed.beside is None:
        return None
    return f"{computed.words}: the two are far apart, look again"


GRADE = Rule("grade", _grade, "The judge's grade.", grades="one", lacks=_lacks_a_grade)
MEAN_OF_SUBSCORES = Rule(
    "mean of subscores", _mean_of_subscores, "The mean of the judge's grades.", grades="several", lacks=_lacks_a_grade
)
GRADE_WITHIN_LIMITS = Rule(
    "grade within limits",
    _grade_within_limits,
    "The judge's grade, at most what the first row of the table allows whose facts hold; without a grade, that row's "
    "value, in the first row one less where claims have slight faults and two less where they have serious ones.",
    grades="optional",
    settings=(
        UNNAMED_ABSENT,
        RuleSetting("over the limit", "over_limit", text=True),
        RuleSetting("no limit", "limit_unknown", text=True),
    ),
    table=("at most",),
    optional=(_UNGRADED,),
    table_title="Limits",
    facts=True,
    lacks=_lacks_grade_and_row,
    counts_down=True,
)
GRADE_BESIDE_FACTS = Rule(
    "grade beside facts",
    _grade_beside_facts,
    "The judge's grade; without one, the score of the first row of the table whose facts hold, measured by code.",
    grades="optional",
    table=("score",),
    facts=True,
    lacks=_lacks_grade_and_facts,
)
