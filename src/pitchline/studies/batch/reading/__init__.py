"""Reading of a model as a train of lanes: coordinates, inertias, springs, loads, meshes, steady rolling."""
