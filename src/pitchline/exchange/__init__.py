"""Files of other programs: gearboxes, robots, CAD, co-simulation and measurements, in and out."""
