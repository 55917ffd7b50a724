#ifndef VDNN_MODELS_SECTION_H
#define VDNN_MODELS_SECTION_H

/* One mapping of a YAML file, read by a table of keys into a struct.
 *
 * Invariant: after success every key of the table has a value in its range, given or default, and
 * the mapping has no unknown and no duplicate key. Threads: any; the config is the caller's.
 *
 *     vdnn_section section = {.tree = tree, .node = node, .what = "conv layer 'conv1'",
 *                             .keys = def->keys, .key_count = def->key_count, .config = config,
 *                             .others = others, .other_count = 2, .values = values};
 *     status = vdnn_section_read(&section);
 *     use(values[0]); // the node of others[0], or -1
 */

#include "models/model.h"
#include "models/yaml_tree.h"

enum { VDNN_SECTION_MAX_KEYS = 32 }; /* of a table and the others together */

typedef struct vdnn_section {
    const vdnn_yaml_tree *tree;
    int32_t node;     /* -1: absent; then nothing may be required */
    const char *what; /* for messages */
    const vdnn_key *keys;
    size_t key_count;
    const char *const *const *words; /* by key: of those that are words (vdnn_layer_def.words) */
    void *config;
    const char *const *others; /* keys whose values the caller reads itself */
    size_t other_count;
    int32_t *values; /* of the others: nodes, -1: absent */
    bool sourced;    /* a value of the table may also be {value: V, basis: WORD, source: TEXT} */
    int32_t *bases;  /* sourced: of the table's keys: nodes of their WORDs, -1: none is said */
} vdnn_section;

/* VDNN_BAD_INPUT with file, line, what was found and what was expected. */
vdnn_status vdnn_section_read(const vdnn_section *section);

/* VDNN_BAD_INPUT if others[i] is absent. */
vdnn_status vdnn_section_require(const vdnn_section *section, size_t i);

/* Of a key that must be there. */
vdnn_status vdnn_section_refuse_missing(const vdnn_section *section, const char *name);

/* The value of one key, which is of the table if it is a word: key->offset counts from config. */
vdnn_status vdnn_section_read_value(const vdnn_section *section, const vdnn_key *key, int32_t node);

/* A number or a list of them, each within the key's range; -1: absent, none. */
vdnn_status vdnn_section_read_reals(const vdnn_section *section, const vdnn_key *key, int32_t node,
                                    vdnn_reals *reals);

#endif
