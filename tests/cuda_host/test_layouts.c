/* Maps in nhwc on the CUDA device, over the emulation: used if the profile says that they are
 * faster, kept by runs that resume, and not used if a layer does not support them. */

#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    return 0;
}

/* FOLDER/NAME: the profile FOLDER/measured, by which all passes of convolutions with maps in that
 * layout take so many times as long. */
static void write_profile(const char *folder, const char *name, const char *slow)
{
    char *text, *line, *save = NULL;
    size_t length;
    vdnn_text out = {0};
    vdnn_test_read_file(vdnn_test_path(folder, "measured"), &text, &length);
    for (line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
        char *seconds = NULL, *rest = strrchr(line, ' ');
        bool is_slow = strncmp(line, "row conv", 8) == 0 && strstr(line, slow) != NULL;
        if (is_slow) {
            *rest++ = '\0';
            seconds = strrchr(line, ' ');
            *seconds++ = '\0';
            vdnn_text_add(&out, "%s %.17g %s\n", line, 1 + strtod(seconds, NULL), rest);
        } else {
            vdnn_text_add(&out, "%s\n", line);
        }
    }
    vdnn_test_write_file(vdnn_test_path(folder, name), out.data, out.length);
    vdnn_text_fini(&out);
    free(text);
}

/* The profiles "nchw" and "nhwc", by which that one is the faster, where the last ones are of
 * another type. */
static void measure(const char *folder, const char *dtype)
{
    static const char *known = "";
    if (strcmp(known, dtype) == 0)
        return;
    known = dtype;
    (void)remove(vdnn_test_path(folder, "measured"));
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/every.yaml --device cuda --dtype %s --steps 1 --profile "
                      "@/measured",
                      dtype);
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    write_profile(folder, "nhwc", ":nchw;dx");
    write_profile(folder, "nchw", ":nhwc;dx");
}

static json_t *train(const char *folder, const char *name, const char *arguments)
{
    vdnn_test_run run;
    char file[64];
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/every.yaml --device cuda --json @/%s.json --save "
                      "@/%s.safetensors %s",
                      name, name, arguments);
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    (void)snprintf(file, sizeof file, "%s.json", name);
    return vdnn_test_json(vdnn_test_path(folder, file));
}

static void expect_layout(json_t *json, const char *layout)
{
    assert_string_equal(json_string_value(json_object_get(json, "layout")), layout);
    json_decref(json);
}

static void expect_same_weights(const char *folder, const char *a, const char *b)
{
    char first[512], file[64];
    (void)snprintf(file, sizeof file, "%s.safetensors", a);
    (void)snprintf(first, sizeof first, "%s", vdnn_test_path(folder, file));
    (void)snprintf(file, sizeof file, "%s.safetensors", b);
    vdnn_test_expect_same_file(first, vdnn_test_path(folder, file));
}

static double last_loss(const json_t *json)
{
    const json_t *losses = json_object_get(json, "losses");
    return json_number_value(json_array_get(losses, json_array_size(losses) - 1));
}

/* What three steps in other sums of the type may differ by. */
TEST(the_faster_layout_is_taken_and_computes_the_same)
{
    static const struct {
        const char *dtype;
        double bound;
    } cases[] = {{"tf32", 1e-4}, {"bf16", 3e-2}};
    static const char *const layouts[] = {"nchw", "nhwc"};
    for (size_t t = 0; t < 2; t++) {
        double loss[2];
        measure(*state, cases[t].dtype);
        for (size_t i = 0; i < 2; i++) {
            char arguments[128];
            (void)snprintf(arguments, sizeof arguments,
                           "--steps 3 --policy all --rules paper --dtype %s --profile %s/%s",
                           cases[t].dtype, (const char *)*state, layouts[i]);
            json_t *json = train(*state, "run", arguments);
            loss[i] = last_loss(json);
            expect_layout(json, layouts[i]);
        }
        assert_true(fabs(loss[0] - loss[1]) <= cases[t].bound * fabs(loss[0]));
    }
}

static int64_t bytes_of(const json_t *json, const char *part, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(json, part), key));
}

/* The device moves the planned bytes and never has more alive; the weights are base's. */
static void expect_same_step(const char *folder, const char *dtype, const char *arguments)
{
    static const char *const counted[] = {"offload_bytes", "prefetch_bytes"};
    char all[512];
    (void)snprintf(all, sizeof all,
                   "--steps 2 --dtype %s --profile %s/nhwc --algos %s/base.json %s", dtype, folder,
                   folder, arguments);
    json_t *json = train(folder, "other", all);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        assert_int_equal(bytes_of(json, "measured", counted[i]),
                         bytes_of(json, "plan", counted[i]));
    assert_true(bytes_of(json, "measured", "device_peak_bytes") <=
                bytes_of(json, "plan", "device_peak_bytes"));
    expect_layout(json, "nhwc");
    expect_same_weights(folder, "base", "other");
}

