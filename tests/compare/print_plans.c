/* Plans of random decisions as text, or as hashes of it, to compare those of two builds.
 *
 *     print_plans COUNT           a line for each case: its number, what it is of, a hash, bytes
 *     print_plans COUNT CASE      the whole text of that case
 *
 * A case is a random network under either rule set, of one to three devices, with its training and
 * its evaluation plan. compare_plans.py runs it in two builds. */

#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What the networks of a case must have; the rest is drawn. */
static const struct {
    const char *name;
    bool ties, words;
    int32_t devices, parts;
    bool shards;
} kinds[] = {
    {"plain", false, false, 1, 0, false},       {"ties", true, false, 1, 0, false},
    {"two inputs", false, true, 1, 0, false},   {"parts", false, false, 1, 2, false},
    {"two devices", false, false, 2, 0, false}, {"shards", true, false, 3, 0, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds, STRIDE = 1000003 };

static void add_plans(const vdnn_graph *graph, const vdnn_profile *profile,
                      const vdnn_decisions *decisions, vdnn_text *text)
{
    vdnn_plan *training = NULL, *evaluation = NULL;
    vdnn_status status = vdnn_planner_plan(graph, profile, decisions, &training);
    if (status == VDNN_OK)
        status = vdnn_plan_print(training, text);
    if (status == VDNN_OK) /* which no line of a plan has */
        vdnn_text_add(text, "seconds %.17g, recompute %.17g, average %.17g\n",
                      training->step_seconds, training->recompute_seconds,
                      training->device_average_bytes);
    if (status == VDNN_OK)
        status = vdnn_planner_plan_evaluation(graph, profile, decisions, &evaluation);
    if (status == VDNN_OK)
        status = vdnn_plan_print(evaluation, text);
    if (status != VDNN_OK)
        vdnn_text_add(text, "%s\n", vdnn_status_message());
    vdnn_plan_destroy(evaluation);
    vdnn_plan_destroy(training);
}

static vdnn_status write_case(int number, vdnn_text *text)
{
    const uint64_t seed = 1 + (uint64_t)number * STRIDE;
    vdnn_test_rng rng = {seed};
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_graph *graph = NULL;
    vdnn_profile *profile = NULL;
    vdnn_decisions decisions = {0};
    request.ties = request.ties || kinds[number % KINDS].ties;
    request.words = request.words || kinds[number % KINDS].words;
    request.parts = kinds[number % KINDS].parts;
    if (kinds[number % KINDS].devices > 1) {
        request.devices = kinds[number % KINDS].devices;
        request.reduce = (vdnn_reduce_scheme)(number / KINDS % 2);
        request.shards = kinds[number % KINDS].shards;
    }
    vdnn_status status = vdnn_random_model_graph(
        &request, vdnn_test_between(&rng, 0, 1) ? VDNN_RULES_LEAN : VDNN_RULES_PAPER, &graph);
    if (status == VDNN_OK)
        status = vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile);
    if (status == VDNN_OK && vdnn_test_between(&rng, 0, 1))
        vdnn_test_profile_slow(profile, &rng);
    if (status == VDNN_OK)
        status = vdnn_random_decisions(graph, profile, &rng, &decisions);
    if (status == VDNN_OK)
        add_plans(graph, profile, &decisions, text);
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
    return status;
}

static int print_case(int number, bool whole)
{
    vdnn_text text = {0};
    if (write_case(number, &text) != VDNN_OK) {
        (void)fprintf(stderr, "case %d: %s\n", number, vdnn_status_message());
        vdnn_text_fini(&text);
        return 1;
    }
    if (whole)
        (void)fputs(text.data, stdout);
    else
        printf("%d %s %016" PRIx64 " %zu\n", number, kinds[number % KINDS].name,
               XXH3_64bits(text.data, text.length), text.length);
    vdnn_text_fini(&text);
    return 0;
}

int main(int argument_count, char **arguments)
{
    const int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    if (argument_count > 2)
        return print_case(atoi(arguments[2]), true);
    int failed = 0;
    for (int i = 0; i < count && failed == 0; i++)
        failed = print_case(i, false);
    return failed;
}
