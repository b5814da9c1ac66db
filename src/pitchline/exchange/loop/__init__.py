"""Programs in the loop: co-simulation FMUs and Python functions that read and write signals of a model."""
