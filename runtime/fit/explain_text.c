/* An explanation in words, for people. */

#include "runtime/base/numbers/rounded.h"
#include "runtime/base/table.h"
#include "runtime/fit/explain.h"
#include "runtime/fit/memory_curve.h"
#include "runtime/graph/graph.h"
#include "runtime/setup/known_digits.h"

#include <stdio.h>
#include <string.h>

/* ---- what it needs --------------------------------------------------------------------------- */

typedef struct people {
    char text[64];
} people;

static people bytes_text(size_t bytes)
{
    people result = {.text = ""};
    (void)vdnn_text_bytes(result.text, sizeof result.text, (double)bytes);
    return result;
}

/* "1536 bytes (1.50 KiB)", and "0 bytes". */
static people exact_text(size_t bytes)
{
    enum { LEAST_NAMED = 1024 }; /* below it the unit is bytes */
    people result;
    char unit[24];
    if (bytes < LEAST_NAMED)
        (void)snprintf(result.text, sizeof result.text, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
    else
        (void)snprintf(result.text, sizeof result.text, "%zu bytes (%s)", bytes,
                       vdnn_text_bytes(unit, sizeof unit, (double)bytes));
    return result;
}

static const char *algo_text(const vdnn_remedy *asked)
{
    return !asked->policy->is_static ? "" : asked->algo == VDNN_ALGO_M ? " --algo m" : " --algo p";
}

static void print_tier(vdnn_text *text, vdnn_tier own, size_t need, size_t budget)
{
    const char *tier = vdnn_tier_text(own), *option = vdnn_tier_option(own);
    if (need > budget)
        vdnn_text_add(text, "  %s memory: %s are needed, %s is %s: %s are missing\n", tier,
                      exact_text(need).text, option, exact_text(budget).text,
                      exact_text(need - budget).text);
    else
        vdnn_text_add(text, "  %s memory: %s are needed, %s is %s: %s are left\n", tier,
                      exact_text(need).text, option, bytes_text(budget).text,
                      bytes_text(budget - need).text);
}

static void print_peak(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_plan *plan = explanation->plan;
    const vdnn_step *step = &plan->steps[plan->peak_step];
    const char *layer = step->layer >= 0 ? plan->graph->layers[step->layer].name : "no layer";
    vdnn_text_add(text, "  the most is alive at step %d of the plan, %s%s%s of %s: %s\n",
                  plan->peak_step, vdnn_step_kind_text(step->kind),
                  step->kind == VDNN_STEP_RUN ? " " : "",
                  step->kind == VDNN_STEP_RUN ? vdnn_pass_text(step->pass) : "", layer,
                  bytes_text(plan->peak_bytes[VDNN_TIER_DEVICE]).text);
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        if (plan->by_category_at_peak[c] > 0)
            vdnn_text_add(text, "    %-17s %11s\n", vdnn_category_text((vdnn_category)c),
                          bytes_text(plan->by_category_at_peak[c]).text);
    if (plan->span_bytes[VDNN_TIER_DEVICE] > plan->peak_bytes[VDNN_TIER_DEVICE])
        vdnn_text_add(
            text, "    %-17s %11s\n", "between buffers",
            bytes_text(plan->span_bytes[VDNN_TIER_DEVICE] - plan->peak_bytes[VDNN_TIER_DEVICE])
                .text);
    vdnn_text_add(text, "  the largest of it:\n");
    for (size_t i = 0; i < explanation->largest_count; i++) {
        const vdnn_buffer *buffer = &plan->buffers[explanation->largest[i]];
        const char *name =
            buffer->layer >= 0 ? plan->graph->layers[buffer->layer].name : buffer->label;
        vdnn_text_add(text, "    %-17s %11s  %s\n", vdnn_class_text(buffer->class),
                      bytes_text(buffer->bytes).text, name);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* What the change needs stands in bytes, to be typed, and in units. */
enum { CHANGE, RESULTS, SPEED, STEP, RATE, BYTES, UNITS, SAVES, COLUMNS };

static const vdnn_table_column columns[COLUMNS] = {
    [CHANGE] = {"change", 0, true},
    [RESULTS] = {"results", 1, true},
    [SPEED] = {"speed", 2, true},
    [STEP] = {"step", 4, false},
    [RATE] = {NULL, 3, false},
    [BYTES] = {"smallest", 0, false},
    [UNITS] = {"--device-mem", 6, false},
    [SAVES] = {"saves", 5, false},
};

/* The run as it is, where its smallest is known, and then the remedies. */
static const vdnn_remedy *remedy_at(const vdnn_explanation *explanation, size_t row)
{
    const size_t first = explanation->asked.device_bytes != 0 ? 1 : 0;
    return row < first ? &explanation->asked : &explanation->remedies[row - first];
}

static size_t row_count(const vdnn_explanation *explanation)
{
    return (explanation->asked.device_bytes != 0 ? 1 : 0) + explanation->remedy_count;
}

static const char *bytes_cell(size_t bytes, char words[VDNN_TABLE_CELL_BYTES])
{
    return vdnn_text_bytes(words, VDNN_TABLE_CELL_BYTES, (double)bytes);
}

static int digits_of(const vdnn_explanation *explanation, const vdnn_remedy *own)
{
    return own->is_measured ? vdnn_rounded_digits(own->spread)
                            : vdnn_known_digits(&explanation->setup->properties);
}

/* Next to times that were measured in turns. */
static const char *estimate_mark(const vdnn_explanation *explanation, const vdnn_remedy *own)
{
    return explanation->asked.is_measured && !own->is_measured ? "~" : "";
}

static const char *speed_text(const vdnn_remedy *own, char words[VDNN_TABLE_CELL_BYTES])
{
    if (!own->fits)
        return "does not fit";
    return own->pace.verdict == VDNN_PACE_UNKNOWN
               ? "fits"
               : vdnn_pace_text(&own->pace, words, VDNN_TABLE_CELL_BYTES);
}

static const char *results_text(const vdnn_remedy *own)
{
    return own->results == VDNN_RESULTS_ARITHMETIC ? vdnn_dtype_text(own->dtype)
                                                   : vdnn_results_text(own->results);
}

static const char *cell(const void *context, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_explanation *explanation = context;
    const vdnn_remedy *own = remedy_at(explanation, row), *asked = &explanation->asked;
    const bool saves = asked->device_bytes != 0 && own->device_bytes < asked->device_bytes;
    const int digits = digits_of(explanation, own);
    const char *mark = estimate_mark(explanation, own);
    char number[32];
    switch (column) {
    case CHANGE:
        return own->change;
    case RESULTS:
        return results_text(own);
    case SPEED:
        return speed_text(own, words);
    case STEP:
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%s%s", mark,
                       vdnn_rounded_seconds(number, sizeof number, own->step_seconds, digits));
        return words;
    case RATE:
        (void)snprintf(
            words, VDNN_TABLE_CELL_BYTES, "%s%s", mark,
            vdnn_rounded_text(number, sizeof number,
                              vdnn_remedy_rate(explanation, own) *
                                  vdnn_graph_rate_unit(explanation->setup->graph).per_sample,
                              digits));
        return words;
    case BYTES:
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%zu", own->device_bytes);
        return words;
    case UNITS:
        return bytes_cell(own->device_bytes, words);
    default:
        return saves ? bytes_cell(asked->device_bytes - own->device_bytes, words) : "-";
    }
}

static void print_table(const vdnn_explanation *explanation, size_t width, vdnn_text *text)
{
    vdnn_table_column titled[COLUMNS];
    memcpy(titled, columns, sizeof titled);
    titled[RATE].title = vdnn_graph_rate_unit(explanation->setup->graph).name;
    const vdnn_table table = {titled, COLUMNS, row_count(explanation), cell, explanation};
    vdnn_text_add(text, "%s\n", explanation->asked.fits ? "alternatives:" : "what would help:");
    vdnn_table_add(&table, width, text);
}

/* ---- below it -------------------------------------------------------------------------------- */

/* What the times are, and by how much two have to differ. */
static void print_times(const vdnn_explanation *explanation, vdnn_text *text)
{
    if (explanation->asked.is_measured)
        vdnn_text_add(text, "Steps were timed in turns, on made-up data, with what else the "
                            "machine does; a difference is none unless all turns and the estimate "
                            "agree on it, and ~ is an estimate. ");
    else
        vdnn_text_add(text,
                      "Step times are estimated, in the given budget where it fits, else in the "
                      "smallest one; less than %.0f %% apart is no difference. ",
                      100 * vdnn_known_spread(&explanation->setup->properties));
}

static void print_legend(const vdnn_explanation *explanation, vdnn_text *text)
{
    print_times(explanation, text);
    vdnn_text_add(text, "One byte less than its smallest --device-mem does not fit.%s\n",
                  explanation->setup->properties.simulated
                      ? ""
                      : " The fastest algorithms are those of times measured now: --profile FILE "
                        "keeps them, and with them these figures.");
    vdnn_text_add(text, "Results: same bits; last bits: the same sums in another order; bf16: "
                        "numbers of that type; new batch: another training.\n");
    if (explanation->searched)
        vdnn_text_add(text, "The run as it is was searched for; what --plan-seconds finds for the "
                            "others may be faster.\n");
}

static void print_none(const vdnn_explanation *explanation, vdnn_text *text)
{
    if (explanation->asked.device_bytes != 0)
        vdnn_text_add(text,
                      "None of these fits --device-mem %zu; take the change that needs least, or a "
                      "budget of %zu bytes.\n",
                      explanation->setup->budget_bytes[VDNN_TIER_DEVICE],
                      explanation->asked.device_bytes);
    else
        vdnn_text_add(text, "None of these fits the host budget of %zu bytes.\n",
                      explanation->setup->budget_bytes[VDNN_TIER_HOST]);
}

/* "--policy opt, 1.4x faster (1.3x to 1.5x)." */
static void add_advice(const vdnn_remedy *own, vdnn_text *text)
{
    char cells[3][VDNN_TABLE_CELL_BYTES];
    const vdnn_pace *pace = &own->pace;
    const int digits = pace->most < 1.1 * pace->least ? 3 : 2;
    vdnn_text_add(text, "%s", own->change);
    if (pace->verdict == VDNN_PACE_FASTER)
        vdnn_text_add(text, ", %s", vdnn_pace_text(pace, cells[0], sizeof cells[0]));
    if (pace->verdict == VDNN_PACE_FASTER && own->is_measured)
        vdnn_text_add(text, " (%sx to %sx)",
                      vdnn_rounded_text(cells[1], sizeof cells[1], pace->least, digits),
                      vdnn_rounded_text(cells[2], sizeof cells[2], pace->most, digits));
    vdnn_text_add(text, ".\n");
}

/* First what keeps the results; what is faster still, after it. */
static void print_advice(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_remedy *asked = &explanation->asked,
                      *same = vdnn_explain_best(explanation, VDNN_RESULTS_SAME),
                      *any = vdnn_explain_best(explanation, VDNN_RESULTS_COUNT);
    if (any == NULL)
        print_none(explanation, text);
    else if (any == asked)
        vdnn_text_add(text, "None of these is faster.\n");
    else if (same == NULL || same == asked)
        vdnn_text_add(text, "With the same bits none is %s.\n",
                      asked->fits ? "faster" : "within the budget");
    if (same != NULL && same != asked) {
        vdnn_text_add(text, "The fastest that fits, with the same bits: ");
        add_advice(same, text);
    }
    if (any != NULL && any != same && any != asked) {
        vdnn_text_add(text, "The fastest that fits, with other results (%s): ", results_text(any));
        add_advice(any, text);
    }
}

/* Not folded, to be pasted. */
static void print_commands(const vdnn_explanation *explanation, vdnn_text *text)
{
    if (explanation->command == NULL || explanation->remedy_count == 0)
        return;
    vdnn_text_add(text, "to run them, in that order:\n");
    for (size_t i = 0; i < explanation->remedy_count; i++) {
        vdnn_text_add(text, "  ");
        vdnn_explain_add_command(explanation, &explanation->remedies[i], text);
        vdnn_text_add(text, "\n");
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void print_devices(const vdnn_plan *plan, vdnn_text *text)
{
    const vdnn_graph *graph = plan->graph;
    size_t bytes = 0;
    int sums = 0;
    if (graph->devices == 1)
        return;
    for (int32_t s = 0; s < plan->step_count; s++)
        if (plan->steps[s].kind == VDNN_STEP_REDUCE) {
            bytes += plan->steps[s].bytes;
            sums++;
        }
    vdnn_text_add(text,
                  "  each of %d devices has up to %lld samples and what follows, and sums %s of "
                  "gradients with the others, in %d part%s\n",
                  (int)graph->devices, (long long)graph->batch, bytes_text(bytes).text, sums,
                  sums == 1 ? "" : "s");
    if (graph->shards)
        vdnn_text_add(text,
                      "  each updates its share of the parameters, which saves it %s of the "
                      "optimizer's state\n",
                      bytes_text(vdnn_graph_shard_saves(graph)).text);
}

/* Everything above the picture. */
static void print_need(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_setup *setup = explanation->setup;
    const vdnn_plan *plan = explanation->plan;
    const vdnn_remedy *asked = &explanation->asked;
    vdnn_text_add(text, "%s, batch %lld, policy %s%s: %s\n", setup->graph->name,
                  (long long)setup->graph->step_batch, asked->policy->name, algo_text(asked),
                  asked->fits ? "fits" : "does not fit");
    print_devices(plan, text);
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (t < VDNN_TIER_FILE || setup->budget_bytes[t] > 0)
            print_tier(text, (vdnn_tier)t, plan->span_bytes[t], setup->budget_bytes[t]);
    print_peak(explanation, text);
}

vdnn_status vdnn_explain_print(const vdnn_explanation *explanation, vdnn_text *text)
{
    const vdnn_setup *setup = explanation->setup;
    const size_t width = vdnn_text_line(explanation->columns);
    const vdnn_memory_curve curve = {.budget_bytes = setup->budget_bytes[VDNN_TIER_DEVICE],
                                     .columns = width,
                                     .has_blocks = explanation->has_blocks,
                                     .step_seconds = explanation->asked.step_seconds,
                                     .digits = digits_of(explanation, &explanation->asked)};
    vdnn_text lines = {0};
    print_need(explanation, &lines);
    vdnn_text_move_folded(text, &lines, width);
    VDNN_TRY(vdnn_memory_curve_add(&curve, explanation->plan, setup->profile, text));
    print_table(explanation, width, text);
    print_legend(explanation, &lines);
    print_advice(explanation, &lines);
    vdnn_text_move_folded(text, &lines, width);
    print_commands(explanation, text);
    return vdnn_text_status(text, "an explanation");
}
