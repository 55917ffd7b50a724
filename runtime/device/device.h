#ifndef VDNN_RUNTIME_DEVICE_DEVICE_H
#define VDNN_RUNTIME_DEVICE_DEVICE_H

/* Devices: memory in tiers, streams, events, copies, kernels.
 *
 * Everything enqueued on a stream is asynchronous and runs in the stream's order. Each operation
 * has an event (0 .. event_count - 1): it is complete when the operation is, others of its round
 * wait for it, and it keeps the times of start and end. An event belongs to one operation a round.
 *
 * A round is what is enqueued between two calls of vdnn_device_round. Up to VDNN_DEVICE_ROUNDS are
 * under way at a time, so that a device is never idle between two of them; vdnn_device_finish
 * completes the oldest. A stream runs its operations of one round before those of the next; rounds
 * are not ordered otherwise.
 *
 *     host     round 1 | enqueue | round 2 | enqueue | finish 1 | round 3 | enqueue | finish 2 ...
 *     device             |-- 1 ------------------------||-- 2 ------------------------||-- 3 ---
 *
 * This wrapper owns defaults and bounds checks over a backend table; each backend (device_cpu.c,
 * ...) is one const vdnn_device_backend and one line in device_kinds.c.
 *
 * The file tier is a file in a folder (alloc/file_tier.h), the same on every device. It is reached
 * from the host tier alone, whose blocks stage what goes between it and the device.
 *
 * Invariant: an operation touches only extents inside the tiers' blocks and the staging blocks;
 * the wrapper checks each and records the highest end passed to an operation.
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
    int threads; /* of the host: compute threads of the CPU device, or threads that load data for a
                    card, and before either those that plan; 0: OpenMP's default */
    int event_count;                      /* the most operations in one round */
    bool nondeterministic;                /* admit algorithms whose bits differ from run to run */
    bool poison;                          /* memory is NaN at first, not zero */
    const char *folders[VDNN_TIER_COUNT]; /* of tiers in files; NULL: there is no such tier */
    int devices;                          /* of this process, which share its threads; 0: one */
    int ranks;                            /* devices that sum gradients, of all processes; 0: one */
    vdnn_reduce_scheme reduce;            /* how they do */
    vdnn_dtype dtype;                     /* of the network's maps */
} vdnn_device_options;

typedef struct vdnn_device_properties {
    const char *kind;    /* "cpu" */
    char name[128];      /* the processor's name */
    char library[128];   /* versions of libraries: part of a profile's key */
    size_t memory_bytes; /* in all */
    size_t free_bytes;   /* bytes that a new process can safely take now */
    /* Of a card: bytes that its context, libraries and other programs take before any tier. */
    size_t taken_bytes;
    bool shares_host_memory; /* its tier and the host's are the same RAM */
    bool has_link;           /* between them, which copies cross during compute */
    bool loads_late;         /* kernels take memory of the device when they first run */
    /* Of a card: bytes of its last-level cache. */
    size_t cache_bytes;
    int multiprocessors; /* of a card; else 0 */
    /* A launch's `run` enqueues kernels from the host's thread, so that the host determines an
     * operation's time if its stream is empty; else the stream's thread calls it. */
    bool enqueues;
    int threads;
    int free_threads; /* free host threads while the device computes; 0: it computes with them */
    /* Simulated: it computes nothing, its memory has addresses and no content, and its times are
     * predicted (vdnn_device_predict) instead of measured. */
    bool simulated;
    bool calibrated;            /* simulated: fitted to measurements, else from datasheets only */
    vdnn_accuracy accuracy;     /* simulated by a model: of its convolutions, in the type */
    const vdnn_figure *figures; /* simulated by a model: its figures, owned by the device */
    int figure_count;
    size_t host_free_bytes; /* simulated: of the host's memory; else 0, this machine's counts */
    double spill_bytes_per_second, fill_bytes_per_second; /* of the file tier; 0: not measured */
    /* Simulated by the times measured on a real device; has no others. */
    bool recorded;
    int link_devices;      /* simulated: how many devices share a link to the host */
    vdnn_layout preferred; /* of maps */
    vdnn_layout other;     /* may be faster in tf32 and bf16; else `preferred` */
    bool is_apart;         /* its memory is not that of other devices: they send it what it sums */
    bool sums_on_host;     /* its kernels and the host's memory can take part in sums, too */
    bool fuses_relu;       /* has algorithms that apply the relu after a layer */
    bool pools_first;      /* its times are of max pools before the ReLUs in front of them */
    bool copies_weights;   /* has algorithms that read copies of weights (layers/weight_copy.h) */
    bool nondeterministic; /* its algorithms' bits may differ from run to run */
} vdnn_device_properties;

