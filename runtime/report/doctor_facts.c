#include "layers/cpu/library.h"
#include "runtime/base/machine/cgroup.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/report/doctor.h"
#include "runtime/setup/build.h"
#include "runtime/setup/setup.h"

#include <jansson.h>
#include <jemalloc/jemalloc.h>
#include <limits.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <yaml.h>
#include <zlib.h>
/* requires stdio.h before it */
#include <jpeglib.h>

#include <jerror.h>
#ifdef VDNN_FFTW
#include <fftw3.h>
#endif

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token

/* Each file read here is smaller, or has the value within this many bytes. */
enum { FILE_BYTES = 8192 };

/* ---- reading --------------------------------------------------------------------------------- */

void vdnn_doctor_say(vdnn_doctor_value *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(out->words, sizeof out->words, format, arguments);
    va_end(arguments);
    out->known = out->words[0] != '\0';
}

static void number(vdnn_doctor_value *out, double count)
{
    out->number = count;
    out->known = true;
}

bool vdnn_doctor_line(const char *path, const char *key, char *line, size_t size)
{
    char text[FILE_BYTES];
    size_t length = strlen(key);
    if (!vdnn_system_read_text(path, text, sizeof text))
        return false;
    const char *at = text;
    while (at != NULL && strncmp(at, key, length) != 0) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    if (at == NULL)
        return false;
    at += length;
    at += strspn(at, " \t:\"");
    size_t end = strcspn(at, "\n");
    while (end > 0 && strchr(" \t\"", at[end - 1]) != NULL)
        end--;
    (void)snprintf(line, size, "%.*s", (int)(end < size ? end : size), at);
    return end > 0;
}

/* The number of items in "0-3,8"; 0 if it is not understood. */
static long count_list(const char *list)
{
    long count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += last >= first ? last - first + 1 : 0;
        list = end + (*end == ',');
    }
    return count;
}

long vdnn_doctor_count(const char *path, const char *key)
{
    char line[VDNN_DOCTOR_WORDS_BYTES];
    return vdnn_doctor_line(path, key, line, sizeof line) ? count_list(line) : 0;
}

static bool is_in(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* ---- facts ----------------------------------------------------------------------------------- */

#define FIND(name)                                                                                 \
    static void name(const vdnn_doctor_fact *own, const vdnn_doctor_machine *m,                    \
                     vdnn_doctor_value *out)
#define UNUSED(a, b) ((void)(a), (void)(b))

FIND(find_constant)
{
    (void)m;
    vdnn_doctor_say(out, "%s", own->from);
}

FIND(find_line)
{
    (void)m;
    char line[VDNN_DOCTOR_WORDS_BYTES];
    if (vdnn_doctor_line(own->from, own->key, line, sizeof line))
        vdnn_doctor_say(out, "%s", line);
}

/* "always [madvise] never" */
FIND(find_chosen)
{
    find_line(own, m, out);
    char *open = strchr(out->words, '['), *end = open == NULL ? NULL : strchr(open, ']');
    if (end == NULL)
        return;
    *end = '\0';
    memmove(out->words, open + 1, strlen(open + 1) + 1);
}

FIND(find_list_count)
{
    (void)m;
    long count = vdnn_doctor_count(own->from, own->key);
    if (count > 0)
        number(out, (double)count);
}

FIND(find_kibibytes)
{
    (void)m;
    char line[VDNN_DOCTOR_WORDS_BYTES];
    const char *at = line;
    if (!vdnn_doctor_line(own->from, own->key, line, sizeof line))
        return;
    const double kibibytes = vdnn_decimal_next(&at);
    if (at != line)
        number(out, kibibytes * 1024.0);
}

/* `from` selects the available ones or the others. */
FIND(find_instructions)
{
    (void)m;
    static const char *const wanted[] = {"sse4_1",      "avx",      "fma",      "avx2",
                                         "f16c",        "avx512f",  "avx512bw", "avx512_vnni",
                                         "avx512_bf16", "amx_bf16", "amx_tile"};
    char flags[FILE_BYTES], list[VDNN_DOCTOR_WORDS_BYTES] = "none";
    size_t length = 0;
    if (!vdnn_doctor_line("/proc/cpuinfo", "flags", flags, sizeof flags))
        return;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (is_in(flags, wanted[i]) == (strcmp(own->from, "has") == 0))
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length == 0 ? "" : " ", wanted[i]);
    vdnn_doctor_say(out, "%s", list);
}

