/* Every format of a report, of a comparison of cards and of a scaling study has the numbers of its
 * JSON: each cell is read back and compared, to half of its last digit. */

#include "runtime/base/numbers/rounded.h"
#include "runtime/report/page/page.h"

#include "tests/support/run_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With a budget that some policies fit in and others do not. */
#define REPORT "vdnnreport --model lenet --device sim:titan-x-maxwell --device-mem 40MiB "
#define RUN "vdnnrun --model lenet --device sim:titan-x-maxwell --device-mem 60MiB "

enum { POLICIES = 8, CELLS = 16, CELL_BYTES = 64 };

typedef struct row {
    char cells[CELLS][CELL_BYTES];
    int count;
} row;

/* What follows the policy's name and whether it fits, in tables for people; a terminal has no room
 * for the arena. */
static const char *const columns[] = {
    "device_peak_bytes", "device_average_bytes", "arena_bytes",
    "host_peak_bytes",   "offload_bytes",        "recompute_seconds",
    "step_seconds",      "relative_speed",       "smallest_bytes",
};
enum { COLUMNS = sizeof columns / sizeof *columns, ARENA = 2, NARROW = 100 };

/* ---- cells ----------------------------------------------------------------------------------- */

static void add_cell(row *r, const char *text, size_t length)
{
    while (length > 0 && text[0] == ' ')
        text++, length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    assert_true(r->count < CELLS && length < CELL_BYTES);
    memcpy(r->cells[r->count], text, length);
    r->cells[r->count++][length] = '\0';
}

/* The parts between `open` and `close`, or, without `open`, between separators. */
static row cells_of(const char *line, const char *open, const char *close)
{
    row r = {.count = 0};
    const char *end = line + strcspn(line, "\n");
    while (line < end) {
        const char *begin = open == NULL ? line : strstr(line, open);
        if (begin == NULL || begin >= end)
            break;
        begin += open == NULL ? 0 : strlen(open);
        const char *stop = strstr(begin, close);
        if (stop == NULL || stop > end)
            stop = end;
        add_cell(&r, begin, (size_t)(stop - begin));
        line = stop + strlen(close);
    }
    return r;
}

/* The cells of a line of the table for people, which are one or more blanks apart; the first, a
 * name, has `width` characters behind the mark. */
static row cells_of_text(const char *line, size_t width)
{
    row r = {.count = 0};
    const char *end = line + strcspn(line, "\n");
    assert_true(end - line <= NARROW && (size_t)(end - line) > width);
    add_cell(&r, line + 1, width - 1);
    for (line += width; line < end; line += strspn(line, " ")) {
        const size_t length = strcspn(line, " \n");
        if (length > 0)
            add_cell(&r, line, length);
        line += length;
    }
    return r;
}

/* With the units that stand below the titles, and no arena. */
static row with_units(row found, const row *units)
{
    static const char *const none = "";
    row r = {.count = 2 + COLUMNS};
    assert_int_equal(found.count, 2 + COLUMNS - 1);
    for (int i = 0, from = 0, unit = 1; i < 2 + COLUMNS; i++) {
        if (i == 2 + ARENA)
            continue;
        const bool counts = i >= 2 && strcmp(columns[i - 2], "relative_speed") != 0;
        const char *cell = found.cells[from++];
        (void)snprintf(r.cells[i], CELL_BYTES, "%.*s%s%s", CELL_BYTES / 2, cell,
                       counts ? " " : none, counts ? units->cells[unit++] : none);
    }
    return r;
}

/* "10.36 GiB", "2.633 ms", "0.756": its value, and half of its last digit. */
static double value_of(const char *cell, double *half)
{
    static const struct {
        const char *unit;
        double is;
    } units[] = {{"", 1},         {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                 {"TiB", 0x1p40}, {"s", 1}, {"ms", 1e-3},    {"us", 1e-6},    {"%", 1e-2}};
    char *end;
    double value = strtod(cell, &end);
    const char *point = strchr(cell, '.');
    if (end == cell)
        fail_msg("'%s' is not a number", cell);
    *half = 0.5 * pow(10, point == NULL ? 0 : -(double)(end - point - 1));
    end += *end == ' ';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0) {
            *half *= units[i].is;
            return value * units[i].is;
        }
    fail_msg("'%s' has an unknown unit", cell);
    return 0;
}

