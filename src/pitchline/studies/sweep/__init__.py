"""Sweeps: one run of a model for each point of a study, over processes or a Dask cluster, with a store that can be resumed."""
