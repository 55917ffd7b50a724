/* Groups of nodes that exporters write for one operator, and the operator. */

#include "models/onnx/network.h"
#include "runtime/base/numbers/decimal.h"

#include <math.h>
#include <string.h>

/* In a pattern, a small letter is any value, the same one wherever it is; a number is a constant
 * of one element; Op(a b) is a node of that operator, whose two inputs may be in either order where
 * that means the same; Op.(a) is one over the last axis. */
typedef struct rewriting {
    const char *pattern;
    const char *op, *inputs; /* of the node instead: letters */
    const char *attribute;   /* NAME=WORD, or NAME=LETTER of a constant, or "" */
} rewriting;

#define DEVIATION(squares) "Sqrt(Add(ReduceMean.(" squares ") e))"
#define CENTERED "Sub(x ReduceMean.(x))"
#define NORMAL(squares) "Div(" CENTERED " " DEVIATION(squares) ")"
#define TO_THE_TANH(cube) "Add(1 Tanh(Mul(0.7978846 Add(x Mul(0.044715 " cube ")))))"
#define LAYER_NORM "LayerNormalization"

static const rewriting rewritings[] = {
    {"Add(Mul(" NORMAL("Pow(" CENTERED " 2)") " w) b)", LAYER_NORM, "xwb", "epsilon=e"},
    {"Add(Mul(" NORMAL("Mul(" CENTERED " " CENTERED ")") " w) b)", LAYER_NORM, "xwb", "epsilon=e"},
    {"Mul(" NORMAL("Mul(" CENTERED " " CENTERED ")") " w)", LAYER_NORM, "xw", "epsilon=e"},
    {"Mul(" NORMAL("Pow(" CENTERED " 2)") " w)", LAYER_NORM, "xw", "epsilon=e"},
    {"Mul(w Mul(x Reciprocal(" DEVIATION("Pow(x 2)") ")))", "RMSNormalization", "xw", "epsilon=e"},
    {"Mul(w Mul(x Div(1 " DEVIATION("Pow(x 2)") ")))", "RMSNormalization", "xw", "epsilon=e"},
    {"Mul(w Div(x " DEVIATION("Pow(x 2)") "))", "RMSNormalization", "xw", "epsilon=e"},
    {"Mul(w Div(x " DEVIATION("Mul(x x)") "))", "RMSNormalization", "xw", "epsilon=e"},
    {"Mul(0.5 Mul(x Add(1 Erf(Div(x 1.4142135)))))", "Gelu", "x", "approximate=none"},
    {"Mul(Mul(0.5 x) Add(1 Erf(Div(x 1.4142135))))", "Gelu", "x", "approximate=none"},
    {"Mul(x Mul(0.5 Add(1 Erf(Div(x 1.4142135)))))", "Gelu", "x", "approximate=none"},
    {"Mul(0.5 Mul(x Add(1 Erf(Mul(x 0.7071068)))))", "Gelu", "x", "approximate=none"},
    {"Mul(Mul(0.5 x) " TO_THE_TANH("Pow(x 3)") ")", "Gelu", "x", "approximate=tanh"},
    {"Mul(0.5 Mul(x " TO_THE_TANH("Mul(x Mul(x x))") "))", "Gelu", "x", "approximate=tanh"},
    {"Mul(0.5 Mul(x " TO_THE_TANH("Pow(x 3)") "))", "Gelu", "x", "approximate=tanh"},
    {"Mul(0.5 Mul(x Add(1 Tanh(Mul(x Add(0.7978846 Mul(0.03567741 Mul(x x))))))))", "Gelu", "x",
     "approximate=tanh"},
    {"Mul(x Sigmoid(x))", "Silu", "x", ""},
};

enum { LETTERS = 26, MOST_INSIDE = 32, OP_BYTES = 32 };

/* What was found so far. */
typedef struct match {
    const char *names[LETTERS];
    int32_t inside[MOST_INSIDE]; /* nodes, without the last one */
    int inside_count;
} match;

/* ---- constants ------------------------------------------------------------------------------- */

