#ifndef VDNN_RUNTIME_DEVICE_DEVICE_H
#define VDNN_RUNTIME_DEVICE_DEVICE_H

/* Devices: memory in two tiers, streams, events, copies, kernels.
 *
 * Everything enqueued on a stream is asynchronous and runs in the stream's order. Each operation
 * has an event (0 .. event_count - 1): it is complete when the operation is, others of its round
 * wait for it, and it keeps the times of start and end. An event belongs to one operation a round.
 *
 * A round is what is enqueued between two calls of vdnn_device_round. Up to VDNN_DEVICE_ROUNDS are
 * under way at a time, so that a device never runs dry between two of them; vdnn_device_finish
 * completes the oldest. What a stream has of one round it runs before what it has of the next; no
 * other order is between rounds.
 *
 *     host     round 1 | enqueue | round 2 | enqueue | finish 1 | round 3 | enqueue | finish 2 ...
 *     device             |-- 1 ------------------------||-- 2 ------------------------||-- 3 ---
 *
 * This wrapper owns defaults and bounds checks over a backend table; each backend (device_cpu.c,
 * ...) is one const vdnn_device_backend and one line in device.c.
 *
 * Invariant: an operation touches only extents inside the two tiers' blocks and the staging blocks;
 * the wrapper checks each and records the highest end really handed out.
 * Threads: one thread drives a device; errors of asynchronous operations stick until the round's
 * finish returns the first of them.
 *
 *     status = vdnn_device_open("cpu", &options, &device);
 *     status = vdnn_device_reserve(device, VDNN_TIER_DEVICE, arena_bytes);
 *     status = vdnn_device_round(device);
 *     status = vdnn_device_launch(device, stream, event, waits, wait_count, &launch);
 *     status = vdnn_device_finish(device); // or synchronize: all rounds that are under way
 *     vdnn_device_close(device);
 */

#include "runtime/device/figure.h"
#include "runtime/plan/plan.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_device vdnn_device;

typedef struct vdnn_device_options {
    int threads;           /* of the host: compute threads of the CPU device, for preparing data
                            * beside a card; 0: OpenMP's default */
    int event_count;       /* the most operations in one round */
    bool nondeterministic; /* algorithms that give other bits each time are let in */
    bool poison;           /* memory is full of NaN at first, not of zeros */
} vdnn_device_options;

typedef struct vdnn_device_properties {
    const char *kind;    /* "cpu" */
    char name[128];      /* the processor's name */
    char library[128];   /* versions of what computes: part of a profile's key */
    size_t memory_bytes; /* in all */
    size_t free_bytes;   /* what a new process can safely take now */
    /* Of a card: what its context, the libraries and other programs have of it before any tier. */
    size_t taken_bytes;
    bool shares_host_memory; /* both tiers are the same RAM */
    bool has_link;           /* between them, which copies cross beside the compute */
    bool loads_late;         /* kernels take memory of the device when they first run */
    /* Of a card: of the last cache before its memory, which nothing else goes through. */
    size_t cache_bytes;
    /* A launch's `run` enqueues kernels from the host's thread, so that an operation takes as long
     * as the host where its stream runs dry; else the stream's own thread calls it. */
    bool enqueues;
    int threads;
    int free_threads; /* of the host, while the device computes; 0: it computes with them itself */
    /* Keeps time and computes nothing: its memory has addresses and no content, its times are
     * predicted (vdnn_device_predict) instead of measured. */
    bool simulated;
    bool calibrated;            /* simulated: on measurements, else from datasheets alone */
    const vdnn_figure *figures; /* simulated by a model: what it is made of, the device's own */
    int figure_count;
    size_t host_free_bytes; /* simulated: of the host's memory; else 0, this machine's counts */
    /* Simulated by the times that were measured on a real device, and knows no others. */
    bool recorded;
    int link_devices;      /* simulated: how many of such devices share a link to the host */
    vdnn_layout preferred; /* of maps */
    vdnn_layout other;     /* that may be faster in tf32 and bf16; else `preferred` */
    bool fuses_relu;       /* has algorithms that apply the relu behind a layer */
    bool copies_weights;   /* has algorithms that read copies of weights (layers/weight_copy.h) */
    bool nondeterministic; /* its algorithms may give other bits each time */
} vdnn_device_properties;

/* Where a copy moves bytes from or to, beside the tiers: the staging blocks. */
enum { VDNN_STAGING = VDNN_TIER_COUNT, VDNN_DEVICE_ENDS };

