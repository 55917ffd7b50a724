#include "runtime/train/record.h"

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/planner/bound/bound.h"
#include "runtime/setup/known_digits.h"
#include "runtime/train/advice/advice_record.h"
#include "runtime/train/replan/replan.h"
#include "runtime/train/scores/assessment.h"
#include "runtime/train/scores/generated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *size(size_t bytes)
{
    return json_integer((json_int_t)bytes);
}

static json_t *text_or_null(const char *text)
{
    return text == NULL ? json_null() : json_string(text);
}

/* The figures of a device model, each with its basis. */
static json_t *figure_records(const vdnn_device_properties *device)
{
    json_t *array = json_array();
    for (int i = 0; i < device->figure_count; i++) {
        const vdnn_figure *figure = &device->figures[i];
        json_t *record = json_pack("{s:s, s:s?, s:s}", "section", figure->section, "key",
                                   figure->key, "basis", vdnn_basis_text(figure->basis));
        if (figure->key != NULL)
            (void)json_object_set_new(record, "value", real(figure->value));
        (void)json_array_append_new(array, record);
    }
    return array;
}

/* Of convolutions that no rate was fitted to. */
static json_t *accuracy_record(const vdnn_accuracy *accuracy)
{
    return json_pack("{s:I, s:f, s:f}", "timings", (json_int_t)accuracy->timings, "half_within",
                     accuracy->half_within, "nine_tenths_within", accuracy->nine_tenths_within);
}

json_t *vdnn_record_rate_unit(const vdnn_graph *graph)
{
    const vdnn_rate_unit unit = vdnn_graph_rate_unit(graph);
    return json_pack("{s:s, s:f}", "unit", unit.name, "per_sample", unit.per_sample);
}

json_t *vdnn_record_device(const vdnn_setup *setup)
{
    const vdnn_device_properties *device = &setup->properties;
    json_t *record = json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "kind", device->kind, "name",
                               device->name, "memory_bytes", size(device->memory_bytes),
                               "taken_bytes", size(device->taken_bytes), "budget_bytes",
                               size(setup->budget_bytes[VDNN_TIER_DEVICE]), "nondeterministic",
                               device->nondeterministic);
    const vdnn_profile *profile = setup->profile;
    if (device->accuracy.half_within > 0)
        (void)json_object_set_new(record, "accuracy", accuracy_record(&device->accuracy));
    if (device->figure_count > 0)
        (void)json_object_set_new(record, "figures", figure_records(device));
    if (profile != NULL)
        (void)json_object_set_new(
            record, "link",
            json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "copy_out_bytes_per_second",
                      profile->copy_out_bytes_per_second, "copy_in_bytes_per_second",
                      profile->copy_in_bytes_per_second, "copy_both_bytes_per_second",
                      profile->copy_both_bytes_per_second, "copy_out_beside_bytes_per_second",
                      profile->copy_out_beside_bytes_per_second, "copy_in_beside_bytes_per_second",
                      profile->copy_in_beside_bytes_per_second, "copy_out_slows_products",
                      profile->copy_out_slows_products, "copy_in_slows_products",
                      profile->copy_in_slows_products, "copy_out_slows_moves",
                      profile->copy_out_slows_moves, "copy_in_slows_moves",
                      profile->copy_in_slows_moves));
    return record;
}

json_t *vdnn_record_categories(const size_t bytes[VDNN_CATEGORY_COUNT])
{
    json_t *object = json_object();
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        (void)json_object_set_new(object, vdnn_category_text((vdnn_category)c), size(bytes[c]));
    return object;
}

static json_t *setting_record(const vdnn_setting *setting, const double *values)
{
    if (setting->count == 1)
        return real(values[0]);
    json_t *array = json_array();
    for (int32_t i = 0; i < setting->count; i++)
        (void)json_array_append_new(array, real(values[i]));
    return array;
}

