/* vdnnscale: what it says of several devices and batches, to the letter. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *study(const char *folder, const char *words)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "vdnnscale %s --json @/s.json", words);
    vdnn_test_expect(&run, 0, "");
    assert_string_equal(run.out, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(vdnn_test_path(folder, "s.json"));
}

static json_t *row_at(json_t *root, size_t i)
{
    json_t *row = json_array_get(json_object_get(root, "results"), i);
    assert_non_null(row);
    return row;
}

TEST_IN_FOLDER(the_record_has_what_the_contract_says)
{
    static const char *const keys[] = {"devices",
                                       "batch",
                                       "batch_per_device",
                                       "reduce",
                                       "fits",
                                       "step_seconds",
                                       "images_per_second",
                                       "efficiency",
                                       "exposed_reduce_seconds",
                                       "device_peak_bytes"};
    json_t *root = study(*state, "--model alexnet --device sim:p100 --devices 1,3 --batches 64,10");
    assert_int_equal(vdnn_test_integer_at(root, "schema_version"), 1);
    assert_string_equal(vdnn_test_text_at(root, "model"), "alexnet");
    assert_string_equal(vdnn_test_text_at(vdnn_test_object_at(root, "device"), "name"), "p100");
    assert_int_equal(json_array_size(json_object_get(root, "results")), 4);
    for (size_t r = 0; r < 4; r++) {
        json_t *row = row_at(root, r), *shares = json_object_get(row, "batch_per_device");
        int64_t devices = vdnn_test_integer_at(row, "devices"), all = 0;
        assert_int_equal(json_object_size(row), sizeof keys / sizeof *keys);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            assert_non_null(json_object_get(row, keys[k]));
        assert_int_equal(devices, r % 2 == 0 ? 1 : 3);
        assert_int_equal(json_array_size(shares), devices);
        assert_int_equal(json_array_size(json_object_get(row, "device_peak_bytes")), devices);
        for (size_t d = 0; d < (size_t)devices; d++)
            all += json_integer_value(json_array_get(shares, d));
        assert_int_equal(all, vdnn_test_integer_at(row, "batch"));
        assert_true(fabs(vdnn_test_number_at(row, "images_per_second") *
                             vdnn_test_number_at(row, "step_seconds") -
                         (double)all) < 1e-6);
        assert_true(vdnn_test_number_at(row, "efficiency") <= 1.0000001);
        assert_true(devices > 1 || (vdnn_test_number_at(row, "efficiency") > 0.9999999 &&
                                    vdnn_test_number_at(row, "exposed_reduce_seconds") <= 0));
    }
    json_decref(root);
}

/* One device's step at the share is what efficiency is measured by. */
/* Of a network whose every token has a label; in the JSON rates are samples. */
TEST_IN_FOLDER(rates_of_text_are_tokens_in_every_program)
{
    static const char *const commands[] = {
        "vdnnscale --model gpt_char --device sim:p100 --devices 1 --batches 32",
        "vdnnreport --model gpt_char --device sim:p100,t4 --policies base",
        "vdnnrun --model gpt_char --device sim:p100 --device-mem 300MiB --explain --policy base",
        "vdnnrun --model gpt_char --device sim:p100 --device-mem 100MiB --max-batch --policy base",
        "vdnnrun --model gpt_char --device sim:p100 --steps 2",
    };
    vdnn_test_run run;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        vdnn_test_program(&run, *state, "%s", commands[i]);
        vdnn_test_expect(&run, 0, "");
        assert_non_null(strstr(run.out, "tokens/s"));
        assert_null(strstr(run.out, "images/s"));
        assert_null(strstr(run.err, "images/s"));
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state, "%s --json @/s.json", commands[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "s.json")),
               *rate = vdnn_test_object_at(root, "rate");
        assert_string_equal(vdnn_test_text_at(rate, "unit"), "tokens/s");
        assert_true(vdnn_test_number_at(rate, "per_sample") == 64);
        json_decref(root);
    }
    vdnn_test_program(&run, *state,
                      "vdnnreport --model bert_base --device sim:p100,t4 --policies "
                      "base");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "sequences/s"));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(efficiency_is_throughput_over_that_of_single_devices)
{
    json_t *root = study(*state, "--model alexnet --device sim:p100-pcie --devices 1,4 "
                                 "--batches 32,128");
    double alone = vdnn_test_number_at(row_at(root, 0), "images_per_second");
    json_t *row = row_at(root, 3);
    assert_int_equal(vdnn_test_integer_at(row, "batch"), 128);
    assert_true(fabs(vdnn_test_number_at(row, "efficiency") -
                     vdnn_test_number_at(row, "images_per_second") / (4 * alone)) < 1e-9);
    json_decref(root);
}

