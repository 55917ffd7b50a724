#include "runtime/calibrate/fit_rates.h"

#include "runtime/base/heap.h"
#include "runtime/device/sim/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ------------------------------------------------------------------------------ */

/* A parameter: the rates that share it, first value, range. */
typedef struct parameter {
    unsigned algorithms, passes; /* of a convolution; no algorithms: the rate of products */
    size_t key;                  /* of a double in vdnn_cost_rate */
    double first, low, high;
} parameter;

#define ALGORITHM(name) (1U << VDNN_COST_##name)
#define PASS(name) (1U << VDNN_##name)
#define KEY(name) offsetof(vdnn_cost_rate, name)
enum {
    FORWARD = PASS(FORWARD),
    DATA = PASS(BACKWARD_DATA),
    FILTER = PASS(BACKWARD_FILTER),
    MAPS = FORWARD | DATA,
    ALL = MAPS | FILTER,
    LEAN = ALGORITHM(IMPLICIT_GEMM),
    FAST = ALGORITHM(IMPLICIT_PRECOMP_GEMM),
    PRODUCTS = LEAN | FAST,
    WINOGRAD = ALGORITHM(WINOGRAD_NONFUSED)
};

// clang-format off
static const parameter of_convolutions[] = {
    {FAST, FORWARD, KEY(efficiency), 0.8, 0.01, 1},
    {FAST, DATA, KEY(efficiency), 0.7, 0.01, 1},
    {FAST, FILTER, KEY(efficiency), 0.65, 0.01, 1},
    {LEAN, FORWARD, KEY(efficiency), 0.4, 0.01, 1},
    {LEAN, DATA, KEY(efficiency), 0.4, 0.01, 1},
    {LEAN, FILTER, KEY(efficiency), 0.4, 0.01, 1},
    {PRODUCTS, FORWARD, KEY(fill), 12, 0, 400},
    {PRODUCTS, DATA, KEY(fill), 40, 0, 400},
    {PRODUCTS, FILTER, KEY(fill), 100, 0, 1000},
    {PRODUCTS, FORWARD, KEY(narrow), 0.85, 0.3, 1},
    {PRODUCTS, DATA, KEY(narrow), 0.8, 0.3, 1},
    {PRODUCTS, FILTER, KEY(narrow), 0.9, 0.3, 1},
    {PRODUCTS, ALL, KEY(alone), 0.8, 0.3, 1},
    {PRODUCTS, DATA, KEY(transfers), 3.5, 0, 20},
    {PRODUCTS, DATA, KEY(skipped), 0.5, 0, 1},
    {PRODUCTS, ALL, KEY(overlap), 0.3, 0, 1},
    {PRODUCTS | WINOGRAD, ALL, KEY(memory_efficiency), 0.8, 0.1, 1},
    {WINOGRAD, MAPS, KEY(efficiency), 0.6, 0.01, 1},
    {WINOGRAD, FILTER, KEY(efficiency), 0.5, 0.01, 1},
    {WINOGRAD, ALL, KEY(fill), 16, 0, 200},
    {WINOGRAD, ALL, KEY(narrow), 0.8, 0.3, 1},
    {WINOGRAD, ALL, KEY(alone), 0.7, 0.3, 1},
    {WINOGRAD, MAPS, KEY(transfers), 1.6, 0, 20},
    {WINOGRAD, FILTER, KEY(transfers), 1.5, 0, 20},
};
static const parameter of_products[] = {
    {0, 0, KEY(efficiency), 0.8, 0.01, 1},
    {0, 0, KEY(memory_efficiency), 0.8, 0.1, 1},
    {0, 0, KEY(overlap), 0.5, 0, 1},
    {0, 0, KEY(narrow), 0.9, 0.3, 1},
    {0, 0, KEY(alone), 0.8, 0.3, 1},
    {0, 0, KEY(fill), 20, 0, 1000},
    {0, 0, KEY(thin), 0.1, 0.001, 0.9},
};
// clang-format on