/* Source or destination of copies that is no tier: the staging blocks. */
enum { VDNN_STAGING = VDNN_TIER_COUNT, VDNN_DEVICE_ENDS };

/* Part of a tier that an operation accesses. */
typedef struct vdnn_extent {
    vdnn_tier tier;
    size_t offset, bytes;
} vdnn_extent;

/* A piece of work for the compute stream: on cpu it is called on the stream's thread, on cuda at
 * once, to enqueue kernels on `stream`. `argument` must live until the round is over. */
typedef struct vdnn_launch {
    vdnn_status (*run)(void *argument, void *stream);
    void *argument;
    const vdnn_extent *extents; /* all extents that it accesses */
    int32_t extent_count;
    double seconds;            /* estimated: its time on a simulated device */
    vdnn_compute_kind compute; /* what it is during copies, there */
    size_t reduced_bytes;      /* that it sums over devices; 0: none */
    vdnn_reduce_part reduce_part;
} vdnn_launch;

/* Called when an operation begins and ends, on the thread that runs it (cpu) or enqueues it (cuda):
 * for external profilers. A simulated device does not call it. */
typedef struct vdnn_device_observer {
    void (*begin)(const void *argument, int32_t event);
    void (*end)(const void *argument, int32_t event);
    const void *argument;
} vdnn_device_observer;

/* Whether this build supports the kind, whatever the machine has. */
bool vdnn_device_is_built(const char *kind);

/* Whether this machine has such a device too, whether or not it can be opened. */
bool vdnn_device_is_there(const char *kind);

/* How many such devices there are, from that one on: of "cuda:1" one less than the machine has.
 * INT32_MAX where each that is opened is a further one. */
int32_t vdnn_device_count(const char *kind);

/* The n-th device from that one on: "cuda:3" of "cuda:1" and 2, "cpu" of "cpu" and any. Returns
 * `text`, or `kind`. */
enum { VDNN_DEVICE_TEXT_BYTES = 32 };
const char *vdnn_device_beside(const char *kind, int32_t n, char text[VDNN_DEVICE_TEXT_BYTES]);

/* Why such devices cannot sum gradients with others, as text; NULL: they can. */
const char *vdnn_device_sums_lack(const char *kind);

/* The layout that maps should have on such a device of this machine; NCHW for an unknown kind. */
vdnn_layout vdnn_device_preferred_layout(const char *kind);

/* The layout that planning may use instead if it is faster in tf32 and bf16; the preferred one if
 * there is none. */
vdnn_layout vdnn_device_other_layout(const char *kind);

/* Whether such a device has algorithms that apply the relu after a layer. */
bool vdnn_device_fuses_relu(const char *kind);

/* Why such devices do not support maps of a data type, as text; NULL: they do. */
const char *vdnn_device_refusal(const char *kind, vdnn_dtype dtype);

/* What makes such a device of this machine slow in a data type, as text: one reason per `i` from 0
 * on, NULL after the last. */
const char *vdnn_device_lack(const char *kind, vdnn_dtype dtype, size_t i);

