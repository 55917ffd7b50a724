#ifndef VDNN_POLICIES_OPT_MOVES_H
#define VDNN_POLICIES_OPT_MOVES_H

/* The moves of the search: what else may be decided for one value, or for one pass of a layer.
 *
 *     map       keep | recompute, once or for each layer of backward | offload, its copies hidden
 *               by as many layers as take 0, 1, 2, ... times as long as the copy, or as the
 *               copies before it on the link require; or by 1, 2, 4 layers more or fewer;
 *               within a chain a share of its pieces is recomputed, and the rest kept, or offloaded
 *     gradient  of a map that waits for a layer far away: stays | leaves for the host tier
 *     pass      its algorithms
 *     params    kept | offloaded, with the optimizer's state of theirs
 *     loads     its own batch, or the next one ahead, beside the whole step | from the backward of
 *               a layer on
 *
 * Invariant: a move makes decisions that can be planned from ones that can.
 * Threads: pure functions.
 *
 *     vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
 *     double share = vdnn_opt_moves_link_share(own, &decisions);
 *     int count = vdnn_opt_moves_of_map(own, &decisions, share, map, list);
 *     vdnn_opt_moves_make(&list[i], &decisions);
 */

#include "policies/opt/search.h"

enum { VDNN_OPT_MOVES_MOST = 64 };

typedef enum vdnn_opt_subject {
    VDNN_OPT_MAP,
    VDNN_OPT_GRADIENT,
    VDNN_OPT_PASS,
    VDNN_OPT_LOADS,
    VDNN_OPT_PARAMS
} vdnn_opt_subject;

enum { VDNN_OPT_SUBJECTS = VDNN_OPT_PARAMS + 1 };

typedef struct vdnn_opt_move {
    vdnn_opt_subject subject;
    int32_t index; /* the map's, or the layer's */
    vdnn_pass pass;
    vdnn_map_decision map; /* of a map, without its gradient */
    vdnn_tier gradient;
    int32_t choice;
    vdnn_loads loads;
    int32_t load_layer;
    vdnn_params_decision params;
    double seconds;     /* that it costs, about: of kernels, and of a link as far as it is busy */
    size_t saved_bytes; /* about, where it is alive now */
} vdnn_opt_move;

/* How much of a copy the others of these decisions leave no time for: 0 where the link is idle most
 * of the time, 1 where it is busy all the time. */
double vdnn_opt_moves_link_share(const vdnn_opt_search *own, const vdnn_decisions *decisions);

/* Other decisions for a map, for its gradient, for each pass of a layer, for its parameters, for
 * what is loaded; their number. */
int vdnn_opt_moves_of_map(const vdnn_opt_search *own, const vdnn_decisions *decisions, double share,
                          int32_t map, vdnn_opt_move list[VDNN_OPT_MOVES_MOST]);
int vdnn_opt_moves_of_gradient(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                               double share, int32_t map, vdnn_opt_move list[VDNN_OPT_MOVES_MOST]);
int vdnn_opt_moves_of_layer(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                            int32_t layer, vdnn_opt_move list[VDNN_OPT_MOVES_MOST]);
int vdnn_opt_moves_of_params(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                             double share, int32_t layer, vdnn_opt_move list[VDNN_OPT_MOVES_MOST]);
int vdnn_opt_moves_of_loads(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                            vdnn_opt_move list[VDNN_OPT_MOVES_MOST]);

void vdnn_opt_moves_make(const vdnn_opt_move *move, vdnn_decisions *decisions);

/* Whether two moves decide the same thing, whatever they decide for it. */
bool vdnn_opt_moves_share(const vdnn_opt_move *a, const vdnn_opt_move *b);
/* Whether they decide the same. */
bool vdnn_opt_moves_are_same(const vdnn_opt_move *a, const vdnn_opt_move *b);

#endif
