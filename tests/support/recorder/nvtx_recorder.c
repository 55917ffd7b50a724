/* Records what a tool sees of a program through NVTX: a line of JSON for each range that ends.
 *
 *     NVTX_INJECTION64_PATH=libvdnn-nvtx-recorder.so NVTX_RECORDER_FILE=ranges.jsonl program...
 *
 *     {"tid": 71, "thread": "vdnn out"}
 *     {"stream": "vdnn out"}
 *     {"domain": "vdnn", "category": "offload", "colour": "#E67E22", "name": "offload",
 *      "payload": {"layer": "conv1", "step": "offload conv1", "bytes": 2949120}, "tid": 71,
 *      "depth": 0, "start_ns": 81230144, "end_ns": 81342120}
 *
 * Times are of CLOCK_MONOTONIC. The file is nvtx.jsonl unless NVTX_RECORDER_FILE names one. NVTX
 * finds the library by the names of the two functions at the end; it does not use vdnn. It
 * implements what programs use that push and pop ranges in domains; a range that is nested deeper
 * than MAX_DEPTH is not written.
 *
 * Threads: any. Registered texts live as long as the process.
 */

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* NVTX includes <stdio.h> only in the part that loads a tool. */
#include <stdio.h>

enum { MAX_DEPTH = 64, MAX_CATEGORIES = 64, MAX_SCHEMAS = 16, TEXT_BYTES = 512 };

/* What a handle points to. */
struct nvtxStringRegistration_st {
    char *text;
    struct nvtxStringRegistration_st *next; /* of all registered texts */
};

struct nvtxDomainRegistration_st {
    char *name;
    char *categories[MAX_CATEGORIES]; /* by id; NULL: not named */
};

typedef struct schema {
    nvtxPayloadSchemaEntry_t *entries;
    size_t count;
} schema;

/* An open range of this thread, its texts as JSON already. */
typedef struct range {
    const struct nvtxDomainRegistration_st *domain;
    uint32_t category, colour;
    char name[TEXT_BYTES], payload[TEXT_BYTES];
    long long start;
} range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* all that follow, and categories */
static FILE *file;
static nvtxStringHandle_t strings;
static schema schemas[MAX_SCHEMAS];
static uint64_t schema_count;

static _Thread_local range open_ranges[MAX_DEPTH];
static _Thread_local int depth;

static long long now_nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

static long thread_number(void)
{
    return syscall(SYS_gettid);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Appends a JSON string, truncated if the buffer is too small. */
static void add_string(char *text, const char *string)
{
    size_t at = strlen(text);
    enum { LONGEST = sizeof "\\u0000\"}" };
    text[at++] = '"';
    for (const unsigned char *c = (const unsigned char *)string;
         *c != '\0' && at + LONGEST < TEXT_BYTES; c++) {
        if (*c == '"' || *c == '\\') {
            text[at++] = '\\';
            text[at++] = (char)*c;
        } else if (*c < 0x20)
            at += (size_t)snprintf(text + at, TEXT_BYTES - at, "\\u%04x", *c);
        else
            text[at++] = (char)*c;
    }
    text[at++] = '"';
    text[at] = '\0';
}

static void add_plain(char *text, const char *part)
{
    size_t at = strlen(text);
    (void)snprintf(text + at, TEXT_BYTES - at, "%s", part);
}

static void add_number(char *text, unsigned long long number)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%llu", number);
    add_plain(text, digits);
}

static const char *message_of(const nvtxEventAttributes_t *event)
{
    if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED && event->message.registered != NULL)
        return event->message.registered->text;
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii != NULL)
        return event->message.ascii;
    return "";
}