/* The same steps as the report's, which has every policy. */
TEST_IN_FOLDER(a_row_is_what_the_report_says)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --model alexnet --device sim:titan-x-pascal --batch 130 "
                     "--devices 4 --policies all --quiet --json @/r.json");
    json_t *report = vdnn_test_json(vdnn_test_path(*state, "r.json"));
    json_t *root = study(*state, "--model alexnet --device sim:titan-x-pascal --batches 130 "
                                 "--devices 4 --policy all");
    json_t *row = json_array_get(json_object_get(report, "policies"), 1);
    assert_string_equal(vdnn_test_text_at(row, "algo"), "p");
    assert_true(fabs(vdnn_test_number_at(row, "step_seconds") /
                         vdnn_test_number_at(row_at(root, 0), "step_seconds") -
                     1) < 1e-12);
    assert_true(fabs(vdnn_test_number_at(row, "exposed_reduce_seconds") -
                     vdnn_test_number_at(row_at(root, 0), "exposed_reduce_seconds")) < 1e-12);
    json_decref(report);
    json_decref(root);
}

TEST_IN_FOLDER(the_table_answers_in_words)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnscale --model vgg16 --device sim:p100-pcie --batches 16,256");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "Batch 16: beyond "));
    assert_non_null(strstr(run.out, "8 devices at batch 256: a step takes "));
    assert_non_null(strstr(run.out, "gathered on device 0 (+"));
    assert_non_null(strstr(run.out, "Imbalance: gathering, device 0 receives and sends 3.61 GiB"));
    assert_non_null(strstr(run.out, "Memory: each of the 8 devices holds "));
    vdnn_test_run_free(&run);
}

/* All by one network: gathering is the slowest, and device 0's link what it waits for. */
TEST_IN_FOLDER(gathering_is_no_faster_than_a_ring)
{
    json_t *ring = study(*state, "--model vgg16 --device sim:p100 --batches 64");
    json_t *gather = study(*state, "--model vgg16 --device sim:p100 --batches 64 --reduce gather");
    for (size_t r = 0; r < 4; r++) {
        assert_string_equal(vdnn_test_text_at(row_at(gather, r), "reduce"), "gather");
        assert_true(vdnn_test_number_at(row_at(gather, r), "step_seconds") >=
                    vdnn_test_number_at(row_at(ring, r), "step_seconds"));
    }
    json_decref(ring);
    json_decref(gather);
}

/* VGG-16 on four cards over PCI Express, 64 samples each. */
TEST_IN_FOLDER(most_of_the_sums_are_hidden_over_pci_express)
{
    static const struct {
        const char *words;
        double bytes_per_second; /* of the ring, each way */
    } cards[] = {{"--device sim:p100-pcie", 5.75e9}, {"--device sim:titan-x-pascal", 12.16e9}};
    const double bytes = 553e6, shown = 0.1;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char words[128];
        (void)snprintf(words, sizeof words, "--model vgg16 --batches 256 --devices 4 %s",
                       cards[i].words);
        json_t *root = study(*state, words);
        assert_true(vdnn_test_number_at(row_at(root, 0), "exposed_reduce_seconds") <=
                    shown * 2 * 3 / 4 * bytes / cards[i].bytes_per_second);
        json_decref(root);
    }
}

TEST_IN_FOLDER(more_devices_than_samples_are_left_out_with_a_note)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnscale --model lenet --device sim:p100 --batches 2,64 --devices 1,4,8");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "Left out: 4, 8 devices cannot share a batch of 2."));
    vdnn_test_run_free(&run);
    json_t *root = study(*state, "--model lenet --device sim:p100 --batches 2,64 --devices 1,4,8");
    assert_int_equal(json_array_size(json_object_get(root, "results")), 4);
    json_decref(root);
}

TEST_IN_FOLDER(a_thousand_devices_take_seconds)
{
    json_t *root = study(*state, "--model alexnet --device sim:a100 --batches 1500,131072 "
                                 "--devices 16,1024");
    json_t *row = row_at(root, 1);
    assert_int_equal(vdnn_test_integer_at(row, "devices"), 1024);
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(row, "batch_per_device"), 475)), 2);
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(row, "batch_per_device"), 476)), 1);
    json_decref(root);
}

