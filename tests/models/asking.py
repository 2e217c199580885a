"""Asks a scripted server through a chat."""

import asyncio
import json

from assay import errors
from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.server import ScriptedServer


def ask(chat_class, call, faults=(), *, script=None, times=1, model="scripted", **options):
    """The completions or errors of one chat asked in a row, and the requests that the server got."""

    async def run():
        async with ScriptedServer(script, faults) as server:
            chat = chat_class(model, base_url=server.base_url, **options)
            outcomes = []
            for _ in range(times):
                try:
                    outcomes.append(await chat.complete(call))
                except (errors.InputError, errors.JudgeError) as error:
                    outcomes.append(error)
            await chat.close()
            return outcomes, list(server.asked)

    return asyncio.run(run())


async def complete_once(chat, call):
    try:
        return await chat.complete(call)
    finally:
        await chat.close()


def refuse(parameter, message, answer="{}"):
    """A script that rejects every request with this parameter, and answers the others."""

    def reply(asked):
        rejection = json.dumps({"error": {"message": message}}).encode()
        return HttpReply(400, rejection) if parameter in asked.body else answer

    return reply
