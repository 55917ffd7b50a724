#ifndef VDNN_RUNTIME_GRAPH_PIPELINE_SCHEDULE_H
#define VDNN_RUNTIME_GRAPH_PIPELINE_SCHEDULE_H

/* Pipeline schedules: in which order a stage runs the passes of its micro-batches, by name.
 *
 * Three stages, four micro-batches; F forward, B backward, D and W its halves for data and filters:
 *
 *     gpipe   F0 F1 F2 F3 .  .  .  .  .  .  .  .  B0 B0 B1 B1 B2 B2 B3 B3
 *             .  F0 F1 F2 F3 .  .  .  .  .  B0 B0 B1 B1 B2 B2 B3 B3
 *             .  .  F0 F1 F2 F3 B0 B0 B1 B1 B2 B2 B3 B3
 *     1f1b    F0 F1 F2 .  .  .  .  B0 B0 F3 B1 B1 .  B2 B2 .  B3 B3
 *             .  F0 F1 .  .  B0 B0 F2 B1 B1 F3 B2 B2 .  B3 B3
 *             .  .  F0 B0 B0 F1 B1 B1 F2 B2 B2 F3 B3 B3
 *     zb1p    F0 F1 F2 .  .  D0 W0 F3 D1 W1 D2 W2 D3 W3
 *             .  F0 F1 .  D0 F2 D1 W0 F3 D2 W1 D3 W2 W3
 *             .  .  F0 D0 F1 D1 F2 D2 W0 F3 D3 W1 W2 W3
 *
 * Invariant: within a stage the passes of each kind take the micro-batches in increasing order, so
 * gradients are summed as on one device. Every order can be run: neighbors that send a pass's
 * result as soon as it ends, and receive the input of a pass before it begins, never wait for each
 * other in a cycle. Threads: const data and pure functions.
 *
 *     vdnn_pipeline_item *items = vdnn_heap_calloc(VDNN_PIPELINE_PASSES * micro, sizeof *items);
 *     int32_t count = vdnn_pipeline_items(VDNN_SCHEDULE_1F1B, stages, stage, micro, items);
 *     for (int32_t i = 0; i < count; i++)
 *         ... items[i].pass of micro-batch items[i].micro ...
 */

#include <stddef.h>
#include <stdint.h>

// clang-format off
/* name, text, whether all forward passes are first, whether backward is in halves:
 *     GPIPE  all forward passes, then all backward passes (arXiv 1811.06965)
 *     1F1B   backward as soon as possible: a stage has at most as many micro-batches in flight as
 *            there are stages from it on (PipeDream-flush, arXiv 2006.09503)
 *     ZB1P   the same with the filter gradients in the places where a stage would wait; no stage
 *            has more in flight than the first one of 1F1B (zero bubble's H1, arXiv 2401.10241) */
// clang-format on
#define VDNN_SCHEDULE_TABLE(X)                                                                     \
    X(GPIPE, "gpipe", true, false)                                                                 \
    X(1F1B, "1f1b", false, false)                                                                  \
    X(ZB1P, "zb1p", false, true)

typedef enum vdnn_schedule {
#define X(name, ...) VDNN_SCHEDULE_##name,
    VDNN_SCHEDULE_TABLE(X)
#undef X
        VDNN_SCHEDULE_COUNT
} vdnn_schedule;

typedef enum vdnn_pipeline_pass {
    VDNN_PIPELINE_FORWARD,
    VDNN_PIPELINE_BACKWARD, /* whole */
    VDNN_PIPELINE_BACKWARD_DATA,
    VDNN_PIPELINE_BACKWARD_FILTER
} vdnn_pipeline_pass;

typedef struct vdnn_pipeline_item {
    vdnn_pipeline_pass pass;
    int32_t micro; /* from 0 */
} vdnn_pipeline_item;

/* Items that a micro-batch has in a stage at the most. */
enum { VDNN_PIPELINE_PASSES = 3 };

/* The name of a schedule; "unknown" for other values. */
const char *vdnn_schedule_text(vdnn_schedule schedule);

/* The passes of stage `stage` of `stages`, in order: sets the first items of an array that has
 * VDNN_PIPELINE_PASSES for each micro-batch, and returns how many. */
int32_t vdnn_pipeline_items(vdnn_schedule schedule, int32_t stages, int32_t stage,
                            int32_t micro_count, vdnn_pipeline_item *items);

/* The most micro-batches whose activations a stage holds at one time: those whose forward pass has
 * begun and whose last backward pass has not ended. */
int32_t vdnn_pipeline_in_flight(vdnn_schedule schedule, int32_t stages, int32_t stage,
                                int32_t micro_count);

#endif
