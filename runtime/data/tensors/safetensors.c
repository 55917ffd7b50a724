#include "runtime/data/tensors/safetensors.h"

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/data/tensors/float_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are read as they are stored");

enum {
    LENGTH_BYTES = 8,
    HEADER_LIMIT = 100000000, /* the format's */
    MAX_DIMS = VDNN_SAFETENSORS_DIMS,
    MAX_NAME = 1000, /* bytes; messages quote it */
    SHAPE_TEXT = 192,
};

#define METADATA "__metadata__"
#define CLASSES "classes"
#define FLOAT_DTYPE "F32"
#define DOUBLE_DTYPE "F64"

static const struct {
    const char *name;
    uint64_t bytes;
} dtypes[] = {
    {DOUBLE_DTYPE, 8}, {"I64", 8}, {"U64", 8},  {FLOAT_DTYPE, 4}, {"I32", 4},
    {"U32", 4},        {"F16", 2}, {"BF16", 2}, {"I16", 2},       {"U16", 2},
    {"I8", 1},         {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1},   {"F8_E5M2", 1},
};

enum { DTYPE_COUNT = sizeof dtypes / sizeof *dtypes };

typedef struct stored_tensor {
    char *name;
    size_t dtype; /* index into dtypes */
    int64_t dims[MAX_DIMS];
    int dim_count;
    uint64_t begin, end; /* in the data */
} stored_tensor;

struct vdnn_safetensors {
    vdnn_source *source;
    uint64_t data;          /* where the data begins in the file */
    stored_tensor *tensors; /* by position in the data */
    const char **names;     /* by position in the data */
    const stored_tensor **by_name;
    int32_t count;
    char *classes; /* of the metadata; NULL: none */
};

static const char *shape_text(char *text, size_t size, const int64_t *dims, int count)
{
    int length = snprintf(text, size, "%s", count == 0 ? "scalar" : "");
    for (int i = 0; i < count && length >= 0 && (size_t)length < size; i++)
        length += snprintf(text + length, size - (size_t)length, "%s%lld", i > 0 ? " x " : "",
                           (long long)dims[i]);
    return text;
}

/* ---- the header ------------------------------------------------------------------------------ */

static vdnn_status parse_dtype(const vdnn_source *source, const char *name, const json_t *value,
                               size_t *dtype)
{
    const char *text = json_string_value(value), *names[DTYPE_COUNT];
    char hint[64];
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        names[i] = dtypes[i].name;
        if (text != NULL && strcmp(text, names[i]) == 0) {
            *dtype = i;
            return VDNN_OK;
        }
    }
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s: tensor %s has an unknown dtype %s%s", vdnn_source_path(source), name,
        text == NULL ? "(no string)" : text,
        text == NULL ? "" : vdnn_text_hint(hint, sizeof hint, text, names, DTYPE_COUNT));
}

static vdnn_status parse_shape(const vdnn_source *source, const json_t *value,
                               stored_tensor *tensor)
{
    const char *path = vdnn_source_path(source);
    if (!json_is_array(value) || json_array_size(value) > MAX_DIMS)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: the shape of tensor %s is not a list of at most %d numbers",
                                path, tensor->name, (int)MAX_DIMS);
    tensor->dim_count = (int)json_array_size(value);
    for (int i = 0; i < tensor->dim_count; i++) {
        const json_t *item = json_array_get(value, (size_t)i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: dimension %d of tensor %s is not a whole number from 0",
                                    path, i, tensor->name);
        tensor->dims[i] = json_integer_value(item);
    }
    return VDNN_OK;
}

