/* A program that has set a locale, with another decimal point than English has: what the
 * library reads and writes is the same as without. */

#include "runtime/vdnn.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3, NAME_BYTES = 64 };

/* A comma, and a point of two bytes, which what replaces a byte does not find. */
static const struct {
    const char *name, *point, *source;
} locales[] = {{"comma", ",", "decimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"},
               {"momayyez", "\xd9\xab", "decimal_point \"<U066B>\"\nthousands_sep \"<U066C>\"\n"}};

enum { LOCALES = sizeof locales / sizeof *locales };

/* ---- the locales ----------------------------------------------------------------------------- */

static const char *const categories[] = {"CTYPE", "COLLATE", "MONETARY", "TIME", "MESSAGES"};

static bool make_locale(const char *folder, size_t i)
{
    vdnn_text source = {0}, command = {0};
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.source", folder, locales[i].name);
    vdnn_text_add(&source, "comment_char %%\nescape_char /\nLC_NUMERIC\n%sEND LC_NUMERIC\n",
                  locales[i].source);
    for (size_t c = 0; c < sizeof categories / sizeof *categories; c++)
        vdnn_text_add(&source, "LC_%s\ncopy \"POSIX\"\nEND LC_%s\n", categories[c], categories[c]);
    vdnn_test_write_file(path, source.data, source.length);
    vdnn_text_add(&command, "localedef -c -i %s -f UTF-8 %s/%s >%s.log 2>&1", path, folder,
                  locales[i].name, path);
    (void)system(command.data); /* warns of what the source does not say, and then ends with 1 */
    vdnn_text_fini(&source);
    vdnn_text_fini(&command);
    (void)snprintf(path, sizeof path, "%s/%s/LC_NUMERIC", folder, locales[i].name);
    return access(path, R_OK) == 0;
}

static void set_locale(const char *name, const char *point)
{
    assert_non_null(setlocale(LC_ALL, name));
    assert_string_equal(localeconv()->decimal_point, point);
}

static int make_locales(void **state)
{
    int failed = vdnn_test_make_folder(state);
    for (size_t i = 0; failed == 0 && i < LOCALES; i++)
        if (!make_locale(*state, i)) {
            vdnn_test_remove_folder(state);
            *state = NULL;
            return 0;
        }
    return failed != 0 ? failed : setenv("LOCPATH", *state, 1);
}

static int remove_locales(void **state)
{
    (void)setlocale(LC_ALL, "C");
    (void)unsetenv("LOCPATH");
    return *state == NULL ? 0 : vdnn_test_remove_folder(state);
}

#define skip_without_locales(state)                                                                \
    if (*(state) == NULL)                                                                          \
    skip_because("localedef makes no locale here; Debian's package locales has it")

/* ---- the program ----------------------------------------------------------------------------- */

/* What a callback or a custom layer of this program finds, in whichever thread. */
static const char *expected_point;
static int seen;

static void expect_own_locale(void)
{
    assert_string_equal(localeconv()->decimal_point, expected_point);
    seen++;
}

static void log_line(void *context, vdnn_log_level level, const char *text)
{
    (void)level;
    expect_own_locale();
    vdnn_text_add(context, "%s\n", text);
}

static void print_text(void *context, const char *text)
{
    log_line(context, VDNN_LOG_INFO, text);
}

typedef struct half_config {
    double factor;
} half_config;

static const vdnn_key half_keys[] = {{.name = "factor",
                                      .kind = VDNN_KEY_REAL,
                                      .offset = offsetof(half_config, factor),
                                      .required = true,
                                      .min = 0.25,
                                      .max = 4}};

static vdnn_status scale_by(const vdnn_layer_call *call, const float *from, float *to)
{
    const half_config *config = call->config;
    const int64_t count = call->y_dims.n * call->y_dims.c * call->y_dims.h * call->y_dims.w;
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)config->factor * from[i];
    expect_own_locale();
    return VDNN_OK;
}

static vdnn_status half_forward(const vdnn_layer_call *call)
{
    return scale_by(call, call->x[0], call->y);
}

static vdnn_status half_backward(const vdnn_layer_call *call)
{
    return scale_by(call, call->dy, call->dx[0]);
}

static const vdnn_layer_type half = {.size = sizeof half,
                                     .name = "half",
                                     .role = VDNN_ROLE_ACTIVATION,
                                     .keys = half_keys,
                                     .key_count = 1,
                                     .config_bytes = sizeof(half_config),
                                     .forward = half_forward,
                                     .backward_data = half_backward};

