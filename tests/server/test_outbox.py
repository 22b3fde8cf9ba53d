"""The order and rate of messages to a tab, in virtual time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest

from plyground.server.models import ErrorDetail
from plyground.server.socket.messages import BusyMessage, ServerEvent
from plyground.server.socket.outbox import MAX_PENDING, Outbox, SlowTabError


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop that never waits: its clock advances by the requested timeout, plus 1 µs per iteration."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds


class _Selector(selectors.SelectSelector):
    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        self._loop.advance(1e-6 if ready or timeout is None else timeout + 1e-6)
        return ready


def run(test: Callable[[], Awaitable[None]]) -> None:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(_as_coroutine(test))


async def _as_coroutine(test: Callable[[], Awaitable[None]]) -> None:
    await test()


async def report_for(outbox: Outbox, seconds: float) -> list[tuple[float, str]]:
    """Queue a report every 10 ms, and return the time and text of each message sent."""
    loop = asyncio.get_running_loop()
    sent: list[tuple[float, str]] = []

    async def send(text: str) -> None:
        sent.append((loop.time(), text))

    delivery = asyncio.create_task(outbox.deliver(send))
    for number in range(round(seconds / 0.01)):
        outbox.put_report("search", message(f"report {number}"))
        await asyncio.sleep(0.01)
    delivery.cancel()
    return sent


def message(text: str) -> Callable[[], Awaitable[ServerEvent]]:
    async def build() -> ServerEvent:
        return BusyMessage(id="a", error=ErrorDetail(kind="BusyError", message=text))

    return build


def test_sends_ten_reports_per_second() -> None:
    async def test() -> None:
        sent = await report_for(Outbox(), 2)
        assert 18 <= len(sent) <= 22
        assert all(later - earlier >= 0.049 for (earlier, _), (later, _) in pairwise(sent))

    run(test)


def test_sends_one_report_per_second_to_a_hidden_tab() -> None:
    async def test() -> None:
        outbox = Outbox()
        outbox.is_hidden = True
        assert 3 <= len(await report_for(outbox, 4)) <= 5

    run(test)


def test_sends_only_the_latest_of_several_reports() -> None:
    async def test() -> None:
        outbox = Outbox()
        sent: list[str] = []
        for number in range(50):
            outbox.put_report("search", message(f"report {number}"))
        await asyncio.sleep(0)

        async def send(text: str) -> None:
            sent.append(text)

        delivery = asyncio.create_task(outbox.deliver(send))
        await asyncio.sleep(5)
        delivery.cancel()
        assert len(sent) == 1
        assert '"report 49"' in sent[0]

    run(test)


def test_sends_events_at_once_and_numbers_all_messages() -> None:
    async def test() -> None:
        outbox = Outbox()
        loop = asyncio.get_running_loop()
        sent: list[tuple[float, str]] = []

        async def send(text: str) -> None:
            sent.append((loop.time(), text))

        delivery = asyncio.create_task(outbox.deliver(send))
        for number in range(3):
            outbox.send(BusyMessage(id="a", error=ErrorDetail(kind="BusyError", message=f"event {number}")))
            await asyncio.sleep(0.001)
        delivery.cancel()
        assert [f'"sequence":{number},' in text for number, (_, text) in enumerate(sent, start=1)] == [True] * 3
        assert sent[-1][0] < 0.003

    run(test)


def test_gives_up_on_a_tab_that_does_not_read() -> None:
    async def test() -> None:
        outbox = Outbox()
        for number in range(MAX_PENDING + 1):
            outbox.put_event(number, message("event"))
        await asyncio.sleep(0)

        async def send(_: str) -> None:
            raise AssertionError("nothing should be sent")

        with pytest.raises(SlowTabError):
            await outbox.deliver(send)

    run(test)