static vdnn_status parse_offsets(const vdnn_source *source, const json_t *value,
                                 stored_tensor *tensor)
{
    const json_t *begin = json_array_get(value, 0), *end = json_array_get(value, 1);
    if (json_array_size(value) != 2 || !json_is_integer(begin) || !json_is_integer(end) ||
        json_integer_value(begin) < 0 || json_integer_value(end) < json_integer_value(begin))
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: data_offsets of tensor %s are not [begin, end] with begin <= end",
            vdnn_source_path(source), tensor->name);
    tensor->begin = (uint64_t)json_integer_value(begin);
    tensor->end = (uint64_t)json_integer_value(end);
    uint64_t bytes = dtypes[tensor->dtype].bytes;
    bool fits = true;
    for (int i = 0; i < tensor->dim_count; i++)
        fits &= !__builtin_mul_overflow(bytes, (uint64_t)tensor->dims[i], &bytes);
    char shape[SHAPE_TEXT];
    if (!fits || bytes != tensor->end - tensor->begin)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: tensor %s has %llu bytes, which is not what %s of shape %s "
                                "takes",
                                vdnn_source_path(source), tensor->name,
                                (unsigned long long)(tensor->end - tensor->begin),
                                dtypes[tensor->dtype].name,
                                shape_text(shape, sizeof shape, tensor->dims, tensor->dim_count));
    return VDNN_OK;
}

static vdnn_status parse_tensor(const vdnn_source *source, const char *name, const json_t *value,
                                stored_tensor *tensor)
{
    const char *path = vdnn_source_path(source);
    if (strlen(name) > MAX_NAME)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: a tensor's name has %zu bytes, expected at most %d, a limit "
                                "of vdnn",
                                path, strlen(name), (int)MAX_NAME);
    tensor->name = vdnn_heap_strdup(name);
    if (tensor->name == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header", path);
    const json_t *dtype = json_object_get(value, "dtype"), *shape = json_object_get(value, "shape"),
                 *offsets = json_object_get(value, "data_offsets");
    if (dtype == NULL || shape == NULL || offsets == NULL || json_object_size(value) != 3)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: tensor %s does not have just dtype, shape and data_offsets",
                                path, name);
    VDNN_TRY(parse_dtype(source, name, dtype, &tensor->dtype));
    VDNN_TRY(parse_shape(source, shape, tensor));
    return parse_offsets(source, offsets, tensor);
}

/* Other programs may write anything there. */
static vdnn_status take_classes(vdnn_safetensors *file, const json_t *metadata)
{
    const char *text = json_string_value(json_object_get(metadata, CLASSES));
    if (text == NULL)
        return VDNN_OK;
    file->classes = vdnn_heap_strdup(text);
    return file->classes != NULL ? VDNN_OK
                                 : vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header",
                                                    vdnn_source_path(file->source));
}

static vdnn_status parse_header(vdnn_safetensors *file, json_t *root)
{
    const char *key;
    json_t *value;
    size_t count = json_object_size(root);
    file->tensors = vdnn_heap_calloc(count, sizeof *file->tensors);
    file->names = vdnn_heap_calloc(count, sizeof *file->names);
    file->by_name = vdnn_heap_calloc(count, sizeof(stored_tensor *));
    if (file->tensors == NULL || file->names == NULL || file->by_name == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header",
                                vdnn_source_path(file->source));
    json_object_foreach(root, key, value)
    {
        if (strcmp(key, METADATA) == 0) {
            VDNN_TRY(take_classes(file, value));
            continue;
        }
        /* Counted first, so that close frees the name also if the tensor is invalid. */
        VDNN_TRY(parse_tensor(file->source, key, value, &file->tensors[file->count++]));
    }
    return VDNN_OK;
}

static int compare_tensors(const void *left, const void *right)
{
    const stored_tensor *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static int compare_names(const void *left, const void *right)
{
    const stored_tensor *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

/* The tensors must tile the data: neither overlap nor leave holes, and end where the file ends. */
static vdnn_status check_tiling(vdnn_safetensors *file)
{
    const char *path = vdnn_source_path(file->source);
    uint64_t covered = 0, whole;
    qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, compare_tensors);
    for (int32_t i = 0; i < file->count; i++) {
        const stored_tensor *tensor = &file->tensors[i];
        file->names[i] = tensor->name;
        if (tensor->begin < covered)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: tensors %s and %s overlap", path,
                                    file->tensors[i - 1].name, tensor->name);
        if (tensor->begin > covered)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: bytes %llu to %llu of the data belong to no tensor", path,
                                    (unsigned long long)covered, (unsigned long long)tensor->begin);
        covered = tensor->end;
        file->by_name[i] = tensor;
    }
    qsort(file->by_name, (size_t)file->count, sizeof(stored_tensor *), compare_names);
    if (__builtin_add_overflow(file->data, covered, &whole))
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: its tensors end beyond 2^64 bytes", path);
    return vdnn_source_need(file->source, whole, true);
}

