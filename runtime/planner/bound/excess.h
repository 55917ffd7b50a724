#ifndef VDNN_RUNTIME_PLANNER_BOUND_EXCESS_H
#define VDNN_RUNTIME_PLANNER_BOUND_EXCESS_H

/* What a budget cannot hold of what backward needs, and the least time in which it leaves and comes
 * back, or is recomputed.
 *
 *     before   | forward | backward of the layers behind |        copied out
 *     moment                                             * dy, dx of a layer; what others need
 *     behind                                             | its backward | ... |   copied in,
 *                                                                                 or recomputed
 *
 * At any such moment the maps that backward still needs are on the device, were copied out, or
 * will be recomputed, and so are parameters, which need not have been copied out. The part that the
 * budget cannot hold takes, at the best division into copies and recomputing,
 *
 *     max(compute before, out) + max(compute behind + recomputed, in)
 *
 * Moments are the turn from forward to backward, and the first backward pass of each layer before
 * which all layers behind it are done in every plan.
 *
 * Threads: pure functions.
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

/* Seconds. */
typedef struct vdnn_halves {
    double first;  /* before all compute: of loading what it waits for, or of taking all */
    double beside; /* of loading the rest, or the next step's */
    double behind; /* likewise, if that is loaded late: it is behind forward */
    double forward, backward;
} vdnn_halves;

/* The step, if its halves take that long. */
double vdnn_halves_whole(const vdnn_halves *halves, double forward, double backward);

/* Micro-batches of one shape. */
typedef struct vdnn_shape {
    const vdnn_graph *graph;
    int32_t micro, count; /* one of them; their number */
} vdnn_shape;

enum { VDNN_SHAPES = 2 };

void vdnn_shapes_list(const vdnn_graph *graph, vdnn_shape shapes[VDNN_SHAPES]);

typedef struct vdnn_excess {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const size_t *budget_bytes; /* per tier */
    vdnn_loads loads;
    int32_t end; /* of what is made by the layers before it */
    int32_t (*parts)(const vdnn_graph *graph, int32_t layer); /* that a layer may have */
    vdnn_halves compute;                                      /* in every plan, at least */
    const double *backward;                                   /* of it, per layer */
} vdnn_excess;

/* 0: there is none. HUGE_VAL: the tiers behind the device do not hold what can neither stay nor be
 * recomputed. VDNN_NO_MEMORY. */
vdnn_status vdnn_excess_seconds(const vdnn_excess *of, double *seconds);

#endif
