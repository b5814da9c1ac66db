/* Data of the model, in the object file that is written at export. */

#ifndef PITCHLINE_MODEL_H
#define PITCHLINE_MODEL_H

#include <stdint.h>

enum { PL_TIME = 0, PL_INPUT = 1, PL_PLAIN = 2, PL_TURNED = 3, PL_TURNED_ERROR = 4 };

/* A variable; its value reference is its index. Places are bytes from the start of the image.

   PL_TURNED, PL_TURNED_ERROR: signals of a gear pair relative to its loaded flank, whose place is side (1 drive, -1 coast); play:
   backlash along the line of action. */
typedef struct {
    int64_t kind, place, side;
    double play;
    const char *name;
} pl_variable;

extern const char pl_token[];
extern const char pl_image[];              /* first the part that no run changes, then the rest */
extern const int64_t pl_image_size, pl_fixed_size, pl_root, pl_time_place;
extern const int64_t pl_relocations[], pl_relocation_count;
extern const int64_t pl_function_places[], pl_function_count;
extern void *const pl_functions[];
extern const pl_variable pl_variables[];
extern const int64_t pl_variable_count;

/* Compiled functions, with the calling convention of numba: result and error by address; 0 if there was no error. */
extern int32_t (*const pl_command)(int64_t *outcome, void **error, int64_t root, double length);
extern int32_t (*const pl_begin_inputs)(int64_t *outcome, void **error, int64_t root);
extern int32_t (*const pl_tell)(int64_t *nothing, void **error, int64_t root);

#endif
