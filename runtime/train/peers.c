#include "runtime/train/peers.h"

#include "runtime/base/heap.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/checker/checker.h"
#include "runtime/setup/devices/stages.h"
#include "runtime/setup/patience.h"
#include "runtime/train/agree.h"
#include "runtime/train/shares.h"

#include <string.h>

/* A shape of the network and what runs it. */
typedef struct share {
    const vdnn_setup *setup; /* borrowed, both */
    const vdnn_fit_plans *plans;
} share;

/* What all devices do now. */
typedef struct command {
    vdnn_status (*call)(vdnn_training_run *run, const struct command *now);
    int64_t last;
    bool wants_sample;
    const vdnn_fit_plans *plans;
} command;

/* A further device of this process. */
typedef struct peer {
    vdnn_peers *all; /* borrowed */
    vdnn_setup setup;
    vdnn_training_run run;
    pthread_t thread;
    bool has_begun, is_started;
    uint64_t served;        /* commands */
    vdnn_first_error error; /* of the last command */
} peer;

struct vdnn_peers {
    int32_t device_count; /* of all */
    vdnn_group *world;    /* borrowed: the end of this process, which has one device; NULL: all */
    int32_t own, here;    /* the caller's device; devices of this process, from that on */
    share *shares; /* what is run: of the first devices and of those with the lesser share, or of
                      each stage */
    int32_t share_count, own_share;
    int32_t lesser_first;     /* the first device with the lesser share */
    vdnn_setup *other_setups; /* of the shares but for the caller's, which are made here */
    vdnn_fit_plans *other_plans;
    const vdnn_plan **stages; /* of a pipeline their trainings; else NULL */
    vdnn_group **ends;        /* per device, where all are here; each one's run borrows one */
    peer *list;               /* of device d at d - 1 */
    vdnn_measured *measured;  /* per device, where each has a process: what was gathered */
    vdnn_lost_time *lost;     /* the same */
    char *packed_lost;        /* the caller's, and after it all of them */
    vdnn_messages silent;
    pthread_mutex_t lock; /* of all below, and of errors */
    pthread_cond_t changed;
    command command;
    uint64_t issued; /* commands so far */
    int32_t busy;    /* peers that have not completed the last one */
    bool closing;
};

int32_t vdnn_peers_count(const vdnn_setup *setup)
{
    const vdnn_graph *graph = setup->graph;
    return graph->stage.count > 0 ? graph->stage.count : graph->devices;
}

static bool is_pipeline(const vdnn_peers *peers)
{
    return peers->shares[peers->own_share].setup->graph->stage.count > 0;
}

static const share *share_of(const vdnn_peers *peers, int32_t device)
{
    if (is_pipeline(peers))
        return &peers->shares[device];
    return &peers->shares[device < peers->lesser_first ? 0 : 1];
}

/* ---- plans ----------------------------------------------------------------------------------- */

typedef struct lessening {
    const vdnn_setup *first;
    const vdnn_plan *plan;
    vdnn_setup *lesser;
} lessening;

static vdnn_status measure_lesser(void *context)
{
    const lessening *own = context;
    vdnn_setup_lesser_end(own->lesser);
    return vdnn_setup_lessen(own->first, own->plan, own->lesser);
}

static vdnn_status set_up_lesser(const vdnn_fit_request *request, vdnn_peers *peers,
                                 vdnn_setup *setup)
{
    lessening context = {request->setup, peers->shares[0].plans->training, setup};
    return vdnn_agree_on_profile(peers->world, request->setup, measure_lesser, &context);
}

/* As the stage's process does, which must find the same plan. */
static vdnn_status plan_stage(const vdnn_fit_request *request, const vdnn_run_options *options,
                              vdnn_fit_plans *plans)
{
    vdnn_fit_request own = *request;
    vdnn_patience patience;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, options, &request->setup->messages, &patience);
    own.patience = &patience.of_policy;
    return vdnn_fit_plan(&own, plans);
}

