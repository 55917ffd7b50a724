#include "tests/support/reference_attention.h"

#include "layers/attention/additive_attention.h"
#include "layers/attention/attention.h"

#include <math.h>
#include <stdlib.h>

/* A query of a head of a sample, and the scores of its keys as probabilities. */
typedef struct row {
    const vdnn_attention_shape *s;
    int64_t sample, head, query;
} row;

static double q_of(const row *r, const vdnn_reference_args *args, int64_t i)
{
    const vdnn_attention_part *q = &r->s->q;
    return args->x[q->input][vdnn_attention_at(q, r->sample, r->query, r->head) + i];
}

/* Of k or v. */
static int64_t key_at(const row *r, const vdnn_attention_part *part, int64_t key)
{
    return vdnn_attention_at(part, r->sample, key, r->head / r->s->group);
}

/* Of a sample: the positions that count. */
static int64_t length_of(const row *r, const vdnn_reference_args *args)
{
    return r->s->lengths < 0 ? r->s->keys : (int64_t)args->x[r->s->lengths][r->sample];
}

/* To which the query attends; 0: it does not count itself, or no key does. */
static int64_t keys_of(const row *r, const vdnn_reference_args *args)
{
    const int64_t length = length_of(r, args);
    if (r->s->lengths >= 0 && r->s->is_packed && r->query >= length)
        return 0;
    return r->s->causal && r->query + 1 < length ? r->query + 1 : length;
}

static double score_of(const row *r, const vdnn_reference_args *args, int64_t key)
{
    const double *k = args->x[r->s->k.input] + key_at(r, &r->s->k, key);
    double sum = 0;
    for (int64_t i = 0; i < r->s->width; i++)
        sum += q_of(r, args, i) * k[i];
    return sum / sqrt((double)r->s->width);
}

/* The logarithm of the sum of the exponentials of the row's scores. */
static double log_sum_of(const row *r, const vdnn_reference_args *args)
{
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t key = 0; key < keys_of(r, args); key++)
        largest = fmax(largest, score_of(r, args, key));
    for (int64_t key = 0; key < keys_of(r, args); key++)
        sum += exp(score_of(r, args, key) - largest);
    return sum > 0 ? largest + log(sum) : 0;
}

static void each_row(const vdnn_layer *layer, const vdnn_reference_args *args,
                     void (*function)(const row *, const vdnn_reference_args *))
{
    const vdnn_attention_shape s = vdnn_attention_shape_of(layer);
    row r = {.s = &s};
    for (r.sample = 0; r.sample < s.samples; r.sample++)
        for (r.head = 0; r.head < s.heads; r.head++)
            for (r.query = 0; r.query < s.queries; r.query++)
                function(&r, args);
}

static void forward_row(const row *r, const vdnn_reference_args *args)
{
    const double log_sum = log_sum_of(r, args);
    double *y = args->y + vdnn_attention_at(&r->s->y, r->sample, r->query, r->head);
    for (int64_t i = 0; i < r->s->width; i++)
        y[i] = 0;
    for (int64_t key = 0; key < keys_of(r, args); key++) {
        const double *v = args->x[r->s->v.input] + key_at(r, &r->s->v, key);
        const double p = exp(score_of(r, args, key) - log_sum);
        for (int64_t i = 0; i < r->s->width; i++)
            y[i] += p * v[i];
    }
}

static void attention_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    each_row(layer, args, forward_row);
}

/* The gradient of the probability of a key. */
static double gradient_of(const row *r, const vdnn_reference_args *args, int64_t key)
{
    const double *v = args->x[r->s->v.input] + key_at(r, &r->s->v, key);
    const double *dy = args->dy + vdnn_attention_at(&r->s->y, r->sample, r->query, r->head);
    double sum = 0;
    for (int64_t i = 0; i < r->s->width; i++)
        sum += dy[i] * v[i];
    return sum;
}

