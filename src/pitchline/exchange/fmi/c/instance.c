/* Memory, inputs, outputs and steps of an instance. */

#include "instance.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

/* ---- memory */

static int64_t *word(pl_instance *one, int64_t place)
{
    return (int64_t *)(one->base + place);
}

/* The image of the model, with the addresses of this process. */
static void load_image(pl_instance *one)
{
    int64_t i;
    memcpy(one->base, pl_image, (size_t)pl_image_size);
    for (i = 0; i < pl_relocation_count; i++)
        *word(one, pl_relocations[i]) += (int64_t)(intptr_t)one->base;
    for (i = 0; i < pl_function_count; i++)
        *word(one, pl_function_places[i]) = (int64_t)(intptr_t)pl_functions[i];
    one->phase = PL_CREATED;
    one->told = 0;
    one->stop_time = INFINITY;
}

pl_instance *pl_create(const char *name, const char *token, const char *resources, pl_logger log, void *host, void *logger,
                       int logs_all)
{
    pl_instance *one = pl_new(name, log, host, logger, logs_all);
    (void)resources;
    if (one == NULL)
        return NULL;
    one->memory = malloc((size_t)pl_image_size + ALIGNMENT);
    if (one->memory == NULL) {
        pl_fail(one, PL_ERROR, "not enough memory for an instance (%lld bytes)", (long long)pl_image_size);
        pl_free(one);
        return NULL;
    }
    if (token == NULL || strcmp(token, pl_token) != 0) {
        pl_fail(one, PL_ERROR, "the identification %s of the model description is not that of this library, %s",
                token == NULL ? "(none)" : token, pl_token);
        pl_free(one);
        return NULL;
    }
    one->base = one->memory + (ALIGNMENT - (uintptr_t)one->memory % ALIGNMENT) % ALIGNMENT;
    load_image(one);
    return one;
}

void pl_free(pl_instance *one)
{
    if (pl_live(one)) {
        free(one->memory);
        pl_delete(one);
    }
}

int pl_reset(pl_instance *one)
{
    if (!pl_live(one))
        return PL_ERROR;
    load_image(one);
    return PL_OK;
}

double pl_time(const pl_instance *one)
{
    double t;
    memcpy(&t, one->base + pl_time_place, sizeof t);
    return t;
}

/* ---- phases */

int pl_start(pl_instance *one, double start_time, int has_stop, double stop_time)
{
    if (pl_allowed(one, PL_CREATED, "the setup of the experiment") != PL_OK)
        return PL_ERROR;
    if (pl_check_experiment(one, start_time, has_stop, stop_time) != PL_OK)
        return PL_ERROR;
    if (!(fabs(start_time - pl_time(one)) <= 1e-12 * fmax(1.0, fabs(start_time))))
        return pl_fail(one, PL_ERROR,
                       "start time %.17g s: the state of this FMU was computed at export for %.17g s. Start there, or export it "
                       "with another start", start_time, pl_time(one));
    return PL_OK;
}

int pl_enter(pl_instance *one)
{
    if (pl_allowed(one, PL_CREATED, "initialization mode") != PL_OK)
        return PL_ERROR;
    one->phase = PL_INITIALISING;
    return PL_OK;
}

/* The values of inputs at the start act on its accelerations. */
static int take_inputs(pl_instance *one)
{
    int64_t outcome = -1;
    void *error = NULL;
    one->told = 0;
    if (pl_begin_inputs(&outcome, &error, (int64_t)(intptr_t)(one->base + pl_root)) == 0 && outcome == 0)
        return PL_OK;
    one->phase = PL_FAILED;
    return pl_fail(one, PL_ERROR, "an input is the speed or position of a drive, whose value at the start was fixed at export. "
                   "Export the FMU with this value");
}

int pl_leave(pl_instance *one)
{
    int status;
    if (pl_allowed(one, PL_INITIALISING, "the end of initialization mode") != PL_OK)
        return PL_ERROR;
    status = take_inputs(one);
    if (status == PL_OK)
        one->phase = PL_RUNNING;
    return status;
}