static void compare_cell(const json_t *policy, const char *key, const char *cell)
{
    double half, found = value_of(cell, &half);
    double wanted = json_number_value(json_object_get(policy, key));
    if (fabs(found - wanted) > half * (1 + 1e-9))
        fail_msg("%s: '%s' for %.9g", key, cell, wanted);
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* "all (p)"; "dyn = conv (greedy)" is what dyn has chosen. */
static const char *name_of(const json_t *policy)
{
    static char name[64];
    const json_t *chosen = json_object_get(policy, "chosen");
    bool searches = strcmp(text_at(policy, "policy"), text_at(chosen, "policy")) != 0;
    (void)snprintf(name, sizeof name, "%s%s%s (%s)", searches ? text_at(policy, "policy") : "",
                   searches ? " = " : "", text_at(chosen, "policy"), text_at(chosen, "algo"));
    return name;
}

static void expect_named_row(const row *found, const char *name, const json_t *policy)
{
    assert_int_equal(found->count, 2 + COLUMNS);
    assert_string_equal(found->cells[0], name);
    assert_string_equal(found->cells[1],
                        json_is_true(json_object_get(policy, "fits")) ? "yes" : "no");
    for (int i = 0; i < COLUMNS; i++)
        if (found->cells[2 + i][0] != '\0')
            compare_cell(policy, columns[i], found->cells[2 + i]);
}

static void expect_row(const row *found, const json_t *policy)
{
    expect_named_row(found, name_of(policy), policy);
}

/* The row behind those of the policies. */
static void expect_accumulation(const row *found, const json_t *root)
{
    char name[64];
    const json_t *own = json_object_get(root, "accumulate");
    (void)snprintf(name, sizeof name, "accumulate %d (p)",
                   (int)json_integer_value(json_object_get(own, "micro_batches")));
    expect_named_row(found, name, own);
}

/* ---- reports --------------------------------------------------------------------------------- */

/* Writes all formats at once; the text for people is what the same report prints. */
static json_t *policies_of(const char *folder, json_t **root)
{
    vdnn_test_run_to(folder, 0, "",
                     REPORT "--json @/r.json --csv @/r.csv --markdown @/r.md --html @/r.html");
    *root = vdnn_test_json(vdnn_test_path(folder, "r.json"));
    json_t *policies = json_object_get(*root, "policies");
    assert_int_equal(json_array_size(policies), POLICIES);
    int fit = 0;
    for (size_t i = 0; i < POLICIES; i++)
        fit += json_is_true(json_object_get(json_array_get(policies, i), "fits"));
    assert_in_range(fit, 1, POLICIES - 1);
    return policies;
}

static void read_text(const char *folder, const char *name, char **text)
{
    size_t count;
    vdnn_test_read_file(vdnn_test_path(folder, name), text, &count);
}

/* Behind the first `before`. */
static const char *behind(const char *text, const char *before)
{
    const char *at = strstr(text, before);
    if (at == NULL)
        fail_msg("no '%s' in:\n%s", before, text);
    return at == NULL ? "" : at + strlen(before);
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

TEST_IN_FOLDER(csv_has_the_numbers_of_the_json)
{
    json_t *root, *policies = policies_of(*state, &root);
    char *text;
    read_text(*state, "r.csv", &text);
    row keys = cells_of(text, NULL, ",");
    const char *line = text;
    assert_in_range(keys.count, 2 + COLUMNS, CELLS);
    for (size_t i = 0; i < POLICIES; i++) {
        const json_t *policy = json_array_get(policies, i);
        line = next_line(line);
        row found = cells_of(line, NULL, ",");
        assert_int_equal(found.count, keys.count);
        for (int k = 0; k < keys.count; k++) {
            const char *key = keys.cells[k], *cell = found.cells[k];
            const json_t *value = strcmp(key, "chosen_policy") == 0
                                      ? json_object_get(json_object_get(policy, "chosen"), "policy")
                                      : json_object_get(policy, key);
            if (json_is_string(value))
                assert_string_equal(cell, json_string_value(value));
            else if (json_is_boolean(value))
                assert_string_equal(cell, json_is_true(value) ? "true" : "false");
            else if (json_is_integer(value))
                assert_int_equal(strtoll(cell, NULL, 10), json_integer_value(value));
            else
                assert_true(fabs(strtod(cell, NULL) - json_number_value(value)) <=
                            1e-8 * json_number_value(value));
        }
    }
    line = next_line(line);
    assert_memory_equal(line, "accumulate 2,p,base,true,", strlen("accumulate 2,p,base,true,"));
    row found = cells_of(line, NULL, ",");
    assert_int_equal(found.count, keys.count);
    assert_string_equal(next_line(line), "");
    free(text);
    json_decref(root);
}

TEST_IN_FOLDER(markdown_has_the_numbers_of_the_json)
{
    json_t *root, *policies = policies_of(*state, &root);
    char *text;
    read_text(*state, "r.md", &text);
    const char *line = next_line(behind(text, "\n| --- "));
    for (size_t i = 0; i < POLICIES; i++, line = next_line(line)) {
        row found = cells_of(line + strspn(line, "| "), NULL, "|");
        expect_row(&found, json_array_get(policies, i));
    }
    row last = cells_of(line + strspn(line, "| "), NULL, "|");
    expect_accumulation(&last, root);
    free(text);
    json_decref(root);
}

/* Exactly: what a cell sorts by is the number of the JSON. */
static void expect_sorted_by(const char *line, const json_t *policy)
{
    static const char attribute[] = "<td data-value=\"";
    for (int i = 0; i < COLUMNS; i++) {
        const json_t *value = json_object_get(policy, columns[i]);
        line = behind(line, attribute);
        if (value != NULL && strtod(line, NULL) != json_number_value(value))
            fail_msg("%s: sorted by %.30s", columns[i], line);
    }
}

/* What the tags of a line enclose. */
static row cells_of_page(const char *line)
{
    row r = {.count = 0};
    const char *end = line + strcspn(line, "\n");
    while ((line = strchr(line, '>')) != NULL && ++line < end)
        if (*line != '<' && *line != '\n')
            add_cell(&r, line, strcspn(line, "<"));
    return r;
}

TEST_IN_FOLDER(html_has_the_numbers_of_the_json)
{
    json_t *root, *policies = policies_of(*state, &root);
    char *text;
    read_text(*state, "r.html", &text);
    const char *line = behind(text, "<tbody>\n");
    for (size_t i = 0; i < POLICIES; i++, line = next_line(line)) {
        const json_t *policy = json_array_get(policies, i);
        row found = cells_of_page(line);
        expect_row(&found, policy);
        expect_sorted_by(line, policy);
    }
    row last = cells_of_page(line);
    expect_accumulation(&last, root);
    free(text);
    json_decref(root);
}

TEST_IN_FOLDER(html_has_the_digits_that_are_known)
{
    char *text, seconds[64], ratio[64];
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --model lenet --device sim:p100 --policies all --json @/k.json "
                     "--html @/k.html");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "k.json"));
    json_t *policy = json_array_get(json_object_get(root, "policies"), 0);
    read_text(*state, "k.html", &text);
    const row found = cells_of_page(behind(text, "<tbody>\n"));
    vdnn_rounded_seconds(seconds, sizeof seconds, vdnn_test_number_at(policy, "step_seconds"), 2);
    vdnn_rounded_text(ratio, sizeof ratio, vdnn_test_number_at(policy, "relative_speed"), 2);
    for (int c = 0; c < COLUMNS; c++)
        if (strcmp(columns[c], "step_seconds") == 0)
            assert_string_equal(found.cells[2 + c], seconds);
        else if (strcmp(columns[c], "relative_speed") == 0)
            assert_string_equal(found.cells[2 + c], ratio);
    free(text);
    json_decref(root);
}

