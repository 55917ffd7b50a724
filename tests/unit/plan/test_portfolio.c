/* Who goes on in a portfolio of starts: the test begins each with a number of trials, in variants
 * whose times it sets. */

#include "policies/opt/portfolio.h"
#include "policies/opt/starts.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

enum { TRIALS = 100, MOST_BEGUN = 8 };

static struct {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_policy_request request;
    vdnn_opt_variant start;   /* with a plan */
    int64_t until;            /* patience, in trials */
    double begun[MOST_BEGUN]; /* seconds of those that began, in order */
    int count;
} own;

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < own.until;
}

static const vdnn_policy_patience patience = {lasts, NULL};

static void open_case(void)
{
    const vdnn_random_model model = vdnn_random_model_small(1);
    vdnn_decisions decisions;
    bool taken;
    assert_ok(vdnn_random_model_graph(&model, VDNN_RULES_LEAN, &own.graph));
    assert_ok(vdnn_test_profile_of(own.graph, VDNN_TEST_ROWS_FAKE, &own.profile));
    const vdnn_policy_ask ask = {
        .graph = own.graph, .profile = own.profile, .budget_bytes = {SIZE_MAX / 4, SIZE_MAX / 4}};
    own.request =
        (vdnn_policy_request){.planning = vdnn_policy_ask_planning(&ask), .patience = &patience};
    assert_non_null(own.request.planning);
    assert_ok(vdnn_opt_variant_init(&own.request, &own.start));
    assert_ok(vdnn_opt_start_fastest(&own.start.search, &decisions));
    assert_ok(vdnn_opt_search_offer(&own.start.search, &decisions, NULL, &taken));
    assert_true(taken);
    vdnn_decisions_fini(&decisions);
    own.count = 0;
}

static void close_case(void)
{
    vdnn_opt_variant_fini(&own.start);
    vdnn_planning_destroy(own.request.planning);
    vdnn_profile_destroy(own.profile);
    vdnn_graph_destroy(own.graph);
}

static vdnn_status begin(const vdnn_policy_request *request, vdnn_opt_variant *variant)
{
    (void)request;
    assert_true(own.count < MOST_BEGUN);
    own.begun[own.count++] = variant->search.time.step_seconds;
    variant->search.trials += TRIALS;
    return VDNN_OK;
}

static vdnn_status begin_much_faster(const vdnn_policy_request *request, vdnn_opt_variant *variant)
{
    vdnn_status status = begin(request, variant);
    variant->search.time.step_seconds /= MOST_BEGUN;
    return status;
}

/* The layer says which chain it is in, so that variants of one are cut alike. */
static void add(vdnn_opt_portfolio *portfolio, double seconds, int32_t layer, vdnn_opt_begin *first)
{
    own.start.search.time.step_seconds = seconds;
    own.start.search.chained[layer] = 1;
    assert_ok(vdnn_opt_portfolio_add(portfolio, &own.start, first));
    own.start.search.chained[layer] = 0;
}

static void expect_begun(const double *seconds, int count)
{
    assert_int_equal(own.count, count);
    for (int i = 0; i < count; i++)
        assert_float_equal(own.begun[i], seconds[i], 0);
}

static void the_fastest_begins_and_the_others_follow_it(void **state)
{
    (void)state;
    vdnn_opt_portfolio portfolio = {.request = &own.request, .trials = 7};
    open_case();
    own.until = 7 + 2 * TRIALS + 1;
    add(&portfolio, 3, 1, begin);
    add(&portfolio, 1, 2, begin);
    add(&portfolio, 2, 3, begin);
    assert_ok(vdnn_opt_portfolio_run(&portfolio));
    expect_begun((const double[]){1, 3, 2}, 3);
    assert_int_equal(portfolio.count, 3);
    vdnn_opt_portfolio_end(&portfolio, &own.start);
    assert_float_equal(own.start.search.time.step_seconds, 1, 0);
    assert_int_equal(own.start.search.trials, 7 + 3 * TRIALS);
    assert_int_equal(own.start.search.chained[2], 1);
    close_case();
}

static void the_one_that_has_become_the_fastest_is_the_best(void **state)
{
    (void)state;
    vdnn_opt_portfolio portfolio = {.request = &own.request};
    open_case();
    own.until = 2 * TRIALS;
    add(&portfolio, 1, 1, begin);
    add(&portfolio, 3, 2, begin_much_faster);
    add(&portfolio, 2, 3, begin);
    assert_ok(vdnn_opt_portfolio_run(&portfolio));
    expect_begun((const double[]){1, 3}, 2);
    vdnn_opt_portfolio_end(&portfolio, &own.start);
    assert_true(own.start.search.time.step_seconds < 1);
    assert_int_equal(own.start.search.chained[2], 1);
    close_case();
}

static void one_that_is_cut_like_the_fastest_drops_out(void **state)
{
    (void)state;
    vdnn_opt_portfolio portfolio = {.request = &own.request};
    open_case();
    own.until = 2 * TRIALS + 1;
    add(&portfolio, 3, 1, begin);
    add(&portfolio, 1, 1, begin);
    add(&portfolio, 2, 2, begin);
    assert_ok(vdnn_opt_portfolio_run(&portfolio));
    expect_begun((const double[]){1, 3, 2}, 3);
    assert_int_equal(portfolio.count, 2);
    vdnn_opt_portfolio_end(&portfolio, &own.start);
    assert_float_equal(own.start.search.time.step_seconds, 1, 0);
    close_case();
}

static void nothing_goes_on_where_memory_slows_nothing(void **state)
{
    (void)state;
    vdnn_opt_portfolio portfolio = {.request = &own.request};
    open_case();
    own.until = TRIALS;
    own.start.oracle_seconds = 1;
    add(&portfolio, 2, 1, begin);
    add(&portfolio, 1, 2, begin);
    assert_ok(vdnn_opt_portfolio_run(&portfolio));
    expect_begun(NULL, 0);
    vdnn_opt_portfolio_end(&portfolio, &own.start);
    close_case();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_begins_and_the_others_follow_it),
        cmocka_unit_test(the_one_that_has_become_the_fastest_is_the_best),
        cmocka_unit_test(one_that_is_cut_like_the_fastest_drops_out),
        cmocka_unit_test(nothing_goes_on_where_memory_slows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
