#include "models/yaml_tree.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { MESSAGE_BYTES = 1024 };

/* The open collections above the current event, outermost first. */
typedef struct builder {
    vdnn_yaml_tree *tree;
    int32_t open[VDNN_YAML_MAX_DEPTH], last_child[VDNN_YAML_MAX_DEPTH];
    int depth;
    int documents;
} builder;

vdnn_status vdnn_yaml_tree_refuse(const vdnn_yaml_tree *tree, int line, const char *format, ...)
{
    char what[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(what, sizeof what, format, arguments);
    va_end(arguments);
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: %s", tree->path, line, what);
}

static vdnn_status no_memory(const vdnn_yaml_tree *tree)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its YAML tree", tree->path);
}

static vdnn_status grow_nodes(vdnn_yaml_tree *tree, int line)
{
    if (tree->node_count < tree->node_capacity)
        return VDNN_OK;
    if (tree->node_count >= VDNN_YAML_MAX_NODES)
        return vdnn_yaml_tree_refuse(tree, line, "more than %d values, which is the limit",
                                     VDNN_YAML_MAX_NODES);
    int32_t capacity = tree->node_capacity == 0 ? 64 : 2 * tree->node_capacity;
    void *nodes = vdnn_heap_realloc(tree->nodes, (size_t)capacity, sizeof *tree->nodes);
    if (nodes == NULL)
        return no_memory(tree);
    tree->nodes = nodes;
    tree->node_capacity = capacity;
    return VDNN_OK;
}

static vdnn_status add_text(vdnn_yaml_tree *tree, const char *text, size_t length, size_t *offset)
{
    if (tree->text_capacity - tree->text_length <= length) {
        size_t capacity = 2 * (tree->text_capacity + length + 64);
        char *grown = vdnn_heap_realloc(tree->text, capacity, 1);
        if (grown == NULL)
            return no_memory(tree);
        tree->text = grown;
        tree->text_capacity = capacity;
    }
    memcpy(tree->text + tree->text_length, text, length);
    tree->text[tree->text_length + length] = '\0';
    *offset = tree->text_length;
    tree->text_length += length + 1;
    return VDNN_OK;
}

static vdnn_status link_child(builder *b, int32_t child)
{
    vdnn_yaml_tree *tree = b->tree;
    if (b->depth == 0)
        return VDNN_OK;
    vdnn_yaml_node *parent = &tree->nodes[b->open[b->depth - 1]];
    int32_t *last = &b->last_child[b->depth - 1];
    const vdnn_yaml_node *node = &tree->nodes[child];
    if (parent->kind == VDNN_YAML_MAPPING && parent->count % 2 == 0 &&
        node->kind != VDNN_YAML_SCALAR)
        return vdnn_yaml_tree_refuse(tree, node->line, "a key is %s, expected a name",
                                     node->kind == VDNN_YAML_SEQUENCE ? "a list" : "a mapping");
    if (*last < 0)
        parent->first = child;
    else
        tree->nodes[*last].next = child;
    *last = child;
    parent->count++;
    return VDNN_OK;
}

static vdnn_status add_node(builder *b, vdnn_yaml_kind kind, int line, int32_t *index)
{
    VDNN_TRY(grow_nodes(b->tree, line));
    int32_t fresh = b->tree->node_count++;
    b->tree->nodes[fresh] = (vdnn_yaml_node){.kind = kind, .line = line, .first = -1, .next = -1};
    vdnn_status status = link_child(b, fresh);
    if (status == VDNN_OK)
        *index = fresh;
    return status;
}

static vdnn_status check_plain(const vdnn_yaml_tree *tree, int line, const yaml_char_t *anchor,
                               const yaml_char_t *tag)
{
    if (anchor != NULL)
        return vdnn_yaml_tree_refuse(tree, line,
                                     "anchors are not supported, expected the value written out");
    if (tag != NULL)
        return vdnn_yaml_tree_refuse(tree, line, "tags are not supported, expected a plain value");
    return VDNN_OK;
}

static vdnn_status on_scalar(builder *b, const yaml_event_t *event, int line)
{
    int32_t index;
    size_t offset;
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    vdnn_status status =
        check_plain(b->tree, line, event->data.scalar.anchor, event->data.scalar.tag);
    if (status == VDNN_OK && memchr(value, '\0', length) != NULL)
        status = vdnn_yaml_tree_refuse(b->tree, line, "a text holds a zero byte");
    VDNN_IF_OK(status, add_text(b->tree, value, length, &offset));
    VDNN_IF_OK(status, add_node(b, VDNN_YAML_SCALAR, line, &index));
    if (status != VDNN_OK)
        return status;
    b->tree->nodes[index].text = offset;
    b->tree->nodes[index].quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return VDNN_OK;
}

static vdnn_status on_open(builder *b, vdnn_yaml_kind kind, int line)
{
    if (b->depth == VDNN_YAML_MAX_DEPTH)
        return vdnn_yaml_tree_refuse(b->tree, line, "nested more than %d deep, which is the limit",
                                     VDNN_YAML_MAX_DEPTH);
    int32_t index;
    VDNN_TRY(add_node(b, kind, line, &index));
    b->open[b->depth] = index;
    b->last_child[b->depth] = -1;
    b->depth++;
    return VDNN_OK;
}