/* The charts are drawn from it. */
TEST_IN_FOLDER(html_has_the_json_in_it)
{
    json_t *root;
    char *text;
    (void)policies_of(*state, &root);
    read_text(*state, "r.html", &text);
    json_t *embedded = vdnn_test_page_json(text);
    assert_true(json_equal(root, embedded));
    json_decref(embedded);
    free(text);
    json_decref(root);
}

TEST_IN_FOLDER(the_table_for_people_has_the_numbers_of_the_json)
{
    vdnn_test_run run;
    json_t *root, *policies = policies_of(*state, &root);
    vdnn_test_program(&run, *state, REPORT);
    vdnn_test_expect(&run, 0, "");
    const char *title = behind(run.out, "\n\n");
    const char *name_end = behind(title, "policy");
    const size_t width = (size_t)(name_end - title) + strspn(name_end, " ");
    const row units = cells_of_text(next_line(title), width);
    const char *line = next_line(next_line(title));
    for (size_t i = 0; i < POLICIES; i++, line = next_line(line)) {
        row found = with_units(cells_of_text(line, width), &units);
        expect_row(&found, json_array_get(policies, i));
    }
    row last = with_units(cells_of_text(line, width), &units);
    expect_accumulation(&last, root);
    vdnn_test_run_free(&run);
    json_decref(root);
}

