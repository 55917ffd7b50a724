#include "runtime/data/dataset.h"

#include "alloc/heap.h"
#include "runtime/data/format.h"
#include "runtime/data/resize.h"
#include "runtime/text.h"

#include <stdio.h>
#include <string.h>

#define VDNN_DATASET_TABLE(X)                                                                      \
    X(cifar10)                                                                                     \
    X(idx)                                                                                         \
    X(npy)                                                                                         \
    X(synthetic)

static const vdnn_dataset_format *const formats[] = {
#define X(name) &vdnn_##name##_format,
    VDNN_DATASET_TABLE(X)
#undef X
};

enum {
#define X(name) FORMAT_##name,
    VDNN_DATASET_TABLE(X)
#undef X
        FORMAT_COUNT
};

/* ---- the spec -------------------------------------------------------------------------------- */

static vdnn_status fail_kind(const char *spec, int kind_length)
{
    const char *kinds[FORMAT_COUNT];
    char name[64], hint[128], list[256] = "";
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        kinds[i] = formats[i]->kind;
        (void)strncat(list, i > 0 ? ", " : "", sizeof list - strlen(list) - 1);
        (void)strncat(list, kinds[i], sizeof list - strlen(list) - 1);
    }
    (void)snprintf(name, sizeof name, "%.*s", kind_length, spec);
    return vdnn_status_fail(VDNN_USAGE, "data: \"%s\" is no kind of dataset%s; known: %s", name,
                            vdnn_text_hint(hint, sizeof hint, name, kinds, FORMAT_COUNT), list);
}

/* KIND or KIND:PLACE; *place is NULL without a colon. */
static vdnn_status parse_spec(const char *spec, const vdnn_dataset_format **format,
                              const char **place)
{
    size_t length = strcspn(spec, ":");
    const vdnn_dataset_format *found = NULL;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strlen(formats[i]->kind) == length && memcmp(formats[i]->kind, spec, length) == 0)
            found = formats[i];
    if (found == NULL)
        return fail_kind(spec, length < 64 ? (int)length : 63);
    const char *after = spec[length] == ':' ? spec + length + 1 : NULL;
    if (after == NULL ? !found->place_optional : *after == '\0')
        return vdnn_status_fail(VDNN_USAGE, "data: \"%s\" lacks its place; expected %s:%s", spec,
                                found->kind, found->place);
    *format = found;
    *place = after;
    return VDNN_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

static bool same_size(const vdnn_picture_size *a, const vdnn_picture_size *b)
{
    return a->height == b->height && a->width == b->width;
}

/* Fits the stored pictures to the network's input. */
static vdnn_status fit_pictures(vdnn_dataset *dataset, const char *spec)
{
    const vdnn_picture_size *stored = &dataset->stored, *wanted = &dataset->wanted;
    if (stored->channels != wanted->channels)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: pictures have %lld channel(s), the network's input has %lld",
                                spec, (long long)stored->channels, (long long)wanted->channels);
    if (same_size(stored, wanted))
        return VDNN_OK;
    dataset->scratch = vdnn_heap_calloc((size_t)(stored->channels * stored->height * stored->width),
                                        sizeof *dataset->scratch);
    dataset->scratch_lock = vdnn_heap_calloc(1, sizeof *dataset->scratch_lock);
    if (dataset->scratch == NULL || dataset->scratch_lock == NULL) {
        vdnn_heap_free(dataset->scratch_lock);
        dataset->scratch_lock = NULL;
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for one picture of %lld x %lld",
                                spec, (long long)stored->height, (long long)stored->width);
    }
    (void)pthread_mutex_init(dataset->scratch_lock, NULL);
    return VDNN_OK;
}

vdnn_status vdnn_dataset_open(const vdnn_dataset_request *request, vdnn_dataset **dataset)
{
    const vdnn_dataset_format *format = NULL;
    const char *place = NULL;
    vdnn_status status = parse_spec(request->spec, &format, &place);
    if (status != VDNN_OK)
        return status;
    vdnn_dataset *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", request->spec);
    fresh->wanted = (vdnn_picture_size){request->channels, request->height, request->width};
    status = format->open(request, place, fresh);
    if (status != VDNN_OK)
        goto fail;
    fresh->format = format;
    status = fit_pictures(fresh, request->spec);
    if (status != VDNN_OK)
        goto fail;
    *dataset = fresh;
    return VDNN_OK;
fail:
    vdnn_dataset_close(fresh);
    return status;
}

void vdnn_dataset_close(vdnn_dataset *dataset)
{
    if (dataset == NULL)
        return;
    if (dataset->format != NULL)
        dataset->format->close(dataset->state);
    if (dataset->scratch_lock != NULL)
        (void)pthread_mutex_destroy(dataset->scratch_lock);
    vdnn_heap_free(dataset->scratch_lock);
    vdnn_heap_free(dataset->scratch);
    vdnn_heap_free(dataset);
}

bool vdnn_dataset_has_test(const char *spec)
{
    const vdnn_dataset_format *format;
    const char *place;
    return parse_spec(spec, &format, &place) == VDNN_OK && format->has_test != NULL &&
           format->has_test(place);
}

/* ---- reading --------------------------------------------------------------------------------- */

uint64_t vdnn_dataset_count(const vdnn_dataset *dataset)
{
    return dataset->count;
}

int64_t vdnn_dataset_per_sample(const vdnn_dataset *dataset)
{
    return dataset->wanted.channels * dataset->wanted.height * dataset->wanted.width;
}

static void resize(const vdnn_dataset *dataset, float *image)
{
    const vdnn_picture_size *from = &dataset->stored, *to = &dataset->wanted;
    for (int64_t c = 0; c < to->channels; c++)
        vdnn_resize_plane(dataset->scratch + c * from->height * from->width, from->height,
                          from->width, image + c * to->height * to->width, to->height, to->width);
}

vdnn_status vdnn_dataset_read(const vdnn_dataset *dataset, uint64_t index, float *image,
                              int32_t *label)
{
    VDNN_INVARIANT(index, <, dataset->count);
    if (dataset->scratch == NULL)
        return dataset->format->read(dataset, index, image, label);
    (void)pthread_mutex_lock(dataset->scratch_lock);
    vdnn_status status = dataset->format->read(dataset, index, dataset->scratch, label);
    if (status == VDNN_OK)
        resize(dataset, image);
    (void)pthread_mutex_unlock(dataset->scratch_lock);
    return status;
}
