#include "runtime/exec/verify.h"

#include "runtime/base/heap.h"

enum { NONE = -1 };

/* One copy: what is hashed, and where the hash of the copy out is kept. */
typedef struct check {
    const vdnn_verify *all;
    int32_t step, from, to; /* buffers */
    int32_t event;          /* of the first of its two operations */
    bool returns;           /* a copy in */
    bool is_first;          /* of parameters, which are there before the step */
    vdnn_launch launch;
    vdnn_extent extents[VDNN_TIER_COUNT];
} check;

struct vdnn_verify {
    const vdnn_plan *plan;
    vdnn_device *device;
    const vdnn_step_context *context;
    int32_t *check_of; /* per step; NONE: no copy */
    check *checks;
    int32_t check_count;
    uint64_t *left; /* per buffer: the hash of what was copied into it, in this round */
};

/* ---- on the copy streams --------------------------------------------------------------------- */

static vdnn_status hash(const check *own, vdnn_tier tier, uint64_t *digest, void *stream)
{
    return vdnn_device_digest(own->all->device, own->extents[tier], stream, digest);
}

static vdnn_status run_out(void *argument, void *stream)
{
    const check *own = argument;
    return hash(own, VDNN_TIER_DEVICE, &own->all->left[own->to], stream);
}

/* To the file tier and back: the hash goes along, and is compared on the device. */
static vdnn_status run_on(void *argument, void *stream)
{
    const check *own = argument;
    (void)stream;
    own->all->left[own->to] = own->all->left[own->from];
    return VDNN_OK;
}

static bool came_from_file(const check *own)
{
    const vdnn_plan *plan = own->all->plan;
    const vdnn_step *step = &plan->steps[own->step];
    for (int32_t i = step->first_access; i < step->first_access + step->access_count; i++)
        if (plan->accesses[i].buffer == own->from && plan->accesses[i].writer >= 0)
            return plan->steps[plan->accesses[i].writer].kind == VDNN_STEP_FILL;
    return false;
}

static vdnn_status fail_mismatch(const check *own, uint64_t left, uint64_t held, uint64_t came)
{
    const vdnn_plan *plan = own->all->plan;
    const vdnn_buffer *buffer = &plan->buffers[own->from];
    bool is_activation = buffer->map >= 0 && buffer->class != VDNN_CLASS_GRADIENT_MAP;
    const vdnn_map *map = is_activation ? &plan->graph->maps[buffer->map] : NULL;
    const char *needed = map == NULL              ? buffer->label
                         : map->needed_count == 0 ? ""
                                                  : plan->graph->layers[map->needed_by[0]].name;
    bool in_host = held != left;
    return vdnn_status_fail(
        VDNN_MISMATCH,
        "verify: step %llu, layer '%s': its buffer '%s' (%zu bytes, needed by backward of '%s') "
        "was copied out as %016llx and copied in as %016llx; %s. The memory or the copies of this "
        "machine cannot be trusted: test the memory, and train on another machine",
        (unsigned long long)own->all->context->step + 1, map == NULL ? buffer->label : map->name,
        buffer->label, own->extents[VDNN_TIER_HOST].bytes, needed, (unsigned long long)left,
        (unsigned long long)came,
        in_host && came_from_file(own)
            ? "the host tier, or the file tier that it came back from, does not hold what was "
              "copied there"
        : in_host
            ? "the host tier does not hold what was copied there"
            : "the host tier holds what was copied out, so the copy into the device tier is wrong");
}

static vdnn_status run_in(void *argument, void *stream)
{
    const check *own = argument;
    uint64_t left = own->all->left[own->from], held = 0, came = 0;
    vdnn_status status = VDNN_OK;
    if (own->is_first) /* nothing was copied out before it */
        status = hash(own, VDNN_TIER_HOST, &left, stream);
    VDNN_IF_OK(status, hash(own, VDNN_TIER_DEVICE, &came, stream));
    if (status != VDNN_OK || came == left)
        return status;
    status = hash(own, VDNN_TIER_HOST, &held, stream);
    return status != VDNN_OK ? status : fail_mismatch(own, left, held, came);
}

/* ---- making ready ---------------------------------------------------------------------------- */

static bool is_copy(const vdnn_step *step)
{
    return vdnn_step_row_of(step->kind)->work == VDNN_WORK_COPY;
}

