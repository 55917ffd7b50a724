/* Reports that were written as JSON, side by side: what each policy takes in each of them. */

#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/json.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"
#include "runtime/report/page/page.h"
#include "runtime/train/record.h"

#include <stdio.h>
#include <string.h>

enum { MOST_REPORTS = 26, MOST_BYTES = 256 << 20, CELL_BYTES = 64 };

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What is compared of a policy. */
static const char *const figures[] = {"device_peak_bytes", "arena_bytes", "offload_bytes",
                                      "step_seconds", "relative_speed"};
enum { FIGURES = sizeof figures / sizeof *figures };

/* The first key that a row of a report would have, and this one has not; NULL: it is one. */
static const char *missing_key(const json_t *row)
{
    if (!json_is_string(json_object_get(row, "policy")))
        return "policy";
    if (!json_is_string(json_object_get(row, "algo")))
        return "algo";
    if (!json_is_boolean(json_object_get(row, "fits")))
        return "fits";
    for (size_t i = 0; i < FIGURES; i++)
        if (!json_is_number(json_object_get(row, figures[i])))
            return figures[i];
    return NULL;
}

static vdnn_status check_report(const char *path, const json_t *root)
{
    const json_t *version = json_object_get(root, "schema_version"),
                 *policies = json_object_get(root, "policies");
    if (!json_is_array(policies) || !json_is_object(json_object_get(root, "device")))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: no JSON of a report; expected what vdnnreport --json writes",
                                path);
    if (json_integer_value(version) != VDNN_SCHEMA_VERSION)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: schema_version %lld; this version reads %d",
                                path, (long long)json_integer_value(version), VDNN_SCHEMA_VERSION);
    if (json_array_size(policies) == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: a report without policies", path);
    for (size_t i = 0; i < json_array_size(policies); i++) {
        const char *key = missing_key(json_array_get(policies, i));
        if (key != NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: policies[%zu] has no '%s'; expected what vdnnreport "
                                    "--json writes",
                                    path, i, key);
    }
    return VDNN_OK;
}

