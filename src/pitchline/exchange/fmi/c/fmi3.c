/* The functions of FMI 3.0 for co-simulation. Those of the other interfaces report that this FMU does not have them. */

#include "instance.h"

#include <stdbool.h>

typedef void *instance;
typedef uint32_t reference;
typedef const char *text;
typedef const uint8_t *binary;

static void log_message(void *which, int status, const char *category, const char *message)
{
    pl_instance *one = which;
    void (*logger)(void *, int, const char *, const char *);
    *(void **)&logger = one->logger;
    if (logger != NULL)
        logger(one->host, status, category, message);
}

PL_EXPORT const char *fmi3GetVersion(void)
{
    return "3.0";
}

PL_EXPORT int fmi3SetDebugLogging(instance c, bool on, size_t count, const text categories[])
{
    (void)count;
    (void)categories;
    if (!pl_live(c))
        return PL_ERROR;
    ((pl_instance *)c)->logs_all = on;
    return PL_OK;
}

PL_EXPORT instance fmi3InstantiateCoSimulation(text name, text token, text resources, bool visible, bool logging, bool event_mode,
                                               bool early_return, const reference intermediate[], size_t n_intermediate,
                                               void *environment, void *logger, void *intermediate_update)
{
    (void)visible;
    (void)event_mode;
    (void)early_return;
    (void)intermediate;
    (void)n_intermediate;
    (void)intermediate_update;
    return pl_create(name, token, resources, log_message, environment, logger, logging);
}

PL_EXPORT instance fmi3InstantiateModelExchange(text name, text token, text resources, bool visible, bool logging,
                                                void *environment, void *logger)
{
    pl_instance none = {0};
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)logging;
    none.log = log_message;
    none.host = environment;
    none.logger = logger;
    pl_message(&none, PL_ERROR, "this FMU does not have the interface model exchange");
    return NULL;
}

PL_EXPORT instance fmi3InstantiateScheduledExecution(text name, text token, text resources, bool visible, bool logging,
                                                     void *environment, void *logger, void *clock_update, void *lock,
                                                     void *unlock)
{
    (void)clock_update;
    (void)lock;
    (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, logger);
}

PL_EXPORT void fmi3FreeInstance(instance c)
{
    pl_free(c);
}

PL_EXPORT int fmi3EnterInitializationMode(instance c, bool tolerance_given, double tolerance, double start, bool has_stop,
                                          double stop)
{
    int status = pl_start(c, start, has_stop, stop);
    (void)tolerance_given;
    (void)tolerance;
    return status == PL_OK ? pl_enter(c) : status;
}

PL_EXPORT int fmi3ExitInitializationMode(instance c)
{
    return pl_leave(c);
}

PL_EXPORT int fmi3Terminate(instance c)
{
    return pl_terminate(c);
}

PL_EXPORT int fmi3Reset(instance c)
{
    return pl_reset(c);
}

/* ---- variables */

PL_EXPORT int fmi3GetFloat64(instance c, const reference vr[], size_t n, double values[], size_t n_values)
{
    return n == n_values ? pl_get(c, vr, n, values) : pl_fail(c, PL_ERROR, "all variables are scalar: expected one value each");
}

PL_EXPORT int fmi3SetFloat64(instance c, const reference vr[], size_t n, const double values[], size_t n_values)
{
    return n == n_values ? pl_set(c, vr, n, values) : pl_fail(c, PL_ERROR, "all variables are scalar: expected one value each");
}

