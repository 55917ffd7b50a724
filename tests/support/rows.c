#include "tests/support/rows.h"

#include "tests/support/vdnn_test.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY_BYTES = 1024, LINE_BYTES = 4096 };

typedef enum result { PASSED, FAILED, REFUSED, NOT_RUN, RESULTS } result;

static const char *const result_texts[RESULTS] = {"passed", "failed", "refused", "not run"};

static const char lost_before[] = "the device was lost in an earlier row";

/* The test at hand, and the row that has begun in it. */
static struct {
    const char *test, *note;
    vdnn_device *device;
    int counts[RESULTS];
    char *failures; /* a line each */
    size_t failures_bytes;
    bool is_lost; /* the device, from here on to the end of the process */
    vdnn_row row;
    bool has_failed;
    double error, bound; /* NaN: not told */
    char why[WHY_BYTES];
} now;

/* ---- the file -------------------------------------------------------------------------------- */

static int file_of_rows(void)
{
    static int file = -1;
    const char *path = getenv("VDNN_TEST_ROWS");
    if (file < 0 && path != NULL && *path != '\0')
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return file;
}

static void add_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL && *text != '\0')
        (void)json_object_set_new(object, key, json_string(text));
}

/* JSON has no infinity. */
static void add_number(json_t *object, const char *key, double number)
{
    if (isfinite(number))
        (void)json_object_set_new(object, key, json_real(number));
}

/* Into a line with its end; 0: none is wanted. */
static size_t print_row(const vdnn_row *row, result how, const char *why, char line[LINE_BYTES])
{
    if (file_of_rows() < 0)
        return 0;
    json_t *object = json_object();
    add_text(object, "test", now.test);
    add_text(object, "layer", row->layer);
    add_text(object, "shape", row->shape);
    add_text(object, "dtype", row->dtype);
    add_text(object, "layout", row->layout);
    add_text(object, "algorithm", row->algorithm);
    add_text(object, "pass", row->pass);
    add_text(object, "note", now.note);
    add_text(object, "result", result_texts[how]);
    add_number(object, "error", now.error);
    add_number(object, "bound", now.bound);
    add_text(object, "why", why);
    size_t bytes = json_dumpb(object, line, LINE_BYTES - 1, JSON_COMPACT);
    json_decref(object);
    if (bytes > LINE_BYTES - 1)
        return 0;
    line[bytes] = '\n';
    return bytes + 1;
}

static void append(const char *line, size_t bytes)
{
    if (bytes > 0 && write(file_of_rows(), line, bytes) != (ssize_t)bytes)
        print_error("a row could not be appended to VDNN_TEST_ROWS\n");
}

/* ---- a signal in the middle of a row -----------------------------------------------------------
 */

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};

enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static bool is_watching;
static char last_words[LINE_BYTES]; /* of the row that has begun, ready to be written */
static size_t last_words_bytes;     /* 0: none has begun */

static void say_last_words(void)
{
    size_t bytes = last_words_bytes;
    last_words_bytes = 0;
    if (bytes > 0 && write(file_of_rows(), last_words, bytes) < 0)
        return;
}

static void end_watch(void)
{
    for (int i = 0; is_watching && i < SIGNALS; i++)
        (void)sigaction(signals[i], &before[i], NULL);
    is_watching = false;
}

/* Then the signal does what it did before. */
static void tell_and_raise(int number)
{
    say_last_words();
    end_watch();
    (void)raise(number);
}

static void begin_watch(void)
{
    const struct sigaction own = {.sa_handler = tell_and_raise};
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &own, &before[i]);
    is_watching = true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

vdnn_row vdnn_row_of(const vdnn_layer *layer, const vdnn_algorithm *algorithm, vdnn_pass pass)
{
    vdnn_row row = {.dtype = vdnn_dtype_text(layer->dtype),
                    .algorithm = algorithm == NULL ? NULL : algorithm->name,
                    .pass = vdnn_pass_text(pass)};
    const char *end = strstr(layer->name, " on ");
    int keys = end == NULL ? 0 : (int)(end - layer->name);
    (void)snprintf(row.layer, sizeof row.layer, "%s%s%.*s%s", layer->def->type, keys > 0 ? " " : "",
                   keys, layer->name, layer->epilogue == VDNN_EPILOGUE_RELU ? " relu" : "");
    for (int32_t i = 0; i < layer->input_count; i++) {
        char sample[VDNN_DESC_TEXT];
        size_t used = strlen(row.shape);
        (void)snprintf(row.shape + used, sizeof row.shape - used, "%s%lldx%s", i == 0 ? "" : " ",
                       (long long)layer->x[i].dims[VDNN_N], vdnn_desc_text(&layer->x[i], sample));
    }
    bool differs = layer->x[0].layout != layer->y.layout;
    (void)snprintf(row.layout, sizeof row.layout, "%s%s%s", vdnn_layout_text(layer->x[0].layout),
                   differs ? " to " : "", differs ? vdnn_layout_text(layer->y.layout) : "");
    return row;
}

