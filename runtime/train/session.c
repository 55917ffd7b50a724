#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/versioned.h"
#include "runtime/comm/transports.h"
#include "runtime/comm/world.h"
#include "runtime/exec/rehearsal.h"
#include "runtime/fit/batches.h"
#include "runtime/fit/explain.h"
#include "runtime/fit/refusal.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/setup/output_paths.h"
#include "runtime/setup/patience.h"
#include "runtime/train/agree.h"
#include "runtime/train/layer_table.h"
#include "runtime/train/peers.h"
#include "runtime/train/record.h"
#include "runtime/train/replan/replan.h"
#include "runtime/train/resume.h"
#include "runtime/train/training.h"
#include "runtime/train/weights.h"
#include "traces/snapshot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct vdnn_session {
    vdnn_run_options options;
    vdnn_messages messages;
    vdnn_setup setup;
    vdnn_fit_plans plans;
    vdnn_verdict verdict;
    vdnn_resume resume;
    vdnn_world world;
    vdnn_group *group;     /* of the processes that train together; NULL: this one trains alone */
    vdnn_training_run run; /* of the first device of this process */
    vdnn_peers *peers;     /* the others; NULL: there are none */
    vdnn_replans replans;
    double test_accuracy; /* of the last evaluation; below 0: there was none */
    vdnn_batches batches; /* none were looked for while their setup is NULL */
    bool is_planned, has_begun;
    bool checkpoint_failed; /* the last that was due */
};

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

/* Errors of files are reported before the profile is measured. */
static vdnn_status check_targets(const vdnn_session_options *options, const vdnn_graph *graph)
{
    /* A profile and a trace are small beside weights, and their size is not known yet. */
    uint64_t weights = weight_bytes(graph), slots = (uint64_t)graph->training.optimizer->slot_count;
    const vdnn_planned_output targets[] = {
        {"--save", options->save, weights, weights, false},
        {"--checkpoint", options->checkpoint, weights, (1 + slots) * weights, true},
        {"--trace", options->trace, 0, 0, false},
        {"--memory-snapshot", options->memory_snapshot, 0, 0, false},
        {"--profile", options->profile, 0, 0, false},
    };
    return vdnn_output_paths_check(targets, sizeof targets / sizeof *targets, !options->dry_run);
}

static vdnn_status check_data(const vdnn_session_options *options, const vdnn_graph *graph)
{
    const char *test = vdnn_training_test_spec(options->data, options->test_data);
    vdnn_dataset *dataset = NULL;
    vdnn_status status = vdnn_training_open_data(graph, options->data, &dataset);
    if (status != VDNN_OK)
        return status;
    vdnn_dataset_close(dataset);
    if (test == NULL)
        return VDNN_OK;
    dataset = NULL;
    status = vdnn_training_open_test(graph, options->data, test, &dataset);
    if (status == VDNN_OK)
        vdnn_dataset_close(dataset);
    return status;
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
        {"--save", options->save != NULL},     {"--checkpoint", options->checkpoint != NULL},
        {"--resume", options->resume != NULL}, {"--verify", options->verify},
        {"--poison", options->poison},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].given)
            return vdnn_status_fail(VDNN_USAGE,
                                    "%s: --device %s only simulates time: there are no weights or "
                                    "bytes to keep or compare",
                                    needs[i].option, options->device);
    return VDNN_OK;
}

static vdnn_status check_inputs(const vdnn_session_options *options, const vdnn_setup *setup)
{
    const vdnn_graph *graph = setup->graph;
    vdnn_status status = VDNN_OK;
    if (setup->properties.simulated && !options->dry_run)
        status = check_simulated(options);
    if (status == VDNN_OK && options->rank == 0)
        status = check_targets(options, graph);
    if (options->dry_run)
        return status;
    if (status == VDNN_OK && options->init != NULL)
        status = as_input(vdnn_weights_check(graph, options->init));
    if (status == VDNN_OK)
        status = as_input(check_data(options, graph));
    return status;
}

/* With the other processes, if there are any. */
static vdnn_status join_others(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    const vdnn_transport *transport = NULL;
    session->world = (vdnn_world){.rank = (int32_t)options->rank,
                                  .ranks = (int32_t)options->ranks,
                                  .local_rank = (int32_t)options->local_rank,
                                  .local_ranks = (int32_t)options->local_ranks,
                                  .address = options->address,
                                  .secret = options->secret,
                                  .peer_timeout = options->peer_timeout,
                                  .listener = options->listener,
                                  .messages = &session->messages};
    session->options.devices = (int32_t)options->devices;
    session->options.local_devices =
        (int32_t)(options->ranks == 0 ? options->devices : options->local_ranks);
    if (options->ranks <= 1)
        return VDNN_OK;
    vdnn_status status = vdnn_transport_find(options->transport, &transport);
    return status == VDNN_OK ? vdnn_group_join(transport, &session->world, &session->group)
                             : status;
}

