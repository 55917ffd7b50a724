#include "runtime/train/description.h"

#include "layers/signature.h"
#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/setup/build.h"
#include "runtime/train/record.h"
#include "runtime/train/training/training.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    DATA_SAMPLES = 16,             /* samples that identify a data set */
    MOST_COMPARED_BYTES = 1 << 28, /* of samples that ranks compare */
    INPUT_BYTES = 80,
    LAYERS_NAMED = 3, /* at most, of those that differ */
};

static const char *const schedule_texts[] = {
    [VDNN_RATE_CONSTANT] = "constant", [VDNN_RATE_STEP] = "step", [VDNN_RATE_COSINE] = "cosine"};

static vdnn_status fail_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the description of a training");
}

/* ---- values ---------------------------------------------------------------------------------- */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reals(const vdnn_reals *values)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < values->count; i++)
        (void)json_array_append_new(array, real(values->values[i]));
    return array;
}

/* ---- what the training is -------------------------------------------------------------------- */

static vdnn_status describe_layers(const vdnn_model *model, json_t **layers)
{
    json_t *fresh = json_array();
    vdnn_status status = fresh == NULL ? fail_memory() : VDNN_OK;
    for (int32_t l = 0; l < model->layer_count && status == VDNN_OK; l++) {
        char *words = NULL;
        const vdnn_layer_spec *spec = &model->layers[l];
        status =
            vdnn_signature_describe(spec->name, spec->def, spec->config, spec->from,
                                    spec->from_count, spec->weight_of, spec->is_frozen, &words);
        if (status != VDNN_OK)
            break;
        json_t *layer = json_pack("{s:s, s:s}", "name", spec->name, "description", words);
        if (layer == NULL || json_array_append_new(fresh, layer) != 0)
            status = fail_memory();
        vdnn_heap_free(words);
    }
    if (status == VDNN_OK)
        *layers = fresh;
    else
        json_decref(fresh);
    return status;
}

/* Of each input under its name; of the only one of a file that names none, that one's itself. NULL:
 * no memory. */
static json_t *describe_each(const vdnn_model *model,
                             json_t *(*describe)(const vdnn_input_spec *input))
{
    if (model->input_count == 1 && strcmp(model->inputs[0].name, "input") == 0)
        return describe(&model->inputs[0]);
    json_t *all = json_object();
    for (int32_t i = 0; i < model->input_count; i++)
        if (json_object_set_new(all, model->inputs[i].name, describe(&model->inputs[i])) != 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

static json_t *describe_normalization(const vdnn_input_spec *input)
{
    return json_pack("{s:o, s:o}", "mean", reals(&input->normalization.mean), "std",
                     reals(&input->normalization.std));
}

static json_t *describe_shape(const vdnn_input_spec *input)
{
    char text[INPUT_BYTES];
    if (input->tokens > 0)
        (void)snprintf(text, sizeof text, "%" PRId64 " tokens of %" PRId64, input->tokens,
                       input->vocabulary);
    else if (input->depth > 0)
        (void)snprintf(text, sizeof text, "%" PRId64 " x %" PRId64 " x %" PRId64 " x %" PRId64,
                       input->channels, input->depth, input->height, input->width);
    else
        (void)snprintf(text, sizeof text, "%" PRId64 " x %" PRId64 " x %" PRId64, input->channels,
                       input->height, input->width);
    return json_string(text);
}

static json_t *describe_augmentation(const vdnn_model *model)
{
    const vdnn_augment *augment = &model->training.augment;
    return json_pack("{s:b, s:[I, I]}", "flip", augment->flip ? 1 : 0, "crop",
                     (json_int_t)augment->crop[0], (json_int_t)augment->crop[1]);
}

/* Tokens are as large as floats. */
static size_t input_bytes(const vdnn_dataset *data, int32_t input)
{
    return (size_t)vdnn_dataset_per_sample(data, input) * sizeof(float);
}

/* `samples` of them, evenly spread. */
static vdnn_status hash_samples(const vdnn_dataset *data, uint64_t samples, XXH3_state_t *hash)
{
    size_t bytes = 0, label_bytes = vdnn_dataset_label_bytes(data);
    uint64_t count = vdnn_dataset_count(data);
    for (int32_t i = 0; i < vdnn_dataset_inputs(data); i++)
        bytes += input_bytes(data, i);
    char *elements = vdnn_heap_calloc(1, bytes);
    void *labels = vdnn_heap_calloc(1, label_bytes);
    vdnn_scratch scratch = {{NULL}, {0}};
    void *inputs[VDNN_INPUTS_MAX];
    vdnn_status status = elements == NULL || labels == NULL ? fail_memory() : VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < vdnn_dataset_inputs(data); i++)
        inputs[i] = i == 0 ? elements : (char *)inputs[i - 1] + input_bytes(data, i - 1);
    for (uint64_t i = 0; i < samples && status == VDNN_OK; i++) {
        uint64_t index = count / samples * i + count % samples * i / samples;
        status = vdnn_dataset_read(data, index, &scratch, inputs, labels);
        if (status != VDNN_OK)
            break;
        (void)XXH3_128bits_update(hash, elements, bytes);
        (void)XXH3_128bits_update(hash, labels, label_bytes);
    }
    vdnn_scratch_fini(&scratch);
    vdnn_heap_free(elements);
    vdnn_heap_free(labels);
    return status;
}

/* Hashes some samples, so that the same data may be in another place, but other data is detected in
 * the same one. */
static vdnn_status describe_data(const vdnn_dataset *data, uint64_t samples, char text[33])
{
    XXH3_state_t *hash = XXH3_createState();
    vdnn_status status = VDNN_OK;
    if (hash == NULL || XXH3_128bits_reset(hash) != XXH_OK)
        status = fail_memory();
    else
        status = hash_samples(data, samples, hash);
    if (status == VDNN_OK) {
        XXH128_hash_t digest = XXH3_128bits_digest(hash);
        (void)snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, (uint64_t)digest.high64,
                       (uint64_t)digest.low64);
    }
    (void)XXH3_freeState(hash);
    return status;
}

