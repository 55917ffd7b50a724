#include "tests/support/shared_case.h"

#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/vdnn_test.h"

/* ---- networks -------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "name: shared\n"                                                                               \
    "input: {channels: 2, height: 10, width: 10}\n"                                                \
    "classes: 4\n"                                                                                 \
    "batch: 7\n"                                                                                   \
    "layers:\n"                                                                                    \
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
#define BODY                                                                                       \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: pool1, type: maxpool, kernel: 2}\n"                                                \
    "  - {name: left, type: conv, out: 5, kernel: 1}\n"                                            \
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool1}\n"                      \
    "  - {name: both, type: add, from: [left, right]}\n"                                           \
    "  - {name: drop, type: dropout, p: 0.4}\n"                                                    \
    "  - {name: fc, type: fc, out: 4}\n"

#define NORMS(second)                                                                              \
    "  - {name: norm1, type: batchnorm, sync: true}\n"                                             \
    "  - {name: middle, type: conv, out: 6, kernel: 3, pad: 1}\n"                                  \
    "  - {name: norm2, type: batchnorm, sync: " second "}\n"

/* Random numbers, a fork; labels that do not count; gradients that are vdnn_shared_clipped;
 * statistics; layers that share a weight. */
const char vdnn_shared_plain[] = HEAD BODY "  - {name: loss, type: softmax_loss}\n",
           vdnn_shared_ignoring[] = HEAD BODY "  - {name: loss, type: softmax_loss, ignore: 3}\n",
           vdnn_shared_clipped[] = HEAD BODY "  - {name: loss, type: softmax_loss}\n"
                                             "training: {lr: 0.1, clip_norm: 0.5}\n",
           vdnn_shared_normal[] = HEAD "  - {name: norm1, type: batchnorm}\n" BODY
                                       "  - {name: loss, type: softmax_loss}\n",
           vdnn_shared_synced[] = HEAD NORMS("true") BODY "  - {name: loss, type: softmax_loss}\n",
           vdnn_shared_half_synced[] =
               HEAD NORMS("false") BODY "  - {name: loss, type: softmax_loss}\n",
           vdnn_shared_tied[] = HEAD "  - {name: mix1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                                     "  - {name: relu2, type: relu}\n"
                                     "  - {name: mix2, type: conv, out: 6, kernel: 3, pad: 1,"
                                     " weight_of: mix1, bias: false}\n" BODY
                                     "  - {name: loss, type: softmax_loss}\n";

/* Parts of the samples and of the channels; the smallest share has one sample. */
const char vdnn_shared_in_parts[] =
    "name: shared\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1, parts: {channels: 2}}\n"
    "  - {name: relu1, type: relu, parts: {channels: 3}}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1, parts: {samples: 1, channels: 2}}\n"
    "  - {name: fc, type: fc, out: 4, parts: {channels: 2}}\n"
    "  - {name: loss, type: softmax_loss}\n";

/* ---- devices --------------------------------------------------------------------------------- */

void vdnn_shared_shape(vdnn_shared_device *d, const char *text, const vdnn_shared_kind *kind,
                       int32_t number)
{
    const vdnn_graph_options options = {
        .batch = vdnn_graph_share(VDNN_SHARED_BATCH, kind->devices, number),
        .devices = kind->devices,
        .step_batch = VDNN_SHARED_BATCH,
        .reduce = kind->reduce,
        .shards = kind->shards,
        .optimizer = kind->optimizer,
        .micro_batches = kind->micros,
        .rules = VDNN_RULES_LEAN,
        .dtype = VDNN_F32};
    vdnn_training_case_parse(&d->c, text, &options);
    d->first = vdnn_graph_share_first(VDNN_SHARED_BATCH, kind->devices, number);
}

/* Parameters that can be are offloaded. */
static void send_parameters_away(const vdnn_graph *graph, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].param_bytes > 0 &&
            vdnn_decisions_params_refusal(&graph->layers[l]) == NULL)
            decisions->params[l].action = VDNN_OFFLOAD;
}

/* Gradients of parameters that can be are offloaded while they wait. */
static void send_gradients_away(const vdnn_graph *graph, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (vdnn_decisions_param_gradient_refusal(graph, &graph->layers[l]) == NULL)
            decisions->param_gradients[l] = VDNN_TIER_HOST;
}

void vdnn_shared_plan(vdnn_shared_device *d, vdnn_shared_manner how)
{
    vdnn_decisions decisions;
    if (how == VDNN_SHARED_KEEP || how == VDNN_SHARED_BUCKETS)
        assert_ok(vdnn_decisions_init(&decisions, d->c.graph));
    else
        assert_ok(vdnn_eager_decisions(
            d->c.graph, how == VDNN_SHARED_EACH_LAYER ? VDNN_SYNC_EACH_LAYER : VDNN_SYNC_BY_NEED,
            &decisions));
    if (how == VDNN_SHARED_AWAY || how == VDNN_SHARED_BUCKETS_AWAY)
        send_parameters_away(d->c.graph, &decisions);
    if (how == VDNN_SHARED_LEAVING || how == VDNN_SHARED_BUCKETS_LEAVING)
        send_gradients_away(d->c.graph, &decisions);
    if (how == VDNN_SHARED_BUCKETS || how >= VDNN_SHARED_BUCKETS_AWAY)
        decisions.buckets = (vdnn_reduce_buckets){
            .bytes = how == VDNN_SHARED_BUCKETS ? (size_t)1 << 20 : 1500, .lag = (int32_t)how % 3};
    assert_ok(vdnn_planner_plan(d->c.graph, d->c.profile, &decisions, &d->c.plan));
    vdnn_decisions_fini(&decisions);
}

void vdnn_shared_plan_in_buckets(vdnn_shared_device *d, vdnn_reduce_buckets buckets)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, d->c.graph));
    decisions.buckets = buckets;
    assert_ok(vdnn_planner_plan(d->c.graph, d->c.profile, &decisions, &d->c.plan));
    vdnn_decisions_fini(&decisions);
}
