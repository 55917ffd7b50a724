/* What a report shows beside its table: the policies under other budgets, a run, other reports. */

#include "tests/support/run_json.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LENET "--model lenet --device sim:titan-x-maxwell --plan-trials 200 "

/* ---- budgets --------------------------------------------------------------------------------- */

/* As the report under that budget alone says; of a search it may be what another budget found. */
static void compare_cells(json_t *budget, json_t *alone)
{
    json_t *cells = json_object_get(budget, "policies"), *rows = json_object_get(alone, "policies");
    assert_int_equal(json_array_size(cells), json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *cell = json_array_get(cells, i), *row = json_array_get(rows, i);
        static const char *const keys[] = {"policy",        "fits",         "arena_bytes",
                                           "offload_bytes", "step_seconds", "recompute_seconds",
                                           "relative_speed"};
        const bool fits = json_is_true(json_object_get(row, "fits")),
                   is_faster = fits && vdnn_test_number_at(cell, "step_seconds") <
                                           vdnn_test_number_at(row, "step_seconds");
        assert_true(!is_faster || strcmp(vdnn_test_text_at(row, "policy"), "opt") == 0);
        for (size_t k = 0; k < (fits && !is_faster ? 7 : 2); k++)
            assert_true(json_equal(json_object_get(cell, keys[k]), json_object_get(row, keys[k])));
        assert_int_equal(json_object_get(cell, "step_seconds") != NULL, fits);
    }
}

TEST_IN_FOLDER(a_budget_has_what_its_own_report_says)
{
    static const char *const budgets[] = {"14MiB", "24MiB", "80MiB"};
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport " LENET
                     "--device-mem 40MiB --budgets 14MiB,24MiB,80MiB --json @/all.json "
                     "--html @/all.html");
    json_t *all = vdnn_test_json(vdnn_test_path(*state, "all.json")),
           *list = json_object_get(all, "budgets");
    assert_int_equal(json_array_size(list), 3);
    for (size_t b = 0; b < 3; b++) {
        vdnn_test_run run;
        json_t *budget = json_array_get(list, b);
        assert_int_equal(vdnn_test_integer_at(budget, "budget_bytes"), strtol(budgets[b], NULL, 10)
                                                                           << 20);
        vdnn_test_program(&run, *state, "vdnnreport " LENET "--device-mem %s --json @/one.json",
                          budgets[b]);
        assert_true(run.code == 0 || run.code == 4);
        vdnn_test_run_free(&run);
        json_t *alone = vdnn_test_json(vdnn_test_path(*state, "one.json"));
        compare_cells(budget, alone);
        json_decref(alone);
    }
    char *page;
    size_t length;
    vdnn_test_read_file(vdnn_test_path(*state, "all.html"), &page, &length);
    json_t *embedded = vdnn_test_page_json(page);
    assert_true(json_equal(all, embedded));
    assert_non_null(strstr(page, "What more memory buys"));
    assert_non_null(strstr(page, "<td>does not fit</td>"));
    json_decref(embedded);
    json_decref(all);
    free(page);
}

