#include "models/names.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <string.h>

enum { FEWEST = 16, HINT_BYTES = 320 };

/* FNV-1a, 64 bits. */
static size_t hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name != '\0'; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

static size_t slot_of(const vdnn_names *names, const char *name)
{
    size_t slot = hash(name) & (names->capacity - 1);
    while (names->keys[slot] != NULL && strcmp(names->keys[slot], name) != 0)
        slot = (slot + 1) & (names->capacity - 1);
    return slot;
}

static vdnn_status reserve(vdnn_names *names, size_t capacity)
{
    vdnn_names fresh = {.capacity = capacity, .count = names->count};
    fresh.keys = vdnn_heap_calloc(capacity, sizeof *fresh.keys);
    fresh.values = vdnn_heap_calloc(capacity, sizeof *fresh.values);
    if (fresh.keys == NULL || fresh.values == NULL) {
        vdnn_names_fini(&fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a table of %zu names", capacity);
    }
    for (size_t i = 0; i < names->capacity; i++) {
        if (names->keys[i] == NULL)
            continue;
        size_t slot = slot_of(&fresh, names->keys[i]);
        fresh.keys[slot] = names->keys[i];
        fresh.values[slot] = names->values[i];
    }
    vdnn_names_fini(names);
    *names = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_names_init(vdnn_names *names, int32_t count)
{
    size_t capacity = FEWEST;
    while (capacity < 2 * (size_t)count)
        capacity *= 2;
    *names = (vdnn_names){0};
    return reserve(names, capacity);
}

void vdnn_names_fini(vdnn_names *names)
{
    vdnn_heap_free(names->keys);
    vdnn_heap_free(names->values);
    *names = (vdnn_names){0};
}

void vdnn_names_clear(vdnn_names *names)
{
    memset(names->keys, 0, names->capacity * sizeof *names->keys);
    names->count = 0;
}

vdnn_status vdnn_names_add(vdnn_names *names, const char *name, int32_t value, bool *added)
{
    if (2 * (names->count + 1) > names->capacity) {
        VDNN_TRY(reserve(names, 2 * names->capacity));
    }
    size_t slot = slot_of(names, name);
    *added = names->keys[slot] == NULL;
    if (*added) {
        names->keys[slot] = name;
        names->values[slot] = value;
        names->count++;
    }
    return VDNN_OK;
}

int32_t vdnn_names_find(const vdnn_names *names, const char *name)
{
    size_t slot = slot_of(names, name);
    return names->keys[slot] == NULL ? -1 : names->values[slot];
}

int32_t vdnn_names_find_input(const vdnn_model *model, const char *name)
{
    int32_t input = model->input_count - 1;
    while (input >= 0 && strcmp(model->inputs[input].name, name) != 0)
        input--;
    return input;
}

static vdnn_status refuse_unknown(const vdnn_model *model, const vdnn_layer_spec *layer,
                                  const char *from)
{
    size_t layers = (size_t)model->layer_count, count = layers + (size_t)model->input_count;
    const char **known = vdnn_heap_calloc(count, sizeof *known);
    if (known == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the names of its layers",
                                model->path);
    for (size_t i = 0; i < count; i++)
        known[i] = i < layers ? model->layers[i].name : model->inputs[i - layers].name;
    char hint[HINT_BYTES];
    vdnn_status status = vdnn_status_fail(
        VDNN_BAD_INPUT, "%s:%d: layer '%s' reads '%s', but no layer has this name%s", model->path,
        layer->line, layer->name, from, vdnn_text_hint(hint, sizeof hint, from, known, count));
    vdnn_heap_free(known);
    return status;
}

vdnn_status vdnn_names_resolve(const vdnn_names *names, const vdnn_model *model,
                               const vdnn_layer_spec *layer, const char *from, int32_t *source)
{
    int32_t input = vdnn_names_find_input(model, from);
    int32_t index = input >= 0 ? vdnn_names_of_input(input) : vdnn_names_find(names, from);
    if (index < 0 && input < 0)
        return refuse_unknown(model, layer, from);
    if (input < 0 && model->layers[index].is_adapted &&
        layer != &model->layers[index + VDNN_ADAPTED_SUM])
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: layer '%s' reads '%s', which has lora and is below it in "
                                "the file; expected above it",
                                model->path, layer->line, layer->name, from);
    *source = index;
    return VDNN_OK;
}
