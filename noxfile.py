"""Every check of the project, each in its own environment: ``nox -l`` lists them.

Two SDK generations cannot share an environment, so the tests run once for each.
"""

import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
# uv fills an environment in a tenth of the time; where it cannot (it reads no
# configuration of pip), `--default-venv-backend venv` does.
nox.options.default_venv_backend = "uv|venv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "typing", "tests", "coverage", "wheel", "docs"]

SDKS = {"1": "mcp>=1.24,<2", "2": "mcp>=2,<3"}
PYTHONS = [
    version for version in ("3.11", "3.12", "3.13") if shutil.which(f"python{version}")
] or [f"{sys.version_info.major}.{sys.version_info.minor}"]
# A plain `pytest` tries every property in full and runs the type checkers over what
# codegen writes; once is enough.
BRIEF = [
    "--hypothesis-profile=brief",
    "--ignore=tests/codegen/test_checkers.py",
]
OLDEST, NEWEST = PYTHONS[0], PYTHONS[-1]


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
    session.run("pytest", *BRIEF, *session.posargs)


@nox.session(python=OLDEST)
@nox.parametrize("sdk", list(SDKS))
def faults(session: nox.Session, sdk: str) -> None:
    session.install("-e", ".[cli,dev]", SDKS[sdk])
    chosen = ["-m", "faults", "--dist", "load", "tests/faults"]
    session.run("pytest", *chosen, *session.posargs)


@nox.session(python=NEWEST)
def coverage(session: nox.Session) -> None:
    """Fail unless the tests reach every branch of the core."""
    session.install("-e", ".[cli,dev]", SDKS["2"])
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *BRIEF, *session.posargs)
    session.run("coverage", "combine")
    session.run("coverage", "report")


@nox.session(python=NEWEST)
def wheel(session: nox.Session) -> None:
    """Run the tests against the built wheel, away from the checkout."""
    session.install("build")
    out = Path(session.create_tmp())
    session.run("python", "-m", "build", "--wheel", "--outdir", str(out / "dist"))
    built = max((out / "dist").glob("*.whl"), key=lambda file: file.stat().st_mtime)
    session.install(f"{built}[cli,dev]", SDKS["2"])
    session.install("--force-reinstall", "--no-deps", str(built))
    here = out / "checks"
    shutil.rmtree(here, ignore_errors=True)
    for part in ("bench", "docs", "tests"):
        shutil.copytree(part, here / part, ignore=shutil.ignore_patterns("_build"))
    for file in (*Path().glob("*.md"), Path("noxfile.py"), Path("pyproject.toml")):
        shutil.copy(file, here)
    session.chdir(here)
    session.run("pyright", "--verifytypes", "mcpfusion_client", "--ignoreexternal")
    session.run("pytest", *BRIEF, *session.posargs, env={"PYTHONSAFEPATH": "1"})


@nox.session(python=OLDEST)
def docs(session: nox.Session) -> None:
    session.install("-e", ".[cli,dev]")
    out = "docs/_build/html"
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", out)


@nox.session(python=OLDEST)
def bench(session: nox.Session) -> None:
    session.install("-e", ".[cli,dev]")
    for name in ("overhead", "decode", "codegen"):  # the others say what they need
        session.run("python", f"bench/{name}.py")
