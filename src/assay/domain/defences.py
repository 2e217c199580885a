"""What keeps a text from talking its judge into a score, one switch per defence, so that each can be measured."""

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Defences:
    """All are on; only a measurement switches one off.

    normalise: hidden characters, comments, tags and role markers are taken out of what a judge is shown
    delimiters: the borders of the material are a digest of it; without, they are the same in every call
    source_evidence: a quote counts only where it stands in a source; without, the output may prove itself
    detector: words that speak to the judge are looked for
    """

    normalise: bool = True
    delimiters: bool = True
    source_evidence: bool = True
    detector: bool = True

    def without(self, name: str) -> "Defences":
        """One switched off; a name that is none of them is a KeyError."""
        if name not in DEFENCES:
            raise KeyError(name)
        return replace(self, **{name: False})

    @property
    def unusual(self) -> tuple[str, ...]:
        """How these differ from the default, in words that a run keeps: `without delimiters`."""
        return tuple(f"without {each.name}" for each in fields(self) if getattr(self, each.name) != each.default)

    @property
    def marks_in_prompts(self) -> str:
        """What a judge's name says about them: only those that change what the judge is shown."""
        return "".join(f"/{said.replace(' ', '-')}" for said in self.unusual if said.split()[1] in _IN_PROMPTS)


# Every part of the walk takes these unless it is told of others.
DEFENDED = Defences()
DEFENCES: tuple[str, ...] = tuple(each.name for each in fields(Defences))
_IN_PROMPTS = ("normalise", "delimiters")
