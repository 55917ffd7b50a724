#include "runtime/setup/session_members.h"

#include "runtime/base/versioned.h"

#include <stdio.h>
#include <string.h>

// clang-format off
#define KIND_OF(member)                                                                            \
    _Generic((member),                                                                             \
        const char *: VDNN_MEMBER_TEXT, int64_t: VDNN_MEMBER_INT64, int: VDNN_MEMBER_INT,          \
        bool: VDNN_MEMBER_BOOL, double: VDNN_MEMBER_DOUBLE, default: VDNN_MEMBER_OTHER)
#define TOPIC_session 0
#define TOPIC_planning offsetof(vdnn_session_options, planning)
#define TOPIC_machine offsetof(vdnn_session_options, machine)
#define TOPIC_dataset offsetof(vdnn_session_options, dataset)
#define TOPIC_output offsetof(vdnn_session_options, output)
#define TOPIC_trust offsetof(vdnn_session_options, trust)
#define TOPIC_process offsetof(vdnn_session_options, process)
#define TOPIC_print offsetof(vdnn_session_options, print)
#define TOPIC_report offsetof(vdnn_session_options, report)
#define ROW(topic_, name_, rule_, is_count_, preset_)                                              \
    {                                                                                              \
        .name = #name_, .topic = TOPIC_##topic_,                                                   \
        .offset = offsetof(vdnn_##topic_##_options, name_),                                        \
        .kind = KIND_OF(((vdnn_##topic_##_options *)0)->name_), .rule = VDNN_RANKS_##rule_,        \
        .is_count = is_count_, .preset = preset_                                                   \
    }
#define MEMBER(topic, name, rule) ROW(topic, name, rule, false, NULL)
#define COUNT(topic, name, rule) ROW(topic, name, rule, true, NULL)
#define PRESET(topic, name, rule, preset) ROW(topic, name, rule, false, preset)

/* In the order of the structs; a test finds one that is missing. */
static const vdnn_session_member members[] = {
    MEMBER(session, model, LATER),
    MEMBER(session, network, LATER),
    COUNT(session, batch, LATER),
    COUNT(session, accumulate, LATER),
    PRESET(session, dtype, LATER, "f32"),
    MEMBER(session, optimizer, LATER),
    PRESET(session, device, LATER, "auto"),
    COUNT(session, devices, OTHERS), /* as many as there are ranks */
    MEMBER(session, device_mem, OWN),
    MEMBER(session, host_mem, OWN),
    COUNT(session, threads, LATER),
    MEMBER(session, profile, FIRST),
    PRESET(session, policy, LATER, "dyn"),
    PRESET(session, algo, LATER, "p"),
    PRESET(session, rules, LATER, "lean"),
    MEMBER(session, dry_run, SAME),
    MEMBER(session, has_lr, LATER),
    MEMBER(session, lr, LATER),
    COUNT(session, epochs, LATER),
    COUNT(session, steps, LATER),
    MEMBER(session, seed, LATER),
    PRESET(session, data, LATER, "synthetic"),
    MEMBER(session, init, LATER),
    MEMBER(session, save, FIRST),
    MEMBER(session, checkpoint, LATER),
    MEMBER(session, resume, LATER),
    MEMBER(planning, algos, LATER),
    MEMBER(planning, cache, FIRST),
    MEMBER(planning, nondeterministic, LATER),
    MEMBER(planning, has_plan_seconds, OWN), /* several processes count trials */
    COUNT(planning, plan_trials, LATER),
    MEMBER(planning, plan_seconds, OWN),
    MEMBER(machine, disk, GIVEN),
    MEMBER(machine, disk_mem, OWN),
    PRESET(machine, reduce, SAME, "ring"),
    PRESET(machine, shard, LATER, "none"),
    MEMBER(dataset, no_shuffle, LATER),
    MEMBER(dataset, orient, SAME),
    MEMBER(dataset, feeds, OWN),
    MEMBER(dataset, test_data, GIVEN),
    MEMBER(dataset, source, OWN),
    MEMBER(dataset, test_source, OWN),
    COUNT(output, checkpoint_every, LATER),
    COUNT(output, keep, FIRST),
    MEMBER(output, trace, GIVEN),
    MEMBER(output, trace_steps, SAME),
    MEMBER(output, memory_snapshot, FIRST),
    MEMBER(output, onnx, FIRST),
    MEMBER(trust, verify, SAME),
    MEMBER(trust, poison, SAME),
    MEMBER(trust, require_offload, SAME),
    PRESET(trust, on_nan, SAME, "stop"),
    COUNT(trust, replay_every, SAME),
    COUNT(trust, check_replicas, SAME),
    COUNT(process, ranks, OWN), /* compared when they meet */
    MEMBER(process, rank, OWN),
    MEMBER(process, local_ranks, OWN),
    MEMBER(process, local_rank, OWN),
    PRESET(process, transport, OWN, "tcp"),
    MEMBER(process, address, OWN),
    MEMBER(process, secret, OWN),
    MEMBER(process, listener, OWN),
    MEMBER(process, peer_timeout, OWN),
    MEMBER(print, print_plan, FIRST),
    MEMBER(print, print_footprint, FIRST),
    MEMBER(print, explain, SAME),
    MEMBER(print, max_batch, SAME),
    MEMBER(print, verbose, FIRST),
    MEMBER(print, blocks, FIRST),
    COUNT(print, columns, FIRST),
    PRESET(report, accounting, OTHERS, "full"),
    MEMBER(report, price, OTHERS),
    MEMBER(report, budgets, OTHERS),
    MEMBER(report, run, OTHERS),
    MEMBER(report, command, OTHERS),
    MEMBER(report, date, OTHERS),
};

/* Where a topic's address is in the session's options, and its copy in vdnn_session_topics. */
#define TOPIC(topic_)                                                                              \
    {                                                                                              \
        .name = "vdnn_" #topic_ "_options", .pointer = TOPIC_##topic_,                             \
        .copy = offsetof(vdnn_session_topics, topic_), .bytes = sizeof(vdnn_##topic_##_options)    \
    }
static const struct {
    const char *name;
    size_t pointer, copy, bytes;
} topics[] = {TOPIC(planning), TOPIC(machine), TOPIC(dataset), TOPIC(output),
              TOPIC(trust),    TOPIC(process), TOPIC(print),   TOPIC(report)};

/* A member that is added to a struct makes it larger: one within the last member's padding would be
 * read of a program that does not know it. */
#define ENDS_WITH(topic_, member)                                                                  \
    _Static_assert(offsetof(vdnn_##topic_##_options, member) +                                     \
                           sizeof(((vdnn_##topic_##_options *)0)->member) ==                       \
                       sizeof(vdnn_##topic_##_options),                                            \
                   "vdnn_" #topic_ "_options ends with padding")
ENDS_WITH(session, report);
ENDS_WITH(planning, plan_seconds);
ENDS_WITH(machine, shard);
ENDS_WITH(dataset, test_source);
ENDS_WITH(output, onnx);
ENDS_WITH(trust, check_replicas);
ENDS_WITH(process, peer_timeout);
ENDS_WITH(print, columns);
ENDS_WITH(report, date);
ENDS_WITH(scale, converge);
// clang-format on

vdnn_status vdnn_session_topics_take(vdnn_session_options *ask, vdnn_session_topics *copies)
{
    *copies = (vdnn_session_topics){0};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        void **pointer = (void **)((char *)ask + topics[i].pointer),
             *copy = (char *)copies + topics[i].copy;
        if (*pointer != NULL)
            VDNN_TRY(vdnn_versioned_take(copy, topics[i].bytes, *pointer, topics[i].name));
        memcpy(copy, &topics[i].bytes, sizeof topics[i].bytes);
        *pointer = copy;
    }
    return VDNN_OK;
}

void *vdnn_session_member_in(const vdnn_session_options *ask, const vdnn_session_member *member)
{
    char *options = (char *)(uintptr_t)ask;
    void *const *topic = (void *const *)(void *)(options + member->topic);
    return member->topic == 0 ? options + member->offset : (char *)*topic + member->offset;
}

const vdnn_session_member *vdnn_session_member_at(size_t i)
{
    return i < sizeof members / sizeof *members ? &members[i] : NULL;
}

const char *vdnn_session_member_option(const vdnn_session_member *member,
                                       char name[VDNN_MEMBER_NAME_BYTES])
{
    (void)snprintf(name, VDNN_MEMBER_NAME_BYTES, "%s", member->name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    return name;
}
