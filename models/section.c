#include "models/section.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WANTED_BYTES = 128, HINT_BYTES = 128, NUMBER_BYTES = 64, WHAT_BYTES = 128 };

/* The value of a key; its kind selects the member. */
typedef struct value {
    int64_t numbers[VDNN_SIDES]; /* height, width, depth */
    double real;
    bool boolean;
} value;

/* What is expected, for a value that is something else, or out of its range. */
static const char other[] = "";

static const char *plain_text(const vdnn_section *section, int32_t node)
{
    const vdnn_yaml_node *n = &section->tree->nodes[node];
    return n->kind == VDNN_YAML_SCALAR && !n->quoted ? vdnn_yaml_tree_text(section->tree, node)
                                                     : "";
}

static const char *parse_int(const vdnn_section *section, int32_t node, const vdnn_key *key,
                             value *out)
{
    const char *why_not = vdnn_decimal_read_integer(plain_text(section, node), &out->numbers[0]);
    const double number = (double)out->numbers[0];
    return why_not != NULL ? why_not : number >= key->min && number <= key->max ? NULL : other;
}

static int most_sides(const vdnn_key *key)
{
    return key->kind == VDNN_KEY_SIDES ? VDNN_SIDES : VDNN_SIDES - 1;
}

/* One number is of all sides; of a list the last ones are height and width. A depth that it does
 * not have is negative. */
static const char *parse_sides(const vdnn_section *section, int32_t node, const vdnn_key *key,
                               value *out)
{
    static const int order[VDNN_SIDES] = {VDNN_SIDE_D, VDNN_SIDE_H, VDNN_SIDE_W};
    const vdnn_yaml_node *n = &section->tree->nodes[node];
    const int most = most_sides(key);
    if (n->kind == VDNN_YAML_SCALAR) {
        const char *why_not = parse_int(section, node, key, out);
        for (int side = 1; side < VDNN_SIDES; side++)
            out->numbers[side] = out->numbers[0];
        return why_not;
    }
    if (n->kind != VDNN_YAML_SEQUENCE || n->count < VDNN_SIDES - 1 || n->count > most)
        return other;
    out->numbers[VDNN_SIDE_D] = -1;
    int32_t item = n->first;
    for (int i = VDNN_SIDES - n->count; i < VDNN_SIDES; i++) {
        value one;
        const char *why_not = parse_int(section, item, key, &one);
        if (why_not != NULL)
            return why_not;
        out->numbers[order[i]] = one.numbers[0];
        item = section->tree->nodes[item].next;
    }
    return NULL;
}

static const char *parse_real(const vdnn_section *section, int32_t node, const vdnn_key *key,
                              value *out)
{
    const char *why_not = vdnn_decimal_read_real(plain_text(section, node), &out->real);
    return why_not != NULL                                  ? why_not
           : out->real >= key->min && out->real <= key->max ? NULL
                                                            : other;
}

static const char *parse_bool(const vdnn_section *section, int32_t node, const vdnn_key *key,
                              value *out)
{
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE"};
    (void)key;
    const char *text = plain_text(section, node);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0) {
            out->boolean = i >= 3;
            return NULL;
        }
    return other;
}

static const char *const *words_of(const vdnn_section *section, const vdnn_key *key)
{
    return section->words[key - section->keys];
}

static const char *parse_word(const vdnn_section *section, int32_t node, const vdnn_key *key,
                              value *out)
{
    const char *const *words = words_of(section, key);
    if (section->tree->nodes[node].kind != VDNN_YAML_SCALAR)
        return other;
    for (int64_t i = 0; words[i] != NULL; i++)
        if (strcmp(vdnn_yaml_tree_text(section->tree, node), words[i]) == 0) {
            out->numbers[0] = i;
            return NULL;
        }
    return other;
}

/* By vdnn_key_kind. Parsing returns NULL, or why it is not such a value: what the reader of numbers
 * says, or nothing more. */
