#include "tests/support/group_scenes.h"

#include "runtime/base/system.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 8, LANE_COUNTED = 100, WORDS = 5 };

/* Some ranks come later than others. */
static void dawdle(vdnn_test_rng *rng)
{
    if (vdnn_test_between(rng, 0, 3) == 0)
        (void)usleep((useconds_t)vdnn_test_between(rng, 1, 300));
}

static vdnn_test_rng rng_of(const vdnn_group *end)
{
    return (vdnn_test_rng){vdnn_test_seed() + (uint64_t)vdnn_group_rank(end)};
}

/* ---- sums ------------------------------------------------------------------------------------ */

static float value_of(int32_t rank, size_t i, int round)
{
    vdnn_test_rng rng = {(uint64_t)rank * 1000003 + i * 101 + (uint64_t)round};
    const float whole = (float)vdnn_test_between(&rng, -1000000, 1000000);
    return whole * (i % 3 == 0 ? 1e-3F : 7e5F); /* so that the order shows in the bits */
}

static vdnn_status check_sums(const vdnn_group *end, const float *values, vdnn_shard part,
                              int round)
{
    for (size_t i = part.first; i < part.first + part.count; i++) {
        float due = value_of(0, i, round);
        for (int32_t r = 1; r < vdnn_group_ranks(end); r++)
            due += value_of(r, i, round);
        if (memcmp(&due, &values[i], sizeof due) != 0)
            return vdnn_status_fail(VDNN_MISMATCH, "value %zu of round %d", i, round);
    }
    return VDNN_OK;
}

static vdnn_status sum_once(vdnn_group *end, float *values, size_t count, vdnn_shard_rule *rule,
                            int round)
{
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(vdnn_group_rank(end), i, round);
    vdnn_status status = vdnn_group_reduce_scatter(end, values, count, rule);
    if (status == VDNN_OK)
        status = check_sums(end, values, rule(count, vdnn_group_ranks(end), vdnn_group_rank(end)),
                            round);
    if (status == VDNN_OK)
        status = vdnn_group_all_gather(end, values, count, rule);
    return status == VDNN_OK ? check_sums(end, values, (vdnn_shard){0, count}, round) : status;
}

static vdnn_status sums_are_taken_in_the_order_of_the_ranks(vdnn_group *end)
{
    static const size_t counts[] = {1, 15, 16, 17, 4096, 10007, 300001};
    static vdnn_shard_rule *const rules[] = {vdnn_shard_even, vdnn_shard_first};
    const size_t most = counts[sizeof counts / sizeof *counts - 1];
    vdnn_test_rng rng = rng_of(end);
    float *values = malloc(most * sizeof *values);
    vdnn_status status = VDNN_OK;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int round = 0; round < (counts[c] == most ? 2 : ROUNDS) && status == VDNN_OK;
             round++) {
            dawdle(&rng);
            status = sum_once(end, values, counts[c], rules[round % 2], round);
        }
    free(values);
    return status;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* What a further thread of a rank does. */
typedef struct beside {
    vdnn_group *end;
    vdnn_first_error error;
    pthread_t thread;
} beside;

static vdnn_status make_totals(vdnn_group *end)
{
    vdnn_status status = VDNN_OK;
    for (int round = 0; round < 3 * ROUNDS && status == VDNN_OK; round++) {
        double number = 0.1 * (vdnn_group_rank(end) + 1) + round, due = 0.1 + round;
        for (int32_t r = 1; r < vdnn_group_ranks(end); r++)
            due += 0.1 * (r + 1) + round;
        status = vdnn_group_total(end, &number);
        if (status == VDNN_OK && memcmp(&number, &due, sizeof due) != 0)
            status = vdnn_status_fail(VDNN_MISMATCH, "total of round %d", round);
    }
    return status;
}

static vdnn_status make_exchanges(vdnn_group *end)
{
    const int32_t ranks = vdnn_group_ranks(end);
    int32_t own[WORDS], *all = malloc((size_t)ranks * sizeof own);
    vdnn_status status = VDNN_OK;
    for (int round = 0; round < 3 * ROUNDS && status == VDNN_OK; round++) {
        for (int w = 0; w < WORDS; w++)
            own[w] = 1000 * round + 10 * vdnn_group_rank(end) + w;
        status = vdnn_group_exchange(end, VDNN_LANE_COMPUTE, own, sizeof own, all);
        for (int32_t i = 0; i < ranks * WORDS && status == VDNN_OK; i++)
            if (all[i] != 1000 * round + 10 * (i / WORDS) + i % WORDS)
                status = vdnn_status_fail(VDNN_MISMATCH, "word %d of round %d", (int)i, round);
    }
    free(all);
    return status;
}

static void *run_totals(void *argument)
{
    beside *own = argument;
    vdnn_first_error_keep(&own->error, make_totals(own->end));
    return NULL;
}

static void *run_exchanges(void *argument)
{
    beside *own = argument;
    vdnn_first_error_keep(&own->error, make_exchanges(own->end));
    return NULL;
}

static vdnn_status totals_and_exchanges_do_not_wait_for_sums(vdnn_group *end)
{
    static void *(*const tasks[])(void *argument) = {run_totals, run_exchanges};
    enum { TASKS = sizeof tasks / sizeof *tasks };
    beside others[TASKS];
    float values[LANE_COUNTED];
    vdnn_first_error error = {VDNN_OK, ""};
    for (int t = 0; t < TASKS; t++) {
        others[t] = (beside){.end = end};
        if (vdnn_system_start_thread(&others[t].thread, tasks[t], &others[t]) != 0)
            return vdnn_status_fail(VDNN_DEVICE, "no thread");
    }
    for (int round = 0; round < ROUNDS; round++)
        vdnn_first_error_keep(&error, sum_once(end, values, LANE_COUNTED, vdnn_shard_even, round));
    for (int t = 0; t < TASKS; t++) {
        (void)pthread_join(others[t].thread, NULL);
        vdnn_first_error_keep(&error, vdnn_first_error_tell(&others[t].error));
    }
    return vdnn_first_error_tell(&error);
}