vdnn_status vdnn_device_open(const char *kind, const vdnn_device_options *options,
                             vdnn_device **device);
void vdnn_device_close(vdnn_device *device);
const vdnn_device_properties *vdnn_device_describe(const vdnn_device *device);

/* Selects the device for the calling thread, for queries of algorithms and for creating and
 * destroying kernels. All other functions of a device do so themselves. */
vdnn_status vdnn_device_select(const vdnn_device *device);

/* The next algorithm for a type of layer, past which *next moves, from 0: of this build's for the
 * device's kind, or of those that the device was recorded with; NULL after the last. */
const vdnn_algorithm *vdnn_device_algorithm(const vdnn_device *device, const char *layer_type,
                                            size_t *next);

/* Asks as vdnn_algorithm_ask does, for the selected device; nondeterministic algorithms are refused
 * unless it was opened with them. The answer is cached by the layer's signature. On the CPU a pass
 * of a few microseconds has one thread, any other all of the device's. */
vdnn_status vdnn_device_ask(vdnn_device *device, const vdnn_algorithm *row, const vdnn_layer *layer,
                            vdnn_pass pass, vdnn_offer *offer);
/* Does what vdnn_kernel_create does, with the offer of vdnn_device_ask. */
vdnn_status vdnn_device_kernel(vdnn_device *device, const vdnn_algorithm *row,
                               const vdnn_layer *layer, vdnn_pass pass, vdnn_kernel **kernel);

/* On a simulated device: the seconds of one pass of a layer by an algorithm, without the launch.
 * VDNN_DEVICE with the reason if the card does not support it, VDNN_BAD_INPUT if it was not
 * recorded. */
vdnn_status vdnn_device_predict(const vdnn_device *device, const vdnn_layer *layer, vdnn_pass pass,
                                const vdnn_algorithm *algorithm, double *seconds,
                                size_t *workspace_bytes);
vdnn_rates vdnn_device_predict_rates(const vdnn_device *device);

/* The tier's one block: its base, or VDNN_DEVICE with the bytes and the limit that stopped it. A
 * second call replaces the block. Zeroed, or poisoned if the options say so. The host tier is
 * pinned as far as allowed: vdnn_device_locked_bytes is how much was. The file tier is VDNN_FILE if
 * its folder cannot be used or has less space. */
vdnn_status vdnn_device_reserve(vdnn_device *device, vdnn_tier tier, size_t bytes);
/* Sets these two of its properties. */
void vdnn_device_set_disk_rates(vdnn_device *device, double spill_bytes_per_second,
                                double fill_bytes_per_second);
/* NULL: no block, 0 bytes, the file tier, or a simulated device. */
void *vdnn_device_base(const vdnn_device *device, vdnn_tier tier);
size_t vdnn_device_tier_bytes(const vdnn_device *device, vdnn_tier tier); /* as reserved */
/* The largest device tier that can be reserved now, while there is none. */
size_t vdnn_device_free_bytes(const vdnn_device *device);
size_t vdnn_device_locked_bytes(const vdnn_device *device);
/* Why copies do not overlap with compute and each other, as text: host memory that could not be
 * pinned. NULL: they overlap. Borrowed until the next call of a function of the device. */
const char *vdnn_device_pageable(vdnn_device *device);
/* A small pinned block outside the tiers, for the loader and results. Freed by close or unstage. */
vdnn_status vdnn_device_stage(vdnn_device *device, size_t bytes, void **block);
void vdnn_device_unstage(vdnn_device *device, void *block);
/* Whether the device's kernels can write to it: on a card, if it was pinned. */
bool vdnn_device_reaches(const vdnn_device *device, const void *block);

/* Raises the number of operations in a round to at least this. Only while no round is in flight;
 * VDNN_NO_MEMORY leaves the device unchanged. */
vdnn_status vdnn_device_grow_events(vdnn_device *device, int32_t event_count);

