/* npy: a folder with images.npy (float32, N x C x H x W, of volumes N x C x D x H x W), or for a
 * network of tokens tokens.npy (int32 or int64, N x T), and labels.npy: classes, which are
 * integers, N, or as many for each sample as the network has positions, in any shape (masks of
 * pictures are N x H x W); or targets, numbers of the shape that the loss reads, where dimensions
 * of 1 do not count, or any if it reads vectors. All are little-endian, in C order. For an input
 * that the network's file gives a name the file is NAME.npy, and so for its labels. They stay on
 * disk, but for classes of samples, which are kept in memory as int32. */

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

/* Of elements. */
typedef struct npy_type {
    const char *descr;
    size_t bytes;
    enum { NPY_F32, NPY_F64, NPY_U8, NPY_I8, NPY_I32, NPY_I64 } kind;
} npy_type;

static const npy_type types[] = {{"<f4", 4, NPY_F32}, {"<f8", 8, NPY_F64}, {"|u1", 1, NPY_U8},
                                 {"|b1", 1, NPY_U8},  {"|i1", 1, NPY_I8},  {"<i4", 4, NPY_I32},
                                 {"<i8", 8, NPY_I64}};

/* Images, tokens or labels. */
typedef struct npy_samples {
    npy_array array;
    const npy_type *type;
    size_t sample_bytes;
} npy_samples;

typedef struct npy {
    bool is_unlabelled; /* one array, at a path */
    npy_samples inputs[VDNN_INPUTS_MAX - 1];
    npy_samples labels; /* of several a sample; without a source there are none */
    int32_t *classes;   /* of samples; NULL: there are none */
    int64_t class_count, ignored;
    bool ignores;
} npy;

/* What an array holds: the name of its file where the network gives none, its rank, 0: any from 1
 * on, and its types, those from the first to the last that are in the table. */
typedef struct npy_form {
    const char *name;
    int rank;
    int first, last;
    const char *expected; /* the types, for messages */
} npy_form;

enum { FIRST_INTEGER = 2, FIRST_WIDE_INTEGER = 5, LAST = sizeof types / sizeof *types - 1 };

static const npy_form images_form = {"images", 4, 0, 0, "'<f4'"},
                      volumes_form = {"images", 5, 0, 0, "'<f4'"},
                      tokens_form = {"tokens", 2, FIRST_WIDE_INTEGER, LAST, "'<i4' or '<i8'"},
                      classes_form = {"labels", 0, FIRST_INTEGER, LAST, "integers, as '<i8'"},
                      targets_form = {"labels", 0, 0, LAST, "numbers, as '<f4'"};

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

/* NULL: another type is expected. */
static const npy_type *find_type(const npy_form *form, const char *descr)
{
    for (int i = form->first; i <= form->last; i++)
        if (strcmp(types[i].descr, descr) == 0)
            return &types[i];
    return NULL;
}

static vdnn_status check_header(const npy_form *form, const char *path,
                                const vdnn_npy_header *header)
{
    const bool has_rank = form->rank == 0 || header->dim_count == form->rank;
    if (find_type(form, header->descr) == NULL)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has elements of type '%s', expected %s", path,
                                header->descr, form->expected);
    if (header->fortran_order && header->dim_count > 1)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: is in Fortran order; save numpy.ascontiguousarray of it", path);
    if (!has_rank || header->dim_count < 1)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %d dimension%s, expected %s%d", path,
                                header->dim_count, header->dim_count == 1 ? "" : "s",
                                form->rank == 0 ? "at least " : "",
                                form->rank == 0 ? 1 : form->rank);
    return VDNN_OK;
}

/* Opens an array's file and checks type, order, rank and size; the array's source is closed by the
 * caller, also on failure. */
static vdnn_status open_file(const char *path, const npy_form *form, npy_samples *samples)
{
    npy_array *array = &samples->array;
    vdnn_status status = vdnn_source_open(path, &array->source);
    VDNN_IF_OK(status, read_header(array));
    VDNN_IF_OK(status, check_header(form, path, &array->header));
    if (status != VDNN_OK)
        return status;
    samples->type = find_type(form, array->header.descr);
    uint64_t whole;
    if (!whole_bytes(array, samples->type->bytes, &whole))
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: its shape is of more than 2^64 bytes", path);
    return vdnn_source_need(array->source, whole, true);
}