TEST_IN_FOLDER(rows_that_do_not_fit_have_no_times)
{
    json_t *root = study(*state, "--model vgg16 --device sim:p100 --batches 512 --devices 1,8 "
                                 "--policy base");
    assert_true(json_is_false(json_object_get(row_at(root, 0), "fits")));
    assert_true(json_is_null(json_object_get(row_at(root, 0), "step_seconds")));
    assert_true(json_is_null(json_object_get(row_at(root, 0), "efficiency")));
    assert_true(json_is_true(json_object_get(row_at(root, 1), "fits")));
    json_decref(root);
    vdnn_test_run_to(*state, 4, "the smallest that is enough: --device-mem ",
                     "vdnnscale --model vgg16 --device sim:p100 --batches 64 --device-mem 64MiB");
}

/* ---- stages ---------------------------------------------------------------------------------- */

#define STAGES "--model vgg16 --device sim:v100 --batches 256 "

TEST_IN_FOLDER(a_row_of_stages_says_how_they_are_run)
{
    json_t *root = study(*state, STAGES "--devices 1,2,4 --stages 1,2 --micro-batches 16");
    static const int64_t devices[] = {1, 2, 2, 4, 4}, stages[] = {1, 1, 2, 1, 2};
    assert_int_equal(json_array_size(json_object_get(root, "results")), 5);
    for (size_t r = 0; r < 5; r++) {
        json_t *row = row_at(root, r);
        assert_int_equal(vdnn_test_integer_at(row, "devices"), devices[r]);
        assert_int_equal(vdnn_test_integer_at(row, "stages"), stages[r]);
        assert_int_equal(vdnn_test_integer_at(row, "replicas"), devices[r] / stages[r]);
        assert_int_equal(vdnn_test_integer_at(row, "micro_batches"), stages[r] == 1 ? 1 : 16);
        assert_string_equal(vdnn_test_text_at(row, "schedule"), "1f1b");
        json_t *shares = json_object_get(row, "batch_per_device");
        assert_int_equal(json_integer_value(json_array_get(shares, 0)),
                         256 * stages[r] / devices[r]);
        assert_true((vdnn_test_number_at(row, "bubble") > 0) == (stages[r] > 1));
    }
    json_decref(root);
}

static double most_bytes(json_t *row)
{
    json_t *peaks = json_object_get(row, "device_peak_bytes");
    double most = 0;
    for (size_t d = 0; d < json_array_size(peaks); d++)
        most = fmax(most, json_number_value(json_array_get(peaks, d)));
    return most;
}

TEST_IN_FOLDER(schedules_differ_in_memory_and_in_what_waits)
{
    static const char *const schedules[] = {"gpipe", "1f1b", "zb1p"};
    double bytes[3], bubbles[3];
    for (size_t k = 0; k < 3; k++) {
        char words[160];
        (void)snprintf(words, sizeof words,
                       STAGES "--devices 4 --stages 4 --micro-batches 16 --schedule %s",
                       schedules[k]);
        json_t *root = study(*state, words);
        bytes[k] = most_bytes(row_at(root, 0));
        bubbles[k] = vdnn_test_number_at(row_at(root, 0), "bubble");
        json_decref(root);
    }
    assert_true(bytes[1] < bytes[0] && bytes[2] < bytes[0]);
    assert_true(bubbles[2] < bubbles[1]);
}

TEST_IN_FOLDER(the_fastest_mix_and_what_does_not_fit_are_said)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnscale --model vgg16 --device sim:v100 --devices 3,4 --batches 256 "
                      "--stages 1,2 --micro-batches 8 --device-mem 3GiB");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "4 devices at batch 256: the fastest mix is 2 stages x 2 "
                                    "replicas, "));
    assert_non_null(strstr(run.out, "; 1 x 4 requires"));
    assert_non_null(strstr(run.out, "Left out: numbers of devices that 2 stages do not divide: 3"));
    vdnn_test_run_free(&run);
}

/* Two stages of VGG-16 that keep all they can, and that offload. */
TEST_IN_FOLDER(a_policy_offloads_inside_a_stage)
{
    json_t *kept = study(*state, STAGES "--devices 2 --stages 2 --micro-batches 8 --policy base");
    json_t *offloaded =
        study(*state, STAGES "--devices 2 --stages 2 --micro-batches 8 --policy all");
    assert_true(most_bytes(row_at(offloaded, 0)) < most_bytes(row_at(kept, 0)));
    assert_true(vdnn_test_number_at(row_at(offloaded, 0), "step_seconds") >
                vdnn_test_number_at(row_at(kept, 0), "step_seconds"));
    json_decref(kept);
    json_decref(offloaded);
}

