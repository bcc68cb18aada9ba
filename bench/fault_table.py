"""Print the page of faults from the tables the tests hold the client to.

python bench/fault_table.py            # to standard output
python bench/fault_table.py --write    # to docs/reference/faults.md
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from tests.faults.page import PAGE, render


def main() -> None:
    """Print the page, or write it."""
    page = render()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page)
    else:
        print(page)


if __name__ == "__main__":
    main()