/* ---- a run ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(a_run_is_shown_beside_its_plan)
{
    static const char *const keys[] = {"step_seconds", "device_peak_bytes", "host_peak_bytes",
                                       "offload_bytes", "prefetch_bytes"};
    char *page;
    size_t length;
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun " LENET
                     "--device-mem 60MiB --policy all --steps 2 --json @/run.json");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport " LENET
                     "--device-mem 60MiB --run @/run.json --json @/r.json --html "
                     "@/r.html");
    json_t *run = vdnn_test_json(vdnn_test_path(*state, "run.json")),
           *root = vdnn_test_json(vdnn_test_path(*state, "r.json")),
           *shown = vdnn_test_object_at(root, "run");
    assert_string_equal(vdnn_test_text_at(shown, "policy"), "all");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        assert_true(json_equal(json_object_get(vdnn_test_object_at(shown, "planned"), keys[k]),
                               json_object_get(vdnn_test_object_at(run, "plan"), keys[k])));
        assert_true(json_equal(json_object_get(vdnn_test_object_at(shown, "measured"), keys[k]),
                               json_object_get(vdnn_test_object_at(run, "measured"), keys[k])));
    }
    assert_int_equal(json_array_size(json_object_get(shown, "layers")),
                     json_array_size(json_object_get(run, "layers")));
    vdnn_test_read_file(vdnn_test_path(*state, "r.html"), &page, &length);
    assert_non_null(strstr(page, "A run under all (p) on titan-x-maxwell, next to its plan."));
    assert_non_null(strstr(page, "<code>vdnnreport --model lenet "));
    free(page);
    json_decref(run);
    json_decref(root);
    vdnn_test_run text;
    vdnn_test_program(&text, *state, "vdnnreport " LENET "--run @/run.json");
    assert_non_null(strstr(text.out, "Run: under all (p) on titan-x-maxwell a step took "));
    vdnn_test_run_free(&text);
}

TEST_IN_FOLDER(what_is_no_run_of_this_network_is_refused)
{
    static const struct {
        int code;
        const char *part, *options;
    } cases[] = {
        {6, "none.json: cannot be opened", "--run @/none.json"},
        {3, "text.json:1: ", "--run @/text.json"},
        {3, "r.json: no JSON of a run", "--run @/r.json"},
        {3, "dry.json: nothing was measured", "--run @/dry.json"},
        {3, "run.json: a run with batch 64; the report's is 32", "--batch 32 --run @/run.json"},
        {3, "run.json: a run with model 'lenet'; the report's is 'alexnet'",
         "--model alexnet --run @/run.json"},
        {3, "run.json: a run with dtype 'f32'; the report's is 'bf16'",
         "--dtype bf16 --run @/run.json"},
        {3, "older.json: a run with version '0.0.1'", "--run @/older.json"},
        {3, "bare.json: plan has no 'step_seconds'", "--run @/bare.json"},
        {2, "--run is for the report of one device", "--device sim:t4,l4 --run @/run.json"},
        {2, "--budgets is for the report of one device", "--device sim:t4,l4 --budgets 1GiB"},
        {2, "--budgets: plans of one device", "--device sim:p100 --devices 2 --budgets 1GiB"},
        {2, "--budgets: \"\" is not a size", "--budgets 1GiB,,2GiB"},
        {2, "--budgets: unknown unit", "--budgets 3XB"},
    };
    char command[256];
    vdnn_test_write_below(*state, "text.json", "no JSON");
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--json @/r.json");
    vdnn_test_run_to(*state, 0, "", "vdnnrun " LENET "--steps 1 --json @/run.json");
    vdnn_test_run_to(*state, 0, "", "vdnnrun " LENET "--dry-run --json @/dry.json");
    json_t *run = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    (void)json_object_set_new(run, "version", json_string("0.0.1"));
    assert_int_equal(json_dump_file(run, vdnn_test_path(*state, "older.json"), 0), 0);
    (void)json_object_clear(json_object_get(run, "plan"));
    assert_int_equal(json_dump_file(run, vdnn_test_path(*state, "bare.json"), 0), 0);
    json_decref(run);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(command, sizeof command, "vdnnreport " LENET "%s --html @/bad.html",
                       cases[i].options);
        vdnn_test_run_to(*state, cases[i].code, cases[i].part, command);
        assert_int_equal(access(vdnn_test_path(*state, "bad.html"), F_OK), -1);
    }
}

/* ---- reports compared ------------------------------------------------------------------------ */

/* As the row of the report itself, which has the policies in the same order. */
static void compare_report(json_t *all, size_t index, json_t *report)
{
    static const char *const keys[] = {"fits",          "device_peak_bytes", "arena_bytes",
                                       "offload_bytes", "step_seconds",      "relative_speed"};
    json_t *rows = json_object_get(report, "policies"),
           *policies = json_object_get(all, "policies");
    assert_int_equal(json_array_size(policies), json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *cells = json_object_get(json_array_get(policies, i), "reports");
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            assert_true(json_equal(json_object_get(json_array_get(cells, index), keys[k]),
                                   json_object_get(json_array_get(rows, i), keys[k])));
    }
}

TEST_IN_FOLDER(reports_are_compared)
{
    char *page;
    size_t length;
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--device-mem 80MiB --json @/a.json");
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--device-mem 24MiB --json @/b.json");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --compare @/a.json @/b.json --json @/c.json --html @/c.html");
    json_t *all = vdnn_test_json(vdnn_test_path(*state, "c.json")),
           *a = vdnn_test_json(vdnn_test_path(*state, "a.json")),
           *b = vdnn_test_json(vdnn_test_path(*state, "b.json"));
    compare_report(all, 0, a);
    compare_report(all, 1, b);
    vdnn_test_read_file(vdnn_test_path(*state, "c.html"), &page, &length);
    json_t *embedded = vdnn_test_page_json(page);
    assert_true(json_equal(all, embedded));
    free(page);
    json_decref(embedded);
    json_decref(all);
    json_decref(a);
    json_decref(b);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnreport --compare @/a.json @/b.json");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(
        strstr(run.out, "a.json: lenet, batch 64, titan-x-maxwell, device memory 80.00"));
    assert_non_null(strstr(run.out, "base (m)  B  "));
    vdnn_test_run_free(&run);
}

/* A policy that one report alone has is compared with nothing. */
TEST_IN_FOLDER(a_report_may_lack_policies)
{
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--policies base --json @/a.json");
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--policies base,dyn --json @/b.json");
    vdnn_test_run_to(*state, 0, "", "vdnnreport --compare @/a.json @/b.json --json @/c.json");
    json_t *all = vdnn_test_json(vdnn_test_path(*state, "c.json")),
           *policies = json_object_get(all, "policies"), *last = json_array_get(policies, 2);
    assert_int_equal(json_array_size(policies), 3);
    assert_string_equal(vdnn_test_text_at(last, "policy"), "dyn");
    assert_true(json_is_null(json_array_get(json_object_get(last, "reports"), 0)));
    assert_true(json_is_object(json_array_get(json_object_get(last, "reports"), 1)));
    json_decref(all);
}

