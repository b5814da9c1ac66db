"""Settings shared by all tests."""

from hypothesis import settings

# No deadline: the first example may compile a kernel. Derandomised: every run tests the same examples.
settings.register_profile("pitchline", deadline=None, derandomize=True)
settings.load_profile("pitchline")
