#include "models/model.h"

#include "models/find.h"
#include "models/model_reader.h"
#include "models/onnx/onnx.h"
#include "models/places.h"
#include "runtime/base/heap.h"
#include "runtime/base/input.h"

#include <string.h>

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

/* The network of an ONNX file, whose weights stay there. */
static vdnn_status parse_onnx(const vdnn_onnx *onnx, const char *path, vdnn_model **model)
{
    const char *text = vdnn_onnx_text(onnx), *notes = vdnn_onnx_notes(onnx);
    vdnn_model *fresh = NULL;
    VDNN_TRY(vdnn_model_parse(text, strlen(text), path, &fresh));
    fresh->weights = vdnn_heap_strdup(path);
    fresh->notes = notes[0] == '\0' ? NULL : vdnn_heap_strdup(notes);
    if (fresh->weights == NULL || (notes[0] != '\0' && fresh->notes == NULL)) {
        vdnn_model_destroy(fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the network", path);
    }
    *model = fresh;
    return VDNN_OK;
}

static vdnn_status read_onnx(const char *path, vdnn_model **model)
{
    vdnn_onnx *onnx = NULL;
    vdnn_status status = vdnn_onnx_open(path, &onnx);
    VDNN_IF_OK(status, parse_onnx(onnx, path, model));
    vdnn_onnx_close(onnx);
    return status;
}

vdnn_status vdnn_model_read(const char *path, vdnn_model **model)
{
    if (vdnn_onnx_is_path(path))
        return read_onnx(path, model);
    char *data = NULL;
    size_t length = 0;
    vdnn_status status = vdnn_input_read(path, VDNN_YAML_MAX_BYTES, &data, &length);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "network file");
    status = vdnn_model_parse(data, length, path, model);
    vdnn_heap_free(data);
    return status;
}

void vdnn_model_destroy(vdnn_model *model)
{
    if (model == NULL)
        return;
    for (int32_t i = 0; i < model->layer_count; i++)
        vdnn_model_reader_forget(&model->layers[i]);
    for (int32_t i = 0; i < model->input_count; i++) {
        vdnn_heap_free(model->inputs[i].name);
        vdnn_heap_free(model->inputs[i].tokenizer);
    }
    vdnn_model_reader_end(model->reader);
    vdnn_heap_free(model->layers);
    vdnn_heap_free(model->name);
    vdnn_heap_free(model->path);
    vdnn_heap_free(model->weights);
    vdnn_heap_free(model->notes);
    vdnn_heap_free(model);
}

static const vdnn_find_what network = {"network", ""};

vdnn_status vdnn_model_find(const char *name, const char *const *directories, size_t count,
                            char **path)
{
    return vdnn_find_file(&network, name, directories, count, path);
}

vdnn_status vdnn_network_names(vdnn_text *names)
{
    vdnn_places places;
    vdnn_places_find(&places);
    return vdnn_find_names(&network, "", places.list, places.count, names);
}

vdnn_status vdnn_model_load(const char *name, vdnn_model **model)
{
    char *path = NULL;
    vdnn_places places;
    vdnn_places_find(&places);
    vdnn_status status = vdnn_model_find(name, places.list, places.count, &path);
    VDNN_IF_OK(status, vdnn_model_read(path, model));
    vdnn_heap_free(path);
    return status;
}