static const struct {
    const char *(*parse)(const vdnn_section *section, int32_t node, const vdnn_key *key,
                         value *out);
    size_t offset, bytes; /* of the member that it sets */
    const char *expected;
    bool has_range;
} kinds[] = {
    [VDNN_KEY_INT] = {parse_int, offsetof(value, numbers), sizeof(int64_t), "an integer", true},
    [VDNN_KEY_PAIR] = {parse_sides, offsetof(value, numbers), 2 * sizeof(int64_t),
                       "an integer n or a pair [h, w]", true},
    [VDNN_KEY_REAL] = {parse_real, offsetof(value, real), sizeof(double), "a number", true},
    [VDNN_KEY_BOOL] = {parse_bool, offsetof(value, boolean), sizeof(bool), "true or false", false},
    [VDNN_KEY_WORD] = {parse_word, offsetof(value, numbers), sizeof(int64_t), "", false},
    [VDNN_KEY_SIDES] = {parse_sides, offsetof(value, numbers), VDNN_SIDES * sizeof(int64_t),
                        "an integer n, a pair [h, w] or, of volumes, [d, h, w]", true},
};

static void store(const vdnn_section *section, const vdnn_key *key, const value *from)
{
    memcpy((char *)section->config + key->offset, (const char *)from + kinds[key->kind].offset,
           kinds[key->kind].bytes);
}

static const char *describe_wanted(char buffer[WANTED_BYTES], const vdnn_key *key)
{
    int length = snprintf(buffer, WANTED_BYTES, "%s", kinds[key->kind].expected);
    if (kinds[key->kind].has_range)
        (void)vdnn_decimal_print(buffer + length, WANTED_BYTES - (size_t)length,
                                 " from %.12g to %.12g", key->min, key->max);
    return buffer;
}

static const char *describe_found(char buffer[NUMBER_BYTES], const vdnn_yaml_tree *tree,
                                  int32_t node, int most)
{
    const vdnn_yaml_node *n = &tree->nodes[node];
    if (n->kind != VDNN_YAML_SEQUENCE || n->count < 2 || n->count > most)
        return vdnn_yaml_tree_quote(buffer, tree, node);
    int length = 0;
    for (int32_t item = n->first; item >= 0; item = tree->nodes[item].next) {
        char one[VDNN_YAML_QUOTE_BYTES];
        (void)vdnn_yaml_tree_quote(one, tree, item);
        length += snprintf(buffer + length, NUMBER_BYTES - (size_t)length, "%s%.*s",
                           item == n->first ? "[" : ", ", NUMBER_BYTES / n->count - 4, one);
    }
    (void)snprintf(buffer + length, NUMBER_BYTES - (size_t)length, "]");
    return buffer;
}

static const char *joint(const char *why_not)
{
    return why_not[0] == '\0' ? "" : "; it ";
}

/* Which words there are, and which of them may be meant. */
static vdnn_status refuse_word(const vdnn_section *section, const vdnn_key *key, int32_t node)
{
    const char *const *words = words_of(section, key);
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES] = "";
    vdnn_text list = {0};
    size_t count = 0;
    for (; words[count] != NULL; count++)
        vdnn_text_add(&list, "%s%s",
                      count == 0                 ? ""
                      : words[count + 1] != NULL ? ", "
                                                 : " or ",
                      words[count]);
    if (section->tree->nodes[node].kind == VDNN_YAML_SCALAR)
        (void)vdnn_text_hint(hint, sizeof hint, vdnn_yaml_tree_text(section->tree, node), words,
                             count);
    vdnn_status status = vdnn_yaml_tree_refuse(
        section->tree, section->tree->nodes[node].line, "%s of %s is %s, expected %s%s", key->name,
        section->what, vdnn_yaml_tree_quote(quoted, section->tree, node),
        list.failed ? "another word" : list.data, hint);
    vdnn_text_fini(&list);
    return status;
}