/* What a description without it means, of before there was a choice. */
static const char as_stored[] = "as stored";

static vdnn_status describe_training(const vdnn_session_options *options, const vdnn_setup *setup,
                                     const vdnn_dataset *data, json_t **training)
{
    const vdnn_model *model = setup->model;
    char samples[33];
    json_t *layers = NULL;
    vdnn_status status = describe_layers(model, &layers);
    VDNN_IF_OK(status, describe_data(data, DATA_SAMPLES, samples));
    if (status != VDNN_OK) {
        json_decref(layers);
        return status;
    }
    json_t *network =
        json_pack("{s:s, s:o, s:I, s:o, s:o}", "model", model->name, "input",
                  describe_each(model, describe_shape), "classes", (json_int_t)model->classes,
                  "normalization", describe_each(model, describe_normalization), "layers", layers);
    json_t *fresh = json_pack(
        "{s:I, s:s, s:I, s:I, s:s, s:b, s:s, s:o, s:s}", "batch",
        (json_int_t)setup->graph->step_batch, "dtype", vdnn_dtype_text(setup->graph->dtype), "seed",
        (json_int_t)options->seed, "images", (json_int_t)vdnn_dataset_count(data),
        "samples_xxh3_128", samples, "shuffle", options->dataset->no_shuffle ? 0 : 1, "update_rule",
        setup->graph->training.optimizer->name, "augment", describe_augmentation(model),
        "orientation", options->dataset->orient ? "by EXIF" : as_stored);
    const bool good = network != NULL && fresh != NULL;
    if (good && setup->graph->micro_batches > 1) /* one is not named: as before there were any */
        (void)json_object_set_new(fresh, "accumulate", json_integer(setup->graph->micro_batches));
    if (good && !setup->graph->is_frozen)
        (void)json_object_update(network, fresh);
    json_decref(fresh);
    if (!good) {
        json_decref(network);
        return fail_memory();
    }
    *training = network;
    return VDNN_OK;
}

vdnn_status vdnn_description_make(const vdnn_session_options *options, const vdnn_setup *setup,
                                  vdnn_description *description)
{
    vdnn_dataset *data = NULL;
    vdnn_description fresh = {0};
    vdnn_status status = vdnn_training_open_data(setup->graph, options, &data);
    VDNN_IF_OK(status, describe_training(options, setup, data, &fresh.training));
    if (status == VDNN_OK) {
        int64_t epoch_steps = (int64_t)vdnn_loader_batches_per_epoch(
            vdnn_dataset_count(data), setup->graph->step_batch, false);
        fresh.step_count = vdnn_training_count_steps(options, setup->graph, epoch_steps);
        fresh.every =
            options->output->checkpoint_every > 0 ? options->output->checkpoint_every : epoch_steps;
        *description = fresh;
    }
    vdnn_dataset_close(data);
    return status;
}

