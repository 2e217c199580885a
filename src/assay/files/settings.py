"""Reads the settings of one section of a rubric: every name is known and every value fits, or its line is named."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from fractions import Fraction

from assay.domain.scale import Scale, in_words
from assay.errors import InputError
from assay.files.markdown import Section, SettingLine

# Digits are limited because Python refuses to read a number of thousands of them.
_PLAIN_NUMBER = r"-?(?:[0-9]{1,12}(?:\.[0-9]{1,12})?|\.[0-9]{1,12})"
_NUMBER = re.compile(_PLAIN_NUMBER)
_SCALE = re.compile(rf"({_PLAIN_NUMBER}) to ({_PLAIN_NUMBER}), (high|low) is best(?:, ([0-9]) decimals?)?")
_WHOLE = re.compile(r"[0-9]{1,9}")


def nearest(name: str, known: Iterable[str]) -> str:
    """A remedy: the known name that was probably meant, or all of them."""
    names = list(dict.fromkeys(known))
    close = get_close_matches(name, names, n=1, cutoff=0.7)
    return f"Did you mean {close[0]!r}?" if close else f"Known are: {', '.join(names)}."


class Settings:
    """What a section sets. Whatever nobody has asked for by the end is unknown, and refused."""

    def __init__(self, section: Section, path: str) -> None:
        self.path = path
        self.line = section.line
        self._left: list[SettingLine] = list(section.settings)
        self._asked: list[str] = []

    def text(self, name: str, default: str | None = None) -> str:
        found = self.every(name)
        if len(found) > 1:
            raise self.fault(found[1].line, f"{name!r} is set twice", "Keep one of the two.")
        if found:
            if not found[0].value:
                raise self.fault(found[0].line, f"{name!r} has no value", f"Write `- {name}: …`.")
            return found[0].value
        if default is None:
            raise self.fault(self.line, f"{name!r} is not set", f"Add a line `- {name}: …` under this heading.")
        return default

    def maybe(self, name: str) -> str | None:
        return self.text(name, "") or None

    def every(self, name: str) -> list[SettingLine]:
        self._asked.append(name)
        found = [setting for setting in self._left if setting.name == name]
        self._left = [setting for setting in self._left if setting.name != name]
        return found

    def choice(self, name: str, options: tuple[str, ...], default: str | None = None) -> str:
        line = self.line_of(name)
        value = self.text(name, default)
        if value not in options:
            raise self.fault(line, f"{name!r} is {value!r}", nearest(value, options))
        return value

    def whole(self, name: str, default: int | None = None, suffix: str = "") -> int:
        line = self.line_of(name)
        value = self.text(name, None if default is None else str(default)).removesuffix(suffix).strip()
        return self.read_whole(value, name, line)

    def read_whole(self, value: str, name: str, line: int) -> int:
        if not _WHOLE.fullmatch(value):
            raise self.fault(line, f"{name!r} is {value!r}", "Write a whole number.")
        return int(value)

    def number(self, name: str, default: str | None, low: Fraction, high: Fraction) -> Fraction:
        line = self.line_of(name)
        return self.read_number(self.text(name, default), name, line, low, high)

    def read_number(self, value: str, name: str, line: int, low: Fraction, high: Fraction) -> Fraction:
        if not _NUMBER.fullmatch(value) or not low <= Fraction(value) <= high:
            point = ", with a point for its decimals" if "," in value else ""
            remedy = f"Write a number from {in_words(low)} to {in_words(high)}{point}."
            raise self.fault(line, f"{name!r} is {value!r}", remedy)
        return Fraction(value)

    def read_score(self, value: str, name: str, line: int, scale: Scale) -> Fraction:
        """A number that a score on this scale can be."""
        number = self.read_number(value, name, line, scale.low, scale.high)
        if scale.round(number) != number:
            said = "whole numbers" if scale.decimals == 0 else f"numbers of at most {scale.decimals} decimals"
            raise self.fault(line, f"{name!r} is {value!r}", f"The scores of this scale are {said}.")
        return number

    def scale(self, name: str = "scale") -> Scale:
        line = self.line_of(name)
        value = self.text(name)
        match = _SCALE.fullmatch(value)
        remedy = "Write it as `0 to 10, high is best` or `1 to 5, low is best, 2 decimals`."
        if not match:
            raise self.fault(line, f"the scale {value!r} can't be read", remedy)
        low, high = Fraction(match[1]), Fraction(match[2])
        if low >= high:
            raise self.fault(line, f"the scale {value!r} has no room", remedy)
        scale = Scale(low, high, "high" if match[3] == "high" else "low", int(match[4] or 0))
        if scale.round(low) != low or scale.round(high) != high:
            remedy = "Allow more decimals, as in `0.5 to 2, high is best, 1 decimal`, or move the ends."
            raise self.fault(line, f"the ends of the scale {value!r} have more decimals than its scores", remedy)
        return scale

    def line_of(self, name: str) -> int:
        return next((setting.line for setting in self._left if setting.name == name), self.line)

    def finish(self) -> None:
        if self._left:
            unknown = self._left[0]
            raise self.fault(unknown.line, f"unknown setting {unknown.name!r}", nearest(unknown.name, self._asked))

    def fault(self, line: int, message: str, remedy: str) -> InputError:
        return InputError(message, path=self.path, line=line, remedy=remedy)
