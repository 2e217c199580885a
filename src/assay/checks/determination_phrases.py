"""How answers in each language say that a patient is eligible, is not, or needs confirmation."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

Reading = Literal["likely_eligible", "not_eligible", "needs_confirmation", "maybe_eligible", "maybe_not"]
"""A `maybe` is a determination only as a status of its own, or with a word on confirming it."""

READINGS: Final[tuple[Reading, ...]] = (
    "not_eligible", "maybe_not", "needs_confirmation", "maybe_eligible", "likely_eligible",
)  # fmt: skip
LANGUAGES: Final = ("en", "es", "fr", "de", "pt", "it", "vi", "zh")

_LOOKBEHIND: Final = re.compile(r"\(\?<[!=][^()]*\)")
_NEVER: Final = r"(?!)"


@dataclass(frozen=True, slots=True)
class Phrases:
    """The patterns of one language.

    `labels` introduce a status, `subjects` may stand before one, and `statuses` are whole ones; `titles` are statuses
    by their capitals; `verdicts` speak within a sentence. `others` and `own` are whom it is about, by the nearest
    before the verdict; `conditions` before or after it make it hypothetical, and `reversing` words before it deny or
    date it; `confirming` says that something is still to be confirmed; `elsewhere` after it names something else than
    this trial.
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
            (reading, self.build([phrase], flags)) for reading in READINGS for phrase in table.get(reading, [])
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
    )


def all_phrases() -> tuple[Phrases, ...]:
    return tuple(load_phrases(language) for language in LANGUAGES)