/* What the plan depends on beside the profile. */
static vdnn_status agree_on_machine(vdnn_session *session)
{
    vdnn_setup *setup = &session->setup;
    size_t rates[] = {(size_t)setup->properties.spill_bytes_per_second,
                      (size_t)setup->properties.fill_bytes_per_second};
    vdnn_status status = vdnn_agree_on_least(session->group, setup->budget_bytes, VDNN_TIER_COUNT);
    if (status != VDNN_OK || session->group == NULL || session->options.ask.disk == NULL)
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
    if (status == VDNN_OK)
        status = vdnn_setup_begin(&session->options, &session->messages, &session->setup);
    if (status == VDNN_OK)
        status = agree_on_machine(session);
    if (status == VDNN_OK)
        status = check_inputs(options, &session->setup);
    if (status == VDNN_OK)
        status = vdnn_agree_on_training(session->group, options, &session->setup);
    if (status == VDNN_OK && !options->dry_run)
        status = vdnn_resume_begin(options, &session->setup, &session->messages, session->group,
                                   &session->resume);
    session->setup.layout = session->resume.layout;
    return status;
}

/* The other processes do not wait for this one. */
static vdnn_status tell_failure(const vdnn_session *session, vdnn_status status)
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
    fresh->test_accuracy = -1.0;
    vdnn_status status = vdnn_messages_take(messages, &fresh->messages);
    if (status == VDNN_OK)
        status = vdnn_run_options_init(options, &fresh->options);
    if (status == VDNN_OK)
        status = set_up(fresh);
    if (status == VDNN_OK) {
        *session = fresh;
        return VDNN_OK;
    }
    status = tell_failure(fresh, status);
    vdnn_session_destroy(fresh);
    return status;
}

void vdnn_session_destroy(vdnn_session *session)
{
    if (session == NULL)
        return;
    if (session->has_begun)
        vdnn_training_end(&session->run);
    vdnn_peers_destroy(session->peers);
    vdnn_group_close(session->group);
    vdnn_resume_end(&session->resume);
    vdnn_fit_plans_fini(&session->plans);
    vdnn_setup_end(&session->setup);
    vdnn_replans_fini(&session->replans);
    vdnn_run_options_fini(&session->options);
    vdnn_heap_free(session);
}

/* ---- the record ------------------------------------------------------------------------------ */

typedef struct record_room {
    vdnn_measured measured;
    double *losses;
    vdnn_record_share *shares;
} record_room;

/* Of all steps since the first, also those of the runs before. */
static vdnn_status take_losses(const vdnn_session *session, double **losses)
{
    const vdnn_training_run *run = &session->run;
    size_t count = (size_t)run->step, earlier = count - run->sample_count;
    double *values = vdnn_heap_calloc(count + 1, sizeof *values);
    if (values == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu steps", count);
    for (size_t i = 0; i < count; i++)
        values[i] = i < earlier ? session->resume.earlier[i] : run->samples[i - earlier].loss;
    *losses = values;
    return VDNN_OK;
}

/* Of several devices: each one's, and the worst of each measurement. */
static vdnn_status take_shares(const vdnn_session *session, record_room *room)
{
    const int32_t count = session->setup.graph->devices;
    if (session->peers == NULL)
        return VDNN_OK;
    room->shares = vdnn_heap_calloc((size_t)count, sizeof *room->shares);
    if (room->shares == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the records of %d devices",
                                (int)count);
    room->shares[0] = (vdnn_record_share){.setup = &session->setup,
                                          .plan = session->plans.training,
                                          .measured = room->measured,
                                          .lost = session->has_begun ? &session->run.lost : NULL};
    vdnn_status status = VDNN_OK;
    for (int32_t d = 1; d < count && status == VDNN_OK; d++)
        status = vdnn_peers_record(session->peers, d, &room->shares[d]);
    for (int32_t d = 1; d < count && status == VDNN_OK; d++)
        vdnn_measured_worsen(&room->measured, &room->shares[d].measured);
    return status;
}

/* Of several devices that of the one which lost the most. */
static void choose_lost(vdnn_record *record)
{
    for (int32_t d = 1; d < record->share_count; d++) {
        const vdnn_lost_time *other = record->shares[d].lost;
        if (other == NULL || vdnn_lost_time_all(other) <= vdnn_lost_time_all(record->lost))
            continue;
        record->lost = other;
        record->lost_device = d;
    }
}

/* Of a line for people. */
static size_t line_of(const vdnn_session *session)
{
    const int asked = session->options.ask.columns;
    return asked > 0 ? (size_t)asked : 100;
}

/* `room` holds what the record borrows; the caller frees its losses and shares. */
static vdnn_status make_record(const vdnn_session *session, record_room *room, vdnn_record *record)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_record fresh = {.setup = &session->setup,
                         .plan = session->plans.training,
                         .verdict = session->verdict,
                         .policy = options->policy,
                         .algo = options->algo,
                         .seed = options->seed,
                         .lr = vdnn_training_rate(options, session->setup.graph),
                         .test_accuracy = session->test_accuracy,
                         .columns = line_of(session),
                         .batches = session->batches.setup == NULL ? NULL : &session->batches};
    vdnn_status status = VDNN_OK;
    if (session->has_begun) {
        status = vdnn_training_measure(&session->run, &room->measured);
        if (status == VDNN_OK)
            status = take_losses(session, &room->losses);
        fresh.measured = &room->measured;
        fresh.losses = room->losses;
        fresh.lost = &session->run.lost;
        fresh.replans = session->replans.list;
        fresh.replan_count = session->replans.count;
        fresh.loss_count = (size_t)session->run.step;
        fresh.host_staging_bytes = session->run.staging_bytes;
    }
    if (status == VDNN_OK)
        status = take_shares(session, room);
    fresh.shares = room->shares;
    fresh.share_count = room->shares == NULL ? 0 : session->setup.graph->devices;
    if (status == VDNN_OK && fresh.lost != NULL)
        choose_lost(&fresh);
    if (status == VDNN_OK)
        *record = fresh;
    return status;
}