/* One field of a payload: a registered string, or a number of eight bytes. */
static void add_field(char *text, const nvtxPayloadSchemaEntry_t *entry, const char *payload)
{
    if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE) {
        nvtxStringHandle_t string;
        memcpy(&string, payload + entry->offset, sizeof string);
        add_string(text, string == NULL ? "" : string->text);
    } else if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_UINT64) {
        uint64_t number;
        memcpy(&number, payload + entry->offset, sizeof number);
        add_number(text, number);
    } else
        add_string(text, "?");
}

static void add_fields(char *text, const nvtxPayloadData_t *data)
{
    schema known = {0};
    (void)pthread_mutex_lock(&lock);
    if (data->schemaId > 0 && data->schemaId <= schema_count)
        known = schemas[data->schemaId - 1];
    (void)pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < known.count && strlen(text) < TEXT_BYTES / 2; i++) {
        add_plain(text, i == 0 ? "{" : ", ");
        add_string(text, known.entries[i].name);
        add_plain(text, ": ");
        add_field(text, &known.entries[i], data->payload);
    }
    add_plain(text, known.count == 0 ? "{}" : "}");
}

static void write_payload(char *text, const nvtxEventAttributes_t *event)
{
    text[0] = '\0';
    if (event->payloadType == (int32_t)NVTX_PAYLOAD_TYPE_EXT && event->reserved0 > 0)
        add_fields(text, (const nvtxPayloadData_t *)(uintptr_t)event->payload.ullValue);
    else if (event->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64)
        add_number(text, event->payload.ullValue);
    else
        add_plain(text, "null");
}

/* ---- what the program calls ------------------------------------------------------------------ */

/* NULL if memory is short; the program continues. */
static char *copy_text(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

static nvtxDomainHandle_t NVTX_API create_domain(const char *name)
{
    nvtxDomainHandle_t domain = calloc(1, sizeof *domain);
    if (domain != NULL)
        domain->name = copy_text(name);
    return domain;
}

static nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    nvtxStringHandle_t string = calloc(1, sizeof *string);
    if (string == NULL)
        return NULL;
    string->text = copy_text(text);
    (void)pthread_mutex_lock(&lock);
    string->next = strings;
    strings = string;
    (void)pthread_mutex_unlock(&lock);
    return string;
}

static void NVTX_API name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
    if (domain == NULL || category >= MAX_CATEGORIES)
        return;
    (void)pthread_mutex_lock(&lock);
    free(domain->categories[category]);
    domain->categories[category] = copy_text(name);
    (void)pthread_mutex_unlock(&lock);
}

static uint64_t NVTX_API register_schema(nvtxDomainHandle_t domain,
                                         const nvtxPayloadSchemaAttr_t *attributes)
{
    (void)domain;
    uint64_t id = 0;
    nvtxPayloadSchemaEntry_t *entries = calloc(attributes->numEntries, sizeof *entries);
    (void)pthread_mutex_lock(&lock);
    if (entries != NULL && schema_count < MAX_SCHEMAS) {
        memcpy(entries, attributes->entries, attributes->numEntries * sizeof *entries);
        for (size_t i = 0; i < attributes->numEntries; i++)
            entries[i].name = copy_text(entries[i].name);
        schemas[schema_count++] = (schema){entries, attributes->numEntries};
        entries = NULL;
        id = schema_count;
    }
    (void)pthread_mutex_unlock(&lock);
    free(entries);
    return id;
}

static void NVTX_API name_thread(uint32_t thread, const char *name)
{
    char text[TEXT_BYTES] = "";
    add_string(text, name);
    (void)pthread_mutex_lock(&lock);
    if (file != NULL)
        (void)fprintf(file, "{\"tid\": %u, \"thread\": %s}\n", thread, text);
    (void)pthread_mutex_unlock(&lock);
}

/* Of CUDA. */
static void NVTX_API name_stream(const void *stream, const char *name)
{
    (void)stream;
    char text[TEXT_BYTES] = "";
    add_string(text, name);
    (void)pthread_mutex_lock(&lock);
    if (file != NULL)
        (void)fprintf(file, "{\"stream\": %s}\n", text);
    (void)pthread_mutex_unlock(&lock);
}

