/* Instances whose model runs in Python, in a process of its own.

   The process is started for each instance. If it ends or does not answer, the function of FMI returns an error with a message; the
   importing program goes on. Values of inputs and outputs are kept here, so that a communication step is one message and its answer.
   model_server.py is the other side. Numbers are little-endian. */

#include "instance.h"
#include "process.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROTOCOL = 1, NAME_ROOM = 4096 };
enum { TIME = 0, INPUT = 1, OUTPUT = 2, PARAMETER = 3, TEXT = 4 };               /* kinds of variables */
enum { BEGIN = 1, STEP = 2, SAVE = 3, RESTORE = 4 };                             /* requests */
enum { HELLO = 100, BEAT = 101, LOG = 102, VALUES = 103, STATE = 104, FAILURE = 105 }; /* answers */

static const char MAGIC[8] = "plfmu 1";
static const uint64_t LARGEST = (uint64_t)1 << 32;

typedef struct {
    char magic[8];
    uint32_t kind, status;
    uint64_t size;
} header;

typedef struct {
    pl_process *process;
    char *resources, *token;
    double patience; /* longest time without a byte [s] */
    uint32_t count;  /* variables; the value reference is the index */
    int32_t *kinds;
    char **names;
    double *starts, *values;
    char **start_texts, **texts;
    double start_time, first_time, time;
    char *answer; /* content of the last answer */
    size_t answer_size, answer_room;
} remote;

typedef struct {
    char magic[16];
    char token[64];
    uint64_t size, sum; /* size of the bytes behind; sum of all */
    int64_t phase, count;
    double stop_time, start_time, time;
} state_head; /* then: values, texts that end with zero, state of the process */

static const char STATE_MAGIC[16] = "pitchline state";

static remote *of(pl_instance *one)
{
    return one->remote;
}

static char *copy(const char *text)
{
    char *made = malloc(strlen(text) + 1);
    if (made != NULL)
        strcpy(made, text);
    return made;
}

/* ---- messages */

/* The process is lost: its instance can be reset or restored, which starts another one. */
static int lost(pl_instance *one, const char *what)
{
    char how[64];
    remote *r = of(one);
    if (r->process == NULL)
        return pl_fail(one, PL_ERROR, "the process with the model of this FMU does not run; reset the instance or restore a state");
    pl_end(r->process, 0.2, how, sizeof how);
    r->process = NULL;
    one->phase = PL_FAILED;
    one->told = 0;
    return pl_fail(one, PL_ERROR, "the process with the model of this FMU %s: it %s. Reset the instance or restore a state", what, how);
}

static const char *what_of(int status)
{
    return status == PL_SILENT ? "does not answer" : "has ended";
}

/* One message from the process, with its content in r->answer. */
static int receive(remote *r, header *h)
{
    int status = pl_receive(r->process, h, sizeof *h, r->patience);
    r->answer_size = 0;
    if (status != PL_ARRIVED)
        return status;
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0 || h->size > LARGEST)
        return PL_ENDED;
    if (h->size + 1 > r->answer_room) {
        char *room = realloc(r->answer, (size_t)h->size + 1);
        if (room == NULL)
            return PL_ENDED;
        r->answer = room;
        r->answer_room = (size_t)h->size + 1;
    }
    status = pl_receive(r->process, r->answer, (size_t)h->size, r->patience);
    r->answer[h->size] = 0;
    r->answer_size = (size_t)h->size;
    return status;
}

/* Waits for the answer of a kind. Texts for the log are passed on. */
static int await(pl_instance *one, uint32_t kind)
{
    remote *r = of(one);
    for (;;) {
        header h;
        int status = receive(r, &h);
        if (status != PL_ARRIVED)
            return lost(one, what_of(status));
        if (h.kind == kind)
            return PL_OK;
        if (h.kind == LOG)
            pl_message(one, h.status == PL_WARNING ? PL_WARNING : PL_ERROR, "%s", r->answer);
        else if (h.kind == FAILURE)
            return pl_fail(one, PL_ERROR, "%s", r->answer);
        else if (h.kind != BEAT)
            return lost(one, "sent a message that is not expected");
    }
}

