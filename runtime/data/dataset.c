#include "runtime/data/dataset.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/data/format.h"
#include "runtime/data/image/resize.h"
#include "runtime/vdnn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VDNN_DATASET_TABLE(X)                                                                      \
    X(cifar10)                                                                                     \
    X(idx)                                                                                         \
    X(images)                                                                                      \
    X(npy)                                                                                         \
    X(tokens)                                                                                      \
    X(tokens16)                                                                                    \
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

enum { NAME_BYTES = 256, MADE_UP_BATCHES = 16 };

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
    if (strchr(spec, '/') != NULL && strchr(spec, ':') == NULL)
        (void)snprintf(hint, sizeof hint, " (a path has its kind in front, images:%s)", name);
    else
        (void)vdnn_text_hint(hint, sizeof hint, name, kinds, FORMAT_COUNT);
    return vdnn_status_fail(VDNN_USAGE, "data: \"%s\" is not a kind of dataset%s; known: %s", name,
                            hint, list);
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

vdnn_status vdnn_dataset_check_pictures(const vdnn_dataset_request *request)
{
    const int64_t channels = request->inputs[0].channels;
    if (channels == 1 || channels == 3)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: pictures are grey or RGB, 1 or 3 channels; the network's input "
                            "has %lld",
                            request->spec, (long long)channels);
}

/* ---- open and close -------------------------------------------------------------------------- */

/* Which input a message is about, where there is more than one; else nothing. */
static void name_input(const vdnn_dataset_request *request, int32_t input, char *text, size_t size)
{
    text[0] = '\0';
    if (request->input_count > 1)
        (void)snprintf(text, size, " '%s'", request->inputs[input].name);
}

static vdnn_status check_channels(const vdnn_dataset *dataset, const vdnn_dataset_request *request)
{
    for (int32_t i = 0; i < dataset->input_count; i++) {
        const vdnn_dataset_row *row = &dataset->inputs[i];
        const bool are_tokens = row->vocabulary > 0;
        char name[NAME_BYTES];
        if (row->stored.channels == row->wanted.channels)
            continue;
        name_input(request, i, name, sizeof name);
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: %s have %lld %s%s, the network's input%s has %lld", request->spec,
            are_tokens ? "samples" : "pictures", (long long)row->stored.channels,
            are_tokens ? "token" : "channel", row->stored.channels == 1 ? "" : "s", name,
            (long long)row->wanted.channels);
    }
    return VDNN_OK;
}

vdnn_status vdnn_dataset_check(const char *path, uint64_t count, const vdnn_picture_size *stored)
{
    if (count == 0 || count > VDNN_DATASET_MAX_IMAGES)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: has %llu images; expected 1 to %llu, the limits of vdnn", path,
            (unsigned long long)count, (unsigned long long)VDNN_DATASET_MAX_IMAGES);
    int64_t channels = stored->channels, height = stored->height, width = stored->width;
    bool good = channels >= 1 && channels <= VDNN_PICTURE_MAX_SIDE && height >= 1 &&
                height <= VDNN_PICTURE_MAX_SIDE && width >= 1 && width <= VDNN_PICTURE_MAX_SIDE;
    if (good && height * width <= VDNN_PICTURE_MAX_PIXELS &&
        channels * height * width <= VDNN_DATASET_MAX_FLOATS)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: has pictures of %lld x %lld x %lld; channels and sides must be 1 "
                            "to %d, with at most %d pixels and %d values, the limits of vdnn",
                            path, (long long)channels, (long long)height, (long long)width,
                            (int)VDNN_PICTURE_MAX_SIDE, (int)VDNN_PICTURE_MAX_PIXELS,
                            (int)VDNN_DATASET_MAX_FLOATS);
}

static vdnn_status check_kind(const vdnn_dataset_request *request,
                              const vdnn_dataset_format *format)
{
    const char *what = format->is_text ? "text" : "pictures";
    const bool are_tokens = request->inputs[0].tokens > 0;
    const bool is_volume = request->inputs[0].depth > 0;
    if (format->has_inputs ||
        (request->input_count == 1 && are_tokens == format->is_text && !is_volume))
        return VDNN_OK;
    const char *wanted = are_tokens ? "tokens" : is_volume ? "volumes" : "pictures";
    if (request->is_unlabelled && request->input_count == 1)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: is read as %s, but the network's input is %s; expected an "
                                "array, FILE.npy",
                                request->spec, what, wanted);
    if (request->input_count > 1)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: %s has %s and labels alone, but the network has %d inputs; "
                                "expected npy:DIR, with a NAME.npy for each, or synthetic",
                                request->spec, format->kind, what, (int)request->input_count);
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: %s has %s, but the network's input is %s; expected %snpy:DIR or "
                            "synthetic",
                            request->spec, format->kind, what, wanted,
                            are_tokens ? "tokens:FILE, " : "");
}

