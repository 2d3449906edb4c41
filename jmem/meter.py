"""Every call of a model goes through here: a budget before it, a booking right after it.

The budget fails closed: where nobody can say what was spent today, nothing more is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from jmem import clock, scopes
from jmem import state as states
from jmem.config import Settings
from jmem.errors import JmemError
from jmem.layout import STATE_FILE
from jmem.llm.model import CallFailed, Model, Reply, Request
from jmem.storage import files, statefile


class BudgetExhausted(JmemError):
    """Today's tokens do not allow the next call; nothing was asked."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call for the record: what it was for, and what it cost."""

    purpose: str
    tokens: int
    estimated: bool
    failed: str = ""


@dataclass(slots=True)
class Meter:
    """A model with the budget of one scope. ``calls`` grows with every call made."""

    model: Model
    scope_root: Path
    settings: Settings
    now: datetime
    calls: list[Call] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """What all calls together cost."""
        return sum(call.tokens for call in self.calls)

    def ask(self, request: Request, purpose: str) -> Reply:
        """Ask the model. Raises BudgetExhausted before the call, CallFailed after it."""
        self.check(request)
        try:
            reply = self.model.complete(request)
        except CallFailed as error:
            self.settle(error, purpose)
            raise
        self.settle(reply, purpose)
        return reply

    def check(self, request: Request, *, reserved: int = 0) -> None:
        """Raises BudgetExhausted where the call may take more than is left beside ``reserved``
        tokens, which are those of calls under way."""
        self._refuse_over(reserved + request.tokens + request.max_output_tokens)

    def settle(self, outcome: Reply | CallFailed, purpose: str) -> None:
        """Book a call that has ended."""
        if isinstance(outcome, CallFailed):
            call = Call(purpose, outcome.tokens, estimated=True, failed=outcome.message)
        else:
            spent = outcome.tokens_in + outcome.tokens_out
            call = Call(purpose, spent, outcome.estimated)
        self._book(call.tokens)
        self.calls.append(call)

    def _refuse_over(self, planned: int) -> None:
        today = clock.day(self.now)
        here = self._spent(self.scope_root, today)
        roots = {scope.root for scope in scopes.existing()} | {self.scope_root}
        everywhere = sum(self._spent(root, today) for root in roots)
        for spent, name in ((here, "daily_token_budget"), (everywhere, "daily_token_budget_all")):
            limit = self.settings[name]
            if spent + planned > limit:
                raise BudgetExhausted(
                    f"{spent} tokens were spent today and the next call may take {planned}: "
                    f"{name} allows {limit}",
                    hint="what is left is decided by the rules, or waits for tomorrow",
                )

    @staticmethod
    def _spent(root: Path, today: str) -> int:
        if files.read_bytes(root / STATE_FILE) is None:
            return 0
        state = statefile.load(root)
        if not statefile.is_readable(root):
            raise BudgetExhausted(
                f"{root / STATE_FILE} cannot be read, so nobody knows what was spent today",
                hint="jmem distill rebuilds it; the model is asked again after that",
            )
        return state.budget.get(today, 0)

    def _book(self, tokens: int) -> None:
        statefile.update(
            self.scope_root,
            lambda state: states.book_tokens(state, tokens, self.now),
            now=self.now,
        )


@dataclass(frozen=True, slots=True)
class Metered:
    """The model of a meter as a plain :class:`Model`, for whoever knows nothing of budgets.

    A call that the budget forbids raises BudgetExhausted.
    """

    meter: Meter
    purpose: str

    @property
    def name(self) -> str:
        """Who answers."""
        return self.meter.model.name

    @property
    def window_tokens(self) -> int:
        """What question and answer may take together."""
        return self.meter.model.window_tokens

    def complete(self, request: Request) -> Reply:
        """The answer, booked."""
        return self.meter.ask(request, self.purpose)
