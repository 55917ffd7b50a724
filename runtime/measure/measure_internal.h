#ifndef VDNN_RUNTIME_MEASURE_MEASURE_INTERNAL_H
#define VDNN_RUNTIME_MEASURE_MEASURE_INTERNAL_H

/* What the parts of measuring share.
 *
 *     profile_measure.c            the object, its memory
 *     profile_measure_condition.c  operations that make conditions: fill, sweep, hold
 *     profile_measure_run.c        the time of whatever is enqueued, under these conditions
 *     profile_measure_pass.c       a pass of a layer, with memory lent to its kernel
 *     profile_measure_samples.c    how many samples that is of, and what the whole batch takes
 *     profile_measure_rates.c      copies, updates
 *
 * The device tier:
 *
 *     | others              | operands             | what runs write      |
 *     0                     |<-- filled_bytes ---->|                      |
 *     |<-- others_bytes --->|<-- reserved_bytes ------------------------->|
 *
 * Invariant: the operands hold the pattern (layers/pattern.h); nothing reads what the others hold.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_need(measure, bytes);
 *     status = vdnn_measure_fill(measure, operand_bytes);
 *     const vdnn_timed timed = {.enqueue = enqueue_kernel, .argument = &run, .event_count = 1};
 *     status = vdnn_measure_median(measure, &timed, &seconds);
 */

#include "layers/measuring.h"
#include "runtime/measure/measure.h"

/* A run that takes so long is not repeated: it is far above any noise. */
#define VDNN_MEASURE_LONG_SECONDS 0.1

/* The most operations of a run. */
enum { VDNN_MEASURE_EVENTS = 64 };

struct vdnn_measure {
    vdnn_device *device; /* borrowed */
    const vdnn_device_properties *properties;
    const vdnn_measuring *conditions; /* of the device's kind */
    vdnn_step_context context;
    size_t working_bytes;
    size_t others_bytes;   /* what stands for the work of other layers between two runs of one */
    size_t reserved_bytes; /* behind them */
    size_t filled_bytes;
    double launch_seconds; /* from one operation of a full stream to the next */
    double empty_seconds;  /* of these, inside of an operation that does nothing */
    double worked_until;   /* on the machine's clock: when the device last had work; 0: never */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Makes the tier hold at least so many bytes behind the others. */
vdnn_status vdnn_measure_need(vdnn_measure *measure, size_t bytes);
/* Fills the first of them with the pattern, as far as they do not hold it. */
vdnn_status vdnn_measure_fill(vdnn_measure *measure, size_t bytes);
/* `count` labels of so many classes. */
vdnn_status vdnn_measure_number(vdnn_measure *measure, size_t offset, int64_t count,
                                int64_t classes);
/* Part of the tier by its place behind the others, and the address of the first byte there. */
vdnn_extent vdnn_measure_extent(const vdnn_measure *measure, size_t offset, size_t bytes);
char *vdnn_measure_base(const vdnn_measure *measure);

/* ---- conditions ------------------------------------------------------------------------------ */

/* An operation of the device's row of layers/measuring.h. */
typedef struct vdnn_condition {
    vdnn_status (*run)(void *argument, void *stream);
    const vdnn_measure *measure; /* borrowed */
    vdnn_extent extent;
    double seconds;         /* of a hold */
    int64_t count, classes; /* of labels */
} vdnn_condition;

vdnn_condition vdnn_condition_fill(const vdnn_measure *measure, vdnn_extent extent);
vdnn_condition vdnn_condition_number(const vdnn_measure *measure, vdnn_extent extent, int64_t count,
                                     int64_t classes);
vdnn_condition vdnn_condition_sweep(const vdnn_measure *measure);
vdnn_condition vdnn_condition_hold(const vdnn_measure *measure, double seconds);
/* Of one that lives until the round is over. */
vdnn_launch vdnn_condition_launch(vdnn_condition *condition);

/* ---- runs ------------------------------------------------------------------------------------ */

/* Something whose time is asked. */
typedef struct vdnn_timed {
    /* Enqueues operations 0 .. event_count - 1, each after `waits`. */
    vdnn_status (*enqueue)(vdnn_measure *measure, void *argument, const int32_t *waits,
                           int32_t wait_count);
    void *argument;
    int32_t event_count;
    bool is_held;          /* its stream must be full, whatever the device */
    bool is_step;          /* it finds the caches as a step of a network leaves them */
    vdnn_extent fresh;     /* in a step, what the step before has just written */
    double enough_seconds; /* where it takes longer, it is run only once more; 0: no limit */
} vdnn_timed;

/* From the first start of its operations to the last end: the middle one of three runs after a
 * warm-up; of the warm-up where that was long. */
vdnn_status vdnn_measure_median(vdnn_measure *measure, const vdnn_timed *timed, double *seconds);
/* Of one operation, without what an empty one takes too. */
double vdnn_measure_without_launch(const vdnn_measure *measure, double seconds);
/* Runs it so many times, VDNN_MEASURE_EVENTS at most, however long that takes. */
vdnn_status vdnn_measure_do(vdnn_measure *measure, const vdnn_launch *launch, int32_t times);
/* Sets launch_seconds and empty_seconds. */
vdnn_status vdnn_measure_launch(vdnn_measure *measure);

/* ---- passes ---------------------------------------------------------------------------------- */

/* Seconds of one pass over all samples of `part`. */
vdnn_status vdnn_measure_part(vdnn_measure *measure, const vdnn_layer *part, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, double enough_seconds,
                              double *seconds);

#endif
