/* All that a session's options ask for: the plan, the steps, what is due between them, the files,
 * and what is said about them. */

#include "runtime/train/session/session_internal.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/setup/known_digits.h"
#include "runtime/setup/patience.h"
#include "runtime/train/agree.h"
#include "runtime/train/layer_table.h"
#include "runtime/train/weights.h"
#include "traces/snapshot.h"

/* On what the plan expects, of the first device. */
static vdnn_status write_snapshot(const vdnn_session *session, const char *path)
{
    const vdnn_plan *plan = session->plans.training;
    const size_t count = (size_t)plan->step_count;
    double *start = vdnn_heap_calloc(2 * count, sizeof *start);
    if (start == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the snapshot", path);
    vdnn_status status = vdnn_timing_run(plan, session->setup.profile, start, start + count);
    VDNN_IF_OK(status, vdnn_snapshot_write(plan, start, start + count, path));
    vdnn_heap_free(start);
    return status;
}

/* With `verbose`, after what is said first. */
static vdnn_status add_layers(const vdnn_session *session, vdnn_text *text)
{
    return session->options.ask.print->verbose
               ? vdnn_session_write_record(session, vdnn_layer_table_write, text)
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
    if (options->process->rank > 0)
        return VDNN_OK;
    if (options->output->memory_snapshot != NULL)
        status = write_snapshot(session, options->output->memory_snapshot);
    if (status == VDNN_OK && options->print->print_plan)
        status = vdnn_plan_print(session->plans.training, &text);
    if (status == VDNN_OK && options->print->explain)
        status = vdnn_session_explain(session, &text);
    if (status == VDNN_OK && options->print->max_batch)
        status = vdnn_session_max_batch(session, &text);
    else if (!options->print->explain && !options->print->print_plan && options->dry_run &&
             options->print->print_footprint)
        status = vdnn_session_footprint(session, &text);
    if (status == VDNN_OK && options->dry_run && options->print->print_footprint)
        status = add_layers(session, &text);
    return print_text(session, status, &text);
}

static vdnn_status write_summary(const vdnn_record *record, vdnn_text *text)
{
    double loss = record->loss_count > 0 ? record->losses[record->loss_count - 1] : 0.0;
    const double rate = record->measured != NULL ? record->measured->images_per_second : 0.0;
    vdnn_text_add(text, "%s: %zu step%s", record->setup->graph->name, record->loss_count,
                  record->loss_count == 1 ? "" : "s");
    if (record->setup->properties.simulated)
        vdnn_text_add(text, " in simulated time");
    else
        vdnn_text_add(text, ", loss %.6g", loss);
    if (rate > 0.0) { /* else no step was made since it resumed */
        vdnn_text_put(text, ", ");
        vdnn_session_add_rate(record->setup->graph, rate, text);
    }
    if (vdnn_test_is_known(&record->test)) {
        vdnn_text_put(text, ", ");
        vdnn_session_add_scores(record->setup->graph, &record->test, text);
    }
    vdnn_text_add(text, "\n");
    return vdnn_text_status(text, "the summary");
}

/* Of a step: what it lost below that is nothing to look for. */
static const double least_lost = 0.01;

/* Where the time went that no layer computed in, and what was largest. */
static vdnn_status tell_lost(const vdnn_record *record, vdnn_text *text)
{
    enum { TOLD = 3 };
    (void)text;
    const vdnn_messages *messages = &record->setup->messages;
    const char *peak = vdnn_plan_peak_layer(record->plan);
    vdnn_text worst = {0}, device = {0};
    if (record->measured != NULL &&
        vdnn_lost_time_all(record->lost) >= least_lost * record->measured->step_seconds)
        vdnn_lost_time_tell(record->lost, TOLD, &worst);
    if (record->shares != NULL)
        vdnn_text_add(&device, " on device %d", (int)record->lost_device);
    if (worst.length > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "most time lost to waiting, copies that nothing hid and recompute%s: %s",
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

/* The first step is not like the others, and says so; simulated, it is. */
static void tell_step(const vdnn_session *session, const vdnn_measured *measured)
{
    enum { DIGITS = 3 };
    const vdnn_plan *plan = session->plans.training;
    const bool has_others = session->run.sample_count > 1,
               is_like_others = session->setup.properties.simulated;
    vdnn_text first = {0};
    char step[32], planned[64] = "", stall[32], copies[64] = "", cell[32];
    if (session->run.sample_count == 0)
        return;
    if (session->setup.graph->stage.count == 0) /* else the plan is of one stage alone */
        (void)snprintf(planned, sizeof planned, " (estimated %s)",
                       vdnn_rounded_seconds(cell, sizeof cell, plan->step_seconds,
                                            vdnn_known_digits(&session->setup.properties)));
    if (plan->offload_bytes > 0)
        (void)snprintf(
            copies, sizeof copies, ", copies of %s were not hidden",
            vdnn_rounded_seconds(cell, sizeof cell, measured->exposed_copy_seconds, DIGITS));
    if (!is_like_others && has_others)
        vdnn_text_add(
            &first, "; the first, which took %s, does not count",
            vdnn_rounded_seconds(cell, sizeof cell, measured->first_step_seconds, DIGITS));
    else if (!is_like_others)
        vdnn_text_add(&first, "; it is the first, and those after it take less");
    vdnn_messages_log(
        &session->messages, VDNN_LOG_INFO, "a step took %s%s, the device waited %s%s: medians%s",
        vdnn_rounded_seconds(step, sizeof step, measured->step_seconds, DIGITS), planned,
        vdnn_rounded_seconds(stall, sizeof stall, measured->stall_seconds, DIGITS), copies,
        first.length == 0 ? "" : first.data);
    vdnn_text_fini(&first);
}

static vdnn_status sum_up(const vdnn_session *session)
{
    vdnn_measured measured;
    vdnn_text text = {0};
    char cell[32];
    VDNN_TRY(vdnn_training_measure(&session->run, &measured));
    tell_step(session, &measured);
    vdnn_status status = vdnn_session_write_record(session, tell_lost, &text);
    if (session->setup.graph->devices > 1 && session->run.sample_count > 0)
        vdnn_messages_log(
            &session->messages, VDNN_LOG_INFO,
            "%s of sums over devices were not hidden: the median",
            vdnn_rounded_seconds(cell, sizeof cell, measured.exposed_reduce_seconds, 3));
    if (session->options.ask.trust->verify)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "verified: the %zu bytes offloaded in a step were copied back unchanged",
                          session->plans.training->offload_bytes);
    if (session->options.ask.trust->require_offload)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "the device copied %zu bytes out and %zu in per step, as planned",
                          measured.offload_bytes, measured.prefetch_bytes);
    VDNN_IF_OK(status, vdnn_session_write_record(session, write_summary, &text));
    VDNN_IF_OK(status, add_layers(session, &text));
    return print_text(session, status, &text);
}

/* Whether a signal ends the run here. Several devices have agreed on it in their last step. */
static vdnn_status stops(const vdnn_session *session)
{
    const vdnn_training_run *run = &session->run;
    const bool is_alone = run->request.group == NULL;
    const vdnn_status stop = is_alone ? vdnn_messages_interrupted(&session->messages) : run->stop;
    return stop == VDNN_OK
               ? VDNN_OK
               : vdnn_status_fail(
                     stop, "stopped on a signal%s after a whole step; no weights were written",
                     is_alone ? "" : " to one of the processes");
}

/* The new plan in the place of the old one, on all devices. What it was planned by stays: setups of
 * other devices borrow the profile. */
static vdnn_status change_plan(vdnn_session *session, vdnn_replan_anew *anew)
{
    vdnn_replans *replans = &session->replans;
    vdnn_status status = vdnn_agree_on_plan(session->group, anew->plans.training);
    VDNN_IF_OK(status, vdnn_peers_change_plan(session->peers, &session->run, &anew->plans));
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
    vdnn_fit_request request = vdnn_session_fit_request(session);
    vdnn_patience patience;
    vdnn_replan_anew anew;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &session->options, &session->messages, &patience);
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
    if (status == VDNN_OK && session->options.ask.process->rank == 0)
        vdnn_replan_tell(replans, &session->messages);
    vdnn_replan_anew_fini(&anew);
    return status;
}

