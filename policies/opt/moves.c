#include "policies/opt/moves.h"

#include "policies/late_load.h"
#include "policies/recompute.h"
#include "runtime/base/heap.h"

double vdnn_opt_copies_out_seconds(const vdnn_opt_search *own, size_t bytes)
{
    const vdnn_profile *profile = own->profile;
    return profile->copy_latency_seconds + (double)bytes / profile->copy_out_bytes_per_second;
}

double vdnn_opt_copies_in_seconds(const vdnn_opt_search *own, size_t bytes)
{
    const vdnn_profile *profile = own->profile;
    return profile->copy_latency_seconds + (double)bytes / profile->copy_in_bytes_per_second;
}

/* ---- copies, each alone ---------------------------------------------------------------------- */

/* Returns the last layer that uses the map in forward, or the next one if that layer computes it.
 */
static int32_t first_leave(const vdnn_graph *graph, int32_t map)
{
    const vdnn_map *at = &graph->maps[map];
    const bool is_made_last =
        at->last_forward == at->last_writer && at->last_forward + 1 < graph->layer_count;
    return at->last_forward + is_made_last;
}

/* Returns the layer by whose forward a map is copied out if layers hide the copy that together take
 * this many times as long. */
static int32_t leave_alone(const vdnn_opt_search *own, int32_t map, double times)
{
    const vdnn_graph *graph = own->graph;
    const double seconds = times * vdnn_opt_copies_out_seconds(own, graph->maps[map].bytes);
    int32_t layer = first_leave(graph, map), last = graph->layer_count - 1;
    for (double hidden = own->forward[layer]; hidden < seconds && layer < last;)
        hidden += own->forward[++layer];
    return layer;
}

/* Returns the layer at whose backward the copy in begins, by the same rule. */
static int32_t return_alone(const vdnn_opt_search *own, int32_t map, double times)
{
    const vdnn_graph *graph = own->graph;
    const double seconds = times * vdnn_opt_copies_in_seconds(own, graph->maps[map].bytes);
    int32_t layer = own->needs[map], last = graph->layer_count - 1;
    for (double hidden = 0; hidden < seconds && layer < last;)
        hidden += own->backward[++layer];
    return layer;
}

/* ---- copies in a queue ----------------------------------------------------------------------- */

static bool is_offloaded(const vdnn_decisions *decisions, int32_t map)
{
    return decisions->maps[map].action == VDNN_OFFLOAD;
}

static double positive(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

/* Sums up the queues from the seconds of the copies that begin at each layer. */
static void sum_queues(vdnn_opt_search *own)
{
    double behind = 0, ahead = 0;
    for (int32_t l = 0; l < own->graph->layer_count; l++) {
        behind = positive(behind - (l > 0 ? own->forward[l - 1] : 0)) + own->out_behind[l];
        ahead = positive(ahead - own->backward[l]) + own->in_ahead[l];
        own->out_behind[l] = behind;
        own->in_ahead[l] = ahead;
    }
}

static void need_at(vdnn_opt_search *own, int32_t map, int32_t layer)
{
    if (own->needs[map] < layer)
        own->needs[map] = layer;
}

/* A map's sources are needed where the map is recomputed. */
static void need_sources(vdnn_opt_search *own, int32_t map)
{
    const vdnn_graph *graph = own->graph;
    const int32_t need = own->needs[map];
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l)) {
        const vdnn_layer *layer = &graph->layers[l];
        for (int32_t i = 0; i < layer->input_count; i++)
            need_at(own, graph->tensors[layer->inputs[i]].map, need);
        if (graph->aux_map[l] >= 0 && !vdnn_layer_writes_aux(layer, true))
            need_at(own, graph->aux_map[l], need);
    }
}

/* Goes from the last map to the first, as a map is computed from earlier ones. */
static void note_needs(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->graph;
    for (int32_t m = 0; m < graph->map_count; m++)
        own->needs[m] = vdnn_opt_own_need(&graph->maps[m]);
    for (int32_t m = graph->map_count - 1; m >= 0; m--)
        if (vdnn_decisions_recomputes(decisions, m) && own->needs[m] >= 0)
            need_sources(own, m);
}

static double params_in_seconds(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                int32_t layer)
{
    const vdnn_graph *graph = own->graph;
    const vdnn_params_decision *params = &decisions->params[layer];
    if (params->action != VDNN_OFFLOAD)
        return 0;
    return vdnn_opt_copies_in_seconds(own,
                                      vdnn_graph_state_bytes(graph, layer) +
                                          (params->stays ? 0 : graph->layers[layer].param_bytes));
}