/* In a folder; `name` NULL: the form's. */
static vdnn_status open_array(const char *directory, const char *name, const npy_form *form,
                              npy_samples *samples)
{
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/%s.npy", directory, name == NULL ? form->name : name);
    if (length < 0 || (size_t)length >= sizeof path)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", directory);
    return open_file(path, form, samples);
}

/* ---- the set --------------------------------------------------------------------------------- */

/* Volumes have the size that the network reads: they are not resized. Their slices are bounded as
 * channels. */
static vdnn_status check_volumes(const npy_array *samples, const vdnn_dataset_input *wanted,
                                 uint64_t count, vdnn_dataset_row *row)
{
    const int64_t *dims = samples->header.dims;
    const char *path = vdnn_source_path(samples->source);
    if (dims[2] != wanted->depth || dims[3] != wanted->height || dims[4] != wanted->width)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "%s: has volumes of %lld x %lld x %lld, the network's input is %lld x %lld x %lld",
            path, (long long)dims[2], (long long)dims[3], (long long)dims[4],
            (long long)wanted->depth, (long long)wanted->height, (long long)wanted->width);
    row->stored = row->wanted;
    row->stored.channels = dims[1];
    const int64_t most = VDNN_PICTURE_MAX_SIDE;
    return vdnn_dataset_check(
        path, count,
        &(vdnn_picture_size){dims[1] > most ? dims[1] : dims[1] * dims[2], dims[3], dims[4]});
}

/* The first input says how many samples there are. */
static vdnn_status check_samples(const npy *set, const vdnn_dataset_input *wanted, int32_t input,
                                 vdnn_dataset *dataset)
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
    if (wanted->depth > 0)
        return check_volumes(samples, wanted, dataset->count, row);
    row->stored = (vdnn_picture_size){dims[1], are_tokens ? 1 : dims[2], are_tokens ? 1 : dims[3]};
    return vdnn_dataset_check(vdnn_source_path(samples->source), dataset->count, &row->stored);
}

static vdnn_status open_input(npy *set, const char *place, const vdnn_dataset_input *input,
                              int32_t number, vdnn_dataset *dataset)
{
    npy_samples *own = &set->inputs[number];
    const npy_form *form = input->tokens > 0  ? &tokens_form
                           : input->depth > 0 ? &volumes_form
                                              : &images_form;
    const bool has_name = input->name != NULL && strcmp(input->name, "input") != 0;
    vdnn_status status = set->is_unlabelled
                             ? open_file(place, form, own)
                             : open_array(place, has_name ? input->name : NULL, form, own);
    VDNN_IF_OK(status, check_samples(set, input, number, dataset));
    if (status != VDNN_OK)
        return status;
    const vdnn_picture_size *size = &dataset->inputs[number].stored;
    own->sample_bytes = (size_t)(size->channels * size->height * size->width) * own->type->bytes;
    return VDNN_OK;
}

/* Elements of the type as integers or as floats; `block` may hold what is converted to. */
static void to_integers(const npy_type *type, const void *block, size_t count, int64_t *to)
{
    for (size_t i = count; i-- > 0;) {
        const char *at = (const char *)block + i * type->bytes;
        int32_t narrow;
        if (type->kind == NPY_I64)
            memcpy(&to[i], at, sizeof to[i]);
        else if (type->kind == NPY_I32)
            to[i] = (memcpy(&narrow, at, sizeof narrow), narrow);
        else
            to[i] = type->kind == NPY_U8 ? *(const uint8_t *)at : *(const int8_t *)at;
    }
}

static void to_floats(const npy_type *type, const void *block, size_t count, float *to)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)block + i * type->bytes;
        int64_t whole;
        double real;
        if (type->kind == NPY_F32) {
            memcpy(&to[i], at, sizeof to[i]);
        } else if (type->kind == NPY_F64) {
            memcpy(&real, at, sizeof real);
            to[i] = (float)real;
        } else {
            to_integers(type, at, 1, &whole);
            to[i] = (float)whole;
        }
    }
}

