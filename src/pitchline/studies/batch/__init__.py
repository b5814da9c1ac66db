"""Batches: all points of a study of a gear train in one compiled kernel, on vectors of a CPU or on a GPU."""
