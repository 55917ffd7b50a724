/* Tensors of the file, and of files next to it, as parameters. */

#include "models/onnx/network.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "integers are read as they are stored");

/* Values of a transposed weight that are put in order at a time. */
enum { PANEL_FLOATS = 4 << 20 };

vdnn_status vdnn_onnx_tensor_count(const vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                   int64_t *count)
{
    int64_t all = 1;
    for (size_t i = 0; i < tensor->dims.count; i++) {
        const int64_t dim = tensor->dims.items[i];
        if (dim < 0 || __builtin_mul_overflow(all, dim, &all) || all > INT64_MAX / 8)
            return vdnn_onnx_refuse(
                net, "tensor '%.200s': dimension %zu is %" PRId64 ", which no tensor in a file has",
                tensor->name, i + 1, dim);
    }
    if (tensor->dims.count > VDNN_ONNX_MOST_DIMS)
        return vdnn_onnx_refuse(net, "tensor '%.200s' has %zu dimensions, expected at most %d",
                                tensor->name, tensor->dims.count, VDNN_ONNX_MOST_DIMS);
    *count = all;
    return VDNN_OK;
}

/* ---- external data --------------------------------------------------------------------------- */

static vdnn_status refuse_location(const vdnn_onnx *net, const char *location, const char *why)
{
    return vdnn_onnx_refuse(net,
                            "external data is in '%.200s', which %s: expected a file in the "
                            "folder of the network",
                            location, why);
}

/* Its parts are names, none of which leads out of the folder or is a link. */
static vdnn_status check_location(const vdnn_onnx *net, const char *location, const char *folder)
{
    vdnn_text path = {0};
    vdnn_status status = VDNN_OK;
    if (location[0] == '/' || location[0] == '\0')
        return refuse_location(net, location, "is no relative path");
    vdnn_text_add(&path, "%s", folder);
    for (const char *part = location; status == VDNN_OK && part != NULL;) {
        const size_t length = strcspn(part, "/");
        struct stat info;
        vdnn_text_add(&path, "%.*s", (int)length, part);
        if ((length == 2 && strncmp(part, "..", 2) == 0) || strchr(part, '\\') != NULL)
            status = refuse_location(net, location, "leads out of the folder");
        else if (path.failed)
            status = vdnn_onnx_no_memory(net);
        else if (vdnn_system_lstat(path.data, &info) == 0 && S_ISLNK(info.st_mode))
            status = refuse_location(net, location, "is, or is below, a symbolic link");
        vdnn_text_add(&path, "/");
        part = part[length] == '\0' ? NULL : part + length + 1;
    }
    vdnn_text_fini(&path);
    return status;
}

static vdnn_status open_file(vdnn_onnx *net, const char *location, const vdnn_source **source)
{
    for (size_t i = 0; i < net->files.count; i++)
        if (strcmp(net->files.items[i].location, location) == 0) {
            *source = net->files.items[i].source;
            return VDNN_OK;
        }
    const char *own = vdnn_source_path(net->source), *slash = strrchr(own, '/');
    vdnn_text folder = {0}, path = {0};
    if (slash != NULL)
        vdnn_text_add(&folder, "%.*s", (int)(slash + 1 - own), own);
    else
        vdnn_text_add(&folder, "%s", "");
    vdnn_text_add(&path, "%s%s", folder.failed ? "" : folder.data, location);
    vdnn_onnx_file *files = vdnn_hoard_grow(&net->hoard, net->files.items, net->files.count,
                                            sizeof *files, &net->files.capacity);
    vdnn_status status = folder.failed || path.failed || files == NULL
                             ? vdnn_onnx_no_memory(net)
                             : check_location(net, location, folder.data);
    vdnn_source *fresh = NULL;
    VDNN_IF_OK(status, vdnn_source_open(path.data, &fresh));
    if (status == VDNN_FILE) {
        char why[512];
        (void)snprintf(why, sizeof why, "%s", vdnn_status_message());
        status = vdnn_onnx_refuse(net, "external data cannot be read: %s", why);
    }
    if (status == VDNN_OK) {
        net->files.items = files;
        files[net->files.count++] = (vdnn_onnx_file){location, fresh};
        *source = fresh;
    }
    vdnn_text_fini(&folder);
    vdnn_text_fini(&path);
    return status;
}

