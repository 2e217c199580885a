"""Made-up records of the article audit: several systems summarise each article. For tests and for the bill."""

_PLACES = ("harbour", "mill", "station", "orchard", "quarry", "chapel", "market", "bridge", "school", "ferry", "depot")
_PARTS = ("roof", "gate", "cellar", "yard", "tower", "engine", "staircase", "well", "workshop")
_WORDS_PER_SENTENCE = 23
_FIRST_YEAR = 1800


def build_records(items: int, systems: int, words: int, sentences: int = 3) -> list[dict[str, str]]:
    """By system, so that the records of an article are far apart in the file. A summary has so many sentences."""
    return [_build_record(item, system, words, sentences) for system in range(systems) for item in range(items)]


def _build_record(item: int, system: int, words: int, sentences: int) -> dict[str, str]:
    """The first sentence of a summary is copied, and each tells of one year of the article."""
    years = range(_FIRST_YEAR, _FIRST_YEAR + words // _WORDS_PER_SENTENCE)
    told = years[system : system + sentences]
    summary = [_write_sentence(told[0], item), *(_rewrite_sentence(year, item) for year in told[1:])]
    return {
        "id": f"a{item}",
        "item": f"article-{item}",
        "system": f"system-{system}",
        "article": " ".join(_write_sentence(year, item) for year in years),
        "summary": " ".join(summary),
    }


def _write_sentence(year: int, item: int) -> str:
    part, place, people = _list_facts(year)
    return (
        f"In {year} the {part} of the {place} in parish {item} was mended by {people} people who had come over from the "
        "next valley."
    )


def _rewrite_sentence(year: int, item: int) -> str:
    part, place, people = _list_facts(year)
    return (
        f"It was {people} people from the next valley who came over in {year} and mended the {part} of the {place} in "
        f"parish {item}."
    )


def _list_facts(year: int) -> tuple[str, str, int]:
    number = year - _FIRST_YEAR
    return _PARTS[number % len(_PARTS)], _PLACES[number % len(_PLACES)], number + 2