typedef vdnn_status (*record_writer)(const vdnn_record *record, vdnn_text *text);

static vdnn_status write_record(const vdnn_session *session, record_writer add, vdnn_text *text)
{
    record_room room = {0};
    vdnn_record record;
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has a record only after it was prepared");
    vdnn_status status = make_record(session, &room, &record);
    if (status == VDNN_OK)
        status = add(&record, text);
    vdnn_heap_free(room.losses);
    vdnn_heap_free(room.shares);
    return status;
}

vdnn_status vdnn_session_json(const vdnn_session *session, vdnn_text *json)
{
    return write_record(session, vdnn_record_json, json);
}

vdnn_status vdnn_session_footprint(const vdnn_session *session, vdnn_text *text)
{
    return write_record(session, vdnn_record_footprint, text);
}

const vdnn_plan *vdnn_session_plan(const vdnn_session *session)
{
    return session->plans.training;
}

vdnn_status vdnn_session_verdict(const vdnn_session *session, vdnn_verdict *verdict)
{
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has a verdict only after it was prepared");
    return vdnn_versioned_give(verdict, &session->verdict, sizeof session->verdict, "vdnn_verdict");
}

/* ---- prepare --------------------------------------------------------------------------------- */

static vdnn_fit_request fit_request(const vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    return (vdnn_fit_request){.setup = &session->setup,
                              .policy = session->options.policy,
                              .algo = session->options.algo,
                              .tests = vdnn_training_test_spec(options->data, options->test_data) !=
                                       NULL};
}

/* A run that resumes from a checkpoint uses its algorithms, and so gives the same bits. */
static vdnn_status pin_algorithms(vdnn_session *session)
{
    vdnn_fit_request request = fit_request(session);
    return vdnn_resume_pin(&session->resume, &request, &session->setup, &session->messages);
}

/* VDNN_NO_FIT with what would fit, and the smallest budget that would. */
static vdnn_status tell_no_fit(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                               size_t *smallest_bytes)
{
    vdnn_advice advice = {0};
    vdnn_status status = vdnn_advice_make(request, plans, &advice);
    if (status != VDNN_OK)
        return status;
    *smallest_bytes = advice.smallest_bytes;
    status = vdnn_refusal_tell(request, plans, &advice);
    vdnn_advice_fini(&advice);
    return status;
}

static bool is_signal(vdnn_status status)
{
    return status == VDNN_INTERRUPTED || status == VDNN_TERMINATED;
}

/* None where a signal comes meanwhile: the plan is there to be shown. */
static vdnn_status find_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                 size_t *smallest_bytes)
{
    vdnn_status status = vdnn_fit_smallest(request, plans, smallest_bytes);
    if (!is_signal(status))
        return status;
    *smallest_bytes = 0;
    return VDNN_OK;
}

static vdnn_status make_plan(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_fit_plans plans = {0};
    vdnn_patience patience;
    vdnn_fit_request request = fit_request(session);
    vdnn_patience_begin(&session->options, &session->messages, &patience);
    request.patience = &patience.of_policy;
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    request.patience = NULL;
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    vdnn_verdict verdict = {.fits = status == VDNN_OK,
                            .device_budget_bytes = session->setup.budget_bytes[VDNN_TIER_DEVICE],
                            .host_budget_bytes = session->setup.budget_bytes[VDNN_TIER_HOST]};
    if (status == VDNN_NO_FIT && !options->max_batch) {
        status = tell_no_fit(&request, &plans, &verdict.smallest_bytes);
    } else if (status == VDNN_OK && (options->dry_run || request.policy->is_static)) {
        status = find_smallest(&request, &plans, &verdict.smallest_bytes);
    }
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        session->plans = plans;
        session->verdict = verdict;
        session->is_planned = true;
    } else {
        vdnn_fit_plans_fini(&plans);
    }
    return status;
}

