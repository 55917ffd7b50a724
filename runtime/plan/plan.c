#include "runtime/plan/plan.h"

#include "runtime/base/heap.h"

#include <inttypes.h>
#include <string.h>

static const char *const bind_texts[] = {
#define X(name, text) text,
    VDNN_BIND_TABLE(X)
#undef X
};
static const char *const category_texts[] = {
#define X(name) #name,
    VDNN_CATEGORY_TABLE(X)
#undef X
};

static const struct {
    const char *text;
    vdnn_category category;
} classes[] = {
#define X(name, text, category) {text, VDNN_CATEGORY_##category},
    VDNN_CLASS_TABLE(X)
#undef X
};

#define NAME_OF(texts, i) ((size_t)(i) < sizeof(texts) / sizeof *(texts) ? (texts)[i] : "unknown")

const char *vdnn_bind_text(vdnn_bind bind)
{
    return NAME_OF(bind_texts, bind);
}

const char *vdnn_class_text(vdnn_class class)
{
    return (size_t) class < VDNN_CLASS_COUNT ? classes[class].text : "unknown";
}

vdnn_category vdnn_class_category(vdnn_class class)
{
    return classes[class].category;
}

const char *vdnn_category_text(vdnn_category category)
{
    return NAME_OF(category_texts, category);
}

/* The arrays that a plan owns: name, count. */
#define ARRAY_TABLE(X, plan)                                                                       \
    X(steps, (plan)->step_count)                                                                   \
    X(buffers, (plan)->buffer_count)                                                               \
    X(accesses, (plan)->access_count)                                                              \
    X(waits, (plan)->wait_count)                                                                   \
    X(param_buffer, (plan)->graph->layer_count)                                                    \
    X(state_buffer, (plan)->graph->layer_count)                                                    \
    X(ahead, (plan)->graph->input_count)                                                           \
    X(arrived, (plan)->graph->input_count)                                                         \
    X(chained, (plan)->graph->layer_count)                                                         \
    X(algorithms, (plan)->graph->layer_count)                                                      \
    X(workspace_bytes, (plan)->graph->layer_count)                                                 \
    X(forward_seconds, (plan)->graph->layer_count)                                                 \
    X(backward_seconds, (plan)->graph->layer_count)

void vdnn_plan_destroy(vdnn_plan *plan)
{
    if (plan == NULL)
        return;
#define X(array, count) vdnn_heap_free(plan->array);
    ARRAY_TABLE(X, plan)
#undef X
    vdnn_heap_free(plan);
}

bool vdnn_plan_raise(vdnn_plan *plan, size_t bytes)
{
    size_t end = 0, taken = 0;
    vdnn_buffer *last = NULL;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        vdnn_buffer *buffer = &plan->buffers[b];
        const size_t size = vdnn_plan_span_bytes(buffer->bytes, plan->graph->zone_bytes);
        if (buffer->tier != VDNN_TIER_DEVICE || buffer->offset + size < end)
            continue;
        last = buffer;
        taken = size;
        end = buffer->offset + size;
    }
    if (last == NULL || vdnn_plan_is_kept(last) || vdnn_plan_has_arrived(last))
        return false;
    last->offset = (bytes - taken) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    plan->span_bytes[VDNN_TIER_DEVICE] = bytes;
    return true;
}

/* Sets *enough to false without memory. */
static void *copy_array(const void *items, int32_t count, size_t size, bool *enough)
{
    void *copy = vdnn_heap_calloc((size_t)count, size);
    if (copy == NULL)
        *enough = false;
    else if (count > 0)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

vdnn_status vdnn_plan_copy(const vdnn_plan *plan, vdnn_plan **copy)
{
    bool enough = true;
    vdnn_plan *made = copy_array(plan, 1, sizeof *plan, &enough);
    if (made != NULL) {
#define X(array, count) made->array = copy_array(plan->array, count, sizeof *made->array, &enough);
        ARRAY_TABLE(X, plan)
#undef X
    }
    if (!enough) {
        vdnn_plan_destroy(made);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %d steps",
                                (int)plan->step_count);
    }
    *copy = made;
    return VDNN_OK;
}

