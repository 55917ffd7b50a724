/* What is due between two steps: an evaluation, the line of an epoch, a checkpoint. */

#include "runtime/base/numbers/rounded.h"
#include "runtime/train/agree.h"
#include "runtime/train/session/session_internal.h"

#include <math.h>
#include <string.h>

static int64_t checkpoint_every(const vdnn_session *session)
{
    return session->options.ask.checkpoint == NULL ? 0 : session->resume.here.every;
}

/* 0: the training is not evaluated before its end. */
static int64_t evaluate_every(const vdnn_session *session)
{
    const vdnn_output_options *output = session->options.ask.output;
    if (session->run.test == NULL)
        return 0;
    return output->eval_every == 0 && output->keep_best ? checkpoint_every(session)
                                                        : output->eval_every;
}

static bool is_due(const vdnn_session *session, int64_t every)
{
    const vdnn_training_run *run = &session->run;
    return every > 0 && (run->step == run->step_count || run->step % every == 0);
}

int64_t vdnn_session_next_stop(const vdnn_session *session)
{
    const int64_t every[] = {checkpoint_every(session), evaluate_every(session)};
    int64_t next = session->run.step_count;
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        const int64_t due = every[i] == 0 ? next : (session->run.step / every[i] + 1) * every[i];
        next = due < next ? due : next;
    }
    return next;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* A run of a week does not end because a disk is full for an hour: it continues with the existing
 * checkpoints, and tries again when the next one is due. */
static void checkpoint_now(vdnn_session *session)
{
    const int64_t step = session->run.step;
    session->checkpoint_failed = vdnn_session_checkpoint(session) != VDNN_OK;
    if (session->checkpoint_failed)
        vdnn_messages_log(
            &session->messages, VDNN_LOG_WARN,
            "no checkpoint of step %lld: %s; the training continues, the older ones stay",
            (long long)step, vdnn_status_message());
}

/* Of the first process, which has the folder. */
static void keep_best(const vdnn_session *session)
{
    if (session->resume.folder != NULL && !session->checkpoint_failed &&
        vdnn_checkpoint_keep_best(session->resume.folder) != VDNN_OK)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
}

/* ---- evaluations ----------------------------------------------------------------------------- */

/* What an evaluation found, and whether no checkpoint is better. */
typedef struct found {
    vdnn_test_scores test;
    bool is_best;
} found;

/* What the first process has found; the others say what is more than anything. */
static vdnn_status agree(const vdnn_session *session, found *own)
{
    enum { SCORES = sizeof own->test / sizeof(size_t) };
    size_t said[SCORES + 1];
    memset(said, 0xff, sizeof said);
    if (vdnn_agree_is_first(session->group) && vdnn_test_is_known(&own->test)) {
        memcpy(said, &own->test, sizeof own->test);
        said[SCORES] = own->is_best;
    }
    VDNN_TRY(vdnn_agree_on_least(session->group, said, sizeof said / sizeof *said));
    *own = (found){.test = vdnn_nothing_found};
    if (said[SCORES] != SIZE_MAX) {
        memcpy(&own->test, said, sizeof own->test);
        own->is_best = said[SCORES] != 0;
    }
    return VDNN_OK;
}

/* A training does not end because of damaged test data. A signal ends it before its next step. */
static vdnn_status evaluate(vdnn_session *session, found *own)
{
    *own = (found){.test = vdnn_nothing_found};
    if (vdnn_agree_is_first(session->group) || vdnn_peers_evaluate_together(session->peers)) {
        double accuracy;
        vdnn_status status = vdnn_session_evaluate(session, &accuracy);
        if (status != VDNN_OK && !vdnn_session_is_signal(status))
            vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                              "no evaluation after step %lld: %s; the training continues",
                              (long long)session->run.step, vdnn_status_message());
        if (status == VDNN_OK)
            own->test = session->test;
        own->is_best = session->options.ask.output->keep_best &&
                       vdnn_resume_is_best(&session->resume, session->setup.graph, &own->test);
    }
    VDNN_TRY(agree(session, own));
    return vdnn_test_is_known(&own->test)
               ? vdnn_resume_add_evaluation(&session->resume, session->run.step, &own->test)
               : VDNN_OK;
}

static const json_t *last_evaluation(const vdnn_session *session)
{
    const json_t *all = session->resume.evaluations;
    const json_t *last = json_array_get(all, json_array_size(all) - 1);
    return json_integer_value(json_object_get(last, "step")) == session->run.step ? last : NULL;
}

bool vdnn_session_is_evaluated(const vdnn_session *session)
{
    return vdnn_test_is_known(&session->test) && last_evaluation(session) != NULL;
}

/* A run that ended between a checkpoint and the link to it has left the link to the next one. */
static void keep_best_base(const vdnn_session *session)
{
    const vdnn_resume *resume = &session->resume;
    const json_t *last = last_evaluation(session);
    if (!resume->keeps_best || resume->folder == NULL || last == NULL)
        return;
    const vdnn_test_scores test = vdnn_resume_evaluation(last);
    if (vdnn_resume_is_best(resume, session->setup.graph, &test))
        keep_best(session);
}

