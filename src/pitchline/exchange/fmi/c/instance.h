/* One instance of a model: its memory, inputs, outputs and states. The functions of FMI 2 and FMI 3 are in fmi2.c and fmi3.c. */

#ifndef PITCHLINE_INSTANCE_H
#define PITCHLINE_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

#if defined _WIN32
#define PL_EXPORT __declspec(dllexport)
#else
#define PL_EXPORT __attribute__((visibility("default")))
#endif

/* Results of functions, with the values of FMI 2 and FMI 3. */
enum { PL_OK = 0, PL_WARNING = 1, PL_DISCARD = 2, PL_ERROR = 3, PL_FATAL = 4 };

/* Phases of an instance. */
enum { PL_CREATED = 1, PL_INITIALISING = 2, PL_RUNNING = 4, PL_TERMINATED = 8, PL_FAILED = 16 };

typedef void (*pl_logger)(void *instance, int status, const char *category, const char *message);

typedef struct {
    char *memory;    /* as allocated */
    char *base;      /* first byte of the image of the model */
    void *remote;    /* process of the model, if it has one */
    char *name;      /* of the instance */
    pl_logger log;   /* passes a message to the program that uses the FMU */
    void *host;      /* its data, and its functions */
    void *logger;
    int logs_all;    /* messages that are not errors, too */
    int phase;
    int told;        /* outputs are those of the present motion and inputs */
    double stop_time; /* largest time that may be requested, if there is one */
} pl_instance;

/* ---- the kind of the FMU: machine code (instance.c, state.c), or a process with Python (remote.c) */

pl_instance *pl_create(const char *name, const char *token, const char *resources, pl_logger log, void *host, void *logger,
                       int logs_all);
void pl_free(pl_instance *one);
int pl_reset(pl_instance *one);
int pl_start(pl_instance *one, double start_time, int has_stop, double stop_time);
int pl_enter(pl_instance *one);
int pl_leave(pl_instance *one);
int pl_terminate(pl_instance *one);
int pl_get(pl_instance *one, const uint32_t *references, size_t count, double *values);
int pl_set(pl_instance *one, const uint32_t *references, size_t count, const double *values);
int pl_get_text(pl_instance *one, const uint32_t *references, size_t count, const char **values);
int pl_set_text(pl_instance *one, const uint32_t *references, size_t count, const char *const *values);
int pl_step(pl_instance *one, double from, double length);
double pl_time(const pl_instance *one);

/* States: independent of the place of the memory, so that other processes can read them. */
int pl_state_get(pl_instance *one, void **state);
int pl_state_set(pl_instance *one, const void *state);
int pl_state_size(pl_instance *one, const void *state, size_t *size);
int pl_state_write(pl_instance *one, const void *state, char *bytes, size_t size);
int pl_state_read(pl_instance *one, const char *bytes, size_t size, void **state);

/* ---- common.c: memory, messages and checks of both kinds */

enum { PL_INSTANCES = 0, PL_STATES = 1 };

pl_instance *pl_new(const char *name, pl_logger log, void *host, void *logger, int logs_all);
void pl_delete(pl_instance *one);
void pl_keep(int which, void *item);
void pl_drop(int which, const void *item);
int pl_kept(int which, const void *item);
int pl_live(const pl_instance *one);
int pl_is_state(pl_instance *one, const void *state);
int pl_state_free(void **state);
uint64_t pl_checksum(uint64_t before, const char *bytes, size_t size);

void pl_message(pl_instance *one, int status, const char *format, ...);
int pl_fail(pl_instance *one, int status, const char *format, ...);
int pl_allowed(pl_instance *one, int phases, const char *what);
int pl_missing(pl_instance *one, const char *what);
int pl_none(pl_instance *one, size_t count, const char *what);
int pl_check_arrays(pl_instance *one, const void *references, const void *values, size_t count);
int pl_check_experiment(pl_instance *one, double start_time, int has_stop, double stop_time);
int pl_check_step(pl_instance *one, double now, double from, double length);

#endif