/* ---- studies, cards and budgets -------------------------------------------------------------- */

/* Writes the files, and prints the table for people, which is in `run`. */
static void write_and_print(vdnn_test_run *run, const char *folder, const char *command,
                            const char *files)
{
    vdnn_test_program(run, folder, "%s %s", command, files);
    vdnn_test_expect(run, 0, "");
    vdnn_test_run_free(run);
    vdnn_test_program(run, folder, "%s", command);
    vdnn_test_expect(run, 0, "");
}

/* The cells of a line for people, which are two or more blanks apart, without the mark. */
static row cells_apart(const char *line)
{
    row r = {.count = 0};
    const char *end = line + strcspn(line, "\n");
    for (line += strspn(line, "* "); line < end; line += strspn(line, " ")) {
        const char *next = strstr(line, "  ");
        const size_t length = (size_t)((next == NULL || next > end ? end : next) - line);
        add_cell(&r, line, length);
        line += length;
    }
    return r;
}

static const char *cell_below(const row *titles, const char *title, const row *cells)
{
    for (int i = 0; i < titles->count; i++)
        if (strcmp(titles->cells[i], title) == 0)
            return cells->cells[i];
    fail_msg("no column '%s'", title);
    return NULL;
}

/* A line for people has the cells of the page, without the columns that it has no room for. */
static void expect_same_cells(const row *titles, const row *cells, const row *heads,
                              const row *of_page)
{
    assert_int_equal(titles->count, cells->count);
    assert_int_equal(heads->count, of_page->count);
    for (int i = 0; i < titles->count; i++)
        assert_string_equal(cells->cells[i], cell_below(heads, titles->cells[i], of_page));
}

/* Of a value for each device the largest. */
static double number_at(const json_t *record, const char *path)
{
    const json_t *value = vdnn_page_member(record, path), *one;
    size_t i;
    double most = json_number_value(value);
    json_array_foreach(value, i, one) most = fmax(most, json_number_value(one));
    return most;
}

/* What is written of several rows: the command, where its JSON has them, and where each figure is
 * in the JSON, in the CSV, and in the tables for people and of the page. */
typedef struct figure {
    const char *path, *field, *title;
} figure;

/* Of times and rates the tables have what is known by the device models. */
static const int KNOWN_DIGITS = 2;

static bool is_of_times(const char *path)
{
    return strstr(path, "_seconds") != NULL || strncmp(path, "images_per_second", 17) == 0;
}

