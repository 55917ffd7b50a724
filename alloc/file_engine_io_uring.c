/* io_uring by its system calls alone: two rings shared with the kernel, one of requests, one of
 * results (io_uring(7)).
 *
 *     requests:  | taken by the kernel | unsubmitted |            |
 *                                      ^head         ^tail: this side moves it
 *     results:   | seen                | complete    |            |
 *                                      ^head: this  ^tail: the kernel moves it
 */

#include "alloc/file_engine.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <string.h>

typedef struct ring {
    int file;
    unsigned *requests_tail, *results_head;
    const unsigned *results_tail;
    unsigned requests_mask, results_mask;
    unsigned *requests; /* indexes of `entries`, in order */
    const struct io_uring_cqe *results;
    struct io_uring_sqe *entries;
    void *rings;
    size_t rings_bytes, entries_bytes;
    unsigned unsubmitted;
} ring;

static void *map_part(const ring *own, size_t bytes, off_t part)
{
    void *block = vdnn_system_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                                   own->file, part);
    return block == MAP_FAILED ? NULL : block;
}

/* False with errno. */
static bool map_rings(ring *own, const struct io_uring_params *shape)
{
    const struct io_sqring_offsets *requests = &shape->sq_off;
    const struct io_cqring_offsets *results = &shape->cq_off;
    size_t requests_end = requests->array + shape->sq_entries * sizeof(unsigned);
    size_t results_end = results->cqes + shape->cq_entries * sizeof(struct io_uring_cqe);
    own->rings_bytes = requests_end > results_end ? requests_end : results_end;
    own->entries_bytes = shape->sq_entries * sizeof(struct io_uring_sqe);
    char *rings = map_part(own, own->rings_bytes, IORING_OFF_SQ_RING);
    if (rings == NULL)
        return false;
    own->rings = rings;
    own->entries = map_part(own, own->entries_bytes, IORING_OFF_SQES);
    if (own->entries == NULL)
        return false;
    own->requests_tail = (unsigned *)(void *)(rings + requests->tail);
    own->requests_mask = *(unsigned *)(void *)(rings + requests->ring_mask);
    own->requests = (unsigned *)(void *)(rings + requests->array);
    own->results_head = (unsigned *)(void *)(rings + results->head);
    own->results_tail = (unsigned *)(void *)(rings + results->tail);
    own->results_mask = *(unsigned *)(void *)(rings + results->ring_mask);
    own->results = (struct io_uring_cqe *)(void *)(rings + results->cqes);
    return true;
}

static void io_uring_close(void *state)
{
    ring *own = state;
    if (own->entries != NULL)
        (void)vdnn_system_munmap(own->entries, own->entries_bytes);
    if (own->rings != NULL)
        (void)vdnn_system_munmap(own->rings, own->rings_bytes);
    (void)vdnn_system_close(own->file);
    vdnn_heap_free(own);
}

static vdnn_status io_uring_open(int depth, void **state)
{
    /* One mapping for both rings is of Linux 5.4; reads and writes of plain memory are of 5.6. */
    enum { NEEDED = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_RW_CUR_POS };
    struct io_uring_params shape = {0};
    ring *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for an io_uring");
    own->file = vdnn_system_io_uring_setup((unsigned)depth, &shape);
    if (own->file < 0) {
        vdnn_heap_free(own);
        return vdnn_status_fail(VDNN_FILE, "the system allows no io_uring: %s", strerror(errno));
    }
    if ((shape.features & NEEDED) != NEEDED) {
        io_uring_close(own);
        return vdnn_status_fail(VDNN_FILE, "the kernel's io_uring is older than Linux 5.6");
    }
    if (!map_rings(own, &shape)) {
        vdnn_status status =
            vdnn_status_fail(VDNN_FILE, "an io_uring cannot be mapped: %s", strerror(errno));
        io_uring_close(own);
        return status;
    }
    *state = own;
    return VDNN_OK;
}

/* Submits all that is not yet, and waits until `least` are complete. False with errno. */
static bool enter(ring *own, unsigned least)
{
    int taken = vdnn_system_io_uring_enter(own->file, own->unsubmitted, least,
                                           least > 0 ? IORING_ENTER_GETEVENTS : 0);
    if (taken >= 0)
        own->unsubmitted -= (unsigned)taken;
    return taken >= 0;
}

/* What the kernel does not take now is submitted by wait, which has an error's caller. */
static void io_uring_submit(void *state, vdnn_file_piece *piece)
{
    ring *own = state;
    unsigned tail = *own->requests_tail;
    unsigned index = tail & own->requests_mask;
    own->entries[index] = (struct io_uring_sqe){
        .opcode = piece->from != NULL ? IORING_OP_WRITE : IORING_OP_READ,
        .fd = piece->file,
        .off = (uint64_t)piece->offset,
        .addr = (uint64_t)(piece->from != NULL ? (uintptr_t)piece->from : (uintptr_t)piece->to),
        .len = (unsigned)piece->bytes,
        .user_data = (uint64_t)(uintptr_t)piece,
    };
    own->requests[index] = index;
    __atomic_store_n(own->requests_tail, tail + 1, __ATOMIC_RELEASE);
    own->unsubmitted++;
    (void)enter(own, 0);
}

static vdnn_file_piece *io_uring_wait(void *state)
{
    ring *own = state;
    unsigned head = *own->results_head;
    while (head == __atomic_load_n(own->results_tail, __ATOMIC_ACQUIRE))
        if (!enter(own, 1) && errno != EINTR && errno != EAGAIN && errno != EBUSY)
            return NULL;
    const struct io_uring_cqe *result = &own->results[head & own->results_mask];
    vdnn_file_piece *piece = (vdnn_file_piece *)(uintptr_t)result->user_data;
    piece->result = result->res;
    __atomic_store_n(own->results_head, head + 1, __ATOMIC_RELEASE);
    return piece;
}

const vdnn_file_engine vdnn_file_engine_io_uring = {
    .name = "io_uring",
    .open = io_uring_open,
    .close = io_uring_close,
    .submit = io_uring_submit,
    .wait = io_uring_wait,
};
