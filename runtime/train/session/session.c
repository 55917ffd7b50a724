#include "runtime/train/session/session_internal.h"

#include "models/onnx/onnx.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/versioned.h"
#include "runtime/comm/transports.h"
#include "runtime/data/tensors/npz.h"
#include "runtime/setup/output_paths.h"
#include "runtime/train/advice/trials.h"
#include "runtime/train/agree.h"
#include "runtime/train/agree_options.h"
#include "runtime/train/files/onnx_nodes.h"
#include "runtime/train/files/torch_names.h"
#include "runtime/train/weights.h"

#include <float.h>
#include <string.h>

#include <unistd.h>

/* ---- create ---------------------------------------------------------------------------------- */

/* Bytes of all parameters in a file of weights; its header is smaller than SLACK_BYTES per layer.
 */
static uint64_t weight_bytes(const vdnn_graph *graph)
{
    enum { SLACK_BYTES = 1024 };
    uint64_t bytes = (uint64_t)graph->layer_count * SLACK_BYTES;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++)
            if (vdnn_layer_owns(&graph->layers[l], p))
                bytes += (uint64_t)graph->layers[l].params[p].count * sizeof(float);
    return bytes;
}

/* Errors of files are reported before the profile is measured. `checkpoints`: how many are there at
 * a time, in addition to those that are there already. */
static vdnn_status check_targets(const vdnn_session_options *options, const vdnn_graph *graph,
                                 int64_t checkpoints)
{
    /* A profile and a trace are small next to weights, and their size is not known yet. */
    uint64_t weights = weight_bytes(graph), slots = (uint64_t)graph->training.optimizer->slot_count;
    uint64_t all = (1 + slots) * weights;
    all = all > 0 && (uint64_t)checkpoints > INT64_MAX / all ? INT64_MAX
                                                             : (uint64_t)checkpoints * all;
    const vdnn_planned_output targets[] = {
        {"--save", options->save, weights, weights, false},
        {"--export", options->output->onnx, weights, weights, false},
        {"--out", options->output->predictions, 0, 0, false},
        {"--checkpoint", options->checkpoint, weights, all, true},
        {"--trace", options->output->trace, 0, 0, false},
        {"--memory-snapshot", options->output->memory_snapshot, 0, 0, false},
        {"--profile", options->profile, 0, 0, false},
    };
    return vdnn_output_paths_check(targets, sizeof targets / sizeof *targets, !options->dry_run);
}

/* One that is worth while to keep stays open until the session is destroyed. */
static void keep_shared(vdnn_dataset *dataset, vdnn_dataset **kept)
{
    if (!vdnn_dataset_is_shared(dataset))
        vdnn_dataset_close(dataset);
    else
        *kept = dataset;
}

static vdnn_status check_data(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    const vdnn_graph *graph = session->setup.graph;
    const char *test = vdnn_training_test_spec(options->data, options->dataset->test_data);
    vdnn_dataset *dataset = NULL;
    VDNN_TRY(vdnn_training_open_data(graph, options, &dataset));
    keep_shared(dataset, &session->shared[0]);
    if (test == NULL)
        return VDNN_OK;
    VDNN_TRY(vdnn_training_open_test(graph, options, test, &dataset));
    keep_shared(dataset, &session->shared[1]);
    return VDNN_OK;
}

/* Once it is known how many checkpoints will be written, and how many are there. */
static vdnn_status check_checkpoints(const vdnn_session *session)
{
    int64_t most = 0;
    vdnn_status status = vdnn_resume_growth(&session->resume, &most);
    return status == VDNN_OK && most > 1
               ? check_targets(&session->options.ask, session->setup.graph, most)
               : status;
}

/* An input that cannot be opened is bad input, like a missing network. */
static vdnn_status as_input(vdnn_status status)
{
    if (status != VDNN_FILE)
        return status;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s", vdnn_status_message());
}

