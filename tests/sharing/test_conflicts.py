"""What becomes of everything that two machines changed while they were apart, told once: both make
all of it, meet, take some of it back, and meet again."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

import pytest

from jmem import changing
from jmem.formats import skillfile
from jmem.model import Memory, Status

from .conftest import Machine, meet

PORT, QUEUE, BACKUP, LOGS, REVIEW, DEPLOY = FACTS = (
    "The staging port is 6543.",
    "Jobs wait in the amber queue.",
    "Nightly backups run at two.",
    "Logs lie in /var/log/orchard.",
    "Ida reviews every schema change.",
    "Deploy with `make ship`.",
)
NOTED = "Always squash before a merge."
FRIDAY = "Never deploy on a Friday."
SKILL = "---\nname: release\ndescription: How to release.\n---\n\n1. Tag.\n2. Push.\n"


@dataclass
class Met:
    """``ids``: fact -> id; ``first`` and ``last``: what each machine has after each meeting."""

    ids: dict[str, str]
    first: tuple[dict[str, Memory], dict[str, Memory]]
    last: tuple[dict[str, Memory], dict[str, Memory]]
    skill: str
    waiting: list[str]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Met:
    top = tmp_path_factory.mktemp("conflicts")
    bare = top / "shared.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(bare)], check=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("JMEM_HOME", os.environ.get("JMEM_HOME", str(top)))
        ticks = [0]
        one, two = (Machine(top / name, bare, True, ticks) for name in ("one", "two"))
        one.join()
        for fact in FACTS:
            one.note(fact)
        one.distil()
        one.note(NOTED)
        one.push()
        two.join()
        two.pull()
        ids = {fact: one.id_of(fact) for fact in FACTS}
        for each in (one, two):
            each.note(FRIDAY)
            each.distil()
        _change(one, two, ids)
        meet(one, two)
        first = (one.memories(), two.memories())
        rival = one.id_of("7000")
        one.change(changing.decide, ids[PORT], rival, ids[PORT])
        two.change(changing.restore, ids[BACKUP])
        meet(one, two)
        skill = (two.root / "skills" / "release" / skillfile.FILE_NAME).read_text()
        waiting = one.notes() + two.notes()
        return Met(ids, first, (one.memories(), two.memories()), skill, waiting)


def _change(one: Machine, two: Machine, ids: dict[str, str]) -> None:
    one.change(changing.edit, ids[PORT], text="The staging port is 7000.")
    two.change(changing.edit, ids[PORT], text="The staging port is 8000.")
    two.change(changing.edit, ids[QUEUE], text="Jobs wait in the birch queue.")
    one.change(changing.edit, ids[QUEUE], text="Jobs wait in the cedar queue.")
    one.change(changing.forget, ids[QUEUE])
    one.change(changing.forget, ids[BACKUP])
    two.change(changing.tag, ids[BACKUP], ("ops",))
    one.change(changing.supersede, ids[LOGS], "Logs lie in /srv/logs-a.")
    two.change(changing.supersede, ids[LOGS], "Logs lie in /srv/logs-b.")
    one.change(changing.supersede, ids[REVIEW], new_id=ids[DEPLOY])
    two.change(changing.supersede, ids[DEPLOY], new_id=ids[REVIEW])
    skill = one.root / "skills" / "release" / skillfile.FILE_NAME
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)


def found(memories: dict[str, Memory], words: str) -> list[Memory]:
    return [one for one in memories.values() if words in one.text]


def test_both_machines_hold_the_same(met: Met) -> None:
    for one, two in (met.first, met.last):
        assert one == two


def test_a_text_changed_on_both_is_kept_twice_for_review(met: Met) -> None:
    newer = met.first[0][met.ids[PORT]]
    (older,) = found(met.first[0], "7000")
    assert newer.statement == "The staging port is 8000."
    assert newer.active and older.active
    assert (newer.contradicts, older.contradicts) == ((older.id,), (newer.id,))
    standing = [one.statement for one in found(met.last[1], "staging port") if one.active]
    assert standing == ["The staging port is 8000."], "a word on one machine settles it for both"


def test_a_text_that_lost_to_a_forgotten_one_is_kept_out_of_force(met: Met) -> None:
    kept = found(met.first[1], " queue.")
    assert {one.statement.split()[4] for one in kept} == {"birch", "cedar"}
    assert not any(one.active for one in kept)


def test_what_one_forgot_goes_out_of_force_on_the_other(met: Met) -> None:
    backup = met.first[1][met.ids[BACKUP]]
    assert (backup.status, backup.tags) == (Status.FORGOTTEN, ("ops",))
    assert met.last[0][met.ids[BACKUP]].active, "it was restored there"


def test_two_successors_of_one_fact_wait_for_a_word(met: Met) -> None:
    rivals = found(met.first[0], "/srv/logs-")
    assert all(memory.active for memory in rivals)
    assert {memory.id for memory in rivals} == {key for m in rivals for key in m.contradicts}
    assert len(rivals) == 2


def test_two_that_gave_way_to_each_other_leave_one_in_force(met: Met) -> None:
    assert [met.first[0][met.ids[fact]].active for fact in (REVIEW, DEPLOY)].count(True) == 1


def test_a_skill_that_a_person_wrote_goes_along(met: Met) -> None:
    assert met.skill == SKILL


def test_a_note_digested_on_both_gives_one_memory(met: Met) -> None:
    assert len(found(met.first[0], NOTED)) == 1
    assert met.waiting == []


def test_the_same_fact_learned_on_both_is_one_memory(met: Met) -> None:
    (held,) = [memory for memory in found(met.first[0], FRIDAY) if memory.active]
    assert len([ref for ref in held.evidence if ref.startswith("note:")]) == 2