static vdnn_status fail_late(const vdnn_session *session, size_t free_bytes)
{
    return vdnn_status_fail(VDNN_DEVICE,
                            "the plan takes %zu bytes of the device, but beside its kernels and "
                            "libraries only %zu are free; ask for less: --device-mem %zu",
                            session->plans.span_bytes[VDNN_TIER_DEVICE], free_bytes, free_bytes);
}

/* Kernels that are loaded late are loaded now: their memory is not part of a plan, and the default
 * budget is what they leave. Another plan may run other kernels, so a few are tried. */
static vdnn_status load_kernels(vdnn_session *session)
{
    enum { MOST_PLANS = 4 };
    const vdnn_session_options *options = &session->options.ask;
    vdnn_setup *setup = &session->setup;
    vdnn_status status = VDNN_OK;
    if (!setup->properties.loads_late || options->dry_run || options->poison)
        return VDNN_OK;
    for (int i = 1; status == VDNN_OK; i++) {
        status = vdnn_rehearsal_run(session->plans.training, setup->device);
        size_t free_bytes = vdnn_device_free_bytes(setup->device);
        if (status != VDNN_OK || session->plans.span_bytes[VDNN_TIER_DEVICE] <= free_bytes)
            return status;
        if (options->device_mem != NULL || i == MOST_PLANS)
            return fail_late(session, free_bytes);
        setup->budget_bytes[VDNN_TIER_DEVICE] = free_bytes;
        vdnn_fit_plans_fini(&session->plans);
        session->is_planned = false;
        status = make_plan(session);
    }
    return status;
}

/* What the other devices of several run. */
static vdnn_status plan_peers(vdnn_session *session)
{
    if (session->setup.graph->devices == 1)
        return VDNN_OK;
    vdnn_fit_request request = fit_request(session);
    vdnn_status status =
        vdnn_peers_create(&request, &session->plans, session->group, &session->peers);
    if (status == VDNN_NO_FIT)
        session->verdict.fits = false;
    return status;
}

static vdnn_status measure(void *context)
{
    vdnn_session *session = context;
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
    if (session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session is prepared once");
    vdnn_status status = vdnn_messages_interrupted(&session->messages);
    if (status == VDNN_OK)
        status = vdnn_device_select(session->setup.device);
    if (status == VDNN_OK && session->setup.profile == NULL)
        status = make_profile(session);
    if (status == VDNN_OK)
        status = vdnn_messages_interrupted(&session->messages);
    if (status == VDNN_OK && session->options.ask.algos == NULL)
        status = pin_algorithms(session);
    if (status == VDNN_OK)
        status = make_plan(session);
    if (status == VDNN_OK)
        status = load_kernels(session);
    return status == VDNN_OK ? plan_peers(session) : status;
}

/* ---- training -------------------------------------------------------------------------------- */

vdnn_status vdnn_session_begin(vdnn_session *session)
{
    if (!session->is_planned || !session->verdict.fits || session->has_begun)
        return vdnn_status_fail(VDNN_USAGE,
                                "a session begins once, after it was prepared and fits");
    vdnn_training_request request = {.options = &session->options.ask,
                                     .messages = &session->messages,
                                     .setup = &session->setup,
                                     .plans = &session->plans,
                                     .base = session->resume.base};
    vdnn_status status = vdnn_peers_begin(session->peers, &request, &session->run);
    if (status != VDNN_OK)
        return status;
    session->has_begun = true;
    session->verdict.host_locked_bytes = vdnn_device_locked_bytes(session->setup.device);
    session->verdict.overlap = vdnn_device_pageable(session->setup.device) == NULL;
    return VDNN_OK;
}

static vdnn_status check_begun(const vdnn_session *session)
{
    if (session->has_begun)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "the session has not begun: nothing can be trained, tested "
                                        "or saved before");
}

