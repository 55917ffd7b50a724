#include "runtime/train/resume.h"

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/data/tensors/safetensors.h"
#include "runtime/train/agree.h"
#include "runtime/train/weights.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEFAULT_KEEP = 3,
    NAME_BYTES = 64, /* of a file */
};

static vdnn_status fail_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what a checkpoint says");
}

/* ---- comparing ------------------------------------------------------------------------------- */

static vdnn_status compare(const vdnn_checkpoint *checkpoint, const json_t *here)
{
    static const vdnn_description_sides sides = {"there", "here"};
    vdnn_text text = {0};
    vdnn_description_compare(checkpoint->manifest, here, &sides, &text);
    vdnn_status status = VDNN_OK;
    if (text.failed)
        status = fail_memory();
    else if (text.length > 0)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s belongs to another training:%s",
                                  checkpoint->path, text.data);
    vdnn_text_fini(&text);
    return status;
}

/* ---- what may change ------------------------------------------------------------------------- */

static json_t *describe_machine(const vdnn_setup *setup)
{
    const vdnn_device_properties *device = &setup->properties;
    return json_pack("{s:s, s:s, s:s, s:i, s:i}", "device", device->kind, "processor", device->name,
                     "library", device->library, "threads", device->threads, "devices",
                     (int)setup->graph->devices);
}

/* An earlier version did not write what it did not have, which is off at 0; of devices it had one.
 */
static bool is_unchanged(const char *key, const json_t *before, const json_t *now)
{
    const double preset = strcmp(key, "devices") == 0 ? 1 : 0;
    return json_equal(before, now) ||
           (before == NULL && json_is_number(now) && json_number_value(now) == preset);
}

/* A warning for each of the values that differ. Takes the reference of `here`. */
static vdnn_status warn_of_changes(const json_t *there, json_t *here, const char *what,
                                   const vdnn_messages *messages)
{
    const char *key;
    json_t *value;
    char left[128], right[128];
    if (here == NULL)
        return fail_memory();
    json_object_foreach(here, key, value)
    {
        const json_t *before = json_object_get(there, key);
        if (!is_unchanged(key, before, value))
            vdnn_messages_log(messages, VDNN_LOG_WARN, "%s was %s, is %s now: %s", key,
                              vdnn_description_value(before, left, sizeof left),
                              vdnn_description_value(value, right, sizeof right), what);
    }
    json_decref(here);
    return VDNN_OK;
}

static vdnn_status check(const vdnn_session_options *options, const vdnn_setup *setup,
                         const vdnn_messages *messages, const vdnn_resume *resume)
{
    const json_t *manifest = resume->base->manifest;
    VDNN_TRY(compare(resume->base, resume->here.training));
    if (setup->graph->is_frozen)
        return VDNN_OK;
    VDNN_TRY(
        warn_of_changes(json_object_get(manifest, "optimizer"),
                        vdnn_description_optimizer(options, setup->graph, resume->here.step_count),
                        "the training continues with it", messages));
    return warn_of_changes(json_object_get(manifest, "machine"), describe_machine(setup),
                           "the last bits may differ", messages);
}

/* ---- algorithms ------------------------------------------------------------------------------ */

static vdnn_status join(const vdnn_checkpoint *base, const char *name, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s", base->path, name);
    if (length < 0 || length >= PATH_MAX)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", base->path);
    return VDNN_OK;
}

/* Only these algorithms, and the parts that layers had. Both are the caller's, also on failure. */
static vdnn_status pin(const char *path, const vdnn_setup *setup, vdnn_setup *pinned)
{
    *pinned = *setup;
    pinned->profile = NULL;
    pinned->variants = NULL;
    vdnn_status status = vdnn_derived_profile_scale(setup->profile, setup->graph, setup->graph,
                                                    setup->device, &pinned->profile);
    VDNN_IF_OK(status, vdnn_derived_profile_pin(pinned->profile, setup->graph, path));
    return status == VDNN_OK && setup->variants != NULL
               ? vdnn_setup_variants_create(pinned, path, &pinned->variants)
               : status;
}

