"""Fixtures of the session tests: what the installed SDK supports."""

import sys
from pathlib import Path

# The helpers beside the tests are imported as tests.sessions.*; the checkout goes
# last, so that an installed wheel is what gets tested when there is one.
_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)