json_t *vdnn_record_settings(const vdnn_training *training, double lr)
{
    json_t *object = json_object();
    vdnn_settings settings = training->settings;
    settings.lr = lr;
    for (size_t i = 0; i < VDNN_SETTING_COUNT; i++) {
        const vdnn_setting *setting = vdnn_setting_at(i);
        if (vdnn_optimizer_has(training->optimizer, setting))
            (void)json_object_set_new(
                object, setting->name,
                setting_record(setting, vdnn_setting_values(setting, &settings)));
    }
    (void)json_object_set_new(object, "clip_norm", real(training->clip_norm));
    return object;
}

/* Of a plan in other parts than the file's: of all such plans; null where parts are faster than the
 * oracle's whole layers, or were not measured, and where it does not fit, which is said next. */
static json_t *bound_in_parts(const vdnn_setup *setup, const vdnn_plan *plan)
{
    static const double rounding = 1e-9;
    double saved_seconds, seconds;
    if (!setup->properties.simulated || !vdnn_plan_fits(plan, setup->budget_bytes) ||
        vdnn_setup_variants_saved(setup->variants, &saved_seconds) != VDNN_OK ||
        saved_seconds > rounding * plan->oracle_step_seconds ||
        vdnn_bound_in_parts(setup->graph, setup->profile, plan->oracle_step_seconds,
                            setup->budget_bytes, &seconds) != VDNN_OK)
        return json_null();
    return real(seconds);
}

/* null: the bound proves that no plan fits, or there is no profile. */
static json_t *bound_of(const vdnn_setup *setup, const vdnn_plan *plan)
{
    double seconds;
    if (setup->profile != NULL && plan->graph != setup->graph)
        return bound_in_parts(setup, plan);
    if (setup->profile == NULL ||
        vdnn_bound_seconds(plan, setup->profile, setup->budget_bytes, &seconds) != VDNN_OK)
        return json_null();
    return real(seconds);
}

/* Of a run with a file tier. */
static void add_files(json_t *object, const size_t *span_bytes, const size_t *peak_bytes,
                      size_t spill_bytes, size_t fill_bytes)
{
    (void)json_object_set_new(object, "file_peak_bytes", size(peak_bytes[VDNN_TIER_FILE]));
    (void)json_object_set_new(object, "file_arena_bytes", size(span_bytes[VDNN_TIER_FILE]));
    (void)json_object_set_new(object, "spill_bytes", size(spill_bytes));
    (void)json_object_set_new(object, "fill_bytes", size(fill_bytes));
}

/* Of several devices: how their gradients are summed. */
/* Which layers of the network the device has. */
static json_t *stage_record(const vdnn_graph *graph)
{
    const vdnn_stage *stage = &graph->stage;
    return json_pack("{s:i, s:s, s:s, s:s}", "number", (int)stage->number, "first_layer",
                     graph->layers[stage->first].name, "last_layer",
                     graph->layers[stage->end - 1].name, "schedule",
                     vdnn_schedule_text(stage->schedule));
}

static json_t *reduce_record(const vdnn_plan *plan)
{
    size_t bytes = 0;
    int buckets = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_REDUCE) {
            bytes += plan->steps[i].bytes;
            buckets++;
        }
    return json_pack("{s:s, s:o, s:i, s:o, s:i}", "scheme",
                     vdnn_reduce_scheme_text(plan->graph->reduce), "bytes", size(bytes), "buckets",
                     buckets, "bucket_bytes", size(plan->buckets.bytes), "lag",
                     (int)plan->buckets.lag);
}

/* What each device has of what they share, and what it saves. */
static json_t *shard_record(const vdnn_graph *graph)
{
    return json_pack("{s:s, s:o, s:o}", "what", "optimizer", "state_bytes",
                     size(vdnn_graph_all_state_bytes(graph)), "saved_bytes",
                     size(vdnn_graph_shard_saves(graph)));
}

