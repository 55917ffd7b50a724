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
 *     measure_contention.c copies and compute at the same time
 *     settle.c             which of a pass's algorithms is the fastest
 *
 * The device tier:
 *
 *     | others              | operands             | what runs write      |
 *     0                     |<-- filled_bytes ---->|                      |
 *     |<-- others_bytes --->|<-- reserved_bytes ------------------------->|
 *
 * Invariant: the operands hold the pattern (layers/pattern.h); the contents of the part `others`
 * are never read.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_measure_need(measure, bytes);
 *     status = vdnn_measure_fill(measure, operand_bytes);
 *     const vdnn_timed timed = {.enqueue = enqueue_kernel, .argument = &run, .event_count = 1};
 *     status = vdnn_measure_median(measure, &timed, &result);
 */

#include "layers/measuring.h"
#include "runtime/measure/measure.h"

/* A run that takes this long is not repeated, since another program's time slice of some
 * milliseconds is only a few hundredths of it. */
#define VDNN_MEASURE_LONG_SECONDS 0.1

/* The most operations of a run. */
enum { VDNN_MEASURE_EVENTS = 64 };

/* What this process, or a kernel, used of the processor. */
typedef struct vdnn_usage {
    long turns_lost;    /* how often other programs took a core from it */
    double cpu_seconds; /* of all threads */
} vdnn_usage;

struct vdnn_measure {
    vdnn_device *device; /* borrowed */
    const vdnn_device_properties *properties;
    const vdnn_measuring *conditions; /* the row of the device's kind */
    vdnn_step_context context;
    size_t working_bytes;
    size_t others_bytes;   /* stand for the data of other layers between two runs of one layer */
    size_t reserved_bytes; /* after these */
    size_t filled_bytes;
    double launch_seconds; /* per operation of a full stream */
    double empty_seconds;  /* the part of launch_seconds inside an empty operation */
    double worked_until;   /* when the device was last busy, on the machine's clock; 0: never */
    vdnn_usage usage;      /* of the last kernel */
    int kernel_threads;    /* its threads */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Grows the tier to at least this many bytes after the part `others`. */
vdnn_status vdnn_measure_need(vdnn_measure *measure, size_t bytes);
/* Fills the first `bytes` of them with the pattern, unless they hold it already. */
vdnn_status vdnn_measure_fill(vdnn_measure *measure, size_t bytes);
/* Writes `count` labels of `classes` classes, or tokens of a vocabulary of that size. */
vdnn_status vdnn_measure_number(vdnn_measure *measure, size_t offset, int64_t count,
                                int64_t classes);
/* A range of the tier by its offset after the part `others`; the address of offset 0. */
vdnn_extent vdnn_measure_extent(const vdnn_measure *measure, size_t offset, size_t bytes);
char *vdnn_measure_base(const vdnn_measure *measure);

/* ---- conditions ------------------------------------------------------------------------------ */

/* An operation that establishes a condition, by the device's row of layers/measuring.h. */
typedef struct vdnn_condition {
    vdnn_status (*run)(void *argument, void *stream);
    const vdnn_measure *measure; /* borrowed */
    vdnn_extent extent;
    double seconds;         /* for a hold */
    int64_t count, classes; /* for labels */
} vdnn_condition;

vdnn_condition vdnn_condition_fill(const vdnn_measure *measure, vdnn_extent extent);
vdnn_condition vdnn_condition_number(const vdnn_measure *measure, vdnn_extent extent, int64_t count,
                                     int64_t classes);
vdnn_condition vdnn_condition_sweep(const vdnn_measure *measure);
vdnn_condition vdnn_condition_hold(const vdnn_measure *measure, double seconds);
/* The launch of a condition, which must live until the round is over. */
vdnn_launch vdnn_condition_launch(vdnn_condition *condition);

/* ---- runs ------------------------------------------------------------------------------------ */

/* How often an operation is run; if all are 0, three times after the warm-up. */
typedef struct vdnn_repetition {
    double enough_seconds;   /* a longer operation runs once after the warm-up; 0: no limit */
    double brief_seconds;    /* a longer operation has the warm-up alone; 0: no limit */
    double expected_seconds; /* compared with these limits; 0: the runs' times are compared */
} vdnn_repetition;

typedef struct vdnn_run_time {
    double seconds;
    double spread; /* slowest minus fastest run, as a share of the median; HUGE_VAL with fewer than
                      three runs */
    bool is_brief; /* `seconds` is above brief_seconds */
} vdnn_run_time;

/* One or more operations to be timed. */
typedef struct vdnn_timed {
    /* Enqueues operations 0 .. event_count - 1, each after `waits`. */
    vdnn_status (*enqueue)(vdnn_measure *measure, void *argument, const int32_t *waits,
                           int32_t wait_count);
    void *argument;
    int32_t event_count;
    bool is_held;      /* its stream must be full on every device */
    bool is_step;      /* each run finds the caches as a step of a network leaves them */
    vdnn_extent fresh; /* bytes that the step before has just written */
    vdnn_repetition repetition;
} vdnn_timed;

/* Measures the time from the first start of the operations to their last end: the median of three
 * runs after a warm-up. `repetition`, or a long warm-up, may ask for fewer runs or for the warm-up
 * alone. A run that lost turns to other programs is used only if there is no better one, with its
 * processor time. */
vdnn_status vdnn_measure_median(vdnn_measure *measure, const vdnn_timed *timed,
                                vdnn_run_time *result);
/* Runs the optimizer on `count` floats at the base: the weights, then momentum, then gradient. */
enum { VDNN_MEASURE_UPDATE_ARRAYS = 3 };
vdnn_status vdnn_measure_run_update(const vdnn_measure *measure, int64_t count, void *stream);

/* Called before and after a timed kernel, on its thread, to record its use of the processor. */
void vdnn_measure_begin_kernel(vdnn_measure *measure, const vdnn_kernel *kernel);
void vdnn_measure_end_kernel(vdnn_measure *measure);
/* Sets the function that returns what this process has used so far; NULL: the system's. Tests set
 * it to simulate time. */
void vdnn_measure_set_usage(vdnn_usage (*fresh)(void));
/* Seconds on the machine's clock. */
double vdnn_measure_now(void);
/* The seconds of one operation without those of an empty one. */
double vdnn_measure_without_launch(const vdnn_measure *measure, double seconds);
/* Runs an operation `times` times, at most VDNN_MEASURE_EVENTS, however long that takes. */
vdnn_status vdnn_measure_do(vdnn_measure *measure, const vdnn_launch *launch, int32_t times);
/* Sets launch_seconds and empty_seconds. */
vdnn_status vdnn_measure_launch(vdnn_measure *measure);

/* ---- rates ----------------------------------------------------------------------------------- */

/* Sets the rates of copies during compute, and of compute during copies. */
vdnn_status vdnn_measure_contention(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT]);

/* ---- passes ---------------------------------------------------------------------------------- */

/* Measures one pass over all samples of `part`. */
vdnn_status vdnn_measure_part(vdnn_measure *measure, const vdnn_layer *part, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_repetition *repetition,
                              vdnn_run_time *result);

#endif