/* The image is padded to 16 bytes a cell by a conversion, which base recomputes and others offload.
 */
TEST(images_are_padded_by_a_step_and_no_policy_changes_a_bit)
{
    static const struct {
        const char *dtype, *step;
    } cases[] = {{"bf16", "run input:nhwc8 forward"}, {"tf32", "run input:nhwc4 forward"}};
    static const char *const policies[] = {"--policy base --algo m", "--policy all",
                                           "--policy conv --rules paper", "--policy dyn"};
    for (size_t t = 0; t < 2; t++) {
        char arguments[256];
        vdnn_test_run run;
        measure(*state, cases[t].dtype);
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/every.yaml --device cuda --dtype %s --profile @/nhwc "
                          "--policy base --print-plan --dry-run",
                          cases[t].dtype);
        vdnn_test_expect(&run, 0, "");
        assert_non_null(strstr(run.out, cases[t].step));
        vdnn_test_run_free(&run);
        (void)snprintf(arguments, sizeof arguments,
                       "--steps 2 --policy base --dtype %s --profile %s/nhwc", cases[t].dtype,
                       (const char *)*state);
        expect_layout(train(*state, "base", arguments), "nhwc");
        for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
            expect_same_step(*state, cases[t].dtype, policies[i]);
    }
}

TEST(the_layout_of_a_run_is_kept_where_it_is_gone_on_with)
{
    char arguments[256];
    const char *folder = *state;
    measure(folder, "tf32");
    (void)snprintf(arguments, sizeof arguments,
                   "--steps 4 --dtype tf32 --data synthetic --profile %s/nhwc", folder);
    expect_layout(train(folder, "whole", arguments), "nhwc");
    (void)snprintf(arguments, sizeof arguments,
                   "--steps 4 --dtype tf32 --data synthetic --profile %s/nchw --algos "
                   "%s/whole.json --policy all",
                   folder, folder);
    expect_layout(train(folder, "told", arguments), "nhwc");
    expect_same_weights(folder, "whole", "told");
    (void)snprintf(arguments, sizeof arguments,
                   "--steps 2 --dtype tf32 --data synthetic --profile %s/nhwc --checkpoint %s/c "
                   "--checkpoint-every 2",
                   folder, folder);
    expect_layout(train(folder, "half", arguments), "nhwc");
    (void)snprintf(arguments, sizeof arguments,
                   "--steps 4 --dtype tf32 --data synthetic --profile %s/nchw --checkpoint %s/c "
                   "--resume auto",
                   folder, folder);
    expect_layout(train(folder, "rest", arguments), "nhwc");
    expect_same_weights(folder, "whole", "rest");
}

TEST(a_recording_chooses_as_the_device_does)
{
    static const char *const layouts[] = {"nchw", "nhwc"};
    measure(*state, "bf16");
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/every.yaml --device sim:%s/%s --dtype bf16 --dry-run "
                          "--json @/sim.json",
                          (const char *)*state, layouts[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        expect_layout(vdnn_test_json(vdnn_test_path(*state, "sim.json")), layouts[i]);
    }
}

TEST(f32_and_what_cannot_have_it_stay_as_they_are)
{
    expect_layout(train(*state, "run", "--steps 1"), "nchw");
    vdnn_test_run run;
    vdnn_test_program(
        &run, *state,
        "VDNN_CUDA_HOST=cublas=0,cudnn=0 vdnnrun --model @/every.yaml --device cuda --steps 1 "
        "--dtype bf16 --log-level debug --json @/run.json");
    vdnn_test_expect(&run, 0, "conv layer 'conv1': no algorithm on cuda supports its");
    vdnn_test_run_free(&run);
    expect_layout(vdnn_test_json(vdnn_test_path(*state, "run.json")), "nchw");
}

/* What is padded is a step's, not a network's. */
TEST(a_layout_that_no_network_has_is_refused)
{
    static const char *const names[] = {"nwhc", "nhwc8", "nChw16c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        int length = snprintf(text, sizeof text, "{\"layout\": \"%s\"}", names[i]);
        vdnn_test_write_file(vdnn_test_path(*state, "other.json"), text, (size_t)length);
        (void)snprintf(text, sizeof text, "there is no layout '%s' of maps: nchw or nhwc",
                       names[i]);
        vdnn_test_run_to(*state, 3, text,
                         "vdnnrun --model @/every.yaml --device cuda --steps 1 --dtype bf16 "
                         "--algos @/other.json");
    }
}

int main(void)
{
    /* The programs that are linked with the emulation. */
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 1);
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