json_t *vdnn_record_plan(const vdnn_setup *setup, const vdnn_plan *plan,
                         const vdnn_verdict *verdict)
{
    json_t *object = json_pack(
        "{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "fits",
        verdict->fits ? 1 : 0, "device_peak_bytes", size(plan->peak_bytes[VDNN_TIER_DEVICE]),
        "device_average_bytes", size((size_t)llround(plan->device_average_bytes)), "arena_bytes",
        size(plan->span_bytes[VDNN_TIER_DEVICE]), "host_peak_bytes",
        size(plan->peak_bytes[VDNN_TIER_HOST]), "host_arena_bytes",
        size(plan->span_bytes[VDNN_TIER_HOST]), "offload_bytes", size(plan->offload_bytes),
        "prefetch_bytes", size(plan->prefetch_bytes), "recompute_seconds",
        real(plan->recompute_seconds), "step_seconds", real(plan->step_seconds),
        "oracle_step_seconds", real(plan->oracle_step_seconds), "bound_step_seconds",
        bound_of(setup, plan));
    if (object == NULL)
        return NULL;
    if (verdict->smallest_bytes > 0)
        (void)json_object_set_new(object, "smallest_bytes", size(verdict->smallest_bytes));
    if (setup->budget_bytes[VDNN_TIER_FILE] > 0)
        add_files(object, plan->span_bytes, plan->peak_bytes, plan->spill_bytes, plan->fill_bytes);
    (void)json_object_set_new(object, "by_category", vdnn_record_categories(plan->by_category));
    (void)json_object_set_new(object, "by_category_at_peak",
                              vdnn_record_categories(plan->by_category_at_peak));
    (void)json_object_set_new(object, "peak_layer", text_or_null(vdnn_plan_peak_layer(plan)));
    (void)json_object_set_new(object, "chosen",
                              json_pack("{s:s, s:s, s:I}", "policy", plan->policy, "algo",
                                        plan->algo, "trials", (json_int_t)plan->trials));
    (void)json_object_set_new(object, "dtype", json_string(vdnn_dtype_text(plan->graph->dtype)));
    (void)json_object_set_new(object, "threads", json_integer(setup->properties.threads));
    if (plan->training && plan->graph->devices > 1)
        (void)json_object_set_new(object, "reduce", reduce_record(plan));
    if (plan->graph->stage.count > 0)
        (void)json_object_set_new(object, "stage", stage_record(plan->graph));
    if (plan->training && plan->graph->shards)
        (void)json_object_set_new(object, "shard", shard_record(plan->graph));
    (void)json_object_set_new(object, "host_locked_bytes", size(verdict->host_locked_bytes));
    return object;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int32_t input_map(const vdnn_plan *plan, const vdnn_layer *layer)
{
    return plan->graph->tensors[layer->inputs[0]].map;
}

/* A map that several layers' backward passes need counts for the one that comes last in forward, so
 * that the sum over the layers is what the step stashes. */
static size_t layer_stash(const vdnn_plan *plan, const vdnn_action *actions, int32_t layer,
                          vdnn_action *action)
{
    size_t bytes = 0;
    bool offloads = false, recomputes = false;
    for (int32_t m = 0; m < plan->graph->map_count; m++) {
        const vdnn_map *map = &plan->graph->maps[m];
        if (map->needed_count == 0 || map->needed_by[0] != layer)
            continue;
        bytes += map->bytes;
        offloads = offloads || actions[m] == VDNN_OFFLOAD;
        recomputes = recomputes || actions[m] == VDNN_RECOMPUTE;
    }
    vdnn_action below = actions[input_map(plan, &plan->graph->layers[layer])];
    if (bytes > 0)
        *action = offloads ? VDNN_OFFLOAD : recomputes ? VDNN_RECOMPUTE : VDNN_KEEP;
    else
        *action = below == VDNN_DROP ? VDNN_DROP : VDNN_KEEP;
    return bytes;
}

vdnn_action vdnn_record_action(const vdnn_plan *plan, const vdnn_action *actions, int32_t layer)
{
    vdnn_action action;
    (void)layer_stash(plan, actions, layer, &action);
    return action;
}

json_t *vdnn_record_algorithms(const vdnn_plan *plan, int32_t layer)
{
    json_t *algorithms = json_object();
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        int32_t output = plan->graph->layers[layer].output;
        int32_t doer = p == VDNN_FORWARD ? vdnn_graph_writer(plan->graph, output) : layer;
        const vdnn_algorithm *algorithm = plan->algorithms[doer][p];
        (void)json_object_set_new(algorithms, vdnn_pass_text((vdnn_pass)p),
                                  text_or_null(algorithm == NULL ? NULL : algorithm->name));
    }
    return algorithms;
}

