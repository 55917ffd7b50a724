#ifndef VDNN_RUNTIME_DEVICE_DEVICE_BACKEND_H
#define VDNN_RUNTIME_DEVICE_DEVICE_BACKEND_H

/* A device backend: one const table of functions, called by the files of device.h.
 *
 * A round has one of VDNN_DEVICE_ROUNDS places, in turn: a backend keeps the state of a round once
 * per place.
 *
 * Invariant: they have checked every argument: streams, events (each once a round), waits
 * (enqueued earlier in the round), extents and staging blocks; a round begins in a place only after
 * the one before it there was finished. A backend need not check again.
 * Threads: called by the one thread that drives the device.
 *
 *     const vdnn_device_backend vdnn_device_cpu = {.kind = "cpu", .open = cpu_open, ...};
 *     status = backend->open("", &options, &properties, &state);
 *     status = backend->reserve(state, VDNN_TIER_DEVICE, bytes, &base, &locked_bytes);
 *     status = backend->round(state, place, true);
 *     status = backend->enqueue(state, &work); // into the round that was begun last
 *     status = backend->finish(state, place);  // the one that was begun first
 */

#include "runtime/device/device.h"

/* The tiers that backends reserve, the first ones: the file tier is the wrapper's. */
enum { VDNN_DEVICE_TIERS = VDNN_TIER_FILE };

/* Bytes that copies have moved, by source and destination. */
typedef struct vdnn_device_moved {
    size_t bytes[VDNN_DEVICE_ENDS][VDNN_DEVICE_ENDS];
} vdnn_device_moved;

/* One operation: a launch if `run` is set, else a copy of `bytes`; or both, a copy that `run` does.
 * Pointers, not extents: already resolved. */
typedef struct vdnn_device_work {
    vdnn_stream_id stream;
    int place;
    int32_t event;
    bool awaited;         /* others may wait for it; always in a timed round */
    const int32_t *waits; /* borrowed for the call */
    int32_t wait_count;
    vdnn_status (*run)(void *argument, void *stream);
    void *argument;
    bool on_host; /* `run` is called when the stream reaches it, on a thread of the host, also where
                     launches are called to enqueue kernels */
    void *to;
    const void *from;
    int to_end, from_end;          /* of a copy: tiers, or VDNN_STAGING */
    size_t to_offset, from_offset; /* in these, of tiers in files */
    size_t bytes;
    double seconds;                       /* of a launch, as estimated */
    vdnn_compute_kind compute;            /* of a launch: what it is during copies */
    size_t reduced_bytes;                 /* of a launch that sums them over devices, else 0 */
    vdnn_reduce_part reduce_part;         /* of such a launch */
    const vdnn_device_observer *observer; /* NULL: none */
} vdnn_device_work;

typedef struct vdnn_device_backend {
    const char *kind;
    /* How many the machine has: "kind:N" is one of them, from 0 on, "kind" the first. NULL: as many
     * as are opened, without numbers. */
    int32_t (*count)(void);
    vdnn_layout (*preferred)(void); /* layout of maps */
    vdnn_layout (*other)(void);     /* another that may be faster; NULL: none */
    bool fuses_relu;                /* has algorithms that apply the relu after a layer */
    bool copies_weights;            /* has algorithms that read copies of weights */
    /* Why it has no kernels for maps of a data type; NULL: it has. Without this function: f32 and
     * bf16.
     */
    /* Whether it plans TF32 or F16, which not every device does; NULL: it does not. */
    bool (*has_type)(const char *instance, vdnn_dtype dtype);
    /* What makes a data type slow here, one reason per `i` from 0 on; NULL after the last. */
    const char *(*lack)(const char *instance, vdnn_dtype dtype, size_t i);
    /* Why such devices cannot sum gradients with others; NULL: they can, as without this function.
     */
    const char *(*sums_lack)(void);
    /* `instance` is the text after "kind:", or "". Properties that it does not set are those of the
     * kind. */
    vdnn_status (*open)(const char *instance, const vdnn_device_options *options,
                        vdnn_device_properties *properties, void **state);
    void (*close)(void *state); /* everything enqueued is complete */
    /* Selects the device for the calling thread: before each of the other functions except enqueue,
     * whose errors finish returns, and before queries of its algorithms; NULL: not required. */
    vdnn_status (*select)(const void *state);
    /* Allocates that many events; no round is in flight. */
    vdnn_status (*resize)(void *state, int32_t event_count);
    /* Frees the tier's block and allocates another (none for 0 bytes). On failure there is none. */
    vdnn_status (*reserve)(void *state, vdnn_tier tier, size_t bytes, void **base,
                           size_t *locked_bytes);
    /* Of the device tier, while there is none; NULL: as in the properties. */
    size_t (*free_bytes)(const void *state);
    vdnn_status (*stage)(void *state, size_t bytes, void **block);
    void (*unstage)(void *state, void *block, size_t bytes);
    /* Whether kernels can write to a staging block, at its address; NULL: to all. */
    bool (*reaches)(const void *state, const void *block);
    /* Why host memory is pageable, and its bytes; NULL: none is, or it makes no difference. */
    const char *(*pageable)(const void *state, size_t *bytes);
    vdnn_status (*round)(void *state, int place, bool timed);
    vdnn_status (*enqueue)(void *state, const vdnn_device_work *work);
    /* Waits until it is complete, also by an error. */
    void (*wait)(void *state, int place, int32_t event);
    /* The round's first error. After one nothing runs any more, and the errors of later rounds,
     * which are finished next, are ignored. */
    vdnn_status (*finish)(void *state, int place);
    /* Bytes moved by the copies of a round that finished without an error: counted at the call that
     * moves the bytes, not where they are requested. */
    const vdnn_device_moved *(*moved)(const void *state, int place);
    /* Of a finished timed round. */
    void (*times)(const void *state, int place, int32_t event, double *start, double *end);
    double (*began)(const void *state, int place);
    double (*now)(const void *state); /* NULL: the machine's clock */
    /* Blocking; to or from is in the device tier. */
    vdnn_status (*transfer)(void *state, void *to, const void *from, size_t bytes);
    /* A hash of bytes of a tier, inside a launch on `stream`. */
    vdnn_status (*digest)(const void *state, const void *from, size_t bytes, void *stream,
                          uint64_t *digest);
    size_t (*allocation_count)(const void *state);
    /* Only of a simulated device; else NULL. */
    vdnn_status (*predict)(const void *state, const vdnn_layer *layer, vdnn_pass pass,
                           const vdnn_algorithm *algorithm, double *seconds,
                           size_t *workspace_bytes);
    vdnn_rates (*predict_rates)(const void *state);
    /* The rows that it chooses from; NULL, or none: those of the registry for its kind. */
    const vdnn_algorithm *(*algorithms)(const void *state, size_t *count);
} vdnn_device_backend;

extern const vdnn_device_backend vdnn_device_cpu, vdnn_device_cuda, vdnn_device_sim;

/* Threads of the host that are a device's: each of several has the same number, on which bits
 * depend. */
int vdnn_device_host_threads(const vdnn_device_options *options);

/* Devices of this kind that any thread of the process opens from now on use this backend; NULL
 * restores the real one. For tests: an adaptor around the real one, which counts, fails or flips
 * bits. */
void vdnn_device_replace(const vdnn_device_backend *backend);

#endif
