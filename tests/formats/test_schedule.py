"""The text of a schedule, and a crontab that is given back byte for byte."""

from __future__ import annotations

import plistlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import schedule

CRONTABS = st.lists(
    st.sampled_from(["# mine", "0 5 * * * run", "", "  ", "\tx", "MAILTO=ida", "é"]), max_size=6
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@given(CRONTABS)
def test_installing_and_removing_gives_the_crontab_back(existing: str) -> None:
    once = schedule.crontab_with(existing, "/opt/jmem", {}, "/log")
    assert once.startswith(existing)
    assert schedule.crontab_with(once, "/opt/jmem", {}, "/log") == once
    assert schedule.crontab_without(once) == existing


def test_the_line_calls_the_script_quoted() -> None:
    text = schedule.crontab_with("", "/opt/my jmem", {"JMEM_HOME": "/x y"}, "/l %og")
    line = schedule.crontab_line(text)
    assert line == (
        "17 * * * * JMEM_HOME='/x y' '/opt/my jmem' distill --all --scheduled >> '/l \\%og' 2>&1"
    )


def test_a_crontab_without_our_lines_has_no_line() -> None:
    assert schedule.crontab_line("0 5 * * * jmem distill\n") == ""


@pytest.mark.parametrize("value", ["/plain", "/a & <b>", '/q"uote'])
def test_a_launchd_agent_is_a_property_list(value: str) -> None:
    text = schedule.launchd_agent(value, {"PATH": value}, value)
    data = plistlib.loads(text.encode())
    assert data["ProgramArguments"] == [value, "distill", "--all", "--scheduled"]
    assert data["EnvironmentVariables"] == {"PATH": value}
    assert data["StandardErrorPath"] == value


def test_a_systemd_timer_catches_up() -> None:
    units = schedule.systemd_units("/opt/jmem", {"PATH": "/bin"})
    assert "Persistent=true" in units["jmem-distill.timer"]
    assert "ExecStart=/opt/jmem distill --all --scheduled\n" in units["jmem-distill.service"]
    assert 'Environment="PATH=/bin"\n' in units["jmem-distill.service"]
