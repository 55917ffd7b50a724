#include "runtime/setup/session_members.h"

#include "runtime/base/versioned.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define KIND_OF(member)                                                                            \
    _Generic((member),                                                                             \
        const char *: VDNN_MEMBER_TEXT, int64_t: VDNN_MEMBER_INT64, int: VDNN_MEMBER_INT,          \
        bool: VDNN_MEMBER_BOOL, double: VDNN_MEMBER_DOUBLE, default: VDNN_MEMBER_OTHER)

static const vdnn_session_member members[] = {
#define MEMBER(of, topic_, name_)                                                                  \
    {.name = #name_, .topic = topic_, .offset = offsetof(vdnn_##of##_options, name_),              \
     .kind = KIND_OF(((vdnn_##of##_options *)0)->name_)},
#define TOPIC(topic)
#define LAST(of, name)
#include "runtime/setup/session_members.inc"
#undef MEMBER
#undef TOPIC
};

/* Where a topic's address is in the session's options, and its copy in vdnn_session_topics. */
static const struct {
    const char *name;
    size_t pointer, copy, bytes;
} topics[] = {
#define MEMBER(of, topic, name)
#define TOPIC(topic)                                                                               \
    {.name = "vdnn_" #topic "_options", .pointer = offsetof(vdnn_session_options, topic),          \
     .copy = offsetof(vdnn_session_topics, topic), .bytes = sizeof(vdnn_##topic##_options)},
#include "runtime/setup/session_members.inc"
#undef TOPIC
#undef LAST
};

/* A member that is added to a struct must make it larger. If it were put in the last member's
 * padding, it would be read from programs that do not know it. */
#define TOPIC(topic)
#define LAST(of, name)                                                                             \
    _Static_assert(offsetof(vdnn_##of##_options, name) +                                           \
                           sizeof(((vdnn_##of##_options *)0)->name) ==                             \
                       sizeof(vdnn_##of##_options),                                                \
                   "vdnn_" #of "_options ends with padding");
#include "runtime/setup/session_members.inc"
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
