#include "runtime/calibrate/model_file.h"

#include <math.h>

/* ---- words and numbers ----------------------------------------------------------------------- */

/* In quotes, on one line: names come from drivers. */
static void add_quoted(vdnn_text *text, const char *words)
{
    vdnn_text_add(text, "\"");
    for (const char *c = words; *c != '\0'; c++)
        vdnn_text_add(text, *c == '"' || *c == '\\' ? "\\%c" : "%c",
                      (unsigned char)*c < ' ' ? ' ' : *c);
    vdnn_text_add(text, "\"");
}

static const char measured[] = "measured", fitted[] = "fitted", assumed[] = "assumed";

typedef struct figure {
    const char *key;
    double value;
    const char *basis, *source;
} figure;

/* Digits enough for bytes; a value below 0 is none. */
static void add_section(vdnn_text *text, const char *name, const figure *figures, size_t count)
{
    vdnn_text_add(text, "%s:\n", name);
    for (size_t i = 0; i < count; i++)
        if (figures[i].value >= 0)
            vdnn_text_add(text, "  %s: {value: %.15g, basis: %s, source: \"%s\"}\n", figures[i].key,
                          figures[i].value, figures[i].basis, figures[i].source);
}

#define ADD_SECTION(text, name, ...)                                                               \
    do {                                                                                           \
        const figure own_figures[] = {__VA_ARGS__};                                                \
        add_section(text, name, own_figures, sizeof own_figures / sizeof *own_figures);            \
    } while (0)

/* ---- sections -------------------------------------------------------------------------------- */

static void add_head(vdnn_text *text, const vdnn_calibrate_card *card)
{
    const vdnn_accuracy *errors = &card->model->accuracy;
    vdnn_text_add(text,
                  "# Measured by vdnnrun --calibrate. Its name is that of the file at first.\n"
                  "name: ");
    add_quoted(text, card->model->name);
    vdnn_text_add(text, "\ncalibrated: true\nsource: ");
    vdnn_text source = {0};
    vdnn_text_add(&source, "vdnnrun --calibrate on %s, %s", card->device, card->library);
    add_quoted(text, source.failed ? "vdnnrun --calibrate" : source.data);
    vdnn_text_fini(&source);
    vdnn_text_add(text,
                  "\n# Of convolutions, each third of the shapes as predicted from the others.\n"
                  "accuracy: {timings: %lld, half_within: %.3g, nine_tenths_within: %.3g}\n",
                  (long long)errors->timings, errors->half_within, errors->nine_tenths_within);
}

/* A peak, or none. */
static double peak(double flops_per_second)
{
    return flops_per_second > 0 ? flops_per_second : -1;
}

static void add_card(vdnn_text *text, const vdnn_device_model *m)
{
    static const char fastest[] = "the fastest of the products, and of the convolutions that are "
                                  "computed as one, taken for 0.9 of it";
    ADD_SECTION(text, "memory", {"bytes", (double)m->memory.bytes, measured, "as the device says"},
                {"usable_bytes", (double)m->memory.usable_bytes, measured,
                 "what a new process could take then"},
                {"bytes_per_second", m->memory.bytes_per_second, measured,
                 "the fastest of the layers, updates and copies that move bytes"});
    ADD_SECTION(
        text, "compute",
        {"f32_flops_per_second", m->compute.f32_flops_per_second, measured, fastest},
        {"tf32_flops_per_second", peak(m->compute.tf32_flops_per_second), measured,
         "the fastest of the products, taken for 0.9 of it"},
        {"bf16_flops_per_second", peak(m->compute.bf16_flops_per_second), measured, fastest},
        {"launch_seconds", m->compute.launch_seconds, measured,
         "an empty operation in a full stream"},
        {"multiprocessors", (double)m->compute.multiprocessors, measured,
         "as the device says; of a processor, threads"});
}