FIND(find_lack)
{
    (void)m;
    const char *lack =
        vdnn_device_lack("cpu", strcmp(own->from, "bf16") == 0 ? VDNN_BF16 : VDNN_F32, 0);
    vdnn_doctor_say(out, "%s", lack == NULL ? "nothing" : lack);
}

FIND(find_jemalloc)
{
    UNUSED(own, m);
    const char *version;
    size_t size = sizeof version;
    if (mallctl("version", (void *)&version, &size, NULL, 0) == 0)
        vdnn_doctor_say(out, "%s", version);
}

FIND(find_xxhash)
{
    UNUSED(own, m);
    unsigned version = XXH_versionNumber();
    vdnn_doctor_say(out, "%u.%u.%u", version / 10000, version / 100 % 100, version % 100);
}

FIND(find_jpeg)
{
    UNUSED(own, m);
    struct jpeg_error_mgr errors;
    (void)jpeg_std_error(&errors);
    vdnn_doctor_say(out, "%s (built with libjpeg-turbo " TEXT_OF(LIBJPEG_TURBO_VERSION) ")",
                    errors.jpeg_message_table[JMSG_VERSION]);
}

/* Facts that are one expression. */
#define SAY(name, text)                                                                            \
    FIND(name)                                                                                     \
    {                                                                                              \
        UNUSED(own, m);                                                                            \
        vdnn_doctor_say(out, "%s", text);                                                          \
    }
SAY(find_processor, m->properties.name)
SAY(find_limit, m->limit)
SAY(find_card, m->card.name)
SAY(find_card_libraries, m->card.library)
SAY(find_yaml, yaml_get_version_string())
SAY(find_jansson, jansson_version_str())
SAY(find_zlib, zlibVersion())
SAY(find_png, png_get_libpng_ver(NULL))
SAY(find_compute,
    vdnn_cpu_library_text((char[VDNN_DOCTOR_WORDS_BYTES]){""}, VDNN_DOCTOR_WORDS_BYTES))
#ifdef VDNN_FFTW
SAY(find_fftw, fftwf_version)
#else
SAY(find_fftw, "not in this build: no convolutions by FFT")
#endif

SAY(find_nvtx, vdnn_nvtx_is_built() ? "ranges in the domain vdnn"
                                    : "not in this build: profilers see no names of layers")

FIND(find_device)
{
    (void)m;
    const char *kind;
    vdnn_device *device = NULL;
    vdnn_device_options options = {.event_count = 1};
    vdnn_status status = vdnn_setup_resolve_device(own->from, &kind);
    if (status == VDNN_OK)
        status = vdnn_device_open(kind, &options, &device);
    vdnn_doctor_say(out, "%s", status == VDNN_OK ? "usable" : vdnn_status_message());
    vdnn_device_close(device);
}

FIND(find_threads)
{
    (void)own;
    if (m->properties.threads > 0)
        number(out, m->properties.threads);
}

FIND(find_quota)
{
    UNUSED(own, m);
    const int processors = vdnn_cgroup_processors();
    out->unlimited = processors == INT_MAX;
    number(out, processors);
}

FIND(find_cgroup)
{
    UNUSED(own, m);
    vdnn_doctor_value whole = {.known = false};
    find_kibibytes(&(vdnn_doctor_fact){.from = "/proc/meminfo", .key = "MemTotal:"}, m, &whole);
    number(out, (double)m->total_bytes);
    out->unlimited = m->total_bytes == SIZE_MAX || (whole.known && out->number >= whole.number);
}

