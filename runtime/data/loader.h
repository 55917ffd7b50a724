#ifndef VDNN_RUNTIME_DATA_LOADER_H
#define VDNN_RUNTIME_DATA_LOADER_H

/* The loader: fills batches ahead of the training on separate threads.
 *
 * The order is a pure function of (seed, epoch, position): sample `i` of epoch `e` is
 * vdnn_random_permute(seed, e, i, count), or `i` itself without shuffling; of a text, windows begin
 * at a place that is a function of (seed, epoch). An epoch has floor(count
 * / batch) batches; the remainder is dropped (or kept for evaluation: filled up from the start, and
 * `valid` is how many count). Where several loaders share the batches, each reads its
 * samples of every batch.
 *
 * It begins with one thread by default. While the caller waits for a batch its compute threads are
 * idle, so each wait that is long enough starts another loader thread, up to worker_limit: as many
 * as the data requires, and no more that would compete with the compute.
 *
 * Labels that are an input's values (vdnn_dataset_label_input) are those that the network reads: as
 * floats, normalized, cropped and flipped.
 *
 * Invariant: batches come out in order, each exactly once, with the same bits whatever the number
 * of threads; a slot's memory is the caller's and is not accessed between next and release.
 * Threads: next and release by one thread.
 *
 *     vdnn_loader_request request = {dataset, batch, dtype, seed, .shuffle = true, slots, 2};
 *     status = vdnn_loader_create(&request, &loader);
 *     status = vdnn_loader_next(loader, &batch);  // waits; or a worker's error
 *     vdnn_loader_release(loader);
 *     count = vdnn_loader_take_reads(loader, reads, VDNN_LOADER_MAX_READS); // if it records them
 *     vdnn_loader_destroy(loader);
 */

#include "layers/tensor.h"
#include "runtime/data/dataset.h"
#include "runtime/data/transform.h"

#include <stdbool.h>

typedef struct vdnn_loader vdnn_loader;

/* The memory of a batch, borrowed from the caller: per input of the set batch * elements of a
 * sample of the request's dtype, or int32_t if it is tokens; then batch * labels of a sample. */
typedef struct vdnn_loader_slot {
    void *inputs[VDNN_INPUTS_MAX];
} vdnn_loader_slot;

enum { VDNN_LOADER_MAX_SLOTS = 8, VDNN_LOADER_MAX_WORKERS = 64 };

/* When a thread read samples of a batch: from the begin of its first to the end of its last. */
typedef struct vdnn_loader_read {
    double start, end; /* seconds on the system's monotonic clock */
    uint64_t batch;    /* its global number */
    int worker;        /* from 0 */
    size_t bytes;      /* of its samples */
} vdnn_loader_read;

/* Those of all batches that can be complete and not yet released, and of the next one. */
enum { VDNN_LOADER_MAX_READS = (VDNN_LOADER_MAX_SLOTS + 1) * VDNN_LOADER_MAX_WORKERS };

typedef struct vdnn_loader_request {
    const vdnn_dataset *dataset; /* borrowed */
    int64_t batch;               /* samples */
    vdnn_dtype dtype;            /* of pictures as delivered */
    uint64_t seed;
    bool shuffle, keep_remainder;
    uint64_t first_batch; /* global number of the batch to begin with */
    uint64_t batch_limit; /* number of batches; 0: endless, epoch after epoch */
    const vdnn_loader_slot *slots;
    int slot_count;   /* 1 .. VDNN_LOADER_MAX_SLOTS */
    int worker_limit; /* threads at the most, up to VDNN_LOADER_MAX_WORKERS; 0: one */
    int worker_first; /* threads to begin with, if possible; 0: one */
    bool records;     /* from the first batch on, as by vdnn_loader_record */
    bool waits;       /* a batch is read only once it is allowed */
    vdnn_transform transforms[VDNN_INPUTS_MAX - 1]; /* per input, of pictures */
    vdnn_picture_size label_size; /* labels that are one for each pixel, which move with the first
                                     picture that does; no channels: they stay */
    int32_t label_outside;        /* of pixels from outside */
    /* Where several loaders share the batches: the samples of a whole batch, and of those the ones
     * before this loader's; 0: all are this loader's. */
    int64_t step_batch, first_sample;
} vdnn_loader_request;

typedef struct vdnn_loader_batch {
    const vdnn_loader_slot *slot;
    const void *labels; /* its last */
    uint64_t epoch;
    uint64_t first_sample; /* global position of the first one */
    int64_t valid;         /* samples that count; batch but for a kept remainder */
} vdnn_loader_batch;

/* VDNN_BAD_INPUT when the set is smaller than a batch and the remainder is not kept. Starts
 * reading. */
vdnn_status vdnn_loader_create(const vdnn_loader_request *request, vdnn_loader **loader);

/* The next batch; waits for it. Several may be held, up to slot_count. An error of reading is
 * returned after the batches before it, and at every further call; of several that of the first
 * sample; VDNN_INTERNAL after batch_limit batches. */
vdnn_status vdnn_loader_next(vdnn_loader *loader, vdnn_loader_batch *batch);
/* One batch more may be read, of a loader that waits. */
void vdnn_loader_allow(vdnn_loader *loader);
/* Releases the oldest batch that is held. */
void vdnn_loader_release(vdnn_loader *loader);
/* At any time, also while samples are read: waits for at most one of each thread. Accepts NULL. */
void vdnn_loader_destroy(vdnn_loader *loader);

/* Says whether it is recorded when batches are read, from the next sample on. */
void vdnn_loader_record(vdnn_loader *loader, bool records);
/* What was recorded since the last call, in the order in which it ended, at most `most`: the
 * earliest are forgotten where more than VDNN_LOADER_MAX_READS were. Returns their number. */
int vdnn_loader_take_reads(vdnn_loader *loader, vdnn_loader_read *reads, int most);

/* Number of threads so far. */
int vdnn_loader_worker_count(const vdnn_loader *loader);

uint64_t vdnn_loader_batches_per_epoch(uint64_t count, int64_t batch, bool keep_remainder);

#endif
