#ifndef VDNN_TESTS_SUPPORT_SESSION_TOPICS_H
#define VDNN_TESTS_SUPPORT_SESSION_TOPICS_H

/* Topics of a session's options, which live until the test program ends: options that a function
 * returns can name them, and copies of options keep what they had.
 *
 *     vdnn_session_options options = {.size = sizeof options,
 *                                     .machine = vdnn_test_topic(machine, .reduce = "host")};
 *     vdnn_test_edit(&options, machine)->shard = "optimizer"; // and reduce as it was
 */

#include "runtime/vdnn.h"

#define vdnn_test_topic(topic, ...)                                                                \
    vdnn_test_keep(&(vdnn_##topic##_options){.size = sizeof(vdnn_##topic##_options), __VA_ARGS__}, \
                   sizeof(vdnn_##topic##_options))
/* The options have a new copy of the topic from here on. */
#define vdnn_test_edit(options, topic)                                                             \
    ((vdnn_##topic##_options *)vdnn_test_renew(&(options)->topic, sizeof(vdnn_##topic##_options)))

/* A copy. */
const void *vdnn_test_keep(const void *topic, size_t bytes);
/* Of the topic at *place, which becomes its copy; of one that is NULL all has its default. */
void *vdnn_test_renew(void *place, size_t bytes);

#endif
