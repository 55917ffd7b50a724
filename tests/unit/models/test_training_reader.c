#include "models/model.h"

#include "runtime/graph/graph.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* A network of 3 x 16 x 12 whose input and training have further keys; both are in line 2 and 7. */
static vdnn_status parse(const char *input, const char *training, vdnn_model **model)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "name: net\n"
                   "input: {channels: 3, height: 16, width: 12%s}\n"
                   "classes: 10\n"
                   "batch: 4\n"
                   "layers: [{name: fc, type: fc, out: 10},\n"
                   "         {name: loss, type: softmax_loss}]\n"
                   "training: {%s}\n",
                   input, training);
    return vdnn_model_parse(text, strlen(text), "net.yaml", model);
}

static vdnn_model *read(const char *input, const char *training)
{
    vdnn_model *model = NULL;
    assert_ok(parse(input, training, &model));
    return model;
}

TEST(without_keys_pictures_and_rate_stay_as_they_are)
{
    vdnn_model *model = read("", "");
    assert_int_equal(model->inputs[0].normalization.mean.count, 0);
    assert_int_equal(model->inputs[0].normalization.std.count, 0);
    assert_true(model->training.warmup == 0.0);
    assert_int_equal(model->training.schedule.kind, VDNN_RATE_CONSTANT);
    assert_false(model->training.augment.flip);
    assert_int_equal(model->training.augment.crop[0] + model->training.augment.crop[1], 0);
    vdnn_model_destroy(model);
}

TEST(mean_and_std_are_one_number_or_one_for_each_channel)
{
    vdnn_model *model = read(", mean: [0.5, -1, 2e-1], std: 0.25", "");
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_graph_create(model, &(vdnn_graph_options){.batch = 1}, &graph));
    vdnn_model_destroy(model);
    assert_int_equal(graph->inputs[0].normalization.mean.count, 3);
    assert_true(graph->inputs[0].normalization.mean.values[1] == -1.0);
    assert_true(graph->inputs[0].normalization.mean.values[2] == 0.2);
    assert_int_equal(graph->inputs[0].normalization.std.count, 1);
    assert_true(graph->inputs[0].normalization.std.values[0] == 0.25);
    vdnn_graph_destroy(graph);
}

TEST(schedules_have_the_keys_of_their_types)
{
    vdnn_model *model = read("", "lr: 2, warmup: 1.5, schedule: {type: step, every: 30}");
    assert_int_equal(model->training.schedule.kind, VDNN_RATE_STEP);
    assert_true(model->training.schedule.every == 30.0 && model->training.schedule.factor == 0.1);
    assert_true(model->training.warmup == 1.5);
    vdnn_model_destroy(model);
    model = read("", "schedule: {type: step, at: [30, 60, 80.5], factor: 0.5}");
    assert_int_equal(model->training.schedule.at.count, 3);
    assert_true(model->training.schedule.at.values[2] == 80.5);
    assert_true(model->training.schedule.factor == 0.5);
    vdnn_model_destroy(model);
    model = read("", "schedule: {floor: 0.01, type: cosine}");
    assert_int_equal(model->training.schedule.kind, VDNN_RATE_COSINE);
    assert_true(model->training.schedule.floor == 0.01);
    vdnn_model_destroy(model);
    model = read("", "schedule: {type: constant}");
    assert_int_equal(model->training.schedule.kind, VDNN_RATE_CONSTANT);
    vdnn_model_destroy(model);
}

TEST(augmentation_is_a_flip_and_a_crop)
{
    vdnn_model *model = read("", "augment: {flip: true, crop: 4}");
    assert_true(model->training.augment.flip);
    assert_int_equal(model->training.augment.crop[0], 4);
    assert_int_equal(model->training.augment.crop[1], 4);
    vdnn_model_destroy(model);
    model = read("", "augment: {crop: [15, 11]}");
    assert_false(model->training.augment.flip);
    assert_int_equal(model->training.augment.crop[0], 15);
    assert_int_equal(model->training.augment.crop[1], 11);
    vdnn_model_destroy(model);
}

TEST(what_is_wrong_is_told_with_line_and_expectation)
{
    static const struct {
        const char *input, *training, *message;
    } cases[] = {
        {", mean: [0.5, 0.5]", "",
         "net.yaml:2: mean of input has 2 numbers, expected one, or one for each of 3 channels"},
        {", std: [1, 1, 1, 1]", "", "net.yaml:2: std of input has 4 numbers, expected one"},
        {", std: 0", "",
         "std of input is '0', expected a number or a list of 1 to 16 numbers from 1e-06 to"},
        {", std: [1, -1, 1]", "",
         "net.yaml:2: std of input is a list, expected a number or a list"},
        {", mean: []", "", "mean of input is"},
        {", mean: nan", "", "mean of input is 'nan'"},
        {", mean: [[1], 1, 1]", "", "mean of input is a list"},
        {", mean: {a: 1}", "", "mean of input is a mapping"},
        {", mean: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "", "a list of 1 to 16 numbers"},
        {", maen: 1", "", "unknown key 'maen' of input (did you mean mean?)"},
        {"", "schedule: cosine", "net.yaml:7: schedule is 'cosine', expected a mapping"},
        {"", "schedule: {floor: 1}", "unknown key 'floor' of schedule"},
        {"", "schedule: {}", "schedule has no key 'type'"},
        {"", "schedule: {type: cosin}",
         "type of schedule is 'cosin', expected constant, step or cosine (did you mean cosine?)"},
        {"", "schedule: {type: [step]}", "type of schedule is a list"},
        {"", "schedule: {type: cosine, every: 3}", "unknown key 'every' of schedule"},
        {"", "schedule: {type: cosine, floor: 1.5}", "floor of schedule is '1.5'"},
        {"", "schedule: {type: step}", "has neither `every` nor `at`, expected one of"},
        {"", "schedule: {type: step, every: 1, at: [2]}", "has both `every` and `at`"},
        {"", "schedule: {type: step, every: 0}", "every of schedule is '0'"},
        {"", "schedule: {type: step, at: [3, 3]}", "at of schedule has 3 after 3"},
        {"", "schedule: {type: step, at: [-1]}", "at of schedule is"},
        {"", "schedule: {type: step, every: 1, factor: 2}", "factor of schedule is '2'"},
        {"", "warmup: -1", "warmup of training is '-1'"},
        {"", "augment: true", "net.yaml:7: augment is 'true', expected a mapping"},
        {"", "augment: {flip: 1}", "flip of augment is '1', expected true or false"},
        {"", "augment: {crop: -1}", "crop of augment is '-1'"},
        {"", "augment: {crop: [4, 12]}",
         "crop of augment pads by [4, 12], expected less than the input's 16 x 12"},
        {"", "augment: {crop: 2147483648}", "crop of augment is"},
        {"", "augment: {flop: true}", "unknown key 'flop' of augment (did you mean flip?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_model *model = NULL;
        assert_status(parse(cases[i].input, cases[i].training, &model), VDNN_BAD_INPUT);
        assert_null(model);
        assert_message(cases[i].message);
        assert_message("net.yaml:");
    }
}