/* What is called, and how many extents it reads: the device's, then the host's. */
static vdnn_status (*run_of(vdnn_step_kind kind))(void *argument, void *stream)
{
    return kind == VDNN_STEP_COPY_OUT ? run_out : kind == VDNN_STEP_COPY_IN ? run_in : run_on;
}

static int32_t extent_count(vdnn_step_kind kind)
{
    return kind == VDNN_STEP_COPY_OUT ? 1 : kind == VDNN_STEP_COPY_IN ? 2 : 0;
}

static void make_check(vdnn_verify *verify, int32_t index)
{
    const vdnn_plan *plan = verify->plan;
    const vdnn_step *step = &plan->steps[index];
    check *own = &verify->checks[verify->check_count];
    verify->check_of[index] = verify->check_count;
    own->all = verify;
    own->step = index;
    own->event = plan->step_count + verify->check_count;
    own->returns = step->kind == VDNN_STEP_COPY_IN;
    for (int32_t i = 0; i < step->access_count; i++) {
        const vdnn_access *access = &plan->accesses[step->first_access + i];
        const vdnn_buffer *buffer = &plan->buffers[access->buffer];
        if (access->mode == VDNN_HOLD)
            continue;
        own->extents[buffer->tier] =
            (vdnn_extent){buffer->tier, buffer->offset + access->first, step->bytes};
        *(access->mode & VDNN_READ ? &own->from : &own->to) = access->buffer;
    }
    own->is_first = own->returns && plan->buffers[own->from].persistent;
    own->launch = (vdnn_launch){.run = run_of(step->kind),
                                .argument = own,
                                .extents = own->extents,
                                .extent_count = extent_count(step->kind)};
    verify->check_count++;
}

static vdnn_status make_checks(vdnn_verify *verify)
{
    const vdnn_plan *plan = verify->plan;
    size_t copies = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        copies += is_copy(&plan->steps[i]);
    verify->checks = vdnn_heap_calloc(copies, sizeof *verify->checks);
    verify->check_of = vdnn_heap_calloc((size_t)plan->step_count, sizeof *verify->check_of);
    verify->left = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *verify->left);
    if (verify->checks == NULL || verify->check_of == NULL || verify->left == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to verify %zu copies", copies);
    for (int32_t i = 0; i < plan->step_count; i++) {
        verify->check_of[i] = NONE;
        if (is_copy(&plan->steps[i]))
            make_check(verify, i);
    }
    return vdnn_device_grow_events(verify->device, plan->step_count + verify->check_count);
}

vdnn_status vdnn_verify_create(const vdnn_plan *plan, vdnn_device *device,
                               const vdnn_step_context *context, vdnn_verify **verify)
{
    vdnn_verify *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to verify copies");
    fresh->plan = plan;
    fresh->device = device;
    fresh->context = context;
    vdnn_status status = make_checks(fresh);
    if (status != VDNN_OK) {
        vdnn_verify_destroy(fresh);
        return status;
    }
    *verify = fresh;
    return VDNN_OK;
}

void vdnn_verify_destroy(vdnn_verify *verify)
{
    if (verify == NULL)
        return;
    vdnn_heap_free(verify->checks);
    vdnn_heap_free(verify->check_of);
    vdnn_heap_free(verify->left);
    vdnn_heap_free(verify);
}

/* ---- a round --------------------------------------------------------------------------------- */

vdnn_status vdnn_verify_enqueue(vdnn_verify *verify, int32_t step, const vdnn_verify_copy *copy)
{
    VDNN_INVARIANT(verify->check_of[step], !=, NONE);
    const check *own = &verify->checks[verify->check_of[step]];
    vdnn_device *device = verify->device;
    vdnn_status status;
    if (own->returns) {
        status = vdnn_device_copy(device, copy->stream, own->event, copy->waits, copy->wait_count,
                                  copy->to, copy->from);
        VDNN_IF_OK(status,
                   vdnn_device_launch(device, copy->stream, step, &own->event, 1, &own->launch));
        return status;
    }
    status = vdnn_device_launch(device, copy->stream, own->event, copy->waits, copy->wait_count,
                                &own->launch);
    VDNN_IF_OK(status,
               vdnn_device_copy(device, copy->stream, step, &own->event, 1, copy->to, copy->from));
    return status;
}

void vdnn_verify_start(const vdnn_verify *verify, int32_t step, double *start)
{
    double end;
    int32_t index = verify->check_of[step];
    if (index != NONE)
        vdnn_device_times(verify->device, verify->checks[index].event, start, &end);
}