static void backward_key(const row *r, const vdnn_reference_args *args, int64_t key, double p,
                         double ds)
{
    const vdnn_attention_shape *s = r->s;
    const double *k = args->x[s->k.input] + key_at(r, &s->k, key);
    const double *dy = args->dy + vdnn_attention_at(&s->y, r->sample, r->query, r->head);
    double *dq = args->dx[s->q.input] + vdnn_attention_at(&s->q, r->sample, r->query, r->head);
    double *dk = args->dx[s->k.input] + key_at(r, &s->k, key);
    double *dv = args->dx[s->v.input] + key_at(r, &s->v, key);
    for (int64_t i = 0; i < s->width; i++) {
        dq[i] += ds * k[i];
        dk[i] += ds * q_of(r, args, i);
        dv[i] += p * dy[i];
    }
}

static void backward_row(const row *r, const vdnn_reference_args *args)
{
    const double log_sum = log_sum_of(r, args);
    double mean = 0;
    for (int64_t key = 0; key < keys_of(r, args); key++)
        mean += exp(score_of(r, args, key) - log_sum) * gradient_of(r, args, key);
    for (int64_t key = 0; key < keys_of(r, args); key++) {
        const double p = exp(score_of(r, args, key) - log_sum);
        const double ds = p * (gradient_of(r, args, key) - mean) / sqrt((double)r->s->width);
        backward_key(r, args, key, p, ds);
    }
}

static void attention_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int32_t k = 0; k < layer->input_count; k++)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->x[k]); i++)
            args->dx[k][i] = 0;
    each_row(layer, args, backward_row);
}

const vdnn_reference vdnn_reference_attention = {"attention",
                                                 {attention_forward, attention_backward, NULL}};

/* ---- additive attention: a query and a key at a time ------------------------------------------
 */

/* A query of a sample, and its keys as scores and probabilities. */
typedef struct additive_row {
    const vdnn_layer *layer;
    const vdnn_reference_args *args;
    vdnn_attention_shape s;
    int64_t sample, query, keys;
    double *p;
} additive_row;

static double *additive_param(const additive_row *r, double *block, int param)
{
    return block + r->layer->params[param].offset / sizeof(float);
}

static double additive_norm(const additive_row *r)
{
    const double *weight = additive_param(r, r->args->w, VDNN_ADDITIVE_WEIGHT);
    double squares = 0;
    for (int64_t c = 0; c < r->s.width; c++)
        squares += weight[c] * weight[c];
    return sqrt(squares);
}

static int64_t additive_at(const additive_row *r, const vdnn_attention_part *part, int64_t position)
{
    return vdnn_attention_at(part, r->sample, position, 0);
}

static double additive_tanh(const additive_row *r, int64_t key, int64_t c)
{
    const double *q = r->args->x[r->s.q.input] + additive_at(r, &r->s.q, r->query);
    const double *k = r->args->x[r->s.k.input] + additive_at(r, &r->s.k, key);
    return tanh(q[c] + k[c] + additive_param(r, r->args->w, VDNN_ADDITIVE_BIAS)[c]);
}

static double additive_score(const additive_row *r, int64_t key)
{
    const double *weight = additive_param(r, r->args->w, VDNN_ADDITIVE_WEIGHT);
    double sum = 0;
    for (int64_t c = 0; c < r->s.width; c++)
        sum += weight[c] * additive_tanh(r, key, c);
    return *additive_param(r, r->args->w, VDNN_ADDITIVE_SCALE) * sum / additive_norm(r);
}

static void additive_weigh(const additive_row *r)
{
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t key = 0; key < r->keys; key++)
        largest = fmax(largest, r->p[key] = additive_score(r, key));
    for (int64_t key = 0; key < r->keys; key++)
        sum += r->p[key] = exp(r->p[key] - largest);
    for (int64_t key = 0; key < r->keys; key++)
        r->p[key] /= sum;
}

static void additive_each(const vdnn_layer *layer, const vdnn_reference_args *args,
                          void (*function)(const additive_row *))
{
    additive_row r = {layer, args, vdnn_additive_attention_shape_of(layer), 0, 0, 0, NULL};
    r.p = calloc((size_t)r.s.keys, sizeof *r.p);
    for (r.sample = 0; r.sample < r.s.samples; r.sample++)
        for (r.query = 0; r.query < r.s.queries; r.query++) {
            r.keys = r.s.lengths < 0 ? r.s.keys : (int64_t)args->x[r.s.lengths][r.sample];
            additive_weigh(&r);
            function(&r);
        }
    free(r.p);
}

