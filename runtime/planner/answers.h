#ifndef VDNN_RUNTIME_PLANNER_ANSWERS_H
#define VDNN_RUNTIME_PLANNER_ANSWERS_H

/* What trials were told of the decisions that they asked about last: a search asks about many of
 * them more than once, each for another reason, and so do searches under other budgets.
 *
 *     decisions --key--> one of so many places --> bound, arenas, crest
 *                                                  excess, time: under some budgets
 *
 * Invariant: what is known is what would be found anew, times by the trials that found them, which
 * pack plans like those before. The number of places is fixed: what comes
 * to one replaces what was there. Threads: one.
 *
 *     vdnn_answers answers = {.places = NULL};       // of one graph under one profile
 *     vdnn_answer *known = vdnn_answers_of(&answers, &decisions, budget_bytes); // NULL: no memory
 *     if ((known->has & VDNN_ANSWER_BOUND) == 0) ...                // find it, and set the bit
 *     vdnn_answers_fini(&answers);
 */

#include "runtime/planner/crest.h"

#include <xxhash.h>

/* Bits of vdnn_answer.has; of an excess one for each tier, and for all of them, from the last. */
enum {
    VDNN_ANSWER_BOUND = 1,
    VDNN_ANSWER_ARENAS = 2,
    VDNN_ANSWER_CREST = 4,
    VDNN_ANSWER_TIME = 8,
    VDNN_ANSWER_EXCESS = 16
};

typedef struct vdnn_answer {
    XXH128_hash_t key; /* of the decisions */
    unsigned has;
    vdnn_trial_bound bound; /* may_fit: under the budgets */
    size_t arena_bytes[VDNN_TIER_COUNT];
    vdnn_crest crest; /* owned */
    size_t budget_bytes[VDNN_TIER_COUNT];
    vdnn_trial_bound time;
    int64_t timed_by; /* the number of the trials whose packings before led to that time */
    size_t excess_bytes[VDNN_TIER_COUNT + 1];
} vdnn_answer;

struct vdnn_answers {
    const vdnn_graph *graph; /* borrowed, as the profile; NULL: nothing was asked yet */
    const vdnn_profile *profile;
    vdnn_answer **places; /* owned, as what they have; NULL: nothing yet */
    int64_t trials;       /* that were begun with them */
};

/* Of all that vdnn_decisions_same compares. 128 bits: that two differ and have the same key will
 * not be seen. */
XXH128_hash_t vdnn_answers_key(const vdnn_decisions *own);

/* What is known under these budgets; stays until others are asked for. */
vdnn_answer *vdnn_answers_of(vdnn_answers *answers, const vdnn_decisions *decisions,
                             const size_t budget_bytes[VDNN_TIER_COUNT]);

/* Whether the bounds and the arenas tell by how much a plan exceeds these limits (vdnn_trial). */
bool vdnn_answer_tells_excess(const vdnn_answer *known, const size_t most_bytes[VDNN_TIER_COUNT],
                              size_t *excess_bytes);

void vdnn_answers_fini(vdnn_answers *answers);

#endif
