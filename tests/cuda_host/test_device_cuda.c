/* The CUDA device over the emulation: its errors, failures in the middle, and that nothing is left
 * behind. */

#include "layers/cuda/blas.h"
#include "layers/layer.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_backend.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/gpu.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { EVENTS = 8, MIB = 1 << 20, FLOATS = MIB / 4 };

static vdnn_status open_as(const char *kind, vdnn_device **device)
{
    vdnn_device_options options = {.event_count = EVENTS};
    return vdnn_device_open(kind, &options, device);
}

static int reset(void **state)
{
    (void)state;
    vdnn_cuda_host_reset();
    return cudaSetDevice(0) == cudaSuccess ? 0 : -1;
}

static vdnn_device *open_device(size_t device_bytes, size_t host_bytes)
{
    vdnn_device *device = NULL;
    assert_ok(open_as("cuda", &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, device_bytes));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, host_bytes));
    return device;
}

/* ---- what is not there ----------------------------------------------------------------------- */

TEST_WITH(what_is_missing_is_named_with_what_would_help, reset, NULL)
{
    static const struct {
        const char *setting;
        long long value;
        const char *kind, *found, *help;
    } cases[] = {
        {"driver", 0, "cuda", "driver (libcuda.so.1) was not found", "install it"},
        {"driver", 12040, "cuda", "the driver is for CUDA 12.4, this build needs 13.0",
         "newer driver"},
        {"devices", 0, "cuda", "the driver finds no card", "CUDA_VISIBLE_DEVICES"},
        {"devices", 2, "cuda:2", "no CUDA device 2: there are 2, numbered from 0", "cuda:1"},
        {"devices", 1, "cuda:x", "no CUDA device 'x'", "a number from 0"},
        {"devices", 1, "cuda:1x", "no CUDA device '1x'", "a number from 0"},
        {"capability", 61, "cuda", "compute capability 6.1", "7.5 and newer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_device *device = NULL;
        vdnn_cuda_host_reset();
        assert_true(vdnn_cuda_host_set(cases[i].setting, cases[i].value));
        assert_status(open_as(cases[i].kind, &device), VDNN_DEVICE);
        assert_message(cases[i].found);
        assert_message(cases[i].help);
        assert_message("no CUDA device");
        assert_null(device);
    }
}

TEST_WITH(errors_of_the_driver_are_told_with_what_would_help, reset, NULL)
{
    static const struct {
        const char *call;
        int error;
        const char *help;
    } cases[] = {
        {"cudaFree", cudaErrorDevicesUnavailable, "another process has exclusive use of the card"},
        {"cudaFree", cudaErrorMemoryAllocation, "end other programs on the card"},
        {"cudaGetDeviceCount", cudaErrorUnsupportedPtxVersion, "install a newer driver"},
        {"cudaStreamCreateWithFlags", cudaErrorECCUncorrectable, "the card's memory is damaged"},
        {"cudaMemGetInfo", cudaErrorNotPermitted, "nvidia-smi"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_device *device = NULL;
        vdnn_cuda_host_reset();
        vdnn_cuda_host_fail(cases[i].call, 1, cases[i].error);
        assert_status(open_as("cuda", &device), VDNN_DEVICE);
        assert_message(cases[i].call);
        assert_message(cases[i].help);
        assert_int_equal(vdnn_cuda_host_live(), 0);
        assert_int_equal(cudaGetLastError(), cudaSuccess);
    }
}

TEST_WITH(a_card_is_described, reset, NULL)
{
    vdnn_device *device = NULL;
    assert_true(vdnn_cuda_host_set("devices", 2));
    assert_ok(open_as("cuda:1", &device));
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    assert_string_equal(properties->kind, "cuda");
    assert_string_equal(properties->name, "CUDA emulated on the CPU");
    assert_non_null(strstr(properties->library, "CUDA 13.0, driver 13.0, capability 9.0"));
    assert_int_equal(properties->memory_bytes, (size_t)4 << 30);
    assert_true(properties->free_bytes < properties->memory_bytes);
    assert_false(properties->shares_host_memory || properties->simulated);
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST_WITH(more_than_the_card_has_is_refused_with_what_it_has, reset, NULL)
{
    vdnn_device *device = open_device(MIB, MIB);
    size_t all = vdnn_device_describe(device)->memory_bytes;
    assert_status(vdnn_device_reserve(device, VDNN_TIER_DEVICE, all), VDNN_DEVICE);
    assert_message("the device tier needs 4294967296 bytes");
    assert_message("--device-mem");
    assert_null(vdnn_device_base(device, VDNN_TIER_DEVICE));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, MIB));
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* A host tier that is all zero, to which the device's can be copied. */
static void expect_a_host_tier(vdnn_device *device, size_t locked_bytes)
{
    vdnn_extent to = {VDNN_TIER_HOST, 0, MIB}, from = {VDNN_TIER_DEVICE, 0, MIB};
    const char *base = vdnn_device_base(device, VDNN_TIER_HOST);
    assert_int_equal(vdnn_device_locked_bytes(device), locked_bytes);
    assert_true(base[0] == 0 && memcmp(base, base + 1, MIB - 1) == 0);
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 0, NULL, 0, to, from));
    assert_ok(vdnn_device_synchronize(device));
}