/* What a copy reads; NULL: the step is none. */
static const vdnn_access *copied_by(const vdnn_plan *plan, const vdnn_step *step)
{
    if (vdnn_step_row_of(step->kind)->work != VDNN_WORK_COPY)
        return NULL;
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++)
        if (plan->accesses[k].bind == VDNN_BIND_SRC)
            return &plan->accesses[k];
    return NULL;
}

int32_t vdnn_plan_made_by(const vdnn_plan *plan, const vdnn_access *read)
{
    int32_t maker = read->writer;
    const vdnn_access *copied = maker < 0 ? NULL : copied_by(plan, &plan->steps[maker]);
    while (copied != NULL) {
        maker = copied->writer;
        copied = maker < 0 ? NULL : copied_by(plan, &plan->steps[maker]);
    }
    return maker;
}

int32_t vdnn_plan_next_transfer(const vdnn_plan *plan, int32_t from, vdnn_step_kind kind,
                                int32_t peer)
{
    while (from < plan->step_count &&
           (plan->steps[from].kind != kind || vdnn_step_peer(&plan->steps[from]) != peer))
        from++;
    return from;
}

int32_t vdnn_plan_input_of(const vdnn_plan *plan, const vdnn_buffer *buffer)
{
    if (buffer->class == VDNN_CLASS_INPUT)
        return buffer->map;
    if (buffer->class == VDNN_CLASS_LABELS)
        return vdnn_graph_labels_row(plan->graph);
    const ptrdiff_t at = buffer - plan->buffers;
    int32_t input = plan->graph->input_count - 1;
    while (input >= 0 && plan->ahead[input] != at && plan->arrived[input] != at)
        input--;
    return input;
}

static void print_head(const vdnn_plan *plan, vdnn_text *text)
{
    vdnn_text_add(text, "plan ");
    vdnn_text_add_name(text, plan->graph->name);
    vdnn_text_add(text, " %s\n", plan->training ? "training" : "evaluation");
    vdnn_text_add(text, "batch %" PRId64 "\n", plan->graph->batch);
    if (plan->graph->micro_batches > 1)
        vdnn_text_add(text, "micro_batches %d\n", (int)plan->graph->micro_batches);
    vdnn_text_add(text, "policy %s%s%s\n", plan->policy, plan->algo[0] ? " " : "", plan->algo);
    if (plan->copies == VDNN_WEIGHTS_KEPT)
        vdnn_text_add(text, "weight copies kept\n");
    if (plan->loads == VDNN_LOADS_AHEAD)
        vdnn_text_add(text, "loads ahead\n");
    if (plan->loads == VDNN_LOADS_LATE) {
        vdnn_text_add(text, "loads ahead, from the backward of ");
        vdnn_text_add_name(text, plan->graph->layers[plan->load_layer].name);
        vdnn_text_add(text, "\n");
    }
    if (plan->graph->devices > 1)
        vdnn_text_add(text, "sums over %d devices by %s, in buckets of %zu bytes, lag %d\n",
                      (int)plan->graph->devices, vdnn_reduce_scheme_text(plan->graph->reduce),
                      plan->buckets.bytes, (int)plan->buckets.lag);
    if (plan->graph->shards)
        vdnn_text_add(text, "each device updates its share, which saves it %zu bytes of state\n",
                      vdnn_graph_shard_saves(plan->graph));
    vdnn_text_add(text, "arena_bytes %zu\nhost_arena_bytes %zu\n",
                  plan->span_bytes[VDNN_TIER_DEVICE], plan->span_bytes[VDNN_TIER_HOST]);
    vdnn_text_add(text, "device_peak_bytes %zu at step %d\nhost_peak_bytes %zu\n",
                  plan->peak_bytes[VDNN_TIER_DEVICE], (int)plan->peak_step,
                  plan->peak_bytes[VDNN_TIER_HOST]);
    vdnn_text_add(text, "offload_bytes %zu\nprefetch_bytes %zu\n", plan->offload_bytes,
                  plan->prefetch_bytes);
    if (plan->span_bytes[VDNN_TIER_FILE] > 0)
        vdnn_text_add(text, "file_bytes %zu\nspill_bytes %zu\nfill_bytes %zu\n",
                      plan->span_bytes[VDNN_TIER_FILE], plan->spill_bytes, plan->fill_bytes);
}

