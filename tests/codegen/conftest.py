"""Makes the helpers beside the tests importable as tests.codegen.*."""

import importlib
import sys
from pathlib import Path

import pytest

# The checkout goes last, so that an installed wheel is tested when there is one.
_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)

pytest.importorskip("datamodel_code_generator", reason="the codegen extra is missing")

# SDK 1.x takes the standard error of the moment it is imported for every process it
# starts; a test of the command line must not be that moment.
importlib.import_module("mcp.client.stdio")
