/* The numbers that the page of a report is drawn from: they agree with each other.
 * contract/test_gallery opens it in a browser. */

#include "tests/support/run_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT                                                                                     \
    "vdnnreport --model %s --device sim:titan-x-maxwell --device-mem %s --plan-trials 200 "

static const struct {
    const char *model, *budget;
} reports[] = {{"lenet", "40MiB"}, {"vgg16 --batch 32", "2GiB"}, {"googlenet", "1GiB"}};

enum { REPORTS = sizeof reports / sizeof *reports };

static json_t *report_of(const char *folder, size_t i, const char *more)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, REPORT "--json @/r.json --html @/r.html %s", reports[i].model,
                      reports[i].budget, more);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(vdnn_test_path(folder, "r.json"));
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The most bytes that live at one point, and the end of the highest buffer. */
static void check_buffers(json_t *row, json_t *step)
{
    json_t *buffers = json_object_get(step, "buffers"), *buffer;
    size_t i, points = json_array_size(json_object_get(step, "point_seconds"));
    json_int_t *changes = calloc(points, sizeof *changes), live = 0, peak = 0, end = 0;
    assert_non_null(changes);
    json_array_foreach(buffers, i, buffer)
    {
        json_int_t bytes = vdnn_test_integer_at(buffer, "bytes");
        json_int_t from = vdnn_test_integer_at(buffer, "first_point"),
                   to = vdnn_test_integer_at(buffer, "end_point"),
                   above = vdnn_test_integer_at(buffer, "offset") + bytes;
        assert_true(from >= 0 && from < to && (size_t)to < points);
        changes[from] += bytes;
        changes[to] -= bytes;
        end = above > end ? above : end;
    }
    for (size_t p = 0; p < points; p++) {
        live += changes[p];
        peak = live > peak ? live : peak;
    }
    free(changes);
    assert_int_equal(live, 0);
    assert_int_equal(peak, vdnn_test_integer_at(row, "device_peak_bytes"));
    assert_int_equal(end, vdnn_test_integer_at(row, "arena_bytes"));
}

static const char *const lost_keys[] = {"stall_seconds", "exposed_copy_seconds",
                                        "recompute_seconds"};
enum { LOST = sizeof lost_keys / sizeof *lost_keys };

/* The parts are the whole; layers lose no more than the step; those named lost the most. */
static void check_times(json_t *row, json_t *step)
{
    json_t *split = vdnn_test_object_at(step, "split"), *layer,
           *lost = json_object_get(step, "lost");
    const double seconds = vdnn_test_number_at(row, "step_seconds");
    double sum = vdnn_test_number_at(split, "compute_seconds"), worst = HUGE_VAL;
    size_t i;
    assert_true(vdnn_test_number_at(step, "seconds") == seconds);
    for (int k = 0; k < LOST; k++) {
        double of_layers = 0, whole = vdnn_test_number_at(split, lost_keys[k]);
        json_array_foreach(json_object_get(row, "layers"), i, layer) of_layers +=
            vdnn_test_number_at(vdnn_test_object_at(layer, "lost"), lost_keys[k]);
        assert_true(whole >= 0 && of_layers <= whole + 1e-9 * seconds);
        sum += whole;
    }
    assert_true(fabs(sum - seconds) <= 1e-9 * seconds);
    json_array_foreach(lost, i, layer)
    {
        double own = 0;
        for (int k = 0; k < LOST; k++)
            own += vdnn_test_number_at(layer, lost_keys[k]);
        assert_true(own > 0 && own <= worst);
        worst = own;
    }
}

static void check_steps(json_t *row, json_t *step)
{
    json_t *one;
    size_t i;
    double last = 0;
    json_array_foreach(json_object_get(step, "steps"), i, one)
    {
        double start = vdnn_test_number_at(one, "start_seconds"),
               end = vdnn_test_number_at(one, "end_seconds");
        assert_true(start >= 0 && start < end);
        last = fmax(last, end);
    }
    assert_true(last == vdnn_test_number_at(row, "step_seconds"));
    last = 0;
    json_array_foreach(json_object_get(step, "point_seconds"), i, one)
    {
        assert_true(json_real_value(one) >= last);
        last = json_real_value(one);
    }
}