static json_t *layer_record(const vdnn_plan *plan, const vdnn_action *actions, int32_t l,
                            const vdnn_lost_time *lost)
{
    const vdnn_layer *layer = &plan->graph->layers[l];
    json_t *algorithms = vdnn_record_algorithms(plan, l);
    vdnn_action action;
    size_t stash = layer_stash(plan, actions, l, &action);
    json_t *object =
        json_pack("{s:s, s:s, s:i, s:b, s:o, s:o, s:o, s:s, s:o, s:o}", "name", layer->name, "type",
                  layer->def->type, "parts", (int)vdnn_graph_part_count(plan->graph, l), "chained",
                  (int)plan->chained[l], "algorithms", algorithms, "workspace_bytes",
                  size(plan->workspace_bytes[l]), "stash_bytes", size(stash), "action",
                  vdnn_action_text(action), "forward_seconds", real(plan->forward_seconds[l]),
                  "backward_seconds", real(plan->backward_seconds[l]));
    if (lost != NULL)
        (void)json_object_set_new(object, "lost", vdnn_lost_time_of_layer(lost, l));
    return object;
}

json_t *vdnn_record_layers(const vdnn_plan *plan, const vdnn_action *actions,
                           const vdnn_lost_time *lost)
{
    json_t *array = json_array();
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        if (!plan->graph->layers[l].def->internal && !plan->graph->layers[l].is_elsewhere)
            (void)json_array_append_new(array, layer_record(plan, actions, l, lost));
    return array;
}

static vdnn_status add_layers_of(const vdnn_plan *plan, json_t *layers)
{
    vdnn_action *actions = NULL;
    VDNN_TRY(vdnn_plan_find_actions(plan, &actions));
    json_t *own = vdnn_record_layers(plan, actions, NULL);
    (void)json_array_extend(layers, own);
    json_decref(own);
    vdnn_heap_free(actions);
    return VDNN_OK;
}

/* Of a pipeline the layers of every stage, as its plan has them. */
static vdnn_status add_layers(const vdnn_record *record, json_t *layers)
{
    vdnn_status status = add_layers_of(record->plan, layers);
    if (record->plan->graph->stage.count > 0)
        for (int32_t d = 1; d < record->share_count && status == VDNN_OK; d++)
            status = add_layers_of(record->shares[d].plan, layers);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static json_t *optimizer_record(const vdnn_record *record)
{
    const vdnn_training *training = &record->setup->graph->training;
    json_t *object = json_pack("{s:s}", "name", training->optimizer->name);
    json_t *settings = vdnn_record_settings(training, record->lr);
    (void)json_object_update(object, settings);
    json_decref(settings);
    return object;
}

static json_t *measured_record(const vdnn_setup *setup, const vdnn_measured *measured)
{
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "device_peak_bytes",
                  size(measured->peak_bytes[VDNN_TIER_DEVICE]), "host_peak_bytes",
                  size(measured->peak_bytes[VDNN_TIER_HOST]), "device_arena_bytes",
                  size(measured->span_bytes[VDNN_TIER_DEVICE]), "host_arena_bytes",
                  size(measured->span_bytes[VDNN_TIER_HOST]), "offload_bytes",
                  size(measured->offload_bytes), "prefetch_bytes", size(measured->prefetch_bytes),
                  "step_seconds", real(measured->step_seconds), "images_per_second",
                  real(measured->images_per_second), "stall_seconds", real(measured->stall_seconds),
                  "exposed_copy_seconds", real(measured->exposed_copy_seconds));
    (void)json_object_set_new(object, "first_step_seconds", real(measured->first_step_seconds));
    if (object != NULL && setup->graph->devices > 1)
        (void)json_object_set_new(object, "exposed_reduce_seconds",
                                  real(measured->exposed_reduce_seconds));
    if (object != NULL && setup->budget_bytes[VDNN_TIER_FILE] > 0)
        add_files(object, measured->span_bytes, measured->peak_bytes, measured->spill_bytes,
                  measured->fill_bytes);
    return object;
}