/* Steps that were in flight are complete afterwards, and a checkpoint that was due is written. */
static vdnn_status replan_if_slow(vdnn_session *session)
{
    const vdnn_fit_request request = vdnn_session_fit_request(session);
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
        status = vdnn_session_do_due(session);
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
        VDNN_IF_OK(status, vdnn_session_make_step(session, vdnn_session_next_stop(session), NULL));
        VDNN_IF_OK(status, vdnn_session_do_due(session));
        VDNN_IF_OK(status, replan_if_slow(session));
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

/* The trace of a run that a signal ends has what was done until then; one that fails leaves none.
 * *is_trained: all steps were done, whatever became of the trace. */
static vdnn_status train_traced(vdnn_session *session, bool *is_trained)
{
    const vdnn_run_options *options = &session->options;
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = VDNN_OK;
    if (options->traces)
        status = vdnn_session_begin_trace(session, options->ask.output->trace,
                                          options->ask.output->trace_steps == NULL
                                              ? vdnn_session_next_steps(session)
                                              : options->trace_steps);
    if (status != VDNN_OK)
        return status;
    status = train(session);
    *is_trained = status == VDNN_OK;
    vdnn_first_error_keep(&error, status);
    if (status == VDNN_OK || vdnn_session_is_signal(status))
        vdnn_first_error_keep(&error, vdnn_training_trace_end(&session->run));
    return vdnn_first_error_tell(&error);
}

/* Also of weights that were only evaluated. */
static void save(vdnn_session *session, vdnn_first_error *error)
{
    const vdnn_session_options *options = &session->options.ask;
    const char *const paths[] = {options->save, options->output->onnx};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] == NULL && (i > 0 || !vdnn_peers_evaluate_together(session->peers)))
            continue;
        const vdnn_status status = vdnn_session_save(session, paths[i]);
        if (status == VDNN_OK && paths[i] != NULL)
            vdnn_messages_log(&session->messages, VDNN_LOG_INFO, "the weights are in %s", paths[i]);
        vdnn_first_error_keep(error, status);
    }
}