static const vdnn_onnx_node *writer_of(const vdnn_onnx *net, const char *name, int32_t *index)
{
    const int32_t at = vdnn_names_find(&net->names, name);
    *index = at < 0 ? -1 : net->writer[at];
    return *index < 0 ? NULL : &net->proto.graph.nodes.items[*index];
}

static bool find_number(vdnn_onnx *net, const char *name, double *number)
{
    int32_t index = 0;
    const int32_t at = vdnn_names_find(&net->names, name);
    const vdnn_onnx_node *node = writer_of(net, name, &index);
    const vdnn_onnx_tensor *tensor = at >= 0 && net->values.items[at].kind == VDNN_ONNX_TENSOR
                                         ? net->values.items[at].tensor
                                         : NULL;
    if (node != NULL && strcmp(node->op, "Constant") == 0 && node->attributes.count == 1 &&
        strcmp(node->attributes.items[0].name, "value") == 0)
        tensor = &node->attributes.items[0].tensor;
    int64_t count = 1;
    for (size_t d = 0; tensor != NULL && d < tensor->dims.count; d++)
        count = tensor->dims.items[d] == 1 ? count : 0;
    return tensor != NULL && count == 1 &&
           vdnn_onnx_tensor_numbers(net, tensor, number, 1) == VDNN_OK;
}

