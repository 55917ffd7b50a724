#include "traces/step_ranges.h"
#include "runtime/base/heap.h"
#include "runtime/base/nvtx.h"
#include "traces/timeline.h"

#include <string.h>

/* For a step without a range the kind is NULL. */
typedef struct range {
    const vdnn_nvtx_text *kind;
    vdnn_nvtx_category category;
    vdnn_nvtx_payload payload;
} range;

struct vdnn_step_ranges {
    vdnn_device_observer observer;
    int32_t count;
    range ranges[];
};

static void begin_step(const void *argument, int32_t event)
{
    const vdnn_step_ranges *own = argument;
    if (event >= own->count || own->ranges[event].kind == NULL)
        return;
    const range *step = &own->ranges[event];
    vdnn_nvtx_begin_registered(step->category, step->kind, &step->payload);
}

static void end_step(const void *argument, int32_t event)
{
    const vdnn_step_ranges *own = argument;
    if (event < own->count && own->ranges[event].kind != NULL)
        vdnn_nvtx_end();
}

static vdnn_nvtx_category category_of(const vdnn_step *step)
{
    const vdnn_step_row *row = vdnn_step_row_of(step->kind);
    return step->pass == VDNN_FORWARD ? row->forward : row->backward;
}

static size_t bytes_of(const vdnn_plan *plan, const vdnn_step *step)
{
    size_t bytes = step->bytes;
    for (int32_t i = 0; step->bytes == 0 && i < step->access_count; i++) {
        const vdnn_access *access = &plan->accesses[step->first_access + i];
        const vdnn_stripes taken = vdnn_access_stripes(access);
        if (access->mode != VDNN_HOLD)
            bytes += (size_t)taken.count * taken.bytes;
    }
    return bytes;
}

/* What profilers add up by: "forward conv", "offload". */
static void add_kind(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step)
{
    const char *verb = vdnn_step_row_of(step->kind)->verb;
    if (vdnn_step_has_kernel(step))
        vdnn_text_add(text, "%s %s", verb[0] == '\0' ? vdnn_pass_text(step->pass) : "recompute",
                      plan->graph->layers[step->layer].def->type);
    else
        vdnn_text_add(text, "%.*s", (int)strcspn(verb, " "), verb);
}

/* Of a step, what `add` writes of it; NULL: no memory, as `text` says. */
static const vdnn_nvtx_text *
registered(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step,
           void (*add)(vdnn_text *text, const vdnn_plan *plan, const vdnn_step *step))
{
    text->length = 0;
    add(text, plan, step);
    return text->failed ? NULL : vdnn_nvtx_register(text->data);
}

static vdnn_status fill(vdnn_step_ranges *own, const vdnn_plan *plan)
{
    vdnn_text text = {0};
    for (int32_t i = 0; i < plan->step_count && !text.failed; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind == VDNN_STEP_JOIN)
            continue;
        own->ranges[i] = (range){
            .kind = registered(&text, plan, step, add_kind),
            .category = category_of(step),
            .payload = {.layer = step->layer < 0
                                     ? NULL
                                     : vdnn_nvtx_register(plan->graph->layers[step->layer].name),
                        .step = registered(&text, plan, step, vdnn_step_title),
                        .bytes = bytes_of(plan, step)},
        };
    }
    bool failed = text.failed;
    vdnn_text_fini(&text);
    return failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of NVTX ranges")
                  : VDNN_OK;
}

vdnn_status vdnn_step_ranges_create(const vdnn_plan *plan, vdnn_step_ranges **ranges)
{
    if (!vdnn_nvtx_is_heard()) {
        *ranges = NULL;
        return VDNN_OK;
    }
    vdnn_step_ranges *fresh =
        vdnn_heap_calloc(1, sizeof *fresh + (size_t)plan->step_count * sizeof *fresh->ranges);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d NVTX ranges", plan->step_count);
    fresh->observer = (vdnn_device_observer){begin_step, end_step, fresh};
    fresh->count = plan->step_count;
    vdnn_status status = fill(fresh, plan);
    if (status != VDNN_OK) {
        vdnn_step_ranges_destroy(fresh);
        return status;
    }
    *ranges = fresh;
    return VDNN_OK;
}

void vdnn_step_ranges_destroy(vdnn_step_ranges *ranges)
{
    vdnn_heap_free(ranges);
}

const vdnn_device_observer *vdnn_step_ranges_observer(const vdnn_step_ranges *ranges)
{
    return ranges == NULL ? NULL : &ranges->observer;
}