static vdnn_status read_block(const npy_samples *set, uint64_t index, size_t first, size_t count,
                              void *block)
{
    const size_t bytes = set->type->bytes;
    return vdnn_source_read(set->array.source,
                            set->array.data + index * set->sample_bytes + first * bytes, block,
                            count * bytes);
}

static size_t block_from(size_t first, size_t count)
{
    return count - first < BLOCK ? count - first : BLOCK;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Those of a sample as floats, or as classes: a number that 32 bits do not have is none. */
static vdnn_status read_labels(const npy *set, const vdnn_dataset *dataset, uint64_t index,
                               void *labels)
{
    const npy_samples *own = &set->labels;
    const size_t all = (size_t)dataset->labels;
    const char *path = vdnn_source_path(own->array.source);
    const bool are_targets = vdnn_dataset_has_targets(dataset);
    int64_t block[BLOCK];
    for (size_t first = 0; first < all; first += BLOCK) {
        const size_t count = block_from(first, all);
        VDNN_TRY(read_block(own, index, first, count, block));
        if (are_targets) {
            to_floats(own->type, block, count, (float *)labels + first);
            continue;
        }
        int32_t *classes = (int32_t *)labels + first;
        int64_t wide[BLOCK];
        to_integers(own->type, block, count, wide);
        for (size_t i = 0; i < count; i++)
            classes[i] = wide[i] == (int32_t)wide[i] ? (int32_t)wide[i] : INT32_MIN;
    }
    return are_targets ? vdnn_dataset_check_targets(dataset, path, index, labels)
                       : vdnn_dataset_check_classes(dataset, path, index, labels, set->class_count,
                                                    set->ignores ? &set->ignored : NULL);
}

/* Whether the dimensions of a sample are those of the targets, without those of 1; of a vector, and
 * of classes: as many elements. */
static bool has_shape(const vdnn_npy_header *header, const vdnn_dataset *dataset)
{
    const bool is_free =
        !vdnn_dataset_has_targets(dataset) || dataset->targets.dims[VDNN_C] == dataset->labels;
    int64_t wanted[VDNN_VOLUME_RANK], count = 1;
    int at = 1, rank = vdnn_desc_list(&dataset->targets, wanted);
    for (int i = 1; i < header->dim_count; i++) {
        if (__builtin_mul_overflow(count, header->dims[i], &count))
            return false;
        if (is_free || header->dims[i] == 1)
            continue;
        while (at < rank && wanted[at] == 1)
            at++;
        if (at == rank || wanted[at++] != header->dims[i])
            return false;
    }
    return count == dataset->labels;
}

static void write_dims(const int64_t *dims, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i == 0 ? "" : " x ",
                                 (long long)dims[i]);
}

static vdnn_status check_shape(const npy_samples *labels, const vdnn_dataset *dataset)
{
    const char *path = vdnn_source_path(labels->array.source);
    const vdnn_npy_header *header = &labels->array.header;
    char found[128], expected[128];
    int64_t wanted[VDNN_VOLUME_RANK];
    const int rank = vdnn_desc_list(&dataset->targets, wanted);
    if ((uint64_t)header->dims[0] != dataset->count)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %lld labels, but there are %llu images",
                                path, (long long)header->dims[0],
                                (unsigned long long)dataset->count);
    if (has_shape(header, dataset))
        return VDNN_OK;
    write_dims(header->dims + 1, header->dim_count - 1, found, sizeof found);
    if (vdnn_dataset_has_targets(dataset))
        write_dims(wanted + 1, rank - 1, expected, sizeof expected);
    else
        (void)snprintf(expected, sizeof expected, "%lld", (long long)dataset->labels);
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %s labels a sample, but the network reads %s",
                            path, found[0] == '\0' ? "1" : found, expected);
}

/* All of them, one for each sample. */
static vdnn_status read_classes(npy *set, const vdnn_dataset *dataset)
{
    const npy_samples *own = &set->labels;
    const char *path = vdnn_source_path(own->array.source);
    int64_t wide[BLOCK];
    set->classes = vdnn_heap_calloc(dataset->count, sizeof *set->classes);
    if (set->classes == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu labels", path,
                                (unsigned long long)dataset->count);
    for (size_t first = 0; first < dataset->count; first += BLOCK) {
        const size_t count = block_from(first, (size_t)dataset->count);
        VDNN_TRY(read_block(own, 0, first, count, wide));
        to_integers(own->type, wide, count, wide);
        for (size_t i = 0; i < count; i++) {
            const bool is_class = wide[i] >= 0 && wide[i] < set->class_count;
            if (!is_class && (!set->ignores || wide[i] != set->ignored))
                return vdnn_status_fail(VDNN_BAD_INPUT,
                                        "%s: label %llu is %lld, but the network has %lld classes",
                                        path, (unsigned long long)(first + i), (long long)wide[i],
                                        (long long)set->class_count);
            set->classes[first + i] = (int32_t)wide[i];
        }
    }
    return VDNN_OK;
}

