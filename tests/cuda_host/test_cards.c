/* Cards that sum in their own memory by NCCL, over the emulation of CUDA: two cards of one process,
 * each on a thread, every call of NCCL that fails, and a card that leaves while the other waits. */

#include "layers/cuda/stream.h"
#include "runtime/base/system.h"
#include "runtime/comm/collectives.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

enum { CARDS = 2, VALUES = 1000, FAULT = 2 };

typedef struct member {
    vdnn_group *end;
    int card;
    bool leaves; /* before it brings anything */
    vdnn_first_error error;
    float brought[VALUES], result[3][VALUES];
    pthread_t thread;
} member;

static float value_of(int card, int i)
{
    return (float)(card + 1) * 0.1F + (float)i;
}

static vdnn_status expect_cuda(cudaError_t error)
{
    return vdnn_cuda_check("CUDA", error);
}

/* What the ranks bring, summed as a whole, in halves, and all on the first card. */
static vdnn_status sum_values(member *own, vdnn_collectives *cards, float *values,
                              vdnn_cuda_stream *stream)
{
    static vdnn_shard_rule *const rules[] = {vdnn_shard_even, vdnn_shard_even, vdnn_shard_first};
    const size_t bytes = VALUES * sizeof(float);
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VALUES; i++)
        own->brought[i] = value_of(own->card, i);
    for (int k = 0; k < 3 && status == VDNN_OK; k++) {
        status = expect_cuda(
            cudaMemcpyAsync(values, own->brought, bytes, cudaMemcpyHostToDevice, stream->handle));
        if (status == VDNN_OK && k != 1)
            status = vdnn_collectives_sum(cards, values, VALUES, rules[k], stream);
        else if (status == VDNN_OK)
            status = vdnn_collectives_reduce_scatter(cards, values, VALUES, rules[k], stream);
        if (status == VDNN_OK && k == 1)
            status = vdnn_collectives_all_gather(cards, values, VALUES, rules[k], stream);
        if (status == VDNN_OK)
            status = expect_cuda(cudaMemcpyAsync(own->result[k], values, bytes,
                                                 cudaMemcpyDeviceToHost, stream->handle));
    }
    return status;
}

/* With the card's stream and memory; what waits on the stream ends before both are freed. */
static vdnn_status use_card(member *own, vdnn_collectives *cards)
{
    vdnn_cuda_stream stream = {.handle = NULL};
    void *values = NULL;
    vdnn_status status =
        expect_cuda(cudaStreamCreateWithFlags(&stream.handle, cudaStreamNonBlocking));
    if (status == VDNN_OK)
        status = expect_cuda(cudaMalloc(&values, VALUES * sizeof(float)));
    if (status == VDNN_OK && own->leaves)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "picture 7 is damaged");
    if (status == VDNN_OK)
        status = sum_values(own, cards, values, &stream);
    if (status != VDNN_OK)
        vdnn_group_leave(own->end, status, vdnn_status_message());
    vdnn_first_error_keep(&own->error, status);
    if (stream.handle != NULL)
        vdnn_first_error_keep(&own->error, expect_cuda(cudaStreamSynchronize(stream.handle)));
    vdnn_first_error_keep(&own->error, vdnn_collectives_check(cards));
    (void)cudaFree(values);
    if (stream.handle != NULL)
        (void)cudaStreamDestroy(stream.handle);
    return own->error.status;
}

static void *run_member(void *argument)
{
    member *own = argument;
    vdnn_collectives *cards = NULL;
    vdnn_status status = expect_cuda(cudaSetDevice(own->card));
    if (status == VDNN_OK)
        status = vdnn_collectives_open("cuda", own->end, &cards);
    vdnn_first_error_keep(&own->error, status);
    if (status == VDNN_OK)
        (void)use_card(own, cards);
    vdnn_collectives_close(cards);
    return NULL;
}

static void run_cards(member *members)
{
    vdnn_group *ends[CARDS];
    assert_ok(vdnn_group_open(&vdnn_transport_in_process, CARDS, ends));
    for (int c = 0; c < CARDS; c++) {
        members[c].end = ends[c];
        members[c].card = c;
        assert_int_equal(vdnn_system_start_thread(&members[c].thread, run_member, &members[c]), 0);
    }
    for (int c = 0; c < CARDS; c++)
        assert_int_equal(pthread_join(members[c].thread, NULL), 0);
    for (int c = 0; c < CARDS; c++)
        vdnn_group_close(ends[c]);
}

static int make_cards(void **state)
{
    (void)state;
    vdnn_cuda_host_reset();
    return vdnn_cuda_host_set("devices", CARDS) ? 0 : -1;
}

TEST_WITH(sums_are_enqueued_on_the_streams_of_all_cards, make_cards, NULL)
{
    member members[CARDS] = {{0}};
    run_cards(members);
    for (int c = 0; c < CARDS; c++)
        assert_ok(vdnn_first_error_tell(&members[c].error));
    for (int c = 0; c < CARDS; c++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < VALUES; i++) {
                const float due = value_of(0, i) + value_of(1, i);
                assert_memory_equal(&members[c].result[k][i], &due, sizeof due);
            }
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

TEST_WITH(a_card_that_waits_on_its_stream_is_told_why_another_left, make_cards, NULL)
{
    member members[CARDS] = {{0}, {.leaves = true}};
    run_cards(members);
    assert_int_equal(members[0].error.status, VDNN_BAD_INPUT);
    assert_string_equal(members[0].error.message, "device 1: picture 7 is damaged");
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* Of a call: whichever thread makes it. */
static bool fails_well(const char *call, int nth)
{
    member members[CARDS] = {{0}};
    vdnn_cuda_host_fail(call, nth, FAULT);
    run_cards(members);
    const bool happened = vdnn_cuda_host_calls(call) >= nth;
    vdnn_cuda_host_fail(call, 0, 0);
    int failed = 0;
    for (int c = 0; c < CARDS; c++)
        if (members[c].error.status != VDNN_OK) {
            failed++;
            assert_int_equal(members[c].error.status, VDNN_DEVICE);
            assert_true(members[c].error.message[0] != '\0');
        }
    /* The guard asks again. */
    const bool is_forgiven =
        strcmp(call, "ncclCommDestroy") == 0 || strcmp(call, "ncclCommGetAsyncError") == 0;
    if (happened && !is_forgiven)
        assert_true(failed > 0);
    assert_int_equal(vdnn_cuda_host_live(), 0);
    return happened;
}

TEST_WITH(every_call_that_fails_ends_both_cards, make_cards, NULL)
{
    static const char *const calls[] = {
        "ncclGetUniqueId", "ncclCommInitRank", "ncclGroupStart",
        "ncclGroupEnd",    "ncclAllReduce",    "ncclReduce",
        "ncclBroadcast",   "ncclCommDestroy",  "ncclCommGetAsyncError"};
    int faults = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int nth = 1; fails_well(calls[i], nth); nth++)
            faults++;
    print_message("%d calls\n", faults);
    assert_true(faults > 20);
}