/* A layer as the device ran it: its kernels, and what it lost. */
static json_t *measured_layer(const vdnn_lost_time *lost, int32_t l)
{
    json_t *object = json_pack("{s:s, s:f, s:f}", "name", lost->graph->layers[l].name,
                               "forward_seconds", vdnn_lost_time_kernels(lost, l, 0),
                               "backward_seconds", vdnn_lost_time_kernels(lost, l, 1));
    (void)json_object_set_new(object, "lost", vdnn_lost_time_of_layer(lost, l));
    return object;
}

static json_t *measured_layers(const vdnn_lost_time *lost)
{
    json_t *array = json_array();
    for (int32_t l = 0; l < lost->graph->layer_count; l++)
        if (!lost->graph->layers[l].def->internal)
            (void)json_array_append_new(array, measured_layer(lost, l));
    return array;
}

static void add_lost(json_t *object, const vdnn_lost_time *lost)
{
    (void)json_object_set_new(object, "hidden_copy_share", real(vdnn_lost_time_hidden_share(lost)));
    (void)json_object_set_new(object, "split", vdnn_lost_time_split(lost));
    (void)json_object_set_new(object, "lost", vdnn_lost_time_record(lost, VDNN_LOST_TIME_MOST));
    (void)json_object_set_new(object, "layers", measured_layers(lost));
}

static json_t *replan_records(const vdnn_record *record)
{
    json_t *array = json_array();
    for (int i = 0; i < record->replan_count; i++) {
        const vdnn_replan *own = &record->replans[i];
        (void)json_array_append_new(
            array,
            json_pack("{s:I, s:f, s:f, s:f, s:b}", "step", (json_int_t)own->step, "planned_seconds",
                      own->planned_seconds, "measured_seconds", own->measured_seconds,
                      "new_planned_seconds", own->new_planned_seconds, "changed", own->is_changed));
    }
    return array;
}

/* Of a run. */
static json_t *measured_root(const vdnn_record *record)
{
    json_t *object = measured_record(record->setup, record->measured);
    (void)json_object_set_new(object, "replans", replan_records(record));
    if (record->lost == NULL)
        return object;
    add_lost(object, record->lost);
    if (record->shares != NULL)
        (void)json_object_set_new(object, "lost_device", json_integer(record->lost_device));
    return object;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void vdnn_measured_worsen(vdnn_measured *measured, const vdnn_measured *other)
{
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        measured->peak_bytes[t] = larger(measured->peak_bytes[t], other->peak_bytes[t]);
        measured->span_bytes[t] = larger(measured->span_bytes[t], other->span_bytes[t]);
    }
    measured->offload_bytes = larger(measured->offload_bytes, other->offload_bytes);
    measured->prefetch_bytes = larger(measured->prefetch_bytes, other->prefetch_bytes);
    measured->spill_bytes = larger(measured->spill_bytes, other->spill_bytes);
    measured->fill_bytes = larger(measured->fill_bytes, other->fill_bytes);
    measured->step_seconds = fmax(measured->step_seconds, other->step_seconds);
    measured->first_step_seconds = fmax(measured->first_step_seconds, other->first_step_seconds);
    measured->stall_seconds = fmax(measured->stall_seconds, other->stall_seconds);
    measured->exposed_copy_seconds =
        fmax(measured->exposed_copy_seconds, other->exposed_copy_seconds);
    measured->exposed_reduce_seconds =
        fmax(measured->exposed_reduce_seconds, other->exposed_reduce_seconds);
}