vdnn_status vdnn_session_step(vdnn_session *session, vdnn_sample *sample)
{
    vdnn_sample fresh = {.size = sizeof fresh};
    vdnn_status status = check_begun(session);
    if (status == VDNN_OK && sample != NULL) /* a wrong size is reported before the step */
        status = vdnn_versioned_give(sample, &fresh, sizeof fresh, "vdnn_sample");
    if (status == VDNN_OK)
        status = vdnn_peers_step(session->peers, &session->run, session->run.step + 1, &fresh);
    if (status == VDNN_OK && sample != NULL)
        status = vdnn_versioned_give(sample, &fresh, sizeof fresh, "vdnn_sample");
    return status;
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
    double fresh;
    vdnn_status status = check_begun(session);
    if (status == VDNN_OK)
        status = vdnn_training_evaluate(&session->run, &fresh);
    if (status != VDNN_OK)
        return status;
    *accuracy = session->test_accuracy = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_session_save(vdnn_session *session, const char *path)
{
    vdnn_status status = check_begun(session);
    if (status == VDNN_OK && session->setup.properties.simulated)
        return vdnn_status_fail(VDNN_USAGE, "a simulated device has no weights to save");
    if (status == VDNN_OK)
        status = vdnn_weights_save(session->plans.training, session->setup.device, path, NULL);
    return status;
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

/* Whether this process writes the checkpoints of the options, or has a share of what is written. */
static bool has_checkpoints(const vdnn_session *session)
{
    return session->resume.folder != NULL ||
           (session->options.ask.checkpoint != NULL && vdnn_peers_lends(session->peers));
}

vdnn_status vdnn_session_checkpoint(vdnn_session *session)
{
    vdnn_status status = check_begun(session);
    if (status == VDNN_OK && !has_checkpoints(session))
        return vdnn_status_fail(VDNN_USAGE,
                                "the options name no folder for checkpoints (--checkpoint)");
    return status == VDNN_OK
               ? vdnn_peers_save(session->peers, &session->run, write_checkpoint, session)
               : status;
}

static vdnn_status begin_trace(vdnn_session *session, const char *path, vdnn_step_range steps)
{
    vdnn_status status = vdnn_training_trace_begin(
        &session->run, session->options.ask.rank == 0 ? path : NULL, steps);
    if (status == VDNN_OK)
        vdnn_peers_trace(session->peers, &session->run);
    return status;
}

/* The first steps of the run, from where it is. */
static vdnn_step_range next_steps(const vdnn_session *session)
{
    const int64_t step = session->run.step;
    return (vdnn_step_range){step, step + VDNN_TRACE_FIRST_STEPS};
}

vdnn_status vdnn_session_trace_begin(vdnn_session *session, const char *path)
{
    vdnn_status status = check_begun(session);
    return status == VDNN_OK ? begin_trace(session, path, next_steps(session)) : status;
}

vdnn_status vdnn_session_trace_end(vdnn_session *session)
{
    vdnn_status status = check_begun(session);
    return status == VDNN_OK ? vdnn_training_trace_end(&session->run) : status;
}

/* Its measurements are kept, so that a run that follows the advice plans the same. */
vdnn_status vdnn_session_explain(const vdnn_session *session, vdnn_text *text)
{
    const vdnn_setup *setup = &session->setup;
    const vdnn_session_options *options = &session->options.ask;
    vdnn_explanation explanation;
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session is explained only after it was prepared");
    vdnn_status status = vdnn_device_select(setup->device);
    if (status != VDNN_OK)
        return status;
    vdnn_fit_request request = fit_request(session);
    vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                      "measuring other data types and batches that the profile does not have");
    status = vdnn_setup_keep(
        setup, vdnn_explain_make(&request, &session->plans, options->algos, &explanation));
    if (status != VDNN_OK)
        return status;
    explanation.columns = options->columns > 0 ? (size_t)options->columns : 0;
    explanation.has_blocks = options->blocks;
    return vdnn_explain_print(&explanation, text);
}

vdnn_status vdnn_session_max_batch(vdnn_session *session, vdnn_text *text)
{
    vdnn_batches batches;
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has batches only after it was prepared");
    const vdnn_fit_request request = fit_request(session);
    vdnn_status status = vdnn_batches_find(&request, &session->options, &batches);
    if (status != VDNN_OK)
        return status;
    session->batches = batches;
    return vdnn_batches_print(&batches, line_of(session), text);
}

/* On what the plan expects, of the first device. */
static vdnn_status write_snapshot(const vdnn_session *session, const char *path)
{
    const vdnn_plan *plan = session->plans.training;
    const size_t count = (size_t)plan->step_count;
    double *start = vdnn_heap_calloc(2 * count, sizeof *start);
    if (start == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the snapshot", path);
    vdnn_status status = vdnn_timing_run(plan, session->setup.profile, start, start + count);
    if (status == VDNN_OK)
        status = vdnn_snapshot_write(plan, start, start + count, path);
    vdnn_heap_free(start);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* With `verbose`, behind what is said first. */
static vdnn_status add_layers(const vdnn_session *session, vdnn_text *text)
{
    return session->options.ask.verbose ? write_record(session, vdnn_layer_table_write, text)
                                        : VDNN_OK;
}

static vdnn_status print_text(const vdnn_session *session, vdnn_status status, vdnn_text *text)
{
    if (status == VDNN_OK && text->length > 0)
        vdnn_messages_print(&session->messages, text->data);
    vdnn_text_fini(text);
    return status;
}

static vdnn_status print_plan(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_text text = {0};
    vdnn_status status = VDNN_OK;
    if (options->rank > 0)
        return VDNN_OK;
    if (options->memory_snapshot != NULL)
        status = write_snapshot(session, options->memory_snapshot);
    if (status == VDNN_OK && options->print_plan)
        status = vdnn_plan_print(session->plans.training, &text);
    if (status == VDNN_OK && options->explain)
        status = vdnn_session_explain(session, &text);
    if (status == VDNN_OK && options->max_batch)
        status = vdnn_session_max_batch(session, &text);
    else if (!options->explain && !options->print_plan && options->dry_run &&
             options->print_footprint)
        status = vdnn_session_footprint(session, &text);
    if (status == VDNN_OK && options->dry_run && options->print_footprint)
        status = add_layers(session, &text);
    return print_text(session, status, &text);
}

static vdnn_status write_summary(const vdnn_record *record, vdnn_text *text)
{
    double loss = record->loss_count > 0 ? record->losses[record->loss_count - 1] : 0.0;
    double rate = record->measured != NULL ? record->measured->images_per_second : 0.0;
    vdnn_text_add(text, "%s: %zu steps", record->setup->graph->name, record->loss_count);
    if (record->setup->properties.simulated)
        vdnn_text_add(text, " in simulated time");
    else
        vdnn_text_add(text, ", loss %.6g", loss);
    vdnn_text_add(text, ", %.5g images/s", rate);
    if (record->test_accuracy >= 0.0)
        vdnn_text_add(text, ", test accuracy %.4f", record->test_accuracy);
    vdnn_text_add(text, "\n");
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the summary") : VDNN_OK;
}

/* Where the time went that no layer computed in, and what was largest. */
static vdnn_status tell_lost(const vdnn_record *record, vdnn_text *text)
{
    enum { TOLD = 3 };
    (void)text;
    const vdnn_messages *messages = &record->setup->messages;
    const char *peak = vdnn_plan_peak_layer(record->plan);
    vdnn_text worst = {0}, device = {0};
    vdnn_lost_time_tell(record->lost, TOLD, &worst);
    if (record->shares != NULL)
        vdnn_text_add(&device, " on device %d", (int)record->lost_device);
    if (worst.length > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "beyond their compute (stalls, copies not hidden, recompute) lost the "
                          "most%s: %s",
                          device.length > 0 ? device.data : "", worst.data);
    if (record->plan->offload_bytes > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "%.0f %% of the time of copies was hidden behind compute",
                          100 * vdnn_lost_time_hidden_share(record->lost));
    if (peak != NULL)
        vdnn_messages_log(messages, VDNN_LOG_INFO, "the peak of memory is planned at %s", peak);
    vdnn_text_fini(&worst);
    vdnn_text_fini(&device);
    return VDNN_OK;
}

static vdnn_status sum_up(const vdnn_session *session)
{
    vdnn_measured measured;
    vdnn_text text = {0};
    vdnn_status status = vdnn_training_measure(&session->run, &measured);
    if (status != VDNN_OK)
        return status;
    vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                      "a step took %.6f s (estimated %.6f s), of which the device waited %.6f s; "
                      "%.6f s of copies were not hidden",
                      measured.step_seconds, session->plans.training->step_seconds,
                      measured.stall_seconds, measured.exposed_copy_seconds);
    status = write_record(session, tell_lost, &text);
    if (session->peers != NULL)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "%.6f s of sums over devices were not hidden",
                          measured.exposed_reduce_seconds);
    if (session->options.ask.verify)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "verified: the %zu bytes offloaded in a step were copied back unchanged",
                          session->plans.training->offload_bytes);
    if (session->options.ask.require_offload)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "the device copied %zu bytes out and %zu in per step, as planned",
                          measured.offload_bytes, measured.prefetch_bytes);
    if (status == VDNN_OK)
        status = write_record(session, write_summary, &text);
    if (status == VDNN_OK)
        status = add_layers(session, &text);
    return print_text(session, status, &text);
}

