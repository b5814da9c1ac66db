/* Memory, messages and checks that both kinds of FMU share. */

#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pointers that this library gave to the importing program. Others, and those that were freed, are refused. */

static struct {
    const void **items;
    size_t count, capacity;
} lists[2];
static char busy;

static void lock(void)
{
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(void)
{
    __atomic_clear(&busy, __ATOMIC_RELEASE);
}

void pl_keep(int which, void *item)
{
    lock();
    if (lists[which].count == lists[which].capacity) {
        size_t capacity = 2 * lists[which].capacity + 16;
        const void **items = realloc(lists[which].items, capacity * sizeof *items);
        if (items == NULL) {
            unlock();
            return; /* without memory the pointer is not listed: it is refused later */
        }
        lists[which].items = items;
        lists[which].capacity = capacity;
    }
    lists[which].items[lists[which].count++] = item;
    unlock();
}

void pl_drop(int which, const void *item)
{
    size_t i;
    lock();
    for (i = 0; i < lists[which].count; i++)
        if (lists[which].items[i] == item) {
            lists[which].items[i] = lists[which].items[--lists[which].count];
            break;
        }
    if (lists[which].count == 0) { /* so that nothing remains when the library is unloaded */
        free(lists[which].items);
        lists[which].items = NULL;
        lists[which].capacity = 0;
    }
    unlock();
}

int pl_kept(int which, const void *item)
{
    size_t i;
    int is_kept = 0;
    lock();
    for (i = 0; i < lists[which].count && !is_kept; i++)
        is_kept = lists[which].items[i] == item;
    unlock();
    return is_kept && item != NULL;
}

int pl_live(const pl_instance *one)
{
    return pl_kept(PL_INSTANCES, one);
}

int pl_is_state(pl_instance *one, const void *state)
{
    if (pl_kept(PL_STATES, state))
        return 1;
    pl_fail(one, PL_ERROR, "this is not a state of this FMU, or it was freed");
    return 0;
}

int pl_state_free(void **state)
{
    if (state == NULL || *state == NULL)
        return PL_OK;
    if (!pl_kept(PL_STATES, *state))
        return PL_ERROR;
    pl_drop(PL_STATES, *state);
    free(*state);
    *state = NULL;
    return PL_OK;
}

pl_instance *pl_new(const char *name, pl_logger log, void *host, void *logger, int logs_all)
{
    pl_instance *one = calloc(1, sizeof *one);
    if (one == NULL)
        return NULL;
    one->log = log;
    one->host = host;
    one->logger = logger;
    one->logs_all = logs_all;
    one->stop_time = INFINITY;
    one->phase = PL_CREATED;
    one->name = malloc(strlen(name != NULL ? name : "") + 1);
    if (one->name == NULL) {
        free(one);
        return NULL;
    }
    strcpy(one->name, name != NULL ? name : "");
    pl_keep(PL_INSTANCES, one);
    return one;
}

void pl_delete(pl_instance *one)
{
    pl_drop(PL_INSTANCES, one);
    free(one->name);
    free(one);
}

uint64_t pl_checksum(uint64_t before, const char *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u ^ before;
    size_t i;
    for (i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    return sum;
}

/* ---- messages */

static void message(pl_instance *one, int status, const char *format, va_list more)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, more);
    if (one->log != NULL)
        one->log(one, status, status == PL_WARNING ? "logStatusWarning" : "logStatusError", text);
}

void pl_message(pl_instance *one, int status, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    message(one, status, format, more);
    va_end(more);
}

int pl_fail(pl_instance *one, int status, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    if (pl_live(one))
        message(one, status, format, more);
    va_end(more);
    return status;
}

int pl_missing(pl_instance *one, const char *what)
{
    return pl_fail(one, PL_ERROR, "this FMU does not have %s", what);
}

int pl_none(pl_instance *one, size_t count, const char *what)
{
    if (!pl_live(one))
        return PL_ERROR;
    return count == 0 ? PL_OK : pl_fail(one, PL_ERROR, "this FMU has no variables of type %s", what);
}

/* ---- checks */

int pl_allowed(pl_instance *one, int phases, const char *what)
{
    const char *now;
    if (!pl_live(one))
        return PL_ERROR;
    if (one->phase & phases)
        return PL_OK;
    now = one->phase == PL_CREATED ? "before initialization"
        : one->phase == PL_INITIALISING ? "in initialization mode"
        : one->phase == PL_RUNNING ? "after initialization"
        : one->phase == PL_TERMINATED ? "after termination" : "after a failure; reset the instance or restore a state";
    return pl_fail(one, PL_ERROR, "%s is not possible %s", what, now);
}

int pl_check_arrays(pl_instance *one, const void *references, const void *values, size_t count)
{
    if (count > 0 && (references == NULL || values == NULL))
        return pl_fail(one, PL_ERROR, "the array of references or of values is missing");
    return PL_OK;
}

int pl_check_experiment(pl_instance *one, double start_time, int has_stop, double stop_time)
{
    if (!isfinite(start_time))
        return pl_fail(one, PL_ERROR, "the start time must be a finite number, got %g", start_time);
    if (has_stop && !(stop_time >= start_time))
        return pl_fail(one, PL_ERROR, "the stop time must not be less than the start time %.17g s, got %.17g s", start_time,
                       stop_time);
    one->stop_time = has_stop ? stop_time : INFINITY;
    return PL_OK;
}

int pl_check_step(pl_instance *one, double now, double from, double length)
{
    double end = from + length;
    if (!(length > 0.0) || !isfinite(end))
        return pl_fail(one, PL_ERROR, "the communication step at t = %.17g s must be greater than zero, got %g s", now, length);
    if (!(fabs(from - now) <= 1e-6 * length + 1e-9 * fabs(now)))
        return pl_fail(one, PL_ERROR,
                       "the communication point %.17g s is not the present time of the model, %.17g s. Steps follow one another "
                       "without gaps; restore a saved state to go back", from, now);
    if (!(now + length > now))
        return pl_fail(one, PL_ERROR, "the communication step %g s is too short at t = %.17g s", length, now);
    if (end > one->stop_time + 1e-6 * length)
        return pl_fail(one, PL_ERROR, "the step ends at %.17g s, after the stop time %.17g s", end, one->stop_time);
    return PL_OK;
}