/* Part of a tier handed to an operation. */
typedef struct vdnn_extent {
    vdnn_tier tier;
    size_t offset, bytes;
} vdnn_extent;

/* A piece of work for the compute stream: on cpu it is called on the stream's thread, on cuda at
 * once, to enqueue kernels on `stream`. `argument` must live until the round is over. */
typedef struct vdnn_launch {
    vdnn_status (*run)(void *argument, void *stream);
    void *argument;
    const vdnn_extent *extents; /* all that it touches */
    int32_t extent_count;
    double seconds; /* as estimated: what a simulated device takes for it */
} vdnn_launch;

/* Told when an operation begins and ends, on the thread that runs it (cpu) or enqueues it (cuda):
 * for tools that draw what happens. A simulated device has nobody to tell. */
typedef struct vdnn_device_observer {
    void (*begin)(const void *argument, int32_t event);
    void (*end)(const void *argument, int32_t event);
    const void *argument;
} vdnn_device_observer;

/* Whether this build has such devices, which says nothing of the machine. */
bool vdnn_device_is_built(const char *kind);

/* Whether this machine has such a device too, which says nothing of whether it can be opened. */
bool vdnn_device_is_there(const char *kind);

/* The layout that maps should have on such a device of this machine; NCHW for an unknown kind. */
vdnn_layout vdnn_device_preferred_layout(const char *kind);

/* The layout that planning may take instead of it, where it is faster in tf32 and bf16; the
 * preferred one where there is none. */
vdnn_layout vdnn_device_other_layout(const char *kind);

/* Whether such a device has algorithms that apply the relu behind a layer too. */
bool vdnn_device_fuses_relu(const char *kind);

/* Why such devices do not compute with maps of a data type, in words; NULL: they do. */
const char *vdnn_device_refusal(const char *kind, vdnn_dtype dtype);

/* What such a device of this machine lacks for speed in a data type, in words: one thing for each
 * `i` from 0 on, NULL beyond the last. */
const char *vdnn_device_lack(const char *kind, vdnn_dtype dtype, size_t i);

vdnn_status vdnn_device_open(const char *kind, const vdnn_device_options *options,
                             vdnn_device **device);
void vdnn_device_close(vdnn_device *device);
const vdnn_device_properties *vdnn_device_describe(const vdnn_device *device);

/* Makes it the device that the calling thread's questions to algorithms are of, and for which it
 * creates and destroys kernels. Every other function of a device does so by itself. */
vdnn_status vdnn_device_select(const vdnn_device *device);

/* The algorithm of that number, from 0, for a type of layer: of this build's for the device's kind,
 * or of those that the device was recorded with; NULL beyond the last. */
const vdnn_algorithm *vdnn_device_algorithm(const vdnn_device *device, const char *layer_type,
                                            size_t i);

/* As vdnn_algorithm_ask, of the selected device; what it was opened without is refused too. A layer
 * that has a signature is asked about once, also if it is another one of the same. */
vdnn_status vdnn_device_ask(vdnn_device *device, const vdnn_algorithm *row, const vdnn_layer *layer,
                            vdnn_pass pass, vdnn_offer *offer);
/* As vdnn_kernel_create, with what vdnn_device_ask says. */
vdnn_status vdnn_device_kernel(vdnn_device *device, const vdnn_algorithm *row,
                               const vdnn_layer *layer, vdnn_pass pass, vdnn_kernel **kernel);

/* Of a simulated device: what one pass of a layer takes by an algorithm, the launch not counted.
 * VDNN_DEVICE with the reason where this card does not do it so, VDNN_BAD_INPUT where it was not
 * recorded. */
vdnn_status vdnn_device_predict(const vdnn_device *device, const vdnn_layer *layer, vdnn_pass pass,
                                const vdnn_algorithm *algorithm, double *seconds,
                                size_t *workspace_bytes);
vdnn_rates vdnn_device_predict_rates(const vdnn_device *device);

/* The tier's one block: its base, or VDNN_DEVICE with the bytes and the limit that stopped it. A
 * second call replaces the block. Zeroed, or poisoned as the options say. The host tier is pinned
 * as far as is allowed: vdnn_device_locked_bytes says how much was. */
vdnn_status vdnn_device_reserve(vdnn_device *device, vdnn_tier tier, size_t bytes);
/* NULL: none, 0 bytes, or a simulated device's. */
void *vdnn_device_base(const vdnn_device *device, vdnn_tier tier);
size_t vdnn_device_tier_bytes(const vdnn_device *device, vdnn_tier tier); /* as reserved */
/* The largest device tier that can be reserved now, while there is none. */
size_t vdnn_device_free_bytes(const vdnn_device *device);
size_t vdnn_device_locked_bytes(const vdnn_device *device);
/* Why copies wait for the compute and for each other, in words: memory of the host that could not
 * be pinned. NULL: they overlap. Borrowed until the next call of a function of the device. */