/* A run of a week does not end because a disk is full for an hour: it continues with the existing
 * checkpoints, and tries again when the next one is due. */
static void checkpoint_if_due(vdnn_session *session)
{
    const vdnn_resume *resume = &session->resume;
    int64_t step = session->run.step;
    bool is_last = step == session->run.step_count;
    if (!has_checkpoints(session) || (!is_last && step % resume->here.every != 0))
        return;
    session->checkpoint_failed = vdnn_session_checkpoint(session) != VDNN_OK;
    if (session->checkpoint_failed)
        vdnn_messages_log(
            &session->messages, VDNN_LOG_WARN,
            "no checkpoint of step %lld: %s; the training continues, the older ones stay",
            (long long)step, vdnn_status_message());
}

/* The next step after which the parameters are read: no other is begun before it is complete. */
static int64_t next_stop(const vdnn_session *session)
{
    const vdnn_resume *resume = &session->resume;
    int64_t last = session->run.step_count;
    if (session->options.ask.checkpoint == NULL)
        return last;
    int64_t due = (session->run.step / resume->here.every + 1) * resume->here.every;
    return due < last ? due : last;
}

/* Whether a signal ends the run here. Several devices have agreed on it in their last step. */
static vdnn_status stops(const vdnn_session *session)
{
    const vdnn_training_run *run = &session->run;
    if (run->request.group == NULL)
        return vdnn_messages_interrupted(&session->messages);
    return run->stop == VDNN_OK
               ? VDNN_OK
               : vdnn_status_fail(run->stop, "stopped on a signal to one of the processes after a "
                                             "whole step; no weights were written");
}