TEST_IN_FOLDER(stages_that_cannot_be_are_left_out_or_refused_by_name)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnscale --model lenet --device sim:p100 --batches 8 "
                      "--devices 2,8 --stages 2 --micro-batches 4");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "Left out: 8 devices in 2 stages, a replica of which has less "
                                    "of a batch of 8 than 4 samples"));
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 2, "--stages 32: lenet can be cut at ",
                     "vdnnscale --model lenet --device sim:p100 --devices 32 --stages 32");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnscale --model gpt_char --device sim:p100 --devices 4 --stages 4");
    vdnn_test_run_to(*state, 2, "--stages 2: only of a simulated device",
                     "vdnnscale --model lenet --device cpu --devices 2 --stages 2");
    vdnn_test_run_to(*state, 2, "--schedule: there is no '1f1c' (did you mean 1f1b?)",
                     "vdnnscale --model lenet --device sim:p100 --stages 2 --schedule 1f1c");
}

/* ---- whole trainings ------------------------------------------------------------------------- */

#define HYBRID "--model alexnet --device sim:p100 --batches 32 --devices 1,2,4,8 --hybrid "

TEST_IN_FOLDER(a_projection_is_the_product_of_its_terms)
{
    vdnn_test_write_below(*state, "curve", "# measured\n64 10\n128, 20\n\n256 80\n");
    json_t *root = study(*state, HYBRID "--epochs-curve @/curve");
    json_t *rows = json_object_get(root, "hybrid");
    static const double epochs[] = {10, 10, 20, 80}; /* of 32, 64, 128 and 256 samples */
    assert_int_equal(json_array_size(rows), 4 + 3);
    for (size_t r = 0; r < 7; r++) {
        json_t *row = json_array_get(rows, r);
        const int64_t workers = vdnn_test_integer_at(row, "workers");
        const double speedup = vdnn_test_number_at(row, "su_m") * vdnn_test_number_at(row, "se_n") *
                               (double)workers * vdnn_test_number_at(row, "epochs_ratio");
        assert_int_equal(vdnn_test_integer_at(row, "stages"), r < 4 ? 1 : 2);
        assert_int_equal(vdnn_test_integer_at(row, "devices"), (r < 4 ? 1 : 2) * workers);
        assert_int_equal(vdnn_test_integer_at(row, "batch"), 32);
        assert_true(fabs(vdnn_test_number_at(row, "speedup") - speedup) < 1e-9);
        assert_true(fabs(vdnn_test_number_at(row, "epochs_ratio") -
                         epochs[0] / epochs[r < 4 ? r : r - 4]) < 1e-9);
        assert_true(r >= 4 || fabs(vdnn_test_number_at(row, "su_m") - 1) < 1e-9);
    }
    json_decref(root);
}

TEST_IN_FOLDER(it_says_where_workers_of_several_devices_begin_to_win)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnscale " HYBRID);
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "speed-up = SU_M x SE_N x N x E_1/E_N"));
    assert_non_null(strstr(run.out, "Epochs are assumed, not measured"));
    assert_non_null(strstr(run.out, "data parallelism alone wins on all numbers of devices; on 8"));
    vdnn_test_run_free(&run);
    vdnn_test_write_below(*state, "curve", "64 1\n128 1\n256 40\n");
    vdnn_test_program(&run, *state, "vdnnscale " HYBRID "--epochs-curve @/curve");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "they begin to win on 8 devices: E_2N/E_N = 40.000"));
    assert_null(strstr(run.out, "assumed"));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(beyond_the_curve_nothing_is_projected)
{
    vdnn_test_write_below(*state, "curve", "32 1\n64 2\n");
    json_t *root = study(*state, HYBRID "--epochs-curve @/curve");
    json_t *row = json_array_get(json_object_get(root, "hybrid"), 3);
    assert_int_equal(vdnn_test_integer_at(row, "devices"), 8);
    assert_true(json_is_null(json_object_get(row, "epochs_ratio")));
    assert_true(json_is_null(json_object_get(row, "speedup")));
    json_decref(root);
}

