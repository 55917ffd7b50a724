/* What a report of a fault must say of build and machine, and what slows this machine down. A fact
 * is a row; what cannot be read is "not known", and never an error. */

#include "alloc/allocator.h"
#include "layers/cpu_library.h"
#include "runtime/outside.h"
#include "runtime/profile_measure.h"
#include "runtime/text.h"
#include "runtime/train/record.h"
#include "runtime/train/setup.h"

#include <ctype.h>
#include <jemalloc/jemalloc.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <yaml.h>
#include <zlib.h>
/* wants stdio.h before it */
#include <jpeglib.h>

#include <jerror.h>
#ifdef VDNN_FFTW
#include <fftw3.h>
#endif

#ifndef VDNN_CONFIG
#define VDNN_CONFIG "not known"
#endif
#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token

enum {
    FILE_BYTES = 8192,
    WORDS_BYTES = 512,
    NAME_COLUMN = 26,
    IPC_LOCK = 14,
    MEASURED_BYTES = 256 << 20
};

static const size_t little_memory = (size_t)512 << 20, little_disk = (size_t)1 << 30;

typedef enum value_kind { WORDS, COUNT, BYTES, RATE } value_kind;

/* Of names in JSON. */
static const char *const suffixes[] = {
    [WORDS] = "", [COUNT] = "", [BYTES] = "_bytes", [RATE] = "_bytes_per_second"};

typedef struct value {
    bool known, unlimited;
    double number;
    char words[WORDS_BYTES];
} value;

/* What several facts and problems look at. */
typedef struct machine {
    vdnn_device_properties properties; /* of the device; no name: it cannot be opened */
    double rates[VDNN_PROFILE_RATE_COUNT];
    char rates_lack[WORDS_BYTES]; /* why there are none */
    size_t available_bytes, total_bytes;
    const char *limit;
} machine;

/* ---- reading --------------------------------------------------------------------------------- */

static __attribute__((format(printf, 2, 3))) void say(value *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out->words, sizeof out->words, format, arguments);
    va_end(arguments);
    out->known = out->words[0] != '\0';
}

static void number(value *out, double count)
{
    out->number = count;
    out->known = true;
}