/* The new plan in the place of the old one, on all devices. What it was planned by stays: setups of
 * other devices borrow the profile. */
static vdnn_status change_plan(vdnn_session *session, vdnn_replan_anew *anew)
{
    vdnn_replans *replans = &session->replans;
    vdnn_status status = vdnn_agree_on_plan(session->group, anew->plans.training);
    if (status == VDNN_OK)
        status = vdnn_peers_change_plan(session->peers, &session->run, &anew->plans);
    if (status != VDNN_OK)
        return status;
    const vdnn_fit_plans before = session->plans;
    replans->profiles[replans->count - 1] = session->setup.profile;
    session->plans = anew->plans;
    session->setup.profile = anew->profile;
    anew->plans = before;
    anew->profile = NULL;
    replans->list[replans->count - 1].is_changed = true;
    replans->expected_seconds = 0;
    return VDNN_OK;
}

static vdnn_status replan(vdnn_session *session, const vdnn_replan_slow *slow)
{
    vdnn_replans *replans = &session->replans;
    vdnn_fit_request request = fit_request(session);
    vdnn_patience patience;
    vdnn_replan_anew anew;
    vdnn_patience_begin(&session->options, &session->messages, &patience);
    request.patience = &patience.of_policy;
    vdnn_status status =
        vdnn_replan_make(replans, &request, &session->plans, &session->run, slow, &anew);
    if (status != VDNN_OK)
        return status;
    size_t changes = anew.is_faster && vdnn_peers_can_change_plan(session->peers, &session->run);
    status = vdnn_agree_on_least(session->group, &changes, 1);
    if (status == VDNN_OK && changes > 0)
        status = change_plan(session, &anew);
    else
        replans->expected_seconds = replans->list[replans->count - 1].measured_seconds;
    session->run.times.count = replans->seen = 0;
    if (status == VDNN_OK && session->options.ask.rank == 0)
        vdnn_replan_tell(replans, &session->messages);
    vdnn_replan_anew_fini(&anew);
    return status;
}

/* Steps that were in flight are complete afterwards, and a checkpoint that was due is written. */
static vdnn_status replan_if_slow(vdnn_session *session)
{
    const vdnn_fit_request request = fit_request(session);
    const int64_t step = session->run.step;
    vdnn_replan_slow slow;
    const int64_t seen = session->replans.seen;
    vdnn_status status =
        vdnn_replan_find(&session->replans, &request, &session->plans, &session->run, &slow);
    const bool compared = session->replans.seen != seen;
    if (status == VDNN_OK && (slow.ratios.data != NULL || (compared && session->group != NULL)))
        status = vdnn_peers_drain(session->peers, &session->run);
    if (status == VDNN_OK && compared)
        status = vdnn_agree_on_text(session->group, 0, &slow.ratios);
    if (status == VDNN_OK && session->run.step > step)
        checkpoint_if_due(session);
    if (status == VDNN_OK && slow.ratios.data != NULL)
        status = replan(session, &slow);
    vdnn_text_fini(&slow.ratios);
    return status;
}

/* However it ends, no later step is in flight. */
static vdnn_status train(vdnn_session *session)
{
    vdnn_training_run *run = &session->run;
    vdnn_first_error error = {VDNN_OK, ""};
    while (error.status == VDNN_OK && run->step < run->step_count) {
        vdnn_status status = stops(session);
        if (status == VDNN_OK)
            status = vdnn_peers_step(session->peers, run, next_stop(session), NULL);
        if (status == VDNN_OK) {
            checkpoint_if_due(session);
            status = replan_if_slow(session);
        }
        vdnn_first_error_keep(&error, status);
    }
    vdnn_status drained = vdnn_peers_drain(session->peers, run);
    if (drained != VDNN_OK)
        return drained;
    vdnn_first_error_keep(&error, stops(session));
    if (error.status == VDNN_OK)
        vdnn_first_error_keep(&error, vdnn_peers_gather(session->peers, run));
    return vdnn_first_error_tell(&error);
}