/* ---- several devices ------------------------------------------------------------------------- */

static json_t *share_record(const vdnn_record *record, const vdnn_record_share *share)
{
    json_t *object = vdnn_record_plan(share->setup, share->plan, &record->verdict);
    (void)json_object_del(object, "smallest_bytes");
    (void)json_object_set_new(object, "batch",
                              json_integer((json_int_t)share->setup->graph->batch));
    if (record->measured == NULL)
        return object;
    json_t *measured = measured_record(share->setup, &share->measured);
    if (share->lost != NULL)
        add_lost(measured, share->lost);
    (void)json_object_set_new(object, "measured", measured);
    return object;
}

/* The one that takes the most of its device. */
static const vdnn_record_share *worst_share(const vdnn_record *record)
{
    const vdnn_record_share *worst = &record->shares[0];
    for (int32_t d = 1; d < record->share_count; d++)
        if (record->shares[d].plan->peak_bytes[VDNN_TIER_DEVICE] >
            worst->plan->peak_bytes[VDNN_TIER_DEVICE])
            worst = &record->shares[d];
    return worst;
}

static json_t *plan_record(const vdnn_record *record)
{
    if (record->shares == NULL)
        return vdnn_record_plan(record->setup, record->plan, &record->verdict);
    const vdnn_record_share *worst = worst_share(record);
    return vdnn_record_plan(worst->setup, worst->plan, &record->verdict);
}

static void add_shares(const vdnn_record *record, json_t *root)
{
    json_t *array = json_array();
    for (int32_t d = 0; d < record->share_count; d++)
        (void)json_array_append_new(array, share_record(record, &record->shares[d]));
    (void)json_object_set_new(root, "devices", json_integer(record->share_count));
    (void)json_object_set_new(root, "per_device", array);
}

static json_t *loss_record(const double *losses, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, real(losses[i]));
    return array;
}

/* ---- orientations ---------------------------------------------------------------------------- */

static void add_orientations(json_t *object, const char *part,
                             const vdnn_dataset_orientations *found)
{
    if (found->pictures > 0)
        (void)json_object_set_new(
            object, part,
            json_pack("{s:I, s:I, s:I}", "pictures", (json_int_t)found->pictures, "seen",
                      (json_int_t)found->seen, "with_orientation", (json_int_t)found->turned));
}

static json_t *orientations_record(const vdnn_record *record)
{
    const vdnn_dataset_orientations *train = &record->train_orientations,
                                    *test = &record->test_orientations;
    json_t *object = json_pack("{s:b}", "applied", train->are_applied || test->are_applied ? 1 : 0);
    add_orientations(object, "train", train);
    add_orientations(object, "test", test);
    return object;
}

/* ---- all of it ------------------------------------------------------------------------------- */

vdnn_status vdnn_record_dump(json_t *root, vdnn_text *text)
{
    char *dump =
        root == NULL ? NULL : vdnn_json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    if (dump != NULL)
        vdnn_text_add(text, "%s\n", dump);
    free(dump);
    return dump == NULL || text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the JSON")
                                        : VDNN_OK;
}