/* The rest of the line that begins with `key`, without blanks and quotes around it. */
static bool read_line(const char *path, const char *key, char *line, size_t size)
{
    char text[FILE_BYTES];
    size_t length = strlen(key);
    if (!vdnn_outside_read_text(path, text, sizeof text))
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

/* How many there are in "0-3,8"; 0 where it is not understood. */
static long count_list(const char *list)
{
    long count = 0;
    while (isdigit((unsigned char)*list)) {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += last >= first ? last - first + 1 : 0;
        list = end + (*end == ',');
    }
    return count;
}

static long count_of(const char *path, const char *key)
{
    char line[WORDS_BYTES];
    return read_line(path, key, line, sizeof line) ? count_list(line) : 0;
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

typedef struct fact {
    const char *group, *name;
    value_kind kind;
    void (*find)(const struct fact *fact, const machine *machine, value *out);
    const char *from, *key; /* for find */
} fact;

#define FIND(name) static void name(const fact *own, const machine *m, value *out)
#define UNUSED(a, b) ((void)(a), (void)(b))

FIND(find_constant)
{
    (void)m;
    say(out, "%s", own->from);
}

FIND(find_line)
{
    (void)m;
    char line[WORDS_BYTES];
    if (read_line(own->from, own->key, line, sizeof line))
        say(out, "%s", line);
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
    long count = count_of(own->from, own->key);
    if (count > 0)
        number(out, (double)count);
}

FIND(find_kibibytes)
{
    (void)m;
    char line[WORDS_BYTES];
    if (read_line(own->from, own->key, line, sizeof line) && isdigit((unsigned char)line[0]))
        number(out, strtod(line, NULL) * 1024.0);
}

/* `from` says whether those that it has are wanted, or the others. */
FIND(find_instructions)
{
    (void)m;
    static const char *const wanted[] = {"sse4_1",      "avx",      "fma",      "avx2",
                                         "f16c",        "avx512f",  "avx512bw", "avx512_vnni",
                                         "avx512_bf16", "amx_bf16", "amx_tile"};
    char flags[FILE_BYTES], list[WORDS_BYTES] = "none";
    size_t length = 0;
    if (!read_line("/proc/cpuinfo", "flags", flags, sizeof flags))
        return;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (is_in(flags, wanted[i]) == (strcmp(own->from, "has") == 0))
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length == 0 ? "" : " ", wanted[i]);
    say(out, "%s", list);
}

FIND(find_lack)
{
    (void)m;
    const char *lack =
        vdnn_device_lack("cpu", strcmp(own->from, "bf16") == 0 ? VDNN_BF16 : VDNN_F32);
    say(out, "%s", lack == NULL ? "nothing" : lack);
}

FIND(find_jemalloc)
{
    UNUSED(own, m);
    const char *version;
    size_t size = sizeof version;
    if (mallctl("version", (void *)&version, &size, NULL, 0) == 0)
        say(out, "%s", version);
}

FIND(find_xxhash)
{
    UNUSED(own, m);
    unsigned version = XXH_versionNumber();
    say(out, "%u.%u.%u", version / 10000, version / 100 % 100, version % 100);
}

FIND(find_jpeg)
{
    UNUSED(own, m);
    struct jpeg_error_mgr errors;
    (void)jpeg_std_error(&errors);
    say(out, "%s (built with libjpeg-turbo " TEXT_OF(LIBJPEG_TURBO_VERSION) ")",
        errors.jpeg_message_table[JMSG_VERSION]);
}

/* Facts that are one expression. */
#define SAY(name, text)                                                                            \
    FIND(name)                                                                                     \
    {                                                                                              \
        UNUSED(own, m);                                                                            \
        say(out, "%s", text);                                                                      \
    }
SAY(find_processor, m->properties.name)
SAY(find_limit, m->limit)
SAY(find_yaml, yaml_get_version_string())
SAY(find_jansson, jansson_version_str())
SAY(find_zlib, zlibVersion())
SAY(find_png, png_get_libpng_ver(NULL))
SAY(find_compute, vdnn_cpu_library_text((char[WORDS_BYTES]){""}, WORDS_BYTES))
#ifdef VDNN_FFTW
SAY(find_fftw, fftwf_version)
#else
SAY(find_fftw, "not in this build: there are no convolutions by Fourier transforms")
#endif

FIND(find_device)
{
    const char *kind;
    if (vdnn_setup_resolve_device(own->from, &kind) != VDNN_OK)
        say(out, "%s", vdnn_status_message());
    else
        say(out, "%s", m->properties.name[0] == '\0' ? "cannot be opened" : "usable");
}

FIND(find_threads)
{
    (void)own;
    if (m->properties.threads > 0)
        number(out, m->properties.threads);
}

FIND(find_cgroup)
{
    UNUSED(own, m);
    value whole = {.known = false};
    find_kibibytes(&(fact){.from = "/proc/meminfo", .key = "MemTotal:"}, m, &whole);
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
    if (vdnn_outside_getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
        return;
    out->unlimited = limit.rlim_cur == RLIM_INFINITY;
    number(out, (double)limit.rlim_cur);
}

FIND(find_rate)
{
    double rate =
        m->rates[strcmp(own->from, "out") == 0 ? VDNN_PROFILE_RATE_copy_out_bytes_per_second
                                               : VDNN_PROFILE_RATE_copy_in_bytes_per_second];
    if (rate > 0.0)
        number(out, rate);
}

FIND(find_disk)
{
    UNUSED(own, m);
    struct statvfs disk;
    if (vdnn_outside_statvfs(".", &disk) == 0)
        number(out, (double)disk.f_bavail * (double)disk.f_frsize);
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef _OPENMP
#define OPENMP TEXT_OF(_OPENMP)
#else
#define OPENMP "without: one thread a kernel"
#endif

static const fact facts[] = {
    {"build", "version", WORDS, find_constant, VDNN_VERSION, NULL},
    {"build", "compiler", WORDS, find_constant, COMPILER, NULL},
    {"build", "configuration", WORDS, find_constant, VDNN_CONFIG, NULL},
    {"build", "openmp", WORDS, find_constant, OPENMP, NULL},
    {"system", "system", WORDS, find_line, "/etc/os-release", "PRETTY_NAME="},
    {"system", "kernel", WORDS, find_line, "/proc/sys/kernel/osrelease", ""},
    {"processor", "processor", WORDS, find_processor, NULL, NULL},
    {"processor", "instructions", WORDS, find_instructions, "has", NULL},
    {"processor", "instructions_lacking", WORDS, find_instructions, "lacks", NULL},
    {"processor", "lacks_for_f32", WORDS, find_lack, "f32", NULL},
    {"processor", "lacks_for_bf16", WORDS, find_lack, "bf16", NULL},
    {"processor", "cores", COUNT, find_list_count, "/sys/devices/system/cpu/online", ""},
    {"processor", "cores_allowed", COUNT, find_list_count, "/proc/self/status",
     "Cpus_allowed_list"},
    {"processor", "affinity", WORDS, find_line, "/proc/self/status", "Cpus_allowed_list"},
    {"processor", "numa_nodes", COUNT, find_list_count, "/sys/devices/system/node/online", ""},
    {"processor", "threads", COUNT, find_threads, NULL, NULL},
    {"libraries", "compute", WORDS, find_compute, NULL, NULL},
    {"libraries", "fftw", WORDS, find_fftw, NULL, NULL},
    {"libraries", "jemalloc", WORDS, find_jemalloc, NULL, NULL},
    {"libraries", "libyaml", WORDS, find_yaml, NULL, NULL},
    {"libraries", "jansson", WORDS, find_jansson, NULL, NULL},
    {"libraries", "zlib", WORDS, find_zlib, NULL, NULL},
    {"libraries", "xxhash", WORDS, find_xxhash, NULL, NULL},
    {"libraries", "libjpeg", WORDS, find_jpeg, NULL, NULL},
    {"libraries", "libpng", WORDS, find_png, NULL, NULL},
    {"devices", "cpu", WORDS, find_device, "cpu", NULL},
    {"devices", "cuda", WORDS, find_device, "cuda", NULL},
    {"devices", "sim", WORDS, find_device, "sim", NULL},
    {"memory", "total", BYTES, find_kibibytes, "/proc/meminfo", "MemTotal:"},
    {"memory", "cgroup_limit", BYTES, find_cgroup, NULL, NULL},
    {"memory", "available", BYTES, find_available, NULL, NULL},
    {"memory", "available_by", WORDS, find_limit, NULL, NULL},
    {"memory", "lockable", BYTES, find_locked, NULL, NULL},
    {"memory", "huge_pages", WORDS, find_chosen, "/sys/kernel/mm/transparent_hugepage/enabled", ""},
    {"memory", "overcommit", WORDS, find_line, "/proc/sys/vm/overcommit_memory", ""},
    {"memory", "copy_out", RATE, find_rate, "out", NULL},
    {"memory", "copy_in", RATE, find_rate, "in", NULL},
    {"disk", "free_here", BYTES, find_disk, NULL, NULL},
};

enum { FACTS = sizeof facts / sizeof facts[0] };

/* ---- problems -------------------------------------------------------------------------------- */

/* A process with the right to lock memory is not held by the limit. */
static bool may_lock_all(void)
{
    char line[WORDS_BYTES];
    return read_line("/proc/self/status", "CapEff:", line, sizeof line) &&
           (strtoull(line, NULL, 16) >> IPC_LOCK & 1U) != 0;
}

/* The host tier that a run takes where no option says otherwise. */
static size_t host_share(const machine *m)
{
    vdnn_device_properties properties = {.shares_host_memory = true};
    size_t device = 0, host = 0;
    (void)vdnn_setup_budgets(NULL, NULL, &properties, m->available_bytes, &device, &host);
    return host;
}

static bool locks_too_little(const machine *m, value *out)
{
    struct rlimit limit;
    char bytes[32];
    if (vdnn_outside_getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= host_share(m) || may_lock_all())
        return false;
    say(out,
        "RLIMIT_MEMLOCK is %s: more than that of the host tier is not locked, and may be swapped "
        "out, which makes copies wait for the disk",
        vdnn_text_bytes(bytes, sizeof bytes, (double)limit.rlim_cur));
    return true;
}

static bool lacks_instructions(const machine *m, value *out)
{
    (void)m;
    const char *lack = vdnn_device_lack("cpu", VDNN_F32);
    say(out, "%s", lack == NULL ? "" : lack);
    return lack != NULL;
}

static bool has_too_many_threads(const machine *m, value *out)
{
    long allowed = count_of("/proc/self/status", "Cpus_allowed_list");
    say(out, "%d threads share the %ld cores that this process may use", m->properties.threads,
        allowed);
    return allowed > 0 && m->properties.threads > allowed;
}

static bool has_little_memory(const machine *m, value *out)
{
    char bytes[32];
    say(out, "%s leaves %s of memory", m->limit,
        vdnn_text_bytes(bytes, sizeof bytes, (double)m->available_bytes));
    return m->available_bytes < little_memory;
}

static bool commits_strictly(const machine *m, value *out)
{
    (void)m;
    char line[WORDS_BYTES];
    say(out, "vm.overcommit_memory is 2: both tiers count as soon as they are mapped, and may be "
             "refused while memory is free");
    return read_line("/proc/sys/vm/overcommit_memory", "", line, sizeof line) &&
           strcmp(line, "2") == 0;
}

static bool has_several_nodes(const machine *m, value *out)
{
    (void)m;
    long nodes = count_of("/sys/devices/system/node/online", "");
    say(out, "memory is on %ld NUMA nodes: threads and copies may meet the far one", nodes);
    return nodes > 1;
}

static bool has_little_disk(const machine *m, value *out)
{
    char bytes[32];
    value disk = {.known = false};
    find_disk(NULL, m, &disk);
    say(out, "the disk of this folder has room for %s: a checkpoint may not fit",
        vdnn_text_bytes(bytes, sizeof bytes, disk.number));
    return disk.known && disk.number < (double)little_disk;
}

static bool cannot_measure(const machine *m, value *out)
{
    say(out, "copies cannot be measured: %s", m->rates_lack);
    return m->rates_lack[0] != '\0';
}

static const struct {
    const char *name;
    bool (*find)(const machine *machine, value *out);
    const char *remedy;
} problems[] = {
    {"memlock", locks_too_little,
     "`ulimit -l unlimited` before the run, or memlock in /etc/security/limits.conf"},
    {"instructions", lacks_instructions,
     "unset ONEDNN_MAX_CPU_ISA where it is set; else only another processor helps"},
    {"threads", has_too_many_threads, "--threads, or OMP_NUM_THREADS, of no more than the cores"},
    {"memory", has_little_memory,
     "end other programs, or raise that limit; --device-mem and --host-mem take less"},
    {"overcommit", commits_strictly,
     "`sysctl vm.overcommit_memory=0`, or a higher "
     "vm.overcommit_ratio"},
    {"numa", has_several_nodes, "`numactl --cpunodebind=0 --membind=0` where one node is enough"},
    {"disk", has_little_disk, "another folder for --checkpoint, --save and --trace"},
    {"measuring", cannot_measure, "see the limits of memory above"},
};

enum { PROBLEMS = sizeof problems / sizeof problems[0] };

/* ---- the machine ----------------------------------------------------------------------------- */

static void look(machine *m)
{
    vdnn_device_options options = {.event_count = 64};
    vdnn_device *device = NULL;
    vdnn_profile_measure *measure = NULL;
    *m = (machine){.total_bytes = vdnn_memory_total()};
    m->available_bytes = vdnn_memory_available(&m->limit);
    vdnn_status status = vdnn_device_open("cpu", &options, &device);
    if (status == VDNN_OK) {
        m->properties = *vdnn_device_describe(device);
        status = vdnn_profile_measure_create(device, MEASURED_BYTES, &measure);
    }
    if (status == VDNN_OK)
        status = vdnn_profile_measure_rates(measure, m->rates);
    if (status != VDNN_OK)
        (void)snprintf(m->rates_lack, sizeof m->rates_lack, "%s", vdnn_status_message());
    vdnn_profile_measure_destroy(measure);
    vdnn_device_close(device);
}

/* Variables that change what vdnn or its libraries do. */
static bool is_told(const char *variable)
{
    static const char *const prefixes[] = {"VDNN_",   "OMP_",  "GOMP_",       "OPENBLAS_",
                                           "ONEDNN_", "DNNL_", "MALLOC_CONF", "GLIBC_TUNABLES"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0 &&
            strchr(variable, '=') != NULL)
            return true;
    return false;
}

/* What others wrote, without what is no plain character. */
static void copy_plain(value *out, const char *words)
{
    say(out, "%s", words);
    for (char *c = out->words; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

/* ---- all of it ------------------------------------------------------------------------------- */

static json_t *value_record(const fact *row, const machine *m)
{
    value found = {.known = false}, plain;
    row->find(row, m, &found);
    if (!found.known)
        return json_null();
    if (found.unlimited)
        return json_string("unlimited");
    if (row->kind != WORDS)
        return json_integer((json_int_t)found.number);
    copy_plain(&plain, found.words);
    return json_string(plain.words);
}

static int add_facts(json_t *root, const machine *m)
{
    int lost = 0; /* negative: no memory for a part */
    for (size_t i = 0; i < FACTS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s%s", facts[i].name, suffixes[facts[i].kind]);
        if (json_object_get(root, facts[i].group) == NULL)
            lost |= json_object_set_new(root, facts[i].group, json_object());
        lost |= json_object_set_new(json_object_get(root, facts[i].group), name,
                                    value_record(&facts[i], m));
    }
    return lost;
}

static int add_environment(json_t *root, const char *const *environment)
{
    json_t *variables = json_object();
    int lost = json_object_set_new(root, "environment", variables);
    for (; environment != NULL && *environment != NULL; environment++) {
        value plain;
        copy_plain(&plain, *environment);
        char *equals = is_told(*environment) ? strchr(plain.words, '=') : NULL;
        if (equals == NULL)
            continue;
        *equals = '\0';
        lost |= json_object_set_new(variables, plain.words, json_string(equals + 1));
    }
    return lost;
}

static int add_problems(json_t *root, const machine *m)
{
    json_t *list = json_array();
    int lost = json_object_set_new(root, "problems", list);
    for (size_t i = 0; i < PROBLEMS; i++) {
        value found, plain;
        if (!problems[i].find(m, &found))
            continue;
        copy_plain(&plain, found.words);
        lost |= json_array_append_new(list,
                                      json_pack("{s:s, s:s, s:s}", "name", problems[i].name, "what",
                                                plain.words, "remedy", problems[i].remedy));
    }
    return lost;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "copy_out_bytes_per_second" is "copy out", in GiB/s. */
static void add_line(vdnn_text *text, const char *key, const json_t *one)
{
    char name[64], bytes[32];
    value_kind kind = WORDS;
    (void)snprintf(name, sizeof name, "%s", key);
    for (value_kind k = BYTES; k <= RATE; k++) {
        size_t length = strlen(name), end = strlen(suffixes[k]);
        if (length > end && strcmp(name + length - end, suffixes[k]) == 0) {
            name[length - end] = '\0';
            kind = k;
        }
    }
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    vdnn_text_add(text, "  %-*s", NAME_COLUMN, name);
    if (json_is_string(one))
        vdnn_text_add(text, "%s\n", json_string_value(one));
    else if (!json_is_integer(one))
        vdnn_text_add(text, "not known\n");
    else if (kind == WORDS)
        vdnn_text_add(text, "%lld\n", (long long)json_integer_value(one));
    else
        vdnn_text_add(text, "%s%s\n",
                      vdnn_text_bytes(bytes, sizeof bytes, (double)json_integer_value(one)),
                      kind == RATE ? "/s" : "");
}

static vdnn_status write_text(json_t *root, vdnn_text *text)
{
    const char *group, *name;
    json_t *members, *one;
    size_t i;
    json_object_foreach(root, group, members)
    {
        if (!json_is_object(members))
            continue;
        vdnn_text_add(text, "%s\n", group);
        json_object_foreach(members, name, one)
        {
            if (strcmp(group, "environment") == 0)
                vdnn_text_add(text, "  %s=%s\n", name, json_string_value(one));
            else
                add_line(text, name, one);
        }
        vdnn_text_add(text, "\n");
    }
    members = json_object_get(root, "problems");
    json_array_foreach(members, i, one) vdnn_text_add(
        text, "problem: %s\n  remedy: %s\n", json_string_value(json_object_get(one, "what")),
        json_string_value(json_object_get(one, "remedy")));
    if (json_array_size(members) == 0)
        vdnn_text_add(text, "no problems found\n");
    json_decref(root);
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the text") : VDNN_OK;
}

vdnn_status vdnn_doctor_write(const char *const *environment, vdnn_report_format format,
                              vdnn_text *text)
{
    machine m;
    if (format != VDNN_REPORT_TABLE && format != VDNN_REPORT_JSON)
        return vdnn_status_fail(VDNN_USAGE,
                                "the facts of a machine have no format %d; table and "
                                "json are there",
                                (int)format);
    look(&m);
    json_t *root = json_pack("{s:i}", "schema_version", VDNN_SCHEMA_VERSION);
    if ((add_facts(root, &m) | add_environment(root, environment) | add_problems(root, &m)) != 0) {
        json_decref(root);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the facts of this machine");
    }
    return (format == VDNN_REPORT_JSON ? vdnn_record_dump : write_text)(root, text);
}
