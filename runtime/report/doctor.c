#include "runtime/report/doctor.h"

#include "alloc/allocator.h"
#include "runtime/base/machine/cgroup.h"
#include "runtime/base/system.h"
#include "runtime/measure/measure.h"
#include "runtime/train/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMN = 26, IPC_LOCK = 14, MEASURED_BYTES = 256 << 20 };

static const size_t little_memory = (size_t)512 << 20, little_disk = (size_t)1 << 30;

/* Of names in JSON. */
static const char *const suffixes[] = {[VDNN_DOCTOR_WORDS] = "",
                                       [VDNN_DOCTOR_COUNT] = "",
                                       [VDNN_DOCTOR_BYTES] = "_bytes",
                                       [VDNN_DOCTOR_RATE] = "_bytes_per_second"};

/* ---- problems -------------------------------------------------------------------------------- */

/* A process that may lock memory is not subject to the limit. */
static bool may_lock_all(void)
{
    char line[VDNN_DOCTOR_WORDS_BYTES];
    return vdnn_doctor_line("/proc/self/status", "CapEff:", line, sizeof line) &&
           (strtoull(line, NULL, 16) >> IPC_LOCK & 1U) != 0;
}

/* The host tier of a run without options. */
static size_t host_share(const vdnn_doctor_machine *m)
{
    vdnn_device_properties properties = {.shares_host_memory = true};
    size_t budget_bytes[VDNN_TIER_COUNT] = {0};
    (void)vdnn_setup_budgets(NULL, NULL, &properties, m->available_bytes, budget_bytes);
    return budget_bytes[VDNN_TIER_HOST];
}

static bool locks_too_little(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    struct rlimit limit;
    char bytes[32];
    if (vdnn_system_getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= host_share(m) || may_lock_all())
        return false;
    vdnn_doctor_say(out,
                    "RLIMIT_MEMLOCK is %s: host memory beyond that is not locked and may be "
                    "swapped out, and then copies wait for the disk",
                    vdnn_text_bytes(bytes, sizeof bytes, (double)limit.rlim_cur));
    return true;
}

static bool lacks_instructions(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    (void)m;
    const char *lack = vdnn_device_lack("cpu", VDNN_F32, 0);
    vdnn_doctor_say(out, "%s", lack == NULL ? "" : lack);
    return lack != NULL;
}

static bool has_too_many_threads(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    long allowed = vdnn_doctor_count("/proc/self/status", "Cpus_allowed_list");
    const int quota = vdnn_cgroup_processors();
    vdnn_doctor_say(out, "%d threads share the %ld cores that this process may use",
                    m->properties.threads, allowed);
    if (m->properties.threads <= quota)
        return allowed > 0 && m->properties.threads > allowed;
    vdnn_doctor_say(out,
                    "%d threads share the time of %d cores, which is the quota of the process's "
                    "control group",
                    m->properties.threads, quota);
    return true;
}

static bool has_little_memory(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    char bytes[32];
    vdnn_doctor_say(out, "%s leaves %s of memory", m->limit,
                    vdnn_text_bytes(bytes, sizeof bytes, (double)m->available_bytes));
    return m->available_bytes < little_memory;
}

static bool commits_strictly(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    (void)m;
    char line[VDNN_DOCTOR_WORDS_BYTES];
    vdnn_doctor_say(
        out, "vm.overcommit_memory is 2: both tiers count as soon as they are mapped, and may be "
             "refused while memory is free");
    return vdnn_doctor_line("/proc/sys/vm/overcommit_memory", "", line, sizeof line) &&
           strcmp(line, "2") == 0;
}

static bool has_several_nodes(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    (void)m;
    long nodes = vdnn_doctor_count("/sys/devices/system/node/online", "");
    vdnn_doctor_say(out, "memory is on %ld NUMA nodes: threads and copies may use remote memory",
                    nodes);
    return nodes > 1;
}

static bool has_little_disk(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    char bytes[32];
    vdnn_doctor_say(out, "the disk of this folder has room for %s: a checkpoint may not fit",
                    vdnn_text_bytes(bytes, sizeof bytes, m->disk_bytes));
    return m->disk_bytes >= 0.0 && m->disk_bytes < (double)little_disk;
}

static bool cannot_measure(const vdnn_doctor_machine *m, vdnn_doctor_value *out)
{
    vdnn_doctor_say(out, "copies cannot be measured: %s", m->rates_lack);
    return m->rates_lack[0] != '\0';
}

