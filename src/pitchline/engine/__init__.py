"""The engine: the contract of elements, the compile step from a model to arrays, and the solvers."""
