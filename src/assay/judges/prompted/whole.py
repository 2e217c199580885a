"""Reads a whole reply in a rubric's own shape, ours or another tool's."""

from dataclasses import replace

from assay.domain.ask import Answer, Fault, WholeAsk
from assay.models.chat import Completion
from assay.replies.shapes import SHAPES


def read_whole_reply(completion: Completion, ask: WholeAsk) -> Answer:
    if ask.rubric.shape is None:
        raise AssertionError("a rubric without a reply shape is never asked whole")
    answer = SHAPES[ask.rubric.shape](completion.text, ask.record)
    if completion.finish_reason == "refusal" and not answer.shares:
        return replace(answer, faults=(Fault("the reply was a refusal", "refused"),))
    if completion.finish_reason == "length" and answer.faults:
        return replace(answer, faults=(Fault("the reply was cut off before its end", "truncated"),))
    return answer