/* Damaged test data must not lose the trained weights. */
static vdnn_status evaluate_and_save(vdnn_session *session)
{
    const char *path = session->options.ask.save;
    double accuracy;
    vdnn_status status = vdnn_session_evaluate(session, &accuracy), saved = VDNN_OK;
    bool ends = status == VDNN_OK || status == VDNN_BAD_INPUT || status == VDNN_FILE;
    if (ends && path != NULL)
        saved = vdnn_session_save(session, path);
    return saved == VDNN_OK ? status : saved;
}

/* The trace of a run that a signal ends has what was done until then; one that fails leaves none.
 */
static vdnn_status train_traced(vdnn_session *session)
{
    const vdnn_run_options *options = &session->options;
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = VDNN_OK;
    if (options->traces)
        status = begin_trace(session, options->ask.trace,
                             options->ask.trace_steps == NULL ? next_steps(session)
                                                              : options->trace_steps);
    if (status != VDNN_OK)
        return status;
    status = train(session);
    vdnn_first_error_keep(&error, status);
    if (status == VDNN_OK || is_signal(status))
        vdnn_first_error_keep(&error, vdnn_training_trace_end(&session->run));
    return vdnn_first_error_tell(&error);
}

static vdnn_status train_and_save(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_status status = vdnn_session_begin(session);
    if (status == VDNN_OK)
        status = train_traced(session);
    if (status == VDNN_OK && options->rank == 0)
        status = evaluate_and_save(session);
    if (status == VDNN_OK && options->rank == 0 && options->print_footprint)
        status = sum_up(session);
    if (status == VDNN_OK && session->checkpoint_failed)
        status = vdnn_status_fail(VDNN_FILE,
                                  "the training is done, but its last checkpoint could "
                                  "not be written to %s",
                                  options->checkpoint);
    return status;
}

/* Prints the plan also if it does not fit; the message that says so is kept. */
static vdnn_status refuse(vdnn_session *session)
{
    vdnn_text message = {0};
    vdnn_text_add(&message, "%s", vdnn_status_message());
    vdnn_status status = print_plan(session);
    if (status == VDNN_OK)
        status = vdnn_status_fail(VDNN_NO_FIT, "%s",
                                  message.failed ? "it does not fit the budget" : message.data);
    vdnn_text_fini(&message);
    return status;
}

/* Whether a signal came behind the last step, of which others with shares of the state do not know:
 * its checkpoint was written before. */
static bool has_ended_alone(const vdnn_session *session)
{
    return session->group != NULL && session->setup.graph->shards && session->run.stop == VDNN_OK;
}

/* The first process's checkpoint, for which the others wait, so that all end alike. */
static vdnn_status save_state(vdnn_session *session)
{
    vdnn_status status = VDNN_OK;
    if (session->has_begun && session->run.step > 0 && has_checkpoints(session) &&
        !has_ended_alone(session))
        status = vdnn_session_checkpoint(session);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "stopped on a signal after step %lld, but",
                                  (long long)session->run.step);
    return session->run.stop == VDNN_OK ? VDNN_OK : vdnn_agree_to_end(session->group);
}

/* A signal ended the run: its state is saved if the options say so. Ctrl-C comes from a person, who
 * decides whether to resume; any other signal from a system that should restart the run. */
static vdnn_status leave(vdnn_session *session, vdnn_status signal)
{
    if (session->options.ask.checkpoint == NULL || session->options.ask.dry_run)
        return signal;
    vdnn_status status = save_state(session);
    if (status != VDNN_OK)
        return status;
    return vdnn_status_fail(signal == VDNN_TERMINATED ? VDNN_REQUEUE : signal,
                            "stopped on a signal after step %lld; --resume auto resumes from it",
                            (long long)session->run.step);
}

/* Whether all processes end with this status, which a signal to one of them led to. */
static bool has_agreed(const vdnn_session *session, vdnn_status status)
{
    const vdnn_status stop = session->run.stop;
    return stop != VDNN_OK && (status == stop || status == VDNN_REQUEUE);
}

/* A signal while a plan was searched for ends the run behind the plan. */
static vdnn_status end_dry_run(const vdnn_session *session)
{
    vdnn_status status = vdnn_messages_interrupted(&session->messages);
    return status == VDNN_OK
               ? VDNN_OK
               : vdnn_status_fail(status, "stopped on a signal: the plan is the best so far");
}

vdnn_status vdnn_session_run(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_NO_FIT && !options->max_batch)
        return refuse(session);
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        status = print_plan(session);
    if (status == VDNN_OK)
        status = options->dry_run ? end_dry_run(session) : train_and_save(session);
    if (status == VDNN_OK)
        status = vdnn_agree_to_end(session->group);
    const bool is_stopped = is_signal(status);
    if (is_stopped)
        status = leave(session, status);
    return status == VDNN_OK || (is_stopped && has_agreed(session, status))
               ? status
               : tell_failure(session, status);
}