static int request(pl_instance *one, uint32_t kind, uint32_t answer, const void *first, size_t first_size, const void *second,
                   size_t second_size)
{
    header h = {{0}, 0, 0, 0};
    remote *r = of(one);
    int status;
    if (r->process == NULL)
        return lost(one, "");
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    h.kind = kind;
    h.size = first_size + second_size;
    status = pl_send(r->process, &h, sizeof h, r->patience);
    if (status == PL_ARRIVED)
        status = pl_send(r->process, first, first_size, r->patience);
    if (status == PL_ARRIVED && second_size > 0)
        status = pl_send(r->process, second, second_size, r->patience);
    if (status != PL_ARRIVED)
        return lost(one, what_of(status));
    return await(one, answer);
}

/* ---- start of the process */

/* Variables that the process reports. Returns 0 if the message is not complete. */
static int read_hello(remote *r)
{
    const char *next = r->answer, *end = r->answer + r->answer_size;
    uint32_t counts[2], i;
    double first;
    int pass;
    size_t fixed = sizeof counts + sizeof first;
    if (r->answer_size < fixed)
        return 0;
    memcpy(counts, next, sizeof counts);
    memcpy(&first, next + sizeof counts, sizeof first);
    if (counts[0] != PROTOCOL || counts[1] > (1u << 24) || r->answer_size < fixed + counts[1] * (sizeof(int32_t) + sizeof(double)))
        return 0;
    if (r->kinds != NULL)
        return r->count == counts[1]; /* another process of the same instance */
    r->kinds = calloc(counts[1] + 1, sizeof *r->kinds);
    r->starts = calloc(counts[1] + 1, sizeof *r->starts);
    r->values = calloc(counts[1] + 1, sizeof *r->values);
    r->names = calloc(counts[1] + 1, sizeof *r->names);
    r->texts = calloc(counts[1] + 1, sizeof *r->texts);
    r->start_texts = calloc(counts[1] + 1, sizeof *r->start_texts);
    if (!r->kinds || !r->starts || !r->values || !r->names || !r->texts || !r->start_texts)
        return 0;
    r->count = counts[1];
    next += fixed;
    memcpy(r->starts, next, r->count * sizeof(double));
    next += r->count * sizeof(double);
    memcpy(r->kinds, next, r->count * sizeof(int32_t));
    next += r->count * sizeof(int32_t);
    r->first_time = first;
    for (pass = 0; pass < 3; pass++) /* token, names, texts at the start */
        for (i = 0; i < (pass == 0 ? 1 : r->count); i++) {
            char **place = pass == 0 ? &r->token : pass == 1 ? &r->names[i] : &r->start_texts[i];
            if (next >= end)
                return 0;
            *place = copy(next);
            if (*place == NULL)
                return 0;
            next += strlen(next) + 1;
        }
    return r->token != NULL;
}

/* Starts one program; 1 if it is Python with pitchline. Otherwise the reason is added to `reasons`. */
static int try_program(pl_instance *one, const char *program, const char *script, char *reasons, size_t size)
{
    remote *r = of(one);
    header h = {{0}, 0, 0, 0};
    char how[64] = "cannot be started", output[600];
    size_t n = strlen(reasons), got = 0;
    int status = PL_ENDED;
    r->process = pl_spawn(program, script);
    if (r->process != NULL) {
        for (status = PL_ARRIVED; got < sizeof h.magic && status == PL_ARRIVED; got += status == PL_ARRIVED)
            status = pl_receive(r->process, output + got, 1, r->patience);
        if (status == PL_ARRIVED && memcmp(output, MAGIC, sizeof MAGIC) == 0) {
            status = pl_receive(r->process, (char *)&h + sizeof h.magic, sizeof h - sizeof h.magic, r->patience);
            if (status == PL_ARRIVED && h.kind == HELLO && h.size < LARGEST && (r->answer = realloc(r->answer, (size_t)h.size + 1)) != NULL) {
                r->answer_room = (size_t)h.size + 1;
                r->answer_size = (size_t)h.size;
                r->answer[h.size] = 0;
                status = pl_receive(r->process, r->answer, (size_t)h.size, r->patience);
                if (status == PL_ARRIVED && read_hello(r))
                    return 1;
            }
            got = 0;
        }
        /* What it wrote instead, for example that it cannot import pitchline. */
        while (got > 0 && got + 1 < sizeof output && pl_receive(r->process, output + got, 1, 2.0) == PL_ARRIVED)
            got++;
        pl_end(r->process, 2.0, how, sizeof how);
        r->process = NULL;
    }
    output[got] = 0;
    output[strcspn(output, "\r\n")] = 0;
    snprintf(reasons + n, size - n, "%s%s (%s)", n > 0 ? "; " : "", program,
             output[0] != 0 ? output : status == PL_SILENT ? "does not answer" : how);
    return 0;
}

