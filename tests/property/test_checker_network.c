/* The graph that a plan is of: one that says anything else of its layers than their definitions
 * mean is refused, and so is a plan that believes it. */

#include "tests/support/checked_plan.h"

/* Each breaks one thing that the graph says of its layers. */
static void break_needs(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_CONV2].needs[VDNN_BACKWARD_FILTER] = 0;
}

static void break_needs_of_one_pass(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_CONV2].needs[VDNN_BACKWARD_DATA] = VDNN_NEEDS_X;
}

static void break_mask(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_POOL].aux_bytes -= 1;
}

static void break_wanted(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_BOTH].wants_dx[1] = false;
}

static void break_unwanted(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_CONV1].wants_dx[0] = true;
}

static void break_params(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_FC].param_bytes -= sizeof(float);
}

static void break_gradient(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_FC].trainable_bytes -= sizeof(float);
}

static void break_done(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_RELU2].is_fused = !graph->layers[VDNN_TEST_RELU2].is_fused;
}

static void break_relu(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_LEFT].epilogue = VDNN_EPILOGUE_RELU;
}

static void break_done_of_another(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_DROP1].is_fused = true;
    graph->layers[VDNN_TEST_CONV1].epilogue = VDNN_EPILOGUE_RELU;
}

static void break_in_place(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_RIGHT].in_place = true;
}

static void break_out_of_place(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_DROP1].in_place = false;
}

static void break_map(vdnn_graph *graph)
{
    graph->tensors[graph->layers[VDNN_TEST_LEFT].output].map =
        graph->tensors[graph->layers[VDNN_TEST_RIGHT].output].map;
}

static void break_map_bytes(vdnn_graph *graph)
{
    graph->maps[graph->tensors[graph->layers[VDNN_TEST_LEFT].output].map].bytes -= 4;
}

static void break_aux_bytes(vdnn_graph *graph)
{
    graph->maps[graph->aux_map[VDNN_TEST_POOL]].bytes -= 1;
}

static void break_aux_map(vdnn_graph *graph)
{
    graph->aux_map[VDNN_TEST_POOL] = graph->tensors[graph->layers[VDNN_TEST_POOL].output].map;
}

static void break_shape(vdnn_graph *graph)
{
    graph->tensors[graph->layers[VDNN_TEST_LEFT].output].desc.dims[VDNN_C]--;
}

static void break_producer(vdnn_graph *graph)
{
    graph->tensors[graph->layers[VDNN_TEST_LEFT].output].producer = VDNN_TEST_RIGHT;
}

static void break_input(vdnn_graph *graph)
{
    graph->layers[VDNN_TEST_RIGHT].inputs[0] = graph->layers[VDNN_TEST_CONV1].output;
}

static const struct {
    void (*breaks)(vdnn_graph *);
    const char *part;
} broken_graphs[] = {
    {break_needs, "layer conv2 has other needs"},
    {break_needs_of_one_pass, "layer conv2 has other needs"},
    {break_mask, "layer pool has more or fewer bytes to save"},
    {break_wanted, "layer both has other gradients"},
    {break_unwanted, "layer conv1 has other gradients"},
    {break_params, "layer fc has more or fewer bytes of parameters"},
    {break_gradient, "layer fc has more or fewer bytes of parameters"},
    {break_done, "relu2 has another producer"},
    {break_relu, "apply the one behind them"},
    {break_done_of_another, "layer drop1 has another producer"},
    {break_in_place, "layer right has another place"},
    {break_out_of_place, "layer drop1 has another place"},
    {break_map, "layer right has another place"},
    {break_map_bytes, "layer left has another place or size"},
    {break_aux_bytes, "layer pool has another place or size of what it saves"},
    {break_aux_map, "layer pool has another place or size of what it saves"},
    {break_shape, "layer left has other inputs or another output"},
    {break_producer, "layer left has other inputs or another output"},
    {break_input, "layer right has other inputs or another output"},
};

static void a_graph_that_its_layers_do_not_mean_is_refused(void **state)
{
    for (size_t i = 0; i < sizeof broken_graphs / sizeof *broken_graphs; i++) {
        vdnn_plan *broken = vdnn_test_checked_fresh(*state);
        vdnn_graph *graph = vdnn_test_checked_graph();
        broken->graph = graph;
        assert_ok(vdnn_test_checked_status(broken));
        broken_graphs[i].breaks(graph);
        assert_refused(broken, broken_graphs[i].part);
        vdnn_graph_destroy(graph);
    }
}

/* A planner with too few needs makes a plan that does too little, and is consistent by itself. */
static void a_plan_that_believes_a_wrong_graph_is_refused(void **state)
{
    static void (*const breaks[])(vdnn_graph *) = {break_needs, break_mask, break_gradient};
    const vdnn_test_checked *f = *state;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        vdnn_graph *graph = vdnn_test_checked_graph();
        breaks[i](graph);
        vdnn_plan *plan = vdnn_test_checked_plan(graph, f->profile, VDNN_LOADS_OWN, false);
        assert_refused(plan, "than its definition says");
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_that_its_layers_do_not_mean_is_refused),
        cmocka_unit_test(a_plan_that_believes_a_wrong_graph_is_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
