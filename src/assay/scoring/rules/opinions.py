"""Rules whose value is a judge's opinion, held within limits that code knows."""

from fractions import Fraction

from assay.domain.scale import in_words
from assay.domain.units import count_units
from assay.scoring.rules.rule import Rule, Setting
from assay.scoring.tally import Computed, Tally, is_unsupported


def _grade(tally: Tally) -> Computed:
    level = tally.grades["grade"]
    return Computed(level, f"graded {in_words(level)} by the judge: an opinion, not a count")


def _mean_of_subscores(tally: Tally) -> Computed:
    grades = [(part.id, tally.grades[part.id]) for part in tally.metric.grade_parts]
    mean = sum((level for _, level in grades), Fraction(0)) / len(grades)
    said = ", ".join(f"{name} {in_words(level)}" for name, level in grades)
    return Computed(mean, f"graded by the judge: {said}; mean {in_words(mean)}")


def _determination(tally: Tally) -> Computed:
    match = tally.measures.determination_match or "undetermined"
    limit = Fraction(next(band["at most"] for band in tally.metric.bands if band["determination"] == match))
    said = f"the determination is a {match}" if match != "undetermined" else "no determination was found"
    grade = tally.grades.get("grade")
    if grade is not None:
        flags = ("accuracy_vs_label",) if grade > limit else ()
        return Computed(grade, f"{said}; graded {in_words(grade)} by the judge", limit=limit, flags=flags)
    if match == "match":
        doubtful = sum(is_unsupported(label) for label in tally.claims or ())
        off = min(tally.setting("without a grade, at most off for claims"), Fraction(doubtful))
        value = tally.setting("without a grade, a match") - off
        return Computed(value, f"{said}; {count_units('claim', doubtful)} unsupported → {in_words(value)}", limit=limit)
    value = tally.setting(f"without a grade, {match}")
    return Computed(value, f"{said} → {in_words(value)}", limit=limit)


def _language_share(tally: Tally) -> Computed:
    share = tally.measures.language_share
    if share is None:
        raise AssertionError("a record without a measured language share is not scored by this rule")
    for band in tally.metric.bands:
        if share >= Fraction(band["share at least"]):
            return Computed(Fraction(band["score"]), f"{tally.measures.language_words} → {band['score']}")
    known = tally.measures.language_found_in_record
    value = tally.setting("another language of the record" if known else "a language found nowhere in the record")
    where = "a language of the record" if known else "a language found nowhere in the record"
    return Computed(value, f"{tally.measures.language_words}; the answer is in {where} → {in_words(value)}")


GRADE = Rule("grade", _grade, "The judge's grade.", grades="one")
MEAN_OF_SUBSCORES = Rule("mean of subscores", _mean_of_subscores, "The mean of the judge's grades.", grades="several")
DETERMINATION = Rule(
    "determination",
    _determination,
    "The judge's grade, at most what the match of the determination with the truth allows; "
    "without a grade, a value by the match.",
    grades="optional",
    settings=(
        Setting("without a grade, a match", "5", high=Fraction(100)),
        Setting("without a grade, at most off for claims", "2", high=Fraction(100)),
        Setting("without a grade, partial", "3", high=Fraction(100)),
        Setting("without a grade, mismatch", "2", high=Fraction(100)),
    ),
    table=("determination", "at most"),
    table_title="Limits",
)
LANGUAGE_SHARE = Rule(
    "language share",
    _language_share,
    "The share of the output's words in the expected language, as code measures it, by bands.",
    settings=(
        Setting("another language of the record", "2", high=Fraction(100)),
        Setting("a language found nowhere in the record", "1", high=Fraction(100)),
    ),
    table=("score", "share at least"),
)
