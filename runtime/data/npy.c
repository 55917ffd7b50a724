/* npy: a folder with images.npy (float32, N x C x H x W), or for a network of tokens tokens.npy
 * (int32 or int64, N x T), and labels.npy (int64, N, or N x T with one for each position),
 * little-endian, in C order. For an input that the network's file gives a name the file is
 * NAME.npy, and so for its labels. Images and tokens stay on disk; labels are kept in memory as
 * int32. */

#include "runtime/base/heap.h"
#include "runtime/data/format.h"
#include "runtime/data/npy_header.h"
#include "runtime/data/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are read as they are stored");

enum {
    MAGIC_BYTES = 6,
    SHORT_PREFIX = 10, /* magic, version, u16 length */
    LONG_PREFIX = 12,  /* magic, version, u32 length */
    HEADER_LIMIT = 65536,
    BLOCK = 512, /* integers read at a time */
};

typedef struct npy_array {
    vdnn_source *source;
    vdnn_npy_header header;
    uint64_t data; /* where the elements begin */
} npy_array;

/* Images or tokens. */
typedef struct npy_samples {
    npy_array array;
    size_t element_bytes, sample_bytes;
} npy_samples;

typedef struct npy {
    bool is_unlabelled; /* one array, at a path */
    npy_samples inputs[VDNN_INPUTS_MAX - 1];
    int32_t *labels; /* NULL: all are 0 */
} npy;

/* What an array holds: the name of its file where the network gives none, its rank, and one of two
 * types. */
typedef struct npy_form {
    const char *name;
    int rank;
    const char *expected; /* the types, for messages */
    struct {
        const char *descr;
        size_t bytes;
    } types[2];
} npy_form;

#define FLOATS                                                                                     \
    "'<f4'",                                                                                       \
    {                                                                                              \
        {                                                                                          \
            "<f4", sizeof(float)                                                                   \
        }                                                                                          \
    }
#define INTEGERS                                                                                   \
    "'<i8'",                                                                                       \
    {                                                                                              \
        {                                                                                          \
            "<i8", sizeof(int64_t)                                                                 \
        }                                                                                          \
    }
#define ANY_INTEGERS                                                                               \
    "'<i4' or '<i8'",                                                                              \
    {                                                                                              \
        {"<i4", sizeof(int32_t)},                                                                  \
        {                                                                                          \
            "<i8", sizeof(int64_t)                                                                 \
        }                                                                                          \
    }

static const npy_form images_form = {"images", 4, FLOATS},
                      tokens_form = {"tokens", 2, ANY_INTEGERS},
                      labels_form = {"labels", 1, INTEGERS},
                      position_labels_form = {"labels", 2, INTEGERS};

/* ---- one array ------------------------------------------------------------------------------- */

/* Where the dict begins, and its length. */
static vdnn_status read_prefix(vdnn_source *source, uint32_t *begin, uint32_t *length)
{
    unsigned char prefix[LONG_PREFIX];
    const char *path = vdnn_source_path(source);
    vdnn_status status = vdnn_source_need(source, sizeof prefix, false);
    VDNN_IF_OK(status, vdnn_source_read(source, 0, prefix, sizeof prefix));
    if (status != VDNN_OK)
        return status;
    if (memcmp(prefix, "\x93NUMPY", MAGIC_BYTES) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is not an npy file (its first bytes differ)",
                                path);
    unsigned major = prefix[6], minor = prefix[7];
    if (major < 1 || major > 3 || minor != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has npy version %u.%u; 1.0, 2.0 and 3.0 are known", path,
                                major, minor);
    uint32_t size = (uint32_t)prefix[8] | (uint32_t)prefix[9] << 8;
    if (major > 1)
        size |= (uint32_t)prefix[10] << 16 | (uint32_t)prefix[11] << 24;
    if (size > HEADER_LIMIT)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: its header of %u bytes is over %d, a limit of vdnn", path,
                                size, (int)HEADER_LIMIT);
    *begin = major > 1 ? LONG_PREFIX : SHORT_PREFIX;
    *length = size;
    return VDNN_OK;
}