/* Reads the JSON text; the caller frees it. */
static vdnn_status read_header(vdnn_safetensors *file, char **text, size_t *length)
{
    uint64_t size;
    const char *path = vdnn_source_path(file->source);
    vdnn_status status = vdnn_source_need(file->source, LENGTH_BYTES, false);
    VDNN_IF_OK(status, vdnn_source_read(file->source, 0, &size, sizeof size));
    if (status != VDNN_OK)
        return status;
    if (size > HEADER_LIMIT)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "%s: is not a safetensors file (a header of %llu bytes; the format allows %d)", path,
            (unsigned long long)size, (int)HEADER_LIMIT);
    VDNN_TRY(vdnn_source_need(file->source, LENGTH_BYTES + size, false));
    char *fresh = vdnn_heap_calloc(size + 1, 1);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header", path);
    status = vdnn_source_read(file->source, LENGTH_BYTES, fresh, size);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    file->data = LENGTH_BYTES + size;
    *text = fresh;
    *length = size;
    return VDNN_OK;
}

static vdnn_status load_header(vdnn_safetensors *file)
{
    char *text = NULL;
    size_t length = 0;
    json_t *root = NULL;
    const char *path = vdnn_source_path(file->source);
    VDNN_TRY(read_header(file, &text, &length));
    vdnn_status status = vdnn_json_parse(text, length, path, &root);
    if (status == VDNN_OK && !json_is_object(root))
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: the header is not a JSON object", path);
    VDNN_IF_OK(status, parse_header(file, root));
    json_decref(root);
    vdnn_heap_free(text);
    return status == VDNN_OK ? check_tiling(file) : status;
}

/* ---- reading --------------------------------------------------------------------------------- */

vdnn_status vdnn_safetensors_open(const char *path, vdnn_safetensors **file)
{
    vdnn_safetensors *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    vdnn_status status = vdnn_source_open(path, &fresh->source);
    VDNN_IF_OK(status, load_header(fresh));
    if (status != VDNN_OK) {
        vdnn_safetensors_close(fresh);
        return status;
    }
    *file = fresh;
    return VDNN_OK;
}

void vdnn_safetensors_close(vdnn_safetensors *file)
{
    if (file == NULL)
        return;
    for (int32_t i = 0; i < file->count; i++)
        vdnn_heap_free(file->tensors[i].name);
    vdnn_heap_free(file->tensors);
    vdnn_heap_free(file->names);
    vdnn_heap_free(file->by_name);
    vdnn_heap_free(file->classes);
    vdnn_source_close(file->source);
    vdnn_heap_free(file);
}

const char *vdnn_safetensors_classes(const vdnn_safetensors *file)
{
    return file->classes;
}

static int compare_to_name(const void *name, const void *element)
{
    const stored_tensor *const *tensor = element;
    return strcmp(name, (*tensor)->name);
}

static vdnn_status find_tensor(const vdnn_safetensors *file, const char *name,
                               const stored_tensor **found)
{
    char hint[256];
    const stored_tensor *const *at =
        bsearch(name, file->by_name, (size_t)file->count, sizeof(stored_tensor *), compare_to_name);
    if (at != NULL) {
        *found = *at;
        return VDNN_OK;
    }
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s: has no tensor %s%s", vdnn_source_path(file->source), name,
        vdnn_text_hint(hint, sizeof hint, name, file->names, (size_t)file->count));
}

static bool same_shape(const stored_tensor *tensor, const int64_t *dims, int dim_count)
{
    for (int i = 0; i < dim_count && i < tensor->dim_count; i++)
        if (tensor->dims[i] != dims[i])
            return false;
    return tensor->dim_count == dim_count;
}

