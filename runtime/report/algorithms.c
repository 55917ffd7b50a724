#include "runtime/report/algorithms.h"

#include <stdio.h>
#include <string.h>

/* Calls `each` for every layer and pass. */
typedef void visit(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                   void *argument);

static void visit_passes(const vdnn_setup *setup, const vdnn_layer *layer, visit *each,
                         void *argument)
{
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)p))
            each(setup, layer, (vdnn_pass)p, argument);
}

/* ---- for people ------------------------------------------------------------------------------ */

static int longest_name(const vdnn_profile *profile)
{
    int longest = (int)strlen("algorithm");
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < profile->layers[l].choice_count[p]; i++) {
                int length = (int)strlen(profile->layers[l].choices[p][i].algorithm->name);
                longest = length > longest ? length : longest;
            }
    return longest;
}

typedef struct lines {
    vdnn_text *text;
    int name_width;
} lines;

static void add_lines(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                      void *argument)
{
    const lines *own = argument;
    const vdnn_layer_profile *profile = &setup->profile->layers[layer->index];
    int32_t fastest = vdnn_profile_fastest(setup->profile, layer->index, pass);
    double flops = vdnn_layer_flops(layer, pass), bytes = vdnn_layer_bytes(layer, pass);
    for (int32_t i = 0; i < profile->choice_count[pass]; i++) {
        const vdnn_choice *choice = &profile->choices[pass][i];
        char workspace[32], moved[32];
        vdnn_text_add(own->text, "%-20s %-16s %-*s%c %11.3f %12s %10.3f %9.1f %11s %8.1f\n",
                      i == 0 ? layer->name : "", i == 0 ? vdnn_pass_text(pass) : "",
                      own->name_width, choice->algorithm->name, i == fastest ? '*' : ' ',
                      1e3 * choice->seconds,
                      vdnn_text_bytes(workspace, sizeof workspace, (double)choice->workspace_bytes),
                      1e-9 * flops, 1e-9 * flops / choice->seconds,
                      vdnn_text_bytes(moved, sizeof moved, bytes), 1e-9 * bytes / choice->seconds);
    }
}

vdnn_status vdnn_algorithms_write_table(const vdnn_setup *setup, vdnn_text *text)
{
    lines own = {text, longest_name(setup->profile)};
    vdnn_text_add(text, "%-20s %-16s %-*s  %11s %12s %10s %9s %11s %8s\n", "layer", "pass",
                  own.name_width, "algorithm", "ms", "workspace", "GFLOP", "GFLOP/s", "bytes",
                  "GB/s");
    for (int32_t l = 0; l < setup->graph->layer_count; l++)
        visit_passes(setup, &setup->graph->layers[l], add_lines, &own);
    vdnn_text_add(text, "*: the fastest; FLOP of the direct form, bytes that any form must move\n");
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report") : VDNN_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *choice_records(const vdnn_layer_profile *profile, vdnn_pass pass)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < profile->choice_count[pass]; i++) {
        const vdnn_choice *choice = &profile->choices[pass][i];
        (void)json_array_append_new(array,
                                    json_pack("{s:s, s:f, s:I}", "name", choice->algorithm->name,
                                              "seconds", choice->seconds, "workspace_bytes",
                                              (json_int_t)choice->workspace_bytes));
    }
    return array;
}

static void add_reason(json_t *array, const vdnn_algorithm *row, const char *reason)
{
    (void)json_array_append_new(array,
                                json_pack("{s:s, s:s}", "name", row->name, "reason", reason));
}

/* Algorithms that do not apply, or that could not be measured. */
static json_t *refusal_records(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass)
{
    json_t *array = json_array();
    const vdnn_profile *profile = setup->profile;
    const vdnn_algorithm *row;
    for (size_t i = 0; (row = vdnn_device_algorithm(setup->device, layer->def->type, i)) != NULL;
         i++) {
        vdnn_offer offer;
        if (vdnn_device_ask(setup->device, row, layer, pass, &offer) == VDNN_OK &&
            offer.refusal != NULL)
            add_reason(array, row, offer.refusal);
    }
    for (int32_t i = 0; i < profile->omission_count; i++) {
        const vdnn_omission *omitted = &profile->omissions[i];
        const char *signature = setup->graph->layers[omitted->layer].signature;
        if (omitted->pass == pass && strcmp(signature, layer->signature) == 0)
            add_reason(array, omitted->algorithm, omitted->reason);
    }
    return array;
}

static void add_record(const vdnn_setup *setup, const vdnn_layer *layer, vdnn_pass pass,
                       void *argument)
{
    (void)json_array_append_new(
        argument,
        json_pack("{s:s, s:f, s:f, s:o, s:o}", "pass", vdnn_pass_text(pass), "flops",
                  vdnn_layer_flops(layer, pass), "bytes", vdnn_layer_bytes(layer, pass),
                  "algorithms", choice_records(&setup->profile->layers[layer->index], pass),
                  "refused", refusal_records(setup, layer, pass)));
}

static size_t input_bytes(const vdnn_layer *layer)
{
    size_t sum = 0;
    for (int32_t i = 0; i < layer->input_count; i++)
        sum += vdnn_desc_bytes(&layer->x[i]);
    return sum;
}

json_t *vdnn_algorithms_record(const vdnn_setup *setup)
{
    json_t *array = json_array();
    (void)vdnn_device_select(setup->device); /* the device that is queried */
    for (int32_t l = 0; l < setup->graph->layer_count; l++) {
        const vdnn_layer *layer = &setup->graph->layers[l];
        json_t *passes = json_array();
        visit_passes(setup, layer, add_record, passes);
        (void)json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "name", layer->name, "type",
                             layer->def->type, "layout", vdnn_layout_text(layer->y.layout),
                             "x_bytes", (json_int_t)input_bytes(layer), "y_bytes",
                             (json_int_t)vdnn_desc_bytes(&layer->y), "weight_bytes",
                             (json_int_t)layer->param_bytes, "passes", passes));
    }
    return array;
}
