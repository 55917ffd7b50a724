/* Which of a layer's passes of backward runs first: backward filter where x is then gone before dx
 * comes, and takes as much memory as the gradient of the parameters that is there instead.
 *
 *   conv1 -> pool1 -+-> conv2 -+-> join -> conv3 -> pool2 -> fc1
 *                   `-> conv4 -'
 */

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/policy_case.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* The parts of fc1 are to be filled in. The gradient of its weights is larger than its x. */
static const char form[] = "name: forked\n"
                           "input: {channels: 3, height: 16, width: 16}\n"
                           "classes: 40\n"
                           "batch: 16\n"
                           "layers:\n"
                           "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                           "  - {name: pool1, type: maxpool, kernel: 2}\n"
                           "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
                           "  - {name: conv4, type: conv, from: pool1, out: 8, kernel: 3, pad: 1}\n"
                           "  - {name: join, type: add, from: [conv2, conv4]}\n"
                           "  - {name: conv3, type: conv, out: 8, kernel: 3, pad: 1}\n"
                           "  - {name: pool2, type: maxpool, kernel: 2}\n"
                           "  - {name: fc1, type: fc, out: 40, parts: %d}\n"
                           "  - {name: loss, type: softmax_loss}\n";

/* By the name of a layer whose x is offloaded, and of the one whose backward hides the copy in;
 * once more for each layer that needs it. */
typedef struct way_back {
    const char *reader, *hidden_by;
    bool comes_again;
} way_back;

typedef struct scene {
    const char *what, *layer;
    bool filter_first;
    way_back of_x;
    int parts; /* of fc1; 0: 1 */
    bool is_fused, is_of_paper;
} scene;

static const scene scenes[] = {
    {.what = "x is gone", .layer = "conv3", .filter_first = true},
    {.what = "the last of two", .layer = "conv2", .filter_first = true},
    {.what = "x is needed yet", .layer = "conv4"},
    {.what = "x comes again",
     .layer = "conv4",
     .of_x = {.reader = "conv4", .hidden_by = "fc1", .comes_again = true},
     .filter_first = true},
    {.what = "x comes beside", .layer = "conv3", .of_x = {.reader = "conv3", .hidden_by = "conv3"}},
    {.what = "x came before",
     .layer = "conv3",
     .of_x = {.reader = "conv3", .hidden_by = "fc1"},
     .filter_first = true},
    {.what = "dw is larger", .layer = "fc1"},
    {.what = "dw is there", .layer = "fc1", .parts = 2, .filter_first = true},
    {.what = "w changes", .layer = "conv3", .is_fused = true},
    {.what = "the paper", .layer = "conv3", .is_of_paper = true},
};

static int32_t layer_of(const vdnn_graph *graph, const char *name)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].name, name) == 0)
            return l;
    fail_msg("there is no layer '%s'", name);
    return -1;
}

static void offload(const vdnn_graph *graph, const way_back *way, vdnn_decisions *decisions)
{
    if (way->reader == NULL)
        return;
    const vdnn_layer *reader = &graph->layers[layer_of(graph, way->reader)];
    decisions->maps[graph->tensors[reader->inputs[0]].map] =
        (vdnn_map_decision){.action = VDNN_OFFLOAD,
                            .leaves = reader->index,
                            .returns = layer_of(graph, way->hidden_by),
                            .between = way->comes_again ? VDNN_OFFLOAD : VDNN_KEEP};
}

/* The buffer that a step has as that; the gradient of x has one for a single writer. */
static const vdnn_buffer *buffer_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    return &plan->buffers[vdnn_plan_edit_access(plan, step, bind)->buffer];
}

static void check_order(const scene *of, const vdnn_plan *plan, int32_t layer)
{
    const int32_t data = vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_DATA, layer, 0),
                  filter = vdnn_plan_edit_find_run(plan, VDNN_BACKWARD_FILTER, layer, 0);
    if (of->filter_first != (filter < data))
        fail_msg("%s: backward of %s runs in the other order", of->what, of->layer);
    if (of->filter_first && of->parts == 0 && !of->of_x.comes_again) {
        assert_int_equal(buffer_of(plan, filter, VDNN_BIND_X)->last_step, filter);
        assert_int_equal(buffer_of(plan, data, VDNN_BIND_DX)->first_step, data);
    }
}

static void check_scene(const scene *of)
{
    char text[sizeof form + 8];
    const vdnn_graph_options options = {
        .rules = of->is_of_paper ? VDNN_RULES_PAPER : VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_policy_case c;
    vdnn_plan *plan;
    snprintf(text, sizeof text, form, of->parts == 0 ? 1 : of->parts);
    vdnn_policy_case_open(&c, text, &options, VDNN_ALGO_M);
    vdnn_decisions decisions = vdnn_policy_case_decide(&c, "base");
    for (int32_t m = 0; m < decisions.map_count; m++)
        decisions.maps[m].action = c.graph->maps[m].needed_count > 0 ? VDNN_KEEP : VDNN_DROP;
    decisions.updates = of->is_fused ? VDNN_UPDATES_FUSED : VDNN_UPDATES_SEPARATE;
    offload(c.graph, &of->of_x, &decisions);
    assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &plan));
    assert_ok(vdnn_checker_check(plan, plan->span_bytes));
    check_order(of, plan, layer_of(c.graph, of->layer));
    vdnn_plan_destroy(plan);
    vdnn_decisions_fini(&decisions);
    vdnn_policy_case_close(&c);
}

static void backward_filter_runs_first_where_x_is_gone_behind_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        check_scene(&scenes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_filter_runs_first_where_x_is_gone_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
