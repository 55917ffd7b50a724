/* A point on real devices: a few steps of a training, or as many as an accuracy takes. */

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/scale/scale.h"

#include <math.h>
#include <time.h>

enum {
    STEPS = 6,       /* the first ones are slower; the median is of all */
    TESTS_EPOCH = 10 /* how often the accuracy is looked at */
};

/* `machine` is theirs, as long as they are. */
static vdnn_session_options options_of(const vdnn_scale *scale, const vdnn_scale_point *point,
                                       vdnn_machine_options *machine)
{
    vdnn_session_options ask = scale->options.ask; /* borrowed */
    *machine = *ask.machine;
    machine->reduce = vdnn_reduce_scheme_text(point->reduce);
    ask.machine = machine;
    ask.size = sizeof ask;
    ask.batch = point->batch;
    ask.devices = point->devices;
    ask.steps = point->converges ? 0 : STEPS;
    if (point->threads > 0)
        ask.threads = point->threads;
    return ask;
}

/* ---- until an accuracy ----------------------------------------------------------------------- */

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* So many steps; their time is added, the last one's included. */
static vdnn_status make_steps(vdnn_session *session, int64_t count, double *seconds)
{
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_status status = VDNN_OK;
    const double since = now_seconds();
    for (int64_t s = 1; status == VDNN_OK && s <= count; s++)
        status = vdnn_session_step(session, s == count ? &sample : NULL);
    *seconds += now_seconds() - since;
    return status;
}

/* Stops at the accuracy, or after the last epoch. Tests take no time of the training's. */
static vdnn_status converge(const vdnn_scale *scale, vdnn_session *session,
                            vdnn_scale_figures *figures)
{
    const int64_t asked = scale->options.ask.epochs, all = vdnn_session_step_count(session),
                  epochs = asked > 0 ? asked : scale->setup.model->training.epochs,
                  an_epoch = epochs > 0 ? all / epochs : all,
                  between = an_epoch > TESTS_EPOCH ? an_epoch / TESTS_EPOCH : 1;
    double accuracy = 0, seconds = 0;
    vdnn_status status = VDNN_OK;
    int64_t made = 0;
    while (status == VDNN_OK && made < all && accuracy < scale->converge) {
        const int64_t count = all - made < between ? all - made : between;
        status = make_steps(session, count, &seconds);
        VDNN_IF_OK(status, vdnn_messages_interrupted(&scale->messages));
        VDNN_IF_OK(status, vdnn_session_evaluate(session, &accuracy));
        if (status == VDNN_OK && accuracy < 0)
            status = vdnn_status_fail(VDNN_USAGE, "--converge: the data has no test part with "
                                                  "labels that count; --test-data names one");
        made += count;
    }
    if (status != VDNN_OK || accuracy < scale->converge)
        return status;
    figures->epochs = (double)made / (double)an_epoch;
    figures->train_seconds = seconds;
    return VDNN_OK;
}

static vdnn_status train(const vdnn_scale *scale, vdnn_session *session,
                         vdnn_scale_figures *figures)
{
    vdnn_status status = vdnn_session_prepare(session);
    VDNN_IF_OK(status, vdnn_session_begin(session));
    return status == VDNN_OK ? converge(scale, session, figures) : status;
}

/* ---- what was measured ----------------------------------------------------------------------- */

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* From the record, which has what the devices counted while they ran. */
static void read_measured(const json_t *root, const vdnn_scale_point *point,
                          vdnn_scale_figures *figures)
{
    const json_t *measured = json_object_get(root, "measured"),
                 *each = json_object_get(root, "per_device");
    figures->step_seconds = number_at(measured, "step_seconds");
    figures->images_per_second = number_at(measured, "images_per_second");
    figures->exposed_reduce_seconds = number_at(measured, "exposed_reduce_seconds");
    figures->peak_bytes[0] = (size_t)number_at(measured, "device_peak_bytes");
    for (int32_t d = 0; d < point->devices && point->devices > 1; d++)
        figures->peak_bytes[d] = (size_t)number_at(
            json_object_get(json_array_get(each, (size_t)d), "measured"), "device_peak_bytes");
}

static vdnn_status read_record(const vdnn_session *session, const vdnn_scale_point *point,
                               vdnn_scale_figures *figures)
{
    vdnn_text text = {0};
    vdnn_status status = vdnn_session_json(session, &text);
    json_t *root = NULL;
    VDNN_IF_OK(status, vdnn_json_parse(text.data, text.length, "the record of a run", &root));
    if (status == VDNN_OK)
        read_measured(root, point, figures);
    json_decref(root);
    vdnn_text_fini(&text);
    return status;
}

static vdnn_status refuse(const vdnn_session *session, vdnn_scale_figures *figures)
{
    vdnn_verdict verdict = {.size = sizeof verdict};
    vdnn_status status = vdnn_session_verdict(session, &verdict);
    figures->smallest_bytes = verdict.smallest_bytes;
    return status;
}

vdnn_status vdnn_scale_run(const vdnn_scale *scale, const vdnn_scale_point *point,
                           vdnn_scale_figures *figures)
{
    vdnn_machine_options machine;
    const vdnn_session_options ask = options_of(scale, point, &machine);
    vdnn_session *session = NULL;
    vdnn_messages_log(&scale->messages, VDNN_LOG_INFO, "%d device%s, batch %lld: %s",
                      (int)point->devices, point->devices == 1 ? "" : "s", (long long)point->batch,
                      point->converges ? "until the accuracy is reached" : "a few steps");
    vdnn_messages quiet = scale->messages;
    quiet.log = NULL;
    quiet.progress = NULL;
    vdnn_status status = vdnn_session_create(&ask, &quiet, &session);
    VDNN_IF_OK(status,
               point->converges ? train(scale, session, figures) : vdnn_session_run(session));
    figures->fits = status == VDNN_OK;
    if (status == VDNN_OK)
        status = read_record(session, point, figures);
    else if (status == VDNN_NO_FIT && session != NULL)
        status = refuse(session, figures);
    vdnn_session_destroy(session);
    return status;
}
