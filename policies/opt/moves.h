#ifndef VDNN_POLICIES_OPT_MOVES_H
#define VDNN_POLICIES_OPT_MOVES_H

/* The moves of the search: what else may be decided for one value, or for one pass of a layer.
 *
 *     map       keep | recompute, once or for each layer of backward | offload, its copies hidden
 *               by as many layers as take 0, 1, 2, ... times as long as the copy, or as the
 *               copies before it on the link require; or by 1, 2, 4 layers more or fewer
 *     gradient  of a map, while it waits for a layer far away: kept | offloaded
 *     pass      its algorithms
 *     params    of a layer: kept | offloaded, with their optimizer state
 *     loads     the step's batch, when it begins | the next step's, during the whole step, or from
 *               the backward of a layer on
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

/* ---- moves ----------------------------------------------------------------------------------- */

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

/* The share of a copy that waits for the other copies of these decisions: 0 if the link is idle
 * most of the time, 1 if it is always busy. */
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

/* ---- sets of moves --------------------------------------------------------------------------- */

enum { VDNN_OPT_MOVE_SET_MOST = 4096 };

/* Moves that did not help when they were last tried. Descents leave them out until no other move
 * helps, since in a network of hundreds of layers few moves help at a given peak.
 *
 *     last[map 3] -> offload later -> offload in pieces -> none
 *
 * A set has at most VDNN_OPT_MOVE_SET_MOST moves; further ones are tried again. */
typedef struct vdnn_opt_move_set {
    vdnn_opt_move *list; /* owned */
    int *before; /* owned; per move, the one before it with its subject and index; -1: none */
    int *last;   /* owned; by subject and index, the last move of these; -1: none */
    int count;   /* moves in the list */
    int indexes; /* of each subject: the larger number of maps and of layers */
} vdnn_opt_move_set;

vdnn_status vdnn_opt_move_set_init(const vdnn_graph *graph, vdnn_opt_move_set *own);
void vdnn_opt_move_set_fini(vdnn_opt_move_set *own);

void vdnn_opt_move_set_add(vdnn_opt_move_set *own, const vdnn_opt_move *move);
bool vdnn_opt_move_set_has(const vdnn_opt_move_set *own, const vdnn_opt_move *move);
void vdnn_opt_move_set_clear(vdnn_opt_move_set *own);

/* ---- copies ---------------------------------------------------------------------------------- */

/* Which layers hide the copies of offloaded maps. A map copied alone is hidden by the layers that
 * run during its copy. In a queue of copies on the same link it also waits for those before it.
 *
 *     compute  | conv1 | relu1 | conv2       | pool2 | ...
 *     link     |       | conv1     | relu1     | conv2 ...
 *                                  ^ conv1 is out after conv2, not after relu1
 *
 * These are the seconds of a copy alone. */
double vdnn_opt_copies_out_seconds(const vdnn_opt_search *own, size_t bytes);
double vdnn_opt_copies_in_seconds(const vdnn_opt_search *own, size_t bytes);

/* Notes the copies of some decisions, for the two functions that follow: they return the layer by
 * whose forward a map is copied out, or at whose backward its copy in begins, if its copy is one
 * more in the queue. Sets *exposed_seconds, unless it is NULL, to the seconds of these copies that
 * no layer is left to hide. A map that nothing needs counts as needed by the first layer. */
void vdnn_opt_copies_note(vdnn_opt_search *own, const vdnn_decisions *decisions);
int32_t vdnn_opt_copies_leave_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                     int32_t map, double *exposed_seconds);
int32_t vdnn_opt_copies_return_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                      int32_t map, double *exposed_seconds);

/* Sets these layers for each offloaded map that is copied as a whole. */
void vdnn_opt_copies_queue(vdnn_opt_search *own, vdnn_decisions *made);

#endif