/* Losses and perplexities that are unknown are not finite. */
static void add_test(const vdnn_record *record, json_t *root)
{
    const vdnn_test_scores *test = &record->test;
    const bool is_known = vdnn_test_is_known(test);
    (void)json_object_set_new(root, "test_accuracy",
                              test->accuracy >= 0 ? real(test->accuracy) : json_null());
    (void)json_object_set_new(root, "test_loss", is_known ? real(test->loss) : json_null());
    if (vdnn_graph_target(record->setup->graph) == VDNN_TARGET_MASKS)
        (void)json_object_set_new(root, "test_dice",
                                  test->dice >= 0 ? real(test->dice) : json_null());
    if (vdnn_graph_sample_tokens(record->setup->graph) > 0)
        (void)json_object_set_new(root, "perplexity",
                                  is_known ? real(exp(test->loss)) : json_null());
}

vdnn_status vdnn_record_json(const vdnn_record *record, vdnn_text *text)
{
    const vdnn_setup *setup = record->setup;
    const vdnn_graph *graph = setup->graph;
    json_t *layers = json_array();
    const vdnn_status status = add_layers(record, layers);
    if (status != VDNN_OK) {
        json_decref(layers);
        return status;
    }
    json_t *root = json_pack("{s:i, s:s, s:s, s:o, s:I, s:I, s:s, s:s, s:s, s:s, s:i, s:o, s:o}",
                             "schema_version", VDNN_SCHEMA_VERSION, "version", vdnn_version(),
                             "model", graph->name, "rate", vdnn_record_rate_unit(graph), "batch",
                             (json_int_t)graph->step_batch, "seed", (json_int_t)record->seed,
                             "policy", record->policy, "algo", record->algo, "rules",
                             graph->rules == VDNN_RULES_PAPER ? "paper" : "lean", "dtype",
                             vdnn_dtype_text(graph->dtype), "threads", setup->properties.threads,
                             "device", vdnn_record_device(setup), "plan", plan_record(record));
    if (root == NULL) {
        json_decref(layers);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the JSON");
    }
    (void)json_object_set_new(root, "accumulate", json_integer(graph->micro_batches));
    if (graph->stage.count > 0)
        (void)json_object_set_new(root, "stages", json_integer(graph->stage.count));
    (void)json_object_set_new(root, "layout", json_string(vdnn_layout_text(graph->preferred)));
    (void)json_object_set_new(root, "optimizer", optimizer_record(record));
    (void)json_object_set_new(root, "host_budget_bytes", size(setup->budget_bytes[VDNN_TIER_HOST]));
    if (setup->unified_bytes > 0)
        (void)json_object_set_new(root, "unified_budget_bytes", size(setup->unified_bytes));
    if (setup->budget_bytes[VDNN_TIER_FILE] > 0)
        (void)json_object_set_new(root, "file_budget_bytes",
                                  size(setup->budget_bytes[VDNN_TIER_FILE]));
    (void)json_object_set_new(root, "host_locked_bytes", size(record->verdict.host_locked_bytes));
    if (record->measured != NULL) {
        (void)json_object_set_new(root, "overlap", json_boolean(record->verdict.overlap));
        (void)json_object_set_new(root, "host_staging_bytes", size(record->host_staging_bytes));
        (void)json_object_set_new(root, "measured", measured_root(record));
        (void)json_object_set_new(root, "losses", loss_record(record->losses, record->loss_count));
        add_test(record, root);
    }
    if (json_array_size(record->evaluations) > 0)
        (void)json_object_set_new(root, "evaluations", json_deep_copy(record->evaluations));
    if (record->assessment != NULL)
        (void)json_object_set_new(root, "evaluation", vdnn_assessment_json(record->assessment));
    if (record->generated != NULL)
        (void)json_object_set_new(root, "generation", vdnn_generated_json(record->generated));
    if (record->train_orientations.pictures + record->test_orientations.pictures > 0)
        (void)json_object_set_new(root, "orientations", orientations_record(record));
    if (record->shares != NULL)
        add_shares(record, root);
    if (record->batches != NULL)
        (void)json_object_set_new(root, "max_batch", vdnn_advice_record_batches(record->batches));
    if (record->explanation != NULL)
        (void)json_object_set_new(root, "explain",
                                  vdnn_advice_record_explanation(record->explanation));
    (void)json_object_set_new(root, "layers", layers);
    return vdnn_record_dump(root, text);
}

