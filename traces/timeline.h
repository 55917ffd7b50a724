#ifndef VDNN_TRACES_TIMELINE_H
#define VDNN_TRACES_TIMELINE_H

/* The timeline: what ran when, on which stream, in one training step; and its file for Perfetto.
 *
 * Invariant: one span for each step of the plan, in the plan's order; start <= end.
 * Threads: a value.
 *
 *     status = vdnn_timeline_writer_create("trace.json.gz", &writer);
 *     status = vdnn_timeline_writer_add(writer, device, timeline, step_number);
 *     status = vdnn_timeline_writer_close(writer); // the file is whole only after this
 */

#include "runtime/plan/plan.h"

typedef struct vdnn_span {
    double start, end; /* seconds since the step began */
} vdnn_span;

/* The step's name in pictures: "conv1 forward", "offload conv1", "update fc6". */
void vdnn_step_title(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step);

typedef struct vdnn_timeline {
    const vdnn_plan *plan;     /* borrowed */
    vdnn_span *spans;          /* plan->step_count */
    const vdnn_span *launches; /* plan->step_count, when the host enqueued each; NULL: not known */
    double offset_seconds;     /* from the first step's begin to this step's */
} vdnn_timeline;

/* Seconds in which a copy and a compute step ran at the same time; seconds of copies that no
 * compute step hid; seconds of all copies (each instant counted once). Copies are those between the
 * tiers; joins are not compute. The last two are seconds of sums over devices: of all, and of those
 * that no compute step hid. */
typedef struct vdnn_overlap {
    double copy_seconds, hidden_seconds, exposed_seconds;
    double reduce_seconds, exposed_reduce_seconds;
} vdnn_overlap;

vdnn_overlap vdnn_timeline_overlap(const vdnn_timeline *timeline);

// clang-format off
/* Where the time of a step went: each instant of it is of one kind and belongs to the compute step
 * that runs, or that is to run next.
 *
 *     compute     |== conv1 ==|                  |== relu1 ==|== recompute conv1 ==|
 *     copies            |== offload conv1 ==|
 *     belongs to  | conv1     | relu1            | relu1     | conv1
 *     as          | compute   | exposed     stall| compute   | recompute
 */
// clang-format on
typedef struct vdnn_time_split {
    double compute_seconds, recompute_seconds, exposed_copy_seconds, stall_seconds;
} vdnn_time_split;

enum { VDNN_HALVES = 2 }; /* of a step: forward and backward */

/* Adds the seconds of each layer, in forward and in backward, to `splits`, which has one more than
 * there are layers: the last is of what belongs to none. They sum to the time from the first start
 * to the last end. */
void vdnn_timeline_split(const vdnn_timeline *timeline, vdnn_time_split (*splits)[VDNN_HALVES]);

/* Between two steps of the compute stream: something that the second waits for ends after the
 * first. Other gaps are the device's own. All three are steps of the plan. */
typedef struct vdnn_stall {
    int32_t before, step;
    int32_t cause; /* the step that ended last of those that it waits for */
} vdnn_stall;

/* Finds the next stall; before the first call `stall->step` is -1. False: there is none. */
bool vdnn_timeline_next_stall(const vdnn_timeline *timeline, vdnn_stall *stall);
double vdnn_timeline_stall_seconds(const vdnn_timeline *timeline, const vdnn_stall *stall);

/* The most bytes alive at one time in a tier: a buffer lives from the earliest start to the latest
 * end of the steps that access it, a persistent one always. A buffer that ends at an instant does
 * not overlap one that begins at it. `scratch` holds 2 * plan->buffer_count entries; nothing is
 * allocated. */
typedef struct vdnn_live_edge {
    double time;
    int64_t bytes;
    vdnn_category category;
} vdnn_live_edge;
size_t vdnn_timeline_live_peak(const vdnn_timeline *timeline, vdnn_tier tier,
                               vdnn_live_edge *scratch);

/* The births (bytes > 0) and deaths (bytes < 0) that give that peak, by time. Returns their number;
 * *base_bytes are the bytes that live all the time. */
size_t vdnn_timeline_live_edges(const vdnn_timeline *timeline, vdnn_tier tier,
                                vdnn_live_edge *edges, size_t *base_bytes);

typedef struct vdnn_timeline_writer vdnn_timeline_writer;

/* Chrome trace-event JSON (Perfetto reads it), compressed when the path ends in .gz. Written to a
 * temporary file and renamed by close, so a trace is complete or absent; each step is written there
 * when it is added, and what is held in memory does not grow with the steps.
 *
 * One process track a device; in it a track with the training steps, one a stream, with a span a
 * step of the plan (layer, bytes, algorithm, waits), one each with updates, launches and
 * checkpoints, and one a thread that reads batches; counters of the live bytes in each tier, in all
 * and by category. Devices are counted from 0, and added in their order the first time; the
 * training's first step is 1. */
vdnn_status vdnn_timeline_writer_create(const char *path, vdnn_timeline_writer **writer);
/* Draws the budgets with the live bytes. Must be called before the first step. */
void vdnn_timeline_writer_limit(vdnn_timeline_writer *writer,
                                const size_t budget_bytes[VDNN_TIER_COUNT]);
vdnn_status vdnn_timeline_writer_add(vdnn_timeline_writer *writer, int32_t device,
                                     const vdnn_timeline *timeline, int64_t step);

/* What the host did during the steps, in seconds since the first step began. Times in the file
 * begin with the first step, or with an earlier span that was added before it; spans that began
 * before that are left out. */
typedef struct vdnn_host_span {
    double start, end;
    int64_t number; /* of the batch, which is that of its step; of the checkpoint's step */
    size_t bytes;
} vdnn_host_span;
/* Adds a span of a reader (from 0) of the device's batches; the spans of a reader come in their
 * order. */
vdnn_status vdnn_timeline_writer_add_read(vdnn_timeline_writer *writer, int32_t device, int reader,
                                          const vdnn_host_span *span);
/* Adds a span, which is written with the next step or by close; these report its errors. */
void vdnn_timeline_writer_add_checkpoint(vdnn_timeline_writer *writer, const vdnn_host_span *span);
/* Draws arrows between the devices' steps of each sum, and from each send of a stage to its
 * receive. `timelines` are those of all devices in one step, which were added before; their plans
 * have passed vdnn_checker_check_devices, or vdnn_checker_check_stages. */
vdnn_status vdnn_timeline_writer_join(vdnn_timeline_writer *writer, const vdnn_timeline *timelines,
                                      int32_t count);
vdnn_status vdnn_timeline_writer_close(vdnn_timeline_writer *writer);
/* Discards the file. Accepts NULL. */
void vdnn_timeline_writer_abandon(vdnn_timeline_writer *writer);

#endif
