#include "runtime/base/nvtx.h"

#include <pthread.h>
#include <stdio.h>

enum { THREAD_NAME_BYTES = 16 }; /* the system's limit, terminator included */

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

/* The payload; `fields` describes it to the tool. */
typedef struct payload {
    nvtxStringHandle_t layer, step;
    uint64_t bytes;
} payload;

static const nvtxPayloadSchemaEntry_t fields[] = {
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
     .name = "layer",
     .offset = offsetof(payload, layer)},
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
     .name = "step",
     .offset = offsetof(payload, step)},
    {.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64, .name = "bytes", .offset = offsetof(payload, bytes)},
};

/* ---- the domain ------------------------------------------------------------------------------ */

/* Created once per process; a NULL domain: no tool is attached. */
static nvtxDomainHandle_t domain;
static uint64_t schema;
static nvtxStringHandle_t nothing;

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
    nothing = nvtxDomainRegisterStringA(domain, "");
}

/* NVTX loads a tool during its first call and changes its function table meanwhile, so no other
 * call is made before this one has ended. */
bool vdnn_nvtx_is_heard(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, create_domain);
    return domain != NULL;
}

/* A tool without multi-field payloads gets the bytes alone. */
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

bool vdnn_nvtx_is_built(void)
{
    return true;
}

/* ---- ranges and threads ---------------------------------------------------------------------- */

void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes)
{
    if (!vdnn_nvtx_is_heard())
        return;
    const payload content = {nothing, nothing, bytes};
    push(NVTX_MESSAGE_TYPE_ASCII, (nvtxMessageValue_t){.ascii = name}, category, &content);
}

void vdnn_nvtx_end(void)
{
    if (vdnn_nvtx_is_heard())
        (void)nvtxDomainRangePop(domain);
}

/* Our handle is the tool's, under another type. */
static nvtxStringHandle_t handle(const vdnn_nvtx_text *text)
{
    return text == NULL ? nothing : (nvtxStringHandle_t)(uintptr_t)text;
}

const vdnn_nvtx_text *vdnn_nvtx_register(const char *text)
{
    return vdnn_nvtx_is_heard() ? (const void *)nvtxDomainRegisterStringA(domain, text) : NULL;
}

void vdnn_nvtx_begin_registered(vdnn_nvtx_category category, const vdnn_nvtx_text *name,
                                const vdnn_nvtx_payload *about)
{
    const payload content = {handle(about->layer), handle(about->step), about->bytes};
    push(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){.registered = handle(name)}, category,
         &content);
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

void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes)
{
    (void)category;
    (void)name;
    (void)bytes;
}

void vdnn_nvtx_end(void)
{
}

const vdnn_nvtx_text *vdnn_nvtx_register(const char *text)
{
    (void)text;
    return NULL;
}

void vdnn_nvtx_begin_registered(vdnn_nvtx_category category, const vdnn_nvtx_text *name,
                                const vdnn_nvtx_payload *about)
{
    (void)category;
    (void)name;
    (void)about;
}

void vdnn_nvtx_name_thread(const char *name)
{
    name_for_system(name);
}

#endif