/* What other devices than the caller's run. */
static vdnn_status plan_share(const vdnn_fit_request *request, const vdnn_run_options *options,
                              vdnn_peers *peers, int32_t number)
{
    vdnn_setup *setup = &peers->other_setups[number];
    vdnn_fit_request own = *request;
    vdnn_status status = is_pipeline(peers) ? vdnn_stages_other(request->setup, number, setup)
                                            : set_up_lesser(request, peers, setup);
    if (status != VDNN_OK)
        return status;
    own.setup = setup;
    vdnn_fit_plans *plans = &peers->other_plans[number];
    status = is_pipeline(peers) ? plan_stage(&own, options, plans) : vdnn_fit_plan(&own, plans);
    peers->shares[number] = (share){setup, plans};
    return status == VDNN_OK || status == VDNN_NO_FIT || !is_pipeline(peers)
               ? status
               : vdnn_status_prefix(status, "stage %d", (int)number);
}

static vdnn_status plan_others(const vdnn_fit_request *request, const vdnn_run_options *options,
                               vdnn_peers *peers)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < peers->share_count && status == VDNN_OK; i++)
        if (i != peers->own_share)
            status = plan_share(request, options, peers, i);
    return status;
}

static void end_shares(vdnn_peers *peers)
{
    const bool are_there = peers->other_plans != NULL && peers->other_setups != NULL;
    for (int32_t i = 0; i < peers->share_count && are_there; i++) {
        vdnn_fit_plans_fini(&peers->other_plans[i]);
        vdnn_setup_lesser_end(&peers->other_setups[i]);
    }
    vdnn_heap_free(peers->stages);
    vdnn_heap_free(peers->other_plans);
    vdnn_heap_free(peers->other_setups);
    vdnn_heap_free(peers->shares);
}

/* In the order of the devices: trainings, or evaluations. */
static vdnn_status check_plans(const vdnn_peers *peers, const vdnn_plan **plans)
{
    for (int32_t d = 0; d < peers->device_count; d++)
        plans[d] = share_of(peers, d)->plans->training;
    if (!is_pipeline(peers))
        return vdnn_checker_check_devices(plans, peers->device_count);
    VDNN_TRY(vdnn_checker_check_stages(plans, peers->device_count));
    for (int32_t d = 0; d < peers->device_count; d++)
        plans[d] = share_of(peers, d)->plans->evaluation;
    return plans[0] == NULL ? VDNN_OK : vdnn_checker_check_stages(plans, peers->device_count);
}

static vdnn_status list_stages(vdnn_peers *peers)
{
    if (!is_pipeline(peers))
        return VDNN_OK;
    peers->stages = vdnn_heap_calloc((size_t)peers->share_count, sizeof *peers->stages);
    if (peers->stages == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the plans of %d stages",
                                (int)peers->share_count);
    for (int32_t i = 0; i < peers->share_count; i++)
        peers->stages[i] = peers->shares[i].plans->training;
    return VDNN_OK;
}

static vdnn_status check_together(const vdnn_peers *peers)
{
    const vdnn_plan **plans = vdnn_heap_calloc((size_t)peers->device_count, sizeof *plans);
    if (plans == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the plans of %d devices",
                                (int)peers->device_count);
    vdnn_status status = check_plans(peers, plans);
    vdnn_heap_free(plans);
    return status;
}

/* Before any step, so that no process fails while the others wait for it. */
static vdnn_status make_room_for_lost(const vdnn_graph *graph, vdnn_peers *peers)
{
    const size_t count = (size_t)peers->device_count;
    vdnn_status status = VDNN_OK;
    peers->lost = vdnn_heap_calloc(count, sizeof *peers->lost);
    for (size_t d = 0; d < count && peers->lost != NULL && status == VDNN_OK; d++)
        status = vdnn_lost_time_init(graph, &peers->lost[d]);
    if (peers->lost != NULL && status == VDNN_OK)
        peers->packed_lost =
            vdnn_heap_calloc(count + 1, vdnn_lost_time_packed_bytes(&peers->lost[0]));
    if (status == VDNN_OK && peers->packed_lost == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the lost time of %zu devices",
                                count);
    return status;
}

