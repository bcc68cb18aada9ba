"""The version, read by the build and by ``mcpfusion --version``."""

__version__ = "0.1.0"
