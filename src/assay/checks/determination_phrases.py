"""How answers in each language say that a patient is eligible, is not, or needs confirmation."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

Determination = Literal["likely_eligible", "not_eligible", "needs_confirmation"]
DETERMINATIONS: Final[tuple[Determination, ...]] = get_args(Determination)

Reading = Literal[
    "likely_eligible", "not_eligible", "needs_confirmation", "maybe_eligible", "maybe_not", "meets_criteria"
]
"""A `maybe` is a determination only as a status of its own, or with a word on confirming it.

Criteria met are one only where the answer speaks of no others that exclude.
"""

AS_STATUS: Final[dict[Reading, Determination]] = {
    "not_eligible": "not_eligible",
    "maybe_not": "not_eligible",
    "needs_confirmation": "needs_confirmation",
    "maybe_eligible": "likely_eligible",
    "likely_eligible": "likely_eligible",
    "meets_criteria": "likely_eligible",
}
LANGUAGES: Final = ("en", "es", "fr", "de", "pt", "it", "vi", "zh")

_LOOKBEHIND: Final = re.compile(r"\(\?<[!=][^()]*\)")
_NEVER: Final = r"(?!)"


@dataclass(frozen=True, slots=True)
class Phrases:
    """The patterns of one language.

    - `labels` introduce a status, `subjects` may stand before one, `statuses` are whole ones, `titles` are statuses by
      their capitals, and `verdicts` speak within a sentence.
    - `others` and `own` are whom a verdict is about, by the nearest before it; `named` is the patient by more than a
      pronoun, `plural` a pronoun that may stand for many, and `relatives` are who else a pronoun may stand for.
    - `frames` are all that may stand before a verdict in its segment, or `openings` where `heads` show that it begins
      with a subject of its own or needs none; `asides` are frames that tell an age between marks; `leads` open a
      sentence that may come to a verdict behind a comma; a clause after `complements` hangs on them unless it opens
      with `inferring` words; `continuing` is all that may follow without a mark; `elsewhere` after a verdict names
      something else than this trial.
    - `headings` open a clause and say nothing; `refusals` are a plain no, and `grounds` are leads, to a verdict against
      the patient alone.
    - `conditions` make a verdict hypothetical, and `supposing` all that follows; `reversing` words deny, doubt, report
      or date it; `exceptions` after it narrow it, `contrasts` may take it back, and `retreats` do so in a later
      sentence. None counts in `deferrals`, which leave the last word to a doctor or the study team.
    - `confirming` says that something is still to be confirmed; `exclusions` speak of being excluded, and
      `denied_exclusions` of not being so.
    """

    labels: re.Pattern[str]
    subjects: re.Pattern[str]
    statuses: tuple[tuple[Reading, re.Pattern[str]], ...]
    titles: tuple[tuple[Reading, re.Pattern[str]], ...]
    verdicts: tuple[tuple[Reading, re.Pattern[str]], ...]
    others: re.Pattern[str]
    own: re.Pattern[str]
    conditions: re.Pattern[str]
    reversing: re.Pattern[str]
    confirming: re.Pattern[str]
    elsewhere: re.Pattern[str]
    frames: re.Pattern[str]
    asides: re.Pattern[str]
    openings: re.Pattern[str]
    heads: re.Pattern[str]
    leads: re.Pattern[str]
    headings: re.Pattern[str]
    refusals: re.Pattern[str]
    grounds: re.Pattern[str]
    continuing: re.Pattern[str]
    complements: re.Pattern[str]
    inferring: re.Pattern[str]
    contrasts: re.Pattern[str]
    exceptions: re.Pattern[str]
    supposing: re.Pattern[str]
    retreats: re.Pattern[str]
    deferrals: re.Pattern[str]
    exclusions: re.Pattern[str]
    denied_exclusions: re.Pattern[str]
    named: re.Pattern[str]
    plural: re.Pattern[str]
    relatives: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Language:
    """A phrase file: a space stands for any white space, `␣?` for some or none, a name in braces for its slot."""

    slots: dict[str, str]
    spaced: bool

    def build(self, phrases: list[str], flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
        joined = "|".join(phrases) or _NEVER
        for name, slot in self.slots.items():
            joined = joined.replace(f"{{{name}}}", slot)
        joined = _LOOKBEHIND.sub(lambda behind: behind[0].replace(" ", r"\s"), joined)
        # Possessive: two spaces side by side would try every way to share a long run of white space.
        space = r"\s++" if self.spaced else r"\s*+"
        return re.compile(f"(?:{joined})".replace(" ?", r"\s*+").replace(" ", space), flags)

    def build_readings(
        self, table: dict[str, list[str]], flags: re.RegexFlag = re.IGNORECASE
    ) -> tuple[tuple[Reading, re.Pattern[str]], ...]:
        # Alternatives in one pattern stop at the first that fits; apart, the longest match can win.
        return tuple(
            (reading, self.build([phrase], flags)) for reading in AS_STATUS for phrase in table.get(reading, [])
        )


@cache
def load_phrases(language: str) -> Phrases:
    data = tomllib.loads((files("assay.checks") / "phrases" / f"{language}.toml").read_text(encoding="utf-8"))
    reader = _Language(data.get("slots", {}), data.get("spaced", True))
    return Phrases(
        labels=reader.build(data["labels"]),
        subjects=reader.build(data["subjects"]),
        titles=reader.build_readings(data.get("titles", {}), re.NOFLAG),
        statuses=reader.build_readings(data["statuses"]),
        verdicts=reader.build_readings(data["verdicts"]),
        others=reader.build(data["others"]),
        own=reader.build(data["own"]),
        conditions=reader.build(data["conditions"]),
        reversing=reader.build(data["reversing"]),
        confirming=reader.build(data["confirming"]),
        elsewhere=reader.build(data.get("elsewhere", [])),
        frames=reader.build(data["frames"]),
        asides=reader.build(data.get("asides", [])),
        openings=reader.build(data.get("openings", [])),
        heads=reader.build(data.get("heads", [])),
        leads=reader.build(data["leads"]),
        headings=reader.build(data["headings"]),
        refusals=reader.build(data["refusals"]),
        grounds=reader.build(data.get("grounds", [])),
        continuing=reader.build(data["continuing"]),
        complements=reader.build(data["complements"]),
        inferring=reader.build(data["inferring"]),
        contrasts=reader.build(data["contrasts"]),
        exceptions=reader.build(data["exceptions"]),
        supposing=reader.build(data["supposing"]),
        retreats=reader.build(data["retreats"]),
        deferrals=reader.build(data["deferrals"]),
        exclusions=reader.build(data["exclusions"]),
        denied_exclusions=reader.build(data["denied_exclusions"]),
        named=reader.build(data["named"]),
        plural=reader.build(data.get("plural", [])),
        relatives=reader.build(data["relatives"]),
    )


@cache
def all_phrases() -> tuple[Phrases, ...]:
    return tuple(load_phrases(language) for language in LANGUAGES)