void vdnn_session_begin_due(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    if (options->output->eval_every > 0 && session->run.test == NULL && options->process->rank == 0)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                          "--eval-every: %s has no test part, so nothing is evaluated; --test-data "
                          "has samples to test by",
                          options->data);
    if (session->resume.base == NULL)
        return;
    if (!session->resume.continues && vdnn_session_has_checkpoints(session))
        checkpoint_now(session);
    keep_best_base(session);
}

/* At the end. */
void vdnn_session_tell_best(const vdnn_session *session)
{
    const vdnn_resume *resume = &session->resume;
    size_t i;
    const json_t *one;
    json_array_foreach(resume->evaluations, i, one)
    {
        const json_int_t step = json_integer_value(json_object_get(one, "step"));
        if (!resume->keeps_best || !vdnn_checkpoint_is_best(resume->folder, step))
            continue;
        const vdnn_test_scores test = vdnn_resume_evaluation(one);
        vdnn_text scores = {0};
        vdnn_session_add_scores(session->setup.graph, &test, &scores);
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "the best checkpoint, of step %lld with %s, is %s/" VDNN_CHECKPOINT_BEST,
                          (long long)step, scores.data == NULL ? "" : scores.data,
                          session->options.ask.checkpoint);
        vdnn_text_fini(&scores);
    }
}

/* ---- what is said ---------------------------------------------------------------------------- */

void vdnn_session_add_rate(const vdnn_graph *graph, double images_per_second, vdnn_text *text)
{
    const vdnn_rate_unit unit = vdnn_graph_rate_unit(graph);
    char cell[32];
    vdnn_text_add(text, "%s %s",
                  vdnn_rounded_rate(cell, sizeof cell, images_per_second * unit.per_sample),
                  unit.name);
}

void vdnn_session_add_scores(const vdnn_graph *graph, const vdnn_test_scores *test, vdnn_text *text)
{
    const size_t before = text->length;
    if (test->dice >= 0)
        vdnn_text_add(text, "test Dice %.4f", test->dice);
    else if (test->accuracy >= 0)
        vdnn_text_add(text, "test accuracy %.4f", test->accuracy);
    if (vdnn_graph_target(graph) != VDNN_TARGET_CLASSES)
        vdnn_text_add(text, "%stest loss %.6g", text->length > before ? ", " : "", test->loss);
    if (vdnn_graph_sample_tokens(graph) > 0)
        vdnn_text_add(text, ", perplexity %.5g", exp(test->loss));
}

/* "mean loss 0.12345, test accuracy 0.9712, 6358 images/s, 12 s left": of an epoch's steps that
 * this run made. */
static bool add_epoch(const vdnn_session *session, const char *accuracy, vdnn_text *text)
{
    const vdnn_training_run *run = &session->run;
    const int64_t made = (int64_t)run->sample_count,
                  count = made < run->epoch_steps ? made : run->epoch_steps;
    const double batch = (double)session->setup.graph->step_batch;
    vdnn_measured measured;
    char cell[32];
    double sum = 0;
    if (run->step % run->epoch_steps != 0 || session->setup.properties.simulated || count == 0 ||
        vdnn_training_measure(run, &measured) != VDNN_OK)
        return false;
    for (int64_t i = made - count; i < made; i++)
        sum += run->samples[i].loss;
    const double left = (double)(run->step_count - run->step) * batch / measured.images_per_second;
    vdnn_text_add(text, "epoch %lld: mean loss %.5f%s%s, ",
                  (long long)(run->step / run->epoch_steps), sum / (double)count,
                  accuracy[0] == '\0' ? "" : ", ", accuracy);
    vdnn_session_add_rate(session->setup.graph, measured.images_per_second, text);
    vdnn_text_add(text, ", %s left", vdnn_rounded_left(cell, sizeof cell, left));
    return true;
}

/* A line, if an epoch has ended or the training was evaluated. */
static void tell(const vdnn_session *session, const found *own)
{
    vdnn_text accuracy = {0}, line = {0};
    if (vdnn_test_is_known(&own->test))
        vdnn_session_add_scores(session->setup.graph, &own->test, &accuracy);
    if (own->is_best)
        vdnn_text_put(&accuracy, ", the best so far");
    const char *said = accuracy.length == 0 ? "" : accuracy.data;
    if (!add_epoch(session, said, &line) && said[0] != '\0')
        vdnn_text_add(&line, "step %lld: %s", (long long)session->run.step, said);
    if (line.length > 0)
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO, "%s", line.data);
    vdnn_text_fini(&accuracy);
    vdnn_text_fini(&line);
}

vdnn_status vdnn_session_do_due(vdnn_session *session)
{
    found own = {.test = vdnn_nothing_found};
    if (is_due(session, evaluate_every(session)))
        VDNN_TRY(evaluate(session, &own));
    if (session->options.ask.process->rank == 0)
        tell(session, &own);
    if (vdnn_session_has_checkpoints(session) &&
        (own.is_best || is_due(session, checkpoint_every(session))))
        checkpoint_now(session);
    if (own.is_best)
        keep_best(session);
    return VDNN_OK;
}