static bool is_number(vdnn_onnx *net, const char *name, double expected)
{
    double number = 0;
    return find_number(net, name, &number) && fabs(number - expected) <= 1e-5 * fabs(expected);
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* Past one expression of a pattern. */
static const char *past(const char *pattern)
{
    int depth = 0;
    for (; *pattern != '\0'; pattern++) {
        if (depth == 0 && (*pattern == ' ' || *pattern == ')'))
            return pattern;
        depth += *pattern == '(' ? 1 : *pattern == ')' ? -1 : 0;
    }
    return pattern;
}

/* Whether it is over the last axis: by its attribute, or its second input. */
static bool is_over_last(vdnn_onnx *net, const vdnn_onnx_node *node)
{
    for (size_t i = 0; i < node->attributes.count; i++)
        if (strcmp(node->attributes.items[i].name, "axes") == 0)
            return node->attributes.items[i].integers.count == 1 &&
                   node->attributes.items[i].integers.items[0] == -1;
    return node->inputs.count == 2 && is_number(net, node->inputs.items[1], -1);
}

static bool match_expression(vdnn_onnx *net, const char *pattern, const char *name, match *m);

static bool match_inputs(vdnn_onnx *net, const char *pattern, const vdnn_onnx_node *node,
                         const size_t order[2], size_t count, match *m)
{
    for (size_t i = 0; i < count; i++) {
        if (!match_expression(net, pattern, node->inputs.items[order[i]], m))
            return false;
        pattern = past(pattern) + 1;
    }
    return true;
}

/* `pattern` after the operator's name. */
static bool match_node(vdnn_onnx *net, const char *pattern, const vdnn_onnx_node *node, match *m)
{
    static const size_t orders[][2] = {{0, 1}, {1, 0}};
    const bool is_over = *pattern == '.',
               is_symmetric = strcmp(node->op, "Add") == 0 || strcmp(node->op, "Mul") == 0;
    const char *inputs = pattern + (is_over ? 2 : 1);
    const size_t count = *past(inputs) == ' ' ? 2 : 1;
    if (node->inputs.count < count || (!is_over && node->inputs.count != count) ||
        node->outputs.count != 1 || node->domain[0] != '\0' ||
        (is_over && !is_over_last(net, node)))
        return false;
    for (size_t i = 0; i < (is_symmetric ? 2 : 1); i++) {
        match tried = *m;
        if (match_inputs(net, inputs, node, orders[i], count, &tried)) {
            *m = tried;
            return true;
        }
    }
    return false;
}

/* Whether a pattern begins with the operator of a node, and what follows it. */
static bool begins_with(const char *pattern, const char *op, const char **rest)
{
    const size_t length = strlen(op);
    *rest = pattern + length;
    return strncmp(pattern, op, length) == 0 && (**rest == '(' || **rest == '.');
}

static bool match_expression(vdnn_onnx *net, const char *pattern, const char *name, match *m)
{
    int32_t index = 0;
    const char *rest = NULL;
    if (*pattern >= 'a' && *pattern <= 'z') {
        const char **seen = &m->names[*pattern - 'a'];
        if (*seen == NULL)
            *seen = name;
        return strcmp(*seen, name) == 0;
    }
    if (*pattern >= '0' && *pattern <= '9')
        return is_number(net, name, vdnn_decimal_next(&pattern));
    const vdnn_onnx_node *node = writer_of(net, name, &index);
    if (node == NULL || !begins_with(pattern, node->op, &rest) || !match_node(net, rest, node, m))
        return false;
    for (int i = 0; i < m->inside_count; i++)
        if (m->inside[i] == index)
            return true;
    if (m->inside_count == MOST_INSIDE)
        return false;
    m->inside[m->inside_count++] = index;
    return true;
}

/* Whether no other node reads what the inner ones write. */
static bool is_closed(const vdnn_onnx *net, const match *m, const vdnn_onnx_node *root)
{
    const vdnn_onnx_node *nodes = net->proto.graph.nodes.items;
    for (int i = 0; i < m->inside_count; i++) {
        const char *name = nodes[m->inside[i]].outputs.items[0];
        int32_t readers = 0;
        for (int k = 0; k <= m->inside_count; k++) {
            const vdnn_onnx_node *reader = k == 0 ? root : &nodes[m->inside[k - 1]];
            for (size_t n = 0; n < reader->inputs.count; n++)
                readers += strcmp(reader->inputs.items[n], name) == 0;
        }
        if (readers != net->readers[vdnn_names_find(&net->names, name)])
            return false;
    }
    return true;
}

/* ---- the node instead ------------------------------------------------------------------------ */

static vdnn_status replace(vdnn_onnx *net, const rewriting *r, const match *m, vdnn_onnx_node *node)
{
    const size_t count = strlen(r->inputs);
    const char **inputs = vdnn_hoard_take(&net->hoard, count, sizeof *inputs);
    const char *value = strchr(r->attribute, '=');
    if (inputs == NULL)
        return vdnn_onnx_no_memory(net);
    for (size_t i = 0; i < count; i++)
        inputs[i] = m->names[r->inputs[i] - 'a'];
    node->op = r->op;
    node->inputs.items = inputs;
    node->inputs.count = node->inputs.capacity = count;
    node->attributes.count = 0;
    if (value == NULL)
        return VDNN_OK;
    vdnn_onnx_attribute *attribute = vdnn_hoard_take(&net->hoard, 1, sizeof *attribute);
    char *name = vdnn_hoard_strdup(&net->hoard, r->attribute);
    if (attribute == NULL || name == NULL)
        return vdnn_onnx_no_memory(net);
    name[value - r->attribute] = '\0';
    *attribute = (vdnn_onnx_attribute){.name = name, .text = value + 1};
    if (value[2] == '\0') {
        double number = 0;
        if (!find_number(net, m->names[value[1] - 'a'], &number))
            return vdnn_onnx_refuse(net, "adds '%.100s' to a variance, expected a constant number",
                                    m->names[value[1] - 'a']);
        attribute->real = (float)number;
    }
    node->attributes.items = attribute;
    node->attributes.count = node->attributes.capacity = 1;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_rewrite(vdnn_onnx *net)
{
    const size_t nodes = net->proto.graph.nodes.count;
    for (size_t i = nodes; i-- > 0;) {
        vdnn_onnx_node *node = &net->proto.graph.nodes.items[i];
        if (net->is_done[i])
            continue;
        for (size_t k = 0; k < sizeof rewritings / sizeof *rewritings; k++) {
            match m = {.inside_count = 0};
            const char *rest = NULL;
            if (!begins_with(rewritings[k].pattern, node->op, &rest) ||
                !match_node(net, rest, node, &m) || !is_closed(net, &m, node))
                continue;
            net->node = node;
            net->index = (int32_t)i;
            VDNN_TRY(replace(net, &rewritings[k], &m, node));
            break;
        }
    }
    net->node = NULL;
    return VDNN_OK;
}
