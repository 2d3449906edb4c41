"""Phase 1 of a run: each chosen session read, its summary written, its record kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from jmem import state as states
from jmem.scopes import Scope
from jmem.sessions import Candidate
from jmem.state import State
from jmem.storage import snapshot
from pipelines.phase1.summarise import Summarised, summarise, write

Update = Callable[[Callable[[State], State]], State]


def read_sessions(
    scope: Scope, candidates: Iterable[Candidate], *, now: datetime, update: Update
) -> list[Summarised]:
    """Read sessions one after another; what is done stays done if the next one is interrupted."""
    found = snapshot.summaries(scope.root, now=now)
    earlier = {summary.session: (path, summary) for path, summary in found.items()}
    done = []
    for candidate in candidates:
        before = earlier.get(candidate.session)
        result = summarise(candidate, before, project=scope.directory, now=now)
        write(scope.root, result)
        update(_recording(result))
        done.append(result)
    return done


def _recording(result: Summarised) -> Callable[[State], State]:
    session = result.candidate.session
    return lambda state: states.record_extraction(state, session, result.record)