static void unpin(const vdnn_setup *pinned)
{
    vdnn_setup_variants_destroy(pinned->variants);
    vdnn_profile_destroy(pinned->profile);
}

/* VDNN_BAD_INPUT if one is missing, VDNN_NO_FIT if the request does not fit. */
static vdnn_status try_pinned(const vdnn_checkpoint *base, const vdnn_fit_request *request,
                              const vdnn_setup *setup, vdnn_setup *pinned)
{
    char path[PATH_MAX];
    vdnn_fit_plans plans = {0};
    vdnn_fit_request pinned_request = *request;
    VDNN_TRY(join(base, VDNN_CHECKPOINT_MANIFEST, path));
    vdnn_status status = pin(path, setup, pinned);
    if (status == VDNN_OK) {
        pinned_request.setup = pinned;
        status = vdnn_fit_plan(&pinned_request, &plans);
        vdnn_fit_plans_fini(&plans);
    }
    if (status != VDNN_OK)
        unpin(pinned);
    return status;
}

vdnn_status vdnn_resume_pin(const vdnn_resume *resume, const vdnn_fit_request *request,
                            vdnn_setup *setup, const vdnn_messages *messages)
{
    vdnn_setup pinned;
    if (resume->base == NULL)
        return VDNN_OK;
    vdnn_status status = try_pinned(resume->base, request, setup, &pinned);
    if (status == VDNN_BAD_INPUT || status == VDNN_NO_FIT) {
        vdnn_messages_log(
            messages, VDNN_LOG_WARN,
            "the algorithms of the checkpoint are not used: %s; the last bits may differ",
            status == VDNN_NO_FIT ? "the budget is too small for them" : vdnn_status_message());
        return VDNN_OK;
    }
    if (status != VDNN_OK)
        return status;
    unpin(setup);
    setup->profile = pinned.profile;
    setup->variants = pinned.variants;
    return VDNN_OK;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* "exp_avg.safetensors": the file of a slot. */
static const char *slot_file(const vdnn_plan *plan, int32_t slot, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "%s.safetensors",
                   plan->graph->training.optimizer->slots[slot]);
    return name;
}

vdnn_status vdnn_resume_load(const vdnn_checkpoint *base, const vdnn_plan *plan,
                             vdnn_device *device, int32_t rank)
{
    char path[PATH_MAX], name[NAME_BYTES];
    vdnn_status status = join(base, VDNN_CHECKPOINT_WEIGHTS, path);
    VDNN_IF_OK(status, vdnn_weights_fill(plan, device, 0, path));
    const int32_t slots = plan->graph->is_frozen ? 0 : plan->graph->training.optimizer->slot_count;
    for (int32_t s = 0; s < slots && status == VDNN_OK; s++) {
        status = join(base, slot_file(plan, s, name), path);
        VDNN_IF_OK(status, vdnn_weights_load_slot(plan, device, rank, s, path));
    }
    return status;
}