TEST_IN_FOLDER(a_curve_that_is_none_is_refused_with_file_and_line)
{
    static const struct {
        const char *text, *why;
    } bad[] = {{"64 1\n32 2\n", ":2: the batch is not larger than that of the line before"},
               {"64\n", ":1: expected two numbers, a batch and its epochs"},
               {"# none\n", ":1: there is no point"},
               {"64 1\n128 -2\n", ":2: expected two positive numbers"},
               {"64 1 3\n", ":1: expected two positive numbers"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vdnn_test_write_below(*state, "curve", bad[i].text);
        vdnn_test_run_to(*state, 3, bad[i].why, "vdnnscale " HYBRID "--epochs-curve @/curve");
    }
    vdnn_test_run_to(*state, 6, "nowhere", "vdnnscale " HYBRID "--epochs-curve @/nowhere");
    vdnn_test_run_to(*state, 2, "only --hybrid reads it",
                     "vdnnscale --model lenet --device sim:p100 --epochs-curve @/curve");
}

/* Two devices of this machine, and one with half of its threads. */
TEST_IN_FOLDER(the_cpu_really_runs)
{
    (void)vdnn_test_network(*state);
    json_t *root = study(*state, "--model @/net.yaml --device cpu --devices 1,2 --batches 8");
    for (size_t r = 0; r < 2; r++) {
        assert_true(vdnn_test_number_at(row_at(root, r), "step_seconds") > 0);
        assert_true(vdnn_test_number_at(row_at(root, r), "efficiency") > 0);
        assert_true(json_integer_value(json_array_get(
                        json_object_get(row_at(root, r), "device_peak_bytes"), r)) > 0);
    }
    json_decref(root);
}

/* Parallel against serial, on pictures: the same steps, so the same epochs. */
TEST_IN_FOLDER(devices_are_trained_until_an_accuracy)
{
    (void)vdnn_test_network(*state);
    vdnn_test_images(*state, 16);
    json_t *root = study(*state, "--model @/net.yaml --device cpu --devices 1,2 --batches 8 "
                                 "--data npy:@ --test-data npy:@ --epochs 2 "
                                 "--converge 0.001");
    for (size_t r = 0; r < 2; r++) {
        json_t *converge = vdnn_test_object_at(row_at(root, r), "converge");
        assert_true(vdnn_test_number_at(converge, "target") > 0);
        assert_true(vdnn_test_number_at(converge, "epochs") > 0);
        assert_true(vdnn_test_number_at(converge, "seconds") > 0);
    }
    json_decref(root);
    vdnn_test_run_to(
        *state, 2, "the data has no test part",
        "vdnnscale --model @/net.yaml --device cpu --devices 1 --data npy:@ --converge 1");
}

TEST_IN_FOLDER(what_is_no_study_is_refused)
{
    static const struct {
        int code;
        const char *words, *part;
    } cases[] = {
        {2, "vdnnscale", "--model is missing"},
        {2, "vdnnscale --model lenet --devices 1,x", "'x' is not a whole number"},
        {2, "vdnnscale --model lenet --devices 0,1", "the least is 1"},
        {2, "vdnnscale --model lenet --devices 1,1", "stands there twice"},
        {2, "vdnnscale --model lenet --devices 2048", "more than 1024 is too many"},
        {2, "vdnnscale --model lenet --device sim:p100 --batches 1,,2", "'' is not a whole number"},
        {2, "vdnnscale --model lenet --device sim:p100 --batches 9999999999", "is too many"},
        {2, "vdnnscale --model lenet --reduce rng", "did you mean ring?"},
        {2, "vdnnscale --model lenet --batch 4", "did you mean --batches?"},
        {2, "vdnnscale --model lenet --device cpu --converge 1.5", "no accuracy from 0 to 1"},
        {2, "vdnnscale --model lenet --device cpu --converge 0.9", "requires --data"},
        {2, "vdnnscale --model lenet --device sim:p100 --converge 0.9", "learns nothing"},
        {2, "vdnnscale --model @/numbers.yaml --device cpu --converge 0.9", "have no accuracy"},
        {3, "vdnnscale --model @/none.yaml --device sim:p100", "none.yaml"},
        {3, "vdnnscale --model lenet --device sim:p1000", "no device model 'p1000'"},
        {6, "vdnnscale --model lenet --device sim:p100 --html @/no/s.html", "no/s.html"},
    };
    vdnn_test_write_below(*state, "numbers.yaml",
                          "name: net\ninput: {channels: 1, height: 4, width: 4}\nbatch: 8\n"
                          "layers: [{name: fc, type: fc, out: 2}, {name: loss, type: mse}]\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        vdnn_test_run_to(*state, cases[i].code, cases[i].part, cases[i].words);
}

TEST_IN_FOLDER(the_page_is_whole_and_has_its_charts)
{
    char *page;
    size_t length;
    vdnn_test_run_to(*state, 0, "",
                     "vdnnscale --model vgg19 --device sim:p100 --batches 32,64 --html @/s.html "
                     "--json @/s.json");
    vdnn_test_read_file(vdnn_test_path(*state, "s.html"), &page, &length);
    assert_non_null(strstr(page, "efficiency by number of devices"));
    assert_non_null(strstr(page, "memory of a device"));
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "s.json")),
           *embedded = vdnn_test_page_json(page);
    assert_true(json_equal(root, embedded));
    json_decref(root);
    json_decref(embedded);
    assert_non_null(strstr(page, "</html>"));
    free(page);
}
