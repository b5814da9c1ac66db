"""STEP files of CAD programs: parts with their names, placement, mass properties and shapes."""