/* Starts the process, if it does not run: with the program that PITCHLINE_PYTHON names, or else the Python of the importing program,
   that of the export, or that in PATH. */
static int ensure(pl_instance *one)
{
    remote *r = of(one);
    char script[NAME_ROOM + 32], program[NAME_ROOM], reasons[1500] = "";
    const char *named = getenv("PITCHLINE_PYTHON");
    if (r->process != NULL && pl_is_running(r->process))
        return PL_OK;
    if (r->process != NULL) {
        char how[64];
        pl_end(r->process, 0.2, how, sizeof how);
        r->process = NULL;
    }
    snprintf(script, sizeof script, "%s/pitchline_fmu.py", r->resources);
    if (named != NULL && named[0] != 0) {
        if (try_program(one, named, script, reasons, sizeof reasons))
            return PL_OK;
    } else {
        char place[NAME_ROOM + 32];
        if (pl_python_of_host(program, sizeof program) && try_program(one, program, script, reasons, sizeof reasons))
            return PL_OK;
        snprintf(place, sizeof place, "%s/python.txt", r->resources);
        if (pl_first_line(place, program, sizeof program) && try_program(one, program, script, reasons, sizeof reasons))
            return PL_OK;
#if defined _WIN32
        if (try_program(one, "python", script, reasons, sizeof reasons))
#else
        if (try_program(one, "python3", script, reasons, sizeof reasons))
#endif
            return PL_OK;
    }
    return pl_fail(one, PL_ERROR, "this FMU needs Python with pitchline on the machine that runs it (pip install pitchline), and the "
                   "environment variable PITCHLINE_PYTHON with the path of this Python if it is not found. Tried: %s", reasons);
}

/* Path from the place of the resources: a path, or an address that begins with file: */
static char *path_of(const char *place)
{
    char *path, *out;
    size_t n;
    if (place == NULL || strlen(place) >= NAME_ROOM)
        return NULL;
    if (strncmp(place, "file:", 5) != 0) {
        path = copy(place);
    } else {
        place += 5;
        if (strncmp(place, "//", 2) == 0) {
            place += 2;
            if (strncmp(place, "localhost/", 10) == 0)
                place += 9;
        }
#if defined _WIN32
        if (place[0] == '/' && place[1] != 0 && place[2] == ':')
            place++;
#endif
        path = out = malloc(strlen(place) + 1);
        while (path != NULL && *place != 0) {
            unsigned int code;
            if (place[0] == '%' && sscanf(place + 1, "%2x", &code) == 1 && strlen(place) >= 3 && code > 0) {
                *out++ = (char)code;
                place += 3;
            } else {
                *out++ = *place++;
            }
        }
        if (path != NULL)
            *out = 0;
    }
    for (n = path != NULL ? strlen(path) : 0; n > 1 && (path[n - 1] == '/' || path[n - 1] == '\\'); n--)
        path[n - 1] = 0;
    return path;
}

/* ---- life */

