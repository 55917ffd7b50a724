/* The values of a graph are what plans access, and their uses when: random networks with ties,
 * tokens, parts, micro-batches and several devices, whose plans keep all or decide anything. */

#include "runtime/plan/values.h"
#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"

#include <stdlib.h>

/* What the steps of a plan do to each value at each slot: as vdnn_use. */
typedef struct seen {
    const vdnn_graph *graph;
    const vdnn_plan *plan;
    vdnn_values values;
    vdnn_use *at; /* of each value, 3 layer_count slots */
    uint64_t seed;
} seen;

static vdnn_use *seen_at(const seen *s, const vdnn_value *value, vdnn_slot slot)
{
    return &s->at[(value - s->values.list) * 3 * s->graph->layer_count + slot];
}

static vdnn_slot slot_of(const seen *s, const vdnn_step *step)
{
    if (step->kind == VDNN_STEP_UPDATE)
        return vdnn_slot_update(s->graph, step->layer);
    return step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD
               ? vdnn_slot_forward(s->graph, step->layer)
               : vdnn_slot_backward(s->graph, step->layer);
}

static const vdnn_value *map_value(const seen *s, int32_t map)
{
    const bool is_input = s->graph->maps[map].kind == VDNN_MAP_INPUT;
    return vdnn_values_find(&s->values, is_input ? VDNN_VALUE_BATCH : VDNN_VALUE_MAP, map);
}

static const vdnn_value *value_of(const seen *s, const vdnn_step *step, const vdnn_access *access)
{
    const vdnn_layer *layer = &s->graph->layers[step->layer];
    const vdnn_tensor *tensors = s->graph->tensors;
    switch ((vdnn_bind)access->bind) {
    case VDNN_BIND_X:
        return map_value(s, tensors[layer->inputs[access->slot]].map);
    case VDNN_BIND_Y:
        return map_value(s, tensors[layer->output].map);
    case VDNN_BIND_AUX:
        return map_value(s, s->graph->aux_map[layer->index]);
    case VDNN_BIND_LABELS:
        return vdnn_values_find(&s->values, VDNN_VALUE_BATCH, vdnn_graph_labels_row(s->graph));
    case VDNN_BIND_DX:
        return vdnn_values_find(&s->values, VDNN_VALUE_GRADIENT, layer->inputs[access->slot]);
    case VDNN_BIND_DY:
        return vdnn_values_find(&s->values, VDNN_VALUE_GRADIENT, layer->output);
    case VDNN_BIND_W:
        return vdnn_values_find(&s->values, VDNN_VALUE_WEIGHTS, layer->owner);
    case VDNN_BIND_DW:
        return vdnn_values_find(
            &s->values, VDNN_VALUE_SUM,
            step->kind == VDNN_STEP_UPDATE ? layer->owner : vdnn_graph_sum_of(s->graph, layer));
    case VDNN_BIND_STATE:
        return vdnn_values_find(&s->values, VDNN_VALUE_STATE, layer->owner);
    default: /* workspaces, and what is held */
        return NULL;
    }
}

static void see_step(seen *s, const vdnn_step *step)
{
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &s->plan->accesses[step->first_access + k];
        const vdnn_value *value = value_of(s, step, access);
        if (value == NULL) {
            assert_true(access->mode == VDNN_HOLD || access->bind == VDNN_BIND_WORKSPACE ||
                        access->bind == VDNN_BIND_STAGED || access->bind == VDNN_BIND_HOLD ||
                        access->bind == VDNN_BIND_SRC);
            continue;
        }
        vdnn_use *at = seen_at(s, value, slot_of(s, step));
        at->reads |= (access->mode & VDNN_READ) != 0;
        at->writes |= (access->mode & VDNN_WRITE) != 0;
    }
}

/* Kernels, and updates by themselves; sums are made at the slots of the kernels that they are of.
 */
static void see_plan(seen *s)
{
    const size_t slots = (size_t)s->values.count * 3 * (size_t)s->graph->layer_count;
    s->at = calloc(slots, sizeof *s->at);
    assert_non_null(s->at);
    for (int32_t i = 0; i < s->plan->step_count; i++)
        if (s->plan->steps[i].kind == VDNN_STEP_RUN || s->plan->steps[i].kind == VDNN_STEP_UPDATE)
            see_step(s, &s->plan->steps[i]);
}

static const vdnn_use *use_at(const seen *s, const vdnn_value *value, vdnn_slot slot)
{
    for (int32_t k = 0; k < value->use_count; k++)
        if (s->values.uses[value->first_use + k].slot == slot)
            return &s->values.uses[value->first_use + k];
    return NULL;
}

