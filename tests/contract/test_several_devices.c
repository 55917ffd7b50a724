/* Reports of several simulated devices: they share the batch, and the links to their host as their
 * model says. */

#include "runtime/fit/device_times.h"
#include "runtime/report/report.h"
#include "tests/support/run_json.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Titan X that has its link for itself, or shares it with so many. */
static const char *card_of(const char *folder, int on_one_link)
{
    char name[32], *model;
    size_t length;
    vdnn_text text = {0};
    vdnn_test_read_file("models/devices/titan-x-maxwell.yaml", &model, &length);
    const char *at = strstr(model, "\nlink:\n");
    assert_non_null(at);
    at += strlen("\nlink:\n");
    vdnn_text_add(&text, "%.*s  devices: %d\n%s", (int)(at - model), model, on_one_link, at);
    (void)snprintf(name, sizeof name, "card%d.yaml", on_one_link);
    const char *path = vdnn_test_path(folder, name);
    vdnn_test_write_file(path, text.data, text.length);
    vdnn_text_fini(&text);
    free(model);
    return path;
}

static vdnn_report *report_of(const char *card, const char *model, int64_t batch, int64_t devices)
{
    char device[512];
    (void)snprintf(device, sizeof device, "sim:%s", card);
    const vdnn_session_options ask = {.size = sizeof ask,
                                      .model = model,
                                      .batch = batch,
                                      .device = device,
                                      .rules = "paper",
                                      .devices = devices};
    vdnn_report *report;
    assert_ok(vdnn_report_create(&ask, NULL, NULL, &report));
    return report;
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* All come to each sum at one time, so that nobody waits for anybody; what sums take from compute
 * is added. */
TEST_IN_FOLDER(devices_with_links_of_their_own_take_what_is_planned_to_the_last_digit)
{
    const char *card = card_of(*state, 1);
    vdnn_report *alone = report_of(card, "models/googlenet.yaml", 16, 1);
    vdnn_report *all = report_of(card, "models/googlenet.yaml", 80, 5);
    assert_int_equal(alone->row_count, all->row_count + 1); /* of several no accumulation */
    for (size_t r = 0; r < all->row_count; r++) {
        const vdnn_report_row *row = &all->rows[r];
        assert_null(alone->rows[r].times);
        const vdnn_rates rates = vdnn_profile_rates(all->setup.profile);
        for (int d = 0; d < 5; d++) {
            const double taken =
                vdnn_device_times_taken(row->plan, &rates, row->times[d].exposed_reduce_seconds);
            assert_true(taken > 0);
            assert_true(is_same(row->times[d].step_seconds, row->plan->step_seconds + taken));
            assert_true(is_same(row->footprint.step_seconds, row->times[d].step_seconds));
            assert_true(row->times[d].exposed_reduce_seconds < row->plan->step_seconds);
        }
    }
    vdnn_report_destroy(alone);
    vdnn_report_destroy(all);
}

/* On one link: never faster than with a separate link or with fewer others, and no slower than
 * one after the other. Links do not know of each other. */
TEST_IN_FOLDER(devices_on_one_link_are_never_faster_than_alone)
{
    static const int64_t counts[] = {1, 2, 4, 8};
    enum { COUNTS = sizeof counts / sizeof *counts };
    const char *own = card_of(*state, 1), *shared = card_of(*state, 4);
    vdnn_report *reports[COUNTS], *apart = report_of(own, "models/vgg16.yaml", 32, 4);
    bool slower = false;
    for (int i = 0; i < COUNTS; i++)
        reports[i] = report_of(shared, "models/vgg16.yaml", 8 * counts[i], counts[i]);
    for (size_t r = 0; r < apart->row_count; r++) {
        double alone = reports[0]->rows[r].footprint.step_seconds, before = alone;
        for (int i = 1; i < COUNTS; i++) {
            const vdnn_report_row *row = &reports[i]->rows[r];
            assert_true(row->footprint.step_seconds >= before * (1 - 1e-12));
            assert_true(row->footprint.step_seconds <= (double)counts[i] * alone * (1 + 1e-12));
            assert_true(row->relative_speed <= reports[0]->rows[r].relative_speed * (1 + 1e-12));
            before = row->footprint.step_seconds;
        }
        for (int d = 0; d < 8; d++)
            assert_true(is_same(reports[3]->rows[r].times[d].step_seconds,
                                reports[3]->rows[r].times[d % 4].step_seconds));
        assert_true(apart->rows[r].footprint.step_seconds <= before);
        slower = slower || apart->rows[r].footprint.step_seconds < 0.99 * before;
    }
    assert_true(slower); /* the link is what some policies wait for */
    for (int i = 0; i < COUNTS; i++)
        vdnn_report_destroy(reports[i]);
    vdnn_report_destroy(apart);
}

TEST_IN_FOLDER(a_batch_that_does_not_divide_evenly_is_shared_as_evenly_as_can_be)
{
    vdnn_report *report = report_of(card_of(*state, 2), "models/alexnet.yaml", 31, 4);
    vdnn_text text = {0};
    assert_ok(vdnn_report_write(report, VDNN_REPORT_JSON, &text));
    json_t *root = json_loads(text.data, 0, NULL), *row;
    size_t r;
    assert_int_equal(json_integer_value(json_object_get(root, "batch")), 31);
    assert_int_equal(json_integer_value(json_object_get(root, "devices")), 4);
    json_array_foreach(json_object_get(root, "policies"), r, row)
    {
        json_t *devices = json_object_get(row, "per_device"), *device;
        size_t d;
        double slowest = 0;
        assert_int_equal(json_array_size(devices), 4);
        json_array_foreach(devices, d, device)
        {
            double seconds = json_number_value(json_object_get(device, "step_seconds"));
            slowest = seconds > slowest ? seconds : slowest;
            assert_int_equal(json_integer_value(json_object_get(device, "batch")), d < 3 ? 8 : 7);
            assert_true(json_integer_value(json_object_get(device, "device_peak_bytes")) <=
                        json_integer_value(json_object_get(row, "device_peak_bytes")));
        }
        assert_true(is_same(slowest, json_number_value(json_object_get(row, "step_seconds"))));
    }
    json_decref(root);
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
}

/* The card of the paper, for which VGG-16 at 256 is too large. */
TEST_IN_FOLDER(a_report_says_what_several_devices_make_fit)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --device sim:titan-x-maxwell --model vgg16 --batch 256 "
                      "--devices 4 --rules paper");
    assert_int_equal(run.code, 0);
    vdnn_test_unfold(run.out);
    assert_non_null(strstr(run.out, "With 64 of 256 samples on each of 4 devices, every policy "
                                    "fits; with all of them on one, "));
    assert_non_null(strstr(run.out, ", dyn, opt fit."));
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --device sim:titan-x-maxwell --model vgg16 --batch 256 "
                     "--devices 4 --rules paper --quiet --json @/r.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json")), *row;
    size_t r;
    json_array_foreach(json_object_get(root, "policies"), r, row)
    {
        assert_true(json_is_true(json_object_get(row, "fits")));
        assert_true(vdnn_test_number_at(row, "exposed_reduce_seconds") > 0);
        if (strcmp(vdnn_test_text_at(row, "policy"), "dyn") == 0)
            assert_true(json_is_true(json_object_get(row, "fits_on_one")));
    }
    json_decref(root);
}

