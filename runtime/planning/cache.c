#include "runtime/planning/cache.h"

#include "runtime/base/heap.h"

#include <string.h>

enum { PLACES = 256 };

/* What no budget changes. */
enum { LASTS = VDNN_CACHE_BOUND | VDNN_CACHE_ARENAS | VDNN_CACHE_PEAK };

/* ---- entries --------------------------------------------------------------------------------- */

static bool is_within(const size_t arena_bytes[VDNN_TIER_COUNT],
                      const size_t budget_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded(arena_bytes, budget_bytes) == VDNN_TIER_COUNT;
}

static vdnn_cache_entry **place_of(vdnn_cache *cache, XXH128_hash_t key)
{
    if (cache->places == NULL)
        cache->places = vdnn_heap_calloc(PLACES, sizeof *cache->places);
    return cache->places == NULL ? NULL : &cache->places[key.low64 % PLACES];
}

vdnn_cache_entry *vdnn_cache_entry_of(vdnn_cache *cache, XXH128_hash_t key)
{
    vdnn_cache_entry **place = place_of(cache, key);
    if (place != NULL && *place == NULL)
        *place = vdnn_heap_calloc(1, sizeof **place);
    vdnn_cache_entry *at = place == NULL ? NULL : *place;
    if (at == NULL)
        return NULL;
    if (!XXH128_isEqual(at->key, key)) {
        vdnn_device_peak_fini(&at->peak);
        *at = (vdnn_cache_entry){.key = key, .begun = cache->begun};
    }
    if (at->begun != cache->begun) {
        at->begun = cache->begun;
        at->has &= LASTS;
        at->bound.fits = is_within(at->bound.arena_bytes, cache->budget_bytes);
    }
    return at;
}

bool vdnn_cache_tells_excess(const vdnn_cache_entry *known,
                             const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes)
{
    const bool is_packed = (known->has & VDNN_CACHE_ARENAS) != 0;
    bool tells = (known->has & VDNN_CACHE_BOUND) != 0;
    *excess_bytes = 0;
    for (int t = 0; t < VDNN_TIER_COUNT && tells && *excess_bytes == 0; t++) {
        const size_t least = known->bound.arena_bytes[t], most = most_bytes[t];
        if (least > most)
            *excess_bytes = least - most;
        else if (is_packed)
            *excess_bytes = known->arena_bytes[t] > most;
        else
            tells = most == SIZE_MAX;
    }
    return tells;
}

/* ---- whole plans ----------------------------------------------------------------------------- */

static void forget(vdnn_cache_whole *first)
{
    while (first != NULL) {
        vdnn_cache_whole *own = first;
        first = own->next;
        vdnn_heap_free(own->offsets);
        vdnn_heap_free(own);
    }
}

const vdnn_cache_whole *vdnn_cache_whole_of(const vdnn_cache *cache, XXH128_hash_t key)
{
    const vdnn_cache_whole *known = cache->wholes;
    while (known != NULL && !XXH128_isEqual(known->key, key))
        known = known->next;
    if (known == NULL && cache->fastest != NULL && XXH128_isEqual(cache->fastest->key, key))
        known = cache->fastest;
    return known;
}

static vdnn_status make_whole(const vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan,
                              vdnn_cache_whole **made)
{
    vdnn_cache_whole *own = vdnn_heap_calloc(1, sizeof *own);
    size_t *offsets = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *offsets);
    if (own == NULL || offsets == NULL) {
        vdnn_heap_free(own);
        vdnn_heap_free(offsets);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what was tried");
    }
    for (int32_t b = 0; b < plan->buffer_count; b++)
        offsets[b] = plan->buffers[b].offset;
    *own = (vdnn_cache_whole){.key = key, .offsets = offsets, .facts.size = sizeof own->facts};
    own->outcome = (vdnn_outcome){.fits = vdnn_plan_fits(plan, cache->budget_bytes),
                                  .step_seconds = plan->step_seconds,
                                  .offload_bytes = plan->offload_bytes,
                                  .facts = &own->facts};
    memcpy(own->outcome.arena_bytes, plan->span_bytes, sizeof own->outcome.arena_bytes);
    vdnn_status status = vdnn_plan_describe(plan, &own->facts);
    own->facts.policy = own->facts.algo = own->facts.peak_layer = NULL;
    if (status == VDNN_OK)
        *made = own;
    else
        forget(own);
    return status;
}

vdnn_status vdnn_cache_keep_whole(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan)
{
    vdnn_cache_whole *made = NULL;
    VDNN_TRY(make_whole(cache, key, plan, &made));
    made->next = cache->wholes;
    cache->wholes = made;
    return VDNN_OK;
}

/* As searches compare them: the step, then what is copied, then the arena. */
static bool is_faster(const vdnn_plan *plan, const vdnn_cache_whole *than)
{
    if (than == NULL)
        return true;
    const vdnn_outcome *other = &than->outcome;
    if (plan->step_seconds < other->step_seconds || plan->step_seconds > other->step_seconds)
        return plan->step_seconds < other->step_seconds;
    if (plan->offload_bytes != other->offload_bytes)
        return plan->offload_bytes < other->offload_bytes;
    return plan->span_bytes[VDNN_TIER_DEVICE] < other->arena_bytes[VDNN_TIER_DEVICE];
}

vdnn_status vdnn_cache_keep_fastest(vdnn_cache *cache, XXH128_hash_t key, const vdnn_plan *plan)
{
    vdnn_cache_whole *made = NULL;
    if (!is_faster(plan, cache->fastest))
        return VDNN_OK;
    VDNN_TRY(make_whole(cache, key, plan, &made));
    forget(cache->fastest);
    cache->fastest = made;
    return VDNN_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void forget_wholes(vdnn_cache *cache)
{
    forget(cache->wholes);
    forget(cache->fastest);
    cache->wholes = cache->fastest = NULL;
}

void vdnn_cache_begin(vdnn_cache *cache, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    forget_wholes(cache);
    cache->begun++;
    memcpy(cache->budget_bytes, budget_bytes, sizeof cache->budget_bytes);
}

void vdnn_cache_fini(vdnn_cache *cache)
{
    for (int i = 0; i < PLACES && cache->places != NULL; i++) {
        if (cache->places[i] != NULL)
            vdnn_device_peak_fini(&cache->places[i]->peak);
        vdnn_heap_free(cache->places[i]);
    }
    vdnn_heap_free(cache->places);
    forget_wholes(cache);
    *cache = (vdnn_cache){.places = NULL};
}
