#include "runtime/train/files/hugging_face.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/train/files/name_pattern.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = VDNN_NAME_PATTERN_BYTES, MOST_PARTS = 3, MOST_DIMS = VDNN_SAFETENSORS_DIMS };

typedef enum family { GPT2, LLAMA, BERT, VIT, FAMILIES } family;

/* A name that only files of the family have. */
static const char *const marks[FAMILIES] = {
    [GPT2] = "(transformer\\.)?h\\.0\\.attn\\.c_attn\\.weight",
    [LLAMA] = "(model\\.)?layers\\.0\\.self_attn\\.q_proj\\.weight",
    [BERT] = "(bert\\.)?encoder\\.layer\\.0\\.attention\\.self\\.query\\.weight",
    [VIT] = "(vit\\.)?encoder\\.layer\\.0\\.attention\\.attention\\.query\\.weight",
};

/* What stands in front of a family's names where a head is around the network. */
static const char *const prefixes[FAMILIES] = {
    [GPT2] = "transformer.", [LLAMA] = "model.", [BERT] = "bert.", [VIT] = "vit."};

/* In the order in which they are tried: a pattern of a tensor's name without the prefix, and the
 * template of the name here (name_pattern.h), NULL where training has no use for the tensor. */
static const struct rule {
    family family;
    const char *pattern, *name;
    int part;    /* of the tensors that are one here, one after the other */
    bool turned; /* (in, out) in place of (out, in) */
} rules[] = {
    {GPT2, "h\\.[0-9]+\\.attn\\.(bias|masked_bias)", NULL, 0, false},
    {GPT2, "wte\\.weight", "wte.weight", 0, false},
    {GPT2, "wpe\\.weight", "block0.weight", 0, false},
    {GPT2, "lm_head\\.weight", "head.weight", 0, false},
    {GPT2, "h\\.([0-9]+)\\.ln_([12])\\.(weight|bias)", "ln\\2_\\i.\\3", 0, false},
    {GPT2, "h\\.([0-9]+)\\.attn\\.c_attn\\.weight", "qkv_\\i.weight", 0, true},
    {GPT2, "h\\.([0-9]+)\\.attn\\.c_attn\\.bias", "qkv_\\i.bias", 0, false},
    {GPT2, "h\\.([0-9]+)\\.attn\\.c_proj\\.weight", "out_\\i.weight", 0, true},
    {GPT2, "h\\.([0-9]+)\\.attn\\.c_proj\\.bias", "out_\\i.bias", 0, false},
    {GPT2, "h\\.([0-9]+)\\.mlp\\.c_fc\\.weight", "up_\\i.weight", 0, true},
    {GPT2, "h\\.([0-9]+)\\.mlp\\.c_fc\\.bias", "up_\\i.bias", 0, false},
    {GPT2, "h\\.([0-9]+)\\.mlp\\.c_proj\\.weight", "down_\\i.weight", 0, true},
    {GPT2, "h\\.([0-9]+)\\.mlp\\.c_proj\\.bias", "down_\\i.bias", 0, false},
    {GPT2, "ln_f\\.(weight|bias)", "ln_f.\\1", 0, false},

    {LLAMA, ".*rotary_emb\\.inv_freq", NULL, 0, false},
    {LLAMA, "embed_tokens\\.weight", "block0.weight", 0, false},
    {LLAMA, "lm_head\\.weight", "head.weight", 0, false},
    {LLAMA, "layers\\.([0-9]+)\\.input_layernorm\\.weight", "norm1_\\i.weight", 0, false},
    {LLAMA, "layers\\.([0-9]+)\\.post_attention_layernorm\\.weight", "norm2_\\i.weight", 0, false},
    {LLAMA, "layers\\.([0-9]+)\\.self_attn\\.q_proj\\.(weight|bias)", "qkv_\\i.\\2", 0, false},
    {LLAMA, "layers\\.([0-9]+)\\.self_attn\\.k_proj\\.(weight|bias)", "qkv_\\i.\\2", 1, false},
    {LLAMA, "layers\\.([0-9]+)\\.self_attn\\.v_proj\\.(weight|bias)", "qkv_\\i.\\2", 2, false},
    {LLAMA, "layers\\.([0-9]+)\\.self_attn\\.o_proj\\.weight", "out_\\i.weight", 0, false},
    {LLAMA, "layers\\.([0-9]+)\\.mlp\\.(gate|up|down)_proj\\.weight", "\\2_\\i.weight", 0, false},
    {LLAMA, "norm\\.weight", "norm.weight", 0, false},

    {BERT, "embeddings\\.position_ids", NULL, 0, false},
    {BERT, "cls\\..*", NULL, 0, false},
    {BERT, "embeddings\\.word_embeddings\\.weight", "word.weight", 0, false},
    {BERT, "embeddings\\.position_embeddings\\.weight", "position.weight", 0, false},
    {BERT, "embeddings\\.token_type_embeddings\\.weight", "segment.weight", 0, false},
    {BERT, "embeddings\\.LayerNorm\\.(weight|gamma)", "block0.weight", 0, false},
    {BERT, "embeddings\\.LayerNorm\\.(bias|beta)", "block0.bias", 0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.self\\.query\\.(weight|bias)", "qkv_\\i.\\2",
     0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.self\\.key\\.(weight|bias)", "qkv_\\i.\\2", 1,
     false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.self\\.value\\.(weight|bias)", "qkv_\\i.\\2",
     2, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.output\\.dense\\.(weight|bias)", "out_\\i.\\2",
     0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.output\\.LayerNorm\\.(weight|gamma)",
     "mid_\\i.weight", 0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.attention\\.output\\.LayerNorm\\.(bias|beta)",
     "mid_\\i.bias", 0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.intermediate\\.dense\\.(weight|bias)", "up_\\i.\\2", 0,
     false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.output\\.dense\\.(weight|bias)", "down_\\i.\\2", 0, false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.output\\.LayerNorm\\.(weight|gamma)", "block\\i.weight", 0,
     false},
    {BERT, "encoder\\.layer\\.([0-9]+)\\.output\\.LayerNorm\\.(bias|beta)", "block\\i.bias", 0,
     false},
    {BERT, "pooler\\.dense\\.(weight|bias)", "pooler.\\1", 0, false},
    {BERT, "classifier\\.(weight|bias)", "classifier.\\1", 0, false},

    {VIT, "pooler\\..*", NULL, 0, false},
    {VIT, "embeddings\\.cls_token", "class.weight", 0, false},
    {VIT, "embeddings\\.position_embeddings", "block0.weight", 0, false},
    {VIT, "embeddings\\.patch_embeddings\\.projection\\.(weight|bias)", "patch.\\1", 0, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.attention\\.attention\\.query\\.(weight|bias)",
     "qkv_\\i.\\2", 0, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.attention\\.attention\\.key\\.(weight|bias)", "qkv_\\i.\\2",
     1, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.attention\\.attention\\.value\\.(weight|bias)",
     "qkv_\\i.\\2", 2, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.attention\\.output\\.dense\\.(weight|bias)", "out_\\i.\\2",
     0, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.intermediate\\.dense\\.(weight|bias)", "up_\\i.\\2", 0,
     false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.output\\.dense\\.(weight|bias)", "down_\\i.\\2", 0, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.layernorm_before\\.(weight|bias)", "ln1_\\i.\\2", 0, false},
    {VIT, "encoder\\.layer\\.([0-9]+)\\.layernorm_after\\.(weight|bias)", "ln2_\\i.\\2", 0, false},
    {VIT, "layernorm\\.(weight|bias)", "ln_f.\\1", 0, false},
    {VIT, "classifier\\.(weight|bias)", "head.\\1", 0, false},
};

