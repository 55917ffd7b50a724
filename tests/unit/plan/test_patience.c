/* How long a policy may search where the options say it, and where they do not. */

#include "runtime/setup/patience.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

/* The seconds that the second patience lasts longer than the first, begun at once. */
static double longer(const vdnn_patience *first, const vdnn_patience *second)
{
    return second->until_seconds - first->until_seconds;
}

static vdnn_run_options options_with(const vdnn_planning_options *planning)
{
    return (vdnn_run_options){
        .ask = {.planning = planning, .process = vdnn_test_topic(process, .ranks = 0)}};
}

static void a_run_is_searched_longer_than_a_row_of_a_report(void **state)
{
    const vdnn_run_options options = options_with(vdnn_test_topic(planning, .plan_seconds = 100));
    vdnn_patience run, report;
    (void)state;
    vdnn_patience_begin(VDNN_PATIENCE_OF_REPORT, &options, NULL, &report);
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &options, NULL, &run);
    assert_true(longer(&report, &run) >= 1.7);
    assert_true(longer(&report, &run) < 50);
}

static void seconds_that_are_given_are_those_of_both(void **state)
{
    const vdnn_run_options preset = options_with(vdnn_test_topic(planning, .plan_seconds = 0)),
                           given = options_with(vdnn_test_topic(planning, .has_plan_seconds = true,
                                                                .plan_seconds = 1000));
    vdnn_patience before, run, report;
    (void)state;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &preset, NULL, &before);
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &given, NULL, &run);
    vdnn_patience_begin(VDNN_PATIENCE_OF_REPORT, &given, NULL, &report);
    assert_true(longer(&before, &run) >= 998);
    assert_true(longer(&before, &report) >= 998);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_searched_longer_than_a_row_of_a_report),
        cmocka_unit_test(seconds_that_are_given_are_those_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
