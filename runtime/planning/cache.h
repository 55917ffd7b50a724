#ifndef VDNN_RUNTIME_PLANNING_CACHE_H
#define VDNN_RUNTIME_PLANNING_CACHE_H

/* A cache of what is known about the plans of decisions. Searches return to decisions that they
 * tried, and ask about them at several depths and under several budgets.
 *
 *     decisions --hash--> entry: bound, arenas, peak                valid under every budget
 *                                excess, time                       valid until the next begin
 *                    \--> whole: outcome, facts, buffer offsets     valid until the next begin
 *
 * Invariant: a cached result is the one that planning would give. There are few entries, and a new
 * one replaces the one with the same hash. Whole plans are kept. So is the fastest of the timed
 * plans, since packing it again would depend on the plans timed before it. Threads: one.
 *
 *     vdnn_cache cache = {.places = NULL};
 *     vdnn_cache_begin(&cache, budget_bytes);
 *     vdnn_cache_entry *known = vdnn_cache_entry_of(&cache, key); // NULL: no memory
 *     if ((known->has & VDNN_CACHE_BOUND) == 0) ...               // compute it and set the bit
 *     vdnn_cache_fini(&cache);
 */

#include "runtime/planning/device_peak.h"

#include <xxhash.h>

/* Bits of vdnn_cache_entry.has. From VDNN_CACHE_EXCESS on there is one bit for each tier, and one
 * for all tiers together. */
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
    int64_t begun; /* the number of the begin that set the budgets of `excess` and `time` */
    vdnn_outcome bound;
    size_t arena_bytes[VDNN_TIER_COUNT];
    vdnn_device_peak_found peak; /* owned */
    vdnn_outcome time;
    size_t excess_bytes[VDNN_TIER_COUNT + 1];
} vdnn_cache_entry;

/* A plan that was planned to the depth VDNN_WHOLE. */
typedef struct vdnn_cache_whole {
    XXH128_hash_t key;
    vdnn_outcome outcome;
    vdnn_plan_facts facts;
    size_t *offsets; /* owned; of the plan's buffers */
    struct vdnn_cache_whole *next;
} vdnn_cache_whole;

typedef struct vdnn_cache {
    vdnn_cache_entry **places; /* owned, with the entries; NULL: no entry yet */
    int64_t begun;
    size_t budget_bytes[VDNN_TIER_COUNT];
    vdnn_cache_whole *wholes;  /* owned */
    vdnn_cache_whole *fastest; /* owned; of the timed plans; NULL: none of them fits */
} vdnn_cache;

/* Sets the budgets, and forgets results that depend on them. */
void vdnn_cache_begin(vdnn_cache *cache, const size_t budget_bytes[VDNN_TIER_COUNT]);
void vdnn_cache_fini(vdnn_cache *cache);

/* The entry of a key; valid until the next call with another key. */
vdnn_cache_entry *vdnn_cache_entry_of(vdnn_cache *cache, XXH128_hash_t key);

/* Whether the cached bounds and arenas are enough to say by how much a plan exceeds these limits
 * (vdnn_planning_excess). */
bool vdnn_cache_tells_excess(const vdnn_cache_entry *known,
                             const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes);

/* NULL: the plan is neither a whole one nor the fastest timed one. */
const vdnn_cache_whole *vdnn_cache_whole_of(const vdnn_cache *cache, XXH128_hash_t key);
/* Keeps a plan as a whole one, or as the fastest one if it is. VDNN_NO_MEMORY. */
vdnn_status vdnn_cache_keep_whole(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan);
vdnn_status vdnn_cache_keep_fastest(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan);

#endif
