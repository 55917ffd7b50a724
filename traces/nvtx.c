#include "traces/nvtx.h"
#include "runtime/base/heap.h"
#include "traces/timeline.h"

#include <pthread.h>
#include <stdio.h>

enum { THREAD_NAME_BYTES = 16 }; /* what the system keeps of one, its end included */

static void name_for_system(const char *name)
{
    char kept[THREAD_NAME_BYTES];
    (void)snprintf(kept, sizeof kept, "vdnn %s", name);
    (void)pthread_setname_np(pthread_self(), kept);
}

#ifdef VDNN_NVTX

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a payload is made of; `fields` tells it to the tool. */
typedef struct payload {
    nvtxStringHandle_t layer;
    uint64_t bytes;
} payload;

static const nvtxPayloadSchemaEntry_t fields[] = {
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
     .name = "layer",
     .offset = offsetof(payload, layer)},
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64, .name = "bytes", .offset = offsetof(payload, bytes)},
};

/* One step's range; of a step without one the message is NULL. */
typedef struct range {
    nvtxStringHandle_t message;
    vdnn_nvtx_category category;
    payload payload;
} range;

struct vdnn_nvtx {
    vdnn_device_observer observer;
    int32_t count;
    range ranges[];
};

/* ---- the domain ------------------------------------------------------------------------------ */

/* Made once a process; a NULL domain: nobody listens. */
static nvtxDomainHandle_t domain;
static uint64_t schema;
static nvtxStringHandle_t no_layer;

static void create_domain(void)
{
    static const char *const names[] = {
#define X(name, text, colour) text,
        VDNN_NVTX_TABLE(X)
#undef X
    };
    static const nvtxPayloadSchemaAttr_t attributes = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .name = "vdnn step",
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .entries = fields,
        .numEntries = sizeof fields / sizeof *fields,
        .payloadStaticSize = sizeof(payload),
    };
    domain = nvtxDomainCreateA("vdnn");
    if (domain == NULL)
        return;
    for (uint32_t i = 0; i < VDNN_NVTX_COUNT; i++)
        nvtxDomainNameCategoryA(domain, i + 1, names[i]);
    schema = nvtxPayloadSchemaRegister(domain, &attributes);
    no_layer = nvtxDomainRegisterStringA(domain, "");
}

/* NVTX loads a tool at its first call, and its functions change under other threads' eyes: so no
 * other call is made before this one has ended. */
bool vdnn_nvtx_is_heard(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, create_domain);
    return domain != NULL;
}

/* A tool without payloads of several fields is given the bytes alone. */
static void push(nvtxMessageType_t type, nvtxMessageValue_t message, vdnn_nvtx_category category,
                 const payload *content)
{
    static const uint32_t colours[] = {
#define X(name, text, colour) 0xFF000000U | (colour),
        VDNN_NVTX_TABLE(X)
#undef X
    };
    const nvtxPayloadData_t data = {schema, sizeof *content, content};
    bool has_fields = schema != 0;
    const nvtxEventAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .category = (uint32_t)category + 1,
        .colorType = NVTX_COLOR_ARGB,
        .color = colours[category],
        .payloadType =
            has_fields ? (int32_t)NVTX_PAYLOAD_TYPE_EXT : (int32_t)NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
        .payload.ullValue = has_fields ? (uint64_t)(uintptr_t)&data : content->bytes,
        .reserved0 = has_fields,
        .messageType = (int32_t)type,
        .message = message,
    };
    (void)nvtxDomainRangePushEx(domain, &attributes);
}

/* ---- the ranges of a plan -------------------------------------------------------------------- */

static void begin_step(const void *argument, int32_t event)
{
    const vdnn_nvtx *own = argument;
    if (event >= own->count || own->ranges[event].message == NULL)
        return;
    const range *step = &own->ranges[event];
    push(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){.registered = step->message},
         step->category, &step->payload);
}

static void end_step(const void *argument, int32_t event)
{
    const vdnn_nvtx *own = argument;
    if (event < own->count && own->ranges[event].message != NULL)
        (void)nvtxDomainRangePop(domain);
}

