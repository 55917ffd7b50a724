/* A point on real devices: a few steps of a training. */

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/scale/scale.h"

#include <math.h>

enum { STEPS = 6 }; /* the first ones are slower; the median is of all */

static vdnn_session_options options_of(const vdnn_scale *scale, const vdnn_scale_point *point)
{
    vdnn_session_options ask = scale->options.ask; /* borrowed */
    ask.size = sizeof ask;
    ask.batch = point->batch;
    ask.devices = point->devices;
    ask.reduce = vdnn_reduce_scheme_text(point->reduce);
    ask.steps = STEPS;
    if (point->threads > 0)
        ask.threads = point->threads;
    return ask;
}

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
    json_t *root = status == VDNN_OK ? json_loads(text.data, 0, NULL) : NULL;
    if (status == VDNN_OK && root == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the record of a run");
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
    const vdnn_session_options ask = options_of(scale, point);
    vdnn_session *session = NULL;
    vdnn_messages_log(&scale->messages, VDNN_LOG_INFO, "%d device%s, batch %lld: %d steps",
                      (int)point->devices, point->devices == 1 ? "" : "s", (long long)point->batch,
                      STEPS);
    vdnn_messages quiet = scale->messages;
    quiet.log = NULL;
    quiet.progress = NULL;
    vdnn_status status = vdnn_session_create(&ask, &quiet, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    figures->fits = status == VDNN_OK;
    if (status == VDNN_OK)
        status = read_record(session, point, figures);
    else if (status == VDNN_NO_FIT && session != NULL)
        status = refuse(session, figures);
    vdnn_session_destroy(session);
    return status;
}