/* A simulated device computes nothing. */
static vdnn_status check_simulated(const vdnn_session_options *options)
{
    const struct {
        const char *option;
        bool given;
    } needs[] = {
        {"--save", options->save != NULL},
        {"--export", options->output->onnx != NULL},
        {"--evaluate", options->output->evaluate},
        {"--predict", options->output->predict != NULL},
        {"--generate", options->output->generate > 0},
        {"--eval-every", options->output->eval_every > 0},
        {"--checkpoint", options->checkpoint != NULL},
        {"--resume", options->resume != NULL},
        {"--verify", options->trust->verify},
        {"--poison", options->trust->poison},
        {"--replay-every", options->trust->replay_every > 0},
        {"--check-replicas", options->trust->check_replicas > 0},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].given)
            return vdnn_status_fail(VDNN_USAGE,
                                    "%s: --device %s only simulates time: there are no weights or "
                                    "bytes to keep or compare",
                                    needs[i].option, options->device);
    return VDNN_OK;
}

/* Before anything costs time. */
static vdnn_status check_export(const vdnn_session_options *options, const vdnn_setup *setup)
{
    vdnn_text fields = {0};
    vdnn_status status = VDNN_OK;
    if (!vdnn_onnx_is_path(options->output->onnx))
        status = vdnn_status_fail(VDNN_USAGE, "expected a name that ends in .onnx, found '%s'",
                                  options->output->onnx);
    VDNN_IF_OK(status, vdnn_onnx_nodes_write(setup->model, setup->graph, &fields));
    vdnn_text_fini(&fields);
    return status == VDNN_OK ? status : vdnn_status_prefix(status, "--export");
}

/* The name of another kind of file would mislead its readers. */
static void warn_of_name(const vdnn_session *session)
{
    const char *path = session->options.ask.save, *name = path == NULL ? NULL : strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    const char *ending = name == NULL ? NULL : strrchr(name, '.');
    if (ending != NULL && strcmp(ending, ".safetensors") != 0 && !vdnn_npz_is_path(path))
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                          "--save %s: is written as safetensors; a name that ends in .npz has "
                          "NumPy's arrays",
                          path);
}

static vdnn_status check_init(vdnn_session *session, const char *init)
{
    int32_t lacking = 0;
    VDNN_TRY(as_input(vdnn_weights_check(session->setup.graph, init, &lacking)));
    if (lacking > 0 && session->options.ask.process->local_rank == 0)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "%s lacks %d of the parameters of lora, which begin with their initial "
                          "values",
                          init, (int)lacking);
    return VDNN_OK;
}

static vdnn_status check_inputs(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    const vdnn_setup *setup = &session->setup;
    const vdnn_graph *graph = setup->graph;
    vdnn_status status = VDNN_OK;
    if (setup->properties.simulated && !options->dry_run)
        status = check_simulated(options);
    if (status == VDNN_OK && options->process->rank == 0)
        status = check_targets(options, graph, 1);
    if (options->dry_run)
        return status;
    const char *init = vdnn_setup_init(setup, options);
    if (status == VDNN_OK && init != NULL)
        status = check_init(session, init);
    if (status == VDNN_OK && options->output->onnx != NULL)
        status = check_export(options, setup);
    if (status == VDNN_OK && options->process->rank == 0)
        warn_of_name(session);
    if (status == VDNN_OK && strcmp(options->output->names, "layers") != 0)
        status = vdnn_torch_names_check(setup->graph);
    VDNN_IF_OK(status, as_input(check_data(session)));
    VDNN_IF_OK(status, vdnn_session_check_scoring(options, graph));
    return status;
}

/* With the other processes, if there are any. */
static vdnn_status join_others(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    const vdnn_transport *transport = NULL;
    session->world =
        (vdnn_world){.rank = (int32_t)options->process->rank,
                     .ranks = (int32_t)options->process->ranks,
                     .local_rank = (int32_t)options->process->local_rank,
                     .local_ranks = (int32_t)options->process->local_ranks,
                     .address = options->process->address,
                     .secret = options->process->secret,
                     .peer_timeout = options->process->peer_timeout,
                     .listeners = {options->process->listener > 0, {options->process->listener}},
                     .messages = &session->messages};
    session->options.devices = session->options.stages > 0 ? 1 : (int32_t)options->devices;
    session->options.local_devices =
        (int32_t)(options->process->ranks == 0 ? options->devices : options->process->local_ranks);
    if (options->process->ranks <= 1)
        return VDNN_OK;
    vdnn_status status = vdnn_transport_find(options->process->transport, &transport);
    return status == VDNN_OK ? vdnn_group_join(transport, &session->world, &session->group)
                             : status;
}

