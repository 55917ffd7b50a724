#include "layers/registry.h"

#include "layers/custom.h"
#include "layers/sim/simulated.h"
#include "runtime/base/versioned.h"

#include <pthread.h>
#include <string.h>

static const vdnn_layer_def *const layer_defs[] = {
#define X(name) &vdnn_##name##_def,
    VDNN_LAYER_DEF_TABLE(X)
#undef X
};

static const vdnn_algorithm *const algorithms[] = {
#define X(name) &vdnn_##name,
    VDNN_ALGORITHM_TABLE(X)
#undef X
};

static const vdnn_elementwise *const elementwise_rows[] = {
#define X(name) &vdnn_##name,
    VDNN_ELEMENTWISE_TABLE(X)
#undef X
};

static const vdnn_measuring *const measuring_rows[] = {
#define X(name) &vdnn_##name,
    VDNN_MEASURING_TABLE(X)
#undef X
};

static const struct {
    const vdnn_layer_def *first, *second;
    vdnn_epilogue epilogue;
} fusions[] = {
#define X(first, second, epilogue)                                                                 \
    {&vdnn_##first##_def, &vdnn_##second##_def, VDNN_EPILOGUE_##epilogue},
    VDNN_FUSION_TABLE(X)
#undef X
};

enum {
    LAYER_DEF_COUNT = sizeof layer_defs / sizeof layer_defs[0],
    ALGORITHM_COUNT = sizeof algorithms / sizeof algorithms[0],
    ELEMENTWISE_COUNT = sizeof elementwise_rows / sizeof elementwise_rows[0],
    MEASURING_COUNT = sizeof measuring_rows / sizeof measuring_rows[0],
    FUSION_COUNT = sizeof fusions / sizeof fusions[0]
};

size_t vdnn_layer_def_count(void)
{
    return LAYER_DEF_COUNT + vdnn_custom_count();
}

const vdnn_layer_def *vdnn_layer_def_at(size_t i)
{
    if (i >= vdnn_layer_def_count())
        return NULL;
    return i < LAYER_DEF_COUNT ? layer_defs[i] : vdnn_custom_def(i - LAYER_DEF_COUNT);
}

static const struct {
    const char *name;
    const vdnn_layer_def *def;
} aliases[] = {
#define X(name, type) {#name, &vdnn_##type##_def},
    VDNN_LAYER_ALIAS_TABLE(X)
#undef X
};

const vdnn_layer_def *vdnn_layer_def_find(const char *type)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, type) == 0)
            return aliases[i].def;
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (strcmp(vdnn_layer_def_at(i)->type, type) == 0)
            return vdnn_layer_def_at(i);
    return NULL;
}

/* Of those that a network can have, internal ones are left out. */
static const vdnn_layer_def *public_def_at(size_t i)
{
    const vdnn_layer_def *def = NULL;
    for (size_t d = 0; (def = vdnn_layer_def_at(d)) != NULL; d++)
        if (!def->internal && i-- == 0)
            return def;
    return NULL;
}

size_t vdnn_layer_count(void)
{
    size_t count = 0;
    while (public_def_at(count) != NULL)
        count++;
    return count;
}

const char *vdnn_layer_name(size_t i)
{
    const vdnn_layer_def *def = public_def_at(i);
    return def == NULL ? NULL : def->type;
}

static const vdnn_layer_def *find_public(const char *type)
{
    const vdnn_layer_def *def = vdnn_layer_def_find(type);
    return def == NULL || def->internal ? NULL : def;
}

const char *const *vdnn_layer_def_words(const vdnn_layer_def *def, size_t key)
{
    return def->keys[key].kind == VDNN_KEY_WORD ? def->words[key] : NULL;
}

size_t vdnn_layer_key_count(const char *type)
{
    const vdnn_layer_def *def = find_public(type);
    return def == NULL ? 0 : def->key_count;
}

vdnn_status vdnn_layer_key_at(const char *type, size_t i, vdnn_layer_key *key)
{
    const vdnn_layer_def *def = find_public(type);
    if (def == NULL)
        return vdnn_status_fail(VDNN_USAGE, "there is no type of layers '%s'", type);
    if (i >= def->key_count)
        return vdnn_status_fail(VDNN_USAGE,
                                "a layer of type %s has %zu keys of its type, and no %zu", type,
                                def->key_count, i);
    const vdnn_key *own = &def->keys[i];
    const vdnn_layer_key told = {.name = own->name,
                                 .kind = own->kind,
                                 .required = own->required,
                                 .preset = own->preset,
                                 .preset_key = own->preset_key,
                                 .min = own->min,
                                 .max = own->max,
                                 .words = vdnn_layer_def_words(def, i)};
    return vdnn_versioned_give(key, &told, sizeof told, "vdnn_layer_key");
}

vdnn_epilogue vdnn_layer_def_epilogue(const vdnn_layer_def *first, const vdnn_layer_def *second)
{
    for (size_t i = 0; i < FUSION_COUNT; i++)
        if (fusions[i].first == first && fusions[i].second == second)
            return fusions[i].epilogue;
    return VDNN_EPILOGUE_NONE;
}

vdnn_status vdnn_layer_register(const vdnn_layer_type *type)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    vdnn_layer_type own;
    vdnn_status status = vdnn_versioned_take(&own, sizeof own, type, "vdnn_layer_type");
    if (status != VDNN_OK)
        return status;
    (void)pthread_mutex_lock(&lock);
    if (own.name != NULL && vdnn_layer_def_find(own.name) != NULL)
        status = vdnn_status_fail(VDNN_USAGE, "layer type '%s' is already registered", own.name);
    else
        status = vdnn_custom_add(&own);
    (void)pthread_mutex_unlock(&lock);
    return status;
}

size_t vdnn_algorithm_count(void)
{
    return ALGORITHM_COUNT + VDNN_SIMULATED_COUNT + vdnn_custom_algorithm_count();
}

const vdnn_algorithm *vdnn_algorithm_at(size_t i)
{
    if (i >= vdnn_algorithm_count())
        return NULL;
    if (i < ALGORITHM_COUNT)
        return algorithms[i];
    i -= ALGORITHM_COUNT;
    return i < VDNN_SIMULATED_COUNT ? &vdnn_simulated_rows[i]
                                    : vdnn_custom_algorithm(i - VDNN_SIMULATED_COUNT);
}

const vdnn_algorithm *vdnn_algorithm_find(const char *layer_type, const char *name,
                                          const char *device)
{
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->layer_type, layer_type) == 0 && strcmp(row->name, name) == 0 &&
            strcmp(row->device, device) == 0)
            return row;
    }
    return NULL;
}

const vdnn_elementwise *vdnn_elementwise_find(const char *device)
{
    for (size_t i = 0; i < ELEMENTWISE_COUNT; i++)
        if (strcmp(elementwise_rows[i]->device, device) == 0)
            return elementwise_rows[i];
    return NULL;
}

const vdnn_measuring *vdnn_measuring_find(const char *device)
{
    for (size_t i = 0; i < MEASURING_COUNT; i++)
        if (strcmp(measuring_rows[i]->device, device) == 0)
            return measuring_rows[i];
    return NULL;
}