static vdnn_status open_labels(npy *set, const char *place, const vdnn_dataset_request *request,
                               const vdnn_dataset *dataset)
{
    const bool are_targets = vdnn_dataset_has_targets(dataset);
    npy_samples *own = &set->labels;
    set->class_count = request->classes;
    set->ignores = request->ignored != NULL;
    set->ignored = set->ignores ? *request->ignored : 0;
    VDNN_TRY(
        open_array(place, request->labels_name, are_targets ? &targets_form : &classes_form, own));
    VDNN_TRY(check_shape(own, dataset));
    own->sample_bytes = (size_t)dataset->labels * own->type->bytes;
    if (are_targets || dataset->labels > 1)
        return VDNN_OK;
    vdnn_status status = read_classes(set, dataset);
    vdnn_source_close(own->array.source);
    own->array.source = NULL;
    return status;
}

static void npy_close(void *state)
{
    npy *set = state;
    for (int32_t i = 0; i < VDNN_INPUTS_MAX - 1; i++)
        vdnn_source_close(set->inputs[i].array.source);
    vdnn_source_close(set->labels.array.source);
    vdnn_heap_free(set->classes);
    vdnn_heap_free(set);
}

static vdnn_status npy_open(const vdnn_dataset_request *request, const char *place,
                            vdnn_dataset *dataset)
{
    npy *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    vdnn_status status = VDNN_OK;
    set->is_unlabelled = request->is_unlabelled;
    for (int32_t i = 0; i < request->input_count && status == VDNN_OK; i++)
        status = open_input(set, place, &request->inputs[i], i, dataset);
    if (status == VDNN_OK && !set->is_unlabelled && request->label_input == 0)
        status = open_labels(set, place, request, dataset);
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
static vdnn_status read_some_tokens(const npy_samples *set, uint64_t index, size_t first,
                                    size_t count, int64_t vocabulary, int32_t *tokens)
{
    int64_t wide[BLOCK];
    vdnn_status status = read_block(set, index, first, count, wide);
    if (status == VDNN_OK)
        to_integers(set->type, wide, count, wide);
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        if (wide[i] < 0 || wide[i] >= vocabulary)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: token %zu of sample %llu is %lld, but the network's "
                                    "vocabulary has 0 to %lld",
                                    vdnn_source_path(set->array.source), first + i,
                                    (unsigned long long)index, (long long)wide[i],
                                    (long long)vocabulary - 1);
        tokens[i] = (int32_t)wide[i];
    }
    return status;
}

static vdnn_status read_tokens(const npy_samples *set, uint64_t index, int64_t vocabulary,
                               int32_t *tokens)
{
    vdnn_status status = VDNN_OK;
    const size_t count = set->sample_bytes / set->type->bytes;
    for (size_t first = 0; first < count && status == VDNN_OK; first += BLOCK)
        status = read_some_tokens(set, index, first, block_from(first, count), vocabulary,
                                  tokens + first);
    return status;
}

static vdnn_status npy_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                            void *const *inputs, void *labels)
{
    (void)scratch;
    const npy *set = dataset->state;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < dataset->input_count && status == VDNN_OK; i++) {
        const int64_t vocabulary = dataset->inputs[i].vocabulary;
        status = vocabulary > 0 ? read_tokens(&set->inputs[i], index, vocabulary, inputs[i])
                                : read_pixels(&set->inputs[i], index, inputs[i]);
    }
    if (status == VDNN_OK && labels != NULL && set->classes != NULL)
        *(int32_t *)labels = set->classes[index];
    else if (status == VDNN_OK && labels != NULL)
        status = read_labels(set, dataset, index, labels);
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