static const struct {
    const char *name;
    bool (*find)(const vdnn_doctor_machine *machine, vdnn_doctor_value *out);
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

/* Describes a device, and how fast it copies. */
static vdnn_status look_at(const char *kind, vdnn_device_properties *properties,
                           double rates[VDNN_PROFILE_RATE_COUNT])
{
    const vdnn_device_options options = {.event_count = 64};
    vdnn_device *device = NULL;
    vdnn_measure *measure = NULL;
    vdnn_status status = vdnn_device_open(kind, &options, &device);
    if (status == VDNN_OK) {
        *properties = *vdnn_device_describe(device);
        status = vdnn_measure_create(device, MEASURED_BYTES, &measure);
    }
    if (status == VDNN_OK)
        status = vdnn_measure_copies(measure, rates);
    vdnn_measure_destroy(measure);
    vdnn_device_close(device);
    return status;
}

static void look(vdnn_doctor_machine *m)
{
    *m = (vdnn_doctor_machine){.total_bytes = vdnn_memory_total()};
    m->available_bytes = vdnn_memory_available(&m->limit);
    struct statvfs disk;
    m->disk_bytes =
        vdnn_system_statvfs(".", &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : -1.0;
    if (look_at("cpu", &m->properties, m->rates) != VDNN_OK)
        (void)snprintf(m->rates_lack, sizeof m->rates_lack, "%s", vdnn_status_message());
    /* Missing features are listed with the devices. */
    if (vdnn_device_is_there("cuda"))
        (void)look_at("cuda", &m->card, m->card_rates);
}

/* Variables that affect vdnn or its libraries. */
static bool is_told(const char *variable)
{
    static const char *const prefixes[] = {"VDNN_", "OMP_",        "GOMP_",         "ONEDNN_",
                                           "DNNL_", "MALLOC_CONF", "GLIBC_TUNABLES"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0 &&
            strchr(variable, '=') != NULL)
            return true;
    return false;
}

/* Whether its value is for no one else: reports of bugs are read by strangers. */
static bool is_private(const char *name)
{
    static const char *const parts[] = {"SECRET", "TOKEN", "PASSW", "CREDENTIAL", "KEY"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return false;
}

/* Text from outside, without control characters. */
static void copy_plain(vdnn_doctor_value *out, const char *words)
{
    vdnn_doctor_say(out, "%s", words);
    for (char *c = out->words; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

/* ---- all of it ------------------------------------------------------------------------------- */

static json_t *value_record(const vdnn_doctor_fact *row, const vdnn_doctor_machine *m)
{
    vdnn_doctor_value found = {.known = false}, plain;
    row->find(row, m, &found);
    if (!found.known)
        return json_null();
    if (found.unlimited)
        return json_string("unlimited");
    if (row->kind != VDNN_DOCTOR_WORDS)
        return json_integer((json_int_t)found.number);
    copy_plain(&plain, found.words);
    return json_string(plain.words);
}

static int add_facts(json_t *root, const vdnn_doctor_machine *m)
{
    int lost = 0; /* negative: no memory for a part */
    const vdnn_doctor_fact *row;
    for (size_t i = 0; (row = vdnn_doctor_fact_at(i)) != NULL; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s%s", row->name, suffixes[row->kind]);
        if (json_object_get(root, row->group) == NULL)
            lost |= json_object_set_new(root, row->group, json_object());
        lost |= json_object_set_new(json_object_get(root, row->group), name, value_record(row, m));
    }
    return lost;
}

static int add_environment(json_t *root, const char *const *environment)
{
    json_t *variables = json_object();
    int lost = json_object_set_new(root, "environment", variables);
    for (; environment != NULL && *environment != NULL; environment++) {
        vdnn_doctor_value plain;
        copy_plain(&plain, *environment);
        char *equals = is_told(*environment) ? strchr(plain.words, '=') : NULL;
        if (equals == NULL)
            continue;
        *equals = '\0';
        lost |= json_object_set_new(
            variables, plain.words,
            json_string(is_private(plain.words) ? "(set, and not shown)" : equals + 1));
    }
    return lost;
}

static int add_problem(json_t *list, const char *name, const char *what, const char *remedy)
{
    vdnn_doctor_value plain;
    copy_plain(&plain, what);
    return json_array_append_new(
        list, json_pack("{s:s, s:s, s:s}", "name", name, "what", plain.words, "remedy", remedy));
}

/* For a card that can be used. */
static int add_lacks(json_t *list, const vdnn_doctor_machine *m)
{
    int lost = 0;
    const char *lack;
    for (size_t i = 0;
         m->card.name[0] != '\0' && (lack = vdnn_device_lack("cuda", VDNN_F32, i)) != NULL; i++)
        lost |= add_problem(list, "card_libraries", lack,
                            "LD_LIBRARY_PATH with its folder; the Python packages of PyTorch have "
                            "all of them (nvidia/*/lib)");
    return lost;
}

static int add_problems(json_t *root, const vdnn_doctor_machine *m)
{
    json_t *list = json_array();
    int lost = json_object_set_new(root, "problems", list);
    for (size_t i = 0; i < PROBLEMS; i++) {
        vdnn_doctor_value found;
        if (problems[i].find(m, &found))
            lost |= add_problem(list, problems[i].name, found.words, problems[i].remedy);
    }
    return lost | add_lacks(list, m);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "copy_out_bytes_per_second" is "copy out", in GiB/s. */
static void add_line(vdnn_text *text, const char *key, const json_t *one)
{
    char name[64], bytes[32];
    vdnn_doctor_kind kind = VDNN_DOCTOR_WORDS;
    (void)snprintf(name, sizeof name, "%s", key);
    for (vdnn_doctor_kind k = VDNN_DOCTOR_BYTES; k <= VDNN_DOCTOR_RATE; k++) {
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
    else if (kind == VDNN_DOCTOR_WORDS)
        vdnn_text_add(text, "%lld\n", (long long)json_integer_value(one));
    else
        vdnn_text_add(text, "%s%s\n",
                      vdnn_text_bytes(bytes, sizeof bytes, (double)json_integer_value(one)),
                      kind == VDNN_DOCTOR_RATE ? "/s" : "");
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
    return vdnn_text_status(text, "the text");
}

vdnn_status vdnn_doctor_write(const char *const *environment, vdnn_report_format format,
                              vdnn_text *text)
{
    vdnn_doctor_machine m;
    if (format != VDNN_REPORT_TABLE && format != VDNN_REPORT_JSON)
        return vdnn_status_fail(
            VDNN_USAGE, "the machine's description has no format %d; expected table or json",
            (int)format);
    look(&m);
    json_t *root = json_pack("{s:i}", "schema_version", VDNN_SCHEMA_VERSION);
    if ((add_facts(root, &m) | add_environment(root, environment) | add_problems(root, &m)) != 0) {
        json_decref(root);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the facts of this machine");
    }
    return (format == VDNN_REPORT_JSON ? vdnn_record_dump : write_text)(root, text);
}
