#include "tests/support/reference_attention.h"

#include "layers/attention/attention.h"

#include <math.h>

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
