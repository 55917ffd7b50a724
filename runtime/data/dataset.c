#include "runtime/data/dataset.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/data/format.h"
#include "runtime/data/image/resize.h"

#include <stdio.h>
#include <string.h>

#define VDNN_DATASET_TABLE(X)                                                                      \
    X(cifar10)                                                                                     \
    X(idx)                                                                                         \
    X(images)                                                                                      \
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
    return vdnn_status_fail(VDNN_USAGE, "data: \"%s\" is not a kind of dataset%s; known: %s", name,
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
        return vdnn_status_fail(VDNN_USAGE, "data: \"%s\" has no path; expected %s:%s", spec,
                                found->kind, found->place);
    *format = found;
    *place = after;
    return VDNN_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_status check_channels(const vdnn_dataset *dataset, const char *spec)
{
    const vdnn_picture_size *stored = &dataset->stored, *wanted = &dataset->wanted;
    if (stored->channels == wanted->channels)
        return VDNN_OK;
    if (dataset->vocabulary > 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: samples have %lld token(s), the network's input has %lld",
                                spec, (long long)stored->channels, (long long)wanted->channels);
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: pictures have %lld channel(s), the network's input has %lld", spec,
                            (long long)stored->channels, (long long)wanted->channels);
}

vdnn_status vdnn_dataset_check(const char *path, uint64_t count, const vdnn_picture_size *stored)
{
    if (count == 0 || count > VDNN_DATASET_MAX_IMAGES)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %llu images; expected 1 to %llu", path,
                                (unsigned long long)count,
                                (unsigned long long)VDNN_DATASET_MAX_IMAGES);
    int64_t channels = stored->channels, height = stored->height, width = stored->width;
    bool good = channels >= 1 && channels <= VDNN_PICTURE_MAX_SIDE && height >= 1 &&
                height <= VDNN_PICTURE_MAX_SIDE && width >= 1 && width <= VDNN_PICTURE_MAX_SIDE;
    if (good && height * width <= VDNN_PICTURE_MAX_PIXELS &&
        channels * height * width <= VDNN_DATASET_MAX_FLOATS)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: has pictures of %lld x %lld x %lld; channels and sides must be 1 "
                            "to %d, with at most %d pixels and %d values",
                            path, (long long)channels, (long long)height, (long long)width,
                            (int)VDNN_PICTURE_MAX_SIDE, (int)VDNN_PICTURE_MAX_PIXELS,
                            (int)VDNN_DATASET_MAX_FLOATS);
}

static vdnn_status check_kind(const vdnn_dataset_request *request,
                              const vdnn_dataset_format *format)
{
    if (request->tokens == 0 || format->has_tokens)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: %s has pictures, but the network's input is tokens; expected "
                            "npy:DIR or synthetic",
                            request->spec, format->kind);
}

static vdnn_picture_size wanted_size(const vdnn_dataset_request *request)
{
    if (request->tokens > 0)
        return (vdnn_picture_size){request->tokens, 1, 1};
    return (vdnn_picture_size){request->channels, request->height, request->width};
}

vdnn_status vdnn_dataset_open(const vdnn_dataset_request *request, vdnn_dataset **dataset)
{
    const vdnn_dataset_format *format = NULL;
    const char *place = NULL;
    vdnn_status status = parse_spec(request->spec, &format, &place);
    if (status == VDNN_OK)
        status = check_kind(request, format);
    if (status != VDNN_OK)
        return status;
    vdnn_dataset *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", request->spec);
    fresh->wanted = wanted_size(request);
    fresh->vocabulary = request->vocabulary;
    fresh->labels = request->labels > 0 ? request->labels : 1;
    status = format->open(request, place, fresh);
    if (status != VDNN_OK)
        goto fail;
    fresh->format = format;
    status = check_channels(fresh, request->spec);
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

int64_t vdnn_dataset_labels(const vdnn_dataset *dataset)
{
    return dataset->labels;
}

static bool same_size(const vdnn_picture_size *a, const vdnn_picture_size *b)
{
    return a->height == b->height && a->width == b->width;
}

static vdnn_status no_memory(const vdnn_picture_size *size)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for one picture of %lld x %lld x %lld",
                            (long long)size->channels, (long long)size->height,
                            (long long)size->width);
}

static vdnn_status resize(const vdnn_dataset *dataset, const float *stored, vdnn_scratch *scratch,
                          float *image)
{
    const vdnn_picture_size *from = &dataset->stored, *to = &dataset->wanted;
    vdnn_resize_size size = {from->channels, {from->height, from->width}, {to->height, to->width}};
    void *memory = vdnn_scratch_take(scratch, VDNN_SCRATCH_RESIZE, vdnn_resizer_bytes(&size));
    if (memory == NULL)
        return no_memory(from);
    vdnn_resizer resizer;
    vdnn_resizer_begin(&resizer, &size, memory, image);
    for (int64_t y = 0; y < from->height; y++) {
        float *row = vdnn_resizer_row(&resizer);
        for (int64_t c = 0; c < from->channels; c++)
            memcpy(row + c * from->width, stored + (c * from->height + y) * from->width,
                   (size_t)from->width * sizeof *row);
        vdnn_resizer_push(&resizer);
    }
    return VDNN_OK;
}

vdnn_status vdnn_dataset_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                              void *sample, int32_t *labels)
{
    VDNN_INVARIANT(index, <, dataset->count);
    const vdnn_picture_size *size = &dataset->stored;
    if (same_size(size, &dataset->wanted))
        return dataset->format->read(dataset, index, scratch, sample, labels);
    size_t bytes = (size_t)(size->channels * size->height * size->width) * sizeof(float);
    float *stored = vdnn_scratch_take(scratch, VDNN_SCRATCH_PICTURE, bytes);
    if (stored == NULL)
        return no_memory(size);
    vdnn_status status = dataset->format->read(dataset, index, scratch, stored, labels);
    return status == VDNN_OK ? resize(dataset, stored, scratch, sample) : status;
}
