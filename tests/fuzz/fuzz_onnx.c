/* ONNX files: read as a network, made into its model and graph, and its weights read. An input has
 * two parts: the file, and one with external data next to it. */

#include "models/model.h"
#include "models/onnx/onnx.h"
#include "runtime/graph/graph.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FLOATS = 1 << 16, MOST_LAYERS = 200 };

/* The parameters that the graph's layers have, and a wrong shape of each. */
static void read_weights(vdnn_onnx *onnx, const vdnn_graph *graph)
{
    static float floats[MOST_FLOATS];
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++) {
            const vdnn_param *param = &graph->layers[l].params[p];
            char name[512];
            if (param->count > MOST_FLOATS)
                continue;
            (void)snprintf(name, sizeof name, "%s.%s", graph->layers[l].name, param->name);
            vdnn_fuzz_status(vdnn_onnx_read_part(onnx, name, param->dims, param->dim_count, 0,
                                                 param->count, floats),
                             0);
            vdnn_fuzz_status(
                vdnn_onnx_read_part(onnx, name, (const int64_t[]){7, 7, 7}, 3, 0, 343, floats),
                1U << VDNN_BAD_INPUT);
        }
}

static void check_network(vdnn_onnx *onnx, const char *path)
{
    static const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .batch = 2};
    const char *text = vdnn_onnx_text(onnx);
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_status status = vdnn_model_parse(text, strlen(text), path, &model);
    vdnn_fuzz_status(status,
                     1U << VDNN_BAD_INPUT); /* more layers than the limit of a fuzzed build */
    if (status == VDNN_OK && model->layer_count <= MOST_LAYERS) {
        status = vdnn_graph_create(model, &options, &graph);
        vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
        if (status == VDNN_OK)
            read_weights(onnx, graph);
        vdnn_graph_destroy(graph);
    }
    vdnn_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_onnx *onnx = NULL;
    vdnn_fuzz_bytes rest = {data, size};
    vdnn_fuzz_begin();
    const vdnn_fuzz_bytes file = vdnn_fuzz_part(&rest);
    (void)vdnn_fuzz_file("w.bin", rest.data, rest.size);
    const char *path = vdnn_fuzz_file("net.onnx", file.data, file.size);
    const vdnn_status status = vdnn_onnx_open(path, &onnx);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        check_network(onnx, path);
    vdnn_onnx_close(onnx);
    return vdnn_fuzz_end();
}