TEST_WITH(memory_that_cannot_be_registered_is_allocated_pinned, reset, NULL)
{
    vdnn_device *device = open_device(MIB, 0);
    vdnn_cuda_host_fail("cudaHostRegister", 1, cudaErrorMemoryAllocation);
    size_t before = vdnn_device_allocation_count(device);
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, MIB));
    assert_true(vdnn_device_allocation_count(device) > before);
    assert_null(vdnn_device_pageable(device));
    expect_a_host_tier(device, MIB);
    assert_int_equal(vdnn_cuda_host_calls("cudaHostAlloc"), 1);
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_calls("cudaFreeHost"), 1);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

TEST_WITH(memory_that_cannot_be_pinned_either_way_is_pageable_and_works, reset, NULL)
{
    void *block = NULL;
    vdnn_device *device = open_device(MIB, 0);
    vdnn_cuda_host_fail("cudaHostRegister", 1, cudaErrorNotPermitted);
    vdnn_cuda_host_fail("cudaHostAlloc", 1, cudaErrorMemoryAllocation);
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, MIB));
    expect_a_host_tier(device, 0);
    assert_string_equal(vdnn_device_pageable(device),
                        "1048576 bytes of host memory are pageable (cudaHostRegister: operation "
                        "not permitted; cudaHostAlloc: out of memory)");
    vdnn_cuda_host_fail("cudaHostRegister", 1, cudaErrorNotPermitted);
    vdnn_cuda_host_fail("cudaHostAlloc", 1, cudaErrorMemoryAllocation);
    assert_ok(vdnn_device_stage(device, 100, &block));
    assert_non_null(strstr(vdnn_device_pageable(device), "1048676 bytes"));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, 0));
    vdnn_device_unstage(device, block);
    assert_null(vdnn_device_pageable(device));
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* ---- what fails in the middle ------------------------------------------------------------------
 */

TEST_WITH(the_error_of_a_kernel_is_told_once_all_is_still_and_ends_the_device, reset, NULL)
{
    vdnn_device *device = open_device((size_t)2 * MIB, MIB);
    float *sum = vdnn_device_base(device, VDNN_TIER_DEVICE);
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, (size_t)2 * MIB}, from = {VDNN_TIER_DEVICE, 0, MIB};
    vdnn_test_adding own = {sum, sum + FLOATS, FLOATS, 3};
    vdnn_launch work = vdnn_test_add(&own, &all);
    vdnn_cuda_host_fail("kernel", 2, cudaErrorIllegalAddress);
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 1, (int32_t[]){0}, 1,
                               (vdnn_extent){VDNN_TIER_HOST, 0, MIB}, from));
    vdnn_device_wait(device, 1);
    assert_status(vdnn_device_synchronize(device), VDNN_DEVICE);
    assert_message("cudaErrorIllegalAddress");
    assert_message("start again");
    assert_status(vdnn_device_round(device), VDNN_DEVICE);
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* A kernel, a copy that waits for it, and a result that follows the copy. */
static vdnn_status enqueue_round(vdnn_device *device, vdnn_test_adding *own, void *block)
{
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, (size_t)2 * MIB}, from = {VDNN_TIER_DEVICE, 0, MIB};
    vdnn_extent to = {VDNN_TIER_HOST, 0, MIB}, result = {VDNN_TIER_DEVICE, 0, 100};
    vdnn_launch work = vdnn_test_add(own, &all);
    vdnn_status status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work);
    if (status == VDNN_OK)
        status = vdnn_device_copy(device, VDNN_STREAM_OUT, 1, (int32_t[]){0}, 1, to, from);
    if (status == VDNN_OK)
        status = vdnn_device_store(device, VDNN_STREAM_OUT, 2, NULL, 0, block, result);
    return status;
}

