"""Every check of the project, each in its own environment: ``nox -l`` lists them.

Two SDK generations cannot share an environment, so the tests run once for each.
"""

import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "venv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "typing", "tests", "docs"]

SDKS = {"1": "mcp>=1.24,<2", "2": "mcp>=2,<3"}
PYTHONS = [
    version for version in ("3.11", "3.12", "3.13") if shutil.which(f"python{version}")
] or [f"{sys.version_info.major}.{sys.version_info.minor}"]
OLDEST = PYTHONS[0]


@nox.session(python=OLDEST)
def lint(session: nox.Session) -> None:
    session.install("-e", ".[cli,dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session(python=OLDEST)
@nox.parametrize("sdk", list(SDKS))
def typing(session: nox.Session, sdk: str) -> None:
    session.install("-e", ".[cli,dev]", SDKS[sdk])
    session.run("mypy")
    session.run("pyright")


@nox.session(python=PYTHONS)
@nox.parametrize("sdk", list(SDKS))
def tests(session: nox.Session, sdk: str) -> None:
    session.install("-e", ".[cli,dev]", SDKS[sdk])
    session.run("pytest", *session.posargs)


@nox.session(python=OLDEST)
@nox.parametrize("sdk", list(SDKS))
def faults(session: nox.Session, sdk: str) -> None:
    session.install("-e", ".[cli,dev]", SDKS[sdk])
    session.run("pytest", "-m", "faults", "tests/faults", *session.posargs)


@nox.session(python=OLDEST)
def docs(session: nox.Session) -> None:
    session.install("-e", ".[cli,dev]")
    out = "docs/_build/html"
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", out)


@nox.session(python=OLDEST)
def bench(session: nox.Session) -> None:
    session.install("-e", ".[cli,dev]")
    for script in sorted(Path("bench").glob("*.py")):
        session.run("python", str(script))
