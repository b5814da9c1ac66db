"""Places in the tables of a train: what the search for trains and their step loop share."""

import math

TWO_PI = 2.0 * math.pi

# columns of the tables
SPRING_I, SPRING_J, SPRING_AI, SPRING_AJ, SPRING_K, SPRING_C, SPRING_E0 = range(7)
LOAD_I, LOAD_FACTOR, LOAD_PLACE = range(3)
DRIVE_I, DRIVE_A, DRIVE_PLACE, DRIVE_ROW, DRIVE_S0 = range(5)
MESH_I, MESH_J, MESH_AI, MESH_AJ, MESH_PAR0, MESH_PAR1, MESH_PSI_A, MESH_PSI_B, MESH_TEETH, MESH_ROUND = range(10)
TIE_CHILD, TIE_PARENT, TIE_A, TIE_B, TIE_ROW = range(5)
COLUMNS = {"springs": 7, "loads": 3, "drives": 5, "meshes": 10, "ties": 5}