int pl_terminate(pl_instance *one)
{
    if (pl_allowed(one, PL_RUNNING | PL_FAILED, "termination") != PL_OK)
        return PL_ERROR;
    one->phase = PL_TERMINATED;
    return PL_OK;
}

/* ---- variables */

static double number(pl_instance *one, int64_t place)
{
    double value;
    memcpy(&value, one->base + place, sizeof value);
    return value;
}

static double value_of(pl_instance *one, const pl_variable *v)
{
    double raw = number(one, v->place);
    if (v->kind == PL_TURNED)
        return raw * number(one, v->side) + 0.0;
    if (v->kind == PL_TURNED_ERROR)
        return (number(one, v->side) > 0.0 ? raw : -(raw + v->play)) + 0.0;
    return raw;
}

static const pl_variable *variable(pl_instance *one, uint32_t reference)
{
    if ((int64_t)reference < pl_variable_count && pl_variables[reference].kind >= PL_TIME)
        return &pl_variables[reference];
    pl_fail(one, PL_ERROR, "there is no variable with the value reference %u", (unsigned)reference);
    return NULL;
}

int pl_get(pl_instance *one, const uint32_t *references, size_t count, double *values)
{
    size_t i;
    int64_t nothing = 0;
    void *error = NULL;
    if (!pl_live(one) || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    if (one->phase == PL_INITIALISING && take_inputs(one) != PL_OK)
        return PL_ERROR;
    for (i = 0; i < count; i++) {
        const pl_variable *v = variable(one, references[i]);
        if (v == NULL)
            return PL_ERROR;
        if (v->kind >= PL_PLAIN && !one->told) {
            pl_tell(&nothing, &error, (int64_t)(intptr_t)(one->base + pl_root));
            one->told = 1;
        }
        values[i] = value_of(one, v);
    }
    return PL_OK;
}

int pl_set(pl_instance *one, const uint32_t *references, size_t count, const double *values)
{
    size_t i;
    if (pl_allowed(one, PL_CREATED | PL_INITIALISING | PL_RUNNING, "a change of an input") != PL_OK
        || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    for (i = 0; i < count; i++) {
        const pl_variable *v = variable(one, references[i]);
        if (v == NULL)
            return PL_ERROR;
        if (v->kind != PL_INPUT)
            return pl_fail(one, PL_ERROR, "\"%s\" is not an input and cannot be set", v->name);
        if (!isfinite(values[i]))
            return pl_fail(one, PL_ERROR, "t = %g s: input \"%s\" is not a finite number", pl_time(one), v->name);
        memcpy(one->base + v->place, &values[i], sizeof values[i]);
    }
    return PL_OK;
}

int pl_get_text(pl_instance *one, const uint32_t *references, size_t count, const char **values)
{
    (void)references;
    (void)values;
    return pl_none(one, count, "String");
}

int pl_set_text(pl_instance *one, const uint32_t *references, size_t count, const char *const *values)
{
    (void)references;
    (void)values;
    return pl_none(one, count, "String");
}

/* ---- steps */

static const char *reason(int64_t outcome)
{
    switch (outcome) {
    case 3: return "Newton's method does not converge, even with the smallest step";
    case 4: return "the matrix of the system is singular at this position, or needs other pivots, which only the program can choose";
    case 5: return "a constraint that was redundant at the start is not redundant any more, which only the program can follow";
    case 6: return "the motion grows beyond all limits";
    case 7: return "the step size became smaller than the smallest one";
    case 8: return "rigid parts collide; only the program can compute impacts";
    case 9: return "redundant constraints must be chosen again, which only the program can do";
    default: return "the compiled code reports an error";
    }
}

int pl_step(pl_instance *one, double from, double length)
{
    int64_t outcome = -1;
    void *error = NULL;
    if (pl_allowed(one, PL_RUNNING, "a step") != PL_OK || pl_check_step(one, pl_time(one), from, length) != PL_OK)
        return PL_ERROR;
    one->told = 0;
    if (pl_command(&outcome, &error, (int64_t)(intptr_t)(one->base + pl_root), length) != 0 || outcome != 0) {
        one->phase = PL_FAILED;
        return pl_fail(one, PL_ERROR, "stopped at t = %.9g s: %s", pl_time(one), reason(outcome));
    }
    return PL_OK;
}