/* What the plan depends on in addition to the profile. */
static vdnn_status agree_on_machine(vdnn_session *session)
{
    vdnn_setup *setup = &session->setup;
    size_t rates[] = {(size_t)setup->properties.spill_bytes_per_second,
                      (size_t)setup->properties.fill_bytes_per_second};
    vdnn_status status = vdnn_agree_on_least(session->group, setup->budget_bytes, VDNN_TIER_COUNT);
    if (status != VDNN_OK || session->group == NULL || session->options.ask.machine->disk == NULL)
        return status;
    status = vdnn_agree_on_least(session->group, rates, sizeof rates / sizeof *rates);
    vdnn_device_set_disk_rates(setup->device, (double)rates[0], (double)rates[1]);
    setup->properties = *vdnn_device_describe(setup->device);
    return status;
}

static vdnn_status set_up(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_status status = join_others(session);
    VDNN_IF_OK(status, vdnn_agree_on_options(session->group, &session->options));
    VDNN_IF_OK(status, vdnn_setup_begin(&session->options, &session->messages, &session->setup));
    VDNN_IF_OK(status, vdnn_torch_names_init(session->setup.graph, &session->torch));
    if (status == VDNN_OK && options->dataset->feeds)
        vdnn_feed_begin(&session->feed, session->setup.graph, &session->options.topics->dataset);
    VDNN_IF_OK(status, agree_on_machine(session));
    VDNN_IF_OK(status, check_inputs(session));
    VDNN_IF_OK(status, vdnn_agree_on_training(session->group, options, &session->setup));
    if (status == VDNN_OK && !options->dry_run)
        status = vdnn_resume_begin(options, &session->setup, &session->messages, session->group,
                                   &session->resume);
    if (status == VDNN_OK && !options->dry_run)
        status = check_checkpoints(session);
    session->setup.layout = session->resume.layout;
    return status;
}