/* The naive scheme: the first device has the gradients of all beside its own, and the others wait.
 */
TEST_IN_FOLDER(a_report_shows_what_gathering_on_one_device_costs)
{
    double seconds[2], first[2], last[2];
    for (int i = 0; i < 2; i++) {
        const vdnn_session_options ask = {
            .size = sizeof ask,
            .model = "models/alexnet.yaml",
            .batch = 64,
            .device = "sim:models/devices/p100-pcie.yaml",
            .devices = 4,
            .machine = vdnn_test_topic(machine, .reduce = i == 0 ? "ring" : "gather")};
        vdnn_report *report;
        vdnn_text text = {0};
        assert_ok(vdnn_report_create(&ask, NULL, "base", &report));
        assert_ok(vdnn_report_write(report, VDNN_REPORT_JSON, &text));
        json_t *root = json_loads(text.data, 0, NULL),
               *row = json_array_get(json_object_get(root, "policies"), 0),
               *each = json_object_get(row, "per_device");
        seconds[i] = vdnn_test_number_at(row, "step_seconds");
        first[i] = vdnn_test_number_at(json_array_get(each, 0), "device_peak_bytes");
        last[i] = vdnn_test_number_at(json_array_get(each, 3), "device_peak_bytes");
        json_decref(root);
        vdnn_text_fini(&text);
        vdnn_report_destroy(report);
    }
    assert_true(seconds[1] > seconds[0]);
    assert_true(is_same(first[0], last[0]));
    assert_true(first[1] > 1.2 * last[1]);
}

