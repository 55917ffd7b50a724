#ifndef VDNN_RUNTIME_PLANNER_BOUND_EXCESS_H
#define VDNN_RUNTIME_PLANNER_BOUND_EXCESS_H

/* A lower bound for the values that backward needs and a budget cannot hold: the least time in
 * which they are offloaded and prefetched, or recomputed.
 *
 *     before   | forward | backward of the later layers  |        copied out
 *     moment                                             * dy, dx of a layer; what others need
 *     after                                              | its backward | ... |   copied in,
 *                                                                                 or recomputed
 *
 * At each such moment, a map that backward still needs is on the device, was copied out, or will be
 * recomputed. The same holds for parameters, which need not have been copied out. For the part that
 * the budget cannot hold, the best division into copies and recomputing takes
 *
 *     max(compute before, out) + max(compute after + recomputed, in)
 *
 * The moments are the turn from forward to backward, and the first backward pass of each layer
 * before which every plan has completed all later layers.
 *
 * Threads: pure functions.
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

/* The parts of a step, in seconds. */
typedef struct vdnn_halves {
    double first;  /* before all compute: loading what it waits for, or taking the batch */
    double beside; /* during compute: loading the rest, or the next batch */
    double behind; /* loading the next batch late: after forward */
    double forward, backward;
} vdnn_halves;

/* The seconds of a step whose halves take `forward` and `backward` seconds. */
double vdnn_halves_whole(const vdnn_halves *halves, double forward, double backward);

/* The micro-batches of one shape. */
typedef struct vdnn_shape {
    const vdnn_graph *graph;
    int32_t micro, count; /* the index of one of them; their number */
} vdnn_shape;

enum { VDNN_SHAPES = 2 };

void vdnn_shapes_list(const vdnn_graph *graph, vdnn_shape shapes[VDNN_SHAPES]);

typedef struct vdnn_excess {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const size_t *budget_bytes; /* per tier */
    vdnn_loads loads;
    int32_t end; /* only values that layers before this one write count */
    int32_t (*parts)(const vdnn_graph *graph, int32_t layer); /* the most a layer may have */
    vdnn_halves compute;                                      /* lower bounds for every plan */
    const double *backward;                                   /* per layer, of `compute` */
} vdnn_excess;

/* 0: the budget holds all. HUGE_VAL: the tiers below the device cannot hold the values that neither
 * fit the device nor can be recomputed. VDNN_NO_MEMORY. */
vdnn_status vdnn_excess_seconds(const vdnn_excess *of, double *seconds);

#endif