FIND(find_available)
{
    (void)own;
    if (m->available_bytes != SIZE_MAX)
        number(out, (double)m->available_bytes);
}

FIND(find_locked)
{
    UNUSED(own, m);
    struct rlimit limit;
    if (vdnn_system_getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
        return;
    out->unlimited = limit.rlim_cur == RLIM_INFINITY;
    number(out, (double)limit.rlim_cur);
}

/* `from` is the direction. */
static void find_rate_of(const vdnn_doctor_fact *own, const double *rates, vdnn_doctor_value *out)
{
    static const struct {
        const char *direction;
        int rate;
    } directions[] = {{"out", VDNN_PROFILE_RATE_copy_out_bytes_per_second},
                      {"in", VDNN_PROFILE_RATE_copy_in_bytes_per_second},
                      {"both", VDNN_PROFILE_RATE_copy_both_bytes_per_second}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (strcmp(own->from, directions[i].direction) == 0 && rates[directions[i].rate] > 0.0)
            number(out, rates[directions[i].rate]);
}

FIND(find_rate)
{
    find_rate_of(own, m->rates, out);
}

FIND(find_card_rate)
{
    find_rate_of(own, m->card_rates, out);
}

FIND(find_card_memory)
{
    if (m->card.memory_bytes > 0)
        number(out, (double)(strcmp(own->from, "all") == 0     ? m->card.memory_bytes
                             : strcmp(own->from, "taken") == 0 ? m->card.taken_bytes
                                                               : m->card.free_bytes));
}

FIND(find_disk)
{
    (void)own;
    if (m->disk_bytes >= 0.0)
        number(out, m->disk_bytes);
}

#ifdef _OPENMP
#define OPENMP TEXT_OF(_OPENMP)
#else
#define OPENMP "not in this build: one thread per kernel"
#endif

static const vdnn_doctor_fact facts[] = {
    {"build", "version", VDNN_DOCTOR_WORDS, find_constant, VDNN_VERSION, NULL},
    {"build", "compiler", VDNN_DOCTOR_WORDS, find_constant, VDNN_BUILD_COMPILER, NULL},
    {"build", "configuration", VDNN_DOCTOR_WORDS, find_constant, VDNN_CONFIG, NULL},
    {"build", "openmp", VDNN_DOCTOR_WORDS, find_constant, OPENMP, NULL},
    {"system", "system", VDNN_DOCTOR_WORDS, find_line, "/etc/os-release", "PRETTY_NAME="},
    {"system", "kernel", VDNN_DOCTOR_WORDS, find_line, "/proc/sys/kernel/osrelease", ""},
    {"processor", "processor", VDNN_DOCTOR_WORDS, find_processor, NULL, NULL},
    {"processor", "instructions", VDNN_DOCTOR_WORDS, find_instructions, "has", NULL},
    {"processor", "instructions_lacking", VDNN_DOCTOR_WORDS, find_instructions, "lacks", NULL},
    {"processor", "lacks_for_f32", VDNN_DOCTOR_WORDS, find_lack, "f32", NULL},
    {"processor", "lacks_for_bf16", VDNN_DOCTOR_WORDS, find_lack, "bf16", NULL},
    {"processor", "cores", VDNN_DOCTOR_COUNT, find_list_count, "/sys/devices/system/cpu/online",
     ""},
    {"processor", "cores_allowed", VDNN_DOCTOR_COUNT, find_list_count, "/proc/self/status",
     "Cpus_allowed_list"},
    {"processor", "affinity", VDNN_DOCTOR_WORDS, find_line, "/proc/self/status",
     "Cpus_allowed_list"},
    {"processor", "cores_by_quota", VDNN_DOCTOR_COUNT, find_quota, NULL, NULL},
    {"processor", "numa_nodes", VDNN_DOCTOR_COUNT, find_list_count,
     "/sys/devices/system/node/online", ""},
    {"processor", "threads", VDNN_DOCTOR_COUNT, find_threads, NULL, NULL},
    {"libraries", "compute", VDNN_DOCTOR_WORDS, find_compute, NULL, NULL},
    {"libraries", "fftw", VDNN_DOCTOR_WORDS, find_fftw, NULL, NULL},
    {"libraries", "nvtx", VDNN_DOCTOR_WORDS, find_nvtx, NULL, NULL},
    {"libraries", "jemalloc", VDNN_DOCTOR_WORDS, find_jemalloc, NULL, NULL},
    {"libraries", "libyaml", VDNN_DOCTOR_WORDS, find_yaml, NULL, NULL},
    {"libraries", "jansson", VDNN_DOCTOR_WORDS, find_jansson, NULL, NULL},
    {"libraries", "zlib", VDNN_DOCTOR_WORDS, find_zlib, NULL, NULL},
    {"libraries", "xxhash", VDNN_DOCTOR_WORDS, find_xxhash, NULL, NULL},
    {"libraries", "libjpeg", VDNN_DOCTOR_WORDS, find_jpeg, NULL, NULL},
    {"libraries", "libpng", VDNN_DOCTOR_WORDS, find_png, NULL, NULL},
    {"devices", "cpu", VDNN_DOCTOR_WORDS, find_device, "cpu", NULL},
    {"devices", "cuda", VDNN_DOCTOR_WORDS, find_device, "cuda", NULL},
    {"devices", "sim", VDNN_DOCTOR_WORDS, find_device, "sim", NULL},
    {"card", "name", VDNN_DOCTOR_WORDS, find_card, NULL, NULL},
    {"card", "libraries", VDNN_DOCTOR_WORDS, find_card_libraries, NULL, NULL},
    {"card", "memory", VDNN_DOCTOR_BYTES, find_card_memory, "all", NULL},
    {"card", "taken", VDNN_DOCTOR_BYTES, find_card_memory, "taken", NULL},
    {"card", "free", VDNN_DOCTOR_BYTES, find_card_memory, "free", NULL},
    {"card", "copy_out", VDNN_DOCTOR_RATE, find_card_rate, "out", NULL},
    {"card", "copy_in", VDNN_DOCTOR_RATE, find_card_rate, "in", NULL},
    {"card", "copy_both", VDNN_DOCTOR_RATE, find_card_rate, "both", NULL},
    {"memory", "total", VDNN_DOCTOR_BYTES, find_kibibytes, "/proc/meminfo", "MemTotal:"},
    {"memory", "cgroup_limit", VDNN_DOCTOR_BYTES, find_cgroup, NULL, NULL},
    {"memory", "available", VDNN_DOCTOR_BYTES, find_available, NULL, NULL},
    {"memory", "available_by", VDNN_DOCTOR_WORDS, find_limit, NULL, NULL},
    {"memory", "lockable", VDNN_DOCTOR_BYTES, find_locked, NULL, NULL},
    {"memory", "huge_pages", VDNN_DOCTOR_WORDS, find_chosen,
     "/sys/kernel/mm/transparent_hugepage/enabled", ""},
    {"memory", "overcommit", VDNN_DOCTOR_WORDS, find_line, "/proc/sys/vm/overcommit_memory", ""},
    {"memory", "copy_out", VDNN_DOCTOR_RATE, find_rate, "out", NULL},
    {"memory", "copy_in", VDNN_DOCTOR_RATE, find_rate, "in", NULL},
    {"memory", "copy_both", VDNN_DOCTOR_RATE, find_rate, "both", NULL},
    {"disk", "free_here", VDNN_DOCTOR_BYTES, find_disk, NULL, NULL},
};

const vdnn_doctor_fact *vdnn_doctor_fact_at(size_t i)
{
    return i < sizeof facts / sizeof facts[0] ? &facts[i] : NULL;
}