static vdnn_status read_number(const vdnn_onnx *net, const vdnn_onnx_entry *entry, uint64_t *number)
{
    int64_t value = -1;
    if (vdnn_text_parse_integer(entry->value, &value) != VDNN_OK || value < 0)
        return vdnn_onnx_refuse(net, "external data has the %s '%.100s', expected a number from 0",
                                entry->key, entry->value);
    *number = (uint64_t)value;
    return VDNN_OK;
}

static vdnn_status find_external(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, uint64_t bytes,
                                 const vdnn_source **source, uint64_t *begin)
{
    const char *location = "";
    uint64_t offset = 0, length = bytes;
    for (size_t i = 0; i < tensor->external.count; i++) {
        const vdnn_onnx_entry *entry = &tensor->external.items[i];
        if (strcmp(entry->key, "location") == 0)
            location = entry->value;
        else if (strcmp(entry->key, "offset") == 0)
            VDNN_TRY(read_number(net, entry, &offset));
        else if (strcmp(entry->key, "length") == 0)
            VDNN_TRY(read_number(net, entry, &length));
    }
    VDNN_TRY(open_file(net, location, source));
    const uint64_t has = vdnn_source_bytes(*source);
    if (vdnn_source_is_packed(*source))
        return vdnn_onnx_refuse(net, "external data '%.200s' is compressed", location);
    if (length != bytes || offset > has || bytes > has - offset)
        return vdnn_onnx_refuse(net,
                                "tensor '%.200s' takes %" PRIu64 " bytes, but its external data "
                                "are %" PRIu64 " bytes from byte %" PRIu64 " on of '%.200s', which "
                                "has %" PRIu64,
                                tensor->name, bytes, length, offset, location, has);
    *begin = offset;
    return VDNN_OK;
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* Types of numbers that weights may have; they are read as float32. */
static const vdnn_float_type *find_type(int64_t type)
{
    static const struct {
        int64_t type;
        const char *name;
    } types[] = {{VDNN_ONNX_FLOAT, "F32"},
                 {VDNN_ONNX_FLOAT16, "F16"},
                 {VDNN_ONNX_DOUBLE, "F64"},
                 {VDNN_ONNX_BFLOAT16, "BF16"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return vdnn_float_type_find(types[i].name);
    return NULL;
}

bool vdnn_onnx_is_float(int64_t type)
{
    return find_type(type) != NULL;
}

static vdnn_status read_floats(const vdnn_onnx_place *place, int64_t first, int64_t count,
                               float *floats)
{
    if (place->numbers == NULL)
        return vdnn_float_type_read(place->type, place->source, place->begin, first, count, floats);
    for (int64_t i = 0; i < count; i++)
        floats[i] = (float)place->numbers[first + i];
    return VDNN_OK;
}

/* Where the values of a tensor are, after everything about them was checked. */
static vdnn_status find_values(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                               vdnn_onnx_place *place)
{
    int64_t count = 0;
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, &count));
    place->type = find_type(tensor->type);
    place->numbers = tensor->numbers;
    if (place->numbers != NULL)
        return VDNN_OK;
    if (place->type == NULL)
        return vdnn_onnx_refuse(net,
                                "tensor '%.200s' has the data type %lld, expected floats: 1, 10, "
                                "11 or 16",
                                tensor->name, (long long)tensor->type);
    const uint64_t bytes = (uint64_t)count * vdnn_float_type_bytes(place->type);
    if (tensor->location == 1)
        return find_external(net, tensor, bytes, &place->source, &place->begin);
    const vdnn_onnx_data *data =
        tensor->type == VDNN_ONNX_DOUBLE ? &tensor->doubles : &tensor->floats;
    if (tensor->raw.pieces > 0)
        data = &tensor->raw;
    else if (tensor->int32s.pieces > 0)
        return vdnn_onnx_refuse(
            net, "the data of tensor '%.200s' are in int32_data, expected raw_data", tensor->name);
    if (data->pieces > 1)
        return vdnn_onnx_refuse(net,
                                "the data of tensor '%.200s' are in several pieces, expected "
                                "one",
                                tensor->name);
    const uint64_t has = data->pieces == 0 ? 0 : data->span.end - data->span.begin;
    if (has != bytes)
        return vdnn_onnx_refuse(net,
                                "tensor '%.200s' takes %" PRIu64 " bytes, but its data are "
                                "%" PRIu64,
                                tensor->name, bytes, has);
    place->source = net->source;
    place->begin = data->span.begin;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_tensor_floats(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, float *floats,
                                    int64_t most, int64_t *count)
{
    vdnn_onnx_place place = {0};
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, count));
    if (*count > most)
        return vdnn_onnx_refuse(net, "tensor '%.200s' has %lld numbers, expected at most %lld",
                                tensor->name, (long long)*count, (long long)most);
    VDNN_TRY(find_values(net, tensor, &place));
    return read_floats(&place, 0, *count, floats);
}