/* Of a set with a class for each sample, or token. */
static vdnn_status check_targets(const vdnn_dataset_request *request,
                                 const vdnn_dataset_format *format)
{
    if (format->has_inputs || request->is_unlabelled || request->label_input > 0)
        return VDNN_OK;
    if (request->targets != NULL)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: %s has classes, but the network's loss is over numbers; "
                                "expected npy:DIR with a %s.npy, synthetic, or an input as the "
                                "labels (`labels: input`)",
                                request->spec, format->kind,
                                request->labels_name == NULL ? "labels" : request->labels_name);
    if (request->labels > 0 && !format->is_text && !format->has_masks)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: %s has a class for each picture, but the network reads %lld "
                                "labels a sample; expected images:DIR, npy:DIR or synthetic",
                                request->spec, format->kind, (long long)request->labels);
    return VDNN_OK;
}

static vdnn_dataset_row row_of(const vdnn_dataset_input *input)
{
    const vdnn_picture_size tokens = {input->tokens, 1, 1},
                            picture = {input->channels,
                                       input->height * (input->depth > 0 ? input->depth : 1),
                                       input->width};
    return (vdnn_dataset_row){.wanted = input->tokens > 0 ? tokens : picture,
                              .vocabulary = input->vocabulary};
}

/* Of a path. */
static const vdnn_dataset_format *unlabelled_format(const vdnn_dataset_request *request)
{
    const size_t length = strlen(request->spec), ending = strlen(".npy");
    if (length > ending && strcmp(request->spec + length - ending, ".npy") == 0)
        return &vdnn_array_format;
    return request->inputs[0].tokens > 0 ? &vdnn_tokens_format : &vdnn_pictures_format;
}

