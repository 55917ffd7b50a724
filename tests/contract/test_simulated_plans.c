/* Plans for simulated devices, which are made at once for networks that no machine of a test could
 * run: what bounds, chains, searches and packings of large ones are held to. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

static double of_plan(json_t *root, const char *key)
{
    return vdnn_test_number_at(vdnn_test_object_at(root, "plan"), key);
}

/* In memory that no plan of whole layers fits, and in too little for any: the bound, and the
 * message, which the bound of none takes the place of. */
TEST_IN_FOLDER(a_plan_in_parts_has_the_bound_of_all_parts)
{
#define WORDS                                                                                      \
    "vdnnrun --model models/vgg19.yaml --batch 64 --device sim:titan-x-maxwell --policy opt "      \
    "--plan-trials 1000 --dry-run --json @/plan.json --device-mem "
    vdnn_test_run_to(*state, 4, "does not fit under policy opt\n", WORDS "1GiB");
    vdnn_test_run_to(*state, 0, "", WORDS "1.5GiB");
#undef WORDS
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json"));
    const json_t *layers = json_object_get(root, "layers");
    int in_parts = 0;
    for (size_t l = 0; l < json_array_size(layers); l++)
        in_parts += vdnn_test_integer_at(json_array_get(layers, l), "parts") > 1;
    assert_true(in_parts > 0);
    assert_true(of_plan(root, "bound_step_seconds") == of_plan(root, "oracle_step_seconds"));
    vdnn_test_check_plan(vdnn_test_object_at(root, "plan"));
    json_decref(root);
}

/* At the turn, where no gradients are, half of the maps could be there in 1.0096 of the time; where
 * the last sum runs backward, two gradients of the largest map of its stage are there beside them.
 */
TEST_IN_FOLDER(a_bound_counts_gradients_beside_what_backward_needs)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model models/resnet50.yaml --batch 128 --device "
                     "sim:titan-x-maxwell --policy dyn --device-mem 4702989189 --host-mem 64GiB "
                     "--dry-run --json @/plan.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json"));
    const double oracle = of_plan(root, "oracle_step_seconds"),
                 bound = of_plan(root, "bound_step_seconds");
    assert_true(bound > 1.0101 * oracle && bound < 1.012 * oracle);
    json_decref(root);
}

/* Where nothing can be copied, a chain up to the loss leaves nothing to copy or to recompute. */
TEST_IN_FOLDER(a_network_is_chained_up_to_the_loss)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model models/vgg16.yaml --batch 512 --device sim:titan-x-maxwell "
                     "--policy opt --plan-trials 1000 --device-mem 6GiB --host-mem 1MiB --dry-run "
                     "--json @/plan.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json"));
    const json_t *layers = json_object_get(root, "layers");
    json_t *loss = json_array_get(layers, json_array_size(layers) - 1);
    assert_true(json_is_true(json_object_get(loss, "chained")));
    assert_true(vdnn_test_integer_at(loss, "parts") > 1);
    assert_true(of_plan(root, "step_seconds") < 1.5 * of_plan(root, "oracle_step_seconds"));
    vdnn_test_check_plan(vdnn_test_object_at(root, "plan"));
    json_decref(root);
}

/* Chains within chains multiply what is recomputed: no batch is worth that. */
TEST_IN_FOLDER(no_batch_is_run_in_endless_steps)
{
    enum { LAYERS = 38, MOST_OF_LAYER = 1024 };
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --model vgg16 --batch 14000 --device sim:titan-x-maxwell "
                      "--policies opt --plan-seconds 0 --device-mem 12GiB --host-mem 64GiB "
                      "--json @/report.json");
    vdnn_test_expect(&run, 4, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "report.json"));
    const json_t *row = json_array_get(json_object_get(root, "policies"), 0),
                 *steps = json_object_get(json_object_get(row, "step"), "steps");
    assert_in_range(json_array_size(steps), 1, LAYERS * MOST_OF_LAYER);
    json_decref(root);
}

/* Of a network whose plans in parts take long to try, too. */
TEST_IN_FOLDER(opt_ends_soon_behind_the_trials_that_it_may_take)
{
    enum { TRIALS = 1000, BEHIND = 100 };
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model models/vgg116.yaml --batch 32 --device sim:titan-x-maxwell "
                     "--policy opt --plan-trials 1000 --device-mem 2340000000 --host-mem 64GiB "
                     "--dry-run --json @/plan.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json")),
           *chosen = json_object_get(json_object_get(root, "plan"), "chosen");
    assert_in_range(vdnn_test_integer_at(chosen, "trials"), TRIALS, TRIALS + BEHIND);
    json_decref(root);
}

/* More than a thousand buffers, of which those of one block after the other just fit. */
TEST_IN_FOLDER(arenas_of_many_buffers_lose_next_to_nothing)
{
    static const char *const words[] = {"densenet121 --policy all --algo m",
                                        "densenet121 --policy dyn --device-mem 520000000",
                                        "inception_v3 --policy all --algo p"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --device sim:titan-x-maxwell --host-mem 64GiB --dry-run --quiet "
                          "--json @/plan.json --model %s",
                          words[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json"));
        assert_true(of_plan(root, "arena_bytes") <= 1.004 * of_plan(root, "device_peak_bytes"));
        json_decref(root);
    }
}