/* From code, with numbers that this program formats by the library. */
static vdnn_model *make_network(bool is_custom)
{
    vdnn_model *model;
    assert_ok(vdnn_model_create("{name: small, input: {channels: 1, height: 12, width: 12}, "
                                "classes: 10, batch: 8, training: {lr: 0.05, momentum: 0.9, "
                                "weight_decay: 5e-4}}",
                                &model));
    assert_ok(vdnn_model_add(model, "{name: conv, type: conv, out: 4, kernel: 5}"));
    assert_ok(vdnn_model_add(model, "{name: drop, type: dropout, p: %g}", 0.25));
    if (is_custom)
        assert_ok(vdnn_model_add(model, "{name: half, type: half, factor: %.3f}", 0.5));
    assert_ok(vdnn_model_add(model, "{name: fc, type: fc, out: 10}"));
    assert_ok(vdnn_model_add(model, "{name: loss, type: softmax_loss}"));
    return model;
}

/* ---- what it writes -------------------------------------------------------------------------- */

/* FOLDER/WHO.WHAT */
static const char *product(const char *folder, const char *who, const char *what)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s.%s", who, what);
    return vdnn_test_path(folder, name);
}

static void write_text(const char *folder, const char *who, const char *what, vdnn_text *text)
{
    assert_false(text->failed);
    vdnn_test_write_file(product(folder, who, what), text->data, text->length);
    vdnn_text_fini(text);
}

/* Steps, and a dry run's footprint, on a device whose times are the same every time. */
static void run_simulated(const char *folder, const char *who)
{
    char trace[512];
    vdnn_text json = {0}, said = {0};
    vdnn_model *model = make_network(false);
    (void)snprintf(trace, sizeof trace, "%s", product(folder, who, "trace"));
    vdnn_session_options options = {
        .size = sizeof options,
        .network = model,
        .device = "sim:models/devices/p100.yaml",
        .device_mem = "0.5GiB",
        .output = vdnn_test_topic(output, .trace = trace),
        .steps = STEPS,
        .print = vdnn_test_topic(print, .print_footprint = true, .verbose = true)};
    const vdnn_messages messages = {
        .size = sizeof messages, .log = log_line, .print = print_text, .context = &said};
    vdnn_session *session;
    assert_ok(vdnn_session_create(&options, &messages, &session));
    assert_ok(vdnn_session_run(session));
    assert_ok(vdnn_session_footprint(session, &said));
    assert_ok(vdnn_session_json(session, &json));
    write_text(folder, who, "json", &json);
    write_text(folder, who, "txt", &said);
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
}

static void write_reports(const char *folder, const char *who)
{
    static const char *const names[] = {"table", "report", "csv", "md", "html"};
    vdnn_model *model = make_network(false);
    vdnn_session_options options = {
        .size = sizeof options,
        .network = model,
        .device = "sim:models/devices/p100.yaml,models/devices/h100.yaml",
        .report = vdnn_test_topic(
            report, .price = "models/devices/p100.yaml=1.5,models/devices/h100.yaml=0.75")};
    for (int pass = 0; pass < 2; pass++) {
        vdnn_report *report;
        assert_ok(vdnn_report_create(&options, NULL, "base,conv", &report));
        for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
            char what[NAME_BYTES];
            vdnn_text text = {0};
            (void)snprintf(what, sizeof what, "%s%d", names[f], pass);
            assert_ok(vdnn_report_write(report, (vdnn_report_format)f, &text));
            write_text(folder, who, what, &text);
        }
        vdnn_report_destroy(report);
        options.device = "sim:models/devices/p100.yaml";
        vdnn_test_edit(&options, report)->price = NULL;
    }
    vdnn_model_destroy(model);
}

/* Times that were measured under one locale are read under another. */
static void measure(const char *folder, const char *who)
{
    char profile[512];
    vdnn_model *model = make_network(false);
    (void)snprintf(profile, sizeof profile, "%s", product(folder, who, "rows"));
    vdnn_session_options options = {.size = sizeof options,
                                    .network = model,
                                    .device = "cpu",
                                    .threads = 1,
                                    .profile = profile,
                                    .policy = "base",
                                    .dry_run = true};
    vdnn_session *session;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
}

/* By one profile, so that the algorithms are the same. */
static void train(const char *folder, const char *who)
{
    char profile[512], save[512], checkpoint[512];
    vdnn_model *model = make_network(true);
    vdnn_text losses = {0};
    (void)snprintf(profile, sizeof profile, "%s", product(folder, "C", "steps"));
    (void)snprintf(save, sizeof save, "%s", product(folder, who, "safetensors"));
    (void)snprintf(checkpoint, sizeof checkpoint, "%s", product(folder, who, "checkpoint"));
    vdnn_session_options options = {.size = sizeof options,
                                    .network = model,
                                    .device = "cpu",
                                    .threads = 1,
                                    .profile = profile,
                                    .save = save,
                                    .checkpoint = checkpoint,
                                    .steps = STEPS};
    const vdnn_messages messages = {.size = sizeof messages, .log = log_line, .context = &losses};
    vdnn_session *session;
    assert_ok(vdnn_session_create(&options, &messages, &session));
    vdnn_text_fini(&losses);
    assert_ok(vdnn_session_run(session));
    vdnn_text_fini(&losses);
    assert_ok(vdnn_session_json(session, &losses));
    write_text(folder, who, "run", &losses);
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
}

