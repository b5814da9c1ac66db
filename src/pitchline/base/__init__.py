"""Base of all packages: checks of arguments, limits of computing time, progress, storage, types of arrays."""