static vdnn_status check_dtype(const vdnn_safetensors *file, const char *dtype,
                               const stored_tensor *tensor)
{
    if (strcmp(dtypes[tensor->dtype].name, dtype) == 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: tensor %s is of dtype %s, expected %s",
                            vdnn_source_path(file->source), tensor->name,
                            dtypes[tensor->dtype].name, dtype);
}

static vdnn_status check_shape(const vdnn_safetensors *file, const int64_t *dims, int dim_count,
                               const stored_tensor *tensor)
{
    char found[SHAPE_TEXT], wanted[SHAPE_TEXT];
    if (same_shape(tensor, dims, dim_count))
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: tensor %s is of shape %s, expected %s",
                            vdnn_source_path(file->source), tensor->name,
                            shape_text(found, sizeof found, tensor->dims, tensor->dim_count),
                            shape_text(wanted, sizeof wanted, dims, dim_count));
}

static vdnn_status read_whole(const vdnn_safetensors *file, const char *dtype, const char *name,
                              const int64_t *dims, int dim_count, void *values)
{
    const stored_tensor *tensor = NULL;
    VDNN_TRY(find_tensor(file, name, &tensor));
    VDNN_TRY(check_dtype(file, dtype, tensor));
    VDNN_TRY(check_shape(file, dims, dim_count, tensor));
    return vdnn_source_read(file->source, file->data + tensor->begin, values,
                            tensor->end - tensor->begin);
}

vdnn_status vdnn_safetensors_read(const vdnn_safetensors *file, const char *name,
                                  const int64_t *dims, int dim_count, float *floats)
{
    return read_whole(file, FLOAT_DTYPE, name, dims, dim_count, floats);
}

vdnn_status vdnn_safetensors_read_doubles(const vdnn_safetensors *file, const char *name,
                                          const int64_t *dims, int dim_count, double *doubles)
{
    return read_whole(file, DOUBLE_DTYPE, name, dims, dim_count, doubles);
}

vdnn_status vdnn_safetensors_read_part(const vdnn_safetensors *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats)
{
    const stored_tensor *tensor = NULL;
    VDNN_TRY(find_tensor(file, name, &tensor));
    const vdnn_float_type *type = vdnn_float_type_find(dtypes[tensor->dtype].name);
    VDNN_TRY(check_dtype(file, type == NULL ? "floats" : dtypes[tensor->dtype].name, tensor));
    VDNN_TRY(check_shape(file, dims, dim_count, tensor));
    VDNN_INVARIANT(tensor->begin + (uint64_t)(first + count) * vdnn_float_type_bytes(type), <=,
                   tensor->end);
    return vdnn_float_type_read(type, file->source, file->data + tensor->begin, first, count,
                                floats);
}

int32_t vdnn_safetensors_count(const vdnn_safetensors *file)
{
    return file->count;
}

const char *vdnn_safetensors_name(const vdnn_safetensors *file, int32_t i)
{
    return file->names[i];
}

const int64_t *vdnn_safetensors_dims(const vdnn_safetensors *file, int32_t i, int *dim_count)
{
    *dim_count = file->tensors[i].dim_count;
    return file->tensors[i].dims;
}

/* ---- writing --------------------------------------------------------------------------------- */

static size_t entry_bytes(const vdnn_safetensors_entry *entry)
{
    size_t bytes = entry->is_double ? sizeof(double) : sizeof(float);
    for (int i = 0; i < entry->dim_count; i++)
        bytes *= (size_t)entry->dims[i];
    return bytes;
}

