#include "tests/support/session_topics.h"

#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept {
    struct kept *before;
    max_align_t bytes[];
} kept;

static kept *last;

static void free_all(void)
{
    while (last != NULL) {
        kept *before = last->before;
        free(last);
        last = before;
    }
}

static void *keep(const void *topic, size_t bytes)
{
    kept *fresh = malloc(sizeof *fresh + bytes);
    assert_non_null(fresh);
    if (last == NULL)
        (void)atexit(free_all);
    memcpy(fresh->bytes, topic, bytes);
    fresh->before = last;
    last = fresh;
    return fresh->bytes;
}

const void *vdnn_test_keep(const void *topic, size_t bytes)
{
    return keep(topic, bytes);
}

void *vdnn_test_renew(void *place, size_t bytes)
{
    static const max_align_t none[32];
    const void *old;
    assert_true(bytes <= sizeof none);
    memcpy(&old, place, sizeof old);
    void *topic = keep(old == NULL ? none : old, bytes);
    memcpy(topic, &bytes, sizeof bytes); /* its size */
    memcpy(place, &topic, sizeof topic);
    return topic;
}