static int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    int own = depth++;
    if (own >= MAX_DEPTH)
        return own;
    range *fresh = &open_ranges[own];
    fresh->domain = domain;
    fresh->category = event->category;
    fresh->colour = event->colorType == NVTX_COLOR_ARGB ? event->color & 0xFFFFFF : 0;
    fresh->name[0] = '\0';
    add_string(fresh->name, message_of(event));
    write_payload(fresh->payload, event);
    fresh->start = now_nanoseconds();
    return own;
}

static void write_range(const range *done, int own, long long end)
{
    char domain[TEXT_BYTES] = "", category[TEXT_BYTES] = "";
    const char *named = NULL;
    (void)pthread_mutex_lock(&lock);
    if (done->domain != NULL && done->category < MAX_CATEGORIES)
        named = done->domain->categories[done->category];
    add_string(category, named == NULL ? "" : named);
    add_string(domain,
               done->domain == NULL || done->domain->name == NULL ? "" : done->domain->name);
    if (file != NULL)
        (void)fprintf(file,
                      "{\"domain\": %s, \"category\": %s, \"colour\": \"#%06X\", \"name\": %s, "
                      "\"payload\": %s, \"tid\": %ld, \"depth\": %d, \"start_ns\": %lld, "
                      "\"end_ns\": %lld}\n",
                      domain, category, done->colour, done->name, done->payload, thread_number(),
                      own, done->start, end);
    (void)pthread_mutex_unlock(&lock);
}

static int NVTX_API pop(nvtxDomainHandle_t domain)
{
    (void)domain;
    long long end = now_nanoseconds();
    if (depth == 0)
        return NVTX_NO_PUSH_POP_TRACKING;
    depth--;
    if (depth < MAX_DEPTH)
        write_range(&open_ranges[depth], depth, end);
    return depth;
}

/* ---- what NVTX calls ------------------------------------------------------------------------- */

static void open_file(void)
{
    const char *path = getenv("NVTX_RECORDER_FILE");
    if (path == NULL)
        path = "nvtx.jsonl";
    file = fopen(path, "we");
    if (file == NULL)
        perror(path);
}

__attribute__((destructor)) static void close_file(void)
{
    (void)pthread_mutex_lock(&lock);
    if (file != NULL && fclose(file) != 0)
        perror("nvtx recorder");
    file = NULL;
    (void)pthread_mutex_unlock(&lock);
}

typedef struct hook {
    NvtxCallbackModule module;
    unsigned int id;
    NvtxFunctionPointer function;
} hook;

__attribute__((visibility("default"))) int NVTX_API
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);
__attribute__((visibility("default"))) int NVTX_API
InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);

int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    static const hook hooks[] = {
        {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_NameOsThreadA, (NvtxFunctionPointer)name_thread},
        {NVTX_CB_MODULE_CUDART, NVTX_CBID_CUDART_NameCudaStreamA, (NvtxFunctionPointer)name_stream},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)create_domain},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA,
         (NvtxFunctionPointer)register_string},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainNameCategoryA,
         (NvtxFunctionPointer)name_category},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)push},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)pop},
    };
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    if (callbacks == NULL)
        return 0;
    open_file(); /* other threads call a function as soon as it is in its table */
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        NvtxFunctionTable table = NULL;
        unsigned int size = 0;
        if (callbacks->GetModuleFunctionTable(hooks[i].module, &table, &size) == 0 ||
            hooks[i].id >= size)
            return 0;
        *table[hooks[i].id] = hooks[i].function;
    }
    return 1;
}

int NVTX_API InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
{
    if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID || module->segmentsCount == 0 ||
        module->segments[0].slotCount <= NVTX3EXT_CBID_nvtxPayloadSchemaRegister)
        return 0;
    module->segments[0].functionSlots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister] =
        (intptr_t)register_schema;
    return 1;
}