vdnn_status vdnn_session_tell_failure(const vdnn_session *session, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    vdnn_group_leave(session->group, status, error.message);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_session_create(const vdnn_session_options *options, const vdnn_messages *messages,
                                vdnn_session **session)
{
    vdnn_session *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a session");
    fresh->process = (int)getpid();
    fresh->test = vdnn_nothing_found;
    fresh->explanation = vdnn_heap_calloc(1, sizeof *fresh->explanation);
    vdnn_status status = vdnn_messages_take(messages, &fresh->messages);
    if (status == VDNN_OK && fresh->explanation == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a session");
    VDNN_IF_OK(status, vdnn_run_options_init(options, &fresh->options));
    VDNN_IF_OK(status, set_up(fresh));
    if (status == VDNN_OK) {
        *session = fresh;
        return VDNN_OK;
    }
    status = vdnn_session_tell_failure(fresh, status);
    vdnn_session_destroy(fresh);
    return status;
}

vdnn_status vdnn_session_check_process(const vdnn_session *session)
{
    if (session->process == (int)getpid())
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE,
                            "process %d created the session, and its threads are not in this one, "
                            "made by fork: create one here",
                            session->process);
}

/* In a child made by fork there is nothing to wait for, and what it has of the process's goes with
 * it. */
void vdnn_session_destroy(vdnn_session *session)
{
    if (session == NULL || session->process != (int)getpid())
        return;
    if (session->has_begun)
        vdnn_training_end(&session->run);
    vdnn_peers_destroy(session->peers);
    vdnn_group_close(session->group);
    vdnn_resume_end(&session->resume);
    vdnn_fit_plans_fini(&session->plans);
    vdnn_torch_names_fini(&session->torch);
    vdnn_setup_end(&session->setup);
    vdnn_replans_fini(&session->replans);
    vdnn_assessment_fini(&session->assessment);
    for (int i = 0; i < 2; i++)
        vdnn_dataset_close(session->shared[i]);
    vdnn_generated_fini(&session->generated);
    vdnn_vocabulary_close(session->vocabulary);
    vdnn_heap_free(session->gradients);
    vdnn_heap_free(session->explanation);
    vdnn_run_options_fini(&session->options);
    vdnn_heap_free(session);
}

const vdnn_plan *vdnn_session_plan(const vdnn_session *session)
{
    return session->plans.training;
}

vdnn_status vdnn_session_verdict(const vdnn_session *session, vdnn_verdict *verdict)
{
    VDNN_TRY(vdnn_session_check_process(session));
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has a verdict only after it was prepared");
    return vdnn_versioned_give(verdict, &session->verdict, sizeof session->verdict, "vdnn_verdict");
}

/* ---- prepare --------------------------------------------------------------------------------- */

vdnn_fit_request vdnn_session_fit_request(const vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    return (vdnn_fit_request){
        .setup = &session->setup,
        .policy = session->options.policy,
        .algo = session->options.algo,
        .tests = (session->expects & VDNN_EXPECT_PREDICTIONS) != 0 ||
                 vdnn_run_options_only_score(options) ||
                 vdnn_training_test_spec(options->data, options->dataset->test_data) != NULL};
}

/* A run that resumes from a checkpoint uses its algorithms, and so gives the same bits. */
static vdnn_status pin_algorithms(vdnn_session *session)
{
    vdnn_fit_request request = vdnn_session_fit_request(session);
    return vdnn_resume_pin(&session->resume, &request, &session->setup, &session->messages);
}

/* What the other devices of several run. */
static vdnn_status plan_peers(vdnn_session *session)
{
    if (vdnn_peers_count(&session->setup) == 1)
        return VDNN_OK;
    vdnn_fit_request request = vdnn_session_fit_request(session);
    vdnn_status status = vdnn_peers_create(&request, &session->options, &session->plans,
                                           session->group, &session->peers);
    if (status != VDNN_NO_FIT)
        return status;
    session->verdict.fits = false;
    return request.setup->graph->stage.count > 0 ? vdnn_session_refuse_stages(session) : status;
}

/* What a first look may measure before a training begins. */
static const double look_seconds = 2;

/* A training begins soon; who asks for a plan alone, or for a file of times, gets all times. */
static bool looks(const vdnn_session_options *options)
{
    return !options->dry_run && options->profile == NULL && !options->print->explain &&
           !options->print->max_batch;
}

static vdnn_status measure(void *context)
{
    vdnn_session *session = context;
    session->setup.look.seconds = looks(&session->options.ask) ? look_seconds : 0;
    return vdnn_setup_measure(&session->options, &session->messages, &session->setup);
}

static vdnn_status make_profile(vdnn_session *session)
{
    vdnn_status status =
        vdnn_setup_open_store(&session->options, &session->messages, &session->setup);
    return status == VDNN_OK
               ? vdnn_agree_on_profile(session->group, &session->setup, measure, session)
               : status;
}

vdnn_status vdnn_session_prepare(vdnn_session *session)
{
    VDNN_TRY(vdnn_session_check_process(session));
    if (session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session is prepared once");
    vdnn_status status = vdnn_messages_interrupted(&session->messages);
    VDNN_IF_OK(status, vdnn_device_select(session->setup.device));
    if (status == VDNN_OK && session->setup.profile == NULL)
        status = make_profile(session);
    VDNN_IF_OK(status, vdnn_messages_interrupted(&session->messages));
    if (status == VDNN_OK && session->options.ask.planning->algos == NULL)
        status = pin_algorithms(session);
    if (status == VDNN_OK && session->options.stages > 0)
        status = vdnn_stages_cut(&session->options, (int32_t)session->options.ask.process->rank,
                                 &session->setup);
    VDNN_IF_OK(status, vdnn_session_make_plan(session));
    return status == VDNN_OK ? plan_peers(session) : status;
}

/* ---- training -------------------------------------------------------------------------------- */

vdnn_status vdnn_session_begin(vdnn_session *session)
{
    VDNN_TRY(vdnn_session_check_process(session));
    if (!session->is_planned || !session->verdict.fits || session->has_begun)
        return vdnn_status_fail(VDNN_USAGE,
                                "a session begins once, after it was prepared and fits");
    vdnn_training_request request = {.options = &session->options.ask,
                                     .messages = &session->messages,
                                     .setup = &session->setup,
                                     .plans = &session->plans,
                                     .base = session->resume.base};
    VDNN_TRY(vdnn_session_reserve_gradients(session));
    VDNN_TRY(vdnn_peers_begin(session->peers, &request, &session->run));
    session->has_begun = true;
    session->verdict.host_locked_bytes = vdnn_device_locked_bytes(session->setup.device);
    session->verdict.overlap = vdnn_device_pageable(session->setup.device) == NULL;
    vdnn_session_observe(session);
    return VDNN_OK;
}

vdnn_status vdnn_session_check_begun(const vdnn_session *session)
{
    VDNN_TRY(vdnn_session_check_process(session));
    if (session->has_begun)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "the session has not begun: nothing can be trained, tested "
                                        "or saved before");
}

vdnn_status vdnn_session_keep_healthy(const vdnn_session *session, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    int64_t step = -1;
    if (status != VDNN_DIVERGED || session->resume.folder == NULL)
        return status;
    vdnn_first_error_keep(&error, status);
    if (vdnn_checkpoint_keep_newest(session->resume.folder, error.message, &step) != VDNN_OK)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
    else if (step >= 0)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                          "the checkpoint of step %lld, the last healthy one, is not removed by "
                          "later runs, until you remove it",
                          (long long)step);
    return vdnn_first_error_tell(&error);
}