static vdnn_status on_event(builder *b, const yaml_event_t *event)
{
    int line = (int)event->start_mark.line + 1;
    vdnn_status status;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documents++ > 0)
            return vdnn_yaml_tree_refuse(b->tree, line, "a second document, expected one");
        return VDNN_OK;
    case YAML_ALIAS_EVENT:
        return vdnn_yaml_tree_refuse(b->tree, line,
                                     "aliases are not supported, expected the value written out");
    case YAML_SCALAR_EVENT:
        return on_scalar(b, event, line);
    case YAML_SEQUENCE_START_EVENT:
        status = check_plain(b->tree, line, event->data.sequence_start.anchor,
                             event->data.sequence_start.tag);
        return status == VDNN_OK ? on_open(b, VDNN_YAML_SEQUENCE, line) : status;
    case YAML_MAPPING_START_EVENT:
        status = check_plain(b->tree, line, event->data.mapping_start.anchor,
                             event->data.mapping_start.tag);
        return status == VDNN_OK ? on_open(b, VDNN_YAML_MAPPING, line) : status;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return VDNN_OK;
    default:
        return VDNN_OK;
    }
}

static vdnn_status syntax_error(const vdnn_yaml_tree *tree, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return no_memory(tree);
    const char *problem = parser->problem == NULL ? "cannot be read" : parser->problem;
    /* The reader works ahead of the parser: for bytes that are not UTF-8 there is no mark yet. */
    if (parser->error == YAML_READER_ERROR)
        return vdnn_yaml_tree_refuse(tree, (int)parser->mark.line + 1,
                                     "not YAML: %s at byte %zu, expected UTF-8 text", problem,
                                     parser->problem_offset);
    return vdnn_yaml_tree_refuse(tree, (int)parser->problem_mark.line + 1, "not YAML: %s%s%s",
                                 problem, parser->context == NULL ? "" : " ",
                                 parser->context == NULL ? "" : parser->context);
}

static vdnn_status read_events(vdnn_yaml_tree *tree, yaml_parser_t *parser)
{
    builder b = {.tree = tree};
    bool done = false;
    while (!done) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return syntax_error(tree, parser);
        vdnn_status status = on_event(&b, &event);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status != VDNN_OK)
            return status;
    }
    if (tree->node_count == 0)
        return vdnn_yaml_tree_refuse(tree, 1, "the file is empty, expected a network");
    return VDNN_OK;
}

vdnn_status vdnn_yaml_tree_parse(const char *text, size_t length, const char *path,
                                 vdnn_yaml_tree **tree)
{
    if (length > VDNN_YAML_MAX_BYTES)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s:1: the file is larger than %d MiB, the limit",
                                path, VDNN_YAML_MAX_BYTES >> 20);
    vdnn_yaml_tree *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its YAML tree", path);
    fresh->path = path;
    yaml_parser_t parser;
    vdnn_status status = VDNN_OK;
    if (!yaml_parser_initialize(&parser)) {
        status = no_memory(fresh);
    } else {
        yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
        status = read_events(fresh, &parser);
        yaml_parser_delete(&parser);
    }
    if (status != VDNN_OK) {
        vdnn_yaml_tree_destroy(fresh);
        return status;
    }
    *tree = fresh;
    return VDNN_OK;
}

void vdnn_yaml_tree_destroy(vdnn_yaml_tree *tree)
{
    if (tree == NULL)
        return;
    vdnn_heap_free(tree->nodes);
    vdnn_heap_free(tree->text);
    vdnn_heap_free(tree);
}

const char *vdnn_yaml_tree_text(const vdnn_yaml_tree *tree, int32_t scalar)
{
    return tree->text + tree->nodes[scalar].text;
}

int32_t vdnn_yaml_tree_next_key(const vdnn_yaml_tree *tree, int32_t key)
{
    return tree->nodes[tree->nodes[key].next].next;
}

int32_t vdnn_yaml_tree_find(const vdnn_yaml_tree *tree, int32_t mapping, const char *name)
{
    int32_t key = tree->nodes[mapping].first;
    while (key >= 0 && strcmp(vdnn_yaml_tree_text(tree, key), name) != 0)
        key = vdnn_yaml_tree_next_key(tree, key);
    return key < 0 ? -1 : tree->nodes[key].next;
}

const char *vdnn_yaml_tree_quote(char buffer[VDNN_YAML_QUOTE_BYTES], const vdnn_yaml_tree *tree,
                                 int32_t node)
{
    static const char *const words[] = {
        [VDNN_YAML_SEQUENCE] = "a list", [VDNN_YAML_MAPPING] = "a mapping"};
    const vdnn_yaml_node *n = &tree->nodes[node];
    const char *text = n->kind == VDNN_YAML_SCALAR ? vdnn_yaml_tree_text(tree, node) : "";
    if (n->kind != VDNN_YAML_SCALAR)
        (void)snprintf(buffer, VDNN_YAML_QUOTE_BYTES, "%s", words[n->kind]);
    else if (text[0] == '\0' && !n->quoted)
        (void)snprintf(buffer, VDNN_YAML_QUOTE_BYTES, "nothing");
    else
        (void)snprintf(buffer, VDNN_YAML_QUOTE_BYTES, "%s'%.40s%s'", n->quoted ? "the text " : "",
                       text, strlen(text) > 40 ? "..." : "");
    for (char *c = buffer; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return buffer;
}
