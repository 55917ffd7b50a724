#include "tests/support/vdnn_test.h"

#include "runtime/base/table.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 4 };

static const char *const cells[ROWS][COLUMNS] = {
    {"conv", "1", "12.5 ms", "-"},
    {"a long name", "1000", "1 s", ""},
    {"x", "22", "", "7.00 GiB"},
};

static const vdnn_table_column columns[COLUMNS] = {
    {"policy", 0, true}, {"n", 0, false}, {"step", 2, false}, {"memory", 1, false}};

/* The odd ones in the caller's words, the others as they live. */
static const char *cell(const void *context, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    assert_ptr_equal(context, cells);
    if (column % 2 == 0)
        return cells[row][column];
    (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%s", cells[row][column]);
    return words;
}

static const vdnn_table table = {columns, COLUMNS, ROWS, cell, cells};

static void expect_text(size_t line, const char *expected)
{
    vdnn_text text = {0};
    vdnn_table_add(&table, line, &text);
    assert_false(text.failed);
    assert_string_equal(text.data, expected);
    vdnn_text_fini(&text);
}

TEST(cells_stand_below_their_titles)
{
    expect_text(36, "policy          n     step    memory\n"
                    "conv            1  12.5 ms         -\n"
                    "a long name  1000      1 s\n"
                    "x              22           7.00 GiB\n");
}

TEST(what_matters_least_leaves_a_narrow_line_first)
{
    expect_text(35, "policy          n    memory\n"
                    "conv            1         -\n"
                    "a long name  1000\n"
                    "x              22  7.00 GiB\n");
    expect_text(26, "policy          n\n"
                    "conv            1\n"
                    "a long name  1000\n"
                    "x              22\n");
}

TEST(columns_of_rank_zero_stay_whatever_the_line)
{
    expect_text(1, "policy          n\n"
                   "conv            1\n"
                   "a long name  1000\n"
                   "x              22\n");
}

TEST(a_table_without_rows_has_its_titles)
{
    const vdnn_table empty = {columns, COLUMNS, 0, cell, cells};
    vdnn_text text = {0};
    vdnn_table_add(&empty, 100, &text);
    assert_string_equal(text.data, "policy  n  step  memory\n");
    vdnn_text_fini(&text);
}