static void print_buffer(const vdnn_plan *plan, int32_t index, vdnn_text *text)
{
    const vdnn_buffer *buffer = &plan->buffers[index];
    vdnn_text_add(text, "buffer %d %s %s ", (int)index, vdnn_tier_text(buffer->tier),
                  classes[buffer->class].text);
    vdnn_text_add_name(text, buffer->label);
    if (buffer->map_offset > 0)
        vdnn_text_add(text, " from %zu", buffer->map_offset);
    vdnn_text_add(text, " offset %zu bytes %zu steps %d..%d%s\n", buffer->offset, buffer->bytes,
                  (int)buffer->first_step, (int)buffer->last_step,
                  buffer->persistent ? " persistent" : "");
}

static void print_access(const vdnn_plan *plan, const vdnn_access *access, vdnn_text *text)
{
    vdnn_text_add(text, " %s", vdnn_bind_text((vdnn_bind)access->bind));
    if (access->bind == VDNN_BIND_X || access->bind == VDNN_BIND_DX)
        vdnn_text_add(text, "%d", (int)access->slot);
    vdnn_text_add(text, "=%d%s%s", (int)access->buffer, access->mode & VDNN_READ ? "r" : "",
                  access->mode & VDNN_WRITE ? "w" : "");
    if ((access->mode & VDNN_READ) && access->writer >= 0)
        vdnn_text_add(text, "@%d", (int)access->writer);
    if (access->bytes != plan->buffers[access->buffer].bytes)
        vdnn_text_add(text, "[%zu..%zu", access->first, access->first + access->bytes - 1);
    if (access->stride > 0)
        vdnn_text_add(text, ", %zu of %zu", access->stripe, access->stride);
    if (access->bytes != plan->buffers[access->buffer].bytes)
        vdnn_text_add(text, "]");
}

static void print_step(const vdnn_plan *plan, int32_t index, vdnn_text *text)
{
    const vdnn_step *step = &plan->steps[index];
    vdnn_text_add(text, "step %d %s %s", (int)index, vdnn_stream_text(step->stream),
                  vdnn_step_kind_text(step->kind));
    if (step->layer >= 0) {
        vdnn_text_add(text, " ");
        vdnn_text_add_name(text, plan->graph->layers[step->layer].name);
    }
    if (step->kind == VDNN_STEP_RUN)
        vdnn_text_add(text, " %s", vdnn_pass_text(step->pass));
    if (vdnn_step_has_kernel(step))
        vdnn_text_add(text, " %s", step->algorithm->name);
    if (step->label[0] != '\0') {
        vdnn_text_add(text, " [");
        vdnn_text_add_name(text, step->label);
        vdnn_text_add(text, "]");
    }
    if (plan->graph->micro_batches > 1)
        vdnn_text_add(text, " micro %d", (int)step->micro);
    if (vdnn_plan_parts(plan, step) > 1)
        vdnn_text_add(text, " part %d", (int)step->part);
    if (step->bytes > 0)
        vdnn_text_add(text, " bytes %zu", step->bytes);
    for (int32_t w = 0; w < step->wait_count; w++)
        vdnn_text_add(text, "%s%d", w == 0 ? " waits " : ",",
                      (int)plan->waits[step->first_wait + w]);
    for (int32_t a = 0; a < step->access_count; a++)
        print_access(plan, &plan->accesses[step->first_access + a], text);
    vdnn_text_add(text, "\n");
}

vdnn_status vdnn_plan_print(const vdnn_plan *plan, vdnn_text *text)
{
    print_head(plan, text);
    for (int32_t b = 0; b < plan->buffer_count; b++)
        print_buffer(plan, b, text);
    for (int32_t s = 0; s < plan->step_count; s++)
        print_step(plan, s, text);
    if (text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the text of a plan of %d steps",
                                (int)plan->step_count);
    return VDNN_OK;
}
