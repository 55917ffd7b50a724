#include "runtime/train/files/torch_names.h"

#include "runtime/base/heap.h"
#include "runtime/train/files/name_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = VDNN_NAME_PATTERN_BYTES };

/* In the order in which they are tried: patterns of the network's and of a layer's name, and the
 * template of its module's (name_pattern.h), where \n is the place in the row of VGG's features. */
static const struct rule {
    const char *network, *layer, *module;
} rules[] = {
    {"vgg[0-9]+", "conv([0-9]+)_([0-9]+)", "features.\\n"},
    {"vgg[0-9]+|alexnet", "fc8", "classifier.6"},
    {"vgg[0-9]+", "fc6", "classifier.0"},
    {"vgg[0-9]+", "fc7", "classifier.3"},
    {"alexnet", "fc6", "classifier.1"},
    {"alexnet", "fc7", "classifier.4"},
    {"alexnet", "conv1", "features.0"},
    {"alexnet", "conv2", "features.3"},
    {"alexnet", "conv3", "features.6"},
    {"alexnet", "conv4", "features.8"},
    {"alexnet", "conv5", "features.10"},
    {"resnet[0-9]+", "conv1|bn1|fc", "\\0"},
    {"resnet[0-9]+", "(layer[0-9])_([0-9]+)_downsample_([0-9])", "\\1.\\2.downsample.\\3"},
    {"resnet[0-9]+", "(layer[0-9])_([0-9]+)_((conv|bn)[0-9])", "\\1.\\2.\\3"},
    {"densenet[0-9]+", "classifier", "\\0"},
    {"densenet[0-9]+", "conv0|norm0|norm5", "features.\\0"},
    {"densenet[0-9]+", "block([0-9])_([0-9]+)_((norm|conv)[0-9])",
     "features.denseblock\\1.denselayer\\2.\\3"},
    {"densenet[0-9]+", "(transition[0-9])_(norm|conv)", "features.\\1.\\2"},
    {"googlenet", "fc6", "fc"},
    {"googlenet", "conv1", "conv1.conv"},
    {"googlenet", "conv2_reduce", "conv2.conv"},
    {"googlenet", "conv2", "conv3.conv"},
    {"googlenet", "inception_([0-9][a-e])_1x1", "inception\\1.branch1.conv"},
    {"googlenet", "inception_([0-9][a-e])_3x3_reduce", "inception\\1.branch2.0.conv"},
    {"googlenet", "inception_([0-9][a-e])_3x3", "inception\\1.branch2.1.conv"},
    {"googlenet", "inception_([0-9][a-e])_5x5_reduce", "inception\\1.branch3.0.conv"},
    {"googlenet", "inception_([0-9][a-e])_5x5", "inception\\1.branch3.1.conv"},
    {"googlenet", "inception_([0-9][a-e])_pool_proj", "inception\\1.branch4.1.conv"},
    {"squeezenet", "conv1", "features.0"},
    {"squeezenet", "conv10", "classifier.1"},
    {"squeezenet", "fire2_(.+)", "features.3.\\1"},
    {"squeezenet", "fire3_(.+)", "features.4.\\1"},
    {"squeezenet", "fire4_(.+)", "features.6.\\1"},
    {"squeezenet", "fire5_(.+)", "features.7.\\1"},
    {"squeezenet", "fire6_(.+)", "features.9.\\1"},
    {"squeezenet", "fire7_(.+)", "features.10.\\1"},
    {"squeezenet", "fire8_(.+)", "features.11.\\1"},
    {"squeezenet", "fire9_(.+)", "features.12.\\1"},
    {"inception_v3", "fc", "\\0"},
    {"inception_v3", "(Conv2d_.+)_bn", "\\1.bn"},
    {"inception_v3", "Conv2d_.+", "\\0.conv"},
    {"inception_v3", "(Mixed_[0-9][a-e])_(.+)_bn", "\\1.\\2.bn"},
    {"inception_v3", "(Mixed_[0-9][a-e])_(.+)", "\\1.\\2.conv"},
};

enum { RULES = sizeof rules / sizeof *rules };

/* The numbers of "conv3_2"; false: it has another form. */
static bool read_place(const char *layer, int *block, int *position)
{
    enum { DECIMAL = 10 };
    char *end;
    if (strncmp(layer, "conv", 4) != 0)
        return false;
    *block = (int)strtol(layer + 4, &end, DECIMAL);
    if (*end != '_')
        return false;
    *position = (int)strtol(end + 1, &end, DECIMAL);
    return *end == '\0';
}

