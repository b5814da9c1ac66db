"""``python -m pitchline``: the command line."""

import sys

from .cli.program import main

if __name__ == "__main__":
    sys.exit(main())