void vdnn_opt_copies_note(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->graph;
    note_needs(own, decisions);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        own->out_behind[l] = 0;
        own->in_ahead[l] = params_in_seconds(own, decisions, l);
    }
    for (int32_t m = 0; m < graph->map_count; m++) {
        if (!is_offloaded(decisions, m))
            continue;
        const size_t bytes = vdnn_decisions_copied_bytes(graph, decisions, m);
        own->out_behind[first_leave(graph, m)] += vdnn_opt_copies_out_seconds(own, bytes);
        if (own->needs[m] >= 0) /* else it leaves in vain, and does not return */
            own->in_ahead[own->needs[m]] += vdnn_opt_copies_in_seconds(own, bytes);
    }
    sum_queues(own);
}

int32_t vdnn_opt_copies_leave_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                     int32_t map, double *exposed_seconds)
{
    const vdnn_graph *graph = own->graph;
    const int32_t first = first_leave(graph, map), last = graph->layer_count - 1;
    double behind = own->out_behind[first];
    int32_t at = first;
    if (!is_offloaded(decisions, map))
        behind += vdnn_opt_copies_out_seconds(own, graph->maps[map].bytes);
    for (behind -= own->forward[at]; behind > 0 && at < last;)
        behind -= own->forward[++at];
    if (exposed_seconds != NULL)
        *exposed_seconds = positive(behind);
    return at;
}

int32_t vdnn_opt_copies_return_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                      int32_t map, double *exposed_seconds)
{
    const vdnn_graph *graph = own->graph;
    const int32_t need = own->needs[map] >= 0 ? own->needs[map] : 0, last = graph->layer_count - 1;
    double ahead = own->in_ahead[need];
    int32_t at = need;
    if (!is_offloaded(decisions, map))
        ahead += vdnn_opt_copies_in_seconds(own, graph->maps[map].bytes);
    while (ahead > 0 && at < last)
        ahead -= own->backward[++at];
    if (exposed_seconds != NULL)
        *exposed_seconds = positive(ahead);
    return at;
}

void vdnn_opt_copies_queue(vdnn_opt_search *own, vdnn_decisions *made)
{
    vdnn_opt_copies_note(own, made);
    for (int32_t m = 0; m < own->graph->map_count; m++) {
        vdnn_map_decision *at = &made->maps[m];
        if (at->action != VDNN_OFFLOAD || at->pieces)
            continue;
        at->leaves = vdnn_opt_copies_leave_queued(own, made, m, NULL);
        at->returns = vdnn_opt_copies_return_queued(own, made, m, NULL);
    }
}

/* ---- offloads -------------------------------------------------------------------------------- */

/* How many times as long as the copy the layers take that hide it. QUEUED: as many layers as the
 * other copies on the link require. */
enum { QUEUED = -1 };
static const double hiding[] = {0, QUEUED, 2, 8, 1, 4};

enum { HIDING = sizeof hiding / sizeof *hiding, FEW_HIDING = 3 };

static double out_seconds(const vdnn_opt_search *own, int32_t map)
{
    return vdnn_opt_copies_out_seconds(own, own->graph->maps[map].bytes);
}

static double in_seconds(const vdnn_opt_search *own, int32_t map)
{
    return vdnn_opt_copies_in_seconds(own, own->graph->maps[map].bytes);
}

static vdnn_map_decision offload(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 int32_t map, int out, int in)
{
    return (vdnn_map_decision){
        .action = VDNN_OFFLOAD,
        .leaves = hiding[out] >= 0 ? leave_alone(own, map, hiding[out])
                                   : vdnn_opt_copies_leave_queued(own, decisions, map, NULL),
        .returns = hiding[in] >= 0 ? return_alone(own, map, hiding[in])
                                   : vdnn_opt_copies_return_queued(own, decisions, map, NULL)};
}