void vdnn_description_fini(vdnn_description *description)
{
    json_decref(description->training);
    *description = (vdnn_description){0};
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* key, name in messages, remedy; what a description without the key means, NULL: all have it */
typedef struct fact {
    const char *key, *text, *help, *preset;
} fact;

static const fact of_network[] = {
    {"model", "network", "--model", NULL},
    {"input", "input of the network", "--model", NULL},
    {"classes", "classes", "--model", NULL},
    {"normalization", "normalization of pixels", "--model", NULL},
};

static const fact of_training[] = {
    {"batch", "batch", "--batch", NULL},
    {"accumulate", "micro-batches", "--accumulate", NULL},
    {"dtype", "type", "--dtype", NULL},
    {"seed", "seed", "--seed", NULL},
    {"images", "samples in the data", "--data", NULL},
    {"orientation", "orientation of pictures", "--orient", as_stored},
    {"samples_xxh3_128", "digest of some of the data", "--data", NULL},
    {"shuffle", "shuffled", "--no-shuffle", NULL},
    {"update_rule", "optimizer", "--optimizer", "sgd"},
    {"augment", "augmentation", "--model", NULL},
};

static const fact of_process[] = {
    {"version", "version of vdnn", NULL, NULL},
    {"build", "build of vdnn", NULL, NULL},
    {"rules", "rules", "--rules", NULL},
    {"policy", "policy", "--policy", NULL},
    {"algo", "mode of algorithms", "--algo", NULL},
    {"algos", "file of algorithms", "--algos", NULL},
    {"trials", "plans that are tried", "--plan-trials", NULL},
    {"nondeterministic", "nondeterministic algorithms", "--nondeterministic", NULL},
    {"steps", "steps", "--steps", NULL},
    {"settings", "settings of the optimizer", "--lr", NULL},
    {"init", "initial weights", "--init", NULL},
    {"data", "content of the data", "--data", NULL},
    {"resume", "resumes", "--resume", NULL},
    {"checkpoint", "writes checkpoints", "--checkpoint", NULL},
    {"every", "steps between checkpoints", "--checkpoint-every", NULL},
    {"shard", "what devices have shares of", "--shard", NULL},
    {"device", "device", "--device", NULL},
    {"threads", "threads", "--threads", NULL},
    {"library", "library", NULL, NULL},
};

const char *vdnn_description_value(const json_t *value, char *buffer, size_t size)
{
    char *dump =
        value == NULL ? NULL : vdnn_json_dump(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    (void)snprintf(buffer, size, "%.120s", dump == NULL ? "nothing" : dump);
    free(dump);
    return buffer;
}

typedef struct comparison {
    const vdnn_description_sides *sides;
    vdnn_text *text;
} comparison;

static void add_difference(const comparison *to, const char *what, const json_t *left,
                           const json_t *right, const char *help)
{
    char one[128], other[128];
    vdnn_text_add(to->text, "\n  %s: %s %s, %s %s", what,
                  vdnn_description_value(left, one, sizeof one), to->sides->left,
                  vdnn_description_value(right, other, sizeof other), to->sides->right);
    if (help != NULL)
        vdnn_text_add(to->text, " (%s)", help);
}

static void compare_facts(const comparison *to, const fact *facts, size_t count, const json_t *left,
                          const json_t *right)
{
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_incref(json_object_get(left, facts[i].key));
        const json_t *other = json_object_get(right, facts[i].key);
        if (one == NULL && facts[i].preset != NULL)
            one = json_string(facts[i].preset);
        if (one != other && !json_equal(one, other))
            add_difference(to, facts[i].text, one, other, facts[i].help);
        json_decref(one);
    }
}

static void compare_layers(const comparison *to, const json_t *left, const json_t *right)
{
    size_t lefts = json_array_size(left), rights = json_array_size(right), named = 0;
    if (lefts != rights)
        vdnn_text_add(to->text, "\n  layers: %zu %s, %zu %s", lefts, to->sides->left, rights,
                      to->sides->right);
    for (size_t l = 0; l < lefts && l < rights && named < LAYERS_NAMED; l++) {
        const json_t *a = json_array_get(left, l), *b = json_array_get(right, l);
        const json_t *name = json_object_get(b, "name");
        char what[160];
        (void)snprintf(what, sizeof what, "layer %s", json_string_value(name));
        if (!json_equal(json_object_get(a, "name"), name))
            add_difference(to, "name of a layer", json_object_get(a, "name"), name, NULL);
        else if (!json_equal(json_object_get(a, "description"), json_object_get(b, "description")))
            add_difference(to, what, json_object_get(a, "description"),
                           json_object_get(b, "description"), NULL);
        else
            continue;
        named++;
    }
}

/* What a manifest says of its process is not compared: it may have changed. */
void vdnn_description_compare(const json_t *left, const json_t *right,
                              const vdnn_description_sides *sides, vdnn_text *text)
{
    const comparison to = {sides, text};
    const json_t *process = json_object_get(right, "process");
    compare_facts(&to, of_network, sizeof of_network / sizeof *of_network, left, right);
    if (json_object_get(right, "batch") != NULL)
        compare_facts(&to, of_training, sizeof of_training / sizeof *of_training, left, right);
    compare_layers(&to, json_object_get(left, "layers"), json_object_get(right, "layers"));
    if (process != NULL)
        compare_facts(&to, of_process, sizeof of_process / sizeof *of_process,
                      json_object_get(left, "process"), process);
}

/* ---- what may change ------------------------------------------------------------------------- */

/* A cosine also depends on its last step. */
static json_t *describe_schedule(const vdnn_rate_schedule *schedule, int64_t step_count)
{
    json_t *fresh = json_pack("{s:s, s:o, s:o, s:o, s:o}", "type", schedule_texts[schedule->kind],
                              "every", real(schedule->every), "at", reals(&schedule->at), "factor",
                              real(schedule->factor), "floor", real(schedule->floor));
    if (schedule->kind == VDNN_RATE_COSINE)
        (void)json_object_set_new(fresh, "steps", json_integer(step_count));
    return fresh;
}

json_t *vdnn_description_optimizer(const vdnn_session_options *options, const vdnn_graph *graph,
                                   int64_t step_count)
{
    const vdnn_training *training = &graph->training;
    json_t *fresh = vdnn_record_settings(training, vdnn_training_rate(options, graph));
    (void)json_object_set_new(fresh, "warmup", real(training->warmup));
    (void)json_object_set_new(fresh, "schedule",
                              describe_schedule(&training->schedule, step_count));
    return fresh;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* What is read of the data, as far as that takes a second: all of a small set, of a large one as
 * many samples as may be. What is made up depends on its name alone. */
static vdnn_status describe_all_data(const vdnn_session_options *options, const vdnn_graph *graph,
                                     char text[33])
{
    vdnn_dataset *data = NULL;
    size_t bytes = 0;
    text[0] = '\0';
    if (options->dry_run || options->dataset->feeds ||
        strncmp(options->data, "synthetic", strlen("synthetic")) == 0)
        return VDNN_OK;
    VDNN_TRY(vdnn_training_open_data(graph, options, &data));
    for (int32_t i = 0; i < vdnn_dataset_inputs(data); i++)
        bytes += input_bytes(data, i);
    const uint64_t count = vdnn_dataset_count(data), most = MOST_COMPARED_BYTES / (bytes + 1) + 1;
    vdnn_status status = describe_data(data, count < most ? count : most, text);
    vdnn_dataset_close(data);
    return status;
}

/* NULL, a text that is not there, is no member. */
vdnn_status vdnn_description_add_process(const vdnn_session_options *options,
                                         const vdnn_setup *setup, vdnn_description *description)
{
    const vdnn_device_properties *device = &setup->properties;
    char data[33];
    VDNN_TRY(describe_all_data(options, setup->graph, data));
    json_t *process = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:I, s:b, s:s*, s:s*, s:s*, s:b, s:I, s:I, s:s, s:s, s:s, s:i, "
        "s:o, s:s}",
        "version", vdnn_version(), "build", VDNN_CONFIG ", " VDNN_BUILD_COMPILER, "rules",
        options->rules, "policy", options->policy, "algo", options->algo, "trials",
        (json_int_t)options->planning->plan_trials, "nondeterministic",
        (int)options->planning->nondeterministic, "init", options->init, "algos",
        options->planning->algos, "resume", options->resume, "checkpoint",
        options->checkpoint != NULL, "every",
        (json_int_t)(options->checkpoint == NULL ? 0 : description->every), "steps",
        (json_int_t)description->step_count, "shard", options->machine->shard, "device",
        device->kind, "library", device->library, "threads", device->threads, "settings",
        vdnn_description_optimizer(options, setup->graph, description->step_count), "data", data);
    if (process == NULL || json_object_set_new(description->training, "process", process) != 0)
        return fail_memory();
    return VDNN_OK;
}
