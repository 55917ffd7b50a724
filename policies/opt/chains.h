#ifndef VDNN_POLICIES_OPT_CHAINS_H
#define VDNN_POLICIES_OPT_CHAINS_H

/* Which layers are chained, so that they run part by part: those around the live peak, from a layer
 * with a small input to one with a small output.
 *
 *     bytes of maps  |          conv1_1  conv1_2  pool1   conv2_1
 *                    | input    _______  _______
 *                    | ____     |     |  |     |  _____
 *                    |    |_____|     |__|     |__|   |
 *                          [ ------ a chain ------- ]       inside: one part at a time
 *
 * Threads: pure functions.
 *
 *     status = vdnn_opt_chains_choose(request, &variant, &decisions, &cut, &found);
 *
 *     status = vdnn_opt_chains_around(request, layer, &cut, chains, &count);
 *     vdnn_opt_chains_link(&variant, &chains[0], &cut);
 */

#include "policies/opt/local_search.h"
#include "policies/opt/search.h"

/* Layers `first` to `last` in this many parts. */
typedef struct vdnn_opt_chain {
    int32_t first, last, parts;
} vdnn_opt_chain;

/* The numbers of parts that chains are tried in; 1 is for a layer in no chain. */
enum { VDNN_OPT_COUNTS = 6 };
extern const int32_t vdnn_opt_counts[VDNN_OPT_COUNTS];

enum { VDNN_OPT_CHAINS_MOST = 16 * VDNN_OPT_COUNTS };

/* Lists chains around a layer, each in all of these parts; some of them may not be possible
 * (vdnn_opt_chains_may_be). The request may cut; *cut is scratch. */
vdnn_status vdnn_opt_chains_around(const vdnn_policy_request *request, int32_t layer,
                                   vdnn_opt_cut *cut, vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST],
                                   int *count);

enum { VDNN_OPT_TAILS_MOST = 8 };

/* Lists chains that end with the loss, the longest first. Of several with about the same length it
 * lists the one that reads the fewest bytes from before it. Their parts are 0. */
vdnn_status vdnn_opt_chains_to_loss(const vdnn_policy_request *request, vdnn_opt_cut *cut,
                                    vdnn_opt_chain list[VDNN_OPT_TAILS_MOST], int *count);

/* Sets *cut to the variant's with that chain, which replaces chains that it shares layers with. */
void vdnn_opt_chains_link(const vdnn_opt_variant *variant, const vdnn_opt_chain *of,
                          vdnn_opt_cut *cut);

/* Whether all of its layers can be cut into its parts and chained. A chain of several layers has at
 * least two parts. */
bool vdnn_opt_chains_may_be(const vdnn_policy_request *request, const vdnn_opt_chain *of);

/* Sets *cut to the variant's with one chain more: the one that frees the most bytes near the peak
 * of the decisions for each part of a layer. It replaces those that it shares layers with. Sets
 * *found to whether there is one. No budget changes the choice. The request may cut. */
vdnn_status vdnn_opt_chains_choose(const vdnn_policy_request *request, vdnn_opt_variant *variant,
                                   const vdnn_decisions *decisions, vdnn_opt_cut *cut, bool *found);

/* ---- attempts -------------------------------------------------------------------------------- */

/* An attempt: decisions brought into other parts and chains, with the bounds of their plan, whether
 * it fits or not.
 *
 *     status = vdnn_opt_attempt_init(request, &cut, &best, &decisions, NULL, &own);
 *     ... own.bound.step_seconds, own.peak.overflow_bytes ...
 *     vdnn_opt_attempt_fini(&own);
 */

typedef struct vdnn_opt_attempt {
    vdnn_opt_variant variant;
    vdnn_decisions made;
    vdnn_device_peak peak; /* against the device's budget */
    vdnn_outcome bound;
} vdnn_opt_attempt;

/* Brings decisions over the network of a variant, which counts the trial too, into other parts and
 * chains. `refreshed` is a chain whose layers get the fastest algorithms; NULL: all keep theirs.
 * What is made within chains is offloaded, so that only a part of it is live. The request may cut.
 */
vdnn_status vdnn_opt_attempt_init(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  vdnn_opt_variant *from, const vdnn_decisions *decisions,
                                  const vdnn_opt_chain *refreshed, vdnn_opt_attempt *own);
void vdnn_opt_attempt_fini(vdnn_opt_attempt *own);

/* Finds the bounds of the decisions as they are now. */
vdnn_status vdnn_opt_attempt_bound(vdnn_opt_attempt *own);

/* Descends to a plan that fits, then takes memory that is left, in this many trials; ends when the
 * plan is much slower than the best. */
vdnn_status vdnn_opt_attempt_climb(vdnn_opt_attempt *own, const vdnn_opt_variant *best,
                                   int64_t trials);

/* Replaces the best by the attempt's variant if its plan is better, and frees the attempt. Returns
 * whether it is better. */
bool vdnn_opt_attempt_take_better(vdnn_opt_variant *best, vdnn_opt_attempt *own);

/* Replaces an attempt by another one, with the trials of both. */
void vdnn_opt_attempt_replace(vdnn_opt_attempt *own, const vdnn_opt_attempt *by);

/* ---- one chain more each --------------------------------------------------------------------- */

/* A sequence of variants, each with one chain more than the one before, from the network without
 * chains to one that runs in the smallest memory. Each chain is put at the live peak of decisions
 * that keep as little as they can.
 *
 *     arena | ____
 *           |     \___ chain 1
 *           |         \___ chain 2
 *           |             \______ ...
 *
 * Invariant: the chains do not depend on the budget.
 *
 *     status = vdnn_opt_chain_sequence_init(request, &decisions, trials, &sequence);
 *     while (status == VDNN_OK && found) {
 *         status = vdnn_opt_chain_sequence_step(&sequence, &found);
 *         ... sequence.at, sequence.decisions ...
 *     }
 *     vdnn_opt_chain_sequence_fini(&sequence);
 */

typedef struct vdnn_opt_chain_sequence {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_opt_cut cut;
    vdnn_opt_variant at;
    vdnn_decisions decisions; /* over its network */
    int chains;
} vdnn_opt_chain_sequence;

/* Begins with decisions over the request's network, which may be cut. `trials` were made before. */
vdnn_status vdnn_opt_chain_sequence_init(const vdnn_policy_request *request,
                                         const vdnn_decisions *from, int64_t trials,
                                         vdnn_opt_chain_sequence *own);
void vdnn_opt_chain_sequence_fini(vdnn_opt_chain_sequence *own);

/* Adds a chain, and sets *found to whether there was one to add. */
vdnn_status vdnn_opt_chain_sequence_step(vdnn_opt_chain_sequence *own, bool *found);

/* ---- plans of chains ------------------------------------------------------------------------- */

/* Finds out how fast the variants of a sequence can be, in a few trials for each: with the fastest
 * algorithms that fit, and with large parameters kept or offloaded.
 *
 *     status = vdnn_opt_probe(&best);
 *     status = vdnn_opt_probe_chains(&sequence, &best);
 */

/* Descends from the best of a variant, which fits, with the fastest algorithms that fit, in a few
 * trials. */
vdnn_status vdnn_opt_probe(vdnn_opt_variant *own);

/* Replaces `best`, a variant whose plan fits, by the fastest plan with more chains; ends when
 * further chains help no more. */
vdnn_status vdnn_opt_probe_chains(vdnn_opt_chain_sequence *sequence, vdnn_opt_variant *best);

#endif