static vdnn_status read_report(const char *path, json_t **root)
{
    char *text;
    size_t length;
    VDNN_TRY(vdnn_input_read(path, MOST_BYTES, &text, &length));
    vdnn_status status = vdnn_json_parse(text, length, path, root);
    vdnn_heap_free(text);
    return status == VDNN_OK ? check_report(path, *root) : status;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static json_t *head_record(const char *path, size_t index, const json_t *root)
{
    const char label[] = {(char)('A' + index), '\0'};
    const json_t *device = json_object_get(root, "device");
    return json_pack("{s:s, s:s, s:s, s:O?, s:s, s:O?, s:O?, s:O?}", "label", label, "file", path,
                     "model", text_at(root, "model"), "batch", json_object_get(root, "batch"),
                     "device", text_at(device, "name"), "budget_bytes",
                     json_object_get(device, "budget_bytes"), "dtype",
                     json_object_get(root, "dtype"), "rules", json_object_get(root, "rules"));
}

/* "all (p)"; a policy that chooses goes by its name, whatever it chose. */
static const char *row_name(const json_t *row, char cell[CELL_BYTES])
{
    const char *name = text_at(row, "policy");
    const vdnn_policy *policy = vdnn_policy_find(name);
    (void)snprintf(cell, CELL_BYTES, policy != NULL && policy->is_static ? "%.40s (%.4s)" : "%.40s",
                   name, text_at(row, "algo"));
    return cell;
}

static const json_t *row_called(const json_t *root, const char *name)
{
    const json_t *rows = json_object_get(root, "policies");
    char cell[CELL_BYTES];
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (strcmp(row_name(json_array_get(rows, i), cell), name) == 0)
            return json_array_get(rows, i);
    return NULL;
}

/* What a report says of a policy; null: nothing. */
static json_t *cell_record(const json_t *row)
{
    if (row == NULL)
        return json_null();
    json_t *object = json_object();
    (void)json_object_set(object, "fits", json_object_get(row, "fits"));
    for (size_t k = 0; k < FIGURES; k++)
        (void)json_object_set(object, figures[k], json_object_get(row, figures[k]));
    return object;
}

static json_t *row_record(json_t *const *roots, size_t count, const char *name)
{
    json_t *reports = json_array();
    for (size_t r = 0; r < count; r++) {
        json_t *cell = cell_record(row_called(roots[r], name));
        const char label[] = {(char)('A' + r), '\0'};
        if (json_is_object(cell))
            (void)json_object_set_new(cell, "label", json_string(label));
        (void)json_array_append_new(reports, cell);
    }
    return json_pack("{s:s, s:o}", "policy", name, "reports", reports);
}

/* The policies of all reports, each in the order in which it is first named. */
static json_t *row_records(json_t *const *roots, size_t count)
{
    json_t *rows = json_array(), *known = json_object();
    char cell[CELL_BYTES];
    for (size_t r = 0; r < count; r++) {
        const json_t *policies = json_object_get(roots[r], "policies");
        for (size_t i = 0; i < json_array_size(policies); i++) {
            const char *name = row_name(json_array_get(policies, i), cell);
            if (json_object_get(known, name) != NULL)
                continue;
            (void)json_object_set_new(known, name, json_true());
            (void)json_array_append_new(rows, row_record(roots, count, name));
        }
    }
    json_decref(known);
    return rows;
}

static json_t *comparison(const char *const *paths, json_t *const *roots, size_t count)
{
    json_t *heads = json_array();
    for (size_t r = 0; r < count; r++)
        (void)json_array_append_new(heads, head_record(paths[r], r, roots[r]));
    return json_pack("{s:i, s:o, s:o}", "schema_version", VDNN_SCHEMA_VERSION, "reports", heads,
                     "policies", row_records(roots, count));
}

/* ---- formats --------------------------------------------------------------------------------- */

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* A report's figures under a policy, beside the first report that has the policy. */
typedef struct line {
    const json_t *policy, *cell; /* borrowed */
    double first;                /* seconds; 0: this is the first */
} line;

typedef const char *cell_writer(const line *own, char words[VDNN_TABLE_CELL_BYTES]);

static const char *policy_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    (void)words;
    return text_at(own->policy, "policy");
}

static const char *label_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    (void)words;
    return text_at(own->cell, "label");
}

static const char *fits_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    (void)words;
    return json_is_true(json_object_get(own->cell, "fits")) ? "yes" : "no";
}

#define BYTES_CELL(name, key)                                                                      \
    static const char *name(const line *own, char words[VDNN_TABLE_CELL_BYTES])                    \
    {                                                                                              \
        return vdnn_text_bytes(words, VDNN_TABLE_CELL_BYTES, number_at(own->cell, key));           \
    }
BYTES_CELL(peak_cell, "device_peak_bytes")
BYTES_CELL(arena_cell, "arena_bytes")
BYTES_CELL(offload_cell, "offload_bytes")

static const char *step_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    return vdnn_page_seconds(number_at(own->cell, "step_seconds"), words, VDNN_TABLE_CELL_BYTES);
}

static const char *change_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    if (own->first <= 0)
        return "";
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%+.1f %%",
                             100 * (number_at(own->cell, "step_seconds") / own->first - 1));
    return words;
}

static const char *speed_cell(const line *own, char words[VDNN_TABLE_CELL_BYTES])
{
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.3f",
                             number_at(own->cell, "relative_speed"));
    return words;
}