vdnn_row vdnn_row_named(const char *name, const char *shape, const char *dtype,
                        const char *algorithm)
{
    vdnn_row row = {.dtype = dtype, .algorithm = algorithm};
    (void)snprintf(row.layer, sizeof row.layer, "%s", name);
    (void)snprintf(row.shape, sizeof row.shape, "%s", shape);
    return row;
}

static void list_failure(void)
{
    const vdnn_row *row = &now.row;
    const char *const words[] = {row->layer, row->shape,     row->dtype, row->layout,
                                 now.note,   row->algorithm, row->pass};
    char *line = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&line, &bytes);
    if (text == NULL)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] != NULL && *words[i] != '\0')
            (void)fprintf(text, "%s%s", i == 0 ? "    " : ", ", words[i]);
    (void)fprintf(text, ": %s\n", now.why);
    (void)fclose(text);
    char *more = realloc(now.failures, now.failures_bytes + bytes + 1);
    if (more != NULL) {
        memcpy(more + now.failures_bytes, line, bytes + 1);
        now.failures = more;
        now.failures_bytes += bytes;
    }
    free(line);
}

static void tell_row(const vdnn_row *row, result how, const char *why)
{
    char line[LINE_BYTES];
    now.counts[how]++;
    append(line, print_row(row, how, why, line));
}

static void clear_row(void)
{
    now.has_failed = false;
    now.error = now.bound = (double)NAN;
    now.why[0] = '\0';
}

bool vdnn_row_begin(vdnn_row row)
{
    clear_row();
    if (now.is_lost) {
        tell_row(&row, NOT_RUN, lost_before);
        return false;
    }
    now.row = row;
    last_words_bytes = print_row(&row, FAILED, "the test ended in this row", last_words);
    return true;
}

/* An error that sticks to the device leaves it unable to begin anything. */
static bool is_device_lost(void)
{
    return now.device != NULL && (vdnn_device_round(now.device) != VDNN_OK ||
                                  vdnn_device_synchronize(now.device) != VDNN_OK);
}

void vdnn_row_end(void)
{
    if (now.has_failed && is_device_lost()) {
        size_t used = strlen(now.why);
        (void)snprintf(now.why + used, sizeof now.why - used, "; the device was lost in this row");
        now.is_lost = true;
    }
    last_words_bytes = 0;
    tell_row(&now.row, now.has_failed ? FAILED : PASSED, now.why);
    if (now.has_failed)
        list_failure();
}

void vdnn_row_fail(const char *format, ...)
{
    va_list arguments;
    if (now.has_failed)
        return;
    now.has_failed = true;
    va_start(arguments, format);
    (void)vsnprintf(now.why, sizeof now.why, format, arguments);
    va_end(arguments);
}

bool vdnn_row_ok(vdnn_status status)
{
    if (status != VDNN_OK)
        vdnn_row_fail("%s", vdnn_status_message());
    return status == VDNN_OK;
}

/* Of several errors of a row the largest is told. */
bool vdnn_row_within(double error, double bound)
{
    bool is_within = error <= bound;
    now.bound = bound;
    if (!(now.error > error))
        now.error = error;
    if (!is_within)
        vdnn_row_fail("errs by %.3g, more than %.3g", error, bound);
    return is_within;
}

void vdnn_row_refused(vdnn_row row, const char *why)
{
    clear_row();
    tell_row(&row, now.is_lost ? NOT_RUN : REFUSED, now.is_lost ? lost_before : why);
}

/* ---- tests ----------------------------------------------------------------------------------- */

void vdnn_rows_note(const char *note)
{
    now.note = note;
}

/* A check outside of rows ends a test where it stands. */
static void leave_rows(void)
{
    say_last_words();
    end_watch();
    free(now.failures);
    now.failures = NULL;
}

void vdnn_rows_begin(const char *test, vdnn_device *device)
{
    static bool is_left_at_exit;
    bool is_lost = now.is_lost;
    leave_rows();
    memset(&now, 0, sizeof now);
    now.test = test;
    now.device = device;
    now.is_lost = is_lost;
    clear_row();
    begin_watch();
    if (!is_left_at_exit)
        is_left_at_exit = atexit(leave_rows) == 0;
}

/* cmocka's own messages are cut. */
void vdnn_rows_end(void)
{
    if (now.counts[FAILED] > 0) {
        printf("%d rows passed, %d were not run, %d failed:\n%s", now.counts[PASSED],
               now.counts[NOT_RUN], now.counts[FAILED], now.failures);
        (void)fflush(stdout);
    }
    leave_rows();
    if (now.counts[FAILED] > 0)
        fail_msg("%d rows failed", now.counts[FAILED]);
    if (now.counts[NOT_RUN] > 0)
        skip_because("%s: none of %d rows was run: the device was lost before", now.test,
                     now.counts[NOT_RUN]);
}
