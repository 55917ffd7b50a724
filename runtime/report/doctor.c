/* Facts about build and machine for bug reports, and the problems that they show. A fact that
 * cannot be read is null, and never an error. A new fact is one line of its group. */

#include "alloc/allocator.h"
#include "layers/cpu/library.h"
#include "runtime/base/machine/cgroup.h"
#include "runtime/base/machine/cores.h"
#include "runtime/base/machine/jemalloc.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/measure/measure.h"
#include "runtime/setup/build.h"
#include "runtime/train/record.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef VDNN_FFTW
#include <fftw3.h>
#define FFTW fftwf_version
#else
#define FFTW "not in this build: no convolutions by FFT"
#endif

/* Each file read here is smaller, or has the value within this many bytes. */
enum { FILE_BYTES = 8192, WORDS_BYTES = 512, NAME_COLUMN = 26, IPC_LOCK = 14 };

static const size_t measured_bytes = (size_t)256 << 20;
static const double little_memory = 512 << 20, little_disk = 1 << 30;

/* ---- reading --------------------------------------------------------------------------------- */

/* The rest of the file's line that begins with `key`, without blanks before it and quotes; empty:
 * there is none. */
static const char *line_of(const char *path, const char *key, char line[FILE_BYTES])
{
    char text[FILE_BYTES + 1] = "\n", begin[64];
    (void)snprintf(begin, sizeof begin, "\n%s", key);
    const char *at = vdnn_system_read_text(path, text + 1, FILE_BYTES) ? strstr(text, begin) : NULL;
    at = at == NULL ? "" : at + strlen(begin);
    at += strspn(at, " \t:\"");
    (void)snprintf(line, FILE_BYTES, "%.*s", (int)strcspn(at, "\"\n"), at);
    return line;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Text from outside, without control characters; null: there is none. */
static json_t *__attribute__((format(printf, 1, 2))) words(const char *format, ...)
{
    char plain[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(plain, sizeof plain, format, arguments);
    va_end(arguments);
    for (char *c = plain; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return plain[0] == '\0' ? json_null() : json_string(plain);
}

/* null: it is below 0, which is unknown. */
static json_t *number(double value)
{
    return value < 0           ? json_null()
           : value >= HUGE_VAL ? json_string("unlimited")
                               : json_integer((json_int_t)value);
}

/* Where 0 is unknown too. */
static json_t *above(double value)
{
    return number(value > 0 ? value : -1);
}

static json_t *real(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

static json_t *line(const char *path, const char *key)
{
    char found[FILE_BYTES];
    return words("%s", line_of(path, key, found));
}

/* "always [madvise] never" */
static json_t *chosen(const char *path)
{
    char found[FILE_BYTES];
    const char *open = strchr(line_of(path, "", found), '[');
    return open == NULL ? words("%s", found) : words("%.*s", (int)strcspn(open + 1, "]"), open + 1);
}

/* Those of the processor that kernels use. */
static json_t *instructions(void)
{
    static const char *const wanted[] = {"sse4_1",      "avx",      "fma",      "avx2",
                                         "f16c",        "avx512f",  "avx512bw", "avx512_vnni",
                                         "avx512_bf16", "amx_bf16", "amx_tile"};
    char found[FILE_BYTES], flags[FILE_BYTES + 2], word[32], list[WORDS_BYTES] = "";
    size_t length = 0;
    (void)snprintf(flags, sizeof flags, " %s ", line_of("/proc/cpuinfo", "flags", found));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        (void)snprintf(word, sizeof word, " %s ", wanted[i]);
        if (strstr(flags, word) != NULL)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length == 0 ? "" : " ", wanted[i]);
    }
    return words("%s", found[0] != '\0' && length == 0 ? "none" : list);
}

static json_t *usable(const char *kind)
{
    const vdnn_device_options options = {.event_count = 1};
    vdnn_device *opened = NULL;
    vdnn_status status = vdnn_setup_resolve_device(kind, &kind);
    VDNN_IF_OK(status, vdnn_device_open(kind, &options, &opened));
    vdnn_device_close(opened);
    return words("%s", status == VDNN_OK ? "usable" : vdnn_status_message());
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Takes the reference to the value. */
static void add(json_t *root, const char *group, const char *name, json_t *value)
{
    if (json_object_get(root, group) == NULL)
        (void)json_object_set_new(root, group, json_object());
    (void)json_object_set_new(json_object_get(root, group), name, value);
}

static const json_t *fact(const json_t *root, const char *group, const char *name)
{
    return json_object_get(json_object_get(root, group), name);
}

/* Below 0: it is not known. */
static double number_of(const json_t *root, const char *group, const char *name)
{
    const json_t *found = fact(root, group, name);
    return json_is_string(found)    ? HUGE_VAL
           : json_is_integer(found) ? json_number_value(found)
                                    : -1;
}

static void add_build(json_t *root)
{
    add(root, "build", "version", words(VDNN_VERSION));
    add(root, "build", "compiler", words("%s", VDNN_BUILD_COMPILER));
    add(root, "build", "configuration", words("%s", VDNN_CONFIG));
    add(root, "system", "system", line("/etc/os-release", "PRETTY_NAME="));
    add(root, "system", "kernel", line("/proc/sys/kernel/osrelease", ""));
}

static void add_processor(json_t *root, const vdnn_device_properties *processor)
{
    static const char status[] = "/proc/self/status", list[] = "Cpus_allowed_list";
    const int quota = vdnn_cgroup_processors();
    const char *f32 = vdnn_device_lack("cpu", VDNN_F32, 0),
               *bf16 = vdnn_device_lack("cpu", VDNN_BF16, 0);
    add(root, "processor", "processor", words("%s", processor->name));
    add(root, "processor", "instructions", instructions());
    add(root, "processor", "lacks_for_f32", words("%s", f32 == NULL ? "nothing" : f32));
    add(root, "processor", "lacks_for_bf16", words("%s", bf16 == NULL ? "nothing" : bf16));
    add(root, "processor", "cores", above(vdnn_cores_count("/sys/devices/system/cpu/online", "")));
    add(root, "processor", "cores_allowed", above(vdnn_cores_count(status, list)));
    add(root, "processor", "affinity", line(status, list));
    add(root, "processor", "cores_by_quota", number(quota == INT_MAX ? HUGE_VAL : quota));
    add(root, "processor", "numa_nodes",
        above(vdnn_cores_count("/sys/devices/system/node/online", "")));
    add(root, "processor", "threads", above(processor->threads));
    add(root, "processor", "load", real(vdnn_cores_read_load().load));
}

static void add_libraries(json_t *root)
{
    const char *jemalloc = "not in this process: the host tier is mapped memory";
    size_t size = sizeof jemalloc;
    char compute[WORDS_BYTES];
    if (vdnn_has_jemalloc())
        (void)mallctl("version", (void *)&jemalloc, &size, NULL, 0);
    add(root, "libraries", "compute", words("%s", vdnn_cpu_library_text(compute, sizeof compute)));
    add(root, "libraries", "fftw", words("%s", FFTW));
    add(root, "libraries", "nvtx",
        words(vdnn_nvtx_is_built() ? "ranges in the domain vdnn"
                                   : "not in this build: profilers see no names of layers"));
    add(root, "libraries", "jemalloc", words("%s", jemalloc));
    add(root, "devices", "cpu", usable("cpu"));
    add(root, "devices", "cuda", usable("cuda"));
}

static void add_copies(json_t *root, const char *group, const double *rates)
{
    add(root, group, "copy_out_bytes_per_second",
        above(rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second]));
    add(root, group, "copy_in_bytes_per_second",
        above(rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second]));
    add(root, group, "copy_both_bytes_per_second",
        above(rates[VDNN_PROFILE_RATE_copy_both_bytes_per_second]));
}

static void add_card(json_t *root, const vdnn_device_properties *card)
{
    const bool is_there = card->memory_bytes > 0;
    add(root, "card", "name", words("%s", card->name));
    add(root, "card", "libraries", words("%s", card->library));
    add(root, "card", "memory_bytes", above((double)card->memory_bytes));
    add(root, "card", "taken_bytes", number(is_there ? (double)card->taken_bytes : -1));
    add(root, "card", "free_bytes", number(is_there ? (double)card->free_bytes : -1));
}

static void add_memory(json_t *root)
{
    size_t kibibytes;
    struct rlimit locked;
    const char *by;
    const bool is_known = vdnn_system_read_number("/proc/meminfo", "MemTotal:", &kibibytes);
    const double whole = is_known ? 1024.0 * (double)kibibytes : HUGE_VAL,
                 limit = (double)vdnn_memory_total();
    const size_t available = vdnn_memory_available(&by);
    const bool may_lock = vdnn_system_getrlimit(RLIMIT_MEMLOCK, &locked) == 0;
    add(root, "memory", "total_bytes", number(is_known ? whole : -1));
    add(root, "memory", "cgroup_limit_bytes",
        number(limit < fmin(whole, (double)SIZE_MAX) ? limit : HUGE_VAL));
    add(root, "memory", "available_bytes", number(available == SIZE_MAX ? -1 : (double)available));
    add(root, "memory", "available_by", words("%s", by));
    add(root, "memory", "lockable_bytes",
        number(!may_lock                          ? -1
               : locked.rlim_cur == RLIM_INFINITY ? HUGE_VAL
                                                  : (double)locked.rlim_cur));
    add(root, "memory", "huge_pages", chosen("/sys/kernel/mm/transparent_hugepage/enabled"));
    add(root, "memory", "overcommit", line("/proc/sys/vm/overcommit_memory", ""));
}

/* Variables that affect vdnn or its libraries; a value may be for no one else, and reports of bugs
 * are read by strangers. */
static void add_environment(json_t *root, const char *const *environment)
{
    static const char *const told[] = {"VDNN_", "OMP_",        "GOMP_",         "ONEDNN_",
                                       "DNNL_", "MALLOC_CONF", "GLIBC_TUNABLES"};
    static const char *const secret[] = {"SECRET", "TOKEN", "PASSW", "CREDENTIAL", "KEY"};
    (void)json_object_set_new(root, "environment", json_object());
    for (; environment != NULL && *environment != NULL; environment++) {
        const size_t length = strcspn(*environment, "=");
        const char *value = *environment + length + 1;
        json_t *plain = words("%.*s", (int)length, *environment);
        const char *name = json_is_string(plain) ? json_string_value(plain) : "";
        const bool has_value = (*environment)[length] != '\0';
        bool is_told = false;
        for (size_t i = 0; i < sizeof told / sizeof *told; i++)
            is_told = is_told || strncmp(name, told[i], strlen(told[i])) == 0;
        for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
            value = strstr(name, secret[i]) != NULL ? "(set, and not shown)" : value;
        if (is_told && has_value)
            add(root, "environment", name, words("%s", value));
        json_decref(plain);
    }
}

/* ---- problems -------------------------------------------------------------------------------- */

/* Whether a run without options would lock more than the limit, and is subject to it. */
static bool locks_too_little(double lockable, double available)
{
    const vdnn_device_properties properties = {.shares_host_memory = true};
    size_t budget_bytes[VDNN_TIER_COUNT] = {0};
    char line[FILE_BYTES];
    (void)vdnn_setup_budgets(NULL, NULL, &properties, available < 0 ? SIZE_MAX : (size_t)available,
                             budget_bytes);
    const char *mask = line_of("/proc/self/status", "CapEff:", line);
    return lockable >= 0 && lockable < (double)budget_bytes[VDNN_TIER_HOST] &&
           (strtoull(mask, NULL, 16) >> IPC_LOCK & 1U) == 0;
}

/* Where it is true; takes the reference to what is said of it. */
static void report(json_t *root, bool is_true, const char *name, json_t *what, const char *remedy)
{
    json_t *list = json_object_get(root, "problems");
    if (is_true)
        (void)json_array_append_new(
            list, json_pack("{s:s, s:O, s:s}", "name", name, "what", what, "remedy", remedy));
    json_decref(what);
}

/* `unmeasured`: why copies were not measured; empty: they were. */
static void add_problems(json_t *root, const char *unmeasured, bool has_card)
{
    char bytes[32];
    const double lockable = number_of(root, "memory", "lockable_bytes"),
                 available = number_of(root, "memory", "available_bytes"),
                 disk = number_of(root, "disk", "free_here_bytes"),
                 nodes = number_of(root, "processor", "numa_nodes"),
                 threads = number_of(root, "processor", "threads"),
                 allowed = number_of(root, "processor", "cores_allowed"),
                 quota = number_of(root, "processor", "cores_by_quota");
    const char *commit = json_string_value(fact(root, "memory", "overcommit")), *lack;
    (void)json_object_set_new(root, "problems", json_array());
    report(root, locks_too_little(lockable, available), "memlock",
           words("RLIMIT_MEMLOCK is %s: host memory beyond that is not locked and may be "
                 "swapped out, and then copies wait for the disk",
                 vdnn_text_bytes(bytes, sizeof bytes, lockable)),
           "`ulimit -l unlimited` before the run, or memlock in /etc/security/limits.conf");
    lack = vdnn_device_lack("cpu", VDNN_F32, 0);
    report(root, lack != NULL, "instructions", words("%s", lack == NULL ? "" : lack),
           "unset ONEDNN_MAX_CPU_ISA where it is set; else only another processor helps");
    report(root, threads > quota || (allowed > 0 && threads > allowed), "threads",
           threads > quota
               ? words("%.0f threads share the time of %.0f cores, which is the quota of the "
                       "process's control group",
                       threads, quota)
               : words("%.0f threads share the %.0f cores that this process may use", threads,
                       allowed),
           "--threads, or OMP_NUM_THREADS, of no more than the cores");
    const vdnn_cores_load now = vdnn_cores_read_load();
    report(root, vdnn_cores_are_busy(&now), "load",
           words("the machine is busy, a load of %.1f on %d cores: steps take longer, and times "
                 "that are measured now are too long",
                 now.load, now.cores),
           "end other programs, or wait; --no-cache measures again what was measured on a busy "
           "machine");
    report(root, available >= 0 && available < little_memory, "memory",
           words("%s leaves %s of memory", json_string_value(fact(root, "memory", "available_by")),
                 vdnn_text_bytes(bytes, sizeof bytes, available)),
           "end other programs, or raise that limit; --device-mem and --host-mem take less");
    report(root, commit != NULL && strcmp(commit, "2") == 0, "overcommit",
           words("vm.overcommit_memory is 2: both tiers count as soon as they are mapped, and "
                 "may be refused while memory is free"),
           "`sysctl vm.overcommit_memory=0`, or a higher vm.overcommit_ratio");
    report(root, nodes > 1, "numa",
           words("memory is on %.0f NUMA nodes: threads and copies may use remote memory", nodes),
           "`numactl --cpunodebind=0 --membind=0` where one node is enough");
    report(root, disk >= 0 && disk < little_disk, "disk",
           words("the disk of this folder has room for %s: a checkpoint may not fit",
                 vdnn_text_bytes(bytes, sizeof bytes, disk)),
           "another folder for --checkpoint, --save and --trace");
    report(root, unmeasured[0] != '\0', "measuring",
           words("copies cannot be measured: %s", unmeasured), "see the limits of memory above");
    for (size_t i = 0; has_card && (lack = vdnn_device_lack("cuda", VDNN_F32, i)) != NULL; i++)
        report(root, true, "card_libraries", words("%s", lack),
               "LD_LIBRARY_PATH with its folder; the Python packages of PyTorch have all of "
               "them (nvidia/*/lib)");
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* Describes a device, and how fast it copies. */
static vdnn_status examine(const char *kind, vdnn_device_properties *properties, double *rates)
{
    const vdnn_device_options options = {.event_count = 64};
    vdnn_device *opened = NULL;
    vdnn_measure *measure = NULL;
    vdnn_status status = vdnn_device_open(kind, &options, &opened);
    if (status == VDNN_OK) {
        *properties = *vdnn_device_describe(opened);
        status = vdnn_measure_create(opened, measured_bytes, &measure);
    }
    VDNN_IF_OK(status, vdnn_measure_copies(measure, rates));
    vdnn_measure_destroy(measure);
    vdnn_device_close(opened);
    return status;
}

static void add_all(json_t *root, const char *const *environment)
{
    vdnn_device_properties processor = {0}, card = {0};
    double rates[VDNN_PROFILE_RATE_COUNT] = {0}, card_rates[VDNN_PROFILE_RATE_COUNT] = {0};
    char unmeasured[WORDS_BYTES] = "";
    struct statvfs disk;
    if (examine("cpu", &processor, rates) != VDNN_OK)
        (void)snprintf(unmeasured, sizeof unmeasured, "%s", vdnn_status_message());
    if (vdnn_device_is_there("cuda")) /* what it lacks is listed with the devices */
        (void)examine("cuda", &card, card_rates);
    const bool has_disk = vdnn_system_statvfs(".", &disk) == 0;
    add_build(root);
    add_processor(root, &processor);
    add_libraries(root);
    add_card(root, &card);
    add_copies(root, "card", card_rates);
    add_memory(root);
    add_copies(root, "memory", rates);
    add(root, "disk", "free_here_bytes",
        number(has_disk ? (double)disk.f_bavail * (double)disk.f_frsize : -1));
    add_environment(root, environment);
    add_problems(root, unmeasured, card.name[0] != '\0');
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "copy_out_bytes_per_second" is "copy out", in GiB/s. */
static void add_line(const char *key, const json_t *value, vdnn_text *text)
{
    char name[64], bytes[32];
    (void)snprintf(name, sizeof name, "%s", key);
    char *unit = strstr(name, "_bytes"), *a_second = strstr(name, "_bytes_per_second");
    if (unit != NULL)
        *unit = '\0';
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    vdnn_text_add(text, "  %-*s", NAME_COLUMN, name);
    if (json_is_string(value))
        vdnn_text_add(text, "%s\n", json_string_value(value));
    else if (json_is_real(value))
        vdnn_text_add(text, "%.2f\n", json_real_value(value));
    else if (!json_is_integer(value))
        vdnn_text_add(text, "not known\n");
    else if (unit == NULL)
        vdnn_text_add(text, "%lld\n", (long long)json_integer_value(value));
    else
        vdnn_text_add(text, "%s%s\n",
                      vdnn_text_bytes(bytes, sizeof bytes, (double)json_integer_value(value)),
                      a_second != NULL ? "/s" : "");
}

/* Whether a value of the group is known: none of a card is where there is no card. */
static bool says_something(json_t *members)
{
    const char *name;
    json_t *one;
    json_object_foreach(members, name, one) if (!json_is_null(one)) return true;
    return false;
}

static vdnn_status write_text(json_t *root, vdnn_text *text)
{
    const char *group, *name;
    json_t *members, *one;
    size_t i;
    json_object_foreach(root, group, members)
    {
        if (!says_something(members)) /* also where it is no object */
            continue;
        vdnn_text_add(text, "%s\n", group);
        json_object_foreach(members, name, one)
        {
            if (strcmp(group, "environment") == 0)
                vdnn_text_add(text, "  %s=%s\n", name, json_string_value(one));
            else
                add_line(name, one, text);
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
    return vdnn_text_status(text, "the text");
}

vdnn_status vdnn_doctor_write(const char *const *environment, vdnn_report_format format,
                              vdnn_text *text)
{
    if (format != VDNN_REPORT_TABLE && format != VDNN_REPORT_JSON)
        return vdnn_status_fail(
            VDNN_USAGE, "the machine's description has no format %d; expected table or json",
            (int)format);
    json_t *root = json_pack("{s:i}", "schema_version", VDNN_SCHEMA_VERSION);
    if (root == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the facts of this machine");
    add_all(root, environment);
    return (format == VDNN_REPORT_JSON ? vdnn_record_dump : write_text)(root, text);
}
