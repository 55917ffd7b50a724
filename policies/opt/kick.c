#include "policies/opt/kick.h"

#include "policies/opt/climb.h"
#include "policies/opt/moves.h"
#include "runtime/base/numbers/random.h"

/* Moves at once; trials of the climb from there. */
enum { MOST_MOVES = 4, CLIMB_TRIALS = 600 };

/* Of the best: where the moves lead to more, the climb is not worth its trials. */
static const double MOST_TIME = 1.1;

static const uint64_t KEY = 20;

/* One of the subjects of all moves: loads, the passes and the parameters of each layer, each map.
 */
static int moves_of(const vdnn_opt_search *own, const vdnn_decisions *decisions, uint32_t subject,
                    vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const int32_t layers = own->request->graph->layer_count;
    const double share = vdnn_opt_moves_link_share(own, decisions);
    int32_t at = (int32_t)subject;
    if (at < layers)
        return vdnn_opt_moves_of_layer(own, decisions, at, list);
    at -= layers;
    if (at < layers)
        return vdnn_opt_moves_of_params(own, decisions, share, at, list);
    at -= layers;
    if (at < own->request->graph->map_count)
        return vdnn_opt_moves_of_map(own, decisions, share, at, list);
    return vdnn_opt_moves_of_loads(own, decisions, list);
}

static void draw_moves(const vdnn_opt_search *own, uint32_t round, vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->request->graph;
    const uint32_t subjects = (uint32_t)(2 * graph->layer_count + graph->map_count + 1);
    uint32_t bits[4], counter[4] = {0, round, 0, 0};
    vdnn_random_philox(KEY, counter, bits);
    for (uint32_t made = 0, most = 1 + bits[0] % MOST_MOVES;
         made < most && counter[0] < subjects;) {
        vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
        counter[0]++;
        vdnn_random_philox(KEY, counter, bits);
        int count = moves_of(own, decisions, bits[0] % subjects, list);
        if (count > 0)
            vdnn_opt_moves_make(&list[bits[1] % (uint32_t)count], decisions);
        made += count > 0;
    }
}

/* From what was drawn: a search of its own, whose best may be worse. */
static vdnn_status climb_anew(vdnn_opt_search *anew, vdnn_decisions *decisions, double most_seconds)
{

    vdnn_status status = vdnn_opt_climb_from(anew, decisions);
    if (status != VDNN_OK || !anew->found || anew->time.step_seconds > most_seconds)
        return status;
    return vdnn_opt_climb(anew, VDNN_OPT_IN_ORDER);
}

static vdnn_status kick(vdnn_opt_search *own, uint32_t round, vdnn_decisions *scratch)
{
    vdnn_opt_search anew;
    vdnn_status status = vdnn_opt_search_init(own->request, own->chained, &anew);
    if (status != VDNN_OK)
        return status;
    anew.trials = own->trials;
    anew.until = own->trials + CLIMB_TRIALS;
    vdnn_decisions_assign(scratch, &own->best);
    draw_moves(own, round, scratch);
    status = climb_anew(&anew, scratch, MOST_TIME * own->time.step_seconds);
    own->trials = anew.trials + 1;
    if (status == VDNN_OK && anew.found && vdnn_opt_search_is_better(own, &anew.time)) {
        vdnn_decisions_assign(&own->best, &anew.best);
        own->time = anew.time;
    }
    vdnn_opt_search_fini(&anew);
    return status;
}

vdnn_status vdnn_opt_kick(vdnn_opt_search *own)
{
    vdnn_decisions scratch;
    vdnn_status status = vdnn_decisions_copy(&scratch, &own->best);
    if (status != VDNN_OK)
        return status;
    while (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = kick(own, own->kicks++, &scratch);
    vdnn_decisions_fini(&scratch);
    return status;
}
