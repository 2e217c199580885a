"""The bound on a prompt's tokens, against the count of a real tokenizer behind a real server."""

import asyncio

import pytest
from fake_chats import build_call

from assay.engine.costs import bound_prompt
from assay.models.openai import OpenAIChat
from equipment.small_model import find_obstacle, run_small_model

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(find_obstacle() is not None, reason=find_obstacle() or ""),
]

TEXTS = [
    "a",
    "Ships passed the grey lighthouse at dawn.",
    "12.5 mg, 3 x 20 ml, EUR 1,249.99, 0.0031",
    "Xq7zKv9+/Rw3Jm2bTn8=",
    "Järjestelmällisyydettömyydellä",
    "灯塔由灰色花岗岩建成",
    "🫖🏴󠁧󠁢󠁳󠁣󠁴󠁿👩🏽‍🔬",
]


def test_no_prompt_has_more_tokens_than_its_bound():
    async def run(model):
        chat = OpenAIChat(model.model, base_url=model.base_url)
        calls = [build_call(text, max_tokens=1) for text in TEXTS]
        try:
            return [(call, (await chat.complete(call)).usage) for call in calls]
        finally:
            await chat.close()

    with run_small_model(context_tokens=1024) as model:
        counted = asyncio.run(run(model))
    for call, usage in counted:
        assert usage is not None
        assert usage.prompt_tokens <= bound_prompt(call), call.messages[0].text
