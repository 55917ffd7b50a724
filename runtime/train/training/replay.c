/* A step that is run twice from the same state: what each step of its plan computed must be the
 * same, bit for bit. */

#include "runtime/base/heap.h"
#include "runtime/train/kept.h"
#include "runtime/train/training/training_internal.h"

enum { PASSES = 2, NONE = -1 };

typedef struct replay {
    vdnn_training_run *run;
    char *image; /* of what is kept, from before the step */
    uint64_t *digests[PASSES];
    vdnn_executor_result results[PASSES];
} replay;

bool vdnn_training_is_replayed(const vdnn_training_run *run)
{
    const int64_t every = run->request.options->trust->replay_every;
    return every > 0 && (run->step + 1) % every == 0 && run->begun == run->step;
}

bool vdnn_training_compares_replicas(const vdnn_training_run *run)
{
    const int64_t every = run->request.options->trust->check_replicas;
    return every > 0 && run->step % every == 0 && run->request.group != NULL;
}

static int64_t next_multiple(int64_t after, int64_t every)
{
    return every == 0 ? INT64_MAX : (after / every + 1) * every;
}

/* A replayed step begins alone, and none begins before it has ended. */
int64_t vdnn_training_next_pause(const vdnn_training_run *run)
{
    const vdnn_session_options *options = run->request.options;
    const int64_t replayed = next_multiple(run->step, options->trust->replay_every),
                  compared = next_multiple(run->step, options->trust->check_replicas),
                  before =
                      replayed == INT64_MAX || replayed - 1 == run->step ? replayed : replayed - 1;
    return before < compared ? before : compared;
}

/* ---- a pass ---------------------------------------------------------------------------------- */

/* The batch of both is read from the data, wherever the step before it had it loaded. */
static vdnn_status run_pass(replay *own, int pass)
{
    vdnn_training_run *run = own->run;
    const double mark = run->mark_seconds;
    vdnn_executor_drain(run->executor);
    vdnn_training_end_load(run);
    vdnn_executor_note_digests(run->executor, own->digests[pass]);
    vdnn_status status = vdnn_training_begin_step(run, true);
    if (pass > 0) /* both are of the step's time */
        run->mark_seconds = mark;
    VDNN_IF_OK(status, vdnn_executor_finish(run->executor, &own->results[pass]));
    vdnn_executor_note_digests(run->executor, NULL);
    run->begun = run->step;
    return status;
}

/* The first step of the plan that computed other bits; NONE: there is none. */
static int32_t find_differing(const replay *own)
{
    const vdnn_plan *plan = own->run->request.plans->training;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (own->digests[0][i] != own->digests[1][i])
            return i;
    return NONE;
}

static vdnn_status run_both(replay *own)
{
    const vdnn_training_request *request = &own->run->request;
    const vdnn_plan *plan = request->plans->training;
    vdnn_device *device = request->setup->device;
    VDNN_TRY(vdnn_kept_read(plan, device, request->device, own->image));
    VDNN_TRY(run_pass(own, 0));
    VDNN_TRY(vdnn_kept_write(plan, device, request->device, own->image));
    return run_pass(own, 1);
}

vdnn_status vdnn_training_replay(vdnn_training_run *run, vdnn_executor_result *result)
{
    const vdnn_training_request *request = &run->request;
    const vdnn_plan *plan = request->plans->training;
    const size_t bytes = vdnn_kept_bytes(plan, request->device), steps = (size_t)plan->step_count;
    replay own = {.run = run, .image = vdnn_heap_calloc(bytes + 1, 1)};
    uint64_t *digests = vdnn_heap_calloc(PASSES * steps, sizeof *digests);
    vdnn_status status = VDNN_OK;
    if (own.image == NULL || digests == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY,
                                  "--replay-every: no memory for a copy of the weights and the "
                                  "optimizer's state (%zu bytes)",
                                  bytes);
    for (size_t p = 0; status == VDNN_OK && p < PASSES; p++)
        own.digests[p] = digests + p * steps;
    VDNN_IF_OK(status, run_both(&own));
    VDNN_IF_OK(status, vdnn_training_share_step(run, &own.results[1], find_differing(&own)));
    if (status == VDNN_MISMATCH) {
        vdnn_first_error error = {VDNN_OK, ""};
        vdnn_first_error_keep(&error, status);
        (void)vdnn_kept_write(plan, request->setup->device, request->device, own.image);
        status = vdnn_first_error_tell(&error);
    }
    if (status == VDNN_OK) {
        *result = own.results[1];
        run->begun = run->step + 1;
    }
    vdnn_heap_free(own.image);
    vdnn_heap_free(digests);
    return status;
}