enum { RULES = sizeof rules / sizeof *rules };

/* A tensor of the network's, and what it is made of. */
typedef struct view {
    char name[NAME_BYTES];
    int32_t parts[MOST_PARTS]; /* tensors of the file; -1: it is missing */
    int part_count;
    bool turned;
} view;

struct vdnn_hugging_face {
    const vdnn_shards *shards; /* borrowed */
    const char *path;          /* borrowed */
    view *views;
    int32_t count;
    const view *kept; /* whose tensor is in `whole` */
    float *whole;
};

/* ---- the names ------------------------------------------------------------------------------- */

/* FAMILIES: none. */
static family family_of(const vdnn_shards *shards, bool *no_memory)
{
    vdnn_name_groups groups;
    for (int32_t i = 0; i < vdnn_shards_count(shards); i++)
        for (int f = 0; f < FAMILIES; f++)
            if (vdnn_name_pattern_match(marks[f], vdnn_shards_name(shards, i), &groups, no_memory))
                return (family)f;
    return FAMILIES;
}

static const char *without_prefix(family kind, const char *name)
{
    size_t length = strlen(prefixes[kind]);
    return strncmp(name, prefixes[kind], length) == 0 ? name + length : name;
}

/* NULL: none, or *no_memory. */
static const struct rule *find_rule(family kind, const char *name, vdnn_name_groups *groups,
                                    bool *no_memory)
{
    for (size_t i = 0; i < RULES && !*no_memory; i++)
        if (rules[i].family == kind &&
            vdnn_name_pattern_match(rules[i].pattern, name, groups, no_memory))
            return &rules[i];
    return NULL;
}