/* ---- for people ------------------------------------------------------------------------------ */

typedef struct people {
    char text[32];
} people;

static people bytes_text(double bytes)
{
    people result = {.text = ""};
    (void)vdnn_text_bytes(result.text, sizeof result.text, bytes);
    return result;
}

vdnn_status vdnn_record_footprint(const vdnn_record *record, vdnn_text *text)
{
    const vdnn_setup *setup = record->setup;
    const vdnn_plan *plan = record->plan;
    const int digits = vdnn_known_digits(&setup->properties);
    char times[2][32];
    vdnn_text_add(text, "%s, batch %lld, policy %s", setup->graph->name,
                  (long long)setup->graph->step_batch, record->policy);
    if (strcmp(record->policy, plan->policy) != 0)
        vdnn_text_add(text, " (chose %s)", plan->policy);
    vdnn_text_add(text, ", algorithms %s: %s\n", plan->algo,
                  record->verdict.fits ? "fits" : "does not fit");
    if (setup->graph->stage.count > 0)
        vdnn_text_add(text, "  stages          %12d; of the first, to layer %s:\n",
                      (int)setup->graph->stage.count,
                      setup->graph->layers[setup->graph->stage.end - 1].name);
    if (setup->graph->devices > 1)
        vdnn_text_add(text, "  devices         %12d; of each with %lld samples:\n",
                      (int)setup->graph->devices, (long long)setup->graph->batch);
    vdnn_text_add(text, "  device memory   %12s of %s (peak %s, average %s)\n",
                  bytes_text((double)plan->span_bytes[VDNN_TIER_DEVICE]).text,
                  bytes_text((double)setup->budget_bytes[VDNN_TIER_DEVICE]).text,
                  bytes_text((double)plan->peak_bytes[VDNN_TIER_DEVICE]).text,
                  bytes_text(plan->device_average_bytes).text);
    vdnn_text_add(text, "  host memory     %12s of %s\n",
                  bytes_text((double)plan->span_bytes[VDNN_TIER_HOST]).text,
                  bytes_text((double)setup->budget_bytes[VDNN_TIER_HOST]).text);
    if (setup->budget_bytes[VDNN_TIER_FILE] > 0)
        vdnn_text_add(text, "  files           %12s of %s, %s written a step\n",
                      bytes_text((double)plan->span_bytes[VDNN_TIER_FILE]).text,
                      bytes_text((double)setup->budget_bytes[VDNN_TIER_FILE]).text,
                      bytes_text((double)plan->spill_bytes).text);
    vdnn_text_add(text, "  copied a step   %12s out, %s in\n",
                  bytes_text((double)plan->offload_bytes).text,
                  bytes_text((double)plan->prefetch_bytes).text);
    vdnn_text_add(
        text, "  time of a step  %12s estimated; %s with unlimited memory\n",
        vdnn_rounded_seconds(times[0], sizeof times[0], plan->step_seconds, digits),
        vdnn_rounded_seconds(times[1], sizeof times[1], plan->oracle_step_seconds, digits));
    const char *peak = vdnn_plan_peak_layer(plan);
    vdnn_text_add(text, "  at the peak%s%s\n", peak == NULL ? "" : ", layer ",
                  peak == NULL ? "" : peak);
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        vdnn_text_add(text, "    %-18s %12s (its maximum %s)\n",
                      vdnn_category_text((vdnn_category)c),
                      bytes_text((double)plan->by_category_at_peak[c]).text,
                      bytes_text((double)plan->by_category[c]).text);
    return vdnn_text_status(text, "the footprint");
}
