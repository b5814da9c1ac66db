/* States of an instance: the part of its memory that a run changes, with places instead of addresses. */

#include "instance.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

static const char MAGIC[16] = "pitchline state";

typedef struct {
    char magic[16];
    char token[64];
    int64_t size, phase;
    uint64_t sum; /* of all bytes, in serialized states */
    double stop_time;
} head;

static int64_t content_size(void)
{
    return pl_image_size - pl_fixed_size;
}

static size_t whole_size(void)
{
    return sizeof(head) + (size_t)content_size();
}

/* Words with addresses never change. In a state they have the content of the image, so that it does not depend on the process. */
static void set_addresses(char *content, const char *base, int here)
{
    int64_t i, value;
    for (i = 0; i < pl_relocation_count; i++) {
        if (pl_relocations[i] < pl_fixed_size)
            continue;
        memcpy(&value, pl_image + pl_relocations[i], sizeof value);
        if (here)
            value += (int64_t)(intptr_t)base;
        memcpy(content + (pl_relocations[i] - pl_fixed_size), &value, sizeof value);
    }
    for (i = 0; i < pl_function_count; i++) {
        if (pl_function_places[i] < pl_fixed_size)
            continue;
        value = here ? (int64_t)(intptr_t)pl_functions[i] : 0;
        memcpy(content + (pl_function_places[i] - pl_fixed_size), &value, sizeof value);
    }
}

static uint64_t sum_of(head h, const char *content)
{
    h.sum = 0;
    return pl_checksum(pl_checksum(0, (const char *)&h, sizeof h), content, (size_t)content_size());
}

static int fits(pl_instance *one, const head *h)
{
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0 || strncmp(h->token, pl_token, sizeof h->token - 1) != 0
        || h->size != content_size()) {
        pl_fail(one, PL_ERROR, "this is not a state of this model");
        return 0;
    }
    return 1;
}

int pl_state_get(pl_instance *one, void **state)
{
    head *h;
    if (!pl_live(one) || state == NULL)
        return PL_ERROR;
    if (*state != NULL && !pl_is_state(one, *state))
        return PL_ERROR;
    h = *state != NULL ? *state : malloc(whole_size());
    if (h == NULL)
        return pl_fail(one, PL_ERROR, "not enough memory for a state (%lld bytes)", (long long)whole_size());
    memset(h, 0, sizeof *h);
    memcpy(h->magic, MAGIC, sizeof MAGIC);
    strncpy(h->token, pl_token, sizeof h->token - 1);
    h->size = content_size();
    h->phase = one->phase;
    h->stop_time = one->stop_time;
    memcpy(h + 1, one->base + pl_fixed_size, (size_t)content_size());
    set_addresses((char *)(h + 1), one->base, 0);
    if (*state == NULL)
        pl_keep(PL_STATES, h);
    *state = h;
    return PL_OK;
}

int pl_state_set(pl_instance *one, const void *state)
{
    const head *h = state;
    if (!pl_live(one) || !pl_is_state(one, state) || !fits(one, h))
        return PL_ERROR;
    memcpy(one->base + pl_fixed_size, h + 1, (size_t)content_size());
    set_addresses(one->base + pl_fixed_size, one->base, 1);
    one->phase = (int)h->phase;
    one->stop_time = h->stop_time;
    one->told = 0;
    return PL_OK;
}

int pl_state_size(pl_instance *one, const void *state, size_t *size)
{
    if (!pl_live(one) || !pl_is_state(one, state) || size == NULL)
        return PL_ERROR;
    *size = whole_size();
    return PL_OK;
}

int pl_state_write(pl_instance *one, const void *state, char *bytes, size_t size)
{
    head h;
    if (!pl_live(one) || !pl_is_state(one, state) || bytes == NULL)
        return PL_ERROR;
    if (size < whole_size())
        return pl_fail(one, PL_ERROR, "a state needs %lld bytes, there are %lld", (long long)whole_size(), (long long)size);
    memcpy(&h, state, sizeof h);
    h.sum = sum_of(h, (const char *)state + sizeof h);
    memcpy(bytes, &h, sizeof h);
    memcpy(bytes + sizeof h, (const char *)state + sizeof h, whole_size() - sizeof h);
    return PL_OK;
}

int pl_state_read(pl_instance *one, const char *bytes, size_t size, void **state)
{
    head h;
    if (!pl_live(one) || bytes == NULL || state == NULL)
        return PL_ERROR;
    if (size < whole_size())
        return pl_fail(one, PL_ERROR, "a state has %lld bytes, here are %lld", (long long)whole_size(), (long long)size);
    memcpy(&h, bytes, sizeof h);
    if (!fits(one, &h))
        return PL_ERROR;
    if (h.sum != sum_of(h, bytes + sizeof h))
        return pl_fail(one, PL_ERROR, "the serialized state is damaged");
    if (!pl_kept(PL_STATES, *state)) {
        *state = malloc(whole_size());
        if (*state == NULL)
            return pl_fail(one, PL_ERROR, "not enough memory for a state (%lld bytes)", (long long)whole_size());
        pl_keep(PL_STATES, *state);
    }
    memcpy(*state, bytes, whole_size());
    return PL_OK;
}
