#include "models/model.h"

#include "alloc/heap.h"
#include "models/model_reader.h"
#include "models/places.h"
#include "runtime/input.h"
#include "runtime/outside.h"
#include "runtime/text.h"

#include <stdio.h>
#include <string.h>

enum { HINT_BYTES = 320, NAME_BYTES = 256 };

static const char SUFFIX[] = ".yaml";

/* ---- reading --------------------------------------------------------------------------------- */

vdnn_status vdnn_model_parse(const char *text, size_t length, const char *path, vdnn_model **model)
{
    vdnn_yaml_tree *tree = NULL;
    vdnn_model *fresh = NULL;
    vdnn_status status = vdnn_yaml_tree_parse(text, length, path, &tree);
    if (status != VDNN_OK)
        goto fail;
    fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh != NULL)
        fresh->path = vdnn_heap_strdup(path);
    if (fresh == NULL || fresh->path == NULL) {
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the network", path);
        goto fail;
    }
    status = vdnn_model_reader_read(tree, fresh);
    if (status != VDNN_OK)
        goto fail;
    vdnn_yaml_tree_destroy(tree);
    *model = fresh;
    return VDNN_OK;
fail:
    vdnn_yaml_tree_destroy(tree);
    vdnn_model_destroy(fresh);
    return status;
}

vdnn_status vdnn_model_read(const char *path, vdnn_model **model)
{
    char *data = NULL;
    size_t length = 0;
    vdnn_status status = vdnn_input_read(path, VDNN_YAML_MAX_BYTES, &data, &length);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "network file");
    status = vdnn_model_parse(data, length, path, model);
    vdnn_heap_free(data);
    return status;
}

void vdnn_layer_spec_fini(vdnn_layer_spec *layer)
{
    for (int32_t k = 0; k < layer->from_count; k++)
        vdnn_heap_free(layer->from[k]);
    vdnn_heap_free(layer->from);
    vdnn_heap_free(layer->config);
    vdnn_heap_free(layer->name);
    *layer = (vdnn_layer_spec){0};
}

void vdnn_model_destroy(vdnn_model *model)
{
    if (model == NULL)
        return;
    for (int32_t i = 0; i < model->layer_count; i++)
        vdnn_layer_spec_fini(&model->layers[i]);
    vdnn_model_reader_end(model->reader);
    vdnn_heap_free(model->layers);
    vdnn_heap_free(model->name);
    vdnn_heap_free(model->path);
    vdnn_heap_free(model);
}

vdnn_status vdnn_model_load(const char *name, vdnn_model **model)
{
    char *path = NULL;
    vdnn_places places;
    vdnn_places_find(&places);
    vdnn_status status = vdnn_model_find(name, places.list, places.count, &path);
    if (status == VDNN_OK)
        status = vdnn_model_read(path, model);
    vdnn_heap_free(path);
    return status;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* The names of the networks in some directories. */
typedef struct listing {
    char **names;
    size_t count, capacity;
} listing;

static void free_listing(listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        vdnn_heap_free(list->names[i]);
    vdnn_heap_free(list->names);
}

/* `file` without ".yaml"; false where it does not end so, or without memory. */
static bool add_name(listing *list, const char *file)
{
    size_t length = strlen(file), suffix = strlen(SUFFIX);
    if (length <= suffix || strcmp(file + length - suffix, SUFFIX) != 0)
        return false;
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        char **names = vdnn_heap_realloc(list->names, capacity, sizeof *names);
        if (names == NULL)
            return false;
        list->names = names;
        list->capacity = capacity;
    }
    char *name = vdnn_heap_strdup(file);
    if (name == NULL)
        return false;
    name[length - suffix] = '\0';
    list->names[list->count++] = name;
    return true;
}

static void list_directory(listing *list, const char *directory)
{
    DIR *open = vdnn_outside_opendir(directory);
    if (open == NULL)
        return;
    for (struct dirent *entry = vdnn_outside_readdir(open); entry != NULL;
         entry = vdnn_outside_readdir(open))
        (void)add_name(list, entry->d_name);
    (void)vdnn_outside_closedir(open);
}

static bool is_file(const char *path)
{
    struct stat found;
    return vdnn_outside_stat(path, &found) == 0 && !S_ISDIR(found.st_mode);
}

/* What the name would be in a listing: without its directory and suffix. */
static void strip(char *buffer, size_t size, const char *name)
{
    const char *slash = strrchr(name, '/');
    (void)snprintf(buffer, size, "%s", slash == NULL ? name : slash + 1);
    size_t length = strlen(buffer), suffix = strlen(SUFFIX);
    if (length > suffix && strcmp(buffer + length - suffix, SUFFIX) == 0)
        buffer[length - suffix] = '\0';
}

static vdnn_status refuse_name(const char *name, const char *const *directories, size_t count)
{
    listing list = {0};
    vdnn_text places = {0};
    for (size_t i = 0; i < count; i++) {
        list_directory(&list, directories[i]);
        vdnn_text_add(&places, "%s%s", i == 0 ? "" : ", ", directories[i]);
    }
    char bare[NAME_BYTES], hint[HINT_BYTES];
    strip(bare, sizeof bare, name);
    /* The nearest may be the very name, of a file elsewhere than the path said. */
    (void)vdnn_text_hint(hint, sizeof hint, bare, (const char *const *)list.names, list.count);
    vdnn_status status = vdnn_status_fail(
        VDNN_BAD_INPUT, "no network '%.200s': neither a file nor one of the networks in %s%s", name,
        places.length == 0 ? "(no directory)" : places.data, hint);
    vdnn_text_fini(&places);
    free_listing(&list);
    return status;
}

vdnn_status vdnn_model_find(const char *name, const char *const *directories, size_t count,
                            char **path)
{
    static const char *const suffixes[] = {"", SUFFIX};
    vdnn_text found = {0};
    if (is_file(name))
        vdnn_text_add(&found, "%s", name);
    for (size_t i = 0; i < 2 * count && found.length == 0 && !found.failed; i++) {
        vdnn_text candidate = {0};
        vdnn_text_add(&candidate, "%s/%s%s", directories[i / 2], name, suffixes[i % 2]);
        if (!candidate.failed && !is_file(candidate.data))
            vdnn_text_fini(&candidate);
        found = candidate;
    }
    if (found.failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to look for network '%.200s'", name);
    if (found.length == 0)
        return refuse_name(name, directories, count);
    *path = vdnn_heap_strdup(found.data);
    vdnn_text_fini(&found);
    if (*path == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to look for network '%.200s'", name);
    return VDNN_OK;
}