static void add_links(vdnn_text *text, const vdnn_device_model *m)
{
    static const char copy[] = "a copy from or to pinned memory";
    static const char copies[] = "such a copy during compute";
    static const char compute[] = "compute during copies, times as long as alone";
    ADD_SECTION(
        text, "link", {"out_bytes_per_second", m->link.out_bytes_per_second, measured, copy},
        {"in_bytes_per_second", m->link.in_bytes_per_second, measured, copy},
        {"both_bytes_per_second", m->link.both_bytes_per_second, measured,
         "two copies at once, one each way"},
        {"latency_seconds", m->link.latency_seconds, measured, "a copy of 64 bytes"},
        {"out_beside_bytes_per_second", m->link.out_beside_bytes_per_second, measured, copies},
        {"in_beside_bytes_per_second", m->link.in_beside_bytes_per_second, measured, copies},
        {"out_slows_products", m->link.out_slows_products, measured, compute},
        {"in_slows_products", m->link.in_slows_products, measured, compute},
        {"out_slows_moves", m->link.out_slows_moves, measured, compute},
        {"in_slows_moves", m->link.in_slows_moves, measured, compute});
    ADD_SECTION(text, "host", {"bytes", (double)m->host.bytes, measured, "of this machine"});
    ADD_SECTION(text, "layers",
                {"memory_efficiency", m->layers.memory_efficiency, measured,
                 "the middle one of the layers that mostly move bytes"},
                {"gemm_efficiency", m->layers.gemm_efficiency, fitted, "as product.efficiency"},
                {"gemm_tile", (double)m->layers.gemm_tile, assumed, "the large tiles of cuBLAS"});
}

/* To four decimals, as of a search that ends near 0. */
static double rounded(double value)
{
    return round(1e4 * value) / 1e4;
}

/* Of a rate: a line for each key, after `indent`. */
static void add_rate(vdnn_text *text, const vdnn_cost_rate *rate, const char *indent)
{
#define X(key, low, high, required)                                                                \
    vdnn_text_add(text, "%s" #key ": %g\n", indent, rounded(rate->key));
    VDNN_COST_RATE_TABLE(X)
#undef X
}

static void add_fitted(vdnn_text *text, const char *section, const vdnn_accuracy *errors)
{
    vdnn_text_add(
        text,
        "%s:\n  source: \"fitted to %lld timings of this device: each third of the shapes "
        "predicted from the others, half are within %.0f %%, nine tenths within %.0f %%\"\n"
        "  basis: fitted\n",
        section, (long long)errors->timings, 100 * errors->half_within,
        100 * errors->nine_tenths_within);
}

static void add_algorithm(vdnn_text *text, vdnn_cost_algorithm algorithm,
                          const vdnn_cost_rate rates[VDNN_PASS_COUNT])
{
    static const char *const passes[] = {
#define X(name, value, pass) pass,
        VDNN_PASS_TABLE(X)
#undef X
    };
    bool is_said = false;
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        if (rates[pass].efficiency <= 0)
            continue;
        if (!is_said)
            vdnn_text_add(text, "  %s:\n", vdnn_cost_algorithm_text(algorithm));
        is_said = true;
        vdnn_text_add(text, "    %s:\n", passes[pass]);
        add_rate(text, &rates[pass], "      ");
    }
}

static void add_convolution(vdnn_text *text, const char *section, const vdnn_accuracy *errors,
                            const vdnn_cost_rate rates[][VDNN_PASS_COUNT])
{
    if (errors->timings == 0)
        return;
    add_fitted(text, section, errors);
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        add_algorithm(text, (vdnn_cost_algorithm)a, rates[a]);
}

static void add_product(vdnn_text *text, const char *section, const vdnn_accuracy *errors,
                        const vdnn_cost_rate *rate)
{
    if (errors->timings == 0)
        return;
    add_fitted(text, section, errors);
    add_rate(text, rate, "  ");
}

void vdnn_calibrate_model_write(const vdnn_calibrate_card *card, vdnn_text *text)
{
    const vdnn_device_model *m = card->model;
    add_head(text, card);
    add_card(text, m);
    add_links(text, m);
    vdnn_text_add(text, "# Relative to these peaks; workspaces are those of cuDNN's algorithms.\n");
    add_convolution(text, "convolution", &m->accuracy, m->convolution);
    add_convolution(text, "tensor_convolution", &card->tensor_convolutions, m->tensor_convolution);
    add_product(text, "product", &card->products, &m->product);
    add_product(text, "tensor_product", &card->tensor_products, &m->tensor_product);
}