/* With the batch that was given, if the session feeds. */
static vdnn_status step(vdnn_session *session, vdnn_sample *sample)
{
    vdnn_sample fresh = {.size = sizeof fresh};
    vdnn_status status = VDNN_OK;
    if (session->setup.graph->is_frozen)
        return vdnn_status_fail(VDNN_USAGE, "the options say that the session only evaluates, "
                                            "predicts or samples: it makes no steps");
    if (sample != NULL) /* a wrong size is reported before the step */
        status = vdnn_versioned_give(sample, &fresh, sizeof fresh, "vdnn_sample");
    VDNN_IF_OK(status,
               vdnn_session_keep_healthy(
                   session, vdnn_session_make_step(session, session->run.step + 1, &fresh)));
    if (status == VDNN_OK && sample != NULL)
        status = vdnn_versioned_give(sample, &fresh, sizeof fresh, "vdnn_sample");
    return status;
}

vdnn_status vdnn_session_step(vdnn_session *session, vdnn_sample *sample)
{
    VDNN_TRY(vdnn_session_check_begun(session));
    if (session->options.ask.dataset->feeds)
        return vdnn_status_fail(VDNN_USAGE,
                                "the options say that batches are given: steps are made "
                                "by vdnn_session_step_on");
    return step(session, sample);
}

vdnn_status vdnn_session_step_on(vdnn_session *session, const vdnn_batch *batch,
                                 vdnn_sample *sample)
{
    VDNN_TRY(vdnn_session_check_begun(session));
    if (!session->options.ask.dataset->feeds)
        return vdnn_status_fail(VDNN_USAGE, "no batch is taken: the options have no `feeds`");
    VDNN_TRY(vdnn_feed_give(&session->feed, batch));
    vdnn_status status = step(session, sample);
    vdnn_feed_end(&session->feed);
    return status;
}

