#include "runtime/data/tensors/shards.h"

#include "runtime/base/heap.h"
#include "runtime/base/json.h"

#include <stdio.h>
#include <string.h>

#define INDEX_END ".index.json"

enum { PATH_BYTES = 4096, INDEX_LIMIT = 64 << 20 };

/* A tensor: which file has it, and where. */
typedef struct shard_tensor {
    int32_t file, place;
} shard_tensor;

struct vdnn_shards {
    vdnn_safetensors **files;
    int32_t file_count;
    shard_tensor *tensors;
    int32_t count;
};

static vdnn_status no_memory(const char *path)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
}

bool vdnn_shards_is_index(const char *path)
{
    size_t length = strlen(path), end = strlen(INDEX_END);
    return length >= end && strcmp(path + length - end, INDEX_END) == 0;
}

/* ---- one file -------------------------------------------------------------------------------- */

static vdnn_status add_file(vdnn_shards *shards, const char *path)
{
    VDNN_TRY(vdnn_safetensors_open(path, &shards->files[shards->file_count]));
    shards->file_count++;
    return VDNN_OK;
}

static vdnn_status open_one(vdnn_shards *shards, const char *path)
{
    shards->files = vdnn_heap_calloc(1, sizeof(vdnn_safetensors *));
    if (shards->files == NULL)
        return no_memory(path);
    VDNN_TRY(add_file(shards, path));
    int32_t count = vdnn_safetensors_count(shards->files[0]);
    shards->tensors = vdnn_heap_calloc((size_t)count, sizeof *shards->tensors);
    if (shards->tensors == NULL)
        return no_memory(path);
    for (int32_t i = 0; i < count; i++)
        shards->tensors[shards->count++] = (shard_tensor){.file = 0, .place = i};
    return VDNN_OK;
}

/* ---- an index -------------------------------------------------------------------------------- */

/* A file's name in the folder of the index. */
static vdnn_status place_beside(const char *index, const char *name, char path[PATH_BYTES])
{
    const char *slash = strrchr(index, '/');
    int folder = slash == NULL ? 0 : (int)(slash - index) + 1;
    if (strchr(name, '/') != NULL || name[0] == '\0')
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: weight_map names the file '%s', expected one in the same "
                                "folder",
                                index, name);
    int length = snprintf(path, PATH_BYTES, "%.*s%s", folder, index, name);
    return length < PATH_BYTES ? VDNN_OK
                               : vdnn_status_fail(VDNN_BAD_INPUT, "%s: its path is too long", name);
}

/* The number of the file of that name; it is opened if it is a new one. names[] has the others'. */
static vdnn_status find_file(vdnn_shards *shards, const char *index, const char *name,
                             const char **names, int32_t *file)
{
    char path[PATH_BYTES];
    int32_t at = 0;
    while (at < shards->file_count && strcmp(names[at], name) != 0)
        at++;
    *file = at;
    if (at < shards->file_count)
        return VDNN_OK;
    names[at] = name;
    VDNN_TRY(place_beside(index, name, path));
    return add_file(shards, path);
}

static vdnn_status add_tensor(vdnn_shards *shards, const char *index, const char *name,
                              const char *file_name, int32_t file)
{
    const vdnn_safetensors *tensors = shards->files[file];
    int32_t place = vdnn_safetensors_count(tensors) - 1;
    while (place >= 0 && strcmp(vdnn_safetensors_name(tensors, place), name) != 0)
        place--;
    if (place < 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: tensor %s is not in %s, as weight_map says",
                                index, name, file_name);
    shards->tensors[shards->count++] = (shard_tensor){.file = file, .place = place};
    return VDNN_OK;
}

static vdnn_status read_map(vdnn_shards *shards, const char *path, json_t *map, const char **names)
{
    const char *key;
    json_t *value;
    int32_t file;
    json_object_foreach(map, key, value)
    {
        const char *name = json_string_value(value);
        if (name == NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: weight_map names no file for tensor %s",
                                    path, key);
        VDNN_TRY(find_file(shards, path, name, names, &file));
        VDNN_TRY(add_tensor(shards, path, key, name, file));
    }
    return VDNN_OK;
}

static vdnn_status open_index(vdnn_shards *shards, const char *path)
{
    json_t *root = NULL;
    VDNN_TRY(vdnn_json_read(path, INDEX_LIMIT, &root));
    json_t *map = json_object_get(root, "weight_map");
    size_t count = json_object_size(map);
    const char **names = vdnn_heap_calloc(count, sizeof *names);
    shards->files = vdnn_heap_calloc(count, sizeof(vdnn_safetensors *));
    shards->tensors = vdnn_heap_calloc(count, sizeof *shards->tensors);
    vdnn_status status = VDNN_OK;
    if (!json_is_object(map) || count == 0)
        status = vdnn_status_fail(VDNN_BAD_INPUT,
                                  "%s: has no weight_map, expected an index of "
                                  "safetensors files",
                                  path);
    else if (names == NULL || shards->files == NULL || shards->tensors == NULL)
        status = no_memory(path);
    VDNN_IF_OK(status, read_map(shards, path, map, names));
    vdnn_heap_free(names);
    json_decref(root);
    return status;
}

/* ---- the interface --------------------------------------------------------------------------- */

vdnn_status vdnn_shards_open(const char *path, vdnn_shards **shards)
{
    vdnn_shards *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return no_memory(path);
    vdnn_status status =
        vdnn_shards_is_index(path) ? open_index(fresh, path) : open_one(fresh, path);
    if (status == VDNN_OK)
        *shards = fresh;
    else
        vdnn_shards_close(fresh);
    return status;
}

void vdnn_shards_close(vdnn_shards *shards)
{
    if (shards == NULL)
        return;
    for (int32_t i = 0; i < shards->file_count; i++)
        vdnn_safetensors_close(shards->files[i]);
    vdnn_heap_free(shards->files);
    vdnn_heap_free(shards->tensors);
    vdnn_heap_free(shards);
}

int32_t vdnn_shards_count(const vdnn_shards *shards)
{
    return shards->count;
}

const char *vdnn_shards_name(const vdnn_shards *shards, int32_t i)
{
    const shard_tensor *tensor = &shards->tensors[i];
    return vdnn_safetensors_name(shards->files[tensor->file], tensor->place);
}

const int64_t *vdnn_shards_dims(const vdnn_shards *shards, int32_t i, int *dim_count)
{
    const shard_tensor *tensor = &shards->tensors[i];
    return vdnn_safetensors_dims(shards->files[tensor->file], tensor->place, dim_count);
}

vdnn_status vdnn_shards_read_part(const vdnn_shards *shards, int32_t i, int64_t first,
                                  int64_t count, float *floats)
{
    int dim_count;
    const int64_t *dims = vdnn_shards_dims(shards, i, &dim_count);
    return vdnn_safetensors_read_part(shards->files[shards->tensors[i].file],
                                      vdnn_shards_name(shards, i), dims, dim_count, first, count,
                                      floats);
}

/* The file that has the tensor, or one that does not, and will say so. */
static const vdnn_safetensors *file_of(const vdnn_shards *shards, const char *name)
{
    for (int32_t i = 0; i < shards->count; i++)
        if (strcmp(vdnn_shards_name(shards, i), name) == 0)
            return shards->files[shards->tensors[i].file];
    return shards->files[0];
}

vdnn_status vdnn_shards_read(const vdnn_shards *shards, const char *name, const int64_t *dims,
                             int dim_count, int64_t first, int64_t count, float *floats)
{
    return vdnn_safetensors_read_part(file_of(shards, name), name, dims, dim_count, first, count,
                                      floats);
}