/* Values of the start, as in a new instance. Returns 0 without memory. */
static int to_start(pl_instance *one)
{
    remote *r = of(one);
    uint32_t i;
    memcpy(r->values, r->starts, r->count * sizeof(double));
    for (i = 0; i < r->count; i++) {
        char *text = copy(r->start_texts[i]);
        if (text == NULL)
            return 0;
        free(r->texts[i]);
        r->texts[i] = text;
    }
    r->start_time = r->time = r->first_time;
    one->phase = PL_CREATED;
    one->told = 0;
    one->stop_time = INFINITY;
    return 1;
}

pl_instance *pl_create(const char *name, const char *token, const char *resources, pl_logger log, void *host, void *logger,
                       int logs_all)
{
    pl_instance *one = pl_new(name, log, host, logger, logs_all);
    const char *patience = getenv("PITCHLINE_FMU_PATIENCE");
    remote *r;
    if (one == NULL)
        return NULL;
    one->remote = r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->patience = patience != NULL ? atof(patience) : 0.0;
        if (!(r->patience > 0.0))
            r->patience = 300.0;
        r->resources = path_of(resources);
        if (r->resources == NULL) {
            pl_fail(one, PL_ERROR, "the folder of the resources is missing, or its path is too long");
        } else if (ensure(one) == PL_OK) {
            if (token == NULL || strcmp(token, r->token) != 0)
                pl_fail(one, PL_ERROR, "the identification %s of the model description is not that of these resources, %s",
                        token == NULL ? "(none)" : token, r->token);
            else if (to_start(one))
                return one;
        }
    }
    pl_free(one);
    return NULL;
}

void pl_free(pl_instance *one)
{
    remote *r;
    uint32_t i;
    char how[64];
    if (!pl_live(one))
        return;
    r = of(one);
    if (r != NULL) {
        if (r->process != NULL)
            pl_end(r->process, 2.0, how, sizeof how);
        for (i = 0; i < r->count; i++) {
            free(r->names[i]);
            free(r->texts[i]);
            free(r->start_texts[i]);
        }
        free(r->names);
        free(r->texts);
        free(r->start_texts);
        free(r->kinds);
        free(r->starts);
        free(r->values);
        free(r->token);
        free(r->resources);
        free(r->answer);
        free(r);
    }
    pl_delete(one);
}

int pl_reset(pl_instance *one)
{
    if (!pl_live(one) || ensure(one) != PL_OK)
        return PL_ERROR;
    return to_start(one) ? PL_OK : pl_fail(one, PL_ERROR, "not enough memory");
}

double pl_time(const pl_instance *one)
{
    return ((const remote *)one->remote)->time;
}

int pl_start(pl_instance *one, double start_time, int has_stop, double stop_time)
{
    if (pl_allowed(one, PL_CREATED, "the setup of the experiment") != PL_OK
        || pl_check_experiment(one, start_time, has_stop, stop_time) != PL_OK)
        return PL_ERROR;
    of(one)->start_time = of(one)->time = start_time;
    one->told = 0;
    return PL_OK;
}

int pl_enter(pl_instance *one)
{
    if (pl_allowed(one, PL_CREATED, "initialization mode") != PL_OK)
        return PL_ERROR;
    one->phase = PL_INITIALISING;
    return PL_OK;
}

/* Time and values that the process reports. */
static int take_values(pl_instance *one)
{
    remote *r = of(one);
    uint32_t i;
    if (r->answer_size != (r->count + 1) * sizeof(double))
        return lost(one, "sent values of another model");
    memcpy(&r->time, r->answer, sizeof(double));
    for (i = 0; i < r->count; i++)
        if (r->kinds[i] == TIME)
            r->values[i] = r->time;
        else if (r->kinds[i] == OUTPUT)
            memcpy(&r->values[i], r->answer + (i + 1) * sizeof(double), sizeof(double));
    one->told = 1;
    return PL_OK;
}

/* All texts, each with its final zero; NULL without memory. */
static char *all_texts(const remote *r, size_t *size)
{
    char *block, *next;
    uint32_t i;
    *size = 0;
    for (i = 0; i < r->count; i++)
        *size += strlen(r->texts[i]) + 1;
    block = next = malloc(*size + 1);
    for (i = 0; block != NULL && i < r->count; i++) {
        strcpy(next, r->texts[i]);
        next += strlen(next) + 1;
    }
    return block;
}