static vdnn_status read_header(npy_array *array)
{
    uint32_t begin = 0, length = 0;
    VDNN_TRY(read_prefix(array->source, &begin, &length));
    char *text = vdnn_heap_calloc((size_t)length + 1, 1);
    if (text == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header",
                                vdnn_source_path(array->source));
    vdnn_status status = vdnn_source_need(array->source, (uint64_t)begin + length, false);
    VDNN_IF_OK(status, vdnn_source_read(array->source, begin, text, length));
    VDNN_IF_OK(status, vdnn_npy_header_parse(text, length, vdnn_source_path(array->source),
                                             &array->header));
    vdnn_heap_free(text);
    array->data = (uint64_t)begin + length;
    return status;
}

/* The product of the dimensions times `bytes` each, plus where the data begins. */
static bool whole_bytes(const npy_array *array, uint64_t bytes, uint64_t *whole)
{
    uint64_t product = bytes;
    for (int i = 0; i < array->header.dim_count; i++)
        if (__builtin_mul_overflow(product, (uint64_t)array->header.dims[i], &product))
            return false;
    return !__builtin_add_overflow(product, array->data, whole);
}

/* Bytes of an element; 0: another type is expected. */
static size_t element_bytes_of(const npy_form *form, const char *descr)
{
    for (int i = 0; i < 2; i++)
        if (form->types[i].descr != NULL && strcmp(form->types[i].descr, descr) == 0)
            return form->types[i].bytes;
    return 0;
}

static vdnn_status check_header(const npy_form *form, const char *path,
                                const vdnn_npy_header *header)
{
    if (element_bytes_of(form, header->descr) == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has elements of type '%s', expected %s", path,
                                header->descr, form->expected);
    if (header->fortran_order && form->rank > 1)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: is in Fortran order; save numpy.ascontiguousarray of it", path);
    if (header->dim_count != form->rank)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %d dimension(s), expected %d", path,
                                header->dim_count, form->rank);
    return VDNN_OK;
}

/* Opens an array's file and checks type, order, rank and size; the array's source is closed by the
 * caller, also on failure. */
static vdnn_status open_file(const char *path, const npy_form *form, npy_array *array,
                             size_t *element_bytes)
{
    vdnn_status status = vdnn_source_open(path, &array->source);
    VDNN_IF_OK(status, read_header(array));
    VDNN_IF_OK(status, check_header(form, path, &array->header));
    if (status != VDNN_OK)
        return status;
    size_t bytes = element_bytes_of(form, array->header.descr);
    uint64_t whole;
    if (!whole_bytes(array, bytes, &whole))
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: its shape is of more than 2^64 bytes", path);
    *element_bytes = bytes;
    return vdnn_source_need(array->source, whole, true);
}

/* In a folder; `name` NULL: the form's. */
static vdnn_status open_array(const char *directory, const char *name, const npy_form *form,
                              npy_array *array, size_t *element_bytes)
{
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/%s.npy", directory, name == NULL ? form->name : name);
    if (length < 0 || (size_t)length >= sizeof path)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", directory);
    return open_file(path, form, array, element_bytes);
}

/* ---- the set --------------------------------------------------------------------------------- */

/* The first input says how many samples there are. */
static vdnn_status check_samples(const npy *set, int32_t input, vdnn_dataset *dataset)
{
    const npy_array *samples = &set->inputs[input].array;
    const int64_t *dims = samples->header.dims;
    vdnn_dataset_row *row = &dataset->inputs[input];
    const bool are_tokens = row->vocabulary > 0;
    if (input == 0)
        dataset->count = (uint64_t)dims[0];
    if (dataset->count != (uint64_t)dims[0])
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %lld samples, but %s has %llu",
                                vdnn_source_path(samples->source), (long long)dims[0],
                                vdnn_source_path(set->inputs[0].array.source),
                                (unsigned long long)dataset->count);
    row->stored = (vdnn_picture_size){dims[1], are_tokens ? 1 : dims[2], are_tokens ? 1 : dims[3]};
    return vdnn_dataset_check(vdnn_source_path(samples->source), dataset->count, &row->stored);
}