/* VGG's modules stand in one row: a convolution and its ReLU take a number each, and each block
 * ends with a pool. */
static int place_in_row(const vdnn_graph *graph, const char *layer)
{
    int block = 0, position = 0, other, first, before = 0;
    (void)read_place(layer, &block, &position);
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (read_place(graph->layers[l].name, &other, &first))
            before += other < block;
    return 2 * (before + position - 1) + block - 1;
}

/* "": there is none. `of_network`: which rules are those of the network. */
static vdnn_status find_name(const vdnn_graph *graph, const bool of_network[RULES],
                             const char *layer, char name[NAME_BYTES])
{
    bool no_memory = false;
    vdnn_name_groups groups;
    for (size_t i = 0; i < RULES && name[0] == '\0'; i++)
        if (of_network[i] && vdnn_name_pattern_match(rules[i].layer, layer, &groups, &no_memory))
            vdnn_name_pattern_fill(rules[i].module, layer, &groups, place_in_row(graph, layer),
                                   name);
    return no_memory ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights")
                     : VDNN_OK;
}

static bool is_repeated(const char *names, int32_t count)
{
    const char *last = names + (size_t)count * NAME_BYTES;
    for (int32_t l = 0; l < count; l++)
        if (strcmp(names + (size_t)l * NAME_BYTES, last) == 0)
            return true;
    return false;
}

vdnn_status vdnn_torch_names_init(const vdnn_graph *graph, vdnn_torch_names *names)
{
    char *made = vdnn_heap_calloc((size_t)graph->layer_count, NAME_BYTES);
    bool is_whole = true, no_memory = false, of_network[RULES];
    vdnn_name_groups groups;
    for (size_t i = 0; i < RULES; i++)
        of_network[i] = vdnn_name_pattern_match(rules[i].network, graph->name, &groups, &no_memory);
    vdnn_status status =
        made != NULL && !no_memory
            ? VDNN_OK
            : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of weights");
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK && is_whole; l++) {
        char *name = made + (size_t)l * NAME_BYTES;
        if (graph->layers[l].param_count == 0 || graph->layers[l].is_adapter)
            continue;
        status = find_name(graph, of_network, graph->layers[l].name, name);
        is_whole = name[0] != '\0' && !is_repeated(made, l);
    }
    if (status != VDNN_OK || !is_whole) {
        vdnn_heap_free(made);
        made = NULL;
    }
    *names = (vdnn_torch_names){made};
    return status;
}

vdnn_status vdnn_torch_names_check(const vdnn_graph *graph)
{
    vdnn_torch_names names = {0};
    VDNN_TRY(vdnn_torch_names_init(graph, &names));
    const bool has_names = names.names != NULL;
    vdnn_torch_names_fini(&names);
    return has_names ? VDNN_OK
                     : vdnn_status_fail(VDNN_USAGE,
                                        "torchvision has no network with the layers of %s, whose "
                                        "names its weights could have",
                                        graph->name);
}

void vdnn_torch_names_fini(vdnn_torch_names *names)
{
    vdnn_heap_free(names->names);
    names->names = NULL;
}

const char *vdnn_torch_names_of(const vdnn_torch_names *names, const vdnn_layer *layer)
{
    return names->names == NULL || layer->is_adapter
               ? NULL
               : names->names + (size_t)layer->index * NAME_BYTES;
}

bool vdnn_torch_names_is_left_out(const char *name)
{
    const char *dot = strrchr(name, '.');
    return (dot != NULL && strcmp(dot, ".num_batches_tracked") == 0) ||
           strncmp(name, "AuxLogits.", 10) == 0 ||
           (strncmp(name, "aux", 3) == 0 && name[3] >= '0' && name[3] <= '9' && name[4] == '.');
}

const char *vdnn_torch_names_difference(const vdnn_graph *graph)
{
    return strcmp(graph->name, "googlenet") != 0
               ? ""
               : " (torchvision's googlenet has batch norm in place of the biases, and "
                 "convolutions "
                 "of 3 x 3 in place of those of 5 x 5: from_torch of the Python package, or ONNX, "
                 "takes it as it is)";
}
