/* The curve of memory that --explain draws, against the buffers and times that the report's JSON
 * has of the same plan. */

#include "tests/support/run_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NETWORK "--model lenet --batch 512 --device sim:titan-x-maxwell "

enum { ROWS = 8, COLUMNS = 72, LEFT = 14 }; /* characters before a row's first column */

static const char *const signs[] = {" ", ".", ":", "#"};
static const char *const blocks[] = {" ",
                                     "\xe2\x96\x81",
                                     "\xe2\x96\x82",
                                     "\xe2\x96\x83",
                                     "\xe2\x96\x84",
                                     "\xe2\x96\x85",
                                     "\xe2\x96\x86",
                                     "\xe2\x96\x87",
                                     "\xe2\x96\x88"};

typedef struct curve_case {
    const char *locale, *columns;
    int budget_mib;
    const char *const *levels; /* of a cell */
    int level_count, columns_drawn;
} curve_case;

/* The peak is 269 MiB: a budget above it, below it, and far above. */
static const curve_case cases[] = {
    {"C", "120", 330, signs, 4, COLUMNS},
    {"C.UTF-8", "100", 200, blocks, 9, COLUMNS},
    {"en_US.utf8", "60", 330, blocks, 9, 60 - LEFT},
    {"POSIX", "86", 800, signs, 4, COLUMNS},
};

/* The most that is alive in each column's part of the step. */
static void fill_columns(json_t *row, int count, double *most)
{
    json_t *step = vdnn_test_object_at(row, "step"),
           *times = json_object_get(step, "point_seconds"), *buffer;
    const double whole = vdnn_test_number_at(step, "seconds");
    const size_t points = json_array_size(times) - 1;
    size_t i;
    for (size_t p = 0; p < points; p++) {
        double live = 0;
        json_array_foreach(json_object_get(step, "buffers"), i,
                           buffer) if ((json_int_t)p >=
                                           vdnn_test_integer_at(buffer, "first_point") &&
                                       (json_int_t)p < vdnn_test_integer_at(buffer, "end_point"))
            live += vdnn_test_number_at(buffer, "bytes");
        const double from = json_real_value(json_array_get(times, p));
        /* a step lasts to the point behind it */
        const double to = p % 2 == 0 ? json_real_value(json_array_get(times, p + 1)) : from;
        for (int c = 0; c < count; c++)
            if (from < (c + 1) * whole / count && to >= c * whole / count)
                most[c] = fmax(most[c], live);
        if (from >= whole)
            most[count - 1] = fmax(most[count - 1], live);
    }
    for (int c = 1; c < count; c++)
        most[c] = most[c] > 0 ? most[c] : most[c - 1];
}

/* The level of the cell that the text begins with, behind which it is left; 0 at a line's end, and
 * for the budget's line. */
static int read_cell(const char **at, const curve_case *one)
{
    if (**at == '\n')
        return 0;
    for (int level = one->level_count - 1; level > 0; level--) {
        const size_t length = strlen(one->levels[level]);
        if (strncmp(*at, one->levels[level], length) == 0) {
            *at += length;
            return level;
        }
    }
    const char *line = one->levels == blocks ? "\xe2\x94\x80" : "-";
    if (strncmp(*at, line, strlen(line)) == 0)
        *at += strlen(line);
    else if (**at == ' ')
        ++*at;
    else
        fail_msg("no cell: %.40s", *at);
    return 0;
}

static void check_picture(const char *out, const curve_case *one, json_t *row, double budget)
{
    double most[COLUMNS] = {0}, peak = vdnn_test_number_at(row, "device_peak_bytes");
    const double top = budget <= 2 * peak ? fmax(budget, peak) : peak;
    const int line = budget <= 2 * peak ? (int)fmin(budget / top * ROWS, ROWS - 1) : -1;
    const char *at = strstr(out, "\nalive over the step, as planned: ");
    assert_non_null(at);
    do /* folded where that is narrow */
        at = strchr(at + 1, '\n') + 1;
    while (strcspn(at, "|\n") != LEFT - 1);
    fill_columns(row, one->columns_drawn, most);
    for (int r = ROWS - 1; r >= 0; r--) {
        assert_int_equal(strncmp(at, "      budget |", LEFT) == 0, r == line);
        assert_true(at[LEFT - 1] == '|');
        at += LEFT;
        for (int c = 0; c < one->columns_drawn; c++) {
            const double part = fmin(fmax(most[c] / top * ROWS - r, 0), 1);
            const int wanted = (int)ceil(part * (one->level_count - 1) - 1e-9),
                      found = read_cell(&at, one);
            if (found != wanted)
                fail_msg("row %d, column %d: level %d, expected %d, in:\n%s", r, c, found, wanted,
                         out);
        }
        assert_true(*at++ == '\n');
    }
    assert_memory_equal(at, "         0 B +---", 16);
    const char *mark = strchr(at, '^');
    assert_non_null(mark);
    assert_true(mark - at < LEFT + one->columns_drawn);
}

static json_t *report_of(const char *folder, int budget_mib)
{
    char command[256];
    (void)snprintf(command, sizeof command,
                   "vdnnreport " NETWORK "--device-mem %dMiB --policies all --json @/r.json",
                   budget_mib);
    vdnn_test_run_to(folder, 0, "", command);
    return vdnn_test_json(vdnn_test_path(folder, "r.json"));
}

TEST_IN_FOLDER(the_curve_is_that_of_the_plan)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const curve_case *one = &cases[i];
        vdnn_test_run run;
        json_t *root = report_of(*state, one->budget_mib),
               *row = json_array_get(json_object_get(root, "policies"), 1);
        assert_string_equal(vdnn_test_text_at(row, "algo"), "p");
        (void)setenv("LC_ALL", one->locale, 1);
        (void)setenv("COLUMNS", one->columns, 1);
        vdnn_test_program(&run, *state,
                          "vdnnrun " NETWORK "--device-mem %dMiB --policy all --explain",
                          one->budget_mib);
        (void)unsetenv("COLUMNS");
        (void)unsetenv("LC_ALL");
        check_picture(run.out, one, row, one->budget_mib * 1048576.0);
        for (const char *byte = run.out; one->levels == signs && *byte != '\0'; byte++)
            assert_true((unsigned char)*byte < 0x80);
        vdnn_test_run_free(&run);
        json_decref(root);
    }
}