/* All that a run does with a device: two rounds, the second enqueued behind the first. */
static vdnn_status use(vdnn_device *device)
{
    static const bool awaited[2 * EVENTS] = {[0] = true};
    void *block = NULL;
    vdnn_status status = vdnn_device_reserve(device, VDNN_TIER_DEVICE, (size_t)2 * MIB);
    if (status == VDNN_OK)
        status = vdnn_device_reserve(device, VDNN_TIER_HOST, MIB);
    if (status == VDNN_OK)
        status = vdnn_device_stage(device, 100, &block);
    if (status == VDNN_OK)
        status = vdnn_device_grow_events(device, 2 * EVENTS);
    if (status == VDNN_OK)
        status = vdnn_device_write(device, VDNN_TIER_DEVICE, 0, block, 100);
    if (status != VDNN_OK)
        return status;
    float *sum = vdnn_device_base(device, VDNN_TIER_DEVICE);
    vdnn_test_adding own = {sum, sum + FLOATS, FLOATS, 2};
    status = vdnn_device_round(device);
    if (status == VDNN_OK)
        status = enqueue_round(device, &own, block);
    if (status == VDNN_OK)
        status = vdnn_device_round_untimed(device, awaited);
    if (status == VDNN_OK)
        status = enqueue_round(device, &own, block);
    vdnn_status complete = vdnn_device_synchronize(device);
    return status == VDNN_OK ? complete : status;
}

/* Whether the n-th such call failing is an error of the run; a device that is not lost works on. */
static bool fails_with(const char *call, int n)
{
    vdnn_device *device = NULL;
    size_t before = vdnn_heap_live_count();
    vdnn_cuda_host_reset();
    vdnn_cuda_host_fail(call, n, cudaErrorNotPermitted);
    vdnn_status status = open_as("cuda", &device);
    if (status == VDNN_OK)
        status = use(device);
    bool was_reached = vdnn_cuda_host_calls(call) >= n;
    if (status != VDNN_OK) {
        assert_status(status, VDNN_DEVICE);
        assert_message("cuda: ");
    }
    vdnn_cuda_host_fail(call, 0, 0);
    if (device != NULL)
        assert_ok(use(device));
    vdnn_device_close(device);
    assert_int_equal(vdnn_cuda_host_live(), 0);
    assert_int_equal(vdnn_heap_live_count(), before);
    if (!was_reached)
        assert_int_equal(status, VDNN_OK);
    return was_reached;
}

TEST_WITH(whatever_call_fails_is_told_and_leaves_nothing_behind, reset, NULL)
{
    static const char *const calls[] = {
#define X(name, parameters) #name,
        VDNN_CUDA_HOST_CALL_TABLE(X)
#undef X
            "cublasCreate",
        "launch"};
    int reached = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int n = 1;
        /* Thousands of the same: the first of them stand for all. */
        while (n < 12 && fails_with(calls[i], n))
            n++;
        reached += n - 1;
    }
    assert_true(reached > 60);
}

TEST_WITH(memory_of_the_host_that_runs_out_is_told, reset, NULL)
{
    size_t before = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_device *device = NULL;
        vdnn_heap_fail_after(n);
        status = open_as("cuda", &device);
        if (status == VDNN_OK)
            status = use(device);
        vdnn_heap_fail_after(0);
        vdnn_device_close(device);
        assert_int_equal(vdnn_heap_live_count(), before);
        assert_int_equal(vdnn_cuda_host_live(), 0);
        assert_true(n < 100);
    }
}

/* ---- several cards --------------------------------------------------------------------------- */

