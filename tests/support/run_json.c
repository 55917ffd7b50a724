#include "tests/support/run_json.h"

#include <string.h>

const char *const vdnn_test_modes[VDNN_TEST_MODES] = {
    "base --algo m", "base --algo p", "all --algo m", "all --algo p",
    "conv --algo m", "conv --algo p", "dyn",          "opt"};

json_int_t vdnn_test_integer_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        fail_msg("'%s' is not a whole number", key);
    return json_integer_value(value);
}

double vdnn_test_number_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("'%s' is not a number", key);
    return json_number_value(value);
}

const char *vdnn_test_text_at(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail_msg("'%s' is not text", key);
    return text;
}

json_t *vdnn_test_object_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_object(value))
        fail_msg("'%s' is no object", key);
    return value;
}

json_t *vdnn_test_run_json(const char *folder, const char *arguments)
{
    vdnn_test_run run;
    const char *json = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder, "vdnnrun --model %s/net.yaml %s --json %s", folder, arguments,
                      json);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(json);
}

static const char *const categories[] = {"weights",      "weight_gradients", "optimizer",
                                         "feature_maps", "gradient_maps",    "workspace",
                                         "other"};

/* Between the oracle and any plan that fits; null only where none does. */
static void check_bound(json_t *plan)
{
    bool fits = json_is_true(json_object_get(plan, "fits"));
    double oracle = vdnn_test_number_at(plan, "oracle_step_seconds");
    assert_true(vdnn_test_number_at(plan, "step_seconds") >= oracle * (1 - 1e-9));
    if (!fits && json_is_null(json_object_get(plan, "bound_step_seconds")))
        return;
    double bound = vdnn_test_number_at(plan, "bound_step_seconds");
    assert_true(bound >= oracle * (1 - 1e-9));
    assert_true(!fits || vdnn_test_number_at(plan, "step_seconds") >= bound * (1 - 1e-9));
}

void vdnn_test_check_plan(json_t *plan)
{
    static const char *const bytes[] = {
        "device_peak_bytes", "device_average_bytes", "arena_bytes",      "host_peak_bytes",
        "offload_bytes",     "prefetch_bytes",       "host_locked_bytes"};
    static const char *const seconds[] = {"recompute_seconds", "step_seconds",
                                          "oracle_step_seconds"};
    assert_true(json_is_boolean(json_object_get(plan, "fits")));
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        assert_true(vdnn_test_integer_at(plan, bytes[i]) >= 0);
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        assert_true(vdnn_test_number_at(plan, seconds[i]) >= 0.0);
    json_int_t at_peak = 0;
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        json_int_t here =
            vdnn_test_integer_at(vdnn_test_object_at(plan, "by_category_at_peak"), categories[i]);
        assert_true(vdnn_test_integer_at(vdnn_test_object_at(plan, "by_category"), categories[i]) >=
                    here);
        at_peak += here;
    }
    assert_int_equal(at_peak, vdnn_test_integer_at(plan, "device_peak_bytes"));
    assert_true(vdnn_test_integer_at(plan, "arena_bytes") >=
                vdnn_test_integer_at(plan, "device_peak_bytes"));
    assert_true(vdnn_test_integer_at(plan, "device_peak_bytes") >=
                vdnn_test_integer_at(plan, "device_average_bytes"));
    check_bound(plan);
    (void)vdnn_test_text_at(vdnn_test_object_at(plan, "chosen"), "policy");
    (void)vdnn_test_text_at(vdnn_test_object_at(plan, "chosen"), "algo");
    (void)vdnn_test_text_at(plan, "peak_layer");
}

json_t *vdnn_test_page_json(const char *page)
{
    static const char opening[] = "<script type=\"application/json\" id=\"report\">";
    json_error_t error;
    const char *begin = strstr(page, opening), *end;
    assert_non_null(begin);
    begin += strlen(opening);
    end = strstr(begin, "</script>");
    assert_non_null(end);
    json_t *root = json_loadb(begin, (size_t)(end - begin), 0, &error);
    if (root == NULL)
        fail_msg("the page's JSON: %s", error.text);
    return root;
}