/* Sets the observer of operations that are enqueued from now on into the round begun last; NULL:
 * none, as at its begin. Borrowed until they are complete; the end of the round, with or without an
 * error, removes it. */
void vdnn_device_observe(vdnn_device *device, const vdnn_device_observer *observer);

/* The most rounds in flight. */
enum { VDNN_DEVICE_ROUNDS = 2 };

/* Begins a round: all events are pending. VDNN_INTERNAL if the maximum is in flight. */
vdnn_status vdnn_device_round(vdnn_device *device);
/* Begins a round without times of its operations: a GPU needs one event less for each. Only those
 * for which `awaited` (by event; borrowed until the next round) is true can be waited for. */
vdnn_status vdnn_device_round_untimed(vdnn_device *device, const bool *awaited);

/* Enqueue into the round begun last: after `waits` (earlier events of this round) run the
 * operation, then complete `event`. */
vdnn_status vdnn_device_launch(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                               const int32_t *waits, int32_t wait_count, const vdnn_launch *launch);
/* Between the device and the host tier, or within one; or between the host and the file tier, on
 * the stream for that, at an offset of whole blocks (VDNN_FILE_BLOCK). */
vdnn_status vdnn_device_copy(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             vdnn_extent from);
/* Between a staging block and the device tier (to.bytes and from.bytes bytes). */
vdnn_status vdnn_device_load(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                             const int32_t *waits, int32_t wait_count, vdnn_extent to,
                             const void *from);
vdnn_status vdnn_device_store(vdnn_device *device, vdnn_stream_id stream, int32_t event,
                              const int32_t *waits, int32_t wait_count, void *to, vdnn_extent from);

/* Waits until the oldest round in flight is complete; its first error. After a failed operation
 * nothing is computed, neither in its round nor in later ones: after an error none is in flight. */
vdnn_status vdnn_device_finish(vdnn_device *device);
/* Finishes all rounds in flight; the first error. */
vdnn_status vdnn_device_synchronize(vdnn_device *device);
/* Waits for one operation of the oldest round in flight; finish returns its error. */
void vdnn_device_wait(vdnn_device *device, int32_t event);

/* Of the round that was finished last, while fewer than VDNN_DEVICE_ROUNDS are under way, and not
 * of an untimed one: the seconds since it began at which the event's operation started and ended;
 * when it began, on the clock of vdnn_device_now. */
void vdnn_device_times(const vdnn_device *device, int32_t event, double *start, double *end);
double vdnn_device_began(const vdnn_device *device);
/* Seconds on the device's clock since some instant: the machine's clock, or on a simulated device
 * the sum of the finished rounds. */
double vdnn_device_now(const vdnn_device *device);

/* Bytes that the copies of the round finished last have moved from one tier or VDNN_STAGING to
 * another, counted where they are moved, once they are complete; 0 after an error. */
size_t vdnn_device_moved_bytes(const vdnn_device *device, int from, int to);

/* Blocking copies outside of steps, into a tier or out of it: weights in, weights out. Data read
 * from a simulated device, by this or by store, has all bits set: not a number. */
vdnn_status vdnn_device_write(vdnn_device *device, vdnn_tier in, size_t offset, const void *from,
                              size_t bytes);
vdnn_status vdnn_device_read(vdnn_device *device, void *to, vdnn_tier in, size_t offset,
                             size_t bytes);

/* A hash of the bytes in an extent of a launch: called from its `run`, with its stream. */
vdnn_status vdnn_device_digest(const vdnn_device *device, vdnn_extent extent, void *stream,
                               uint64_t *digest);

/* The highest end address passed to an operation in a tier since the last reset. */
size_t vdnn_device_high_water(const vdnn_device *device, vdnn_tier tier);
void vdnn_device_reset_high_water(vdnn_device *device);

/* Allocations in any tier since open: must not change while steps run. */
size_t vdnn_device_allocation_count(const vdnn_device *device);

#endif