double vdnn_opt_moves_link_share(const vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    static const double idle = 0.6, busy = 1.0, least = 0.02;
    const vdnn_graph *graph = own->graph;
    const vdnn_profile *profile = own->profile;
    double bytes = 0, leaving = 0; /* leaving: in backward */
    if (own->link_price > 0)
        return own->link_price;
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += (double)vdnn_decisions_copied_bytes(graph, decisions, m);
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (decisions->params[l].action == VDNN_OFFLOAD)
            leaving += (double)(graph->layers[l].param_bytes + vdnn_graph_state_bytes(graph, l));
    double out = bytes / profile->copy_out_bytes_per_second / own->forward_seconds,
           in = (bytes + leaving) / profile->copy_in_bytes_per_second / own->backward_seconds,
           load = out > in ? out : in;
    double share = (load - idle) / (busy - idle);
    return share < least ? least : share > 1 ? 1 : share;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_same(const vdnn_map_decision *a, const vdnn_map_decision *b)
{
    return a->action == b->action && a->leaves == b->leaves && a->returns == b->returns &&
           a->spills == b->spills && a->between == b->between && a->pieces == b->pieces;
}

typedef struct lister {
    const vdnn_opt_search *own;
    const vdnn_decisions *decisions;
    int32_t map;
    vdnn_opt_move *list;
    int count;
    double share; /* of a copy that is not hidden, about */
} lister;

/* Returns the seconds of a map's copies that no layer hides. */
static double exposed_seconds(const lister *of, const vdnn_map_decision *decision)
{
    const vdnn_map *map = &of->own->graph->maps[of->map];
    double out = out_seconds(of->own, of->map), in = in_seconds(of->own, of->map);
    for (int32_t l = map->last_forward; l <= decision->leaves; l++)
        out -= of->own->forward[l];
    for (int32_t l = of->own->needs[of->map] + 1; l <= decision->returns; l++)
        in -= of->own->backward[l];
    return positive(out) + positive(in);
}

/* Returns the seconds that a decision for the map costs. */
static double map_seconds(const lister *of, const vdnn_map_decision *decision)
{
    int32_t uses = decision->between == decision->action && decision->action != VDNN_KEEP
                       ? of->own->graph->maps[of->map].needed_count
                       : 1;
    if (decision->action == VDNN_RECOMPUTE)
        return uses * vdnn_recompute_seconds(of->own->request, of->decisions, of->map);
    if (decision->action != VDNN_OFFLOAD)
        return 0;
    return of->share * (out_seconds(of->own, of->map) + uses * in_seconds(of->own, of->map)) +
           exposed_seconds(of, decision);
}

static void add_map(lister *of, vdnn_map_decision decision)
{
    const vdnn_map_decision *now = &of->decisions->maps[of->map];
    if (decision.action != VDNN_OFFLOAD && decision.between == VDNN_OFFLOAD)
        return;
    if (is_same(&decision, now) || of->count == VDNN_OPT_MOVES_MOST)
        return;
    for (int i = 0; i < of->count; i++)
        if (is_same(&of->list[i].map, &decision))
            return;
    of->list[of->count++] =
        (vdnn_opt_move){.subject = VDNN_OPT_MAP,
                        .index = of->map,
                        .map = decision,
                        .seconds = map_seconds(of, &decision) - map_seconds(of, now),
                        .saved_bytes = of->own->alive[of->map].map_bytes};
}

/* Whether an offloaded map could be copied in pieces. */
static bool may_cut(const vdnn_opt_search *own, const vdnn_decisions *decisions, int32_t map)
{
    vdnn_map_decision *at = &decisions->maps[map];
    const vdnn_map_decision now = *at;
    *at = (vdnn_map_decision){.action = VDNN_OFFLOAD};
    bool may = vdnn_decisions_pieces_refusal(own->graph, decisions, map) == NULL;
    *at = now;
    return may;
}

static void add_if_within(lister *of, vdnn_map_decision made)
{
    const vdnn_graph *graph = of->own->graph;
    const vdnn_map *map = &graph->maps[of->map];
    if (made.leaves >= map->last_forward && made.leaves < graph->layer_count &&
        made.returns >= map->needed_by[0] && made.returns < graph->layer_count)
        add_map(of, made);
}

/* Adds moves for an offloaded map: some layers more, or fewer, hide its copy. */
static void add_neighbours(lister *of)
{
    static const int32_t by[] = {1, -1, 2, -2, 4, -4};
    const vdnn_map_decision *now = &of->decisions->maps[of->map];
    if (now->action != VDNN_OFFLOAD || of->own->pace != VDNN_OPT_THOROUGH)
        return;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        vdnn_map_decision leaves = *now, returns = *now;
        leaves.leaves += by[i];
        returns.returns += by[i];
        add_if_within(of, leaves);
        add_if_within(of, returns);
    }
}