static vdnn_status load_losses(const vdnn_checkpoint *base, double **losses)
{
    char path[PATH_MAX];
    int64_t count = base->step;
    vdnn_safetensors *file = NULL;
    double *fresh = NULL;
    vdnn_status status = join(base, VDNN_CHECKPOINT_LOSSES, path);
    VDNN_IF_OK(status, vdnn_safetensors_open(path, &file));
    if (status == VDNN_OK) {
        fresh = vdnn_heap_calloc((size_t)count, sizeof *fresh);
        status = fresh == NULL ? fail_memory()
                               : vdnn_safetensors_read_doubles(file, "losses", &count, 1, fresh);
    }
    vdnn_safetensors_close(file);
    if (status == VDNN_OK)
        *losses = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

/* ---- evaluations ----------------------------------------------------------------------------- */

/* An earlier version had none in its checkpoints. */
static vdnn_status begin_evaluations(const vdnn_session_options *options, vdnn_resume *resume)
{
    const json_t *before =
        resume->base == NULL ? NULL : json_object_get(resume->base->manifest, "evaluations");
    resume->keeps_best = options->output->keep_best;
    resume->evaluations = json_is_array(before) ? json_deep_copy(before) : json_array();
    return resume->evaluations == NULL ? fail_memory() : VDNN_OK;
}

vdnn_status vdnn_resume_add_evaluation(vdnn_resume *resume, int64_t step,
                                       const vdnn_test_scores *test)
{
    json_t *one = json_pack("{s:I, s:o, s:o}", "step", (json_int_t)step, "accuracy",
                            test->accuracy >= 0 ? json_real(test->accuracy) : json_null(), "loss",
                            isfinite(test->loss) ? json_real(test->loss) : json_null());
    if (test->dice >= 0)
        (void)json_object_set_new(one, "dice", json_real(test->dice));
    return json_array_append_new(resume->evaluations, one) == 0 ? VDNN_OK : fail_memory();
}

static double number_or(const json_t *one, const char *key, double other)
{
    const json_t *value = json_object_get(one, key);
    return json_is_number(value) ? json_number_value(value) : other;
}

vdnn_test_scores vdnn_resume_evaluation(const json_t *one)
{
    return (vdnn_test_scores){number_or(one, "accuracy", -1.0), number_or(one, "loss", (double)NAN),
                              number_or(one, "dice", -1.0)};
}

static bool is_better(const vdnn_graph *graph, const vdnn_test_scores *test,
                      const vdnn_test_scores *best)
{
    const bool are_classes =
        vdnn_graph_target(graph) == VDNN_TARGET_CLASSES && vdnn_graph_sample_tokens(graph) == 0;
    if (are_classes)
        return test->accuracy > best->accuracy;
    if (vdnn_graph_target(graph) == VDNN_TARGET_MASKS)
        return test->dice > best->dice;
    return test->loss < best->loss || isnan(best->loss);
}

bool vdnn_resume_is_best(const vdnn_resume *resume, const vdnn_graph *graph,
                         const vdnn_test_scores *test)
{
    size_t i;
    const json_t *one;
    json_array_foreach(resume->evaluations, i, one)
    {
        const json_int_t step = json_integer_value(json_object_get(one, "step"));
        const vdnn_test_scores best = vdnn_resume_evaluation(one);
        if (!is_better(graph, test, &best) && vdnn_checkpoint_is_best(resume->folder, step))
            return false;
    }
    return true;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static vdnn_status find_own_base(const vdnn_session_options *options, vdnn_resume *resume)
{
    if (strcmp(options->resume, "auto") != 0)
        return vdnn_checkpoint_open(options->resume, &resume->base);
    if (resume->folder == NULL)
        return vdnn_status_fail(VDNN_USAGE, "--resume auto takes the newest checkpoint of "
                                            "--checkpoint DIR: give that folder");
    return vdnn_checkpoint_newest(resume->folder, &resume->base);
}

/* The same path may name other files on another host. Manifests have the digests of all. */
static vdnn_status agree_on_base(vdnn_group *group, const vdnn_checkpoint *base)
{
    if (group == NULL)
        return VDNN_OK;
    char *text = vdnn_json_dump(base->manifest, JSON_SORT_KEYS);
    vdnn_status status = VDNN_OK;
    if (text == NULL)
        status = fail_memory();
    VDNN_IF_OK(status, vdnn_agree_on_content(group, text, "checkpoint to resume from"));
    free(text);
    return status;
}

/* Which one is the newest may change at any time, so one process says. */
static vdnn_status find_base(const vdnn_session_options *options, vdnn_group *group,
                             vdnn_resume *resume)
{
    const bool is_first = vdnn_agree_is_first(group);
    vdnn_text path = {0};
    if (options->resume == NULL)
        return VDNN_OK;
    vdnn_status status = is_first ? find_own_base(options, resume) : VDNN_OK;
    if (status == VDNN_OK && resume->base != NULL)
        vdnn_text_add(&path, "%s", resume->base->path);
    VDNN_IF_OK(status, vdnn_agree_on_text(group, 0, &path));
    if (status == VDNN_OK && !is_first && path.length > 0)
        status = vdnn_checkpoint_open(path.data, &resume->base);
    if (status == VDNN_OK && resume->base != NULL)
        status = agree_on_base(group, resume->base);
    size_t continues = resume->base != NULL && options->checkpoint != NULL &&
                       vdnn_checkpoint_is_in(resume->base, options->checkpoint);
    VDNN_IF_OK(status, vdnn_agree_on_least(group, &continues, 1));
    resume->continues = continues > 0;
    vdnn_text_fini(&path);
    return status;
}

static void say_where(const vdnn_session_options *options, const vdnn_resume *resume,
                      const vdnn_messages *messages)
{
    if (resume->base != NULL)
        vdnn_messages_log(messages, VDNN_LOG_INFO, "resumes from step %lld (%s)",
                          (long long)resume->base->step, resume->base->path);
    else if (options->resume != NULL)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "%s has no complete checkpoint: starting from the beginning",
                          options->checkpoint);
}

vdnn_status vdnn_resume_begin(const vdnn_session_options *options, const vdnn_setup *setup,
                              const vdnn_messages *messages, vdnn_group *group, vdnn_resume *resume)
{
    const vdnn_messages silent = {0};
    vdnn_resume fresh = {0};
    vdnn_status status = VDNN_OK;
    if (!vdnn_agree_is_first(group)) /* all would say the same */
        messages = &silent;
    if (options->checkpoint != NULL && vdnn_agree_is_first(group))
        status = vdnn_checkpoint_folder_open(
            options->checkpoint, options->output->keep > 0 ? options->output->keep : DEFAULT_KEEP,
            messages, &fresh.folder);
    VDNN_IF_OK(status, find_base(options, group, &fresh));
    if (status == VDNN_OK && (options->checkpoint != NULL || fresh.base != NULL))
        status = vdnn_description_make(options, setup, &fresh.here);
    if (status == VDNN_OK && fresh.base != NULL)
        status = check(options, setup, messages, &fresh);
    if (status == VDNN_OK && fresh.base != NULL)
        status = load_losses(fresh.base, &fresh.earlier);
    VDNN_IF_OK(status, begin_evaluations(options, &fresh));
    if (status == VDNN_OK && fresh.folder != NULL)
        status = vdnn_checkpoint_folder_begin(fresh.folder, fresh.base);
    if (status != VDNN_OK) {
        vdnn_resume_end(&fresh);
        return status;
    }
    say_where(options, &fresh, messages);
    if (fresh.base != NULL)
        fresh.layout = json_string_value(json_object_get(fresh.base->manifest, "layout"));
    *resume = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_resume_growth(const vdnn_resume *resume, int64_t *most)
{
    const int64_t first = resume->base == NULL ? 0 : resume->base->step,
                  last = resume->here.step_count, every = resume->here.every;
    *most = 0;
    if (resume->folder == NULL || last <= first)
        return VDNN_OK;
    const int64_t due = last / every - first / every + (last % every != 0);
    VDNN_TRY(vdnn_checkpoint_folder_growth(resume->folder, resume->keeps_best ? last - first : due,
                                           most));
    *most += resume->keeps_best;
    return VDNN_OK;
}

void vdnn_resume_end(vdnn_resume *resume)
{
    vdnn_checkpoint_folder_close(resume->folder);
    vdnn_checkpoint_close(resume->base);
    vdnn_heap_free(resume->earlier);
    json_decref(resume->evaluations);
    vdnn_description_fini(&resume->here);
    *resume = (vdnn_resume){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct position {
    const vdnn_training_run *run;
    const json_t *evaluations;
    const double *earlier; /* losses of the steps before those of this run */
    int64_t earlier_count;
    vdnn_shares *shares; /* NULL: the device has all of the state */
} position;

/* What write_weights writes: a slot, or the parameters. */
typedef struct weights_part {
    const position *at;
    int32_t slot;
    char name[NAME_BYTES]; /* of its file */
} weights_part;

static vdnn_status write_weights(void *context, const char *path, vdnn_digest *digest)
{
    const weights_part *part = context;
    const vdnn_training_request *request = &part->at->run->request;
    return vdnn_weights_save_slot(
        request->plans->training, request->setup->device, part->at->shares, part->slot,
        part->slot == VDNN_KEPT_PARAMETERS ? part->at->run->class_names : NULL, path, digest);
}

static vdnn_status write_losses(void *context, const char *path, vdnn_digest *digest)
{
    const position *at = context;
    const vdnn_training_run *run = at->run;
    const int64_t dims[] = {run->step};
    const vdnn_safetensors_entry entry = {
        .name = "losses", .dims = dims, .dim_count = 1, .is_double = true};
    vdnn_safetensors_writer *writer = NULL;
    vdnn_status status = vdnn_safetensors_writer_create(path, &entry, 1, NULL, &writer);
    VDNN_IF_OK(status, vdnn_safetensors_writer_put(writer, at->earlier,
                                                   (size_t)at->earlier_count * sizeof(double)));
    for (size_t i = 0; i < run->sample_count && status == VDNN_OK; i++)
        status = vdnn_safetensors_writer_put(writer, &run->samples[i].loss, sizeof(double));
    if (status == VDNN_OK)
        return vdnn_safetensors_writer_commit(writer, digest);
    vdnn_safetensors_writer_abandon(writer);
    return status;
}

/* What decides over its bits, as in a run's JSON. */
static bool add_computation(const vdnn_plan *plan, int32_t l, json_t *layer)
{
    const json_int_t parts = vdnn_graph_part_count(plan->graph, l);
    return json_object_set_new(layer, "algorithms", vdnn_record_algorithms(plan, l)) == 0 &&
           json_object_set_new(layer, "parts", json_integer(parts)) == 0 &&
           json_object_set_new(layer, "chained", json_boolean(plan->chained[l])) == 0;
}

/* Of stages that of the one which has the layer. */
static const vdnn_plan *plan_of_layer(const vdnn_training_request *request, int32_t l)
{
    const vdnn_plan *plan = request->plans->training;
    int32_t s = 0;
    if (request->stages == NULL)
        return plan;
    while (request->stages[s]->graph->layers[l].is_elsewhere)
        s++;
    return request->stages[s];
}

static bool add_computations(const vdnn_training_request *request, json_t *layers)
{
    size_t i;
    json_t *layer, *named = json_object();
    bool good = named != NULL;
    json_array_foreach(layers, i, layer)
    {
        const char *name = json_string_value(json_object_get(layer, "name"));
        good = good && json_object_set(named, name, layer) == 0;
    }
    const vdnn_graph *graph = request->plans->training->graph;
    for (int32_t l = 0; l < graph->layer_count && good; l++) {
        layer = json_object_get(named, graph->layers[l].name);
        if (layer != NULL)
            good = add_computation(plan_of_layer(request, l), l, layer);
    }
    json_decref(named);
    return good;
}

/* Random numbers and the order of the data come from counters, so step and seed determine them;
 * epoch and next sample are for people. */
static vdnn_status describe_state(const position *at, json_t *facts)
{
    const vdnn_training_run *run = at->run;
    const vdnn_training_request *request = &run->request;
    const vdnn_session_options *options = request->options;
    const vdnn_graph *graph = request->setup->graph;
    int64_t per_epoch = (int64_t)vdnn_loader_batches_per_epoch(vdnn_dataset_count(run->train),
                                                               graph->step_batch, false);
    double loss = run->sample_count > 0   ? run->samples[run->sample_count - 1].loss
                  : at->earlier_count > 0 ? at->earlier[at->earlier_count - 1]
                                          : (double)NAN;
    json_t *state = json_pack(
        "{s:s, s:I, s:I, s:I, s:o, s:s, s:s, s:s, s:o, s:o}", "version", vdnn_version(),
        "step_count", (json_int_t)run->step_count, "epoch", (json_int_t)(run->step / per_epoch),
        "next_sample", (json_int_t)run->step * graph->step_batch, "loss",
        isfinite(loss) ? json_real(loss) : json_null(), "data", options->data, "policy",
        request->plans->training->policy, "algo", request->plans->training->algo, "optimizer",
        vdnn_description_optimizer(options, graph, run->step_count), "machine",
        describe_machine(request->setup));
    (void)json_object_set_new(state, "layout", json_string(vdnn_layout_text(graph->preferred)));
    json_t *layers = json_incref(json_object_get(facts, "layers")); /* the long part goes last */
    if (json_array_size(at->evaluations) > 0)
        (void)json_object_set_new(state, "evaluations", json_deep_copy(at->evaluations));
    bool good = state != NULL && json_object_del(facts, "layers") == 0 &&
                json_object_update(facts, state) == 0 &&
                json_object_set(facts, "layers", layers) == 0 && add_computations(request, layers);
    json_decref(layers);
    json_decref(state);
    return good ? VDNN_OK : fail_memory();
}

/* The parameters (VDNN_KEPT_PARAMETERS, slot -1), the optimizer's slots and the losses. */
static int list_parts(position *at, weights_part weights[VDNN_MAX_SLOTS + 1],
                      vdnn_checkpoint_part parts[VDNN_MAX_SLOTS + 2])
{
    const vdnn_plan *plan = at->run->request.plans->training;
    int count = 0;
    for (int32_t i = 0; i <= VDNN_MAX_SLOTS && i <= plan->graph->training.optimizer->slot_count;
         i++) {
        weights[i] = (weights_part){.at = at, .slot = i - 1, .name = VDNN_CHECKPOINT_WEIGHTS};
        if (i > 0)
            (void)slot_file(plan, i - 1, weights[i].name);
        parts[count++] = (vdnn_checkpoint_part){weights[i].name, write_weights, &weights[i]};
    }
    parts[count++] = (vdnn_checkpoint_part){VDNN_CHECKPOINT_LOSSES, write_losses, at};
    return count;
}

static vdnn_status begin_shares(position *at)
{
    const vdnn_training_request *request = &at->run->request;
    const vdnn_plan *plan = request->plans->training;
    return plan->graph->shards || plan->graph->stage.count > 0
               ? vdnn_shares_begin(plan, request->setup->device, request->group, &at->shares)
               : VDNN_OK;
}

/* Keeps the message of the first error. */
static vdnn_status end_shares(const position *at, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    vdnn_shares_end(at->shares);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_resume_write(const vdnn_resume *resume, const vdnn_training_run *run)
{
    position at = {run, resume->evaluations, resume->earlier,
                   run->step - (int64_t)run->sample_count, NULL};
    weights_part weights[VDNN_MAX_SLOTS + 1];
    vdnn_checkpoint_part parts[VDNN_MAX_SLOTS + 2];
    int count = list_parts(&at, weights, parts);
    struct timespec begin, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    json_t *facts = json_deep_copy(resume->here.training);
    vdnn_status status = begin_shares(&at);
    VDNN_IF_OK(status, facts == NULL ? fail_memory() : describe_state(&at, facts));
    VDNN_IF_OK(status, vdnn_checkpoint_write(resume->folder, run->step, facts, parts, count));
    json_decref(facts);
    status = end_shares(&at, status);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    if (status == VDNN_OK)
        vdnn_messages_log(run->request.messages, VDNN_LOG_DEBUG,
                          "the checkpoint of step %lld took %.3g s", (long long)run->step,
                          (double)(end.tv_sec - begin.tv_sec) +
                              1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    return status;
}
