/* What a session knows, as a record. */

#include "runtime/train/session/session_internal.h"

#include "runtime/base/heap.h"
#include "runtime/base/versioned.h"

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
    const int32_t count = vdnn_peers_count(&session->setup);
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

/* `room` holds what the record borrows; the caller frees its losses and shares. */
static vdnn_status make_record(const vdnn_session *session, record_room *room, vdnn_record *record)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_record fresh = {
        .setup = &session->setup,
        .plan = session->plans.training,
        .verdict = session->verdict,
        .policy = options->policy,
        .algo = options->algo,
        .seed = options->seed,
        .lr = vdnn_training_rate(options, session->setup.graph),
        .test = session->test,
        .evaluations = session->resume.evaluations,
        .assessment = session->assessment.samples > 0 ? &session->assessment : NULL,
        .generated = session->generated.prompt.count > 0 ? &session->generated : NULL,
        .columns = vdnn_text_line(session->options.columns),
        .batches = session->batches.setup == NULL ? NULL : &session->batches,
        .explanation = session->explanation->setup == NULL ? NULL : session->explanation};
    vdnn_status status = VDNN_OK;
    if (session->has_begun) {
        status = vdnn_training_measure(&session->run, &room->measured);
        VDNN_IF_OK(status, take_losses(session, &room->losses));
        fresh.measured = &room->measured;
        fresh.losses = room->losses;
        fresh.lost = &session->run.lost;
        fresh.replans = session->replans.list;
        fresh.replan_count = session->replans.count;
        fresh.loss_count = (size_t)session->run.step;
        fresh.host_staging_bytes = session->run.staging_bytes;
        fresh.train_orientations = vdnn_dataset_count_orientations(session->run.train);
        if (session->run.test != NULL)
            fresh.test_orientations = vdnn_dataset_count_orientations(session->run.test);
    }
    VDNN_IF_OK(status, take_shares(session, room));
    fresh.shares = room->shares;
    fresh.share_count = room->shares == NULL ? 0 : vdnn_peers_count(&session->setup);
    if (status == VDNN_OK && fresh.lost != NULL)
        choose_lost(&fresh);
    if (status == VDNN_OK)
        *record = fresh;
    return status;
}

vdnn_status vdnn_session_write_record(const vdnn_session *session, vdnn_session_record_writer *add,
                                      vdnn_text *text)
{
    record_room room = {0};
    vdnn_record record;
    VDNN_TRY(vdnn_session_check_process(session));
    if (!session->is_planned)
        return vdnn_status_fail(VDNN_USAGE, "a session has a record only after it was prepared");
    vdnn_status status = make_record(session, &room, &record);
    VDNN_IF_OK(status, add(&record, text));
    vdnn_heap_free(room.losses);
    vdnn_heap_free(room.shares);
    return status;
}

vdnn_status vdnn_session_json(const vdnn_session *session, vdnn_text *json)
{
    return vdnn_session_write_record(session, vdnn_record_json, json);
}

vdnn_status vdnn_session_footprint(const vdnn_session *session, vdnn_text *text)
{
    return vdnn_session_write_record(session, vdnn_record_footprint, text);
}