#define NO_VARIABLES(Type, type)                                                                                   \
    PL_EXPORT int fmi3Get##Type(instance c, const reference vr[], size_t n, type values[], size_t n_values)        \
    {                                                                                                              \
        (void)vr;                                                                                                  \
        (void)values;                                                                                              \
        (void)n_values;                                                                                            \
        return pl_none(c, n, #Type);                                                                               \
    }                                                                                                              \
    PL_EXPORT int fmi3Set##Type(instance c, const reference vr[], size_t n, const type values[], size_t n_values)  \
    {                                                                                                              \
        (void)vr;                                                                                                  \
        (void)values;                                                                                              \
        (void)n_values;                                                                                            \
        return pl_none(c, n, #Type);                                                                               \
    }

NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(Int32, int32_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(Int64, int64_t)
NO_VARIABLES(UInt64, uint64_t)
NO_VARIABLES(Boolean, bool)

PL_EXPORT int fmi3GetString(instance c, const reference vr[], size_t n, text values[], size_t n_values)
{
    return n == n_values ? pl_get_text(c, vr, n, values) : pl_fail(c, PL_ERROR, "all variables are scalar: expected one value each");
}

PL_EXPORT int fmi3SetString(instance c, const reference vr[], size_t n, const text values[], size_t n_values)
{
    return n == n_values ? pl_set_text(c, vr, n, values) : pl_fail(c, PL_ERROR, "all variables are scalar: expected one value each");
}

PL_EXPORT int fmi3GetBinary(instance c, const reference vr[], size_t n, size_t sizes[], binary values[], size_t n_values)
{
    (void)vr;
    (void)sizes;
    (void)values;
    (void)n_values;
    return pl_none(c, n, "Binary");
}

PL_EXPORT int fmi3SetBinary(instance c, const reference vr[], size_t n, const size_t sizes[], const binary values[],
                            size_t n_values)
{
    (void)vr;
    (void)sizes;
    (void)values;
    (void)n_values;
    return pl_none(c, n, "Binary");
}

PL_EXPORT int fmi3GetClock(instance c, const reference vr[], size_t n, bool values[])
{
    (void)vr;
    (void)values;
    return pl_none(c, n, "Clock");
}

PL_EXPORT int fmi3SetClock(instance c, const reference vr[], size_t n, const bool values[])
{
    (void)vr;
    (void)values;
    return pl_none(c, n, "Clock");
}

/* ---- states and steps */

PL_EXPORT int fmi3GetFMUState(instance c, void **state)
{
    return pl_state_get(c, state);
}

PL_EXPORT int fmi3SetFMUState(instance c, void *state)
{
    return pl_state_set(c, state);
}

PL_EXPORT int fmi3FreeFMUState(instance c, void **state)
{
    (void)c;
    return pl_state_free(state);
}

PL_EXPORT int fmi3SerializedFMUStateSize(instance c, void *state, size_t *size)
{
    return pl_state_size(c, state, size);
}

PL_EXPORT int fmi3SerializeFMUState(instance c, void *state, uint8_t bytes[], size_t size)
{
    return pl_state_write(c, state, (char *)bytes, size);
}

PL_EXPORT int fmi3DeserializeFMUState(instance c, const uint8_t bytes[], size_t size, void **state)
{
    return pl_state_read(c, (const char *)bytes, size, state);
}

PL_EXPORT int fmi3DoStep(instance c, double point, double step, bool no_set_before, bool *event, bool *terminate, bool *early,
                         double *reached)
{
    int status = pl_step(c, point, step);
    (void)no_set_before;
    if (event != NULL)
        *event = false;
    if (terminate != NULL)
        *terminate = false;
    if (early != NULL)
        *early = false;
    if (reached != NULL && pl_live(c))
        *reached = pl_time(c);
    return status;
}

PL_EXPORT int fmi3EnterStepMode(instance c)
{
    return pl_missing(c, "an event mode");
}

PL_EXPORT int fmi3EnterEventMode(instance c)
{
    return pl_missing(c, "an event mode");
}

PL_EXPORT int fmi3GetOutputDerivatives(instance c, const reference vr[], size_t n, const int32_t orders[], double values[],
                                       size_t n_values)
{
    (void)vr;
    (void)orders;
    (void)values;
    (void)n_values;
    return n == 0 ? PL_OK : pl_missing(c, "derivatives of outputs");
}

/* ---- what this FMU does not have. The arguments after the first are not read. */

#define ABSENT(name, what)                \
    PL_EXPORT int name(instance c);       \
    PL_EXPORT int name(instance c)        \
    {                                     \
        return pl_missing(c, what);       \
    }

ABSENT(fmi3GetNumberOfVariableDependencies, "dependencies of variables")
ABSENT(fmi3GetVariableDependencies, "dependencies of variables")
ABSENT(fmi3GetDirectionalDerivative, "derivatives of variables")
ABSENT(fmi3GetAdjointDerivative, "derivatives of variables")
ABSENT(fmi3EnterConfigurationMode, "a configuration mode")
ABSENT(fmi3ExitConfigurationMode, "a configuration mode")
ABSENT(fmi3GetIntervalDecimal, "clocks")
ABSENT(fmi3GetIntervalFraction, "clocks")
ABSENT(fmi3GetShiftDecimal, "clocks")
ABSENT(fmi3GetShiftFraction, "clocks")
ABSENT(fmi3SetIntervalDecimal, "clocks")
ABSENT(fmi3SetIntervalFraction, "clocks")
ABSENT(fmi3SetShiftDecimal, "clocks")
ABSENT(fmi3SetShiftFraction, "clocks")
ABSENT(fmi3ActivateModelPartition, "clocks")
ABSENT(fmi3EvaluateDiscreteStates, "discrete states")
ABSENT(fmi3UpdateDiscreteStates, "discrete states")
ABSENT(fmi3EnterContinuousTimeMode, "the interface model exchange")
ABSENT(fmi3CompletedIntegratorStep, "the interface model exchange")
ABSENT(fmi3SetTime, "the interface model exchange")
ABSENT(fmi3SetContinuousStates, "the interface model exchange")
ABSENT(fmi3GetContinuousStateDerivatives, "the interface model exchange")
ABSENT(fmi3GetEventIndicators, "the interface model exchange")
ABSENT(fmi3GetContinuousStates, "the interface model exchange")
ABSENT(fmi3GetNominalsOfContinuousStates, "the interface model exchange")
ABSENT(fmi3GetNumberOfEventIndicators, "the interface model exchange")
ABSENT(fmi3GetNumberOfContinuousStates, "the interface model exchange")
