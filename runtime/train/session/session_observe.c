/* What a program sees of a step while it runs: hooks around the passes of layers, and the gradients
 * of parameters, which a plan has only until they are used. */

#include "runtime/train/session/session_internal.h"

#include "runtime/base/heap.h"
#include "runtime/base/versioned.h"
#include "runtime/train/weights.h"

/* ---- what is expected ------------------------------------------------------------------------ */

vdnn_status vdnn_session_expect(vdnn_session *session, unsigned what)
{
    VDNN_TRY(vdnn_session_check_process(session));
    if (session->is_planned)
        return vdnn_status_fail(VDNN_USAGE,
                                "what a session expects is part of its plan: say it before "
                                "vdnn_session_prepare");
    const unsigned known = VDNN_EXPECT_PREDICTIONS | VDNN_EXPECT_GRADIENTS;
    if ((what & ~known) != 0)
        return vdnn_status_fail(VDNN_USAGE, "a session expects nothing like 0x%x", what);
    session->expects = what;
    session->setup.graph->stores_gradients = (what & VDNN_EXPECT_GRADIENTS) != 0;
    return VDNN_OK;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* Where a parameter's gradient is among all of them. */
static int64_t place_of(const vdnn_graph *graph, int32_t layer, int32_t param)
{
    int64_t count = 0;
    for (int32_t l = 0; l <= layer; l++)
        for (int32_t p = 0; p < (l == layer ? param : graph->layers[l].param_count); p++)
            if (vdnn_layer_owns(&graph->layers[l], p))
                count += graph->layers[l].params[p].count;
    return count;
}

vdnn_status vdnn_session_reserve_gradients(vdnn_session *session)
{
    const vdnn_graph *graph = session->setup.graph;
    const int32_t last = graph->layer_count - 1;
    if ((session->expects & VDNN_EXPECT_GRADIENTS) == 0 || session->setup.properties.simulated ||
        session->gradients != NULL)
        return VDNN_OK;
    const int64_t count = place_of(graph, last, graph->layers[last].param_count);
    session->gradients = vdnn_heap_calloc((size_t)count + 1, sizeof *session->gradients);
    return session->gradients == NULL
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %lld gradients", (long long)count)
               : VDNN_OK;
}

/* Of a block that an update has just used, which leaves it as it is. */
static vdnn_status read_gradients(vdnn_session *session, int32_t step)
{
    const vdnn_plan *plan = session->plans.training;
    const vdnn_step *own = &plan->steps[step];
    const vdnn_layer *layer = &plan->graph->layers[own->layer];
    vdnn_status status = VDNN_OK;
    int32_t i = own->first_access;
    while (plan->accesses[i].bind != VDNN_BIND_DW)
        i++;
    const vdnn_access *access = &plan->accesses[i];
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    const vdnn_kept_block at = {
        .tier = buffer->tier, .offset = buffer->offset + access->first, .end = access->bytes};
    vdnn_device_wait(session->setup.device, step);
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++)
        if (vdnn_layer_owns(layer, p) && layer->params[p].trainable &&
            layer->params[p].update == VDNN_UPDATE_OPTIMIZER)
            status = vdnn_weights_read(plan->graph, session->setup.device, &at, layer, p,
                                       session->gradients + place_of(plan->graph, own->layer, p));
    return status;
}

vdnn_status vdnn_session_get_gradient(vdnn_session *session, int32_t i, float *values,
                                      int64_t count)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(vdnn_session_check_copy(session, i, count, &layer, &p));
    VDNN_TRY(vdnn_session_check_trained(session, layer, p));
    if (session->gradients == NULL || !session->has_gradients)
        return vdnn_status_fail(VDNN_USAGE, "%s",
                                session->gradients == NULL
                                    ? "the session does not expect to be asked for gradients: say "
                                      "so by vdnn_session_expect before prepare"
                                    : "no step was made that has gradients");
    memcpy(values, session->gradients + place_of(session->setup.graph, layer->index, p),
           (size_t)count * sizeof *values);
    return VDNN_OK;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static bool is_pass(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RUN || step->kind == VDNN_STEP_RECOMPUTE;
}

static vdnn_status call_layer(const vdnn_session *session, int32_t step,
                              vdnn_status (*hook)(void *context, const vdnn_layer_run *run))
{
    const vdnn_plan *plan = session->plans.training;
    const vdnn_step *own = &plan->steps[step];
    const vdnn_layer_run run = {.step = session->run.step + 1,
                                .name = plan->graph->layers[own->layer].name,
                                .layer = own->layer,
                                .pass = vdnn_step_kernel_pass(own),
                                .recomputes = own->kind == VDNN_STEP_RECOMPUTE,
                                .micro_batch = own->micro,
                                .part = own->part};
    return hook == NULL ? VDNN_OK : hook(session->hooks.context, &run);
}

static vdnn_status before(void *context, int32_t step)
{
    const vdnn_session *session = context;
    return is_pass(&session->plans.training->steps[step])
               ? call_layer(session, step, session->hooks.before_layer)
               : VDNN_OK;
}

static bool has_layer_hooks(const vdnn_session *session)
{
    return session->hooks.before_layer != NULL || session->hooks.after_layer != NULL;
}

static vdnn_status after(void *context, int32_t step)
{
    vdnn_session *session = context;
    const vdnn_step *own = &session->plans.training->steps[step];
    if (own->kind == VDNN_STEP_UPDATE && session->gradients != NULL)
        return read_gradients(session, step);
    if (!is_pass(own) || !has_layer_hooks(session))
        return VDNN_OK;
    vdnn_device_wait(session->setup.device, step);
    return call_layer(session, step, session->hooks.after_layer);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Unused, it costs nothing: steps are not observed then, and follow each other without a wait. */
void vdnn_session_observe(vdnn_session *session)
{
    const bool is_used = session->gradients != NULL || has_layer_hooks(session);
    session->observer = (vdnn_step_observer){.before = before, .after = after, .context = session};
    if (session->has_begun)
        session->run.observer = is_used ? &session->observer : NULL;
}

vdnn_status vdnn_session_set_hooks(vdnn_session *session, const vdnn_hooks *hooks)
{
    vdnn_hooks own = {0};
    VDNN_TRY(vdnn_session_check_process(session));
    if (hooks != NULL)
        VDNN_TRY(vdnn_versioned_take(&own, sizeof own, hooks, "vdnn_hooks"));
    session->hooks = own;
    vdnn_session_observe(session);
    return VDNN_OK;
}

bool vdnn_session_hooks_steps(const vdnn_session *session)
{
    return session->hooks.before_step != NULL || session->hooks.after_step != NULL;
}

vdnn_status vdnn_session_make_step(vdnn_session *session, int64_t last, vdnn_sample *sample)
{
    const vdnn_hooks *hooks = &session->hooks;
    const int64_t step = session->run.step + 1;
    if (hooks->before_step != NULL)
        VDNN_TRY(hooks->before_step(hooks->context, step));
    session->has_gradients = false;
    vdnn_status status = vdnn_peers_step(session->peers, &session->run,
                                         vdnn_session_hooks_steps(session) ? step : last, sample);
    session->has_gradients =
        session->gradients != NULL && (status == VDNN_OK || status == VDNN_DIVERGED);
    if (status == VDNN_OK && hooks->after_step != NULL)
        status = hooks->after_step(hooks->context, step);
    return status;
}