/* The motion starts with the present inputs and parameters. */
static int begin(pl_instance *one, double is_last)
{
    remote *r = of(one);
    size_t text_size, size = (r->count + 2) * sizeof(double);
    char *texts = all_texts(r, &text_size);
    double *numbers = malloc(size);
    int status = PL_ERROR;
    if (texts != NULL && numbers != NULL) {
        numbers[0] = is_last;
        numbers[1] = r->start_time;
        memcpy(numbers + 2, r->values, r->count * sizeof(double));
        status = request(one, BEGIN, VALUES, numbers, size, texts, text_size);
    }
    free(texts);
    free(numbers);
    return status == PL_OK ? take_values(one) : PL_ERROR;
}

int pl_leave(pl_instance *one)
{
    if (pl_allowed(one, PL_INITIALISING, "the end of initialization mode") != PL_OK)
        return PL_ERROR;
    if (begin(one, 1.0) != PL_OK) {
        one->phase = PL_FAILED;
        return PL_ERROR;
    }
    one->phase = PL_RUNNING;
    return PL_OK;
}

int pl_terminate(pl_instance *one)
{
    if (pl_allowed(one, PL_RUNNING | PL_FAILED, "termination") != PL_OK)
        return PL_ERROR;
    one->phase = PL_TERMINATED;
    return PL_OK;
}

/* ---- variables */

static int is_there(pl_instance *one, uint32_t reference, int text)
{
    const remote *r = of(one);
    if (reference >= r->count)
        pl_fail(one, PL_ERROR, "there is no variable with the value reference %u", (unsigned)reference);
    else if ((r->kinds[reference] == TEXT) != text)
        pl_fail(one, PL_ERROR, "\"%s\" is %s", r->names[reference], text ? "a number, not a text" : "a text, not a number");
    else
        return 1;
    return 0;
}

static int is_settable(pl_instance *one, uint32_t reference)
{
    const remote *r = of(one);
    int kind = r->kinds[reference];
    if (kind == INPUT)
        return 1;
    if (kind != PARAMETER && kind != TEXT)
        pl_fail(one, PL_ERROR, "\"%s\" is not an input and cannot be set", r->names[reference]);
    else if (one->phase == PL_RUNNING)
        pl_fail(one, PL_ERROR, "\"%s\" is fixed after initialization. Set it before, or reset the instance", r->names[reference]);
    else
        return 1;
    return 0;
}