/* ---- integers -------------------------------------------------------------------------------- */

/* From the file's raw bytes, of 4 or 8 each. */
static vdnn_status read_raw(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, int64_t *integers,
                            size_t count)
{
    const bool is_wide = tensor->type == VDNN_ONNX_INT64;
    const size_t bytes = count * (is_wide ? sizeof(int64_t) : sizeof(int32_t));
    int32_t narrow[VDNN_ONNX_MOST_INTEGERS];
    if (tensor->raw.pieces != 1 || tensor->raw.span.end - tensor->raw.span.begin != bytes)
        return vdnn_onnx_refuse(net, "tensor '%.200s' takes %zu bytes, but has others",
                                tensor->name, bytes);
    VDNN_TRY(vdnn_source_read(net->source, tensor->raw.span.begin,
                              is_wide ? (void *)integers : (void *)narrow, bytes));
    for (size_t i = 0; i < count && !is_wide; i++)
        integers[i] = narrow[i];
    return VDNN_OK;
}

/* Floats that are whole numbers, as the scales of a Resize. */
static vdnn_status read_whole(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                              const int64_t **integers, size_t *count)
{
    float floats[VDNN_ONNX_MOST_INTEGERS];
    int64_t all = 0;
    int64_t *read = vdnn_hoard_take(&net->hoard, VDNN_ONNX_MOST_INTEGERS, sizeof *read);
    if (read == NULL)
        return vdnn_onnx_no_memory(net);
    VDNN_TRY(vdnn_onnx_tensor_floats(net, tensor, floats, VDNN_ONNX_MOST_INTEGERS, &all));
    for (int64_t i = 0; i < all; i++) {
        const bool is_whole = floats[i] >= 0 && floats[i] <= 1e6F && floorf(floats[i]) >= floats[i];
        if (!is_whole)
            return vdnn_onnx_refuse(net,
                                    "tensor '%.200s' has the number %g, expected a whole one from "
                                    "0 to a million",
                                    tensor->name, (double)floats[i]);
        read[i] = (int64_t)floats[i];
    }
    *integers = read;
    *count = (size_t)all;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_tensor_integers(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                      const int64_t **integers, size_t *count)
{
    if (vdnn_onnx_is_float(tensor->type))
        return read_whole(net, tensor, integers, count);
    const bool is_wide = tensor->type == VDNN_ONNX_INT64;
    int64_t all = 0;
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, &all));
    if ((!is_wide && tensor->type != VDNN_ONNX_INT32) || all > VDNN_ONNX_MOST_INTEGERS ||
        tensor->location == 1)
        return vdnn_onnx_refuse(net,
                                "tensor '%.200s' has %" PRId64 " numbers of the data type "
                                "%lld, expected at most %d integers, in the file",
                                tensor->name, all, (long long)tensor->type,
                                VDNN_ONNX_MOST_INTEGERS);
    int64_t *read = vdnn_hoard_take(&net->hoard, VDNN_ONNX_MOST_INTEGERS, sizeof *read);
    const vdnn_onnx_data *data = is_wide ? &tensor->int64s : &tensor->int32s;
    if (read == NULL)
        return vdnn_onnx_no_memory(net);
    if (tensor->raw.pieces > 0 || all == 0)
        VDNN_TRY(all == 0 ? VDNN_OK : read_raw(net, tensor, read, (size_t)all));
    else if (data->pieces != 1)
        return vdnn_onnx_refuse(net,
                                "the data of tensor '%.200s' are missing, or in several "
                                "pieces",
                                tensor->name);
    else
        VDNN_TRY(vdnn_onnx_proto_integers(net->source, data, read, (size_t)all));
    *integers = read;
    *count = (size_t)all;
    return VDNN_OK;
}

