"""Control: sensors, controllers, linear systems, tables, and programs outside the engine."""
