"""Tables of results that engineers read first: loads of bearings, forces of gears, reactions, power."""
