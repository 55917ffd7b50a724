/* Evaluations during a training, and the checkpoint that they find best. */

#include "tests/support/files.h"
#include "tests/support/run_program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NET                                                                                        \
    "vdnnrun --model @/net.yaml --profile @/profile --data npy:@ --test-data npy:@ --lr 0.3 "

enum { SAMPLES = 21, STEPS = 8 };

static void write_inputs(const char *folder)
{
    vdnn_test_network(folder);
    vdnn_test_images(folder, SAMPLES);
}

typedef struct evaluation {
    int64_t step;
    double accuracy;
} evaluation;

static size_t read_evaluations(const char *folder, const char *name, evaluation found[STEPS])
{
    json_t *json = vdnn_test_json(vdnn_test_path(folder, name)), *one;
    size_t i, count = 0;
    json_array_foreach(json_object_get(json, "evaluations"), i, one)
    {
        assert_true(count < STEPS);
        found[count++] =
            (evaluation){.step = json_integer_value(json_object_get(one, "step")),
                         .accuracy = json_number_value(json_object_get(one, "accuracy"))};
    }
    json_decref(json);
    return count;
}

/* The first of the best. */
static evaluation best_of(const evaluation *all, size_t count)
{
    evaluation best = all[0];
    for (size_t i = 1; i < count; i++)
        best = all[i].accuracy > best.accuracy ? all[i] : best;
    return best;
}

static void expect_best(const char *folder, const char *checkpoints, const evaluation *best)
{
    char name[64], to[64] = "";
    (void)snprintf(name, sizeof name, "%s/best", checkpoints);
    assert_true(readlink(vdnn_test_path(folder, name), to, sizeof to - 1) > 0);
    (void)snprintf(name, sizeof name, "step-%08lld", (long long)best->step);
    assert_string_equal(to, name);
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      NET "--init @/%s/best/weights.safetensors --evaluate --json @/best.json",
                      checkpoints);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *json = vdnn_test_json(vdnn_test_path(folder, "best.json"));
    assert_true(json_number_value(json_object_get(json, "test_accuracy")) == best->accuracy);
    json_decref(json);
}

/* How each is trained is of no matter for what is found. */
TEST_IN_FOLDER(the_best_checkpoint_stays_and_evaluating_changes_no_bit)
{
    static const char *const ways[] = {"--policy base", "--policy all",
                                       "--devices 2 --shard optimizer", "--launch 2"};
    evaluation all[STEPS];
    write_inputs(*state);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, NET "--steps 8 --save @/plain.safetensors %s", ways[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state,
                          NET "--steps 8 --eval-every 1 --keep-best --checkpoint @/c%zu "
                              "--checkpoint-every 3 --keep 1 --json @/run.json "
                              "--save @/w.safetensors %s",
                          i, ways[i]);
        vdnn_test_expect(&run, 0, "step 1: test accuracy 0.");
        assert_non_null(strstr(run.err, ", the best so far"));
        assert_non_null(strstr(run.err, "the best checkpoint, of step "));
        vdnn_test_run_free(&run);
        assert_int_equal(read_evaluations(*state, "run.json", all), STEPS);
        const evaluation best = best_of(all, STEPS);
        char name[16];
        (void)snprintf(name, sizeof name, "c%zu", i);
        expect_best(*state, name, &best);
        vdnn_test_same_files(*state, "plain.safetensors", "w.safetensors");
    }
}

/* Also where the link to the best was not made before the end of a run. */
TEST_IN_FOLDER(a_run_that_resumes_knows_what_was_best)
{
    evaluation whole[STEPS], parts[STEPS];
    write_inputs(*state);
    vdnn_test_run_to(*state, 0, "",
                     NET "--steps 8 --eval-every 2 --keep-best --checkpoint @/a --json @/a.json");
    const size_t count = read_evaluations(*state, "a.json", whole);
    assert_int_equal(count, STEPS / 2);
    for (int steps = 2; steps <= STEPS; steps += 2) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          NET "--steps %d --eval-every 2 --keep-best --keep 1 --checkpoint @/b "
                              "--resume auto --json @/b.json",
                          steps);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
    }
    assert_int_equal(read_evaluations(*state, "b.json", parts), count);
    assert_memory_equal(whole, parts, count * sizeof *whole);
    const evaluation best = best_of(whole, count);
    expect_best(*state, "b", &best);
    assert_int_equal(unlink(vdnn_test_path(*state, "b/best")), 0);
    vdnn_test_run_to(*state, 0, "nothing is left to train",
                     NET "--steps 8 --keep-best --checkpoint @/b --resume auto");
    expect_best(*state, "b", &whole[count - 1]);
}

/* The mean loss, and the accuracy where an epoch ends with an evaluation. */
TEST_IN_FOLDER(the_line_of_an_epoch_has_its_accuracy)
{
    write_inputs(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, NET "--epochs 2 --eval-every 2");
    vdnn_test_expect(&run, 0, "epoch 1: mean loss ");
    const char *line = strstr(run.err, "epoch 1: mean loss ");
    const char *end = strchr(line, '\n'), *accuracy = strstr(line, ", test accuracy 0.");
    assert_true(accuracy != NULL && accuracy < end);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(evaluations_that_cannot_be_made_are_refused_or_left_out)
{
    static const struct {
        const char *arguments, *message;
    } rows[] = {
        {"--keep-best --test-data npy:@", "--checkpoint DIR says where"},
        {"--keep-best --checkpoint @/c", "has no test part: --test-data has samples"},
        {"--evaluate --eval-every 2", "--eval-every: nothing is trained"},
        {"--eval-every 0 --test-data npy:@", "--eval-every"},
        {"--eval-every 1 --test-data npy:@ --device sim:h100", "--eval-every: --device sim:h100"},
    };
    write_inputs(*state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --data npy:@ %s",
                          rows[i].arguments);
        vdnn_test_expect(&run, 2, rows[i].message);
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(*state, 0, "has no test part, so nothing is evaluated",
                     "vdnnrun --model @/net.yaml --data npy:@ --steps 2 --eval-every 1");
}