vdnn_status vdnn_session_set_learning_rate(vdnn_session *session, double rate)
{
    VDNN_TRY(vdnn_session_check_begun(session));
    if (!(rate == 0.0 || (rate >= (double)FLT_MIN && rate <= (double)FLT_MAX)))
        return vdnn_status_fail(
            VDNN_USAGE, "learning rate: %g is not a finite number from 0 up, of 32 bits", rate);
    session->options.ask.has_lr = true;
    session->options.ask.lr = rate;
    return VDNN_OK;
}

int64_t vdnn_session_step_number(const vdnn_session *session)
{
    return session->run.step;
}

int64_t vdnn_session_step_count(const vdnn_session *session)
{
    return session->run.step_count;
}

vdnn_status vdnn_session_evaluate(vdnn_session *session, double *accuracy)
{
    vdnn_test_scores fresh;
    VDNN_TRY(vdnn_session_check_begun(session));
    VDNN_TRY(vdnn_session_test(session, &fresh));
    session->test = fresh;
    *accuracy = fresh.accuracy;
    return VDNN_OK;
}

/* What is in memory is of no step then. */
static vdnn_status check_sound(const vdnn_session *session)
{
    vdnn_status status = vdnn_session_check_begun(session);
    if (status == VDNN_OK && session->run.has_diverged)
        status = vdnn_status_fail(VDNN_DIVERGED,
                                  "the training diverged in step %lld, and the weights are in part "
                                  "of that step: they are not written",
                                  (long long)session->run.step + 1);
    return status;
}

typedef struct weights_file {
    const vdnn_session *session;
    const char *path; /* NULL: none is written */
} weights_file;

