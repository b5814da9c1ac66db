/* A process, and messages to and from it. Its standard input and output are the two ends of the connection. */

#ifndef PITCHLINE_PROCESS_H
#define PITCHLINE_PROCESS_H

#include <stddef.h>

typedef struct pl_process pl_process;

enum { PL_ARRIVED = 0, PL_ENDED = 1, PL_SILENT = 2 };

/* Starts "program script"; NULL if there is no such program. A program without a folder is searched in PATH. */
pl_process *pl_spawn(const char *program, const char *script);
/* Both give PL_ARRIVED, PL_ENDED if the process has ended, or PL_SILENT after `patience` seconds without a byte. */
int pl_send(pl_process *process, const void *bytes, size_t size, double patience);
int pl_receive(pl_process *process, void *bytes, size_t size, double patience);
int pl_is_running(pl_process *process);
/* Ends the process, at the latest after `patience` seconds, and describes how it ended. */
void pl_end(pl_process *process, double patience, char *how, size_t size);

/* Path of the Python program in which this library is loaded, in UTF-8; 0 if it is loaded in another program. */
int pl_python_of_host(char *path, size_t size);
/* First line of a text file; 0 if it cannot be read. */
int pl_first_line(const char *path, char *line, size_t size);

#endif
