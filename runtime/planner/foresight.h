#ifndef VDNN_RUNTIME_PLANNER_FORESIGHT_H
#define VDNN_RUNTIME_PLANNER_FORESIGHT_H

/* Foresight: threads that look at plans which a search is likely to ask about next, each on a
 * workbench of its own, while the search looks at another.
 *
 *     expect --> waiting --> being looked at --> known --take--> answer
 *                      by a thread, or by the search instead of waiting for one
 *
 * Invariant: what is taken is what the search would find itself, so that nothing but its time
 * depends on the threads. What is expected and not asked about is dropped: the oldest makes room.
 * No search waits longer for a thread than it would look itself.
 * Threads: one calls these functions, for searches of one network in any parts.
 *
 *     status = vdnn_foresight_begin(graph, threads, &foresight);
 *     vdnn_foresight_expect(foresight, &question);
 *     if (!vdnn_foresight_take(foresight, &question, &bench, &seen))
 *         status = vdnn_foresight_look(&bench, &question, &seen);
 *     vdnn_foresight_end(foresight);
 */

#include "runtime/planner/crest.h"
#include "runtime/planner/workbench/workbench.h"

#include <xxhash.h>

/* About the plan of some decisions, packed in so many bytes of the device. All is borrowed. */
typedef struct vdnn_foresight_question {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const vdnn_decisions *decisions;
    XXH128_hash_t key; /* of the decisions */
    size_t limit_bytes;
} vdnn_foresight_question;

/* With the caller so many threads; one: none but it, and nothing is foreseen: NULL. The graph, in
 * whatever parts, is that of all questions. VDNN_NO_MEMORY. */
vdnn_status vdnn_foresight_begin(const vdnn_graph *graph, int threads, vdnn_foresight **foresight);
/* Accepts NULL. */
void vdnn_foresight_end(vdnn_foresight *foresight);

/* How many questions it is worth to expect at a time. NULL: 0. */
int vdnn_foresight_reach(const vdnn_foresight *foresight);

/* The decisions are copied; graph and profile live until the end. Threads are started here; where
 * the system has none, the search goes on alone. */
void vdnn_foresight_expect(vdnn_foresight *foresight, const vdnn_foresight_question *asked);

/* Whether the answer is known, or comes soon: then it is the caller's, in place of what is in
 * *answer. Meanwhile others are looked at on this bench. Accepts NULL. */
bool vdnn_foresight_take(vdnn_foresight *foresight, const vdnn_foresight_question *asked,
                         vdnn_workbench *bench, vdnn_crest *crest);

/* Looks at once. Frees what is in *crest, which {0} has not. */
vdnn_status vdnn_foresight_look(vdnn_workbench *bench, const vdnn_foresight_question *asked,
                                vdnn_crest *crest);

#endif