/* Forward from the begin on, then backward; each micro-batch has both. */
static void check_halves(json_t *row, json_t *step)
{
    json_t *halves = json_object_get(step, "halves"), *half,
           *micro = json_object_get(row, "micro_batches");
    const size_t batches = micro == NULL ? 1 : (size_t)json_integer_value(micro);
    size_t i;
    double last = 0;
    assert_int_equal(json_array_size(halves), 2 * batches);
    json_array_foreach(halves, i, half)
    {
        const double start = vdnn_test_number_at(half, "start_seconds");
        assert_string_equal(vdnn_test_text_at(half, "half"), i % 2 == 0 ? "forward" : "backward");
        assert_true(i == 0 ? start == 0 : start > last);
        last = start;
    }
    assert_true(last < vdnn_test_number_at(row, "step_seconds"));
}

static void check_row(json_t *row)
{
    json_t *step = vdnn_test_object_at(row, "step");
    check_buffers(row, step);
    check_times(row, step);
    check_steps(row, step);
    check_halves(row, step);
}

TEST_IN_FOLDER(charts_have_the_numbers_of_the_table)
{
    for (size_t r = 0; r < REPORTS; r++) {
        json_t *root = report_of(*state, r, ""), *row;
        size_t i;
        json_array_foreach(json_object_get(root, "policies"), i, row) check_row(row);
        check_row(vdnn_test_object_at(root, "accumulate"));
        json_decref(root);
    }
}

/* The next row of the table, which has these words and, if there are any, these numbers. */
static void expect_next(const char **at, const char *const words[], json_t *record,
                        const char *const keys[], size_t key_count)
{
    char part[64];
    const char *row = strstr(*at, "<tr class=");
    assert_non_null(row);
    const size_t length = strcspn(row, "\n");
    *at = row + length;
    for (; *words != NULL; words++)
        if (memmem(row, length, *words, strlen(*words)) == NULL)
            fail_msg("no '%s' in: %.*s", *words, (int)length, row);
    for (size_t k = 0; k < key_count; k++) {
        const json_t *value = json_object_get(record, keys[k]);
        if (json_is_null(value))
            continue;
        (void)snprintf(part, sizeof part, "data-value=\"%.17g\"", json_number_value(value));
        if (memmem(row, length, part, strlen(part)) == NULL)
            fail_msg("no %s, %s, in: %.*s", keys[k], part, (int)length, row);
    }
}

TEST_IN_FOLDER(every_algorithm_is_in_the_page)
{
    static const char *const keys[] = {"seconds", "workspace_bytes", "work", "depth", "peak_share"};
    json_t *root = report_of(*state, 2, "--policies dyn"), *layer, *pass, *one;
    size_t l, p, i, length, rows = 0;
    char *page;
    vdnn_test_read_file(vdnn_test_path(*state, "r.html"), &page, &length);
    const char *at = strstr(page, "<h2 id=\"algorithms\">");
    assert_non_null(at);
    json_array_foreach(json_object_get(root, "layers"), l, layer)
        json_array_foreach(json_object_get(layer, "passes"), p, pass)
    {
        const char *name = vdnn_test_text_at(layer, "name"), *of = vdnn_test_text_at(pass, "pass");
        json_array_foreach(json_object_get(pass, "algorithms"), i, one)
            expect_next(&at, (const char *const[]){name, of, vdnn_test_text_at(one, "name"), NULL},
                        one, keys, sizeof keys / sizeof *keys);
        json_array_foreach(json_object_get(pass, "refused"), i, one)
            expect_next(&at,
                        (const char *const[]){"\"no\"", name, of, vdnn_test_text_at(one, "name"),
                                              vdnn_test_text_at(one, "reason"), NULL},
                        one, NULL, 0);
        rows += i;
    }
    assert_true(rows > 50); /* refusals */
    const char *end = strstr(at, "</table>"), *next = strstr(at, "<tr class=");
    assert_true(next == NULL || next > end);
    free(page);
    json_decref(root);
}

TEST_IN_FOLDER(the_same_report_is_the_same_page)
{
    char *pages[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        json_decref(report_of(*state, 0, ""));
        vdnn_test_read_file(vdnn_test_path(*state, "r.html"), &pages[i], &sizes[i]);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(pages[0], pages[1], sizes[0]);
    free(pages[0]);
    free(pages[1]);
}