/* What follows the last step. Each part is done whatever became of those before it, so that damaged
 * test data, or a file that cannot be written, lose nothing else of the training. */
static void finish(vdnn_session *session, vdnn_first_error *error)
{
    const vdnn_session_options *options = &session->options.ask;
    const bool is_first = options->process->rank == 0,
               evaluates = is_first || vdnn_peers_evaluate_together(session->peers);
    double accuracy;
    vdnn_status status = evaluates && !vdnn_session_is_evaluated(session)
                             ? vdnn_session_evaluate(session, &accuracy)
                             : VDNN_OK;
    vdnn_first_error_keep(error, status);
    if (vdnn_session_is_signal(status))
        return;
    if (is_first || vdnn_peers_lends(session->peers))
        save(session, error);
    vdnn_training_tell_orientations(&session->run, true);
    if (is_first)
        vdnn_session_tell_best(session);
    if (is_first && options->print->print_footprint)
        vdnn_first_error_keep(error, sum_up(session));
}

static vdnn_status score_and_save(vdnn_session *session)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, vdnn_session_score(session));
    if (session->options.ask.process->rank == 0 && !vdnn_session_is_signal(error.status))
        save(session, &error);
    return vdnn_first_error_tell(&error);
}

static vdnn_status train_and_save(vdnn_session *session)
{
    vdnn_first_error error = {VDNN_OK, ""};
    bool is_trained = false;
    vdnn_status status = vdnn_session_begin(session);
    if (status == VDNN_OK && vdnn_run_options_only_score(&session->options.ask))
        return score_and_save(session);
    if (status == VDNN_OK) {
        if (session->run.step >= session->run.step_count)
            vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                              "nothing is left to train: the checkpoint has all %lld steps",
                              (long long)session->run.step);
        vdnn_session_begin_due(session);
        status = train_traced(session, &is_trained);
    }
    vdnn_first_error_keep(&error, status);
    if (is_trained)
        finish(session, &error);
    if (error.status == VDNN_OK && session->checkpoint_failed)
        return vdnn_status_fail(VDNN_FILE,
                                "the training is done, but its last checkpoint could "
                                "not be written to %s",
                                session->options.ask.checkpoint);
    return vdnn_first_error_tell(&error);
}

/* Prints the plan also if it does not fit; the message that says so is kept. */
static vdnn_status refuse(vdnn_session *session)
{
    vdnn_text message = {0};
    vdnn_text_add(&message, "%s", vdnn_status_message());
    vdnn_status status = print_plan(session);
    VDNN_IF_OK(status,
               vdnn_status_fail(VDNN_NO_FIT, "%s",
                                message.failed ? "it does not fit the budget" : message.data));
    vdnn_text_fini(&message);
    return status;
}

/* Whether a signal came after the last step, of which others with shares of the state do not know:
 * its checkpoint was written before. */
static bool has_ended_alone(const vdnn_session *session)
{
    return session->group != NULL && session->setup.graph->shards && session->run.stop == VDNN_OK;
}

/* The first process's checkpoint, for which the others wait, so that all end alike. */
static vdnn_status save_state(vdnn_session *session)
{
    vdnn_status status = VDNN_OK;
    if (session->has_begun && session->run.step > 0 && vdnn_session_has_checkpoints(session) &&
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
    VDNN_TRY(save_state(session));
    const int64_t step = session->has_begun          ? session->run.step
                         : session->resume.continues ? session->resume.base->step
                                                     : 0;
    if (step == 0)
        return vdnn_status_fail(signal, "stopped on a signal before the first step; there is no "
                                        "checkpoint, nothing was written");
    return vdnn_status_fail(signal == VDNN_TERMINATED ? VDNN_REQUEUE : signal,
                            "stopped on a signal after step %lld; --resume auto resumes from it",
                            (long long)step);
}

/* Whether all processes end with this status, which a signal to one of them led to. */
static bool has_agreed(const vdnn_session *session, vdnn_status status)
{
    const vdnn_status stop = session->run.stop;
    return stop != VDNN_OK && (status == stop || status == VDNN_REQUEUE);
}

/* A signal while a plan was searched for ends the run after the plan. */
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
    VDNN_TRY(vdnn_session_check_process(session));
    if (options->dataset->feeds && !options->dry_run)
        return vdnn_status_fail(VDNN_USAGE, "a session that feeds is run step by step: its batches "
                                            "are given to vdnn_session_step_on");
    vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_NO_FIT && !options->print->max_batch)
        return refuse(session);
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        status = print_plan(session);
    VDNN_IF_OK(status, options->dry_run ? end_dry_run(session) : train_and_save(session));
    VDNN_IF_OK(status, vdnn_agree_to_end(session->group));
    const bool is_stopped = vdnn_session_is_signal(status);
    if (is_stopped)
        status = leave(session, status);
    status = vdnn_session_keep_healthy(session, status);
    return status == VDNN_OK || (is_stopped && has_agreed(session, status))
               ? status
               : vdnn_session_tell_failure(session, status);
}
