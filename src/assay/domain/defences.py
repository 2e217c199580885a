"""What keeps a text from talking its judge into a score, one switch per defence, so that each can be measured."""

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Defences:
    """All are on but the canary, which costs a label in every call. Only a measurement switches one off.

    normalise: hidden characters, comments, tags and role markers are taken out of what a judge is shown
    delimiters: the borders of the material are a digest of it; without, they are the same in every call
    source_evidence: a quote counts only where it stands in a source; without, the output may prove itself
    short_circuit: an output with nothing in it to judge ends before any call
    detector: words that speak to the judge are looked for
    deletion: where the output holds such words, its metrics are asked once more without them
    canary: a claim with a known answer is asked about among those of the output
    """

    normalise: bool = True
    delimiters: bool = True
    source_evidence: bool = True
    short_circuit: bool = True
    detector: bool = True
    deletion: bool = True
    canary: bool = False

    def without(self, name: str) -> "Defences":
        """One switched off; a name that is none of them is a KeyError."""
        if name not in DEFENCES:
            raise KeyError(name)
        return replace(self, **{name: False})

    @property
    def unusual(self) -> tuple[str, ...]:
        """How these differ from the default, in words that a run keeps: `without delimiters`, `with canary`."""
        return tuple(
            f"{'with' if getattr(self, each.name) else 'without'} {each.name}"
            for each in fields(self)
            if getattr(self, each.name) != each.default
        )

    @property
    def marks_in_prompts(self) -> str:
        """What a judge's name says about them: only those that change what the judge is shown."""
        return "".join(f"/{said.replace(' ', '-')}" for said in self.unusual if said.split()[1] in _IN_PROMPTS)


# Every part of the walk takes these unless it is told of others.
DEFENDED = Defences()
DEFENCES: tuple[str, ...] = tuple(each.name for each in fields(Defences))
_IN_PROMPTS = ("normalise", "delimiters", "canary")
