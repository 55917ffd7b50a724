#include "runtime/planner/answers.h"

#include "runtime/base/heap.h"

#include <string.h>

enum { PLACES = 256 };

XXH128_hash_t vdnn_answers_key(const vdnn_decisions *own)
{
    const size_t maps = (size_t)own->map_count, layers = (size_t)own->layer_count;
    const uint64_t numbers[] = {
        (uint64_t)own->release,    (uint64_t)own->gradients,     (uint64_t)own->sync,
        (uint64_t)own->updates,    (uint64_t)own->copies,        (uint64_t)own->loads,
        (uint64_t)own->load_layer, (uint64_t)own->buckets.bytes, (uint64_t)own->buckets.lag};
    const XXH128_hash_t parts[] = {
        XXH3_128bits(numbers, sizeof numbers),
        XXH3_128bits(own->maps, maps * sizeof *own->maps),
        XXH3_128bits(own->params, layers * sizeof *own->params),
        XXH3_128bits(own->param_gradients, layers * sizeof *own->param_gradients),
        XXH3_128bits(own->choice, layers * sizeof *own->choice),
        XXH3_128bits(own->parts, layers * sizeof *own->parts),
        XXH3_128bits(own->chained, layers * sizeof *own->chained)};
    return XXH3_128bits(parts, sizeof parts);
}

/* What others told is forgotten. */
static void take_budgets(vdnn_answer *own, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    if (memcmp(own->budget_bytes, budget_bytes, sizeof own->budget_bytes) == 0)
        return;
    memcpy(own->budget_bytes, budget_bytes, sizeof own->budget_bytes);
    own->has &= VDNN_ANSWER_BOUND | VDNN_ANSWER_ARENAS | VDNN_ANSWER_CREST;
    own->bound.may_fit =
        vdnn_tier_exceeded(own->bound.arena_bytes, budget_bytes) == VDNN_TIER_COUNT;
}

vdnn_answer *vdnn_answers_of(vdnn_answers *answers, const vdnn_decisions *decisions,
                             const size_t budget_bytes[VDNN_TIER_COUNT])
{
    const XXH128_hash_t key = vdnn_answers_key(decisions);
    if (answers->places == NULL)
        answers->places = vdnn_heap_calloc(PLACES, sizeof *answers->places);
    if (answers->places == NULL)
        return NULL;
    vdnn_answer **place = &answers->places[key.low64 % PLACES];
    if (*place == NULL)
        *place = vdnn_heap_calloc(1, sizeof **place);
    vdnn_answer *at = *place;
    if (at == NULL)
        return NULL;
    if (!XXH128_isEqual(at->key, key)) {
        vdnn_crest_fini(&at->crest);
        *at = (vdnn_answer){.key = key};
    }
    take_budgets(at, budget_bytes);
    return at;
}

bool vdnn_answer_tells_excess(const vdnn_answer *known, const size_t most_bytes[VDNN_TIER_COUNT],
                              size_t *excess_bytes)
{
    const bool is_packed = (known->has & VDNN_ANSWER_ARENAS) != 0;
    bool tells = (known->has & VDNN_ANSWER_BOUND) != 0;
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

void vdnn_answers_fini(vdnn_answers *answers)
{
    for (int i = 0; i < PLACES && answers->places != NULL; i++) {
        if (answers->places[i] != NULL)
            vdnn_crest_fini(&answers->places[i]->crest);
        vdnn_heap_free(answers->places[i]);
    }
    vdnn_heap_free(answers->places);
    *answers = (vdnn_answers){.places = NULL};
}
