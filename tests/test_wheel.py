"""What is shipped is what is tested: the wheel, alone, outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REQUIRED = "JMEM_REQUIRE_WHEEL"


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.skipif(
    not os.environ.get(REQUIRED),
    reason=f"needs a package index: set {REQUIRED}=1 (as .ci/run does)",
)
def test_the_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    """It holds both packages and nothing else, and does the main job."""
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    run(sys.executable, *pip, "wheel", "--no-deps", "-w", tmp_path, ROOT, cwd=tmp_path)
    wheel = next(tmp_path.glob("*.whl"))
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"jmem", "pipelines"}

    run(sys.executable, "-m", "venv", tmp_path / "empty", cwd=tmp_path)
    python, jmem = tmp_path / "empty/bin/python", tmp_path / "empty/bin/jmem"
    run(python, *pip, "install", wheel, cwd=tmp_path)

    project = tmp_path / "shop"
    project.mkdir()
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "JMEM_HOME": str(tmp_path / "memory"),
    }
    version = run(jmem, "--version", cwd=project, env=env)
    assert version.startswith("jmem 0.")
    run(jmem, "note", "The staging database listens on port 5433", cwd=project, env=env)
    assert "1 added" in run(jmem, "distill", cwd=project, env=env)
    assert "port 5433" in run(jmem, "inject", cwd=project, env=env)
