"""The contract of elements, and what several of them share. The kernels of the machine parts are in `parts`."""