/* ---- from one to another --------------------------------------------------------------------- */

/* Of a round, from one rank to a neighbor; some are larger than what a socket takes. */
static size_t sent_bytes(int round)
{
    static const size_t bytes[] = {1, 8, 4099, 300000, 3000001};
    return bytes[round % 5];
}

static unsigned char sent_byte(int32_t from, int32_t to, int round, size_t i)
{
    return (unsigned char)(i * 7 + (size_t)from * 31 + (size_t)to * 13 + (size_t)round * 5);
}

/* To the rank above and to the one below, or from them. */
static vdnn_status transfer(vdnn_group *end, bool sends)
{
    const int32_t own = vdnn_group_rank(end);
    unsigned char *bytes = malloc(sent_bytes(4));
    vdnn_test_rng rng = rng_of(end);
    vdnn_status status = VDNN_OK;
    for (int round = 0; round < 2 * ROUNDS && status == VDNN_OK; round++)
        for (int32_t to = own - 1; to <= own + 1 && status == VDNN_OK; to += 2) {
            const size_t count = sent_bytes(round);
            if (to < 0 || to >= vdnn_group_ranks(end))
                continue;
            dawdle(&rng);
            for (size_t i = 0; i < count && sends; i++)
                bytes[i] = sent_byte(own, to, round, i);
            status = sends ? vdnn_group_send(end, to, bytes, count)
                           : vdnn_group_receive(end, to, bytes, count);
            for (size_t i = 0; i < count && !sends && status == VDNN_OK; i++)
                if (bytes[i] != sent_byte(to, own, round, i))
                    status = vdnn_status_fail(VDNN_MISMATCH, "byte %zu from %d in round %d", i,
                                              (int)to, round);
        }
    free(bytes);
    return status;
}

static void *run_receives(void *argument)
{
    beside *own = argument;
    vdnn_first_error_keep(&own->error, transfer(own->end, false));
    return NULL;
}

static vdnn_status neighbors_get_what_is_sent_in_its_order(vdnn_group *end)
{
    beside other = {.end = end};
    vdnn_first_error error = {VDNN_OK, ""};
    if (vdnn_system_start_thread(&other.thread, run_receives, &other) != 0)
        return vdnn_status_fail(VDNN_DEVICE, "no thread");
    vdnn_first_error_keep(&error, transfer(end, true));
    (void)pthread_join(other.thread, NULL);
    vdnn_first_error_keep(&error, vdnn_first_error_tell(&other.error));
    return vdnn_first_error_tell(&error);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static vdnn_status expect(vdnn_status status, vdnn_status due, const char *message)
{
    char said[VDNN_STATUS_MESSAGE_BYTES];
    (void)snprintf(said, sizeof said, "%s", vdnn_status_message());
    if (status == due && strcmp(said, message) == 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_MISMATCH, "expected %d \"%s\", got %d \"%s\"", (int)due, message,
                            (int)status, said);
}

/* Every rank is through with what came before. Who is slow may be told here of what follows. */
static void meet(vdnn_group *end)
{
    float value = 1;
    (void)vdnn_group_sum(end, &value, 1);
}

/* All that wait and all that come are told of the first one that leaves. */
static vdnn_status a_rank_that_leaves_ends_all_that_wait_and_all_that_come(vdnn_group *end)
{
    static const char due[] = "device 1: picture 7 is damaged";
    float values[2] = {1, 2};
    double number = 1;
    meet(end);
    if (vdnn_group_rank(end) == 1) {
        (void)usleep(2000); /* the others wait by then */
        vdnn_group_leave(end, VDNN_BAD_INPUT, "picture 7 is damaged");
        vdnn_group_leave(end, VDNN_DEVICE, "and more");
        return VDNN_OK;
    }
    vdnn_status status = expect(vdnn_group_rank(end) == 0 ? vdnn_group_sum(end, values, 2)
                                                          : vdnn_group_total(end, &number),
                                VDNN_BAD_INPUT, due);
    if (status == VDNN_OK)
        status = expect(vdnn_group_check(end, "a sum elsewhere"), VDNN_BAD_INPUT, due);
    return status == VDNN_OK ? expect(vdnn_group_sum(end, values, 1), VDNN_BAD_INPUT, due) : status;
}

static vdnn_status a_rank_that_leaves_ends_transfers(vdnn_group *end)
{
    static const char due[] = "device 1: picture 7 is damaged";
    float value = 1;
    meet(end);
    if (vdnn_group_rank(end) == 1) {
        (void)usleep(2000);
        vdnn_group_leave(end, VDNN_BAD_INPUT, "picture 7 is damaged");
        return VDNN_OK;
    }
    return vdnn_group_rank(end) == 0
               ? expect(vdnn_group_receive(end, 1, &value, sizeof value), VDNN_BAD_INPUT, due)
               : VDNN_OK;
}

static vdnn_status ranks_that_sum_different_sizes_are_all_told(vdnn_group *end)
{
    float values[9] = {0};
    meet(end);
    return expect(vdnn_group_sum(end, values, vdnn_group_rank(end) == 2 ? 8 : 9), VDNN_INTERNAL,
                  "devices 0 and 2 bring 9 and 8 values at one time");
}

const vdnn_group_scene vdnn_group_scenes[VDNN_GROUP_SCENE_COUNT] = {
#define X(name, ends, least_ranks) {#name, name, ends, least_ranks},
    VDNN_GROUP_SCENE_TABLE(X)
#undef X
};