vdnn_status vdnn_dataset_open(const vdnn_dataset_request *request, vdnn_dataset **dataset)
{
    const vdnn_dataset_format *format = NULL;
    const char *place = request->spec;
    vdnn_status status = VDNN_OK;
    if (request->source != NULL)
        format = &vdnn_program_format;
    else if (request->is_unlabelled)
        format = unlabelled_format(request);
    else
        status = parse_spec(request->spec, &format, &place);
    if (format == &vdnn_images_format && request->labels > 0 && request->label_input == 0)
        format = &vdnn_masks_format;
    VDNN_IF_OK(status, check_kind(request, format));
    VDNN_IF_OK(status, check_targets(request, format));
    if (status != VDNN_OK)
        return status;
    vdnn_dataset *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", request->spec);
    fresh->input_count = request->input_count;
    for (int32_t i = 0; i < request->input_count; i++)
        fresh->inputs[i] = row_of(&request->inputs[i]);
    fresh->labels = request->labels > 0 ? request->labels : 1;
    if (request->targets != NULL) {
        fresh->targets = *request->targets;
        fresh->labels = vdnn_desc_per_sample(request->targets);
    }
    fresh->label_input = request->label_input;
    fresh->is_unlabelled = request->is_unlabelled;
    status = format->open(request, place, fresh);
    if (status != VDNN_OK)
        goto fail;
    fresh->format = format;
    status = check_channels(fresh, request);
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

uint64_t vdnn_dataset_test_count(const vdnn_dataset *dataset, uint64_t batch)
{
    const uint64_t count = vdnn_dataset_count(dataset), enough = MADE_UP_BATCHES * batch;
    return dataset->format->is_made_up && enough < count ? enough : count;
}

bool vdnn_dataset_is_shared(const vdnn_dataset *dataset)
{
    return dataset->format->shares != NULL && dataset->format->shares(dataset);
}

bool vdnn_dataset_has_test(const char *spec)
{
    const vdnn_dataset_format *format;
    const char *place;
    return parse_spec(spec, &format, &place) == VDNN_OK && format->has_test != NULL &&
           format->has_test(place);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int64_t count_elements(const vdnn_picture_size *size)
{
    return size->channels * size->height * size->width;
}

uint64_t vdnn_dataset_count(const vdnn_dataset *dataset)
{
    return dataset->count;
}

uint64_t vdnn_dataset_shifts(const vdnn_dataset *dataset)
{
    return dataset->shifts == 0 ? 1 : dataset->shifts;
}

int32_t vdnn_dataset_inputs(const vdnn_dataset *dataset)
{
    return dataset->input_count;
}

int64_t vdnn_dataset_per_sample(const vdnn_dataset *dataset, int32_t input)
{
    return count_elements(&dataset->inputs[input].wanted);
}

size_t vdnn_dataset_label_bytes(const vdnn_dataset *dataset)
{
    _Static_assert(sizeof(int32_t) == sizeof(float), "labels of both kinds");
    return (size_t)dataset->labels * sizeof(int32_t);
}

int32_t vdnn_dataset_label_input(const vdnn_dataset *dataset)
{
    return dataset->label_input;
}

vdnn_status vdnn_dataset_check_targets(const vdnn_dataset *dataset, const char *file,
                                       uint64_t index, const float *values)
{
    const bool are_chances = dataset->targets.below == 1;
    int64_t i = 0;
    while (i < dataset->labels && isfinite(values[i]) &&
           !(are_chances && (values[i] < 0 || values[i] > 1)))
        i++;
    if (i == dataset->labels)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: value %lld of sample %llu is %g, expected %s",
                            file, (long long)i, (unsigned long long)index, (double)values[i],
                            are_chances ? "0 to 1" : "a finite number");
}

vdnn_status vdnn_dataset_check_classes(const vdnn_dataset *dataset, const char *file,
                                       uint64_t index, const int32_t *labels, int64_t classes,
                                       const int64_t *ignored)
{
    for (int64_t i = 0; i < dataset->labels; i++) {
        char place[48] = "";
        const bool is_class = labels[i] >= 0 && labels[i] < classes;
        if (is_class || (ignored != NULL && labels[i] == *ignored))
            continue;
        if (dataset->labels > 1)
            (void)snprintf(place, sizeof place, "%lld ", (long long)i);
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "%s: label %sof sample %llu is %d, which is no class; expected 0 to "
            "%lld",
            file, place, (unsigned long long)index, (int)labels[i], (long long)classes - 1);
    }
    return VDNN_OK;
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

static vdnn_status resize(const vdnn_dataset_row *input, const float *stored, vdnn_scratch *scratch,
                          float *image)
{
    const vdnn_picture_size *from = &input->stored, *to = &input->wanted;
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

/* Elements of the pictures that are stored at another size than they are read at, of the inputs
 * before `end`. */
static size_t count_stored(const vdnn_dataset *dataset, int32_t end)
{
    int64_t elements = 0;
    for (int32_t i = 0; i < end; i++)
        if (!same_size(&dataset->inputs[i].stored, &dataset->inputs[i].wanted))
            elements += count_elements(&dataset->inputs[i].stored);
    return (size_t)elements;
}

/* By way of where they are stored as they are, one after the other. */
static vdnn_status read_and_resize(const vdnn_dataset *dataset, uint64_t index,
                                   vdnn_scratch *scratch, float *stored, void *const *inputs,
                                   void *labels)
{
    void *first[VDNN_INPUTS_MAX];
    for (int32_t i = 0; i < dataset->input_count; i++) {
        const vdnn_dataset_row *row = &dataset->inputs[i];
        first[i] =
            same_size(&row->stored, &row->wanted) ? inputs[i] : stored + count_stored(dataset, i);
    }
    vdnn_status status = dataset->format->read(dataset, index, scratch, first, labels);
    for (int32_t i = 0; i < dataset->input_count && status == VDNN_OK; i++)
        if (first[i] != inputs[i])
            status = resize(&dataset->inputs[i], first[i], scratch, inputs[i]);
    return status;
}

vdnn_status vdnn_dataset_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                              void *const *inputs, void *labels)
{
    VDNN_INVARIANT(index, <, dataset->count * vdnn_dataset_shifts(dataset));
    if (dataset->is_unlabelled)
        memset(labels, 0, vdnn_dataset_label_bytes(dataset));
    if (dataset->is_unlabelled || dataset->label_input > 0)
        labels = NULL;
    const size_t elements = count_stored(dataset, dataset->input_count);
    if (elements == 0)
        return dataset->format->read(dataset, index, scratch, inputs, labels);
    float *stored = vdnn_scratch_take(scratch, VDNN_SCRATCH_PICTURE, elements * sizeof *stored);
    if (stored == NULL)
        return no_memory(&dataset->inputs[0].stored);
    return read_and_resize(dataset, index, scratch, stored, inputs, labels);
}

const char *vdnn_dataset_class_name(const vdnn_dataset *dataset, int64_t class)
{
    return dataset->format->class_name == NULL ? NULL : dataset->format->class_name(dataset, class);
}

const char *vdnn_dataset_name(const vdnn_dataset *dataset, uint64_t index)
{
    return dataset->format->name == NULL ? NULL : dataset->format->name(dataset, index);
}

const char *vdnn_dataset_failure(const vdnn_dataset *dataset, uint64_t index)
{
    return dataset->format->failure == NULL ? NULL : dataset->format->failure(dataset, index);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

vdnn_status vdnn_data_names(vdnn_text *names)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->place_optional)
            vdnn_text_add(names, "%s[:%s]\n", formats[i]->kind, formats[i]->place);
        else
            vdnn_text_add(names, "%s:%s\n", formats[i]->kind, formats[i]->place);
    return vdnn_text_status(names, "the kinds of data");
}

/* ---- orientations ---------------------------------------------------------------------------- */

vdnn_dataset_orientations vdnn_dataset_count_orientations(const vdnn_dataset *dataset)
{
    if (dataset->format->count_orientations == NULL)
        return (vdnn_dataset_orientations){.pictures = 0};
    return dataset->format->count_orientations(dataset);
}

void vdnn_dataset_see_orientations(const vdnn_dataset *dataset)
{
    if (dataset->format->see_orientations != NULL)
        dataset->format->see_orientations(dataset);
}
