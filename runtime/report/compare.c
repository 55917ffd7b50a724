/* Reports that were written as JSON, side by side: what each policy takes in each of them. */

#include "policies/registry.h"
#include "runtime/base/json.h"
#include "runtime/report/table.h"
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
    VDNN_TRY(vdnn_json_read(path, MOST_BYTES, root));
    return check_report(path, *root);
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

static json_t *cell_record(const json_t *row, size_t report)
{
    const char label[] = {(char)('A' + report), '\0'};
    json_t *object = json_object();
    (void)json_object_set(object, "fits", json_object_get(row, "fits"));
    for (size_t k = 0; k < FIGURES; k++)
        (void)json_object_set(object, figures[k], json_object_get(row, figures[k]));
    (void)json_object_set_new(object, "label", json_string(label));
    return object;
}

/* What each report says of the policy, borrowed; added with nothing but nulls if it is not there.
 */
static json_t *reports_of(json_t *rows, const char *policy, size_t count)
{
    size_t i;
    json_t *row, *reports = json_array();
    json_array_foreach(rows, i, row) if (strcmp(text_at(row, "policy"), policy) == 0)
    {
        json_decref(reports);
        return json_object_get(row, "reports");
    }
    for (size_t r = 0; r < count; r++)
        (void)json_array_append_new(reports, json_null());
    (void)json_array_append_new(rows,
                                json_pack("{s:s, s:o}", "policy", policy, "reports", reports));
    return reports;
}

/* The policies of all reports, each in the order in which it is first named. */
static json_t *row_records(json_t *const *roots, size_t count)
{
    json_t *rows = json_array(), *row;
    char cell[CELL_BYTES];
    size_t i;
    for (size_t r = 0; r < count; r++)
        json_array_foreach(json_object_get(roots[r], "policies"), i, row)
        {
            json_t *reports = reports_of(rows, row_name(row, cell), count);
            if (json_is_null(json_array_get(reports, r)))
                (void)json_array_set_new(reports, r, cell_record(row, r));
        }
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

/* ---- the table ------------------------------------------------------------------------------- */

static const vdnn_report_column columns[] = {
    {"policy", "policy", NULL, NULL, 0, true},
    {"", "label", NULL, NULL, 0, true},
    {"fits", "fits", NULL, NULL, 0, true},
    {"peak", "device_peak_bytes", "bytes", NULL, 2, false},
    {"arena", "arena_bytes", "bytes", NULL, 3, false},
    {"offloaded", "offload_bytes", "bytes", NULL, 1, false},
    {"step", "step_seconds", "seconds", NULL, 0, false},
    {"change", "change", "change", "", 0, false},
    {"speed", "relative_speed", "ratio", NULL, 0, false},
};

/* What each report that has the policy says of it; the change is against the first one of them. */
static void add_rows(const json_t *policy, json_t *rows)
{
    double first = 0;
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(policy, "reports"), i, cell)
    {
        const double seconds = json_number_value(json_object_get(cell, "step_seconds"));
        json_t *row = json_copy(cell);
        if (!json_is_object(cell)) {
            json_decref(row);
            continue;
        }
        (void)json_object_set(row, "policy", json_object_get(policy, "policy"));
        if (first > 0)
            (void)json_object_set_new(row, "change", json_real(seconds / first - 1));
        first = first > 0 ? first : seconds;
        (void)json_array_append_new(rows, row);
    }
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
        vdnn_text_bytes(words, sizeof words,
                        json_number_value(json_object_get(head, "budget_bytes"))));
}

/* In text the reports are above the rows, as they are. Takes the reference. */
static vdnn_status write_as(vdnn_report_format format, json_t *all, vdnn_text *text)
{
    vdnn_report_table table = {
        .subject = "the comparison",
        .columns = columns,
        .column_count = sizeof columns / sizeof *columns,
        .rows = all == NULL ? NULL : json_array(),
        .page = "compare.html",
        .facts = json_pack("{s:s, s:O}", "version", vdnn_version(), "report", all)};
    vdnn_status status = VDNN_OK;
    size_t i;
    json_t *policy;
    json_array_foreach(json_object_get(all, "policies"), i, policy) add_rows(policy, table.rows);
    if (format == VDNN_REPORT_TABLE) {
        add_heads(all, text);
        vdnn_text_add(text, "\n");
        vdnn_report_table_add_rows(&table, vdnn_text_line(0), text);
        status = vdnn_text_status(text, table.subject);
    } else {
        status = vdnn_report_table_write(&table, format, 0, text);
    }
    vdnn_report_table_fini(&table);
    json_decref(all);
    return status;
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
    if (status == VDNN_OK && format != VDNN_REPORT_TABLE && format != VDNN_REPORT_JSON &&
        format != VDNN_REPORT_HTML)
        status = vdnn_status_fail(VDNN_USAGE, "a comparison is written as table, json or html");
    VDNN_IF_OK(status, write_as(format, comparison(paths, roots, count), text));
    for (size_t r = 0; r < count; r++)
        json_decref(roots[r]);
    return status;
}