/* The view of that name, which is made if there is none. */
static view *view_of(vdnn_hugging_face *weights, const char *name)
{
    for (int32_t i = 0; i < weights->count; i++)
        if (strcmp(weights->views[i].name, name) == 0)
            return &weights->views[i];
    view *fresh = &weights->views[weights->count++];
    (void)snprintf(fresh->name, sizeof fresh->name, "%s", name);
    for (int p = 0; p < MOST_PARTS; p++)
        fresh->parts[p] = -1;
    return fresh;
}

static void add_tensor(vdnn_hugging_face *weights, family kind, int32_t tensor, bool *no_memory)
{
    vdnn_name_groups groups;
    char name[NAME_BYTES];
    const char *stored = vdnn_shards_name(weights->shards, tensor),
               *inner = without_prefix(kind, stored);
    const struct rule *rule = find_rule(kind, inner, &groups, no_memory);
    if (rule != NULL && rule->name == NULL)
        return;
    (void)snprintf(name, sizeof name, "%s", stored);
    if (rule != NULL)
        vdnn_name_pattern_fill(rule->name, inner, &groups, 0, name);
    view *v = view_of(weights, name);
    int part = rule == NULL ? 0 : rule->part;
    v->parts[part] = tensor;
    v->turned = rule != NULL && rule->turned;
    v->part_count = part + 1 > v->part_count ? part + 1 : v->part_count;
}

vdnn_status vdnn_hugging_face_open(const vdnn_shards *shards, const char *path,
                                   vdnn_hugging_face **weights)
{
    bool no_memory = false;
    family kind = family_of(shards, &no_memory);
    *weights = NULL;
    if (kind == FAMILIES && !no_memory)
        return VDNN_OK;
    vdnn_hugging_face *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    int32_t count = vdnn_shards_count(shards);
    if (fresh != NULL && !no_memory) {
        *fresh = (vdnn_hugging_face){.shards = shards, .path = path};
        fresh->views = vdnn_heap_calloc((size_t)count, sizeof *fresh->views);
        no_memory = fresh->views == NULL;
        for (int32_t i = 0; i < count && !no_memory; i++)
            add_tensor(fresh, kind, i, &no_memory);
    }
    if (fresh != NULL && !no_memory) {
        *weights = fresh;
        return VDNN_OK;
    }
    vdnn_hugging_face_close(fresh);
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
}

void vdnn_hugging_face_close(vdnn_hugging_face *weights)
{
    if (weights == NULL)
        return;
    vdnn_heap_free(weights->views);
    vdnn_heap_free(weights->whole);
    vdnn_heap_free(weights);
}

int32_t vdnn_hugging_face_count(const vdnn_hugging_face *weights)
{
    return weights->count;
}

