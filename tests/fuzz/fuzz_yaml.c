/* YAML trees: whatever the text, the tree keeps what its header says. */

#include "models/yaml_tree.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void check_scalar(const vdnn_yaml_tree *tree, int32_t i)
{
    const vdnn_yaml_node *node = &tree->nodes[i];
    char quoted[VDNN_YAML_QUOTE_BYTES];
    VDNN_FUZZ_CHECK(node->text < tree->text_length);
    VDNN_FUZZ_CHECK(node->text + strlen(vdnn_yaml_tree_text(tree, i)) < tree->text_length);
    VDNN_FUZZ_CHECK(strlen(vdnn_yaml_tree_quote(quoted, tree, i)) < VDNN_YAML_QUOTE_BYTES);
}

static void check_children(const vdnn_yaml_tree *tree, int32_t i)
{
    int32_t count = 0, last = i;
    for (int32_t child = tree->nodes[i].first; child >= 0; child = tree->nodes[child].next) {
        VDNN_FUZZ_CHECK(child > last && child < tree->node_count);
        last = child;
        count++;
    }
    VDNN_FUZZ_CHECK(count == tree->nodes[i].count);
    if (tree->nodes[i].kind != VDNN_YAML_MAPPING)
        return;
    VDNN_FUZZ_CHECK(count % 2 == 0);
    for (int32_t key = tree->nodes[i].first; key >= 0; key = vdnn_yaml_tree_next_key(tree, key))
        VDNN_FUZZ_CHECK(vdnn_yaml_tree_find(tree, i, vdnn_yaml_tree_text(tree, key)) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_yaml_tree *tree = NULL;
    vdnn_fuzz_begin();
    vdnn_status status = vdnn_yaml_tree_parse((const char *)data, size, "net.yaml", &tree);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    for (int32_t i = 0; status == VDNN_OK && i < tree->node_count; i++) {
        if (tree->nodes[i].kind == VDNN_YAML_SCALAR)
            check_scalar(tree, i);
        else
            check_children(tree, i);
    }
    vdnn_yaml_tree_destroy(tree);
    return vdnn_fuzz_end();
}
