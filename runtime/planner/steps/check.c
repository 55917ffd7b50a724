#include "runtime/planner/steps/check.h"

typedef struct subject {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const vdnn_decisions *decisions;
    bool training;
} subject;

/* Why the decision for a map, or a layer, is not possible, as static text; NULL: it is. */
typedef const char *refusal(const subject *of, int32_t index);

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_offloaded(const subject *of, int32_t m)
{
    return of->training && of->graph->maps[m].needed_count > 0 &&
           of->decisions->maps[m].action == VDNN_OFFLOAD;
}

static const char *refuse_tail(const subject *of, int32_t m)
{
    return of->training ? vdnn_decisions_tail_refusal(of->graph, of->decisions, m) : NULL;
}

static const char *refuse_gradient_tier(const subject *of, int32_t m)
{
    const vdnn_tier tier = of->decisions->maps[m].gradient;
    if ((unsigned)tier >= VDNN_TIER_COUNT)
        return "there is no such tier";
    return tier == VDNN_TIER_DEVICE ? NULL
                                    : vdnn_decisions_gradient_refusal(of->graph, of->decisions, m);
}

static const char *refuse_between(const subject *of, int32_t m)
{
    return vdnn_decisions_between_refusal(of->graph, of->decisions, m);
}

/* A layer from `first` on. */
static bool is_layer(const subject *of, int32_t l, int32_t first)
{
    return l >= first && l < of->graph->layer_count;
}

static const char *refuse_leaving(const subject *of, int32_t m)
{
    if (!is_offloaded(of, m))
        return NULL;
    return is_layer(of, of->decisions->maps[m].leaves, of->graph->maps[m].last_forward)
               ? NULL
               : "forward uses it after that";
}

static const char *refuse_returning(const subject *of, int32_t m)
{
    if (!is_offloaded(of, m))
        return NULL;
    return is_layer(of, of->decisions->maps[m].returns, of->graph->maps[m].needed_by[0])
               ? NULL
               : "backward needs it before that";
}

static const char *refuse_tier(const subject *of, int32_t m)
{
    const int32_t spills = of->decisions->maps[m].spills;
    const bool is_good = spills >= 0 && spills < VDNN_TIER_COUNT - VDNN_TIER_HOST;
    return is_good || !is_offloaded(of, m) ? NULL : "there is no such tier";
}

static const char *refuse_pieces(const subject *of, int32_t m)
{
    return is_offloaded(of, m) && of->decisions->maps[m].pieces
               ? vdnn_decisions_pieces_refusal(of->graph, of->decisions, m)
               : NULL;
}

static const char *refuse_recompute(const subject *of, int32_t m)
{
    const char *why =
        of->training && vdnn_decisions_recomputes(of->decisions, m)
            ? vdnn_decisions_recompute_refusal(of->graph, of->profile, of->decisions, m)
            : NULL;
    return why != NULL ? why : vdnn_decisions_recomputed_refusal(of->graph, of->decisions, m);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static const char *refuse_chain(const subject *of, int32_t l)
{
    return of->decisions->chained[l] ? vdnn_decisions_chain_refusal(of->graph, of->decisions, l)
                                     : NULL;
}

static const char *refuse_params(const subject *of, int32_t l)
{
    return of->decisions->params[l].action == VDNN_OFFLOAD
               ? vdnn_decisions_params_refusal(&of->graph->layers[l])
               : NULL;
}

static const char *refuse_param_gradient(const subject *of, int32_t l)
{
    const vdnn_tier tier = of->decisions->param_gradients[l];
    if ((unsigned)tier >= VDNN_TIER_COUNT)
        return "there is no such tier";
    return tier == VDNN_TIER_DEVICE
               ? NULL
               : vdnn_decisions_param_gradient_refusal(of->graph, &of->graph->layers[l]);
}

/* ---- all ------------------------------------------------------------------------------------- */

typedef struct condition {
    refusal *refuses;
    const char *what, *cannot; /* of the message, before and after the name */
} condition;

static const condition of_layers[] = {
    {refuse_chain, "layer", "cannot be chained"},
    {refuse_params, "the parameters of", "cannot be offloaded"},
    {refuse_param_gradient, "the gradient of the parameters of", "cannot be offloaded"},
};

static const condition of_maps[] = {
    {refuse_tail, "map", "can only be kept"},
    {refuse_gradient_tier, "the gradient of map", "cannot be offloaded"},
    {refuse_between, "map", "cannot be decided so between layers of backward that need it"},
    {refuse_leaving, "map", "cannot leave during that layer"},
    {refuse_returning, "map", "cannot return during that layer"},
    {refuse_tier, "map", "cannot be offloaded that far"},
    {refuse_pieces, "map", "cannot be copied in pieces"},
    {refuse_recompute, "map", "cannot be recomputed"},
};

static vdnn_status fail(const condition *at, const char *name, const char *why)
{
    return vdnn_status_fail(VDNN_INTERNAL, "%s %s %s: %s", at->what, name, at->cannot, why);
}

vdnn_status vdnn_emit_check(const vdnn_graph *graph, const vdnn_profile *profile,
                            const vdnn_decisions *decisions, bool training)
{
    const subject of = {graph, profile, decisions, training};
    const char *why = vdnn_decisions_loads_refusal(graph, decisions);
    if (why != NULL)
        return vdnn_status_fail(VDNN_INTERNAL, "a batch cannot be loaded ahead: %s", why);
    if (graph->stage.count > 0 && decisions->gradients != VDNN_GRADIENTS_EXACT)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "gradients that are sent share no memory with others");
    for (size_t i = 0; i < sizeof of_layers / sizeof *of_layers; i++)
        for (int32_t l = 0; l < graph->layer_count; l++)
            if ((why = of_layers[i].refuses(&of, l)) != NULL)
                return fail(&of_layers[i], graph->layers[l].name, why);
    for (size_t i = 0; i < sizeof of_maps / sizeof *of_maps; i++)
        for (int32_t m = 0; m < graph->map_count; m++)
            if ((why = of_maps[i].refuses(&of, m)) != NULL)
                return fail(&of_maps[i], graph->maps[m].name, why);
    return VDNN_OK;
}