const char *vdnn_hugging_face_name(const vdnn_hugging_face *weights, int32_t i)
{
    return weights->views[i].name;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What is read: the view, by the shape that is wanted of it. */
typedef struct reading {
    vdnn_hugging_face *weights;
    const view *view;
    const int64_t *dims;
    int dim_count;
} reading;

static vdnn_status find_view(const vdnn_hugging_face *weights, const char *name, const view **found)
{
    for (int32_t i = 0; i < weights->count; i++)
        if (strcmp(weights->views[i].name, name) == 0) {
            *found = &weights->views[i];
            return VDNN_OK;
        }
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no tensor for %s", weights->path, name);
}

/* The dimensions of a part, without those of 1 in front that the network's have not. */
static const int64_t *dims_of_part(const reading *r, int part, int *dim_count)
{
    const int64_t *dims = vdnn_shards_dims(r->weights->shards, r->view->parts[part], dim_count);
    while (*dim_count > r->dim_count && dims[0] == 1) {
        dims++;
        (*dim_count)--;
    }
    return dims;
}

static vdnn_status refuse_shape(const reading *r, int part)
{
    int dim_count;
    char text[256] = "", wanted[256] = "";
    size_t length = 0, end = 0;
    const int64_t *dims = vdnn_shards_dims(r->weights->shards, r->view->parts[part], &dim_count);
    for (int d = 0; d < dim_count; d++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld",
                                   d == 0 ? "" : " x ", (long long)dims[d]);
    for (int d = 0; d < r->dim_count; d++)
        end += (size_t)snprintf(wanted + end, sizeof wanted - end, "%s%lld", d == 0 ? "" : " x ",
                                (long long)r->dims[d]);
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%s: tensor %s is of shape %s, but %s, which it is%s%s, has %s",
        r->weights->path, vdnn_shards_name(r->weights->shards, r->view->parts[part]), text,
        r->view->name, r->view->part_count > 1 ? " part of" : "",
        r->view->turned ? ", transposed" : "", wanted);
}

/* That all parts are there, and are together of the wanted shape. */
static vdnn_status check_parts(const reading *r)
{
    int64_t rows = 0;
    for (int p = 0; p < r->view->part_count; p++) {
        int dim_count;
        if (r->view->parts[p] < 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: lacks a tensor of queries, keys or values: part %d of %s",
                                    r->weights->path, p + 1, r->view->name);
        const int64_t *dims = dims_of_part(r, p, &dim_count);
        bool is_alike = dim_count == r->dim_count;
        for (int d = 1; d < dim_count && is_alike; d++)
            is_alike = dims[d] == r->dims[r->view->turned ? dim_count - 1 - d : d];
        rows += dims[0];
        if (!is_alike || (p + 1 == r->view->part_count && rows != r->dims[r->view->turned ? 1 : 0]))
            return refuse_shape(r, p);
    }
    return VDNN_OK;
}

/* The elements from `first` on, from whichever parts they are in. */
static vdnn_status read_parts(const reading *r, int64_t first, int64_t count, float *floats)
{
    int64_t begin = 0;
    for (int p = 0; p < r->view->part_count && count > 0; p++) {
        int dim_count;
        const int64_t *dims = dims_of_part(r, p, &dim_count);
        int64_t elements = 1;
        for (int d = 0; d < dim_count; d++)
            elements *= dims[d];
        if (first < begin + elements) {
            int64_t left = begin + elements - first, taken = count < left ? count : left;
            VDNN_TRY(vdnn_shards_read_part(r->weights->shards, r->view->parts[p], first - begin,
                                           taken, floats));
            first += taken;
            floats += taken;
            count -= taken;
        }
        begin += elements;
    }
    return VDNN_OK;
}

/* Into `whole`, if it is not there already. */
static vdnn_status keep_whole(const reading *r)
{
    vdnn_hugging_face *weights = r->weights;
    int64_t count = r->dims[0] * r->dims[1];
    if (weights->kept == r->view)
        return VDNN_OK;
    vdnn_heap_free(weights->whole);
    weights->kept = NULL;
    weights->whole = vdnn_heap_calloc((size_t)count, sizeof *weights->whole);
    if (weights->whole == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to transpose %s", weights->path,
                                r->view->name);
    VDNN_TRY(vdnn_shards_read_part(weights->shards, r->view->parts[0], 0, count, weights->whole));
    weights->kept = r->view;
    return VDNN_OK;
}

static vdnn_status read_turned(const reading *r, int64_t first, int64_t count, float *floats)
{
    VDNN_TRY(keep_whole(r));
    const int64_t rows = r->dims[0], columns = r->dims[1];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = (first + i) / columns, column = (first + i) % columns;
        floats[i] = r->weights->whole[column * rows + row];
    }
    return VDNN_OK;
}

vdnn_status vdnn_hugging_face_read_part(vdnn_hugging_face *weights, const char *name,
                                        const int64_t *dims, int dim_count, int64_t first,
                                        int64_t count, float *floats)
{
    reading r = {.weights = weights, .dims = dims, .dim_count = dim_count};
    VDNN_TRY(find_view(weights, name, &r.view));
    VDNN_TRY(check_parts(&r));
    return r.view->turned ? read_turned(&r, first, count, floats)
                          : read_parts(&r, first, count, floats);
}
