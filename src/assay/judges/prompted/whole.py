"""Reads a whole reply in a rubric's own shape, ours or another tool's."""

from dataclasses import replace

from assay.domain.ask import Answer, Fault, WholeAsk
from assay.models.chat import Completion
from assay.replies.shapes import SHAPES


def read_whole_reply(completion: Completion, ask: WholeAsk) -> Answer:
    """The endpoint's word on why the reply ended explains what is missing from it."""
    if ask.rubric.shape is None:
        raise AssertionError("a rubric without a reply shape is never asked whole")
    answer = SHAPES[ask.rubric.shape](completion.text, ask.record)
    if completion.finish_reason == "refusal" and all(share.fault is not None for share in answer.shares.values()):
        return Answer(faults=(Fault("the reply was a refusal", "refused"),), reply=answer.reply)
    if completion.finish_reason == "length":
        return _blame(answer, Fault("the reply was cut off before its end", "truncated"))
    return answer


def _blame(answer: Answer, fault: Fault) -> Answer:
    """What can't be read at all is missing for this reason; a number off its scale is still that."""
    shares = {
        name: replace(share, fault=fault) if share.fault is not None and share.fault.status == "malformed" else share
        for name, share in answer.shares.items()
    }
    faults = tuple(fault if each.status == "malformed" else each for each in answer.faults)
    return replace(answer, shares=shares, faults=faults)