static const struct {
    vdnn_table_column column;
    cell_writer *cell;
} columns[] = {
    {{"policy", 0, true}, policy_cell}, {{"", 0, true}, label_cell},
    {{"fits", 0, true}, fits_cell},     {{"peak", 2, false}, peak_cell},
    {{"arena", 3, false}, arena_cell},  {{"offloaded", 1, false}, offload_cell},
    {{"step", 0, false}, step_cell},    {{"change", 0, false}, change_cell},
    {{"speed", 0, false}, speed_cell},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *table_cell(const void *context, size_t row, size_t column,
                              char words[VDNN_TABLE_CELL_BYTES])
{
    return columns[column].cell(&((const line *)context)[row], words);
}

/* All lines of all policies; NULL: no memory. */
static line *list_lines(const json_t *all, size_t *count)
{
    const json_t *policies = json_object_get(all, "policies");
    const size_t most =
        json_array_size(policies) * json_array_size(json_object_get(all, "reports"));
    line *lines = vdnn_heap_calloc(most + 1, sizeof *lines);
    size_t i, r;
    json_t *policy, *cell;
    *count = 0;
    json_array_foreach(policies, i, policy)
    {
        double first = 0;
        json_array_foreach(json_object_get(policy, "reports"), r, cell)
        {
            if (lines == NULL || !json_is_object(cell))
                continue;
            lines[(*count)++] = (line){policy, cell, first};
            first = first > 0 ? first : number_at(cell, "step_seconds");
        }
    }
    return lines;
}

static void add_heads(const json_t *all, vdnn_text *text)
{
    char words[CELL_BYTES];
    size_t i;
    json_t *head;
    json_array_foreach(json_object_get(all, "reports"), i, head) vdnn_text_add(
        text, "%s: %s: %s, batch %lld, %s, device memory %s\n", text_at(head, "label"),
        text_at(head, "file"), text_at(head, "model"),
        (long long)json_integer_value(json_object_get(head, "batch")), text_at(head, "device"),
        vdnn_text_bytes(words, sizeof words, number_at(head, "budget_bytes")));
}

/* For people; each change is against the first report that has the policy. */
static vdnn_status write_table(json_t *all, vdnn_text *text)
{
    size_t count;
    line *lines = list_lines(all, &count);
    vdnn_table_column titles[COLUMNS];
    const vdnn_table table = {titles, COLUMNS, count, table_cell, lines};
    for (size_t c = 0; c < COLUMNS; c++)
        titles[c] = columns[c].column;
    add_heads(all, text);
    vdnn_text_add(text, "\n");
    if (lines != NULL)
        vdnn_table_add(&table, vdnn_text_line(0), text);
    const bool failed = text->failed || lines == NULL;
    vdnn_heap_free(lines);
    json_decref(all);
    return failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the comparison") : VDNN_OK;
}

static vdnn_status write_page(json_t *all, vdnn_text *text)
{
    return vdnn_page_write("compare.html",
                           json_pack("{s:s, s:o}", "version", vdnn_version(), "report", all), text);
}

static vdnn_status write_as(vdnn_report_format format, json_t *all, vdnn_text *text)
{
    static vdnn_status (*const writers[])(json_t * all, vdnn_text * text) = {
        [VDNN_REPORT_TABLE] = write_table,
        [VDNN_REPORT_JSON] = vdnn_record_dump,
        [VDNN_REPORT_HTML] = write_page,
    };
    if ((size_t)format < sizeof writers / sizeof *writers && writers[format] != NULL)
        return writers[format](all, text);
    json_decref(all);
    return vdnn_status_fail(VDNN_USAGE, "a comparison is written as table, json or html");
}

vdnn_status vdnn_report_compare(const char *const *paths, size_t count, vdnn_report_format format,
                                vdnn_text *text)
{
    json_t *roots[MOST_REPORTS] = {NULL};
    vdnn_status status = VDNN_OK;
    if (count < 2 || count > MOST_REPORTS)
        return vdnn_status_fail(VDNN_USAGE, "--compare: %zu reports; expected 2 to %d", count,
                                MOST_REPORTS);
    for (size_t r = 0; status == VDNN_OK && r < count; r++)
        status = read_report(paths[r], &roots[r]);
    if (status == VDNN_OK)
        status = write_as(format, comparison(paths, roots, count), text);
    for (size_t r = 0; r < count; r++)
        json_decref(roots[r]);
    return status;
}
