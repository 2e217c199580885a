"""What the engine's benchmarks have in common: made-up records whose right score is known, an honest judge, a result file.

Every record is a bag with four points that two buyers raise; its summary states some of them, so that its score follows.
"""

import json
import os
import platform
import re
import statistics
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from equipment.chat_server.exchange import Asked, build_instance, list_forms, list_units

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
RUBRIC = "opinion-relevance"
POINTS = ("The straps are soft.", "The zip jams.", "The colour fades.", "The pocket is deep.")
# How many of the four points a summary states, and the score that the rubric's rule gives for it.
SCORES = {4: Fraction(5), 2: Fraction(3), 0: Fraction(1)}
NAME = re.compile(r"bag-\d{6}")
_STATED = re.compile(r"^\[(O\.\d+)\] (.+)$", re.MULTILINE)
_NOUNS = re.findall(
    r"\w+",
    "station shelf rain train weekend office laptop bottle lining handle corner seam parcel week month neighbour colour "
    "market ticket jacket ladder window garden kitchen engine bicycle winter summer river bridge hill",
)
_CLAUSES = (
    "we carried it from the {} to the {} for most of a {}",
    "the {} was left under the {} by my {}",
    "there is a {} in it that the {} can be tied to",
    "nobody at the {} had seen a {} like this",
    "it went into the {} with a {} and a {}",
    "my {} says that a {} would have been better",
    "after the {} it smelled of {} and of {}",
    "you can put the {} on its side when the {} comes",
)


def name_record(number: int) -> str:
    return f"bag-{number:06d}"


def count_stated(number: int) -> int:
    return (4, 2, 0)[number % 3]


def build_record(number: int, words: int = 600, stated: int | None = None) -> dict[str, Any]:
    """A record as a user writes it; its sources hold about so many words, other ones in every record."""
    chance = Random(number)
    count = count_stated(number) if stated is None else stated
    summary = " ".join(POINTS[:count]) or "A leaflet about washing came with the parcel."
    raised = " ".join(POINTS)
    filler = [_write_review(chance, max(0, words - 40) // 4) for _ in range(4)]
    return {
        "id": name_record(number),
        "product_title": f"Canvas {name_record(number)}",
        "reviews": [raised, raised, *(text for text in filler if text)],
        "product_opinion_summary": summary,
    }


def _write_review(chance: Random, words: int) -> str:
    sentences: list[str] = []
    while words > 0:
        clauses = chance.choices(_CLAUSES, k=chance.randint(1, 2))
        sentence = ", and ".join(clause.format(*chance.sample(_NOUNS, clause.count("{}"))) for clause in clauses)
        sentences.append(sentence[0].upper() + sentence[1:] + ".")
        words -= len(sentence.split())
    return " ".join(sentences)


def write_records(path: Path, count: int, words: int = 600, stated: int | None = None, *, first: int = 0) -> None:
    with path.open("w") as file:
        for number in range(first, first + count):
            file.write(json.dumps(build_record(number, words, stated)) + "\n")


def answer_honestly(asked: Asked) -> str:
    """The judge that is always right: the four points as the bank, a point covered where the summary states it."""
    reply: dict[str, Any] = {}
    for key, form in list_forms(asked).items():
        if form is None:
            reply[key] = None
        elif form["type"] == "array":
            places = enumerate(POINTS, 1)
            reply[key] = [
                {"sentences": [f"S2.{n}", f"S3.{n}"], "text": point, "direction": "praised", "weight": "main"}
                for n, point in places
            ]
        else:
            stated = {text.strip(): place for place, text in _STATED.findall(asked.prompt)}
            carried = len(set(stated) & set(POINTS))
            items = [_label_item(unit, stated) for unit in list_units(asked.prompt, "items")]
            grade = int(SCORES.get(carried, Fraction(3)))
            reply[key] = {**build_instance(form), "items": items, "grade": grade}
    return json.dumps(reply)


def _label_item(unit: str, stated: dict[str, str]) -> dict[str, Any]:
    point = POINTS[int(unit[1:]) - 1]
    if point not in stated:
        return {"unit": unit, "evidence": [], "label": "missed", "note": ""}
    quote = {"sentence": stated[point], "quote": point.rstrip(".")}
    return {"unit": unit, "evidence": [quote], "label": "stated", "note": ""}


def name_ask(prompt: str) -> str | None:
    """The record and the ask a prompt belongs to, the same for its re-asks."""
    found = NAME.search(prompt)
    return None if found is None else f"{found.group()} {'relevance' if '[O.1]' in prompt else 'items'}"


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def render_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)])


def conclude(name: str, title: str, parts: Sequence[str], result: str | None = None) -> None:
    """Prints the result and keeps it, with when and where it was measured; under another name where one is given."""
    moment = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    python = f"Python {platform.python_version()} of {os.path.realpath(sys.executable)}"
    setting = (
        f"Written by `python bench/{name}.py` on {moment}; {os.cpu_count()} cores, {python}, load average {load()} at "
        "the end."
    )
    text = "\n\n".join([f"# {title}", setting, *parts]) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{result or name}.md").write_text(text)
    print(text)


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def read_cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
