/* How long planning takes: from a network file or a random network to a proven plan, under dyn; and
 * how many trials of random decisions a search can make in a second. Profiles are synthetic, so the
 * figures are of the planner alone, in seconds of a processor. Prints one line per case; checks
 * every plan. */

#include "runtime/checker/checker.h"
#include "runtime/planner/workbench/workbench.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANDOM_LAYERS = 10000, RUNS = 5, DECISIONS = 16 };

/* Of a processor: planning has one thread, and the machine may be busy. */
static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct measured {
    double graph_seconds, plan_seconds, check_seconds;
    size_t arena_bytes, peak_bytes;
    int32_t steps;
} measured;

static vdnn_status plan_once(const vdnn_graph *graph, size_t device_bytes, measured *result)
{
    vdnn_profile *profile;
    vdnn_plan *plan = NULL;
    vdnn_status status = vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile);
    if (status != VDNN_OK)
        return status;
    vdnn_policy_ask request = {.graph = graph,
                               .profile = profile,
                               .algo = VDNN_ALGO_P,
                               .budget_bytes = {device_bytes, SIZE_MAX / 2}};
    double begun = seconds_now();
    status = vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &request, &plan, NULL);
    result->plan_seconds = seconds_now() - begun;
    if (status == VDNN_OK) {
        begun = seconds_now();
        status = vdnn_checker_check(plan, request.budget_bytes);
        result->check_seconds = seconds_now() - begun;
        result->arena_bytes = plan->span_bytes[VDNN_TIER_DEVICE];
        result->peak_bytes = plan->peak_bytes[VDNN_TIER_DEVICE];
        result->steps = plan->step_count;
    }
    vdnn_plan_destroy(plan);
    vdnn_profile_destroy(profile);
    return status;
}

static vdnn_status read_network(const char *path, vdnn_graph **graph)
{
    vdnn_model *model;
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_status status = vdnn_model_read(path, &model);
    if (status != VDNN_OK)
        return status;
    status = vdnn_graph_create(model, &options, graph);
    vdnn_model_destroy(model);
    return status;
}

static vdnn_status make_network(const char *path, vdnn_graph **graph)
{
    if (path != NULL)
        return read_network(path, graph);
    const vdnn_random_model request = vdnn_random_model_big(1, RANDOM_LAYERS);
    return vdnn_random_model_graph(&request, VDNN_RULES_LEAN, graph);
}

