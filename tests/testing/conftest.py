"""Helpers of the tests of testing tools are found as tests.*."""

import sys
from pathlib import Path

# Helpers are imported as tests.*; the checkout goes last, so that an installed
# wheel is what gets tested when there is one.
_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)