vdnn_status vdnn_section_read_value(const vdnn_section *section, const vdnn_key *key, int32_t node)
{
    value parsed = {.real = 0};
    const char *why_not = kinds[key->kind].parse(section, node, key, &parsed);
    if (why_not != NULL && key->kind == VDNN_KEY_WORD)
        return refuse_word(section, key, node);
    if (why_not != NULL) {
        char found[NUMBER_BYTES], wanted[WANTED_BYTES];
        return vdnn_yaml_tree_refuse(section->tree, section->tree->nodes[node].line,
                                     "%s of %s is %s, expected %s%s%s", key->name, section->what,
                                     describe_found(found, section->tree, node, most_sides(key)),
                                     describe_wanted(wanted, key), joint(why_not), why_not);
    }
    store(section, key, &parsed);
    return VDNN_OK;
}

vdnn_status vdnn_section_read_reals(const vdnn_section *section, const vdnn_key *key, int32_t node,
                                    vdnn_reals *reals)
{
    const vdnn_yaml_tree *tree = section->tree;
    vdnn_reals read = {.count = 0};
    bool list = node >= 0 && tree->nodes[node].kind == VDNN_YAML_SEQUENCE;
    const char *why_not = NULL;
    if (list && (tree->nodes[node].count == 0 || tree->nodes[node].count > VDNN_REALS_MAX))
        why_not = other;
    int32_t item = list ? tree->nodes[node].first : node;
    for (; why_not == NULL && item >= 0; item = list ? tree->nodes[item].next : -1) {
        value one = {.real = 0};
        why_not = parse_real(section, item, key, &one);
        read.values[read.count++] = one.real;
    }
    if (why_not != NULL) {
        char found[NUMBER_BYTES];
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                     "%s of %s is %s, expected a number or a list of 1 to %d "
                                     "numbers from %.12g to %.12g%s%s",
                                     key->name, section->what,
                                     describe_found(found, tree, node, most_sides(key)),
                                     VDNN_REALS_MAX, key->min, key->max, joint(why_not), why_not);
    }
    *reals = read;
    return VDNN_OK;
}

static void apply_preset(const vdnn_section *section, const vdnn_key *key)
{
    if (key->preset_key != NULL) {
        for (size_t i = 0; i < section->key_count; i++)
            if (strcmp(section->keys[i].name, key->preset_key) == 0)
                memcpy((char *)section->config + key->offset,
                       (char *)section->config + section->keys[i].offset, kinds[key->kind].bytes);
        return;
    }
    int64_t whole = (int64_t)key->preset;
    const value preset = {
        .numbers = {whole, whole, whole}, .real = key->preset, .boolean = whole != 0};
    store(section, key, &preset);
}

static vdnn_status refuse_unknown(const vdnn_section *section, int32_t key)
{
    const char *names[VDNN_SECTION_MAX_KEYS];
    size_t count = 0;
    for (size_t i = 0; i < section->key_count; i++)
        names[count++] = section->keys[i].name;
    for (size_t i = 0; i < section->other_count; i++)
        names[count++] = section->others[i];
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES];
    return vdnn_yaml_tree_refuse(
        section->tree, section->tree->nodes[key].line, "unknown key %s of %s%s",
        vdnn_yaml_tree_quote(quoted, section->tree, key), section->what,
        vdnn_text_hint(hint, sizeof hint, vdnn_yaml_tree_text(section->tree, key), names, count));
}

vdnn_status vdnn_section_refuse_missing(const vdnn_section *section, const char *name)
{
    return vdnn_yaml_tree_refuse(section->tree, section->tree->nodes[section->node].line,
                                 "%s has no key '%s', which it must have", section->what, name);
}

vdnn_status vdnn_section_require(const vdnn_section *section, size_t i)
{
    return section->values[i] >= 0 ? VDNN_OK
                                   : vdnn_section_refuse_missing(section, section->others[i]);
}

