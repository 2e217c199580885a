"""An event loop whose clock jumps: nothing waits, every timer fires in its order, and hours pass in milliseconds."""

import asyncio
import selectors


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self):
        super().__init__()
        self.elapsed = 0.0

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everything waits for something that never comes")
            self.elapsed += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._jumps = _JumpingSelector()
        super().__init__(self._jumps)

    def time(self):
        return self._jumps.elapsed


def run_virtually(main):
    """The result of a coroutine function run on its own virtual clock, which starts at 0. Nothing may be left behind."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:

        async def run_and_look_around():
            result = await main()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not others, f"still running: {others}"
            return result

        return runner.run(run_and_look_around())


def now():
    return asyncio.get_running_loop().time()