/* Of floats and of any integers, some at a time. */
vdnn_status vdnn_onnx_tensor_numbers(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                     double *numbers, int64_t count)
{
    enum { SOME = 1024 };
    static const struct {
        int64_t type;
        size_t bytes;
    } sizes[] = {{VDNN_ONNX_INT64, 8}, {VDNN_ONNX_INT32, 4}, {VDNN_ONNX_BOOL, 1}};
    vdnn_onnx_place place = {0};
    const int64_t *few = NULL;
    size_t bytes = 0, few_count = 0;
    int64_t has = 0;
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, &has));
    if (has != count)
        return vdnn_onnx_refuse(net, "tensor '%.200s' has %" PRId64 " numbers, expected %" PRId64,
                                tensor->name, has, count);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].type == tensor->type && tensor->location != 1 && tensor->raw.pieces == 1)
            bytes = sizes[i].bytes;
    if (bytes > 0 && tensor->raw.span.end - tensor->raw.span.begin != (uint64_t)count * bytes)
        return vdnn_onnx_refuse(net, "tensor '%.200s' takes %" PRIu64 " bytes, but has others",
                                tensor->name, (uint64_t)count * bytes);
    if (vdnn_onnx_is_float(tensor->type))
        VDNN_TRY(find_values(net, tensor, &place));
    else if (bytes == 0)
        VDNN_TRY(vdnn_onnx_tensor_integers(net, tensor, &few, &few_count));
    for (int64_t i = 0; i < count; i += SOME) {
        const int64_t some = count - i < SOME ? count - i : SOME;
        float floats[SOME];
        int64_t wide[SOME];
        if (place.type != NULL)
            VDNN_TRY(read_floats(&place, i, some, floats));
        else if (bytes > 0)
            VDNN_TRY(vdnn_source_read(net->source, tensor->raw.span.begin + (uint64_t)i * bytes,
                                      wide, (uint64_t)some * bytes));
        for (int64_t k = 0; k < some; k++)
            numbers[i + k] = place.type != NULL ? (double)floats[k]
                             : bytes == 8       ? (double)wide[k]
                             : bytes == 4       ? (double)((const int32_t *)(const void *)wide)[k]
                             : bytes == 1       ? (double)((const uint8_t *)(const void *)wide)[k]
                             : few == NULL      ? 0
                                                : (double)few[i + k];
    }
    return VDNN_OK;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Tensors of one element and those with leading dimensions of 1 are taken as they are meant. */
static vdnn_status check_shape(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                               const vdnn_onnx_weight *weight)
{
    int64_t count = 0;
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, &count));
    if (weight->has_gates && count / weight->count > weight->first_row / weight->dims[0])
        return VDNN_OK; /* of several directions, or with the other bias */
    if (count == (weight->is_one ? 1 : weight->count))
        return VDNN_OK;
    return vdnn_onnx_refuse(net, "tensor '%.200s' has %" PRId64 " elements, expected %" PRId64,
                            tensor->name, count, weight->count);
}

