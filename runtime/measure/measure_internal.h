#ifndef VDNN_RUNTIME_MEASURE_MEASURE_INTERNAL_H
#define VDNN_RUNTIME_MEASURE_MEASURE_INTERNAL_H

/* Shared by the parts of measuring.
 *
 *     measure.c            the object, its memory
 *     measure_condition.c  operations that establish conditions: fill, sweep, hold
 *     measure_run.c        the time of enqueued operations under these conditions
 *     measure_pass.c       a pass of a layer, with memory for its kernel
 *     measure_samples.c    the number of samples, and the time of the whole batch
 *     measure_rates.c      copies, updates
 *     measure_beside.c     copies and compute beside each other
 *     settle.c             which of a pass's algorithms is the fastest
 *
 * The device tier:
 *
 *     | others              | operands             | what runs write      |
 *     0                     |<-- filled_bytes ---->|                      |
 *     |<-- others_bytes --->|<-- reserved_bytes ------------------------->|
 *
 * Invariant: the operands hold the pattern (layers/pattern.h); the contents of the others are never
 * read.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_need(measure, bytes);
 *     status = vdnn_measure_fill(measure, operand_bytes);
 *     const vdnn_timed timed = {.enqueue = enqueue_kernel, .argument = &run, .event_count = 1};
 *     status = vdnn_measure_median(measure, &timed, &result);
 */

#include "layers/measuring.h"
#include "runtime/measure/measure.h"

/* A run that takes this long is not repeated: another program's time slice of some milliseconds is
 * a few hundredths of it. */
#define VDNN_MEASURE_LONG_SECONDS 0.1

/* The most operations of a run. */
enum { VDNN_MEASURE_EVENTS = 64 };

/* Of this process, or of a kernel. */
typedef struct vdnn_usage {
    long turns_lost;    /* how often other programs took a core from it */
    double cpu_seconds; /* of all threads */
} vdnn_usage;

struct vdnn_measure {
    vdnn_device *device; /* borrowed */
    const vdnn_device_properties *properties;
    const vdnn_measuring *conditions; /* of the device's kind */
    vdnn_step_context context;
    size_t working_bytes;
    size_t others_bytes;   /* represents the data of other layers between two runs of one */
    size_t reserved_bytes; /* behind them */
    size_t filled_bytes;
    double launch_seconds; /* per operation of a full stream */
    double empty_seconds;  /* of these, inside an empty operation */
    double worked_until;   /* on the machine's clock: when the device was last busy; 0: never */
    vdnn_usage usage;      /* by the last kernel */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Grows the tier to at least this many bytes behind the others. */
vdnn_status vdnn_measure_need(vdnn_measure *measure, size_t bytes);
/* Fills the first of them with the pattern, unless they hold it already. */
vdnn_status vdnn_measure_fill(vdnn_measure *measure, size_t bytes);
/* `count` labels of `classes` classes, or tokens of a vocabulary. */
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
/* Its argument must live until the round is over. */
vdnn_launch vdnn_condition_launch(vdnn_condition *condition);

/* ---- runs ------------------------------------------------------------------------------------ */

/* How often an operation is run. All 0: three times after the warm-up. */
typedef struct vdnn_repetition {
    double enough_seconds;   /* if it takes longer, once more; 0: no limit */
    double brief_seconds;    /* if it takes longer, not again; 0: no limit */
    double expected_seconds; /* by which that is decided; 0: by its runs */
} vdnn_repetition;

typedef struct vdnn_run_time {
    double seconds;
    double spread; /* of the slowest and the fastest run, as a share of the middle one; HUGE_VAL if
                      there were fewer than three */
    bool is_brief; /* it is above brief_seconds */
} vdnn_run_time;

/* An operation, or several, to be timed. */
typedef struct vdnn_timed {
    /* Enqueues operations 0 .. event_count - 1, each after `waits`. */
    vdnn_status (*enqueue)(vdnn_measure *measure, void *argument, const int32_t *waits,
                           int32_t wait_count);
    void *argument;
    int32_t event_count;
    bool is_held;      /* its stream must be full on every device */
    bool is_step;      /* the caches are as a step of a network leaves them */
    vdnn_extent fresh; /* bytes that the step before has just written */
    vdnn_repetition repetition;
} vdnn_timed;

/* From the first start of its operations to the last end: the middle one of three runs after a
 * warm-up; of fewer, or of the warm-up, as `repetition` says or where that was long. Of runs
 * that lost turns to other programs the processor's time counts, and that only if there is no
 * better run. */
vdnn_status vdnn_measure_median(vdnn_measure *measure, const vdnn_timed *timed,
                                vdnn_run_time *result);
/* The optimizer on `count` floats at the base, which begin its weights, their momentum and their
 * gradient. */
enum { VDNN_MEASURE_UPDATE_ARRAYS = 3 };
vdnn_status vdnn_measure_run_update(const vdnn_measure *measure, int64_t count, void *stream);

/* Around a kernel that is timed, on its own thread: what it takes of the processor. */
void vdnn_measure_begin_kernel(vdnn_measure *measure);
void vdnn_measure_end_kernel(vdnn_measure *measure);
/* What says how much this process has used so far; NULL: the system. For tests with a clock of
 * their own. */
void vdnn_measure_set_usage(vdnn_usage (*fresh)(void));
/* On the machine's clock. */
double vdnn_measure_now(void);
/* Of one operation, less the time of an empty one. */
double vdnn_measure_without_launch(const vdnn_measure *measure, double seconds);
/* Runs it that many times, at most VDNN_MEASURE_EVENTS, however long that takes. */
vdnn_status vdnn_measure_do(vdnn_measure *measure, const vdnn_launch *launch, int32_t times);
/* Sets launch_seconds and empty_seconds. */
vdnn_status vdnn_measure_launch(vdnn_measure *measure);

/* ---- rates ----------------------------------------------------------------------------------- */

/* Sets those of copies beside compute, and of compute beside copies. */
vdnn_status vdnn_measure_beside(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

/* ---- passes ---------------------------------------------------------------------------------- */

/* Of one pass over all samples of `part`. */
vdnn_status vdnn_measure_part(vdnn_measure *measure, const vdnn_layer *part, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_repetition *repetition,
                              vdnn_run_time *result);

#endif