/* Of {value: V, basis: WORD, source: TEXT}: *node becomes that of V, *basis that of WORD. */
static vdnn_status read_source(const vdnn_section *section, const char *name, int32_t *node,
                               int32_t *basis)
{
    static const char *const others[] = {"value", "source", "basis"};
    int32_t values[3];
    char what[WHAT_BYTES];
    (void)snprintf(what, sizeof what, "%s of %s", name, section->what);
    vdnn_section inner = {.tree = section->tree,
                          .node = *node,
                          .what = what,
                          .others = others,
                          .other_count = 3,
                          .values = values};
    vdnn_status status = vdnn_section_read(&inner);
    for (size_t i = 0; status == VDNN_OK && i < 2; i++)
        status = vdnn_section_require(&inner, i);
    if (status == VDNN_OK && section->tree->nodes[values[1]].kind != VDNN_YAML_SCALAR)
        return vdnn_yaml_tree_refuse(section->tree, section->tree->nodes[values[1]].line,
                                     "source of %s is not text", what);
    if (status == VDNN_OK) {
        *node = values[0];
        *basis = values[2];
    }
    return status;
}

static vdnn_status read_table_value(const vdnn_section *section, const vdnn_key *key, int32_t node)
{
    vdnn_status status = VDNN_OK;
    if (section->sourced && section->tree->nodes[node].kind == VDNN_YAML_MAPPING)
        status = read_source(section, key->name, &node, &section->bases[key - section->keys]);
    return status == VDNN_OK ? vdnn_section_read_value(section, key, node) : status;
}

static vdnn_status read_key(const vdnn_section *section, int32_t key, bool *seen)
{
    const char *name = vdnn_yaml_tree_text(section->tree, key);
    int32_t node = section->tree->nodes[key].next;
    size_t i = 0, count = section->key_count + section->other_count;
    while (i < count &&
           strcmp(name, i < section->key_count ? section->keys[i].name
                                               : section->others[i - section->key_count]) != 0)
        i++;
    if (i == count)
        return refuse_unknown(section, key);
    if (seen[i])
        return vdnn_yaml_tree_refuse(section->tree, section->tree->nodes[key].line,
                                     "key '%s' of %s is given twice", name, section->what);
    seen[i] = true;
    if (i < section->key_count)
        return read_table_value(section, &section->keys[i], node);
    section->values[i - section->key_count] = node;
    return VDNN_OK;
}

vdnn_status vdnn_section_read(const vdnn_section *section)
{
    const vdnn_yaml_tree *tree = section->tree;
    bool seen[VDNN_SECTION_MAX_KEYS] = {false};
    VDNN_INVARIANT(section->key_count + section->other_count, <=, VDNN_SECTION_MAX_KEYS);
    for (size_t i = 0; i < section->other_count; i++)
        section->values[i] = -1;
    for (size_t i = 0; section->sourced && i < section->key_count; i++)
        section->bases[i] = -1;
    if (section->node >= 0 && tree->nodes[section->node].kind != VDNN_YAML_MAPPING) {
        char found[VDNN_YAML_QUOTE_BYTES];
        return vdnn_yaml_tree_refuse(
            tree, tree->nodes[section->node].line, "%s is %s, expected a mapping of keys to values",
            section->what, vdnn_yaml_tree_quote(found, tree, section->node));
    }
    int32_t key = section->node < 0 ? -1 : tree->nodes[section->node].first;
    for (; key >= 0; key = vdnn_yaml_tree_next_key(tree, key)) {
        VDNN_TRY(read_key(section, key, seen));
    }
    for (size_t i = 0; i < section->key_count; i++) {
        if (seen[i])
            continue;
        if (section->keys[i].required)
            return vdnn_section_refuse_missing(section, section->keys[i].name);
        apply_preset(section, &section->keys[i]);
    }
    return VDNN_OK;
}