static vdnn_nvtx_category category_of(const vdnn_step *step)
{
    static const vdnn_nvtx_category categories[] = {
        [VDNN_STEP_LOAD] = VDNN_NVTX_IO,
        [VDNN_STEP_RUN] = VDNN_NVTX_BACKWARD,
        [VDNN_STEP_RECOMPUTE] = VDNN_NVTX_RECOMPUTE,
        [VDNN_STEP_COPY_OUT] = VDNN_NVTX_OFFLOAD,
        [VDNN_STEP_COPY_IN] = VDNN_NVTX_PREFETCH,
        [VDNN_STEP_ACCUMULATE] = VDNN_NVTX_BACKWARD,
        [VDNN_STEP_UPDATE] = VDNN_NVTX_OPTIMIZER,
        [VDNN_STEP_STORE] = VDNN_NVTX_IO,
    };
    bool is_forward = step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD;
    return is_forward ? VDNN_NVTX_FORWARD : categories[step->kind];
}

static size_t bytes_of(const vdnn_plan *plan, const vdnn_step *step)
{
    size_t bytes = step->bytes;
    for (int32_t i = 0; step->bytes == 0 && i < step->access_count; i++) {
        const vdnn_access *access = &plan->accesses[step->first_access + i];
        if (access->mode != VDNN_HOLD)
            bytes += plan->buffers[access->buffer].bytes;
    }
    return bytes;
}

static vdnn_status fill(vdnn_nvtx *own, const vdnn_plan *plan)
{
    vdnn_text title = {0};
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind == VDNN_STEP_JOIN)
            continue;
        title.length = 0;
        vdnn_step_title(&title, plan, step);
        if (title.failed)
            break;
        own->ranges[i] = (range){
            nvtxDomainRegisterStringA(domain, title.data),
            category_of(step),
            {step->layer < 0
                 ? no_layer
                 : nvtxDomainRegisterStringA(domain, plan->graph->layers[step->layer].name),
             bytes_of(plan, step)},
        };
    }
    bool failed = title.failed;
    vdnn_text_fini(&title);
    return failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of NVTX ranges")
                  : VDNN_OK;
}

bool vdnn_nvtx_is_built(void)
{
    return true;
}

vdnn_status vdnn_nvtx_create(const vdnn_plan *plan, vdnn_nvtx **nvtx)
{
    if (!vdnn_nvtx_is_heard()) {
        *nvtx = NULL;
        return VDNN_OK;
    }
    vdnn_nvtx *fresh =
        vdnn_heap_calloc(1, sizeof *fresh + (size_t)plan->step_count * sizeof *fresh->ranges);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d NVTX ranges", plan->step_count);
    fresh->observer = (vdnn_device_observer){begin_step, end_step, fresh};
    fresh->count = plan->step_count;
    vdnn_status status = fill(fresh, plan);
    if (status != VDNN_OK) {
        vdnn_nvtx_destroy(fresh);
        return status;
    }
    *nvtx = fresh;
    return VDNN_OK;
}

const vdnn_device_observer *vdnn_nvtx_observer(const vdnn_nvtx *nvtx)
{
    return nvtx == NULL ? NULL : &nvtx->observer;
}

/* ---- other ranges, and threads --------------------------------------------------------------- */

void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes)
{
    if (!vdnn_nvtx_is_heard())
        return;
    const payload content = {no_layer, bytes};
    push(NVTX_MESSAGE_TYPE_ASCII, (nvtxMessageValue_t){.ascii = name}, category, &content);
}

void vdnn_nvtx_end(void)
{
    if (vdnn_nvtx_is_heard())
        (void)nvtxDomainRangePop(domain);
}

void vdnn_nvtx_name_thread(const char *name)
{
    char whole[64];
    name_for_system(name);
    if (!vdnn_nvtx_is_heard())
        return;
    (void)snprintf(whole, sizeof whole, "vdnn %s", name);
    nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), whole);
}

#else

bool vdnn_nvtx_is_built(void)
{
    return false;
}

bool vdnn_nvtx_is_heard(void)
{
    return false;
}

vdnn_status vdnn_nvtx_create(const vdnn_plan *plan, vdnn_nvtx **nvtx)
{
    (void)plan;
    *nvtx = NULL;
    return VDNN_OK;
}

const vdnn_device_observer *vdnn_nvtx_observer(const vdnn_nvtx *nvtx)
{
    (void)nvtx;
    return NULL;
}

void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes)
{
    (void)category;
    (void)name;
    (void)bytes;
}

void vdnn_nvtx_end(void)
{
}

void vdnn_nvtx_name_thread(const char *name)
{
    name_for_system(name);
}

#endif

void vdnn_nvtx_destroy(vdnn_nvtx *nvtx)
{
    vdnn_heap_free(nvtx);
}