/* What the device's clock shows is what was planned, with the sums on the link. */
TEST_IN_FOLDER(a_simulated_run_of_several_devices_takes_what_was_planned)
{
    static const char *const cards[] = {"p100", "p100-pcie", "titan-x-pascal"};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char device[64];
        (void)snprintf(device, sizeof device, "sim:models/devices/%s.yaml", cards[i]);
        const vdnn_session_options ask = {.size = sizeof ask,
                                          .model = "models/alexnet.yaml",
                                          .batch = 130,
                                          .device = device,
                                          .policy = "all",
                                          .steps = 2,
                                          .devices = 4};
        vdnn_session *session;
        vdnn_text text = {0};
        assert_ok(vdnn_session_create(&ask, NULL, &session));
        assert_ok(vdnn_session_run(session));
        assert_ok(vdnn_session_json(session, &text));
        json_t *root = json_loads(text.data, 0, NULL),
               *measured = vdnn_test_object_at(root, "measured");
        assert_true(is_same(vdnn_test_number_at(measured, "step_seconds"),
                            vdnn_session_plan(session)->step_seconds));
        assert_true(vdnn_test_number_at(measured, "exposed_reduce_seconds") >= 0);
        json_t *reduce = json_object_get(vdnn_test_object_at(root, "plan"), "reduce");
        assert_in_range(vdnn_test_number_at(reduce, "buckets"), 1, 8); /* layers with parameters */
        json_decref(root);
        vdnn_text_fini(&text);
        vdnn_session_destroy(session);
    }
}

TEST_IN_FOLDER(the_same_report_of_several_devices_twice_has_the_same_bytes)
{
    static const vdnn_report_format formats[] = {VDNN_REPORT_JSON, VDNN_REPORT_TABLE,
                                                 VDNN_REPORT_MARKDOWN, VDNN_REPORT_HTML};
    const char *card = card_of(*state, 2);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        vdnn_text texts[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            vdnn_report *report = report_of(card, "models/alexnet.yaml", 30, 4);
            assert_ok(vdnn_report_write(report, formats[f], &texts[i]));
            vdnn_report_destroy(report);
        }
        assert_string_equal(texts[0].data, texts[1].data);
        if (formats[f] != VDNN_REPORT_JSON)
            assert_non_null(strstr(texts[0].data, "sums of gradients that are not hidden"));
        vdnn_text_fini(&texts[0]);
        vdnn_text_fini(&texts[1]);
    }
}

TEST_IN_FOLDER(what_several_devices_cannot_be_is_refused)
{
    (void)vdnn_test_network(*state);
    vdnn_test_run_to(*state, 2, "5 devices cannot share a batch of 4",
                     "vdnnreport --model lenet --batch 4 --devices 5 --device sim:p100");
    vdnn_test_run_to(*state, 2, "the paper has one device",
                     "vdnnreport --model lenet --devices 2 --device sim:p100 --accounting paper");
    vdnn_test_run_to(*state, 2, "only with a device model",
                     "vdnnreport --model lenet --devices 2 --device cpu");
    vdnn_test_run_to(*state, 2, "more than 1024 is too many",
                     "vdnnreport --model lenet --batch 4096 --devices 1025 --device sim:p100");
    vdnn_test_run_to(*state, 2, "least is 1",
                     "vdnnreport --model lenet --devices 0 --device sim:p100");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --profile @/recorded --dry-run --quiet");
    vdnn_test_run_to(*state, 2, "only with a device model",
                     "vdnnreport --model @/net.yaml --devices 2 --device sim:@/recorded");
    vdnn_test_run_to(
        *state, 4, "without micro-batches; the smallest that is enough",
        "vdnnreport --model cifar_cnn --batch 256 --device sim:p100 --device-mem 12MiB");
    vdnn_test_run_to(*state, 4, "no policy fits the budget",
                     "vdnnreport --model vgg16 --batch 63 --devices 2 --device sim:p100 "
                     "--device-mem 64MiB");
}