vdnn_status vdnn_peers_create(const vdnn_fit_request *request, const vdnn_run_options *options,
                              const vdnn_fit_plans *plans, vdnn_group *group, vdnn_peers **peers)
{
    const vdnn_graph *graph = request->setup->graph;
    const int32_t count = vdnn_peers_count(request->setup);
    vdnn_peers *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d devices", (int)count);
    (void)pthread_mutex_init(&fresh->lock, NULL);
    (void)pthread_cond_init(&fresh->changed, NULL);
    fresh->device_count = count;
    fresh->world = group;
    fresh->own = group == NULL ? 0 : vdnn_group_rank(group);
    fresh->here = group == NULL ? count : 1;
    fresh->lesser_first = vdnn_setup_first_count(request->setup);
    const bool is_cut = graph->stage.count > 0;
    fresh->share_count = is_cut ? count : fresh->lesser_first < count ? 2 : 1;
    fresh->own_share = is_cut ? graph->stage.number : 0;
    fresh->shares = vdnn_heap_calloc((size_t)fresh->share_count, sizeof *fresh->shares);
    fresh->other_setups = vdnn_heap_calloc((size_t)fresh->share_count, sizeof *fresh->other_setups);
    fresh->other_plans = vdnn_heap_calloc((size_t)fresh->share_count, sizeof *fresh->other_plans);
    fresh->list = vdnn_heap_calloc((size_t)count, sizeof *fresh->list);
    fresh->ends = vdnn_heap_calloc((size_t)count, sizeof(vdnn_group *));
    fresh->measured = vdnn_heap_calloc((size_t)count, sizeof *fresh->measured);
    vdnn_status status = vdnn_messages_take(NULL, &fresh->silent);
    if (fresh->list == NULL || fresh->ends == NULL || fresh->measured == NULL ||
        fresh->shares == NULL || fresh->other_setups == NULL || fresh->other_plans == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d devices", (int)count);
    else
        fresh->shares[fresh->own_share] = (share){request->setup, plans};
    if (status == VDNN_OK && group != NULL)
        status = make_room_for_lost(graph, fresh);
    VDNN_IF_OK(status, plan_others(request, options, fresh));
    VDNN_IF_OK(status, list_stages(fresh));
    VDNN_IF_OK(status, check_together(fresh));
    if (status == VDNN_OK) /* a search that was interrupted has found another plan */
        status = vdnn_messages_interrupted(&request->setup->messages);
    for (int32_t i = 0; i < fresh->share_count && status == VDNN_OK; i++)
        status = vdnn_agree_on_plan(group, fresh->shares[i].plans->training);
    if (status == VDNN_OK)
        *peers = fresh;
    else
        vdnn_peers_destroy(fresh);
    return status;
}

/* ---- commands -------------------------------------------------------------------------------- */

static vdnn_status make_step(vdnn_training_run *run, const command *now)
{
    vdnn_sample sample = {.size = sizeof sample};
    return vdnn_training_step(run, now->last, now->wants_sample ? &sample : NULL);
}

static vdnn_status make_drain(vdnn_training_run *run, const command *now)
{
    (void)now;
    return vdnn_training_drain(run);
}

static vdnn_status join(vdnn_training_run *run, const command *now)
{
    (void)now;
    return vdnn_executor_join(run->executor, run->request.group);
}

static vdnn_status check_replicas(vdnn_training_run *run, const command *now)
{
    (void)now;
    return vdnn_training_check_replicas(run);
}

static vdnn_status change_plan(vdnn_training_run *run, const command *now)
{
    return vdnn_training_change_plan(run, now->plans);
}

static vdnn_status evaluate(vdnn_training_run *run, const command *now)
{
    vdnn_test_scores found;
    (void)now;
    return vdnn_training_evaluate(run, &found);
}

static vdnn_status lend(vdnn_training_run *run, const command *now)
{
    const vdnn_training_request *own = &run->request;
    (void)now;
    return vdnn_shares_lend(own->plans->training, own->setup->device, own->group);
}

/* The thread of a device. */
static void *serve(void *argument)
{
    peer *own = argument;
    vdnn_peers *all = own->all;
    vdnn_nvtx_name_thread("device");
    (void)pthread_mutex_lock(&all->lock);
    for (;;) {
        while (!all->closing && all->issued == own->served)
            (void)pthread_cond_wait(&all->changed, &all->lock);
        if (all->closing)
            break;
        const command now = all->command;
        own->served = all->issued;
        (void)pthread_mutex_unlock(&all->lock);
        vdnn_status status = now.call(&own->run, &now);
        (void)pthread_mutex_lock(&all->lock);
        vdnn_first_error_keep(&own->error, status);
        if (--all->busy == 0)
            (void)pthread_cond_broadcast(&all->changed);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void issue(vdnn_peers *peers, const command *now)
{
    (void)pthread_mutex_lock(&peers->lock);
    peers->command = *now;
    peers->issued++;
    peers->busy = peers->here - 1;
    (void)pthread_cond_broadcast(&peers->changed);
    (void)pthread_mutex_unlock(&peers->lock);
}

/* Waits for the others of this process; `own` is the status of the caller's device. */
static vdnn_status complete(vdnn_peers *peers, vdnn_status own)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, own);
    (void)pthread_mutex_lock(&peers->lock);
    while (peers->busy > 0)
        (void)pthread_cond_wait(&peers->changed, &peers->lock);
    for (int32_t d = 1; d < peers->here; d++) {
        vdnn_status status = vdnn_first_error_tell(&peers->list[d - 1].error);
        if (status != VDNN_OK)
            vdnn_first_error_keep(&error, vdnn_status_prefix(status, "device %d", (int)d));
    }
    (void)pthread_mutex_unlock(&peers->lock);
    return vdnn_first_error_tell(&error);
}

/* ---- traces ---------------------------------------------------------------------------------- */

void vdnn_peers_trace(vdnn_peers *peers, const vdnn_training_run *run)
{
    for (int32_t d = 1; peers != NULL && d < peers->here; d++)
        vdnn_training_trace_steps(&peers->list[d - 1].run, run->trace_steps);
}

/* The timelines of all devices of this process. */
static void find_timelines(const vdnn_peers *peers, const vdnn_training_run *run,
                           vdnn_timeline *timelines)
{
    timelines[0] = *vdnn_executor_timeline(run->executor);
    for (int32_t d = 1; d < peers->device_count; d++)
        timelines[d] = *vdnn_executor_timeline(peers->list[d - 1].run.executor);
}

/* Spans for the steps of either share's plan, and one more with the offset. */
static size_t spans_of_a_device(const vdnn_peers *peers)
{
    int32_t most = 0;
    for (int32_t i = 0; i < peers->share_count; i++) {
        const int32_t count = peers->shares[i].plans->training->step_count;
        most = count > most ? count : most;
    }
    return (size_t)most + 1;
}

/* Those of all processes, whose spans are in `spans`, after space for this one's. */
static vdnn_status gather_timelines(const vdnn_peers *peers, const vdnn_training_run *run,
                                    vdnn_span *spans, vdnn_timeline *timelines)
{
    const vdnn_timeline *own = vdnn_executor_timeline(run->executor);
    const size_t count = spans_of_a_device(peers);
    vdnn_span *all = spans + count;
    spans[0].start = own->offset_seconds;
    memcpy(spans + 1, own->spans, (size_t)own->plan->step_count * sizeof *spans);
    for (int32_t d = 0; d < peers->device_count; d++)
        timelines[d] = (vdnn_timeline){.plan = share_of(peers, d)->plans->training,
                                       .spans = &all[(size_t)d * count + 1]};
    vdnn_status status =
        vdnn_group_exchange(peers->world, VDNN_LANE_DRIVER, spans, count * sizeof *spans, all);
    for (int32_t d = 0; d < peers->device_count && status == VDNN_OK; d++)
        timelines[d].offset_seconds = all[(size_t)d * count].start;
    return status;
}

static vdnn_status write_timelines(const vdnn_peers *peers, const vdnn_training_run *run,
                                   const vdnn_timeline *timelines)
{
    vdnn_status status = VDNN_OK;
    for (int32_t d = 1; d < peers->here && status == VDNN_OK; d++)
        status = vdnn_training_trace_reads(&peers->list[d - 1].run, run->trace);
    for (int32_t d = 1; d < peers->device_count && status == VDNN_OK; d++)
        status = vdnn_timeline_writer_add(run->trace, d, &timelines[d], run->step);
    return status == VDNN_OK ? vdnn_timeline_writer_join(run->trace, timelines, peers->device_count)
                             : status;
}

/* After that of the caller's device: the step that was just completed, of all other devices. */
static vdnn_status add_trace(const vdnn_peers *peers, const vdnn_training_run *run)
{
    const size_t count = (size_t)peers->device_count;
    vdnn_timeline *timelines = vdnn_heap_calloc(count, sizeof *timelines);
    vdnn_span *spans = vdnn_heap_calloc((count + 1) * spans_of_a_device(peers), sizeof *spans);
    vdnn_status status = VDNN_OK;
    if (timelines == NULL || spans == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the trace of %zu devices", count);
    else if (peers->world == NULL)
        find_timelines(peers, run, timelines);
    else
        status = gather_timelines(peers, run, spans, timelines);
    if (status == VDNN_OK && run->trace != NULL)
        status = write_timelines(peers, run, timelines);
    vdnn_heap_free(timelines);
    vdnn_heap_free(spans);
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

vdnn_status vdnn_peers_step(vdnn_peers *peers, vdnn_training_run *run, int64_t last,
                            vdnn_sample *sample)
{
    if (peers == NULL)
        return vdnn_training_step(run, last, sample);
    const bool traced = vdnn_training_is_traced(run, run->step);
    issue(peers, &(command){.call = make_step, .last = last, .wants_sample = sample != NULL});
    vdnn_status status = complete(peers, vdnn_training_step(run, last, sample));
    return status == VDNN_OK && traced ? add_trace(peers, run) : status;
}

vdnn_status vdnn_peers_drain(vdnn_peers *peers, vdnn_training_run *run)
{
    if (peers == NULL)
        return vdnn_training_drain(run);
    issue(peers, &(command){.call = make_drain});
    return complete(peers, vdnn_training_drain(run));
}

/* Each device needs as much memory for it as another. */
bool vdnn_peers_can_change_plan(const vdnn_peers *peers, const vdnn_training_run *run)
{
    return vdnn_training_can_change_plan(run, peers == NULL ? 1 : peers->here);
}

vdnn_status vdnn_peers_change_plan(vdnn_peers *peers, vdnn_training_run *run,
                                   const vdnn_fit_plans *plans)
{
    if (peers == NULL)
        return vdnn_training_change_plan(run, plans);
    issue(peers, &(command){.call = change_plan, .plans = plans});
    VDNN_TRY(complete(peers, vdnn_training_change_plan(run, plans)));
    issue(peers, &(command){.call = join});
    return complete(peers, join(run, NULL));
}

bool vdnn_peers_evaluate_together(const vdnn_peers *peers)
{
    return peers != NULL && is_pipeline(peers);
}

vdnn_status vdnn_peers_evaluate(vdnn_peers *peers, vdnn_training_run *run, vdnn_test_scores *found)
{
    if (!vdnn_peers_evaluate_together(peers))
        return vdnn_training_evaluate(run, found);
    issue(peers, &(command){.call = evaluate});
    return complete(peers, vdnn_training_evaluate(run, found));
}

static bool has_shares(const vdnn_peers *peers)
{
    return peers != NULL &&
           (peers->shares[peers->own_share].setup->graph->shards || is_pipeline(peers));
}

bool vdnn_peers_lends(const vdnn_peers *peers)
{
    return has_shares(peers) && peers->own > 0;
}

vdnn_status vdnn_peers_save(vdnn_peers *peers, vdnn_training_run *run, vdnn_peers_write *writes,
                            void *context)
{
    if (!has_shares(peers))
        return writes(context);
    if (vdnn_peers_lends(peers))
        return lend(run, NULL);
    issue(peers, &(command){.call = lend});
    return complete(peers, writes(context));
}

/* ---- begin and end --------------------------------------------------------------------------- */

static vdnn_status begin_peer(vdnn_peers *peers, int32_t device,
                              const vdnn_training_request *request)
{
    peer *own = &peers->list[device - 1];
    const share *its = share_of(peers, device);
    vdnn_training_request ask = *request;
    own->all = peers;
    own->served = peers->issued;
    ask.messages = &peers->silent;
    ask.setup = &own->setup;
    ask.plans = its->plans;
    ask.device = device;
    ask.group = peers->ends[device];
    ask.stages = peers->stages;
    vdnn_status status = vdnn_setup_join(its->setup, device, &own->setup);
    VDNN_IF_OK(status, vdnn_training_begin(&ask, &own->run));
    own->has_begun = status == VDNN_OK;
    int error = status == VDNN_OK ? vdnn_system_start_thread(&own->thread, serve, own) : 0;
    own->is_started = status == VDNN_OK && error == 0;
    if (error != 0)
        status =
            vdnn_status_fail(VDNN_DEVICE, "no thread to drive the device: %s", strerror(error));
    return status == VDNN_OK ? status : vdnn_status_prefix(status, "device %d", (int)device);
}

static void stop_threads(vdnn_peers *peers)
{
    (void)pthread_mutex_lock(&peers->lock);
    peers->closing = true;
    (void)pthread_cond_broadcast(&peers->changed);
    (void)pthread_mutex_unlock(&peers->lock);
    for (int32_t d = 1; d < peers->here; d++)
        if (peers->list[d - 1].is_started)
            (void)pthread_join(peers->list[d - 1].thread, NULL);
    peers->closing = false;
}

/* All but the caller's run. */
static void end_devices(vdnn_peers *peers)
{
    stop_threads(peers);
    for (int32_t d = 1; d < peers->here; d++) {
        peer *own = &peers->list[d - 1];
        if (own->has_begun)
            vdnn_training_end(&own->run);
        vdnn_setup_joined_end(&own->setup);
        *own = (peer){0};
    }
    for (int32_t d = 0; d < peers->here; d++) {
        vdnn_group_close(peers->ends[d]);
        peers->ends[d] = NULL;
    }
}

/* The caller's device, whichever share it has. */
static vdnn_status begin_own(vdnn_peers *peers, const vdnn_training_request *request,
                             vdnn_training_run *run)
{
    const share *its = share_of(peers, peers->own);
    vdnn_training_request ask = *request;
    ask.setup = its->setup;
    ask.plans = its->plans;
    ask.device = peers->own;
    ask.stages = peers->stages;
    ask.group = peers->world == NULL ? peers->ends[peers->own] : peers->world;
    return vdnn_training_begin(&ask, run);
}

vdnn_status vdnn_peers_begin(vdnn_peers *peers, const vdnn_training_request *request,
                             vdnn_training_run *run)
{
    if (peers == NULL)
        return vdnn_training_begin(request, run);
    vdnn_training_run fresh;
    vdnn_status status = VDNN_OK;
    if (peers->world == NULL)
        status = vdnn_group_open(&vdnn_transport_in_process, peers->here, peers->ends);
    if (status != VDNN_OK)
        return status;
    status = begin_own(peers, request, &fresh);
    bool has_own = status == VDNN_OK;
    for (int32_t d = 1; d < peers->here && status == VDNN_OK; d++)
        status = begin_peer(peers, d, request);
    if (status == VDNN_OK) {
        issue(peers, &(command){.call = join});
        status = complete(peers, join(&fresh, NULL));
    }
    if (status == VDNN_OK) {
        issue(peers, &(command){.call = check_replicas});
        status = complete(peers, check_replicas(&fresh, NULL));
    }
    if (status == VDNN_OK) {
        *run = fresh;
        return VDNN_OK;
    }
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    if (has_own)
        vdnn_training_end(&fresh);
    end_devices(peers);
    return vdnn_first_error_tell(&error);
}

void vdnn_peers_destroy(vdnn_peers *peers)
{
    if (peers == NULL)
        return;
    if (peers->list != NULL && peers->ends != NULL)
        end_devices(peers);
    end_shares(peers);
    (void)pthread_cond_destroy(&peers->changed);
    (void)pthread_mutex_destroy(&peers->lock);
    for (int32_t d = 0; peers->lost != NULL && d < peers->device_count; d++)
        vdnn_lost_time_fini(&peers->lost[d]);
    vdnn_heap_free(peers->lost);
    vdnn_heap_free(peers->packed_lost);
    vdnn_heap_free(peers->measured);
    vdnn_heap_free(peers->ends);
    vdnn_heap_free(peers->list);
    vdnn_heap_free(peers);
}

/* ---- the record ------------------------------------------------------------------------------ */

static vdnn_status gather_lost(vdnn_peers *peers, const vdnn_training_run *run)
{
    const size_t bytes = vdnn_lost_time_packed_bytes(&run->lost);
    char *all = peers->packed_lost + bytes;
    vdnn_lost_time_pack(&run->lost, peers->packed_lost);
    vdnn_status status =
        vdnn_group_exchange(peers->world, VDNN_LANE_DRIVER, peers->packed_lost, bytes, all);
    for (size_t d = 0; d < (size_t)peers->device_count && status == VDNN_OK; d++)
        vdnn_lost_time_unpack(all + d * bytes, &peers->lost[d]);
    return status;
}

vdnn_status vdnn_peers_gather(vdnn_peers *peers, const vdnn_training_run *run)
{
    vdnn_measured own;
    if (peers == NULL || peers->world == NULL)
        return VDNN_OK;
    memset(&own, 0, sizeof own);
    vdnn_status status = vdnn_training_measure(run, &own);
    VDNN_IF_OK(status, vdnn_group_exchange(peers->world, VDNN_LANE_DRIVER, &own, sizeof own,
                                           peers->measured));
    return status == VDNN_OK ? gather_lost(peers, run) : status;
}

vdnn_status vdnn_peers_record(const vdnn_peers *peers, int32_t device, vdnn_record_share *record)
{
    const share *its = share_of(peers, device);
    vdnn_record_share fresh = {.setup = its->setup, .plan = its->plans->training};
    vdnn_status status = VDNN_OK;
    if (peers->world != NULL) {
        fresh.measured = peers->measured[device];
        fresh.lost = peers->lost[device].step_count > 0 ? &peers->lost[device] : NULL;
    } else if (peers->list[device - 1].has_begun) {
        fresh.lost = &peers->list[device - 1].run.lost;
        status = vdnn_training_measure(&peers->list[device - 1].run, &fresh.measured);
    }
    if (status == VDNN_OK)
        *record = fresh;
    return status;
}
