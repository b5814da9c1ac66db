/* The functions of FMI 2.0 for co-simulation. */

#include "instance.h"

#include <stdio.h>

typedef void *component;
typedef unsigned int reference;

typedef struct {
    void (*logger)(void *environment, const char *instance, int status, const char *category, const char *message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} callbacks;

/* The message is the format: some programs print the format without its arguments. */
static void log_message(void *instance, int status, const char *category, const char *message)
{
    pl_instance *one = instance;
    char format[8192];
    size_t n = 0;
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    *(void **)&logger = one->logger;
    for (; *message != 0 && n + 3 < sizeof format; message++) {
        if (*message == '%')
            format[n++] = '%';
        format[n++] = *message;
    }
    format[n] = 0;
    if (logger != NULL)
        logger(one->host, one->name, status, category, format);
}

PL_EXPORT const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

PL_EXPORT const char *fmi2GetVersion(void)
{
    return "2.0";
}

PL_EXPORT int fmi2SetDebugLogging(component c, int on, size_t count, const char *const categories[])
{
    (void)count;
    (void)categories;
    if (!pl_live(c))
        return PL_ERROR;
    ((pl_instance *)c)->logs_all = on;
    return PL_OK;
}

PL_EXPORT component fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const callbacks *functions,
                                    int visible, int logging)
{
    void *logger = NULL;
    (void)visible;
    if (functions != NULL)
        logger = *(void *const *)&functions->logger;
    if (type != 1) {
        if (functions != NULL && functions->logger != NULL)
            functions->logger(functions->environment, name, PL_ERROR, "logStatusError", "this FMU is for co-simulation only");
        return NULL;
    }
    return pl_create(name, guid, resources, log_message, functions == NULL ? NULL : functions->environment, logger, logging);
}

PL_EXPORT void fmi2FreeInstance(component c)
{
    pl_free(c);
}

PL_EXPORT int fmi2SetupExperiment(component c, int tolerance_given, double tolerance, double start, int has_stop, double stop)
{
    (void)tolerance_given;
    (void)tolerance;
    return pl_start(c, start, has_stop, stop);
}

PL_EXPORT int fmi2EnterInitializationMode(component c)
{
    return pl_enter(c);
}

PL_EXPORT int fmi2ExitInitializationMode(component c)
{
    return pl_leave(c);
}

PL_EXPORT int fmi2Terminate(component c)
{
    return pl_terminate(c);
}

PL_EXPORT int fmi2Reset(component c)
{
    return pl_reset(c);
}

PL_EXPORT int fmi2GetReal(component c, const reference vr[], size_t n, double value[])
{
    return pl_get(c, vr, n, value);
}

PL_EXPORT int fmi2SetReal(component c, const reference vr[], size_t n, const double value[])
{
    return pl_set(c, vr, n, value);
}

#define NO_VARIABLES(Type, type)                                                                     \
    PL_EXPORT int fmi2Get##Type(component c, const reference vr[], size_t n, type value[])           \
    {                                                                                                \
        (void)vr;                                                                                    \
        (void)value;                                                                                 \
        return pl_none(c, n, #Type);                                                                 \
    }                                                                                                \
    PL_EXPORT int fmi2Set##Type(component c, const reference vr[], size_t n, const type value[])     \
    {                                                                                                \
        (void)vr;                                                                                    \
        (void)value;                                                                                 \
        return pl_none(c, n, #Type);                                                                 \
    }

typedef const char *text;
NO_VARIABLES(Integer, int)
NO_VARIABLES(Boolean, int)

PL_EXPORT int fmi2GetString(component c, const reference vr[], size_t n, text value[])
{
    return pl_get_text(c, vr, n, value);
}

PL_EXPORT int fmi2SetString(component c, const reference vr[], size_t n, const text value[])
{
    return pl_set_text(c, vr, n, value);
}

PL_EXPORT int fmi2GetFMUstate(component c, void **state)
{
    return pl_state_get(c, state);
}

PL_EXPORT int fmi2SetFMUstate(component c, void *state)
{
    return pl_state_set(c, state);
}

PL_EXPORT int fmi2FreeFMUstate(component c, void **state)
{
    (void)c;
    return pl_state_free(state);
}

PL_EXPORT int fmi2SerializedFMUstateSize(component c, void *state, size_t *size)
{
    return pl_state_size(c, state, size);
}

PL_EXPORT int fmi2SerializeFMUstate(component c, void *state, char bytes[], size_t size)
{
    return pl_state_write(c, state, bytes, size);
}

PL_EXPORT int fmi2DeSerializeFMUstate(component c, const char bytes[], size_t size, void **state)
{
    return pl_state_read(c, bytes, size, state);
}

PL_EXPORT int fmi2GetDirectionalDerivative(component c, const reference unknown[], size_t n_unknown, const reference known[],
                                           size_t n_known, const double change[], double result[])
{
    (void)unknown;
    (void)n_unknown;
    (void)known;
    (void)n_known;
    (void)change;
    (void)result;
    return pl_missing(c, "directional derivatives");
}

PL_EXPORT int fmi2SetRealInputDerivatives(component c, const reference vr[], size_t n, const int order[], const double value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return n == 0 ? PL_OK : pl_missing(c, "derivatives of inputs");
}

PL_EXPORT int fmi2GetRealOutputDerivatives(component c, const reference vr[], size_t n, const int order[], double value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return n == 0 ? PL_OK : pl_missing(c, "derivatives of outputs");
}

PL_EXPORT int fmi2DoStep(component c, double point, double step, int no_set_before)
{
    (void)no_set_before;
    return pl_step(c, point, step);
}

PL_EXPORT int fmi2CancelStep(component c)
{
    return pl_missing(c, "steps that can be cancelled");
}

PL_EXPORT int fmi2GetStatus(component c, int kind, int *value)
{
    (void)kind;
    (void)value;
    pl_missing(c, "steps in the background");
    return PL_DISCARD;
}

PL_EXPORT int fmi2GetRealStatus(component c, int kind, double *value)
{
    if (kind == 2 && pl_live(c) && value != NULL) { /* last successful time */
        *value = pl_time(c);
        return PL_OK;
    }
    return PL_DISCARD;
}

PL_EXPORT int fmi2GetIntegerStatus(component c, int kind, int *value)
{
    (void)c;
    (void)kind;
    (void)value;
    return PL_DISCARD;
}

PL_EXPORT int fmi2GetBooleanStatus(component c, int kind, int *value)
{
    if (kind == 3 && pl_live(c) && value != NULL) { /* terminated */
        *value = 0;
        return PL_OK;
    }
    return PL_DISCARD;
}

PL_EXPORT int fmi2GetStringStatus(component c, int kind, const char **value)
{
    (void)c;
    (void)kind;
    (void)value;
    return PL_DISCARD;
}