static void add_offloads(lister *of)
{
    const vdnn_graph *graph = of->own->graph;
    const bool is_one = graph->maps[of->map].needed_count == 1,
               can_cut = may_cut(of->own, of->decisions, of->map);
    const int hidings = of->own->lists_few ? FEW_HIDING : HIDING;
    for (int out = 0; out < hidings; out++)
        for (int in = 0; in < hidings; in++) {
            vdnn_map_decision made = offload(of->own, of->decisions, of->map, out, in);
            add_map(of, made);
            made.between = VDNN_OFFLOAD;
            if (!is_one && in <= 1)
                add_map(of, made);
            made.pieces = 1;
            if (can_cut && !is_one && out <= 1 && in <= 1)
                add_map(of, made);
            made.between = VDNN_KEEP;
            if (can_cut && out <= 1 && in <= 1)
                add_map(of, made);
        }
}

/* Whether the map would have to be recomputed from one that is copied in pieces, which is
 * impossible. */
static bool reads_pieces(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    vdnn_map_decision *at = &decisions->maps[map];
    const vdnn_map_decision now = *at;
    bool reads = false;
    *at = (vdnn_map_decision){.action = VDNN_RECOMPUTE};
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        for (int32_t i = 0; i < graph->layers[l].input_count; i++) {
            const int32_t input = graph->tensors[graph->layers[l].inputs[i]].map;
            reads = reads || (decisions->maps[input].pieces != 0 &&
                              vdnn_decisions_pieces_refusal(graph, decisions, input) != NULL);
        }
    *at = now;
    return reads;
}

/* A map that no backward pass needs has to stay only if another map is recomputed from it, unless
 * it is recomputed before that, too. */
static int list_unneeded(lister *of)
{
    add_map(of, (vdnn_map_decision){.action = VDNN_DROP});
    if (!reads_pieces(of->own->graph, of->decisions, of->map) &&
        vdnn_opt_may_recompute(of->own, of->decisions, of->map))
        add_map(of, (vdnn_map_decision){.action = VDNN_RECOMPUTE});
    return of->count;
}

int vdnn_opt_moves_of_map(const vdnn_opt_search *own, const vdnn_decisions *decisions, double share,
                          int32_t map, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_graph *graph = own->graph;
    const vdnn_map *at = &graph->maps[map];
    const bool may_offload = own->profile->copy_out_bytes_per_second > 0 &&
                             at->bytes <= own->budget_bytes[VDNN_TIER_HOST];
    lister of = {own, decisions, map, list, 0, share};
    if (vdnn_decisions_tail_has(graph, decisions, map))
        return 0;
    if (at->needed_count == 0)
        return vdnn_decisions_is_read_again(graph, decisions, map) ? list_unneeded(&of) : 0;
    add_map(&of, (vdnn_map_decision){.action = VDNN_KEEP});
    if (!reads_pieces(graph, decisions, map) && vdnn_opt_may_recompute(own, decisions, map)) {
        add_map(&of, (vdnn_map_decision){.action = VDNN_RECOMPUTE});
        if (at->needed_count > 1)
            add_map(&of, (vdnn_map_decision){.action = VDNN_RECOMPUTE, .between = VDNN_RECOMPUTE});
    }
    if (may_offload) {
        add_neighbours(&of);
        add_offloads(&of);
    }
    return of.count;
}

/* ---- gradients of maps ----------------------------------------------------------------------- */

/* Whether backward runs at least two layers between these two. */
static bool are_apart(const vdnn_graph *graph, int32_t later, int32_t earlier)
{
    int32_t between = 0;
    for (int32_t l = earlier + 1; l < later && between < 2; l++)
        between += vdnn_layer_has_pass(&graph->layers[l], VDNN_BACKWARD_DATA) ||
                   vdnn_layer_has_pass(&graph->layers[l], VDNN_BACKWARD_FILTER);
    return between == 2;
}

/* How often the gradient of a tensor waits between two layers that use it: its readers, the last
 * one first, and its producer. */
static int32_t count_waits(const vdnn_graph *graph, const vdnn_tensor *tensor)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tensor->reader_count && tensor->has_gradient; i++)
        count += are_apart(graph, tensor->readers[i],
                           i == 0 ? tensor->producer : tensor->readers[i - 1]);
    return count;
}

