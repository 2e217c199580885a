"""Rules whose value is a judge's opinion, held within limits that code knows."""

from fractions import Fraction

from assay.domain.scale import in_words
from assay.domain.units import count_units
from assay.scoring.rules.rule import Rule, Setting
from assay.scoring.tally import Computed, Tally, is_unsupported


def _scored(tally: Tally) -> tuple[str, ...]:
    """The grades that make the score, without those only kept beside it."""
    return tuple(part.id for part in tally.metric.grade_parts if not part.kept)


def _lacks_a_grade(tally: Tally) -> str | None:
    missing = [name for name in _scored(tally) if name not in tally.grades]
    return f"the judge gave no {missing[0].replace('_', ' ')}" if missing else None


def _grade(tally: Tally) -> Computed:
    (name,) = _scored(tally)
    level = tally.grades[name]
    return Computed(level, f"graded {in_words(level)} by the judge: an opinion, not a count")


def _mean_of_subscores(tally: Tally) -> Computed:
    grades = [(name, tally.grades[name]) for name in _scored(tally)]
    mean = sum((level for _, level in grades), Fraction(0)) / len(grades)
    said = ", ".join(f"{name} {in_words(level)}" for name, level in grades)
    return Computed(mean, f"graded by the judge: {said}; mean {in_words(mean)}")


def _lacks_a_comparison(tally: Tally) -> str | None:
    match = tally.measures.determination_match
    if match is None:
        return "there is no truth to compare the determination with"
    if _accuracy_grade(tally) is not None:
        return None
    if match == "undetermined":
        return "no determination was found, and the judge gave no grade"
    if match == "match" and tally.claims is None and tally.metric.claims_from is not None:
        return "the claims are not labelled, and the judge gave no grade"
    return None


def _accuracy_grade(tally: Tally) -> Fraction | None:
    return next((tally.grades[name] for name in _scored(tally) if name in tally.grades), None)


def _determination(tally: Tally) -> Computed:
    match = tally.measures.determination_match
    limit = Fraction(next(band["at most"] for band in tally.metric.bands if band["determination"] == match))
    named = "partial match" if match == "partial" else match
    said = f"the determination is a {named}" if match != "undetermined" else "no determination was found"
    grade = _accuracy_grade(tally)
    if grade is not None:
        flags = ("accuracy_vs_label",) if grade > limit else ()
        return Computed(grade, f"{said}; graded {in_words(grade)} by the judge", limit=limit, flags=flags)
    if match == "match":
        doubtful = sum(is_unsupported(label) for label in tally.all_claims)
        off = min(tally.setting("without a grade, at most off for claims"), Fraction(doubtful))
        value = max(tally.metric.scale.low, tally.setting("without a grade, a match") - off)
        return Computed(value, f"{said}; {count_units('claim', doubtful)} unsupported → {in_words(value)}", limit=limit)
    value = tally.setting(f"without a grade, {match}")
    return Computed(value, f"{said} → {in_words(value)}", limit=limit)


def _lacks_a_share(tally: Tally) -> str | None:
    return "the language of the output could not be measured" if tally.measures.language_share is None else None


def _language_share(tally: Tally) -> Computed:
    share = tally.measures.language_share or Fraction(0)
    for band in tally.metric.bands:
        if share >= Fraction(band["share at least"]):
            return Computed(Fraction(band["score"]), f"{tally.measures.language_words} → {band['score']}")
    known = tally.measures.language_found_in_record
    value = tally.setting("another language of the record" if known else "a language found nowhere in the record")
    where = "a language of the record" if known else "a language found nowhere in the record"
    return Computed(value, f"{tally.measures.language_words}; the answer is in {where} → {in_words(value)}")


GRADE = Rule("grade", _grade, "The judge's grade.", grades="one", lacks=_lacks_a_grade)
MEAN_OF_SUBSCORES = Rule(
    "mean of subscores",
    _mean_of_subscores,
    "The mean of the judge's grades.",
    grades="several",
    lacks=_lacks_a_grade,
)
DETERMINATION = Rule(
    "determination",
    _determination,
    "The judge's grade, at most what the match of the determination with the truth allows; "
    "without a grade, a value by the match.",
    grades="optional",
    settings=(
        Setting("without a grade, a match", "5", a_score=True),
        Setting("without a grade, at most off for claims", "2", high=Fraction(100)),
        Setting("without a grade, partial", "3", a_score=True),
        Setting("without a grade, mismatch", "2", a_score=True),
    ),
    table=("determination", "at most"),
    table_title="Limits",
    table_rows=("match", "partial", "mismatch", "undetermined"),
    lacks=_lacks_a_comparison,
    counts_down=True,
)
LANGUAGE_SHARE = Rule(
    "language share",
    _language_share,
    "The share of the output's words in the expected language, as code measures it, by bands.",
    settings=(
        Setting("another language of the record", "2", a_score=True),
        Setting("a language found nowhere in the record", "1", a_score=True),
    ),
    table=("score", "share at least"),
    lacks=_lacks_a_share,
)
