"""Conversations with a model, a few at a time.

A conversation is a generator: it yields what it asks, gets the reply (or the failure) and
returns what it made of it. Only the waiting happens in other threads: the budget, the books and
all that a conversation does stay with the caller.

    Who is to blame when a call fails for good, the question or the model? If the model answered
    another conversation meanwhile, the question: it alone fails. Otherwise the model: nobody is
    asked any more, and nothing is held against those who were to be next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from jmem.errors import JmemError
from jmem.llm.model import CallFailed, ModelRejected, ModelUnavailable, Reply, Request
from jmem.meter import BudgetExhausted, Meter

AT_A_TIME = 4
K = TypeVar("K")
T = TypeVar("T")
Talk = Generator[Request, Reply, T]


def alone(talk: Talk[T], meter: Meter, purpose: str) -> T:
    """Hold one conversation to its end. Raises what it raises, and BudgetExhausted."""
    try:
        request = next(talk)
        while True:
            try:
                reply = meter.ask(request, purpose)
            except CallFailed as error:
                request = talk.throw(error)
            else:
                request = talk.send(reply)
    except StopIteration as end:
        value: T = end.value
        return value


@dataclass(slots=True)
class _Asked(Generic[K, T]):
    """A conversation with its next question."""

    key: K
    talk: Talk[T]
    request: Request
    number: int = 0

    @property
    def planned(self) -> int:
        """What the call may take at most."""
        return self.request.tokens + self.request.max_output_tokens


@dataclass(slots=True)
class Talks(Generic[K, T]):
    """Several conversations. ``stopped`` says why the rest of them was not held."""

    meter: Meter
    purpose: str
    at_a_time: int = AT_A_TIME
    stopped: JmemError | None = None
    _ready: deque[_Asked[K, T]] = field(default_factory=deque)
    _running: dict[Future[Reply], _Asked[K, T]] = field(default_factory=dict)
    _troubled: list[tuple[_Asked[K, T], CallFailed]] = field(default_factory=list)
    _answered: bool = False
    _count: int = 0

    def hold(self, talks: Iterable[tuple[K, Talk[T]]]) -> Iterator[tuple[K, T | Exception]]:
        """What came of each conversation, as it ends; one that was not held is not among them.

        Where it is interrupted, what is under way ends first and is booked.
        """
        coming = iter(talks)
        with ThreadPoolExecutor(self.at_a_time, thread_name_prefix="jmem-model") as pool:
            try:
                while True:
                    yield from self._draw(coming)
                    self._submit(pool)
                    if self._running:
                        yield from self._listen()
                    elif self._troubled:
                        yield from self._blame()
                    elif self.stopped or not self._ready:
                        return
            finally:
                pool.shutdown(cancel_futures=True)
                for future in [each for each in self._running if not each.cancelled()]:
                    self._settle(future)

    def _draw(self, coming: Iterator[tuple[K, Talk[T]]]) -> Iterator[tuple[K, T | Exception]]:
        """Begin conversations until enough of them have a question."""
        while not self._halted and len(self._running) + len(self._ready) < self.at_a_time:
            drawn = next(coming, None)
            if drawn is None:
                return
            key, talk = drawn
            yield from self._step(key, talk, None)

    def _submit(self, pool: ThreadPoolExecutor) -> None:
        while self._ready and not self._halted:
            reserved = sum(asked.planned for asked in self._running.values())
            try:
                self.meter.check(self._ready[0].request, reserved=reserved)
            except BudgetExhausted as error:
                if not self._running:  # else those under way may take less than they could
                    self.stopped = error
                return
            asked = self._ready.popleft()
            self._count += 1
            asked.number = self._count
            self._running[pool.submit(self.meter.model.complete, asked.request)] = asked

    @property
    def _halted(self) -> bool:
        return bool(self.stopped or self._troubled)

    def _listen(self) -> Iterator[tuple[K, T | Exception]]:
        ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in sorted(ended, key=lambda each: self._running[each].number):
            asked = self._running[future]
            outcome = self._settle(future)
            if isinstance(outcome, ModelUnavailable | ModelRejected):
                self._troubled.append((asked, outcome))
                continue
            self._answered |= isinstance(outcome, Reply | CallFailed)
            yield from self._step(asked.key, asked.talk, outcome)

    def _settle(self, future: Future[Reply]) -> Reply | BaseException:
        """Take a call off the list and book it."""
        del self._running[future]
        error = future.exception()
        outcome = future.result() if error is None else error
        if isinstance(outcome, Reply | CallFailed):
            self.meter.settle(outcome, self.purpose)
        return outcome

    def _blame(self) -> Iterator[tuple[K, T | Exception]]:
        troubled, answered = self._troubled[:], self._answered
        self._troubled.clear()
        self._answered = False
        if not answered:
            self.stopped = troubled[0][1]
            return
        for asked, error in troubled:
            yield from self._step(asked.key, asked.talk, error)

    def _step(
        self, key: K, talk: Talk[T], heard: Reply | BaseException | None
    ) -> Iterator[tuple[K, T | Exception]]:
        """Go on with a conversation: to its next question, or to its end."""
        try:
            if isinstance(heard, BaseException):
                request = talk.throw(heard)
            elif heard is None:
                request = next(talk)
            else:
                request = talk.send(heard)
        except StopIteration as end:
            yield key, end.value
        except ModelRejected as error:
            if heard is None:  # it cannot even be put to this model, nor can any other
                self.stopped = error
            else:
                yield key, error
        except Exception as error:  # noqa: BLE001 - one odd conversation must not end the others
            yield key, error
        else:
            self._ready.append(_Asked(key, talk, request))
