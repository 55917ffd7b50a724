#include "policies/algorithm_choice.h"

#include "runtime/base/heap.h"

/* The share of a step that p trades for memory under the lean rules. */
static const double SHARE = 0.01;

/* A trade: a leaner algorithm instead of the fastest. */
typedef struct trade {
    int32_t layer, choice;
    vdnn_pass pass;
    double seconds; /* that it costs */
    size_t bytes;   /* of workspace that it saves */
} trade;

const char *vdnn_algorithm_choice_text(vdnn_algo_mode mode)
{
    return mode == VDNN_ALGO_M ? "m" : "p";
}

/* Whether one saves more bytes a second than the other. */
static bool is_worth_more(const trade *a, const trade *b)
{
    double worth_a = (double)a->bytes * b->seconds, worth_b = (double)b->bytes * a->seconds;
    if (worth_a < worth_b || worth_a > worth_b)
        return worth_a > worth_b;
    if (a->layer != b->layer)
        return a->layer < b->layer;
    return a->pass != b->pass ? a->pass < b->pass : a->choice < b->choice;
}

/* In a heap each trade is worth more than the two below it, at 2 i + 1 and 2 i + 2: this one moves
 * down to where it is so. */
static void sift(trade *heap, size_t count, size_t at)
{
    const trade moved = heap[at];
    for (size_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && is_worth_more(&heap[below + 1], &heap[below]))
            below++;
        if (!is_worth_more(&heap[below], &moved))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = moved;
}

/* Lists the trades of a pass. Choices are ordered by workspace, so that all leaner ones come before
 * the fastest. */
static size_t list_trades(const vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                          int32_t fastest, trade *trades)
{
    const vdnn_choice *choices = profile->layers[layer].choices[pass], *best = &choices[fastest];
    size_t count = 0;
    for (int32_t i = 0; i < fastest; i++)
        if (choices[i].workspace_bytes < best->workspace_bytes)
            trades[count++] = (trade){layer, i, pass, choices[i].seconds - best->seconds,
                                      best->workspace_bytes - choices[i].workspace_bytes};
    return count;
}

static size_t count_choices(const vdnn_profile *profile)
{
    size_t count = 0;
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            count += (size_t)profile->layers[l].choice_count[p];
    return count;
}

/* Makes a heap of the trades that take at most these seconds, and returns their number. */
static size_t heap_of_affordable(trade *trades, size_t count, double seconds)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (trades[i].seconds <= seconds)
            trades[kept++] = trades[i];
    for (size_t i = kept / 2; i-- > 0;)
        sift(trades, kept, i);
    return kept;
}

/* Each pass trades once, with its best trade. Few of many trades are taken, so they are kept in a
 * heap, not sorted. */
static void take_trades(trade *trades, size_t count, double seconds, const vdnn_profile *profile,
                        vdnn_decisions *decisions)
{
    count = heap_of_affordable(trades, count, seconds);
    while (count > 0) {
        const trade best = trades[0];
        int32_t *choice = &decisions->choice[best.layer][best.pass];
        if (best.seconds > seconds) {
            count = heap_of_affordable(trades, count, seconds);
            continue;
        }
        trades[0] = trades[--count];
        sift(trades, count, 0);
        if (*choice != vdnn_profile_fastest(profile, best.layer, best.pass))
            continue;
        *choice = best.choice;
        seconds -= best.seconds;
    }
}

/* Replaces fastest algorithms by leaner ones, for a share of `step_seconds`, the time of all passes
 * together. */
static vdnn_status trade_time_for_memory(const vdnn_profile *profile, double step_seconds,
                                         vdnn_decisions *decisions)
{
    trade *trades = vdnn_heap_calloc(count_choices(profile), sizeof *trades);
    if (trades == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms");
    size_t count = 0;
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (profile->layers[l].choice_count[p] > 0)
                count +=
                    list_trades(profile, l, (vdnn_pass)p, decisions->choice[l][p], trades + count);
    take_trades(trades, count, SHARE * step_seconds, profile, decisions);
    vdnn_heap_free(trades);
    return VDNN_OK;
}

vdnn_status vdnn_algorithm_choice(const vdnn_policy_request *request, vdnn_algo_mode mode,
                                  vdnn_decisions *decisions)
{
    const vdnn_profile *profile = request->planning->profile;
    double step_seconds = 0;
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            if (profile->layers[l].choice_count[p] == 0)
                continue;
            int32_t chosen =
                mode == VDNN_ALGO_M ? 0 : vdnn_profile_fastest(profile, l, (vdnn_pass)p);
            decisions->choice[l][p] = chosen;
            step_seconds += profile->layers[l].choices[p][chosen].seconds;
        }
    if (mode == VDNN_ALGO_M || request->planning->graph->rules == VDNN_RULES_PAPER)
        return VDNN_OK;
    return trade_time_for_memory(profile, step_seconds, decisions);
}