static vdnn_status open_input(npy *set, const char *place, const vdnn_dataset_input *input,
                              int32_t number, vdnn_dataset *dataset)
{
    npy_samples *own = &set->inputs[number];
    const npy_form *form = input->tokens > 0 ? &tokens_form : &images_form;
    const bool has_name = input->name != NULL && strcmp(input->name, "input") != 0;
    vdnn_status status = set->is_unlabelled
                             ? open_file(place, form, &own->array, &own->element_bytes)
                             : open_array(place, has_name ? input->name : NULL, form, &own->array,
                                          &own->element_bytes);
    VDNN_IF_OK(status, check_samples(set, number, dataset));
    if (status != VDNN_OK)
        return status;
    const vdnn_picture_size *size = &dataset->inputs[number].stored;
    own->sample_bytes = (size_t)(size->channels * size->height * size->width) * own->element_bytes;
    return VDNN_OK;
}

static vdnn_status check_labels(const npy_array *array, const int64_t *labels, uint64_t first,
                                size_t count, const vdnn_dataset_request *request)
{
    for (size_t i = 0; i < count; i++) {
        bool is_class = labels[i] >= 0 && labels[i] < request->classes;
        if (!is_class && (request->ignored == NULL || labels[i] != *request->ignored))
            return vdnn_status_fail(
                VDNN_BAD_INPUT, "%s: label %llu is %lld, but the network has %lld classes",
                vdnn_source_path(array->source), (unsigned long long)(first + i),
                (long long)labels[i], (long long)request->classes);
    }
    return VDNN_OK;
}

/* *count: all of them. */
static vdnn_status count_labels(const npy_array *array, const vdnn_dataset *dataset,
                                uint64_t *count)
{
    const char *path = vdnn_source_path(array->source);
    const int64_t *dims = array->header.dims;
    if ((uint64_t)dims[0] != dataset->count)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %lld labels, but there are %llu images",
                                path, (long long)dims[0], (unsigned long long)dataset->count);
    if (array->header.dim_count > 1 && dims[1] != dataset->labels)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has %lld labels a sample, but the network reads %lld", path,
                                (long long)dims[1], (long long)dataset->labels);
    *count = dataset->count * (uint64_t)dataset->labels;
    if (*count > VDNN_DATASET_MAX_IMAGES)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %llu labels, expected at most %llu", path,
                                (unsigned long long)*count,
                                (unsigned long long)VDNN_DATASET_MAX_IMAGES);
    return VDNN_OK;
}

static vdnn_status read_labels(const npy_array *array, const vdnn_dataset_request *request,
                               const vdnn_dataset *dataset, int32_t **labels)
{
    const char *path = vdnn_source_path(array->source);
    uint64_t count;
    vdnn_status status = count_labels(array, dataset, &count);
    if (status != VDNN_OK)
        return status;
    int32_t *fresh = vdnn_heap_calloc(count, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu labels", path,
                                (unsigned long long)count);
    int64_t block[BLOCK];
    for (uint64_t first = 0; first < count && status == VDNN_OK; first += BLOCK) {
        size_t part = count - first < BLOCK ? (size_t)(count - first) : BLOCK;
        status = vdnn_source_read(array->source, array->data + first * sizeof *block, block,
                                  part * sizeof *block);
        VDNN_IF_OK(status, check_labels(array, block, first, part, request));
        for (size_t i = 0; i < part && status == VDNN_OK; i++)
            fresh[first + i] = (int32_t)block[i];
    }
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    *labels = fresh;
    return VDNN_OK;
}

static void npy_close(void *state)
{
    npy *set = state;
    for (int32_t i = 0; i < VDNN_INPUTS_MAX - 1; i++)
        vdnn_source_close(set->inputs[i].array.source);
    vdnn_heap_free(set->labels);
    vdnn_heap_free(set);
}

static vdnn_status npy_open(const vdnn_dataset_request *request, const char *place,
                            vdnn_dataset *dataset)
{
    npy_array labels = {0};
    size_t label_bytes;
    npy *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    vdnn_status status = VDNN_OK;
    set->is_unlabelled = request->is_unlabelled;
    for (int32_t i = 0; i < request->input_count && status == VDNN_OK; i++)
        status = open_input(set, place, &request->inputs[i], i, dataset);
    if (status == VDNN_OK && !set->is_unlabelled) {
        status = open_array(place, request->labels_name,
                            request->labels > 0 ? &position_labels_form : &labels_form, &labels,
                            &label_bytes);
        VDNN_IF_OK(status, read_labels(&labels, request, dataset, &set->labels));
    }
    vdnn_source_close(labels.source);
    if (status != VDNN_OK) {
        npy_close(set);
        return status;
    }
    dataset->state = set;
    return VDNN_OK;
}

