"""Tables of results: bearing loads, gear forces, reactions, power."""
