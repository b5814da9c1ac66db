"""Compiled functions for small vectors, records, derivatives and laws. They do not depend on bodies or elements."""

from .machine_code.numba_version import check_numba

check_numba()  # before the first import of a part of numba that may not exist
