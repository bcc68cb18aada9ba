"""What has to be there before the tests of codegen run."""

import importlib

import pytest

pytest.importorskip("datamodel_code_generator", reason="the codegen extra is missing")

# SDK 1.x takes the standard error of the moment it is imported for every process it
# starts; a test of the command line must not be that moment.
importlib.import_module("mcp.client.stdio")
