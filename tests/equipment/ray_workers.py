"""Kills a worker of a run on Ray while a scripted server answers it."""

import os
import signal
from pathlib import Path
from typing import Any

from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import Script


def kill_once(answered: Script, after: int, killed: list[int]) -> Script:
    """Kills one worker of this process when so many calls have come, and notes which."""

    def answer(asked: Asked) -> Any:
        if asked.number >= after and not killed:
            killed.append(find_workers()[0])
            os.kill(killed[0], signal.SIGKILL)
        return answered(asked)

    return answer


def find_workers() -> list[int]:
    """The processes of Ray Data's actors below this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if b"ray::MapWorker" in (entry / "cmdline").read_bytes() and os.getpid() in list_ancestors(int(entry.name)):
                found.append(int(entry.name))
        except OSError:  # it has ended
            continue
    return found


def list_ancestors(process: int) -> list[int]:
    found = []
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        found.append(process)
    return found