enum { MOST_PARAMETERS = sizeof of_convolutions / sizeof *of_convolutions };

/* A fit of a kind's parameters to its timings but those of one fold. */
typedef struct fit {
    const vdnn_calibrate_timings *timings;
    vdnn_calibrate_kind kind;
    vdnn_dtype dtype;
    const parameter *table;
    size_t count;
    unsigned timed[VDNN_COST_ALGORITHM_COUNT]; /* passes with timings */
    int32_t without;                           /* fold; -1: none */
    const vdnn_device_model *model;
    vdnn_cost_rate (*convolution)[VDNN_PASS_COUNT]; /* the model's that are fitted */
    vdnn_cost_rate *product;
} fit;

static void set_key(vdnn_cost_rate *rate, size_t key, double value)
{
    memcpy((char *)rate + key, &value, sizeof value);
}

static void set_rates(const fit *own, const double *values)
{
    for (size_t i = 0; i < own->count; i++) {
        const parameter *p = &own->table[i];
        if (p->algorithms == 0)
            set_key(own->product, p->key, values[i]);
        for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
            for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
                if ((p->algorithms >> a & p->passes >> pass & own->timed[a] >> pass & 1U) != 0)
                    set_key(&own->convolution[a][pass], p->key, values[i]);
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

double vdnn_calibrate_predict(const vdnn_device_model *model, const vdnn_calibrate_timing *timing)
{
    const bool is_conv = timing->kind == VDNN_CALIBRATE_CONVOLUTION;
    const vdnn_algorithm algorithm = {.layer_type = timing->layer->def->type,
                                      .name = is_conv ? vdnn_cost_algorithm_text(timing->algorithm)
                                                      : "gemm"};
    double seconds = 0;
    size_t workspace_bytes;
    vdnn_status status = vdnn_predict_pass(model, timing->layer, timing->pass, &algorithm, &seconds,
                                           &workspace_bytes);
    return status == VDNN_OK ? seconds : (double)INFINITY;
}

/* In logarithms, of the time that a step takes for it: with the launch. */
static double error_of(const fit *own, const vdnn_calibrate_timing *row)
{
    double launch = own->model->compute.launch_seconds;
    return log((vdnn_calibrate_predict(own->model, row) + launch) / (row->seconds + launch));
}

static bool is_fitted(const fit *own, const vdnn_calibrate_timing *row)
{
    return row->kind == own->kind && row->dtype == own->dtype;
}

static bool is_kept_back(const vdnn_calibrate_timing *row, int32_t fold)
{
    return row->shape % VDNN_CALIBRATE_FOLDS == fold;
}

static double loss_of(const fit *own, const double *values)
{
    static const double scale = 0.2;
    double sum = 0;
    set_rates(own, values);
    for (int32_t i = 0; i < own->timings->count; i++) {
        const vdnn_calibrate_timing *row = &own->timings->rows[i];
        if (is_fitted(own, row) && !is_kept_back(row, own->without))
            sum += log1p(pow(error_of(own, row) / scale, 2));
    }
    return sum;
}

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct search {
    double values[MOST_PARAMETERS], widths[MOST_PARAMETERS];
    double loss;
} search;

/* One parameter, up and down; false: neither helps. */
static bool step(const fit *own, search *at, size_t i)
{
    static const double directions[] = {1, -1}, least_gain = 1e-9;
    const double value = at->values[i];
    for (size_t d = 0; d < sizeof directions / sizeof *directions; d++) {
        double tried = value * exp(directions[d] * at->widths[i]);
        at->values[i] = fmin(fmax(tried, own->table[i].low), own->table[i].high);
        double loss = loss_of(own, at->values);
        if (loss < at->loss - least_gain) {
            at->loss = loss;
            return true;
        }
    }
    at->values[i] = value;
    return false;
}

static void descend(const fit *own)
{
    enum { ROUNDS = 30 };
    static const double first_width = 0.2, growth = 1.4, shrinkage = 0.5, least_width = 1e-3;
    search at = {.loss = 0};
    double widest = first_width;
    for (size_t i = 0; i < own->count; i++) {
        at.values[i] = own->table[i].first;
        at.widths[i] = first_width;
    }
    at.loss = loss_of(own, at.values);
    for (int round = 0; round < ROUNDS && widest > least_width; round++) {
        widest = 0;
        for (size_t i = 0; i < own->count; i++) {
            at.widths[i] *= step(own, &at, i) ? growth : shrinkage;
            widest = fmax(widest, at.widths[i]);
        }
    }
    set_rates(own, at.values);
}

/* ---- a kind ---------------------------------------------------------------------------------- */

static void note_timed(fit *own)
{
    for (int32_t i = 0; i < own->timings->count; i++) {
        const vdnn_calibrate_timing *row = &own->timings->rows[i];
        if (is_fitted(own, row))
            own->timed[row->algorithm] |= 1U << row->pass;
    }
}

/* Every device has products without workspace, says the model: where none was found, as much slower
 * than those with one as on titan-x-maxwell. */
static void supply_lean(vdnn_cost_rate (*convolution)[VDNN_PASS_COUNT])
{
    static const double shares[VDNN_PASS_COUNT] = {0.5, 0.7, 0.75};
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        vdnn_cost_rate *lean = &convolution[VDNN_COST_IMPLICIT_GEMM][pass];
        if (lean->efficiency > 0)
            continue;
        *lean = convolution[VDNN_COST_IMPLICIT_PRECOMP_GEMM][pass];
        lean->efficiency *= shares[pass];
    }
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* As models/devices/fitting.py: of errors' sizes, the middle one and that below which nine tenths
 * are. */
static vdnn_accuracy spread(double *errors, int32_t count)
{
    qsort(errors, (size_t)count, sizeof *errors, compare);
    return (vdnn_accuracy){.timings = count,
                           .half_within = (errors[count / 2] + errors[(count - 1) / 2]) / 2,
                           .nine_tenths_within = errors[(int32_t)(0.9 * (count - 1))]};
}

/* Each third of the shapes from the others. */
static int32_t predict_folds(fit *own, double *errors)
{
    int32_t count = 0;
    for (int32_t fold = 0; fold < VDNN_CALIBRATE_FOLDS; fold++) {
        own->without = fold;
        descend(own);
        for (int32_t i = 0; i < own->timings->count; i++) {
            const vdnn_calibrate_timing *row = &own->timings->rows[i];
            if (is_fitted(own, row) && is_kept_back(row, fold))
                errors[count++] = fabs(expm1(error_of(own, row)));
        }
    }
    return count;
}

vdnn_status vdnn_calibrate_fit(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                               vdnn_dtype dtype, vdnn_device_model *model, vdnn_accuracy *errors)
{
    const bool is_conv = kind == VDNN_CALIBRATE_CONVOLUTION, is_f32 = dtype == VDNN_F32;
    fit own = {.timings = timings,
               .kind = kind,
               .dtype = dtype,
               .table = is_conv ? of_convolutions : of_products,
               .count = is_conv ? MOST_PARAMETERS : sizeof of_products / sizeof *of_products,
               .without = -1,
               .model = model,
               .convolution = is_f32 ? model->convolution : model->tensor_convolution,
               .product = is_f32 ? &model->product : &model->tensor_product};
    double *found = vdnn_heap_calloc((size_t)timings->count + 1, sizeof *found);
    if (found == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "calibration: no memory for %d errors",
                                timings->count);
    note_timed(&own);
    int32_t count = predict_folds(&own, found);
    *errors = (vdnn_accuracy){.timings = 0};
    if (count > 0)
        *errors = spread(found, count);
    vdnn_heap_free(found);
    own.without = -1;
    descend(&own);
    if (is_conv)
        supply_lean(own.convolution);
    return VDNN_OK;
}
