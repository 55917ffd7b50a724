/* What the devices tell each other of a step, and whether it had values that are not finite. */

#include "runtime/base/heap.h"
#include "runtime/comm/handshake.h"
#include "runtime/train/training/training_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NONE = -1, NAME_BYTES = 320 };

/* Of one device; 64-bit numbers alone, so that there are no gaps. */
typedef struct news {
    double loss;         /* of the device's part of the batch */
    int64_t stop;        /* the status of a signal, VDNN_OK: there was none */
    int64_t layer;       /* whose update would not have been finite; NONE */
    int64_t is_gradient; /* since its gradient was not */
    int64_t differing;   /* the step of its plan where a replayed step differs; NONE */
    int64_t at;          /* the layer of that; NONE: none */
} news;

/* The first that differs, and the first with an update that is not finite. */
typedef struct verdict {
    int32_t differing_device, unsound_device;
    news differs, unsound;
} verdict;

static vdnn_status no_memory(size_t ranks)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu devices", ranks);
}

static void take(verdict *all, const news *one, int32_t device)
{
    if (one->differing != NONE && all->differs.differing == NONE) {
        all->differs = *one;
        all->differing_device = device;
    }
    if (one->layer != NONE && all->unsound.layer == NONE) {
        all->unsound = *one;
        all->unsound_device = device;
    }
}

static bool is_layer(const vdnn_training_run *run, int64_t layer)
{
    return layer >= NONE && layer < run->request.setup->graph->layer_count;
}

/* What another process says is not trusted. */
static vdnn_status check_news(const vdnn_training_run *run, const news *one, size_t rank)
{
    if (vdnn_handshake_is_status(one->stop) && is_layer(run, one->layer) && is_layer(run, one->at))
        return VDNN_OK;
    return vdnn_status_fail(VDNN_PEER,
                            "device %zu ends with %lld in layer %lld, which is no status or layer",
                            rank, (long long)one->stop, (long long)one->layer);
}

static vdnn_status tell_others(vdnn_training_run *run, const news *own, verdict *all, double *loss)
{
    vdnn_group *group = run->request.group;
    const size_t ranks = (size_t)vdnn_group_ranks(group);
    news *heard = vdnn_heap_calloc(ranks, sizeof *heard);
    if (heard == NULL)
        return no_memory(ranks);
    vdnn_status status = vdnn_group_exchange(group, VDNN_LANE_DRIVER, own, sizeof *own, heard);
    *loss = 0;
    for (size_t r = 0; status == VDNN_OK && r < ranks; r++) {
        *loss += heard[r].loss;
        status = check_news(run, &heard[r], r);
        if (status == VDNN_OK && run->stop == VDNN_OK)
            run->stop = (vdnn_status)heard[r].stop;
        if (status == VDNN_OK)
            take(all, &heard[r], (int32_t)r);
    }
    vdnn_heap_free(heard);
    return status;
}

/* " on device 1"; of one device nothing. */
static const char *on_device(const vdnn_training_run *run, int32_t device, char text[NAME_BYTES])
{
    text[0] = '\0';
    if (run->request.group != NULL)
        (void)snprintf(text, NAME_BYTES, " on device %d", (int)device);
    return text;
}

/* ---- replayed steps -------------------------------------------------------------------------- */

/* ", forward by gemm": of a step of a plan like this device's; else nothing. */
static const char *describe_step(const vdnn_plan *plan, const news *differs, char text[NAME_BYTES])
{
    text[0] = '\0';
    if (differs->differing < 0 || differs->differing >= plan->step_count ||
        plan->steps[differs->differing].layer != differs->at)
        return text;
    const vdnn_step *step = &plan->steps[differs->differing];
    if (vdnn_step_has_kernel(step))
        (void)snprintf(text, NAME_BYTES, ", %s by %s", vdnn_pass_text(vdnn_step_kernel_pass(step)),
                       step->algorithm->name);
    else
        (void)snprintf(text, NAME_BYTES, ", %s", vdnn_step_kind_text(step->kind));
    return text;
}

static vdnn_status fail_differing(const vdnn_training_run *run, const verdict *all)
{
    const vdnn_plan *plan = run->request.plans->training;
    const int64_t layer = all->differs.at;
    char device[NAME_BYTES], what[NAME_BYTES];
    return vdnn_status_fail(
        VDNN_MISMATCH,
        "replay: step %lld, layer '%s'%s%s: two runs from the same state wrote other bits there "
        "first. Either that algorithm is not deterministic, or this machine computes wrong: train "
        "on another one, or name other algorithms by --algos. Parameters and checkpoints are "
        "those from before the step",
        (long long)run->step + 1, layer < 0 ? "" : plan->graph->layers[layer].name,
        describe_step(plan, &all->differs, what), on_device(run, all->differing_device, device));
}