static const struct {
    const char *command, *rows;
    figure figures[8];
} studies[] = {
    {"vdnnscale --quiet --model vgg16 --device sim:p100-pcie --devices 1,2,3 --batches 32,64 "
     "--device-mem 4GiB",
     "results",
     {{"devices", "devices", "devices"},
      {"batch", "batch", "batch"},
      {"step_seconds", "step_seconds", "step"},
      {"images_per_second", "images_per_second", "images/s"},
      {"efficiency", "efficiency", "efficiency"},
      {"exposed_reduce_seconds", "exposed_reduce_seconds", "exposed reduce"},
      {"device_peak_bytes", "device_peak_bytes", "memory"}}},
    {"vdnnreport --quiet --model lenet --batch 256 --device sim:h100,t4,k80 --device-mem 40MiB "
     "--plan-trials 20 --price h100=2.5,t4=0.4,k80=0.1",
     "cards",
     {{"images_per_second", "images_per_second", "images/s"},
      {"device.memory_bytes", "memory_bytes", "memory"},
      {"best.arena_bytes", "arena_bytes", "arena"},
      {"smallest_bytes", "smallest_bytes", "smallest"},
      {"images_per_second_per_gib", "images_per_second_per_gib", "per GiB"},
      {"images_per_second_per_price", "images_per_second_per_price", "per price"}}},
};

static void check_figures(const figure *figures, const json_t *record, const row *fields,
                          const row *csv, const row *titles, const row *cells)
{
    for (const figure *f = figures; f->path != NULL; f++) {
        const double wanted = number_at(record, f->path);
        const char *field = cell_below(fields, f->field, csv),
                   *cell = cell_below(titles, f->title, cells);
        double half, shown = value_of(cell, &half);
        if (fabs(strtod(field, NULL) - wanted) > 1e-8 * wanted)
            fail_msg("%s: %s in the CSV, %.9g in the JSON", f->path, field, wanted);
        const double known = is_of_times(f->path) ? vdnn_rounded(wanted, KNOWN_DIGITS) : wanted;
        const double most = is_of_times(f->path) ? 1e-9 * wanted : half * (1 + 1e-9);
        if (fabs(shown - known) > most)
            fail_msg("%s: '%s' for %.9g", f->path, cell, wanted);
    }
}

TEST_IN_FOLDER(studies_and_cards_have_equal_figures_in_every_format)
{
    for (size_t s = 0; s < sizeof studies / sizeof *studies; s++) {
        vdnn_test_run run;
        char *csv, *page;
        size_t i;
        json_t *record;
        write_and_print(&run, *state, studies[s].command,
                        "--json @/s.json --csv @/s.csv --html @/s.html");
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "s.json"));
        read_text(*state, "s.csv", &csv);
        read_text(*state, "s.html", &page);
        const char *line = behind(run.out, "\n\n"), *in_csv = csv;
        const char *in_page = behind(page, "<tbody>\n");
        const row titles = cells_apart(line),
                  heads = cells_of(behind(page, "<thead>"), "<th>", "</th>"),
                  fields = cells_of(csv, NULL, ",");
        json_array_foreach(json_object_get(root, studies[s].rows), i, record)
        {
            line = next_line(line);
            in_csv = next_line(in_csv);
            const row cells = cells_apart(line), of_page = cells_of_page(in_page),
                      values = cells_of(in_csv, NULL, ",");
            expect_same_cells(&titles, &cells, &heads, &of_page);
            check_figures(studies[s].figures, record, &fields, &values, &heads, &of_page);
            in_page = next_line(in_page);
        }
        assert_true(i >= 3);
        json_decref(root);
        free(page);
        free(csv);
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(budgets_have_equal_figures_in_table_page_and_json)
{
    static const char command[] =
        REPORT "--quiet --plan-trials 20 --budgets 20MiB,30MiB,160MiB --policies base,all,dyn";
    vdnn_test_run run;
    char *page;
    size_t b, k;
    json_t *budget, *policy;
    int compared = 0;
    write_and_print(&run, *state, command, "--json @/b.json --html @/b.html");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "b.json"));
    read_text(*state, "b.html", &page);
    const char *line = behind(run.out, "Milliseconds of a step under other budgets (-: no fit):\n");
    const char *in_page = behind(behind(page, "<h2 id=\"budgets\">"), "<tbody>\n");
    json_array_foreach(json_object_get(root, "budgets"), b, budget)
    {
        line = next_line(line);
        const row cells = cells_apart(line), of_page = cells_of_page(in_page);
        const json_t *policies = json_object_get(budget, "policies");
        assert_int_equal(cells.count, 1 + (int)json_array_size(policies));
        assert_int_equal(of_page.count, cells.count);
        compare_cell(budget, "budget_bytes", cells.cells[0]);
        assert_string_equal(of_page.cells[0], cells.cells[0]);
        json_array_foreach(policies, k, policy)
        {
            char shown[CELL_BYTES + 3];
            if (!json_is_true(json_object_get(policy, "fits"))) {
                assert_string_equal(cells.cells[1 + k], "-");
                assert_string_equal(of_page.cells[1 + k], "does not fit");
                continue;
            }
            (void)snprintf(shown, sizeof shown, "%s ms", cells.cells[1 + k]);
            compare_cell(policy, "step_seconds", shown);
            compare_cell(policy, "step_seconds", of_page.cells[1 + k]);
            compared++;
        }
        in_page = next_line(in_page);
    }
    assert_true(compared >= 5);
    json_decref(root);
    free(page);
    vdnn_test_run_free(&run);
}

