/* The JSON that --algos reads, on a small network. */

#include "runtime/setup/derived_profile.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_profile.h"

static const char network[] = "name: n\n"
                              "input: {channels: 1, height: 8, width: 8}\n"
                              "classes: 4\n"
                              "batch: 2\n"
                              "layers:\n"
                              "  - {name: c, type: conv, out: 2, kernel: 3}\n"
                              "  - {name: f, type: fc, out: 4}\n"
                              "  - {name: l, type: softmax_loss}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const vdnn_graph *graph = vdnn_fuzz_graph(network);
    vdnn_profile *profile = NULL;
    vdnn_fuzz_begin();
    VDNN_FUZZ_CHECK(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile) == VDNN_OK);
    vdnn_status status =
        vdnn_derived_profile_pin(profile, graph, vdnn_fuzz_file("a.json", data, size));
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            VDNN_FUZZ_CHECK(profile->layers[l].choice_count[p] <= 1);
    vdnn_profile_destroy(profile);
    return vdnn_fuzz_end();
}
