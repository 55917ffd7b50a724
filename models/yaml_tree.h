#ifndef VDNN_MODELS_YAML_TREE_H
#define VDNN_MODELS_YAML_TREE_H

/* A YAML document as a tree of nodes that remember their lines.
 *
 * Invariant: node 0 is the root; a child's index is greater than its parent's; a mapping has an
 * even number of children, key and value in turn, and its keys are scalars. Depth, node count and
 * length are bounded, so that a reader may recurse. Threads: immutable once parsed.
 *
 *     status = vdnn_yaml_tree_parse(text, length, "net.yaml", &tree);
 *     for (key = tree->nodes[0].first; key >= 0; key = vdnn_yaml_tree_next_key(tree, key))
 *         use(vdnn_yaml_tree_text(tree, key), tree->nodes[key].next);
 *     vdnn_yaml_tree_destroy(tree);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VDNN_YAML_MAX_BYTES = 16 << 20,
    VDNN_YAML_MAX_DEPTH = 32,
    VDNN_YAML_MAX_NODES = 2 << 20,
    VDNN_YAML_QUOTE_BYTES = 64,
};

typedef enum vdnn_yaml_kind {
    VDNN_YAML_SCALAR,
    VDNN_YAML_SEQUENCE,
    VDNN_YAML_MAPPING,
} vdnn_yaml_kind;

typedef struct vdnn_yaml_node {
    vdnn_yaml_kind kind;
    bool quoted;         /* a scalar in quotes is text, never a number */
    int line;            /* from 1 */
    size_t text;         /* of a scalar: where it begins in tree->text */
    int32_t first, next; /* child, sibling; -1: none */
    int32_t count;       /* children */
} vdnn_yaml_node;

typedef struct vdnn_yaml_tree {
    const char *path; /* borrowed: what messages call the document */
    vdnn_yaml_node *nodes;
    int32_t node_count, node_capacity;
    char *text; /* all scalars, each NUL-terminated */
    size_t text_length, text_capacity;
} vdnn_yaml_tree;

/* VDNN_BAD_INPUT with "path:line: ..." if the text is not YAML, is not one document, exceeds a
 * bound, or uses anchors, aliases or tags. */
vdnn_status vdnn_yaml_tree_parse(const char *text, size_t length, const char *path,
                                 vdnn_yaml_tree **tree);
void vdnn_yaml_tree_destroy(vdnn_yaml_tree *tree);

const char *vdnn_yaml_tree_text(const vdnn_yaml_tree *tree, int32_t scalar);

/* The key after `key` in its mapping; -1: none. */
int32_t vdnn_yaml_tree_next_key(const vdnn_yaml_tree *tree, int32_t key);

/* The value of the first key of this name in a mapping; -1: none. */
int32_t vdnn_yaml_tree_find(const vdnn_yaml_tree *tree, int32_t mapping, const char *name);

/* What a node is, for messages: "'five'", "nothing", "a list", "a mapping". Control characters are
 * masked and long texts cut. Returns `buffer`. */
const char *vdnn_yaml_tree_quote(char buffer[VDNN_YAML_QUOTE_BYTES], const vdnn_yaml_tree *tree,
                                 int32_t node);

/* VDNN_BAD_INPUT with "path:line: " before the message. */
vdnn_status vdnn_yaml_tree_refuse(const vdnn_yaml_tree *tree, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
