"""From a model to flat arrays: nodes, elements, sparsity, evaluation, assembly, rank of the constraints."""
