"""``python -m mcpfusion_client`` is the ``mcpfusion`` command."""

from mcpfusion_client.cli.entry import main

main()