const char *vdnn_device_pageable(vdnn_device *device);
/* A small pinned block beside the tiers, for the loader and results. Freed by close or unstage. */
vdnn_status vdnn_device_stage(vdnn_device *device, size_t bytes, void **block);
void vdnn_device_unstage(vdnn_device *device, void *block);

/* Room for at least so many operations in a round, where that is more than the options asked for.
 * Only while no round is under way; VDNN_NO_MEMORY leaves the device as it was. */
vdnn_status vdnn_device_grow_events(vdnn_device *device, int32_t event_count);

/* Who is told of the operations that are enqueued from now on into the round that was begun last;
 * NULL: nobody, as at its begin. Borrowed until they are complete: with its round an observer is
 * forgotten, whether that ends well or not. */
void vdnn_device_observe(vdnn_device *device, const vdnn_device_observer *observer);

/* The most rounds that can be under way. */
enum { VDNN_DEVICE_ROUNDS = 2 };

/* Begins a round: all events are pending. VDNN_INTERNAL where as many as can be are under way. */
vdnn_status vdnn_device_round(vdnn_device *device);
/* Likewise a round of which nobody asks when its operations ran: a GPU needs an event less for each
 * of them. Only those for which `awaited` (by event; borrowed until the next round) is true can be
 * waited for. */
vdnn_status vdnn_device_round_untimed(vdnn_device *device, const bool *awaited);

/* Enqueue into the round that was begun last: after `waits` (events of this round, enqueued before)
 * do the operation, complete `event`. */
vdnn_status vdnn_device_launch(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                               const int32_t *waits, int32_t wait_count, const vdnn_launch *launch);
/* Between the tiers, or within one. */
vdnn_status vdnn_device_copy(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             vdnn_extent from);
/* Between a staging block and the device tier (to.bytes and from.bytes bytes). */
vdnn_status vdnn_device_load(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             const void *from);
vdnn_status vdnn_device_store(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                              const int32_t *waits, int32_t wait_count, void *to, vdnn_extent from);

/* Waits until the oldest round that is under way is complete; its first error. Behind an operation
 * that failed nothing is computed, neither of its round nor of those after it: after an error none
 * is under way. */
vdnn_status vdnn_device_finish(vdnn_device *device);
/* Finishes all rounds that are under way; the first error. */
vdnn_status vdnn_device_synchronize(vdnn_device *device);
/* Waits for one operation that was enqueued in the oldest round under way; its error is finish's to
 * tell. */
void vdnn_device_wait(vdnn_device *device, int32_t event);

/* Of the round that was finished last, while fewer than VDNN_DEVICE_ROUNDS are under way, and not
 * of an untimed one: the seconds since it began at which the event's operation started and ended;
 * when it began, on the clock of vdnn_device_now. */
void vdnn_device_times(const vdnn_device *device, int32_t event, double *start, double *end);
double vdnn_device_began(const vdnn_device *device);
/* Seconds on the clock that the device keeps time by, from some instant on: the machine's, or of a
 * simulated device the sum of the rounds that were finished. */
double vdnn_device_now(const vdnn_device *device);

/* Bytes that the copies of the round that was finished last have moved from a tier or VDNN_STAGING
 * to another, counted by whatever moved them and told once they were complete; 0 after an error. */
size_t vdnn_device_moved_bytes(const vdnn_device *device, int from, int to);

/* Blocking copies for setting up and reading back: weights in, weights out. What is read back from
 * a simulated device, by this or by store, has all bits set: no number. */
vdnn_status vdnn_device_write(vdnn_device *device, size_t offset, const void *from, size_t bytes);
vdnn_status vdnn_device_read(vdnn_device *device, void *to, size_t offset, size_t bytes);

/* A hash of the bytes in an extent that a launch was lent: called from its `run`, with its stream.
 */
vdnn_status vdnn_device_digest(const vdnn_device *device, vdnn_extent extent, void *stream,
                               uint64_t *digest);

/* The highest end address handed to an operation in a tier since the last call of reset. */
size_t vdnn_device_high_water(const vdnn_device *device, vdnn_tier tier);
void vdnn_device_reset_high_water(vdnn_device *device);

/* Allocations in any tier since open: must not change while steps run. */
size_t vdnn_device_allocation_count(const vdnn_device *device);

#endif