/* Exporters store equal tensors once: which of them were one in training is not known. */
static vdnn_status note_shared(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, const char *layer,
                               bool has_gates)
{
    bool is_first;
    if (tensor->name[0] == '\0' || has_gates)
        return VDNN_OK;
    VDNN_TRY(vdnn_names_add(&net->shared, tensor->name, net->index, &is_first));
    if (is_first)
        return VDNN_OK;
    if (net->shared_count++ == 0)
        net->first_shared = layer;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_add_weight(vdnn_onnx *net, const char *layer, const char *param,
                                 const vdnn_onnx_tensor *tensor, const vdnn_onnx_weight *like)
{
    vdnn_onnx_weight weight = *like;
    const size_t bytes = strlen(layer) + strlen(param) + 2;
    char *name = vdnn_hoard_take(&net->hoard, bytes, 1);
    vdnn_onnx_weight *weights = vdnn_hoard_grow(&net->hoard, net->weights.items, net->weights.count,
                                                sizeof *weights, &net->weights.capacity);
    if (name == NULL || weights == NULL)
        return vdnn_onnx_no_memory(net);
    net->weights.items = weights;
    (void)snprintf(name, bytes, "%s.%s", layer, param);
    weight.name = name;
    weight.count = 1;
    for (int d = 0; d < weight.dim_count; d++)
        if (weight.dims[d] < 1 ||
            __builtin_mul_overflow(weight.count, weight.dims[d], &weight.count))
            return vdnn_onnx_refuse(net,
                                    "tensor '%.200s' has a dimension of 0, or is larger than "
                                    "any memory",
                                    tensor->name);
    VDNN_TRY(check_shape(net, tensor, &weight));
    VDNN_TRY(find_values(net, tensor, &weight.place));
    VDNN_TRY(note_shared(net, tensor, layer, weight.has_gates));
    weights[net->weights.count++] = weight;
    return VDNN_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

int32_t vdnn_onnx_count(const vdnn_onnx *net)
{
    return (int32_t)net->weights.count;
}

const char *vdnn_onnx_name(const vdnn_onnx *net, int32_t i)
{
    return net->weights.items[i].name;
}

/* Rows of a transposed weight from `row` on, as many as a panel has: columns in the file. */
static vdnn_status fill_panel(vdnn_onnx *net, const vdnn_onnx_weight *weight, int64_t row)
{
    const int64_t out = weight->dims[0], in = weight->dims[1];
    const int64_t most = PANEL_FLOATS / in < 1 ? 1 : PANEL_FLOATS / in;
    const int64_t rows = out - row < most ? out - row : most;
    vdnn_onnx_panel *panel = &net->panel;
    vdnn_status status = VDNN_OK;
    panel->weight = NULL;
    float *values = vdnn_heap_realloc(panel->values, (size_t)(rows * in), sizeof *values);
    if (values == NULL)
        return vdnn_onnx_no_memory(net);
    panel->values = values;
    float *column = vdnn_heap_calloc((size_t)rows, sizeof *column);
    if (column == NULL)
        return vdnn_onnx_no_memory(net);
    for (int64_t i = 0; i < in && status == VDNN_OK; i++) {
        status = read_floats(&weight->place, i * out + row, rows, column);
        for (int64_t r = 0; r < rows; r++)
            values[r * in + i] = column[r];
    }
    vdnn_heap_free(column);
    if (status == VDNN_OK)
        *panel = (vdnn_onnx_panel){weight, row, rows, values};
    return status;
}

static vdnn_status read_transposed(vdnn_onnx *net, const vdnn_onnx_weight *weight, int64_t first,
                                   int64_t count, float *floats)
{
    const int64_t in = weight->dims[1];
    const vdnn_onnx_panel *panel = &net->panel;
    for (int64_t row = first / in; row < (first + count) / in; row++) {
        if (panel->weight != weight || row < panel->first_row ||
            row >= panel->first_row + panel->rows)
            VDNN_TRY(fill_panel(net, weight, row));
        memcpy(floats, panel->values + (row - panel->first_row) * in, (size_t)in * sizeof *floats);
        floats += in;
    }
    return VDNN_OK;
}

/* Rows of i, f, g and o, which ONNX has as i, o, f and g. */
static vdnn_status read_gates(const vdnn_onnx_weight *weight, int64_t first, int64_t count,
                              float *floats)
{
    enum { GATES = 4 };
    static const int64_t order[GATES] = {0, 2, 3, 1};
    const int64_t row = weight->count / weight->dims[0], cells = weight->dims[0] / GATES;
    for (int64_t i = first; i < first + count; i += row) {
        const int64_t r = i / row, at = order[r / cells] * cells + r % cells;
        VDNN_TRY(
            read_floats(&weight->place, (weight->first_row + at) * row, row, floats + (i - first)));
    }
    return VDNN_OK;
}

static vdnn_status read_values(vdnn_onnx *net, const vdnn_onnx_weight *weight, int64_t first,
                               int64_t count, float *floats)
{
    if (weight->has_gates)
        return read_gates(weight, first, count, floats);
    if (weight->is_transposed)
        return read_transposed(net, weight, first, count, floats);
    if (!weight->is_one)
        return read_floats(&weight->place, first, count, floats);
    VDNN_TRY(read_floats(&weight->place, 0, 1, floats));
    for (int64_t i = 1; i < count; i++)
        floats[i] = floats[0];
    return VDNN_OK;
}

/* Whether both have the same numbers; the first row that differs ends it. */
static vdnn_status compare(vdnn_onnx *net, const vdnn_onnx_weight *a, const vdnn_onnx_weight *b,
                           bool *are_equal)
{
    const int64_t rows = a->dims[0], row = a->dims[1];
    float *values = vdnn_heap_calloc((size_t)row, 2 * sizeof *values);
    vdnn_status status = values == NULL ? vdnn_onnx_no_memory(net) : VDNN_OK;
    *are_equal = true;
    for (int64_t r = 0; r < rows && status == VDNN_OK && *are_equal; r++) {
        status = read_values(net, a, r * row, row, values);
        VDNN_IF_OK(status, read_values(net, b, r * row, row, values + row));
        *are_equal = memcmp(values, values + row, (size_t)row * sizeof *values) == 0;
    }
    net->panel.weight = NULL;
    vdnn_heap_free(values);
    return status;
}

vdnn_status vdnn_onnx_find_table(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                 const vdnn_onnx_weight *like, const char **name)
{
    vdnn_onnx_weight weight = *like;
    bool are_equal = false;
    *name = NULL;
    weight.count = weight.dims[0] * weight.dims[1];
    for (size_t i = 0; i < net->weights.count && !are_equal; i++) {
        const vdnn_onnx_weight *table = &net->weights.items[i];
        if (!table->is_table || memcmp(table->dims, like->dims, 2 * sizeof *like->dims) != 0)
            continue;
        VDNN_TRY(check_shape(net, tensor, &weight));
        VDNN_TRY(find_values(net, tensor, &weight.place));
        VDNN_TRY(compare(net, table, &weight, &are_equal));
        *name = are_equal ? table->name : NULL;
    }
    return VDNN_OK;
}

vdnn_status vdnn_onnx_read_part(vdnn_onnx *net, const char *name, const int64_t *dims,
                                int dim_count, int64_t first, int64_t count, float *floats)
{
    const vdnn_onnx_weight *weight = net->weights.items,
                           *end = net->weights.items + net->weights.count;
    while (weight < end && strcmp(weight->name, name) != 0)
        weight++;
    if (weight == end)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no tensor for '%s'",
                                vdnn_source_path(net->source), name);
    if (dim_count != weight->dim_count ||
        memcmp(dims, weight->dims, (size_t)dim_count * sizeof *dims) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: the tensor for '%s' has another shape than the parameter",
                                vdnn_source_path(net->source), name);
    VDNN_TRY(read_values(net, weight, first, count, floats));
    const double scale = weight->scale;
    for (int64_t i = 0; i < count && (scale < 1 || scale > 1); i++)
        floats[i] = (float)(scale * (double)floats[i]);
    return VDNN_OK;
}