/* Only sums are read by other steps, which add to them. */
static bool is_sum(const vdnn_value *value)
{
    return value->kind == VDNN_VALUE_GRADIENT || value->kind == VDNN_VALUE_SUM;
}

static void compare_use(const seen *s, const vdnn_value *value, vdnn_slot slot, bool keeps_all)
{
    static const vdnn_use none = {0};
    const vdnn_use *of_plan = seen_at(s, value, slot), *found = use_at(s, value, slot),
                   *own = found == NULL ? &none : found;
    const bool lacks = (of_plan->reads && !own->reads && !(is_sum(value) && own->writes)) ||
                       (of_plan->writes && !own->writes),
               exceeds = (own->reads && !of_plan->reads && value->kind != VDNN_VALUE_SUM &&
                          !(is_sum(value) && own->writes)) ||
                         (own->writes && !of_plan->writes);
    if (lacks || (keeps_all && exceeds))
        fail_msg("seed %llu: %s %d at slot %d of %d layers: the plan has %s%s, the values %s%s",
                 (unsigned long long)s->seed, vdnn_value_text(value->kind), (int)value->of,
                 (int)slot, (int)s->graph->layer_count, of_plan->reads ? "r" : "",
                 of_plan->writes ? "w" : "", own->reads ? "r" : "", own->writes ? "w" : "");
}

/* Gaps and uses follow one another, without holes. */
static void check_lists(const vdnn_values *values)
{
    int32_t uses = 0, gaps = 0;
    for (int32_t v = 0; v < values->count; v++) {
        const vdnn_value *value = &values->list[v];
        assert_int_equal(value->first_use, uses);
        assert_int_equal(value->first_gap, gaps);
        assert_int_equal(value->gap_count, value->use_count - (value->wraps ? 0 : 1));
        assert_ptr_equal(vdnn_values_find(values, value->kind, value->of), value);
        for (int32_t k = 1; k < value->use_count; k++)
            assert_true(values->uses[uses + k - 1].slot < values->uses[uses + k].slot);
        uses += value->use_count;
        gaps += value->gap_count;
    }
    assert_int_equal(values->use_count, uses);
    assert_int_equal(values->gap_count, gaps);
}

static void compare(const vdnn_graph *graph, const vdnn_profile *profile,
                    const vdnn_decisions *decisions, bool keeps_all, uint64_t seed)
{
    vdnn_plan *plan;
    assert_ok(vdnn_planner_plan(graph, profile, decisions, &plan));
    seen s = {.graph = graph, .plan = plan, .seed = seed};
    assert_ok(vdnn_values_init(graph, &s.values));
    check_lists(&s.values);
    see_plan(&s);
    for (int32_t v = 0; v < s.values.count; v++)
        for (vdnn_slot slot = 0; slot < 3 * graph->layer_count; slot++)
            compare_use(&s, &s.values.list[v], slot, keeps_all);
    free(s.at);
    vdnn_values_fini(&s.values);
    vdnn_plan_destroy(plan);
}

static void draw_graph(uint64_t seed, vdnn_test_rng *rng, vdnn_graph **graph)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.ties = vdnn_test_between(rng, 0, 2) == 0;
    request.words = vdnn_test_between(rng, 0, 2) == 0;
    request.parts = vdnn_test_between(rng, 0, 1) ? 2 : 0;
    if (vdnn_test_between(rng, 0, 2) == 0) {
        request.devices = (int32_t)vdnn_test_between(rng, 2, 3);
        request.shards = vdnn_test_between(rng, 0, 1);
    }
    assert_ok(vdnn_random_model_graph(
        &request, vdnn_test_between(rng, 0, 1) ? VDNN_RULES_LEAN : VDNN_RULES_PAPER, graph));
}

static void the_accesses_of_plans_are_the_uses_of_values(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(5000); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {seed};
        vdnn_graph *graph;
        vdnn_profile *profile;
        vdnn_decisions keeps, any;
        draw_graph(seed, &rng, &graph);
        assert_ok(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile));
        assert_ok(vdnn_decisions_init(&keeps, graph));
        compare(graph, profile, &keeps, true, seed);
        assert_ok(vdnn_random_decisions(graph, profile, &rng, &any));
        compare(graph, profile, &any, false, seed);
        vdnn_decisions_fini(&any);
        vdnn_decisions_fini(&keeps);
        vdnn_profile_destroy(profile);
        vdnn_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_accesses_of_plans_are_the_uses_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