/* A value that is not finite would spread to every weight, and its origin could not be found later.
 */
static vdnn_status check_values(const npy_samples *set, uint64_t index, const float *pixels,
                                size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(pixels[i]))
        i++;
    if (i == count)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s: value %zu of picture %llu is %g, expected a finite number",
        vdnn_source_path(set->array.source), i, (unsigned long long)index, (double)pixels[i]);
}

static vdnn_status read_pixels(const npy_samples *set, uint64_t index, float *pixels)
{
    vdnn_status status = vdnn_source_read(
        set->array.source, set->array.data + index * set->sample_bytes, pixels, set->sample_bytes);
    return status == VDNN_OK ? check_values(set, index, pixels, set->sample_bytes / sizeof *pixels)
                             : status;
}

/* Some tokens of a sample, from its token `first` on. */
static vdnn_status read_block(const npy_samples *set, uint64_t index, size_t first, size_t count,
                              int64_t vocabulary, int32_t *tokens)
{
    union {
        int32_t narrow[BLOCK];
        int64_t wide[BLOCK];
    } block;
    bool is_wide = set->element_bytes == sizeof *block.wide;
    uint64_t at = set->array.data + index * set->sample_bytes + first * set->element_bytes;
    vdnn_status status =
        vdnn_source_read(set->array.source, at, &block, count * set->element_bytes);
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        int64_t token = is_wide ? block.wide[i] : block.narrow[i];
        if (token < 0 || token >= vocabulary)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: token %zu of sample %llu is %lld, but the network's "
                                    "vocabulary has 0 to %lld",
                                    vdnn_source_path(set->array.source), first + i,
                                    (unsigned long long)index, (long long)token,
                                    (long long)vocabulary - 1);
        tokens[i] = (int32_t)token;
    }
    return status;
}

static vdnn_status read_tokens(const npy_samples *set, uint64_t index, int64_t vocabulary,
                               int32_t *tokens)
{
    vdnn_status status = VDNN_OK;
    size_t count = set->sample_bytes / set->element_bytes;
    for (size_t first = 0; first < count && status == VDNN_OK; first += BLOCK) {
        size_t part = count - first < BLOCK ? count - first : BLOCK;
        status = read_block(set, index, first, part, vocabulary, tokens + first);
    }
    return status;
}

static vdnn_status npy_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                            void *const *inputs, int32_t *labels)
{
    (void)scratch;
    const npy *set = dataset->state;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < dataset->input_count && status == VDNN_OK; i++) {
        const int64_t vocabulary = dataset->inputs[i].vocabulary;
        status = vocabulary > 0 ? read_tokens(&set->inputs[i], index, vocabulary, inputs[i])
                                : read_pixels(&set->inputs[i], index, inputs[i]);
    }
    const size_t bytes = (size_t)dataset->labels * sizeof *labels;
    if (status == VDNN_OK && set->labels != NULL)
        memcpy(labels, set->labels + (int64_t)index * dataset->labels, bytes);
    else if (status == VDNN_OK)
        memset(labels, 0, bytes);
    return status;
}

const vdnn_dataset_format vdnn_npy_format = {
    .kind = "npy",
    .place = "DIR",
    .has_inputs = true,
    .open = npy_open,
    .read = npy_read,
    .close = npy_close,
};

/* Without labels. */
static vdnn_status array_open(const vdnn_dataset_request *request, const char *place,
                              vdnn_dataset *dataset)
{
    if (request->input_count > 1)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is one array, but the network has %d inputs",
                                place, (int)request->input_count);
    return npy_open(request, place, dataset);
}

const vdnn_dataset_format vdnn_array_format = {
    .kind = "array",
    .place = "FILE.npy",
    .has_inputs = true,
    .open = array_open,
    .read = npy_read,
    .close = npy_close,
};