/* ---- again ----------------------------------------------------------------------------------- */

/* All that is written of one report, and of one run. */
static const struct {
    const char *command, *file; /* NULL: its standard output */
} writings[] = {
    {REPORT "--plan-trials 50", NULL},
    {REPORT "--policies dyn --algorithms", NULL},
    {REPORT "--plan-trials 50 --budgets 30MiB,90MiB --json @/x", "x"},
    {REPORT "--plan-trials 50 --csv @/x", "x"},
    {REPORT "--plan-trials 50 --markdown @/x", "x"},
    {REPORT "--plan-trials 50 --budgets 30MiB,90MiB --html @/x", "x"},
    {RUN "--explain", NULL},
    {RUN "--steps 3 --verbose", NULL},
    {RUN "--steps 3 --json @/x", "x"},
    {RUN "--print-plan --dry-run", NULL},
};
enum { WRITINGS = sizeof writings / sizeof *writings };

static char *write_once(const char *folder, size_t i)
{
    vdnn_test_run run;
    char *text;
    size_t length;
    vdnn_test_program(&run, folder, "%s", writings[i].command);
    vdnn_test_expect(&run, 0, "");
    if (writings[i].file == NULL)
        text = strdup(run.out);
    else
        vdnn_test_read_file(vdnn_test_path(folder, writings[i].file), &text, &length);
    vdnn_test_run_free(&run);
    assert_true(text != NULL && text[0] != '\0');
    return text;
}

/* Counts the date, and writes the other one over it. */
static int replace_date(char *text, const char *date, const char *by)
{
    int count = 0;
    const size_t length = strlen(date);
    for (char *at = text; (at = strstr(at, date)) != NULL; count++)
        memcpy(at, by, length);
    return count;
}

/* The same input gives the same bytes, on another day too; pages have the day.
 */
TEST_IN_FOLDER(what_is_written_twice_is_the_same)
{
    for (size_t i = 0; i < WRITINGS; i++) {
        const bool is_page = strstr(writings[i].command, "--html") != NULL;
        (void)setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
        char *first = write_once(*state, i);
        (void)setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
        char *second = write_once(*state, i);
        assert_int_equal(replace_date(first, "2001-09-09", "2023-11-14"), is_page ? 1 : 0);
        if (strcmp(first, second) != 0)
            fail_msg("'%s' wrote other bytes the second time", writings[i].command);
        free(first);
        free(second);
    }
    (void)unsetenv("SOURCE_DATE_EPOCH");
}
