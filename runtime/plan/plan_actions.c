/* What a plan does with the maps of its graph, found in its steps. */

#include "runtime/base/heap.h"
#include "runtime/plan/plan.h"

/* Of a map, or of some of its pieces. */
typedef struct finding {
    bool leaves;        /* it is copied out in forward */
    bool stays;         /* backward reads what forward wrote */
    bool is_recomputed; /* it is written in backward once more */
} finding;

static bool is_map(const vdnn_buffer *buffer)
{
    return buffer->map >= 0 &&
           (buffer->class == VDNN_CLASS_FEATURE_MAP || buffer->class == VDNN_CLASS_STASH ||
            buffer->class == VDNN_CLASS_INPUT);
}

static bool is_there_again(const vdnn_plan *plan, const vdnn_access *read)
{
    const vdnn_step *writer = read->writer < 0 ? NULL : &plan->steps[read->writer];
    return writer != NULL &&
           (writer->kind == VDNN_STEP_COPY_IN || writer->kind == VDNN_STEP_RECOMPUTE);
}

static void note(const vdnn_plan *plan, const vdnn_step *step, const vdnn_access *access,
                 finding *found)
{
    const bool reads = (access->mode & VDNN_READ) != 0, writes = (access->mode & VDNN_WRITE) != 0;
    if (step->kind == VDNN_STEP_COPY_OUT && step->pass == VDNN_FORWARD && reads)
        found->leaves = true;
    if (step->kind == VDNN_STEP_RECOMPUTE && writes && access->bind == VDNN_BIND_Y)
        found->is_recomputed = true;
    if (vdnn_step_has_kernel(step) && step->pass != VDNN_FORWARD && reads &&
        !is_there_again(plan, access))
        found->stays = true;
}

static vdnn_action action_of(bool is_needed, const finding *found)
{
    if (!is_needed)
        return found->is_recomputed ? VDNN_RECOMPUTE : VDNN_DROP;
    if (found->leaves)
        return VDNN_OFFLOAD;
    return found->is_recomputed && !found->stays ? VDNN_RECOMPUTE : VDNN_KEEP;
}

static void note_steps(const vdnn_plan *plan, finding *found)
{
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        for (int32_t a = 0; a < step->access_count; a++) {
            const vdnn_access *access = &plan->accesses[step->first_access + a];
            const vdnn_buffer *buffer = &plan->buffers[access->buffer];
            if (is_map(buffer))
                note(plan, step, access, &found[buffer->map]);
        }
    }
}

vdnn_status vdnn_plan_find_actions(const vdnn_plan *plan, vdnn_action **actions)
{
    const int32_t count = plan->graph->map_count;
    finding *found = vdnn_heap_calloc((size_t)count, sizeof *found);
    vdnn_action *list = vdnn_heap_calloc((size_t)count, sizeof *list);
    if (found == NULL || list == NULL) {
        vdnn_heap_free(found);
        vdnn_heap_free(list);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the actions of %d maps", (int)count);
    }
    note_steps(plan, found);
    for (int32_t m = 0; m < count; m++)
        list[m] = action_of(plan->training && plan->graph->maps[m].needed_count > 0, &found[m]);
    vdnn_heap_free(found);
    *actions = list;
    return VDNN_OK;
}
