#ifndef VDNN_RUNTIME_PLANNING_CACHE_H
#define VDNN_RUNTIME_PLANNING_CACHE_H

/* What is known of the plans of some decisions, so that nothing is found twice where searches come
 * back to what they tried, or ask about it in several ways and under several budgets.
 *
 *     decisions --hash--> entry: bound, arenas, peak                under every budget
 *                                excess, time                       until the next begin
 *                    \--> whole: outcome, facts, where buffers lie  until the next begin
 *
 * Invariant: what is known is what would be found. Entries are few: what comes to the place of one
 * replaces it; what is whole stays, as is the fastest of the plans that were timed, since none
 * could be packed like it without those before it. Threads: one.
 *
 *     vdnn_cache cache = {.places = NULL};
 *     vdnn_cache_begin(&cache, budget_bytes);
 *     vdnn_cache_entry *known = vdnn_cache_entry_of(&cache, key); // NULL: no memory
 *     if ((known->has & VDNN_CACHE_BOUND) == 0) ...               // find it, and set the bit
 *     vdnn_cache_fini(&cache);
 */

#include "runtime/planning/device_peak.h"

#include <xxhash.h>

/* Bits of vdnn_cache_entry.has; of an excess one for each tier, and for all of them, from the last.
 */
enum {
    VDNN_CACHE_BOUND = 1,
    VDNN_CACHE_ARENAS = 2,
    VDNN_CACHE_PEAK = 4,
    VDNN_CACHE_TIME = 8,
    VDNN_CACHE_EXCESS = 16
};

typedef struct vdnn_cache_entry {
    XXH128_hash_t key; /* of the decisions */
    unsigned has;
    int64_t begun; /* under which budgets */
    vdnn_outcome bound;
    size_t arena_bytes[VDNN_TIER_COUNT];
    vdnn_device_peak_found peak; /* owned */
    vdnn_outcome time;
    size_t excess_bytes[VDNN_TIER_COUNT + 1];
} vdnn_cache_entry;

/* A plan that was made to its end. */
typedef struct vdnn_cache_whole {
    XXH128_hash_t key;
    vdnn_outcome outcome;
    vdnn_plan_facts facts;
    size_t *offsets; /* owned; of the plan's buffers */
    struct vdnn_cache_whole *next;
} vdnn_cache_whole;

typedef struct vdnn_cache {
    vdnn_cache_entry **places; /* owned, as what they have; NULL: nothing yet */
    int64_t begun;
    size_t budget_bytes[VDNN_TIER_COUNT];
    vdnn_cache_whole *wholes;  /* owned */
    vdnn_cache_whole *fastest; /* owned; of the plans that were timed; NULL: none fitted */
} vdnn_cache;

/* Forgets what other budgets change. */
void vdnn_cache_begin(vdnn_cache *cache, const size_t budget_bytes[VDNN_TIER_COUNT]);
void vdnn_cache_fini(vdnn_cache *cache);

/* What is known; stays until others are asked for. */
vdnn_cache_entry *vdnn_cache_entry_of(vdnn_cache *cache, XXH128_hash_t key);

/* Whether the bounds and the arenas tell by how much a plan exceeds these limits
 * (vdnn_planning_excess). */
bool vdnn_cache_tells_excess(const vdnn_cache_entry *known,
                             const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes);

/* NULL: no such plan was made, nor is it the fastest that was timed. */
const vdnn_cache_whole *vdnn_cache_whole_of(const vdnn_cache *cache, XXH128_hash_t key);
/* What a plan takes, kept as whole, or as the fastest if it is. VDNN_NO_MEMORY. */
vdnn_status vdnn_cache_keep_whole(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan);
vdnn_status vdnn_cache_keep_fastest(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan);

#endif