int pl_get(pl_instance *one, const uint32_t *references, size_t count, double *values)
{
    size_t i;
    remote *r;
    if (!pl_live(one) || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    r = of(one);
    for (i = 0; i < count; i++) {
        if (!is_there(one, references[i], 0))
            return PL_ERROR;
        if (r->kinds[references[i]] <= OUTPUT && r->kinds[references[i]] != INPUT && !one->told
            && (one->phase & (PL_CREATED | PL_INITIALISING)) && begin(one, 0.0) != PL_OK)
            return PL_ERROR;
        values[i] = r->values[references[i]];
    }
    return PL_OK;
}

int pl_set(pl_instance *one, const uint32_t *references, size_t count, const double *values)
{
    size_t i;
    remote *r;
    if (pl_allowed(one, PL_CREATED | PL_INITIALISING | PL_RUNNING, "a change of a value") != PL_OK
        || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    r = of(one);
    for (i = 0; i < count; i++) {
        if (!is_there(one, references[i], 0) || !is_settable(one, references[i]))
            return PL_ERROR;
        if (!isfinite(values[i]))
            return pl_fail(one, PL_ERROR, "t = %g s: \"%s\" must be a finite number, got %g", r->time, r->names[references[i]], values[i]);
        r->values[references[i]] = values[i];
        if (one->phase != PL_RUNNING)
            one->told = 0;
    }
    return PL_OK;
}

int pl_get_text(pl_instance *one, const uint32_t *references, size_t count, const char **values)
{
    size_t i;
    if (!pl_live(one) || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    for (i = 0; i < count; i++) {
        if (!is_there(one, references[i], 1))
            return PL_ERROR;
        values[i] = of(one)->texts[references[i]];
    }
    return PL_OK;
}

int pl_set_text(pl_instance *one, const uint32_t *references, size_t count, const char *const *values)
{
    size_t i;
    if (pl_allowed(one, PL_CREATED | PL_INITIALISING | PL_RUNNING, "a change of a text") != PL_OK
        || pl_check_arrays(one, references, values, count) != PL_OK)
        return PL_ERROR;
    for (i = 0; i < count; i++) {
        char *text;
        if (!is_there(one, references[i], 1) || !is_settable(one, references[i]))
            return PL_ERROR;
        text = values[i] == NULL ? NULL : copy(values[i]);
        if (text == NULL)
            return pl_fail(one, PL_ERROR, "\"%s\": the text is missing", of(one)->names[references[i]]);
        free(of(one)->texts[references[i]]);
        of(one)->texts[references[i]] = text;
        one->told = 0;
    }
    return PL_OK;
}

/* ---- steps */

int pl_step(pl_instance *one, double from, double length)
{
    remote *r;
    double h;
    if (pl_allowed(one, PL_RUNNING, "a step") != PL_OK || pl_check_step(one, of(one)->time, from, length) != PL_OK)
        return PL_ERROR;
    r = of(one);
    h = length;
    if (request(one, STEP, VALUES, &h, sizeof h, r->values, r->count * sizeof(double)) != PL_OK || take_values(one) != PL_OK) {
        one->phase = PL_FAILED;
        return PL_ERROR;
    }
    return PL_OK;
}

/* ---- states */

static const state_head *head_of(const void *state)
{
    return state;
}

static uint64_t sum_of(state_head h, const char *content)
{
    h.sum = 0;
    return pl_checksum(pl_checksum(0, (const char *)&h, sizeof h), content, (size_t)h.size);
}

static size_t whole_size(const void *state)
{
    return sizeof(state_head) + (size_t)head_of(state)->size;
}

int pl_state_get(pl_instance *one, void **state)
{
    state_head h;
    remote *r;
    size_t text_size, size;
    char *texts, *block;
    int status;
    if (pl_allowed(one, PL_CREATED | PL_INITIALISING | PL_RUNNING | PL_TERMINATED, "a copy of the state") != PL_OK || state == NULL
        || (*state != NULL && !pl_is_state(one, *state)))
        return PL_ERROR;
    r = of(one);
    if (!one->told && begin(one, 0.0) != PL_OK)
        return PL_ERROR;
    status = request(one, SAVE, STATE, NULL, 0, r->values, r->count * sizeof(double));
    if (status != PL_OK)
        return PL_ERROR;
    texts = all_texts(r, &text_size);
    size = r->count * sizeof(double) + text_size + r->answer_size;
    block = texts != NULL ? malloc(sizeof h + size) : NULL;
    if (block == NULL) {
        free(texts);
        return pl_fail(one, PL_ERROR, "not enough memory for a state (%lld bytes)", (long long)size);
    }
    memset(&h, 0, sizeof h);
    memcpy(h.magic, STATE_MAGIC, sizeof h.magic);
    strncpy(h.token, r->token, sizeof h.token - 1);
    h.size = size;
    h.phase = one->phase;
    h.count = r->count;
    h.stop_time = one->stop_time;
    h.start_time = r->start_time;
    h.time = r->time;
    memcpy(block + sizeof h, r->values, r->count * sizeof(double));
    memcpy(block + sizeof h + r->count * sizeof(double), texts, text_size);
    memcpy(block + sizeof h + r->count * sizeof(double) + text_size, r->answer, r->answer_size);
    h.sum = sum_of(h, block + sizeof h);
    memcpy(block, &h, sizeof h);
    free(texts);
    if (*state != NULL)
        pl_state_free(state);
    *state = block;
    pl_keep(PL_STATES, block);
    return PL_OK;
}

int pl_state_set(pl_instance *one, const void *state)
{
    const state_head *h = state;
    const char *numbers, *next;
    remote *r;
    uint32_t i;
    if (!pl_live(one) || !pl_is_state(one, state))
        return PL_ERROR;
    r = of(one);
    if (h->count != (int64_t)r->count || strncmp(h->token, r->token, sizeof h->token - 1) != 0)
        return pl_fail(one, PL_ERROR, "this is not a state of this model");
    if (ensure(one) != PL_OK)
        return PL_ERROR;
    numbers = (const char *)(h + 1);
    if (request(one, RESTORE, VALUES, &h->start_time, sizeof h->start_time, numbers, h->size) != PL_OK || take_values(one) != PL_OK) {
        one->phase = PL_FAILED;
        return PL_ERROR;
    }
    next = numbers + r->count * sizeof(double);
    memcpy(r->values, numbers, r->count * sizeof(double));
    for (i = 0; i < r->count; i++) {
        char *text = copy(next);
        if (text != NULL) {
            free(r->texts[i]);
            r->texts[i] = text;
        }
        next += strlen(next) + 1;
    }
    r->start_time = h->start_time;
    r->time = h->time;
    one->phase = (int)h->phase;
    one->stop_time = h->stop_time;
    return PL_OK;
}

int pl_state_size(pl_instance *one, const void *state, size_t *size)
{
    if (!pl_live(one) || !pl_is_state(one, state) || size == NULL)
        return PL_ERROR;
    *size = whole_size(state);
    return PL_OK;
}

int pl_state_write(pl_instance *one, const void *state, char *bytes, size_t size)
{
    if (!pl_live(one) || !pl_is_state(one, state) || bytes == NULL)
        return PL_ERROR;
    if (size < whole_size(state))
        return pl_fail(one, PL_ERROR, "a state needs %lld bytes, there are %lld", (long long)whole_size(state), (long long)size);
    memcpy(bytes, state, whole_size(state));
    return PL_OK;
}

int pl_state_read(pl_instance *one, const char *bytes, size_t size, void **state)
{
    state_head h;
    const char *next, *end;
    int64_t i;
    char *block;
    if (!pl_live(one) || bytes == NULL || state == NULL)
        return PL_ERROR;
    if (size < sizeof h)
        return pl_fail(one, PL_ERROR, "the serialized state is not complete");
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, STATE_MAGIC, sizeof h.magic) != 0 || strncmp(h.token, of(one)->token, sizeof h.token - 1) != 0
        || h.count != (int64_t)of(one)->count)
        return pl_fail(one, PL_ERROR, "this is not a state of this model");
    if (h.size > size - sizeof h || h.size < of(one)->count * sizeof(double))
        return pl_fail(one, PL_ERROR, "the serialized state is not complete");
    if (h.sum != sum_of(h, bytes + sizeof h) || !isfinite(h.start_time) || !isfinite(h.time) || isnan(h.stop_time)
        || (h.phase != PL_CREATED && h.phase != PL_INITIALISING && h.phase != PL_RUNNING && h.phase != PL_TERMINATED))
        return pl_fail(one, PL_ERROR, "the serialized state is damaged");
    next = bytes + sizeof h + h.count * sizeof(double);
    end = bytes + sizeof h + h.size;
    for (i = 0; i < h.count; i++) {
        const char *zero = next < end ? memchr(next, 0, (size_t)(end - next)) : NULL;
        if (zero == NULL)
            return pl_fail(one, PL_ERROR, "the serialized state is damaged");
        next = zero + 1;
    }
    block = malloc(sizeof h + (size_t)h.size);
    if (block == NULL)
        return pl_fail(one, PL_ERROR, "not enough memory for a state (%lld bytes)", (long long)h.size);
    memcpy(block, bytes, sizeof h + (size_t)h.size);
    if (pl_kept(PL_STATES, *state))
        pl_state_free(state);
    *state = block;
    pl_keep(PL_STATES, block);
    return PL_OK;
}
