"""`python -m machines`: random machines and their invariances."""

import sys

from machines.runner import main

sys.exit(main())