/* Counts the waits of the gradients of all tensors that are in place on the map. */
static int32_t count_waits_of_map(const vdnn_graph *graph, int32_t map)
{
    int32_t count = 0;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        count += count_waits(graph, &graph->tensors[graph->layers[l].output]);
    return count;
}

int vdnn_opt_moves_of_gradient(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                               double share, int32_t map, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_graph *graph = own->graph;
    const bool leaves = decisions->maps[map].gradient == VDNN_TIER_DEVICE;
    const int32_t waits = count_waits_of_map(graph, map);
    if (waits == 0 || own->profile->copy_out_bytes_per_second <= 0 ||
        graph->maps[map].bytes > own->budget_bytes[VDNN_TIER_HOST] ||
        vdnn_decisions_gradient_refusal(graph, decisions, map) != NULL)
        return 0;
    const double seconds = waits * share * (out_seconds(own, map) + in_seconds(own, map));
    list[0] = (vdnn_opt_move){.subject = VDNN_OPT_GRADIENT,
                              .index = map,
                              .gradient = leaves ? VDNN_TIER_HOST : VDNN_TIER_DEVICE,
                              .seconds = leaves ? seconds : -seconds,
                              .saved_bytes = leaves ? own->alive[map].gradient_bytes : 0};
    return 1;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Whether a pass may have an algorithm. One that writes a recomputed map must be deterministic. */
static bool may_choose(const vdnn_opt_search *own, const vdnn_decisions *decisions, int32_t layer,
                       int pass, const vdnn_choice *choice)
{
    const vdnn_graph *graph = own->graph;
    int32_t map = graph->tensors[graph->layers[layer].output].map;
    return choice->algorithm->deterministic || pass != VDNN_FORWARD ||
           !vdnn_decisions_recomputes(decisions, map);
}

int vdnn_opt_moves_of_layer(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                            int32_t layer, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_layer_profile *at = &own->profile->layers[layer];
    int count = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        if (at->choice_count[p] == 0)
            continue;
        const vdnn_choice *now = &at->choices[p][decisions->choice[layer][p]];
        for (int32_t i = 0; i < at->choice_count[p] && count < VDNN_OPT_MOVES_MOST; i++) {
            const vdnn_choice *other = &at->choices[p][i];
            if (other == now ||
                (other->seconds >= now->seconds &&
                 other->workspace_bytes >= now->workspace_bytes) ||
                !may_choose(own, decisions, layer, p, other))
                continue;
            size_t saved = now->workspace_bytes > other->workspace_bytes
                               ? now->workspace_bytes - other->workspace_bytes
                               : 0;
            list[count++] = (vdnn_opt_move){.subject = VDNN_OPT_PASS,
                                            .index = layer,
                                            .pass = (vdnn_pass)p,
                                            .choice = i,
                                            .seconds = other->seconds - now->seconds,
                                            .saved_bytes = saved};
        }
    }
    return count;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Returns the seconds of the layers that run, in one half of the step, between the begin of a copy
 * of parameters and the layer: back to the layer that is `ahead` layers with parameters before it.
 */
static double hidden_seconds(const vdnn_opt_search *own, int32_t layer, int32_t ahead, bool forward)
{
    const vdnn_graph *graph = own->graph;
    double hidden = 0;
    for (int32_t l = layer, by = forward ? -1 : 1; ahead > 0;) {
        l += by;
        if (l < 0 || l >= graph->layer_count)
            return hidden;
        hidden += forward ? own->forward[l] : own->backward[l];
        ahead -= graph->layers[l].param_bytes > 0;
    }
    return hidden;
}

/* Returns about what the copies of a block cost: copies in before forward, and before backward with
 * the optimizer state, copies out after both; and the seconds that no layer hides. */
static double params_seconds(const vdnn_opt_search *own, double share, const vdnn_layer *layer,
                             const vdnn_params_decision *decision)
{
    if (decision->action == VDNN_KEEP)
        return 0;
    size_t state = vdnn_graph_state_bytes(own->graph, layer->index),
           both = layer->param_bytes + state;
    double forward = vdnn_opt_copies_in_seconds(own, layer->param_bytes),
           backward = vdnn_opt_copies_in_seconds(own, decision->stays != 0 ? state : both),
           out = vdnn_opt_copies_out_seconds(own, both);
    int32_t ahead = decision->ahead > 0 ? decision->ahead : 1;
    double early = forward - hidden_seconds(own, layer->index, ahead, true),
           late = backward - hidden_seconds(own, layer->index, ahead, false);
    return share * (forward + backward + out) + (early > 0 ? early : 0) + (late > 0 ? late : 0);
}

static bool is_same_params(const vdnn_params_decision *a, const vdnn_params_decision *b)
{
    return a->action == b->action && a->ahead == b->ahead && a->stays == b->stays;
}

/* Lists other decisions for parameters: kept, or copied in at other times. */
static int list_params(const vdnn_params_decision *now,
                       vdnn_params_decision list[VDNN_OPT_MOVES_MOST])
{
    static const vdnn_params_decision others[] = {{.action = VDNN_KEEP},
                                                  {.action = VDNN_OFFLOAD},
                                                  {.action = VDNN_OFFLOAD, .stays = 1},
                                                  {.action = VDNN_OFFLOAD, .ahead = 2},
                                                  {.action = VDNN_OFFLOAD, .ahead = 2, .stays = 1},
                                                  {.action = VDNN_OFFLOAD, .ahead = 4},
                                                  {.action = VDNN_OFFLOAD, .ahead = 4, .stays = 1}};
    int count = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!is_same_params(&others[i], now))
            list[count++] = others[i];
    return count;
}

