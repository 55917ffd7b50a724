/* The sampled softmax loss: whose candidates are drawn, and the softmax of evaluations. */

#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const vdnn_layer_case cases[] = {
    {"sampled_softmax", "samples=9", "3x7x20"},
    {"sampled_softmax", "samples=3 ignore=2", "2x150x70"},
    {"sampled_softmax", "samples=1", "2x9000"},
};

static const vdnn_algorithm *row(void)
{
    return vdnn_algorithm_find("sampled_softmax", "gemm", "cpu");
}

static vdnn_bench *bench_of(const vdnn_layer_case *one)
{
    vdnn_layer *layer = NULL;
    assert_ok(vdnn_layer_case_build(one, VDNN_RULE_LEAN, &layer));
    return vdnn_bench_create(layer, 42);
}

static void end(vdnn_bench *bench)
{
    vdnn_layer *layer = (vdnn_layer *)(uintptr_t)bench->layer;
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(an_evaluation_has_the_softmax_of_all_classes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_bench *bench = bench_of(&cases[i]);
        bench->context.evaluate = true;
        vdnn_bench_refer(bench, VDNN_FORWARD);
        assert_ok(vdnn_bench_run(bench, row(), VDNN_FORWARD, 2, 0xff));
        assert_true(vdnn_bench_error(bench, VDNN_FORWARD) <=
                    vdnn_bench_error_bound(bench, row(), VDNN_FORWARD));
        end(bench);
    }
}

static float loss_of(vdnn_bench *bench)
{
    float loss;
    assert_ok(vdnn_bench_run(bench, row(), VDNN_FORWARD, 2, 0xff));
    memcpy(&loss, bench->y.data, sizeof loss);
    return loss;
}

TEST(candidates_are_those_of_the_seed_and_the_step)
{
    vdnn_bench *bench = bench_of(&cases[1]);
    const float first = loss_of(bench);
    bench->context.first_sample += 100;
    bench->first_sample += 3;
    assert_true(loss_of(bench) == first);
    bench->context.step++;
    assert_true(loss_of(bench) != first);
    bench->context.step--;
    bench->context.seed++;
    assert_true(loss_of(bench) != first);
    end(bench);
}

TEST(a_label_beyond_the_classes_is_refused)
{
    vdnn_bench *bench = bench_of(&cases[0]);
    ((int32_t *)(void *)bench->labels.data)[8] = 20;
    assert_status(vdnn_bench_run(bench, row(), VDNN_FORWARD, 1, 0xff), VDNN_BAD_INPUT);
    assert_message("position 1 of sample 1 of the batch has label 20, but the classes are 0 to 19");
    end(bench);
}

TEST(more_samples_than_classes_are_refused)
{
    vdnn_layer *layer = NULL;
    const vdnn_layer_case one = {"sampled_softmax", "samples=21", "3x7x20"};
    assert_status(vdnn_layer_case_build(&one, VDNN_RULE_LEAN, &layer), VDNN_BAD_INPUT);
    assert_message("it draws 21 samples, but the network has 20 classes");
}
