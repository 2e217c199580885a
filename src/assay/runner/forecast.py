"""What a run will send and cost, told from its first records before the first call."""

from collections.abc import Iterable
from itertools import islice

from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.engine.preflight import Forecast, Preflight
from assay.engine.prices import Price
from assay.files.records import InvalidRecord
from assay.judges.prompted.prompt import Prompt
from assay.runner.dry import list_prompts

# So many records tell what the others will be like, and cost next to nothing to plan.
_SAMPLE = 10


def forecast_run(
    records: Iterable[Record | InvalidRecord],
    count: int,
    rubric: Rubric,
    *,
    joint: bool,
    model: str,
    price: Price | None,
) -> Forecast:
    """The first records stand for all; banks that records share are counted for each, so the forecast is cautious."""
    sample = [record for record in islice(records, _SAMPLE) if isinstance(record, Record)]
    preflight = Preflight(model, price)
    for place, record in enumerate(sample):
        times = (count + len(sample) - 1 - place) // len(sample)
        for _, prompt in list_prompts(record, rubric, joint=joint):
            if isinstance(prompt, Prompt):
                preflight.add(prompt.messages, prompt.max_tokens, times=times)
    return preflight.forecast()
