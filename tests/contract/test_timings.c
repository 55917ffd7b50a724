/* How far device models are from published timings of their cards, as `make calibrate` finds it and
 * models/devices/TIMINGS.md says. What they are compared with is in tests/reference/. */

#include "tests/support/run_program.h"
#include "tests/support/vdnn_test.h"

#include <string.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"
#define TIMINGS                                                                                    \
    PYTHON " models/devices/timings.py --costs " VDNN_TEST_COSTS " --report %s/vdnnreport "

static void need_python(void)
{
    if (access(PYTHON, X_OK) != 0)
        skip_because("there is no %s", PYTHON);
}

/* It ended with `code` and printed `part`. */
static void expect(vdnn_test_run *run, int code, const char *part)
{
    vdnn_test_expect(run, code, "");
    assert_non_null(run->out);
    if (strstr(run->out, part) == NULL)
        fail_msg("'%s' is not in the %zu bytes that it printed", part, strlen(run->out));
}

static void put(const char *folder, const char *name, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), text, strlen(text));
}

/* Three convolutions, of which one's card has no model, a product and a network. */
static void put_timings(const char *folder)
{
    put(folder, "conv-times.csv",
        "source,card,precision,network,n,c,h,w,k,r,s,stride_h,stride_w,pad_h,pad_w,pass,algorithm,"
        "ms\n"
        "some,v100,f32,a,32,64,56,56,64,3,3,1,1,1,1,fwd,winograd,0.5\n"
        "some,v100,f32,a,32,64,56,56,64,1,7,2,1,0,3,bwd_total,,0.9\n"
        "some,voodoo,f32,a,32,64,56,56,64,3,3,1,1,1,1,fwd,,50\n");
    put(folder, "product-times.csv",
        "source,card,precision,network,rows,columns,inner,transposed,ms\n"
        "some,a100,f16,,256,4096,4096,NT,0.1\n");
    put(folder, "network-rates.csv",
        "source,card,precision,stack,network,batch,images_per_second\n"
        "some,h100,tf32,x,alexnet,128,9000\n"
        "other,h100,tf32,y,alexnet,128,10000\n");
}

/* Whoever changes a model or the formulas finds here what it does to every card. */
TEST_IN_FOLDER(the_results_say_how_far_the_shipped_models_are_off)
{
    vdnn_test_run run;
    need_python();
    vdnn_test_program(&run, *state, TIMINGS "--check models/devices/TIMINGS.md", vdnn_test_bin());
    expect(&run, 0, "models/devices/TIMINGS.md has these tables");
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_results_say_how_far_several_devices_are_off)
{
    vdnn_test_run run;
    need_python();
    vdnn_test_program(&run, *state,
                      PYTHON " models/devices/scaling.py --costs " VDNN_TEST_COSTS
                             " --scale %s/vdnnscale "
                             "--check models/devices/TIMINGS.md",
                      vdnn_test_bin());
    expect(&run, 0, "models/devices/TIMINGS.md has these tables");
    vdnn_test_run_free(&run);
}

/* Of the one card that was measured here; a model of another card is told apart. */
TEST_IN_FOLDER(the_model_of_a_measured_card_is_near_its_profiles)
{
#define FIT PYTHON " models/devices/fit_devices.py --costs " VDNN_TEST_COSTS " --check --profiles "
    static const struct {
        const char *command, *found;
        int code;
    } cases[] = {
        {FIT "traces/h200/vgg16-256-f32.profile --precision f32 h200", "36 rows", 0},
        {FIT "traces/h200/vgg16-256-bf16.profile,traces/h200/resnet50-192-bf16.profile "
             "--precision bf16 h200",
         "70 rows", 0},
        {FIT "traces/h200/vgg16-256-f32.profile --precision f32 v100", "36 rows", 1},
    };
#undef FIT
    need_python();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s", cases[i].command);
        expect(&run, cases[i].code, cases[i].found);
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(the_shipped_models_state_the_accuracy_that_is_found)
{
    vdnn_test_run run;
    need_python();
    vdnn_test_program(&run, *state, TIMINGS "--accuracy", vdnn_test_bin());
    expect(&run, 0, "the device models state the accuracy that was found");
    vdnn_test_run_free(&run);
    put_timings(*state);
    vdnn_test_program(&run, *state, TIMINGS "--accuracy --data @", vdnn_test_bin());
    expect(&run, 1, "models/devices/v100.yaml: accuracy is (");
    vdnn_test_run_free(&run);
}

/* Ratios between cards, as one framework published them. Of cards that nothing was published of
 * there is nothing to say, and rates that turn the cards' order around are an error. */
TEST_IN_FOLDER(cards_compare_with_each_other_as_published)
{
#define RATES "source,card,precision,stack,network,batch,images_per_second\n"
    vdnn_test_run run;
    need_python();
    vdnn_test_program(&run, *state, TIMINGS "--ratios", vdnn_test_bin());
    expect(&run, 0, "the bar, half within 15%, is met.");
    expect(&run, 0, "| lambda | PyTorch (NGC container) | resnet50 | tf32 | gh200 | ");
    expect(&run, 0, "lambda b200 f16, ");
    vdnn_test_run_free(&run);
    put(*state, "network-rates.csv", RATES "some,h100,tf32,x,alexnet,128,9000\n");
    vdnn_test_program(&run, *state, TIMINGS "--ratios --data @", vdnn_test_bin());
    expect(&run, 0, "Of all 0 pairs: ");
    vdnn_test_run_free(&run);
    put(*state, "network-rates.csv",
        RATES "some,h100,tf32,x,alexnet,128,1000\nsome,h200,tf32,x,alexnet,128,9000\n");
    vdnn_test_program(&run, *state, TIMINGS "--ratios --data @", vdnn_test_bin());
    expect(&run, 1, "the bar, half within 15%, is not met.");
    vdnn_test_run_free(&run);
#undef RATES
}

TEST_IN_FOLDER(timings_are_compared_by_device_precision_and_source)
{
    vdnn_test_run run;
    need_python();
    put_timings(*state);
    vdnn_test_program(&run, *state, TIMINGS "--data @", vdnn_test_bin());
    expect(&run, 0, "| v100 | f32 | some | 2 | ");
    expect(&run, 0, "Rows of cards without a model: voodoo 1.");
    expect(&run, 0, "| a100 | f16 | some | 1 | ");
    expect(&run, 0, "| h100 | tf32 | alexnet | 128 | 9000 to 10000 | ");
    expect(&run, 0, " | other, some |");
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(results_of_other_models_are_an_error_that_names_the_lines)
{
    vdnn_test_run run;
    need_python();
    put_timings(*state);
    put(*state, "results.md",
        "# Results\n\n## Device models against published timings\n\nProse.\n\n### Convolutions\n\n"
        "Nothing yet.\n\n## Something else\n\nStays.\n");
    vdnn_test_program(&run, *state, TIMINGS "--data @ --check @/results.md", vdnn_test_bin());
    expect(&run, 1, "-Nothing yet.\n");
    expect(&run, 1, "+| v100 | f32 | some | 2 | ");
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, TIMINGS "--data @ --write @/results.md", vdnn_test_bin());
    expect(&run, 0, "");
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, TIMINGS "--data @ --check @/results.md", vdnn_test_bin());
    expect(&run, 0, "has these tables");
    vdnn_test_run_free(&run);
}