static void additive_forward_row(const additive_row *r)
{
    double *y = r->args->y + additive_at(r, &r->s.y, r->query);
    for (int64_t c = 0; c < r->s.v.width; c++) {
        y[c] = 0;
        for (int64_t key = 0; key < r->keys; key++)
            y[c] += r->p[key] * r->args->x[r->s.v.input][additive_at(r, &r->s.v, key) + c];
    }
}

static void additive_forward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    additive_each(layer, args, additive_forward_row);
}

/* What the gradient of a score adds to those of the parameters. */
static void additive_add_dw(const additive_row *r, int64_t key, double ds)
{
    double *const w = r->args->w, *const dw = r->args->dw, norm = additive_norm(r);
    const double *weight = additive_param(r, w, VDNN_ADDITIVE_WEIGHT);
    const double scale = *additive_param(r, w, VDNN_ADDITIVE_SCALE);
    const double along = additive_score(r, key) / scale; /* of tanh on the weight */
    *additive_param(r, dw, VDNN_ADDITIVE_SCALE) += ds * along;
    for (int64_t c = 0; c < r->s.width; c++) {
        double t = additive_tanh(r, key, c);
        additive_param(r, dw, VDNN_ADDITIVE_WEIGHT)[c] +=
            ds * scale / norm * (t - along * weight[c] / norm);
        additive_param(r, dw, VDNN_ADDITIVE_BIAS)[c] += ds * scale * weight[c] / norm * (1 - t * t);
    }
}

static void additive_add_dx(const additive_row *r, int64_t key, double ds)
{
    const double *weight = additive_param(r, r->args->w, VDNN_ADDITIVE_WEIGHT);
    const double scale = *additive_param(r, r->args->w, VDNN_ADDITIVE_SCALE) / additive_norm(r);
    const double *dy = r->args->dy + additive_at(r, &r->s.y, r->query);
    double *const *dx = r->args->dx;
    for (int64_t c = 0; c < r->s.width; c++) {
        double t = additive_tanh(r, key, c), d = ds * scale * weight[c] * (1 - t * t);
        dx[r->s.q.input][additive_at(r, &r->s.q, r->query) + c] += d;
        dx[r->s.k.input][additive_at(r, &r->s.k, key) + c] += d;
    }
    for (int64_t c = 0; c < r->s.v.width; c++)
        dx[r->s.v.input][additive_at(r, &r->s.v, key) + c] += r->p[key] * dy[c];
}

static double additive_dp(const additive_row *r, int64_t key)
{
    const double *dy = r->args->dy + additive_at(r, &r->s.y, r->query);
    const double *v = r->args->x[r->s.v.input] + additive_at(r, &r->s.v, key);
    double sum = 0;
    for (int64_t c = 0; c < r->s.v.width; c++)
        sum += dy[c] * v[c];
    return sum;
}

static void additive_backward_row(const additive_row *r)
{
    double mean = 0;
    for (int64_t key = 0; key < r->keys; key++)
        mean += r->p[key] * additive_dp(r, key);
    for (int64_t key = 0; key < r->keys; key++) {
        const double ds = r->p[key] * (additive_dp(r, key) - mean);
        if (r->args->dw != NULL)
            additive_add_dw(r, key, ds);
        if (r->args->dx != NULL && r->args->dx[0] != NULL)
            additive_add_dx(r, key, ds);
    }
}

static void additive_backward(const vdnn_layer *layer, const vdnn_reference_args *args)
{
    for (int32_t k = 0; k < layer->input_count && args->dx != NULL; k++)
        for (int64_t i = 0; i < vdnn_desc_count(&layer->x[k]) && args->dx[k] != NULL; i++)
            args->dx[k][i] = 0;
    for (size_t i = 0; i < layer->trainable_bytes / sizeof(float) && args->dw != NULL; i++)
        args->dw[i] = 0;
    additive_each(layer, args, additive_backward_row);
}

const vdnn_reference vdnn_reference_additive_attention = {
    "additive_attention", {additive_forward, additive_backward, additive_backward}};
