"""`python -m fernjax VERB`."""

import sys

from fernjax.loop.commands import main

if __name__ == "__main__":
    sys.exit(main())
