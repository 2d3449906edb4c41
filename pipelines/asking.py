"""One run's line to a model: opened late, paid once for a question, cut at the first failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from jmem.errors import ConfigError, JmemError
from jmem.llm.model import CallFailed, ModelRejected, Reply, Request, UnusableReply
from jmem.meter import BudgetExhausted, Meter


class Stopped(JmemError):
    """The line is cut: in this run nothing more is asked. ``Asking.failure`` says why."""


@dataclass(slots=True)
class Asking:
    """Questions of one run. ``meter`` books them; it is made, and the model opened, at the first.

    A question that was answered is not paid for again: a run that starts over, because a person
    wrote meanwhile, asks only what is new.
    """

    open: Callable[[], Meter]
    meter: Meter | None = None
    failure: str = ""
    exit_code: int = 0
    _answered: dict[tuple[str, str], Reply] = field(default_factory=dict)

    def opened(self) -> Meter:
        """The metered model. Raises Stopped where the line is cut or cannot be opened."""
        if self.failure:
            raise Stopped(self.failure)
        try:
            self.meter = self.meter or self.open()
        except ConfigError as error:
            raise self.stop(error) from error
        return self.meter

    @property
    def name(self) -> str:
        """``provider:model``, once it was opened."""
        return self.meter.model.name if self.meter else ""

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return len(self.meter.calls) if self.meter else 0

    @property
    def tokens(self) -> int:
        """What they cost."""
        return self.meter.tokens if self.meter else 0

    def ask(self, request: Request, purpose: str) -> Reply:
        """The answer. Raises UnusableReply, which leaves the line open; Stopped for all else."""
        question = (request.system, request.prompt)
        if question in self._answered:
            return self._answered[question]
        meter = self.opened()
        try:
            reply = meter.ask(request, purpose)
        except UnusableReply:
            raise
        except (CallFailed, BudgetExhausted) as error:
            raise self.stop(error) from error
        self._answered[question] = reply
        return reply

    def stop(self, why: JmemError | str) -> Stopped:
        """Cut the line. What must be changed by hand (a setting) makes the run's exit code."""
        if isinstance(why, JmemError):
            hint = f" ({why.hint})" if why.hint else ""
            self.failure = f"{why.message}{hint}"
            if isinstance(why, (ModelRejected, ConfigError)):
                self.exit_code = why.exit_code
        else:
            self.failure = why
        return Stopped(self.failure)
