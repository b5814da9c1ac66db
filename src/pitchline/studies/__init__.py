"""Studies: one model at many parameter values. Sweeps over processes, batches in one kernel, branches of periodic motions."""
