"""How the documentation is built; warnings are errors."""

from mcpfusion_client._version import __version__

project = "mcpfusion-client"
author = "The mcpfusion-client authors"
project_copyright = "2026, the mcpfusion-client authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
default_role = "code"
napoleon_use_ivar = True

# Every name in the reference leads somewhere, but for those of other packages, which
# would need the network, and type variables, which have no entry.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(collections\.abc|contextlib|datetime|logging|pathlib|random)(\..*)?"),
    ("py:.*", r"(_pytest|opentelemetry|redis)\..*"),
    ("py:class", "CallToolResult"),
    ("py:class", r".*\.(Answer_co|Caller|Output_co|Router|Synced)"),
]

html_theme = "furo"
html_title = "mcpfusion-client"