/* The median of the runs, by plan time. */
static vdnn_status run_case(const char *name, const char *path, size_t device_bytes)
{
    measured best = {0}, runs[RUNS] = {{0}};
    for (int i = 0; i < RUNS; i++) {
        vdnn_graph *graph;
        double begun = seconds_now();
        vdnn_status status = make_network(path, &graph);
        if (status != VDNN_OK)
            return status;
        runs[i].graph_seconds = seconds_now() - begun;
        status = plan_once(graph, device_bytes, &runs[i]);
        vdnn_graph_destroy(graph);
        if (status != VDNN_OK)
            return status;
        for (int k = i; k > 0 && runs[k].plan_seconds < runs[k - 1].plan_seconds; k--) {
            measured moved = runs[k];
            runs[k] = runs[k - 1];
            runs[k - 1] = moved;
        }
    }
    best = runs[RUNS / 2];
    printf(
        "%-22s %6d steps  read %.3f s  plan %.3f s  check %.3f s  arena %.1f MiB (%.2f %% lost)\n",
        name, (int)best.steps, best.graph_seconds, best.plan_seconds, best.check_seconds,
        (double)best.arena_bytes / 1048576,
        100 * (double)(best.arena_bytes - best.peak_bytes) / (double)best.peak_bytes);
    return VDNN_OK;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* Of one network; what is asked is not known from before. */
typedef struct tried {
    vdnn_workbench bench;
    vdnn_planning *planning;
} tried;

typedef vdnn_status one_trial(tried *own, const vdnn_decisions *decisions);

static vdnn_status try_bound(tried *own, const vdnn_decisions *decisions)
{
    vdnn_plan plan;
    return vdnn_workbench_bound(&own->bench, decisions, SIZE_MAX, &plan);
}

static vdnn_status try_fits(tried *own, const vdnn_decisions *decisions)
{
    size_t excess_bytes;
    return vdnn_workbench_excess(&own->bench, decisions, own->planning->budget_bytes,
                                 &excess_bytes);
}

/* Packs, and runs the clock. */
static vdnn_status try_time(tried *own, const vdnn_decisions *decisions)
{
    vdnn_outcome outcome;
    return vdnn_planning_evaluate(own->planning, decisions, VDNN_TIMED, &outcome);
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* All decisions in turn, for at least so long, of which none is known; the median of the runs. */
static vdnn_status trials_per_second(tried *own, one_trial *one, const vdnn_decisions *decisions,
                                     double *rate)
{
    static const double least_seconds = 0.2;
    double rates[RUNS];
    size_t budget_bytes[VDNN_TIER_COUNT];
    memcpy(budget_bytes, own->planning->budget_bytes, sizeof budget_bytes);
    for (int i = 0; i < RUNS; i++) {
        int count = 0;
        double begun = seconds_now(), seconds = 0;
        while (seconds < least_seconds) {
            vdnn_planning_begin(own->planning, budget_bytes);
            for (int k = 0; k < DECISIONS; k++, count++) {
                vdnn_status status = one(own, &decisions[k]);
                if (status != VDNN_OK)
                    return status;
            }
            seconds = seconds_now() - begun;
        }
        rates[i] = count / seconds;
    }
    qsort(rates, RUNS, sizeof *rates, by_value);
    *rate = rates[RUNS / 2];
    return VDNN_OK;
}

static vdnn_status time_trials(const char *name, const vdnn_graph *graph,
                               const vdnn_profile *profile, size_t device_bytes)
{
    const size_t budget_bytes[VDNN_TIER_COUNT] = {device_bytes, SIZE_MAX / 2, SIZE_MAX / 2};
    vdnn_test_rng rng = {1};
    vdnn_decisions decisions[DECISIONS];
    tried own = {.bench = {.graph = graph, .profile = profile}};
    double bounds = 0, fits = 0, times = 0;
    int drawn = 0;
    vdnn_status status = vdnn_planning_create(graph, profile, NULL, NULL, &own.planning);
    if (status != VDNN_OK)
        return status;
    vdnn_planning_begin(own.planning, budget_bytes);
    for (; status == VDNN_OK && drawn < DECISIONS; drawn++)
        status = vdnn_random_decisions(graph, profile, &rng, &decisions[drawn]);
    if (status == VDNN_OK)
        status = trials_per_second(&own, try_bound, decisions, &bounds);
    if (status == VDNN_OK)
        status = trials_per_second(&own, try_fits, decisions, &fits);
    if (status == VDNN_OK)
        status = trials_per_second(&own, try_time, decisions, &times);
    if (status == VDNN_OK)
        printf("%-22s %8.0f bounds/s %8.0f fits/s %8.0f times/s, of random decisions\n", name,
               bounds, fits, times);
    while (drawn > 0)
        vdnn_decisions_fini(&decisions[--drawn]);
    vdnn_planning_destroy(own.planning);
    vdnn_workbench_fini(&own.bench);
    return status;
}

static vdnn_status run_trials_of(const char *name, const char *path, size_t device_bytes,
                                 bool is_slowed)
{
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_status status = make_network(path, &graph);
    if (status != VDNN_OK)
        return status;
    status = vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile);
    if (status == VDNN_OK) {
        vdnn_test_rng rng = {1};
        if (is_slowed)
            vdnn_test_profile_slow(profile, &rng);
        status = time_trials(name, graph, profile, device_bytes);
        vdnn_profile_destroy(profile);
    }
    vdnn_graph_destroy(graph);
    return status;
}

static vdnn_status run_trials(const char *name, const char *path, size_t device_bytes)
{
    return run_trials_of(name, path, device_bytes, false);
}

/* Copies and compute slow each other. */
static vdnn_status run_slowed_trials(const char *name, const char *path, size_t device_bytes)
{
    return run_trials_of(name, path, device_bytes, true);
}

/* ---- cases ----------------------------------------------------------------------------------- */

typedef vdnn_status one_case(const char *name, const char *path, size_t device_bytes);

int main(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    static const struct {
        one_case *run;
        const char *name, *path;
        size_t device_bytes;
    } cases[] = {
        {run_case, "lenet", "models/lenet.yaml", SIZE_MAX / 2},
        {run_case, "googlenet", "models/googlenet.yaml", SIZE_MAX / 2},
        {run_case, "vgg16 in 12 GiB", "models/vgg16.yaml", (size_t)12 << 30},
        {run_case, "vgg416", "models/vgg416.yaml", SIZE_MAX / 2},
        {run_case, "vgg416 in 12 GiB", "models/vgg416.yaml", (size_t)12 << 30},
        {run_case, "vgg416 in 7 GiB", "models/vgg416.yaml", (size_t)7 << 30},
        {run_case, "10,000 random layers", NULL, SIZE_MAX / 2},
        {run_trials, "vgg16 in 12 GiB", "models/vgg16.yaml", (size_t)12 << 30},
        {run_trials, "vgg416 in 12 GiB", "models/vgg416.yaml", (size_t)12 << 30},
        {run_slowed_trials, "vgg16, slowed copies", "models/vgg16.yaml", (size_t)12 << 30},
        {run_slowed_trials, "vgg416, slowed copies", "models/vgg416.yaml", (size_t)12 << 30},
        {run_trials, "10,000 random layers", NULL, SIZE_MAX / 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i].run(cases[i].name, cases[i].path, cases[i].device_bytes) != VDNN_OK) {
            (void)fprintf(stderr, "%s: %s\n", cases[i].name, vdnn_status_message());
            return 1;
        }
    return 0;
}