/* What one card is lent for a test: made while it is current. */
typedef struct card_loan {
    float *block; /* of FLOATS */
    vdnn_cuda_stream stream;
    cudaEvent_t event;
} card_loan;

static card_loan borrow_card(int card)
{
    card_loan own = {0};
    assert_int_equal(cudaSetDevice(card), cudaSuccess);
    assert_int_equal(cudaMalloc((void **)&own.block, MIB), cudaSuccess);
    assert_int_equal(cudaMemset(own.block, 0, MIB), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&own.stream.handle, cudaStreamNonBlocking),
                     cudaSuccess);
    assert_int_equal(cudaEventCreate(&own.event), cudaSuccess);
    return own;
}

static void return_card(const card_loan *own)
{
    (void)cudaStreamDestroy(own->stream.handle);
    (void)cudaEventDestroy(own->event);
    (void)cudaFree(own->block);
}

static vdnn_status add_on(card_loan *on, float *sum, const float *part)
{
    return vdnn_elementwise_find("cuda")->accumulate(sum, part, VDNN_F32, FLOATS, 1, &on->stream);
}

TEST_WITH(what_is_of_one_card_works_with_nothing_of_another, reset, NULL)
{
    static float host[FLOATS];
    assert_true(vdnn_cuda_host_set("devices", 2));
    card_loan cards[2] = {borrow_card(0), borrow_card(1)}, *own = &cards[1];
    float *block = own->block, *other = cards[0].block;
    cudaStream_t stream = own->stream.handle;
    assert_ok(add_on(own, block, block));
    assert_int_equal(cudaEventRecord(own->event, stream), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(host, block, MIB, cudaMemcpyDeviceToHost, stream),
                     cudaSuccess);
    assert_int_equal(cudaEventRecord(cards[0].event, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaMemcpyAsync(host, other, MIB, cudaMemcpyDeviceToHost, stream),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaMemsetAsync(other, 0, MIB, stream), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamWaitEvent(stream, cards[0].event, 0), cudaSuccess);

    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_status(add_on(own, block, block), VDNN_DEVICE);
    assert_message("cudaErrorInvalidResourceHandle");
    assert_int_equal(cudaMemset(block, 0, MIB), cudaErrorInvalidValue);
    assert_int_equal(cudaEventRecord(own->event, NULL), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(own->event, stream), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(host, block, MIB, cudaMemcpyDeviceToHost, stream),
                     cudaSuccess);

    assert_int_equal(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    (void)add_on(&cards[0], other, block); /* which may be told of it already */
    assert_int_equal(cudaStreamSynchronize(cards[0].stream.handle), cudaErrorIllegalAddress);
    return_card(&cards[0]);
    return_card(own);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* Another program may ask for the card's memory at any moment. */
TEST_WITH(what_is_free_is_said_without_taking_it, reset, NULL)
{
    size_t left = 0, total = 0;
    vdnn_device *device = NULL;
    assert_ok(open_as("cuda", &device));
    vdnn_cuda_host_fail("cudaMalloc", 0, 0);
    const size_t free_bytes = vdnn_device_free_bytes(device);
    assert_int_equal(vdnn_cuda_host_calls("cudaMalloc"), 0);
    assert_int_equal(cudaMemGetInfo(&left, &total), cudaSuccess);
    assert_in_range(free_bytes, left - left / 256, left);
    vdnn_device_close(device);
}

TEST_WITH(every_card_has_memory_of_its_own, reset, NULL)
{
    size_t all[2], left[2], total;
    assert_true(vdnn_cuda_host_set("devices", 2));
    card_loan own = borrow_card(1);
    for (int card = 0; card < 2; card++) {
        assert_int_equal(cudaSetDevice(card), cudaSuccess);
        assert_int_equal(cudaMemGetInfo(&left[card], &all[card]), cudaSuccess);
    }
    assert_int_equal(all[0], left[0]);
    assert_int_equal(all[1], left[1] + MIB);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    return_card(&own);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&left[1], &total), cudaSuccess);
    assert_int_equal(left[1], total);
}

/* A product of cuBLAS with the card that `current` says; the handle is of card 1. */
static vdnn_status multiply_with(vdnn_cuda_stream *stream, int current, const float *factor,
                                 float *product)
{
    const vdnn_cuda_product one = {.a_is = CUBLAS_OP_N,
                                   .b_is = CUBLAS_OP_N,
                                   .m = 1,
                                   .n = 1,
                                   .k = 1,
                                   .a = factor,
                                   .b = factor,
                                   .c = product,
                                   .count = 1};
    assert_int_equal(cudaSetDevice(current), cudaSuccess);
    return vdnn_cuda_blas_multiply(stream, &one);
}

TEST_WITH(a_librarys_handle_is_of_one_card, reset, NULL)
{
    const vdnn_cuda_blas *blas = vdnn_cuda_blas_find();
    assert_true(vdnn_cuda_host_set("devices", 2));
    card_loan cards[2] = {borrow_card(0), borrow_card(1)}, *own = &cards[1];
    assert_int_equal(blas->create(&own->stream.blas), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(blas->set_stream(own->stream.blas, own->stream.handle), CUBLAS_STATUS_SUCCESS);
    assert_ok(multiply_with(&own->stream, 1, own->block, own->block));
    assert_status(multiply_with(&own->stream, 0, own->block, own->block), VDNN_DEVICE);
    assert_status(multiply_with(&own->stream, 1, cards[0].block, own->block), VDNN_DEVICE);
    assert_int_equal(blas->destroy(own->stream.blas), CUBLAS_STATUS_SUCCESS);
    return_card(&cards[0]);
    return_card(own);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Those of a layer always; of as many as are more than a launch is handed, several. */
TEST_WITH(updates_that_are_due_together_are_one_launch, reset, NULL)
{
    static const struct {
        int32_t updates;
        int launches;
    } cases[] = {{0, 0}, {1, 1}, {4, 1}, {64, 1}, {65, 2}, {129, 3}};
    enum { MOST = 129 };
    const vdnn_step_context context = {.settings = {.lr = 1}};
    card_loan card = borrow_card(0);
    vdnn_update updates[MOST];
    for (int i = 0; i < MOST; i++)
        updates[i] = (vdnn_update){.rule = i % 2 ? VDNN_UPDATE_AVERAGE : VDNN_UPDATE_OPTIMIZER,
                                   .w = card.block + i,
                                   .slots = {card.block + MOST + i},
                                   .dw = card.block + 2 * MOST,
                                   .count = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int before = vdnn_cuda_host_calls("kernel");
        assert_ok(vdnn_elementwise_find("cuda")->update(updates, cases[i].updates, 1, &context,
                                                        &card.stream));
        assert_int_equal(cudaStreamSynchronize(card.stream.handle), cudaSuccess);
        assert_int_equal(vdnn_cuda_host_calls("kernel") - before, cases[i].launches);
    }
    return_card(&card);
}

/* A launch writes one copy at the most. */
TEST_WITH(an_update_writes_the_copy_of_its_weight_in_the_same_launch, reset, NULL)
{
    enum { COUNT = 2 };
    const vdnn_step_context context = {.settings = {.lr = 1}};
    const float w[COUNT] = {1.5F, -2.0F}, dw[COUNT] = {0.5F, 1.0F};
    const uint16_t narrow[COUNT] = {0x3F80, 0xC040}; /* 1, -3 */
    uint16_t copies[COUNT];
    vdnn_layer layer = {.def = vdnn_layer_def_find("fc"),
                        .params = {{.dims = {1, 1}, .count = 1}},
                        .x = &(vdnn_desc){.dims = {1, 1, 1, 1}, .dtype = VDNN_BF16},
                        .y = {.dims = {1, 1, 1, 1}, .dtype = VDNN_BF16}};
    card_loan card = borrow_card(0);
    vdnn_update updates[COUNT];
    uint16_t *copy = (uint16_t *)(void *)(card.block + 64);
    (void)cudaMemcpyAsync(card.block, w, sizeof w, cudaMemcpyHostToDevice, card.stream.handle);
    (void)cudaMemcpyAsync(card.block + 32, dw, sizeof dw, cudaMemcpyHostToDevice,
                          card.stream.handle);
    for (int i = 0; i < COUNT; i++)
        updates[i] = (vdnn_update){.rule = VDNN_UPDATE_OPTIMIZER,
                                   .w = card.block + i,
                                   .slots = {card.block + 16 + i},
                                   .dw = card.block + 32 + i,
                                   .count = 1,
                                   .layer = &layer,
                                   .copy = copy + i};
    int before = vdnn_cuda_host_calls("kernel");
    assert_ok(vdnn_elementwise_find("cuda")->update(updates, COUNT, 1, &context, &card.stream));
    (void)cudaMemcpyAsync(copies, copy, sizeof copies, cudaMemcpyDeviceToHost, card.stream.handle);
    assert_int_equal(cudaStreamSynchronize(card.stream.handle), cudaSuccess);
    assert_int_equal(vdnn_cuda_host_calls("kernel") - before, COUNT);
    assert_memory_equal(copies, narrow, sizeof narrow);
    return_card(&card);
}

/* ---- events ---------------------------------------------------------------------------------- */

TEST_WITH(an_operation_has_an_event_of_its_own_for_its_start_only_where_it_waited, reset, NULL)
{
    enum { OPERATIONS = 6, COPY = 3 };
    vdnn_device *device = open_device(MIB, MIB);
    float *sum = vdnn_device_base(device, VDNN_TIER_DEVICE);
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, MIB}, host = {VDNN_TIER_HOST, 0, MIB};
    vdnn_test_adding own = {sum, sum + FLOATS / 2, FLOATS / 2, 1};
    vdnn_launch work = vdnn_test_add(&own, &all);
    double start[OPERATIONS], end[OPERATIONS];
    int before = vdnn_cuda_host_calls("cudaEventRecord");
    assert_ok(vdnn_device_round(device));
    for (int32_t i = 0; i < OPERATIONS; i++) {
        const int32_t earlier = i - 1;
        bool waits = i == COPY || i == COPY + 1;
        if (i == COPY)
            assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, i, &earlier, waits, host, all));
        else
            assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, i, &earlier, waits, &work));
    }
    assert_ok(vdnn_device_synchronize(device));
    /* Of the card's clock and the round; the ends; the starts of the first, the copy and what waits
     * for it. */
    assert_int_equal(vdnn_cuda_host_calls("cudaEventRecord") - before, 2 + OPERATIONS + 3);
    for (int32_t i = 0; i < OPERATIONS; i++)
        vdnn_device_times(device, i, &start[i], &end[i]);
    assert_true(start[1] == end[0] && start[2] == end[1] && start[COPY] >= end[2] &&
                start[COPY + 1] >= end[COPY] && start[COPY + 2] == end[COPY + 1]);
    vdnn_device_close(device);
}