TEST_IN_FOLDER(what_is_no_report_is_not_compared)
{
    static const struct {
        int code;
        const char *part, *words;
    } cases[] = {
        {2, "1 reports; expected 2 to 26", "--compare @/a.json"},
        {6, "none.json: cannot be opened", "--compare @/a.json @/none.json"},
        {3, "text.json:1: ", "--compare @/a.json @/text.json"},
        {3, "list.json: no JSON of a report", "--compare @/a.json @/list.json"},
        {3, "new.json: schema_version 99", "--compare @/a.json @/new.json"},
        {3, "empty.json: a report without policies", "--compare @/a.json @/empty.json"},
        {3, "odd.json: policies[1] has no 'step_seconds'", "--compare @/a.json @/odd.json"},
        {3, "run.json: no JSON of a report", "--compare @/run.json @/a.json"},
        {6, "no/c.html", "--compare @/a.json @/a.json --json @/c.json --html @/no/c.html"},
        {2, "written as table, json or html", "--compare @/a.json @/a.json --csv @/c.csv"},
        {6, "no/c.html", "--compare @/a.json @/a.json --html @/no/c.html"},
    };
    char command[256];
    vdnn_test_write_below(*state, "text.json", "no JSON");
    vdnn_test_write_below(*state, "list.json", "[1, 2]");
    vdnn_test_write_below(*state, "new.json",
                          "{\"schema_version\": 99, \"policies\": [], \"device\": {}}");
    vdnn_test_write_below(*state, "empty.json",
                          "{\"schema_version\": 1, \"policies\": [], \"device\": {}}");
    vdnn_test_run_to(*state, 0, "", "vdnnreport " LENET "--policies base --json @/a.json");
    vdnn_test_run_to(*state, 0, "", "vdnnrun " LENET "--steps 1 --json @/run.json");
    json_t *odd = vdnn_test_json(vdnn_test_path(*state, "a.json"));
    (void)json_object_del(json_array_get(json_object_get(odd, "policies"), 1), "step_seconds");
    assert_int_equal(json_dump_file(odd, vdnn_test_path(*state, "odd.json"), 0), 0);
    json_decref(odd);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(command, sizeof command, "vdnnreport %s", cases[i].words);
        vdnn_test_run_to(*state, cases[i].code, cases[i].part, command);
    }
    assert_int_equal(access(vdnn_test_path(*state, "c.json"), F_OK), -1);
    assert_int_equal(access(vdnn_test_path(*state, "c.csv"), F_OK), -1);
}

/* ---- files of others ------------------------------------------------------------------------- */

/* ESC, and the character of two bytes that some terminals take for it with its bracket. */
#define HOSTILE                                                                                    \
    "a\033[2Jb\xc2\x9b"                                                                            \
    "31mc"

static void make_hostile(const char *folder, const char *from, const char *to)
{
    json_t *root = vdnn_test_json(vdnn_test_path(folder, from)),
           *device = json_object_get(root, "device");
    if (json_is_object(device))
        assert_int_equal(json_object_set_new(device, "name", json_string(HOSTILE)), 0);
    else
        assert_int_equal(json_object_set_new(root, "device", json_string(HOSTILE)), 0);
    assert_int_equal(json_dump_file(root, vdnn_test_path(folder, to), 0), 0);
    json_decref(root);
}

TEST_IN_FOLDER(names_in_files_do_not_command_the_terminal)
{
    static const char *const lines[] = {
        "vdnnreport --compare @/hostile.json @/plain.json",
        "vdnnreport --compare @/hostile.json @/plain.json --markdown -",
        "vdnnreport --compare @/hostile.json @/plain.json --csv -",
        "vdnnreport " LENET "--device-mem 40MiB --run @/run.json",
    };
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport " LENET "--policies base,all --device-mem 40MiB --json "
                     "@/plain.json");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun " LENET "--device-mem 40MiB --steps 2 --json @/first.json");
    make_hostile(*state, "plain.json", "hostile.json");
    make_hostile(*state, "first.json", "run.json");
    bool was_shown = false;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s", lines[i]);
        for (const char *out = run.out; *out != '\0'; out++)
            if ((*out > 0 && *out < ' ' && *out != '\n' && *out != '\t') ||
                strncmp(out, "\xc2\x9b", 2) == 0)
                fail_msg("%s: a control character in %.40s", lines[i], out);
        assert_null(strchr(run.err, '\033'));
        was_shown = was_shown || strstr(run.out, "a?[2Jb??31mc") != NULL;
        vdnn_test_run_free(&run);
    }
    assert_true(was_shown);
}
