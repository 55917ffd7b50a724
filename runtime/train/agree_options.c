#include "runtime/train/agree_options.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/setup/session_members.h"
#include "runtime/train/agree.h"
#include "runtime/train/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is compared ------------------------------------------------------------------------ */

/* Processes that train together must have the same of all options but these. */
static const char *const exempt[] = {
    /* vdnn_agree_on_training compares what they lead to */
    "model", "network", "batch", "accumulate", "dtype", "optimizer", "device", "threads", "policy",
    "algo", "rules", "has_lr", "lr", "epochs", "steps", "seed", "data", "init", "checkpoint",
    "resume", "algos", "nondeterministic", "plan_trials", "shard", "no_shuffle", "checkpoint_every",
    /* the first process's count */
    "profile", "cache", "save", "keep", "memory_snapshot", "onnx", "names", "print_plan",
    "print_footprint", "verbose", "blocks", "columns",
    /* each process has its value, or the least one counts; several processes count trials */
    "device_mem", "host_mem", "disk_mem", "unified_mem", "has_plan_seconds", "plan_seconds",
    "feeds", "source", "test_source", "devices", "ranks", "rank", "local_ranks", "local_rank",
    "transport", "address", "secret", "listener", "peer_timeout",
    /* trainings do not read them */
    "accounting", "price", "budgets", "run", "command", "date"};

/* Of these only whether they are given: a value is a place on its host. */
static const char *const places[] = {"disk", "test_data", "trace"};

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_compared(const vdnn_session_member *one)
{
    return !is_among(one->name, exempt, sizeof exempt / sizeof *exempt);
}

static bool is_place(const vdnn_session_member *one)
{
    return is_among(one->name, places, sizeof places / sizeof *places);
}

/* ---- one process's --------------------------------------------------------------------------- */

/* Traces are the first process's files, and steps of all. */
static json_t *value_of(const vdnn_session_member *one, const vdnn_run_options *options)
{
    const void *at = vdnn_session_member_in(&options->ask, one);
    const char *const *text = at;
    if (is_place(one))
        return json_boolean(strcmp(one->name, "trace") == 0 ? options->traces : *text != NULL);
    switch (one->kind) {
    case VDNN_MEMBER_TEXT:
        return *text == NULL ? json_null() : json_string(*text);
    case VDNN_MEMBER_INT64:
        return json_integer((json_int_t) * (const int64_t *)at);
    case VDNN_MEMBER_INT:
        return json_integer(*(const int *)at);
    case VDNN_MEMBER_BOOL:
        return json_boolean(*(const bool *)at);
    case VDNN_MEMBER_DOUBLE:
        return json_real(*(const double *)at);
    default:
        return json_null();
    }
}

static json_t *list_own(const vdnn_run_options *options)
{
    const vdnn_session_member *one;
    json_t *all = json_object();
    bool good = all != NULL;
    for (size_t i = 0; (one = vdnn_session_member_at(i)) != NULL && good; i++)
        if (is_compared(one))
            good = json_object_set_new(all, one->name, value_of(one, options)) == 0;
    if (good)
        return all;
    json_decref(all);
    return NULL;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const char *say(const vdnn_session_member *one, const json_t *value, char *buffer,
                       size_t size)
{
    if (!is_place(one) && one->kind != VDNN_MEMBER_BOOL)
        return vdnn_description_value(value, buffer, size);
    return json_is_true(value) ? "given" : "not given";
}

static void compare(const json_t *first, const json_t *own, int32_t rank, vdnn_text *differences)
{
    const vdnn_session_member *one;
    for (size_t i = 0; (one = vdnn_session_member_at(i)) != NULL; i++) {
        const json_t *there = json_object_get(first, one->name),
                     *here = json_object_get(own, one->name);
        char name[VDNN_MEMBER_NAME_BYTES], left[128], right[128];
        if (!is_compared(one) || json_equal(there, here))
            continue;
        vdnn_text_add(differences, "\n  --%s: %s on rank 0, %s on rank %d",
                      vdnn_session_member_option(one, name), say(one, there, left, sizeof left),
                      say(one, here, right, sizeof right), (int)rank);
    }
}

vdnn_status vdnn_agree_on_options(vdnn_group *group, const vdnn_run_options *options)
{
    vdnn_text first = {0}, differences = {0};
    if (group == NULL)
        return VDNN_OK;
    json_t *own = list_own(options);
    char *dump = own == NULL ? NULL : vdnn_json_dump(own, JSON_REAL_PRECISION(17));
    vdnn_status status =
        dump == NULL ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the options") : VDNN_OK;
    if (status == VDNN_OK) {
        vdnn_text_add(&first, "%s", dump);
        status = vdnn_agree_on_text(group, 0, &first);
    }
    json_t *theirs = NULL;
    VDNN_IF_OK(status, vdnn_json_parse(first.data == NULL ? "" : first.data, first.length,
                                       "the options of rank 0", &theirs));
    if (status == VDNN_OK) {
        compare(theirs, own, vdnn_group_rank(group), &differences);
        status = vdnn_agree_to_refuse(
            group, VDNN_USAGE, "the processes have been started with unlike options", &differences);
    }
    json_decref(theirs);
    free(dump);
    json_decref(own);
    vdnn_text_fini(&first);
    vdnn_text_fini(&differences);
    return status;
}