/* One tensor's part of the header; NULL if there is no memory or the name is not UTF-8. */
static json_t *describe(const vdnn_safetensors_entry *entry, uint64_t begin)
{
    uint64_t end = begin + entry_bytes(entry);
    json_t *shape = json_array();
    for (int i = 0; i < entry->dim_count; i++)
        if (json_array_append_new(shape, json_integer(entry->dims[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", entry->is_double ? DOUBLE_DTYPE : FLOAT_DTYPE,
                     "shape", shape, "data_offsets", (json_int_t)begin, (json_int_t)end);
}

struct vdnn_safetensors_writer {
    vdnn_output *output;
    uint64_t missing_bytes; /* of the data */
};

static vdnn_status build_header(const char *path, const vdnn_safetensors_entry *entries,
                                int32_t count, const char *classes, json_t **header,
                                uint64_t *data_bytes)
{
    uint64_t begin = 0;
    json_t *root = json_pack("{s:{s:s, s:s*}}", METADATA, "format", "pt", CLASSES, classes);
    for (int32_t i = 0; i < count; i++) {
        if (json_object_get(root, entries[i].name) != NULL) {
            json_decref(root);
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: two tensors are called %s", path,
                                    entries[i].name);
        }
        if (json_object_set_new(root, entries[i].name, describe(&entries[i], begin)) != 0) {
            json_decref(root);
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: no memory for the header, or \"%s\" is not UTF-8", path,
                                    entries[i].name);
        }
        begin += entry_bytes(&entries[i]);
    }
    *header = root;
    *data_bytes = begin;
    return VDNN_OK;
}

/* The length and the JSON text, padded with spaces so that the data begins at a multiple of 8. */
static vdnn_status write_header(vdnn_output *output, const json_t *header)
{
    size_t length = json_dumpb(header, NULL, 0, JSON_COMPACT);
    uint64_t padded = (length + 7) / 8 * 8;
    char *text = length == 0 ? NULL : vdnn_heap_calloc(padded, 1);
    if (text == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its header",
                                vdnn_output_path(output));
    (void)json_dumpb(header, text, length, JSON_COMPACT);
    memset(text + length, ' ', padded - length);
    vdnn_status status = vdnn_output_write(output, &padded, sizeof padded);
    VDNN_IF_OK(status, vdnn_output_write(output, text, padded));
    vdnn_heap_free(text);
    return status;
}

vdnn_status vdnn_safetensors_writer_create(const char *path, const vdnn_safetensors_entry *entries,
                                           int32_t count, const char *classes,
                                           vdnn_safetensors_writer **writer)
{
    json_t *header = NULL;
    vdnn_safetensors_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    vdnn_status status =
        build_header(path, entries, count, classes, &header, &fresh->missing_bytes);
    VDNN_IF_OK(status, vdnn_output_create(path, &fresh->output));
    VDNN_IF_OK(status, write_header(fresh->output, header));
    json_decref(header);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_safetensors_writer_abandon(fresh);
    return status;
}

vdnn_status vdnn_safetensors_writer_put(vdnn_safetensors_writer *writer, const void *bytes,
                                        size_t count)
{
    VDNN_INVARIANT(count, <=, writer->missing_bytes);
    vdnn_status status = vdnn_output_write(writer->output, bytes, count);
    if (status == VDNN_OK)
        writer->missing_bytes -= count;
    return status;
}

vdnn_status vdnn_safetensors_writer_commit(vdnn_safetensors_writer *writer, vdnn_digest *digest)
{
    VDNN_INVARIANT(writer->missing_bytes, ==, 0);
    vdnn_digest whole = vdnn_output_digest(writer->output);
    vdnn_status status = vdnn_output_commit(writer->output);
    vdnn_heap_free(writer);
    if (status == VDNN_OK && digest != NULL)
        *digest = whole;
    return status;
}

void vdnn_safetensors_writer_abandon(vdnn_safetensors_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_output_abandon(writer->output);
    vdnn_heap_free(writer);
}

vdnn_status vdnn_safetensors_write(const char *path, const vdnn_safetensors_entry *entries,
                                   int32_t count)
{
    vdnn_safetensors_writer *writer = NULL;
    vdnn_status status = vdnn_safetensors_writer_create(path, entries, count, NULL, &writer);
    for (int32_t i = 0; i < count && status == VDNN_OK; i++)
        status = vdnn_safetensors_writer_put(writer, entries[i].floats, entry_bytes(&entries[i]));
    if (status == VDNN_OK)
        return vdnn_safetensors_writer_commit(writer, NULL);
    vdnn_safetensors_writer_abandon(writer);
    return status;
}
