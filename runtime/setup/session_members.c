#include "runtime/setup/session_members.h"

#include <stdio.h>

// clang-format off
#define KIND_OF(member)                                                                            \
    _Generic((member),                                                                             \
        const char *: VDNN_MEMBER_TEXT, int64_t: VDNN_MEMBER_INT64, int: VDNN_MEMBER_INT,          \
        bool: VDNN_MEMBER_BOOL, double: VDNN_MEMBER_DOUBLE, default: VDNN_MEMBER_OTHER)
#define ROW(name_, rule_, is_count_, preset_)                                                      \
    {                                                                                              \
        .name = #name_, .offset = offsetof(vdnn_session_options, name_),                           \
        .kind = KIND_OF(((vdnn_session_options *)0)->name_), .rule = VDNN_RANKS_##rule_,           \
        .is_count = is_count_, .preset = preset_                                                   \
    }
#define MEMBER(name, rule) ROW(name, rule, false, NULL)
#define COUNT(name, rule) ROW(name, rule, true, NULL)
#define PRESET(name, rule, preset) ROW(name, rule, false, preset)

/* In the order of the struct; a test finds one that is missing. */
static const vdnn_session_member members[] = {
    MEMBER(size, OTHERS),
    MEMBER(model, LATER),
    MEMBER(network, LATER),
    COUNT(batch, LATER),
    PRESET(dtype, LATER, "f32"),
    PRESET(rules, LATER, "lean"),
    PRESET(device, LATER, "auto"),
    MEMBER(device_mem, OWN),
    MEMBER(host_mem, OWN),
    COUNT(threads, LATER),
    MEMBER(profile, FIRST),
    MEMBER(algos, LATER),
    PRESET(policy, LATER, "dyn"),
    PRESET(algo, LATER, "p"),
    MEMBER(dry_run, SAME),
    COUNT(epochs, LATER),
    COUNT(steps, LATER),
    MEMBER(seed, LATER),
    MEMBER(has_lr, LATER),
    MEMBER(lr, LATER),
    PRESET(data, LATER, "synthetic"),
    MEMBER(test_data, GIVEN),
    MEMBER(no_shuffle, LATER),
    MEMBER(init, LATER),
    MEMBER(save, FIRST),
    MEMBER(trace, GIVEN),
    MEMBER(checkpoint, LATER),
    COUNT(checkpoint_every, LATER),
    COUNT(keep, FIRST),
    MEMBER(resume, LATER),
    MEMBER(verify, SAME),
    MEMBER(print_plan, FIRST),
    MEMBER(print_footprint, FIRST),
    MEMBER(explain, SAME),
    PRESET(accounting, OTHERS, "full"),
    COUNT(devices, OTHERS), /* as many as there are ranks */
    MEMBER(nondeterministic, LATER),
    MEMBER(poison, SAME),
    MEMBER(require_offload, SAME),
    COUNT(accumulate, LATER),
    MEMBER(optimizer, LATER),
    MEMBER(disk, GIVEN),
    MEMBER(disk_mem, OWN),
    MEMBER(price, OTHERS),
    COUNT(ranks, OWN), /* compared when they meet */
    MEMBER(rank, OWN),
    MEMBER(local_ranks, OWN),
    MEMBER(local_rank, OWN),
    PRESET(transport, OWN, "tcp"),
    MEMBER(address, OWN),
    MEMBER(secret, OWN),
    MEMBER(peer_timeout, OWN),
    MEMBER(listener, OWN),
    PRESET(reduce, SAME, "ring"),
    COUNT(plan_trials, LATER),
    MEMBER(has_plan_seconds, OWN), /* several processes count trials */
    MEMBER(plan_seconds, OWN),
    MEMBER(cache, FIRST),
    MEMBER(memory_snapshot, FIRST),
    PRESET(shard, LATER, "none"),
    MEMBER(budgets, OTHERS),
    MEMBER(run, OTHERS),
    MEMBER(command, OTHERS),
    MEMBER(date, OTHERS),
    MEMBER(trace_steps, SAME),
    MEMBER(max_batch, SAME),
    MEMBER(columns, FIRST),
    MEMBER(blocks, FIRST),
    MEMBER(verbose, FIRST),
    MEMBER(orient, SAME),
    PRESET(on_nan, SAME, "stop"),
    COUNT(replay_every, SAME),
    COUNT(check_replicas, SAME),
    MEMBER(source, OWN),
    MEMBER(test_source, OWN),
    MEMBER(feeds, OWN),
};
// clang-format on

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
