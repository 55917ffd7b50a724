#include "runtime/train/agree_options.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/train/agree.h"
#include "runtime/train/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What processes that train together must have in common of an option. */
typedef enum rule {
    SAME,   /* the value */
    GIVEN,  /* whether it is there: its value is a place on one's own host */
    LATER,  /* what it leads to, as agree_on_training finds */
    FIRST,  /* nothing: the first process's counts */
    OWN,    /* nothing: it is of this process, or the least one counts */
    OTHERS, /* nothing: trainings do not read it */
} rule;

typedef enum kind { TEXT, NUMBER, FLAG, REAL, OTHER } kind;

typedef struct member {
    const char *name;
    size_t offset;
    rule rule;
    kind kind;
} member;

#define MEMBER(name, rule, kind)                                                                   \
    {                                                                                              \
#name, offsetof(vdnn_session_options, name), rule, kind                                    \
    }

// clang-format off
/* Every member of the options, in their order; a test finds one that is missing. */
static const member members[] = {
    MEMBER(size, OTHERS, OTHER),
    MEMBER(model, LATER, TEXT),
    MEMBER(network, LATER, OTHER),
    MEMBER(batch, LATER, NUMBER),
    MEMBER(dtype, LATER, TEXT),
    MEMBER(rules, LATER, TEXT),
    MEMBER(device, LATER, TEXT),
    MEMBER(device_mem, OWN, TEXT),
    MEMBER(host_mem, OWN, TEXT),
    MEMBER(threads, LATER, OTHER),
    MEMBER(profile, FIRST, TEXT),
    MEMBER(algos, LATER, TEXT),
    MEMBER(policy, LATER, TEXT),
    MEMBER(algo, LATER, TEXT),
    MEMBER(dry_run, SAME, FLAG),
    MEMBER(epochs, LATER, NUMBER),
    MEMBER(steps, LATER, NUMBER),
    MEMBER(seed, LATER, NUMBER),
    MEMBER(has_lr, LATER, FLAG),
    MEMBER(lr, LATER, REAL),
    MEMBER(data, LATER, TEXT),
    MEMBER(test_data, GIVEN, TEXT),
    MEMBER(no_shuffle, LATER, FLAG),
    MEMBER(init, LATER, TEXT),
    MEMBER(save, FIRST, TEXT),
    MEMBER(trace, GIVEN, TEXT),
    MEMBER(checkpoint, LATER, TEXT),
    MEMBER(checkpoint_every, LATER, NUMBER),
    MEMBER(keep, FIRST, NUMBER),
    MEMBER(resume, LATER, TEXT),
    MEMBER(verify, SAME, FLAG),
    MEMBER(print_plan, FIRST, FLAG),
    MEMBER(print_footprint, FIRST, FLAG),
    MEMBER(explain, SAME, FLAG),
    MEMBER(accounting, OTHERS, TEXT),
    MEMBER(devices, OTHERS, NUMBER), /* as many as there are ranks */
    MEMBER(nondeterministic, LATER, FLAG),
    MEMBER(poison, SAME, FLAG),
    MEMBER(require_offload, SAME, FLAG),
    MEMBER(accumulate, LATER, NUMBER),
    MEMBER(optimizer, LATER, TEXT),
    MEMBER(disk, GIVEN, TEXT),
    MEMBER(disk_mem, OWN, TEXT),
    MEMBER(price, OTHERS, TEXT),
    MEMBER(ranks, OWN, NUMBER), /* compared when they meet */
    MEMBER(rank, OWN, NUMBER),
    MEMBER(local_ranks, OWN, NUMBER),
    MEMBER(local_rank, OWN, NUMBER),
    MEMBER(transport, OWN, TEXT),
    MEMBER(address, OWN, TEXT),
    MEMBER(secret, OWN, TEXT),
    MEMBER(peer_timeout, OWN, REAL),
    MEMBER(listener, OWN, OTHER),
    MEMBER(reduce, SAME, TEXT),
    MEMBER(plan_trials, LATER, NUMBER),
    MEMBER(has_plan_seconds, OWN, FLAG), /* several processes count trials */
    MEMBER(plan_seconds, OWN, REAL),
    MEMBER(cache, FIRST, TEXT),
    MEMBER(memory_snapshot, FIRST, TEXT),
    MEMBER(shard, LATER, TEXT),
    MEMBER(budgets, OTHERS, TEXT),
    MEMBER(run, OTHERS, TEXT),
    MEMBER(command, OTHERS, TEXT),
    MEMBER(date, OTHERS, TEXT),
    MEMBER(trace_steps, SAME, TEXT),
    MEMBER(max_batch, SAME, FLAG),
    MEMBER(columns, FIRST, OTHER),
    MEMBER(blocks, FIRST, FLAG),
    MEMBER(verbose, FIRST, FLAG),
    MEMBER(orient, SAME, FLAG),
    MEMBER(on_nan, SAME, TEXT),
    MEMBER(replay_every, SAME, NUMBER),
    MEMBER(check_replicas, SAME, NUMBER),
};
// clang-format on

enum { MEMBERS = sizeof members / sizeof *members };

bool vdnn_agree_knows(const char *name)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].name, name) == 0)
            return true;
    return false;
}

/* ---- one process's --------------------------------------------------------------------------- */

/* Traces are the first process's files, and steps of all. */
static json_t *value_of(const member *one, const vdnn_run_options *options)
{
    const char *at = (const char *)&options->ask + one->offset;
    const char *const *text = (const void *)at;
    if (one->rule == GIVEN)
        return json_boolean(strcmp(one->name, "trace") == 0 ? options->traces : *text != NULL);
    switch (one->kind) {
    case TEXT:
        return *text == NULL ? json_null() : json_string(*text);
    case NUMBER:
        return json_integer((json_int_t) * (const int64_t *)(const void *)at);
    case FLAG:
        return json_boolean(*(const bool *)at);
    case REAL:
        return json_real(*(const double *)(const void *)at);
    default:
        return json_null();
    }
}

static bool is_compared(const member *one)
{
    return one->rule == SAME || one->rule == GIVEN;
}

static json_t *list_own(const vdnn_run_options *options)
{
    json_t *all = json_object();
    bool good = all != NULL;
    for (size_t i = 0; i < MEMBERS && good; i++)
        if (is_compared(&members[i]))
            good = json_object_set_new(all, members[i].name, value_of(&members[i], options)) == 0;
    if (good)
        return all;
    json_decref(all);
    return NULL;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const char *say(const member *one, const json_t *value, char *buffer, size_t size)
{
    if (one->rule != GIVEN && one->kind != FLAG)
        return vdnn_description_value(value, buffer, size);
    return json_is_true(value) ? "given" : "not given";
}

static void compare(const json_t *first, const json_t *own, int32_t rank, vdnn_text *differences)
{
    for (size_t i = 0; i < MEMBERS; i++) {
        const member *one = &members[i];
        const json_t *there = json_object_get(first, one->name),
                     *here = json_object_get(own, one->name);
        char name[64], left[128], right[128];
        if (!is_compared(one) || json_equal(there, here))
            continue;
        (void)snprintf(name, sizeof name, "%s", one->name);
        for (char *c = name; *c != '\0'; c++)
            *c = *c == '_' ? '-' : *c;
        vdnn_text_add(differences, "\n  --%s: %s on rank 0, %s on rank %d", name,
                      say(one, there, left, sizeof left), say(one, here, right, sizeof right),
                      (int)rank);
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
    if (status == VDNN_OK)
        status = vdnn_json_parse(first.data == NULL ? "" : first.data, first.length,
                                 "the options of rank 0", &theirs);
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