int vdnn_opt_moves_of_params(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                             double share, int32_t layer, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    vdnn_params_decision others[VDNN_OPT_MOVES_MOST];
    const vdnn_layer *at = &own->graph->layers[layer];
    const vdnn_params_decision *now = &decisions->params[layer];
    const int count = list_params(now, others);
    if (vdnn_decisions_params_refusal(at) != NULL || own->profile->copy_out_bytes_per_second <= 0 ||
        at->param_bytes > own->budget_bytes[VDNN_TIER_HOST])
        return 0;
    for (int i = 0; i < count; i++) {
        list[i] = (vdnn_opt_move){.subject = VDNN_OPT_PARAMS,
                                  .index = layer,
                                  .params = others[i],
                                  .seconds = params_seconds(own, share, at, &others[i]) -
                                             params_seconds(own, share, at, now)};
        if (others[i].action == VDNN_OFFLOAD)
            list[i].saved_bytes = at->param_bytes + vdnn_graph_state_bytes(own->graph, layer);
    }
    return count;
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Whether the move takes less memory at some time of the step. */
static bool takes_less(const vdnn_decisions *decisions, const vdnn_opt_move *other)
{
    if (decisions->loads == VDNN_LOADS_LATE && other->loads == VDNN_LOADS_LATE)
        return other->load_layer < decisions->load_layer;
    return decisions->loads != VDNN_LOADS_OWN && other->loads != VDNN_LOADS_AHEAD;
}

/* Returns the seconds that a step waits for its batch if it loads that itself. */
static double waits_seconds(const vdnn_opt_search *own, vdnn_loads loads)
{
    return loads == VDNN_LOADS_OWN
               ? vdnn_opt_copies_in_seconds(own, vdnn_graph_input_bytes(own->graph))
               : 0;
}

static bool loads_so(const vdnn_decisions *decisions, const vdnn_opt_move *move)
{
    return decisions->loads == move->loads && decisions->load_layer == move->load_layer;
}

int vdnn_opt_moves_of_loads(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                            vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_graph *graph = own->graph;
    const int32_t layer = decisions->load_layer;
    if (!vdnn_decisions_may_load_ahead(graph, own->profile))
        return 0;
    vdnn_decisions late = *decisions;
    vdnn_late_load_decide(graph, own->profile, &late);
    const vdnn_opt_move others[] = {{.loads = VDNN_LOADS_OWN},
                                    {.loads = VDNN_LOADS_AHEAD},
                                    {.loads = VDNN_LOADS_LATE, .load_layer = late.load_layer},
                                    {.loads = VDNN_LOADS_LATE, .load_layer = layer - 1},
                                    {.loads = VDNN_LOADS_LATE, .load_layer = layer + 1}};
    const int ways = decisions->loads != VDNN_LOADS_LATE ? 3 : own->lists_few ? 2 : 5;
    int count = 0;
    for (int i = 0; i < ways; i++) {
        const int32_t begins = others[i].load_layer;
        if (loads_so(decisions, &others[i]) || begins < 0 || begins >= graph->layer_count)
            continue;
        list[count] = others[i];
        list[count].subject = VDNN_OPT_LOADS;
        list[count].seconds =
            waits_seconds(own, others[i].loads) - waits_seconds(own, decisions->loads);
        if (takes_less(decisions, &others[i]))
            list[count].saved_bytes = vdnn_graph_input_bytes(graph);
        count++;
    }
    return count;
}

/* ---- making ---------------------------------------------------------------------------------- */

void vdnn_opt_moves_make(const vdnn_opt_move *move, vdnn_decisions *decisions)
{
    switch (move->subject) {
    case VDNN_OPT_MAP: {
        const vdnn_tier gradient = decisions->maps[move->index].gradient;
        decisions->maps[move->index] = move->map;
        decisions->maps[move->index].gradient = gradient;
        break;
    }
    case VDNN_OPT_GRADIENT:
        decisions->maps[move->index].gradient = move->gradient;
        break;
    case VDNN_OPT_PASS:
        decisions->choice[move->index][move->pass] = move->choice;
        break;
    case VDNN_OPT_LOADS:
        decisions->loads = move->loads;
        decisions->load_layer = move->load_layer;
        break;
    case VDNN_OPT_PARAMS:
        decisions->params[move->index] = move->params;
        break;
    }
}

bool vdnn_opt_moves_share(const vdnn_opt_move *a, const vdnn_opt_move *b)
{
    return a->subject == b->subject && a->index == b->index &&
           (a->subject != VDNN_OPT_PASS || a->pass == b->pass);
}

bool vdnn_opt_moves_are_same(const vdnn_opt_move *a, const vdnn_opt_move *b)
{
    if (!vdnn_opt_moves_share(a, b))
        return false;
    switch (a->subject) {
    case VDNN_OPT_MAP:
        return is_same(&a->map, &b->map);
    case VDNN_OPT_GRADIENT:
        return a->gradient == b->gradient;
    case VDNN_OPT_PASS:
        return a->choice == b->choice;
    case VDNN_OPT_LOADS:
        return a->loads == b->loads && a->load_layer == b->load_layer;
    case VDNN_OPT_PARAMS:
        return is_same_params(&a->params, &b->params);
    }
    return false;
}

/* ---- sets of moves --------------------------------------------------------------------------- */

vdnn_status vdnn_opt_move_set_init(const vdnn_graph *graph, vdnn_opt_move_set *own)
{
    const bool more_maps = graph->map_count > graph->layer_count;
    *own = (vdnn_opt_move_set){.indexes = more_maps ? graph->map_count : graph->layer_count};
    own->list = vdnn_heap_calloc(VDNN_OPT_MOVE_SET_MOST, sizeof *own->list);
    own->before = vdnn_heap_calloc(VDNN_OPT_MOVE_SET_MOST, sizeof *own->before);
    own->last = vdnn_heap_calloc(VDNN_OPT_SUBJECTS * (size_t)own->indexes, sizeof *own->last);
    if (own->list == NULL || own->before == NULL || own->last == NULL) {
        vdnn_opt_move_set_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to remember moves");
    }
    vdnn_opt_move_set_clear(own);
    return VDNN_OK;
}

void vdnn_opt_move_set_fini(vdnn_opt_move_set *own)
{
    vdnn_heap_free(own->list);
    vdnn_heap_free(own->before);
    vdnn_heap_free(own->last);
    *own = (vdnn_opt_move_set){0};
}

static int *last_of(const vdnn_opt_move_set *own, const vdnn_opt_move *move)
{
    return &own->last[(int)move->subject * own->indexes + move->index];
}

void vdnn_opt_move_set_add(vdnn_opt_move_set *own, const vdnn_opt_move *move)
{
    int *last = last_of(own, move);
    if (own->count == VDNN_OPT_MOVE_SET_MOST)
        return;
    own->list[own->count] = *move;
    own->before[own->count] = *last;
    *last = own->count++;
}

bool vdnn_opt_move_set_has(const vdnn_opt_move_set *own, const vdnn_opt_move *move)
{
    int i = *last_of(own, move);
    while (i >= 0 && !vdnn_opt_moves_are_same(&own->list[i], move))
        i = own->before[i];
    return i >= 0;
}

void vdnn_opt_move_set_clear(vdnn_opt_move_set *own)
{
    own->count = 0;
    for (int i = 0; i < VDNN_OPT_SUBJECTS * own->indexes; i++)
        own->last[i] = -1;
}
