/* Network files: read, and made into a graph under both rule sets, in both data types, with plain
 * maps and with blocks of channels. */

#include "runtime/graph/graph.h"
#include "tests/fuzz/fuzz.h"

/* Work grows with what a repeat unrolls, not with the input. */
enum { MOST_LAYERS = 200 };

static const vdnn_graph_options variants[] = {
    {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .preferred = VDNN_NCHW},
    {.rules = VDNN_RULES_PAPER, .dtype = VDNN_BF16, .preferred = VDNN_NCHW16C, .batch = 3},
};

static void check_layer(const vdnn_graph *graph, int32_t l)
{
    const vdnn_layer *layer = &graph->layers[l];
    VDNN_FUZZ_CHECK(layer->index == l);
    VDNN_FUZZ_CHECK(vdnn_desc_check(&layer->y));
    VDNN_FUZZ_CHECK(layer->trainable_bytes <= layer->param_bytes);
    for (int32_t i = 0; i < layer->input_count; i++) {
        int32_t producer = graph->tensors[layer->inputs[i]].producer;
        VDNN_FUZZ_CHECK(producer < l);
        VDNN_FUZZ_CHECK(vdnn_desc_check(&layer->x[i]));
    }
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        VDNN_FUZZ_CHECK(vdnn_layer_flops(layer, (vdnn_pass)p) >= 0);
        VDNN_FUZZ_CHECK(vdnn_layer_bytes(layer, (vdnn_pass)p) >= 0);
    }
}

static void check_graph(const vdnn_graph *graph)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        check_layer(graph, l);
    for (int32_t m = 0; m < graph->map_count; m++)
        VDNN_FUZZ_CHECK(graph->maps[m].bytes > 0);
    VDNN_FUZZ_CHECK(vdnn_graph_trainable_bytes(graph) <= vdnn_graph_param_bytes(graph));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_model *model = NULL;
    vdnn_fuzz_begin();
    vdnn_status status = vdnn_model_parse((const char *)data, size, "net.yaml", &model);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    bool small = status == VDNN_OK && model->layer_count <= MOST_LAYERS;
    for (size_t i = 0; small && i < sizeof variants / sizeof variants[0]; i++) {
        vdnn_graph *graph = NULL;
        status = vdnn_graph_create(model, &variants[i], &graph);
        vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
        if (status == VDNN_OK)
            check_graph(graph);
        vdnn_graph_destroy(graph);
    }
    vdnn_model_destroy(model);
    return vdnn_fuzz_end();
}