/* Of stages with what the others lend, which wait for the end of it in any case. */
static vdnn_status write_weights(void *context)
{
    const weights_file *own = context;
    const vdnn_session *session = own->session;
    const vdnn_plan *plan = session->plans.training;
    vdnn_device *device = session->setup.device;
    vdnn_shares *shares = NULL;
    vdnn_first_error error = {VDNN_OK, ""};
    if (own->path != NULL && vdnn_onnx_is_path(own->path))
        return vdnn_weights_export(plan, device, session->setup.model, own->path);
    if (plan->graph->stage.count > 0)
        VDNN_TRY(vdnn_shares_begin(plan, device, session->run.request.group, &shares));
    if (own->path != NULL)
        vdnn_first_error_keep(&error,
                              vdnn_weights_save(plan, device, shares, session->options.by_torch,
                                                session->run.class_names, own->path));
    vdnn_shares_end(shares);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_session_save(vdnn_session *session, const char *path)
{
    vdnn_status status = check_sound(session);
    if (status == VDNN_OK && session->setup.properties.simulated)
        return vdnn_status_fail(VDNN_USAGE, "a simulated device has no weights to save");
    weights_file file = {session, path};
    return status == VDNN_OK && vdnn_peers_evaluate_together(session->peers)
               ? vdnn_peers_save(session->peers, &session->run, write_weights, &file)
           : status == VDNN_OK ? write_weights(&file)
                               : status;
}

static vdnn_status write_checkpoint(void *context)
{
    const vdnn_session *session = context;
    const double start = vdnn_device_now(session->setup.device);
    vdnn_status status = vdnn_resume_write(&session->resume, &session->run);
    if (status == VDNN_OK)
        vdnn_training_trace_checkpoint(&session->run, start,
                                       vdnn_device_now(session->setup.device));
    return status;
}

bool vdnn_session_has_checkpoints(const vdnn_session *session)
{
    return session->resume.folder != NULL ||
           (session->options.ask.checkpoint != NULL && vdnn_peers_lends(session->peers));
}

vdnn_status vdnn_session_checkpoint(vdnn_session *session)
{
    vdnn_status status = check_sound(session);
    if (status == VDNN_OK && !vdnn_session_has_checkpoints(session))
        return vdnn_status_fail(VDNN_USAGE,
                                "the options name no folder for checkpoints (--checkpoint)");
    return status == VDNN_OK
               ? vdnn_peers_save(session->peers, &session->run, write_checkpoint, session)
               : status;
}

vdnn_status vdnn_session_begin_trace(vdnn_session *session, const char *path, vdnn_step_range steps)
{
    vdnn_status status = vdnn_training_trace_begin(
        &session->run, session->options.ask.process->rank == 0 ? path : NULL, steps);
    if (status == VDNN_OK)
        vdnn_peers_trace(session->peers, &session->run);
    return status;
}

vdnn_step_range vdnn_session_next_steps(const vdnn_session *session)
{
    const int64_t step = session->run.step;
    return (vdnn_step_range){step, step + VDNN_TRACE_FIRST_STEPS};
}

vdnn_status vdnn_session_trace_begin(vdnn_session *session, const char *path)
{
    vdnn_status status = vdnn_session_check_begun(session);
    return status == VDNN_OK
               ? vdnn_session_begin_trace(session, path, vdnn_session_next_steps(session))
               : status;
}

vdnn_status vdnn_session_trace_end(vdnn_session *session)
{
    vdnn_status status = vdnn_session_check_begun(session);
    return status == VDNN_OK ? vdnn_training_trace_end(&session->run) : status;
}

/* The alternatives, by steps of each; a session that trains has the device's memory. */
static vdnn_status rank_in_turns(const vdnn_session *session, const vdnn_fit_request *request)
{
    vdnn_trials trials = {.count = 0};
    if (session->has_begun)
        return VDNN_OK;
    vdnn_status status =
        vdnn_explain_begin_trials(request, &session->plans, session->explanation, &trials);
    VDNN_IF_OK(status, vdnn_trials_run(&session->options.ask, &session->messages, &trials));
    if (status == VDNN_OK)
        vdnn_explain_take_trials(session->explanation, &trials);
    vdnn_trials_fini(&trials);
    return status;
}

/* Its measurements are kept, so that a run that follows the advice plans the same. */
vdnn_status vdnn_session_explain(const vdnn_session *session, vdnn_text *text)
{
    const vdnn_setup *setup = &session->setup;
    const vdnn_session_options *options = &session->options.ask;
    vdnn_explanation *explanation = session->explanation;
    VDNN_TRY(vdnn_session_check_process(session));
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session is explained only after it was prepared");
    VDNN_TRY(vdnn_device_select(setup->device));
    vdnn_fit_request request = vdnn_session_fit_request(session);
    vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                      "%s other data types and batches that the profile does not have",
                      setup->properties.simulated ? "estimating" : "measuring");
    VDNN_TRY(vdnn_setup_keep(setup, vdnn_explain_make(&request, &session->plans,
                                                      options->planning->algos, explanation)));
    VDNN_TRY(rank_in_turns(session, &request));
    explanation->command = options->report->command;
    explanation->columns = session->options.columns;
    explanation->has_blocks = options->print->blocks;
    return vdnn_explain_print(explanation, text);
}

static vdnn_status time_batches(const vdnn_session *session, const vdnn_fit_request *request,
                                vdnn_batches *batches)
{
    vdnn_trials trials = {.count = 0};
    if (session->has_begun)
        return VDNN_OK;
    vdnn_status status = vdnn_batches_begin_trials(request, &session->options, batches, &trials);
    VDNN_IF_OK(status, vdnn_trials_run(&session->options.ask, &session->messages, &trials));
    VDNN_IF_OK(status, vdnn_batches_take_trials(request, &trials, batches));
    vdnn_trials_fini(&trials);
    return status;
}

vdnn_status vdnn_session_max_batch(vdnn_session *session, vdnn_text *text)
{
    vdnn_batches batches;
    VDNN_TRY(vdnn_session_check_process(session));
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has batches only after it was prepared");
    const vdnn_fit_request request = vdnn_session_fit_request(session);
    VDNN_TRY(vdnn_batches_find(&request, &session->options, &batches));
    VDNN_TRY(time_batches(session, &request, &batches));
    batches.command = session->options.ask.report->command;
    session->batches = batches;
    return vdnn_batches_print(&batches, vdnn_text_line(session->options.columns), text);
}