/* Under the locale of this name: the same as under "C", which wrote it first. */
static void run_all(const char *folder, const char *name, const char *point)
{
    set_locale(name, point);
    expected_point = point;
    seen = 0;
    run_simulated(folder, name);
    write_reports(folder, name);
    measure(folder, name);
    train(folder, name);
    assert_true(seen > 2 * STEPS);
    assert_string_equal(localeconv()->decimal_point, point);
    set_locale("C", ".");
    measure(folder, name);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const char *const same[] = {"trace", "json", "txt",   "table0",     "report0",
                                   "csv0",  "md0",  "html0", "table1",     "report1",
                                   "csv1",  "md1",  "html1", "safetensors"};

/* What depends on measured times is left out. */
static void expect_same_run(const char *folder, const char *name)
{
    static const char *const keys[] = {"losses", "optimizer", "layers"};
    json_t *first = vdnn_test_json(product(folder, "C", "run"));
    json_t *other = vdnn_test_json(product(folder, name, "run"));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        json_t *expected = json_object_get(first, keys[k]);
        if (!json_equal(expected, json_object_get(other, keys[k])))
            fail_msg("'%s' differs under the locale %s", keys[k], name);
    }
    json_decref(first);
    json_decref(other);
}

TEST(a_program_s_locale_changes_no_byte_of_what_is_written)
{
    skip_without_locales(state);
    run_all(*state, "C", ".");
    for (size_t l = 0; l < LOCALES; l++) {
        run_all(*state, locales[l].name, locales[l].point);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            char first[512];
            (void)snprintf(first, sizeof first, "%s", product(*state, "C", same[i]));
            vdnn_test_expect_same_file(first, product(*state, locales[l].name, same[i]));
        }
        expect_same_run(*state, locales[l].name);
    }
}

TEST(a_checkpoint_is_resumed_under_another_locale)
{
    skip_without_locales(state);
    char folder[512];
    (void)snprintf(folder, sizeof folder, "%s", vdnn_test_path(*state, "between"));
    const char *path = vdnn_test_network(*state);
    vdnn_session_options options = {.size = sizeof options,
                                    .model = path,
                                    .device = "cpu",
                                    .threads = 1,
                                    .checkpoint = folder,
                                    .resume = "auto"};
    for (int run = 0; run <= LOCALES; run++) {
        vdnn_session *session;
        if (run > 0)
            set_locale(locales[run - 1].name, locales[run - 1].point);
        options.steps = run + 1;
        assert_ok(vdnn_session_create(&options, NULL, &session));
        assert_ok(vdnn_session_run(session));
        assert_int_equal(vdnn_session_step_number(session), run + 1);
        vdnn_session_destroy(session);
    }
}

/* A thread's own locale counts before that of the program. */
TEST(numbers_are_read_and_written_with_a_point)
{
    skip_without_locales(state);
    for (size_t l = 0; l < LOCALES; l++) {
        const locale_t own = newlocale(LC_ALL_MASK, locales[l].name, (locale_t)0);
        const locale_t before = uselocale(own);
        size_t bytes;
        double number;
        char buffer[NAME_BYTES];
        vdnn_text text = {0};
        assert_ok(vdnn_text_parse_size("1.5KiB", 1, &bytes));
        assert_int_equal(bytes, 1536);
        assert_ok(vdnn_text_parse_real("0.125", &number));
        assert_true(number == 0.125);
        assert_status(vdnn_text_parse_real("0,125", &number), VDNN_USAGE);
        assert_string_equal(vdnn_text_bytes(buffer, sizeof buffer, 1536), "1.50 KiB");
        vdnn_text_add(&text, "%g", 0.5);
        assert_string_equal(text.data, "0.5");
        assert_status(vdnn_status_fail(VDNN_USAGE, "%.1f", 2.5), VDNN_USAGE);
        assert_string_equal(vdnn_status_message(), "2.5");
        assert_true(uselocale((locale_t)0) == own);
        vdnn_text_fini(&text);
        (void)uselocale(before);
        freelocale(own);
    }
}

int main(void)
{
    assert_ok(vdnn_layer_register(&half));
    return vdnn_test_main(make_locales, remove_locales);
}