/* Seven operations: what the copy waits for has an event, and what is last on its stream. */
TEST_WITH(an_untimed_round_has_events_only_where_somebody_waits, reset, NULL)
{
    enum { OPERATIONS = 7, COPY = 3 };
    static const bool awaited[EVENTS] = {[COPY - 1] = true};
    static const char *const calls[] = {"cudaEventRecord", "cudaEventSynchronize",
                                        "cudaStreamSynchronize", "cudaEventElapsedTime"};
    static const int expected[] = {1 + 2, 2, 0, 0};
    vdnn_device *device = open_device(MIB, MIB);
    float *sum = vdnn_device_base(device, VDNN_TIER_DEVICE);
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, MIB}, host = {VDNN_TIER_HOST, 0, MIB / 2};
    vdnn_extent only_read = {VDNN_TIER_DEVICE, MIB / 2, MIB / 2}; /* while it is copied */
    vdnn_test_adding own = {sum, sum + FLOATS / 2, FLOATS / 2, 1};
    vdnn_launch work = vdnn_test_add(&own, &all);
    int before[4];
    assert_ok(vdnn_device_round_untimed(device, awaited)); /* the clock's event */
    for (size_t i = 0; i < 4; i++)
        before[i] = vdnn_cuda_host_calls(calls[i]);
    for (int32_t i = 0; i < OPERATIONS; i++)
        if (i == COPY)
            assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, i, (int32_t[]){i - 1}, 1, host,
                                       only_read));
        else
            assert_ok(vdnn_device_launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, &work));
    assert_ok(vdnn_device_round_untimed(device, awaited));
    assert_ok(vdnn_device_finish(device));
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(vdnn_cuda_host_calls(calls[i]) - before[i], expected[i]);
    vdnn_device_close(device);
}
