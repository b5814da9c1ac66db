"""Machine parts: one folder for each subject, from the declaration to the kernel, the results and the picture."""