/* ---- values that are not finite -------------------------------------------------------------- */

/* "the loss, of layer 'loss', is infinite, and the gradient of layer 'fc' is not finite" */
static const char *describe(const vdnn_training_run *run, const verdict *all, double loss,
                            char text[2 * NAME_BYTES])
{
    const vdnn_graph *graph = run->request.setup->graph;
    char device[NAME_BYTES];
    int length = 0;
    if (!isfinite(loss))
        length = snprintf(text, 2 * NAME_BYTES, "the loss, of layer '%s', is %s%s",
                          graph->layers[graph->layer_count - 1].name,
                          isnan(loss) ? "not a number" : "infinite",
                          all->unsound.layer == NONE ? "" : ", and ");
    if (all->unsound.layer != NONE)
        (void)snprintf(text + length, 2 * NAME_BYTES - (size_t)length, "the %s of layer '%s' %s%s",
                       all->unsound.is_gradient != 0 ? "gradient" : "updated weight or state",
                       graph->layers[all->unsound.layer].name, "is not finite",
                       on_device(run, all->unsound_device, device));
    return text;
}

/* Without a label that counts a batch has no mean, and its gradient is 0: that is no number either,
 * but where it comes from others, the gradients are none too. */
static bool has_no_mean(const vdnn_training_run *run, const verdict *all, double loss)
{
    return isnan(loss) && all->unsound.layer == NONE &&
           vdnn_layer_counts_labels(vdnn_graph_loss(run->request.setup->graph));
}

static vdnn_status judge_labels(const vdnn_training_run *run)
{
    const vdnn_graph *graph = run->request.setup->graph;
    const bool stops = strcmp(run->request.options->trust->on_nan, "stop") == 0;
    char text[2 * NAME_BYTES];
    (void)snprintf(text, sizeof text,
                   "step %lld: all labels of the batch are %lld, which layer '%s' ignores, so its "
                   "loss is the mean of nothing",
                   (long long)run->step + 1, (long long)graph->ignored,
                   graph->layers[graph->layer_count - 1].name);
    if (stops)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s; --on-nan warn continues", text);
    vdnn_messages_log(run->request.messages, VDNN_LOG_WARN, "%s", text);
    return VDNN_OK;
}

/* Once, until all is finite again. */
static vdnn_status judge(vdnn_training_run *run, const verdict *all, double loss)
{
    char text[2 * NAME_BYTES];
    const bool was_unsound = run->is_unsound;
    if (has_no_mean(run, all, loss) && !vdnn_training_is_simulated(run))
        return judge_labels(run);
    run->is_unsound = all->unsound.layer != NONE || !isfinite(loss);
    if (!run->is_unsound || vdnn_training_is_simulated(run))
        return VDNN_OK;
    (void)describe(run, all, loss, text);
    if (strcmp(run->request.options->trust->on_nan, "stop") == 0) {
        run->has_diverged = true;
        return vdnn_status_fail(
            VDNN_DIVERGED,
            "step %lld: %s. The training stops before that is part of the weights: they, and the "
            "optimizer's state, are finite, but layers that came before in this step were updated. "
            "The checkpoints of earlier steps stay. A smaller --lr may help, or clip_norm; "
            "--on-nan warn continues",
            (long long)run->step + 1, text);
    }
    if (!was_unsound)
        vdnn_messages_log(run->request.messages, VDNN_LOG_WARN,
                          "step %lld: %s; the training continues, as --on-nan warn says, and "
                          "writes no checkpoint of values that are not finite; a smaller --lr may "
                          "help",
                          (long long)run->step + 1, text);
    return VDNN_OK;
}

vdnn_status vdnn_training_share_step(vdnn_training_run *run, vdnn_executor_result *result,
                                     int32_t differing)
{
    const vdnn_plan *plan = run->request.plans->training;
    const news own = {.loss = result->loss,
                      .stop = (int64_t)vdnn_messages_interrupted(run->request.messages),
                      .layer = result->found.layer,
                      .is_gradient = result->found.is_gradient,
                      .differing = differing,
                      .at = differing == NONE ? NONE : plan->steps[differing].layer};
    verdict all = {.differs.differing = NONE, .unsound.layer = NONE};
    vdnn_status status = VDNN_OK;
    if (run->request.group == NULL)
        take(&all, &own, run->request.device);
    else
        status = tell_others(run, &own, &all, &result->loss);
    if (status == VDNN_OK && all.differs.differing != NONE)
        status = fail_differing(run, &all);
    return status == VDNN_OK ? judge(run, &all, result->loss) : status;
}
