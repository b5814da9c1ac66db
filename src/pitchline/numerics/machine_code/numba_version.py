"""Versions of numba that are tested with this package.

`numerics` uses parts of numba that are not its public interface: the code generator, the type registry and the cache of compiled
functions. They can change with every minor version. pyproject.toml has the same bounds; a test compares them.
"""

import functools
import warnings
from importlib.metadata import PackageNotFoundError, version

__all__ = ["FIRST_TESTED", "FIRST_UNTESTED", "UntestedNumbaWarning", "check_numba"]

FIRST_TESTED = (0, 61)
FIRST_UNTESTED = (0, 69)


class UntestedNumbaWarning(UserWarning):
    """The installed numba is older or newer than the versions that this package is tested with."""


@functools.cache
def check_numba() -> None:
    """Warn if the installed version of numba is not a tested one."""
    try:
        found = version("numba")
    except PackageNotFoundError:  # the import of numba fails next, with its own message
        return
    numbers = tuple(int(part) if part.isdigit() else 0 for part in found.split(".")[:2])
    if not FIRST_TESTED <= numbers < FIRST_UNTESTED:
        first, end = (".".join(map(str, bound)) for bound in (FIRST_TESTED, FIRST_UNTESTED))
        warnings.warn(
            f"numba {found} is installed, but pitchline is tested with numba {first} up to, not including, {end}. pitchline uses "
            "internal parts of numba. If an import or a compilation fails, install a tested version: "
            f'python -m pip install "numba>={first},<{end}"',
            UntestedNumbaWarning,
            stacklevel=3,
        )
