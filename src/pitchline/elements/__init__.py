"""The mechanics: one element a file, its equations, its compiled kernel and its output signals."""
