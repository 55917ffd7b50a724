#ifndef VDNN_RUNTIME_SCALE_SCALE_H
#define VDNN_RUNTIME_SCALE_SCALE_H

/* The scaling study: one network under one policy on several numbers of devices and several
 * batches, each a row. On simulated devices rows are planned and put on one clock, on others they
 * are really run for a few steps. Simulated devices may also be stages of a pipeline, each with as
 * many replicas as the others: another row for each number of stages.
 *
 * The efficiency of a row is its throughput over that of as many single devices, each with the
 * batch that a device of the row has at most; devices that share the host's threads are compared
 * with one that has its share of them.
 *
 * Invariant: rows are in the order of the lists, batches first, then devices; a combination that
 * cannot be is none of them (vdnn_scale_obstacle). Threads: one.
 *
 *     const vdnn_scale_options lists = {sizeof lists, "1,2,4,8", "64,256"};
 *     status = vdnn_scale_create(&options, &lists, NULL, &scale);
 *     status = vdnn_scale_write(scale, VDNN_REPORT_TABLE, &text);
 *     status = vdnn_scale_verdict(scale);                           // VDNN_NO_FIT: no row fits
 *     vdnn_scale_destroy(scale);
 */

#include "runtime/graph/pipeline_schedule.h"
#include "runtime/report/report.h"
#include "runtime/scale/epochs_curve.h"

#include <jansson.h>

/* What one combination takes. */
typedef struct vdnn_scale_figures {
    bool fits;
    size_t smallest_bytes; /* if it does not fit: the least device budget that does; 0: none */
    double step_seconds, exposed_reduce_seconds; /* of a row that does not fit, not a number */
    double images_per_second;     /* measured, over all steps; 0: of the planned step */
    size_t *peak_bytes;           /* owned; of each device */
    double epochs, train_seconds; /* until the accuracy was reached; not a number: it was not */
    double reduced_bytes; /* of gradients, summed over the devices in a step; 0: not known */
    size_t saved_bytes;   /* of the optimizer's state, on each device; 0: not known, or none */
    double bubble;        /* of stages: the share of the time in which they compute nothing */
} vdnn_scale_figures;

typedef struct vdnn_scale_row {
    int32_t devices, stages;
    int64_t batch;         /* of all of them */
    int64_t micro_batches; /* of each replica's share of it */
    vdnn_scale_figures figures;
    double images_per_second, efficiency; /* not a number: it does not fit */
} vdnn_scale_row;

/* A combination, and how it is summed. */
typedef struct vdnn_scale_point {
    int32_t devices, stages; /* of them as many replicas as the devices allow */
    int64_t batch;
    int64_t micro_batches;  /* of each replica's share of the batch */
    vdnn_schedule schedule; /* of stages */
    int threads;            /* 0: those of the options */
    vdnn_reduce_scheme reduce;
    bool shards;    /* each device updates its share alone */
    bool converges; /* is trained until the accuracy is reached, not only for a few steps */
} vdnn_scale_point;

/* A line of the projection: the time of a whole training on one device over that on the devices,
 * in workers of `stages` devices each, every one of which has a batch of the same size:
 *
 *     speedup = su_m x se_n x workers x epochs_ratio
 */
typedef struct vdnn_scale_hybrid {
    int32_t devices, stages, workers;
    int64_t batch;       /* of a worker */
    double su_m;         /* the throughput of a worker over that of a device alone */
    double se_n;         /* that of the workers over as many single workers */
    double epochs_ratio; /* the epochs of one worker over those of all, at their larger batch */
    double speedup;      /* as all but the first two: not a number where one does not fit, or where
                            the curve ends before the batch */
} vdnn_scale_hybrid;

struct vdnn_scale {
    vdnn_run_options options;
    vdnn_messages messages;
    vdnn_setup setup;          /* of one device: the network and the device, not measured */
    int32_t *devices, *stages; /* the lists */
    int64_t *batches;
    size_t device_count, batch_count, stage_count;
    bool has_stages;       /* a list of stages was given */
    int64_t micro_batches; /* 0: the fastest of one, two and four for each stage */
    vdnn_schedule schedule;
    bool has_hybrid;
    vdnn_epochs_curve curve;   /* of the projection */
    vdnn_scale_hybrid *hybrid; /* owned; the projection, by batch, stages and devices */
    size_t hybrid_count;
    double converge; /* the accuracy; 0: none is asked for */
    vdnn_scale_row *rows;
    size_t row_count;
    const vdnn_scale_row *largest; /* that fits, of several devices; borrowed; NULL: none */
    vdnn_scale_figures by_scheme[VDNN_REDUCE_COUNT]; /* that row, once schemes were compared */
};

/* Why a combination is left out. */
typedef enum vdnn_scale_obstacle {
    VDNN_SCALE_NONE,
    VDNN_SCALE_INDIVISIBLE,  /* the stages do not divide the devices */
    VDNN_SCALE_FEW_SAMPLES,  /* a replica has no sample */
    VDNN_SCALE_MANY_BATCHES, /* a replica has fewer samples than micro-batches */
    VDNN_SCALE_OBSTACLE_COUNT
} vdnn_scale_obstacle;

vdnn_scale_obstacle vdnn_scale_find_obstacle(const vdnn_scale *scale, int32_t devices,
                                             int64_t batch, int32_t stages);

/* Figures of a point by planning or by running, or by planning its stages. VDNN_OK also if it does
 * not fit. Sets the point's micro-batches: the study's, or the best. The caller has set *figures to
 * {0}, and frees what it holds. */
vdnn_status vdnn_scale_evaluate(const vdnn_scale *scale, vdnn_scale_point *point,
                                vdnn_scale_figures *figures);
void vdnn_scale_figures_fini(vdnn_scale_figures *figures);
/* Samples per second. */
double vdnn_scale_rate(int64_t batch, const vdnn_scale_figures *figures);

/* The ways of evaluating. */
vdnn_status vdnn_scale_plan(const vdnn_scale *scale, const vdnn_scale_point *point,
                            vdnn_scale_figures *figures);
vdnn_status vdnn_scale_run(const vdnn_scale *scale, const vdnn_scale_point *point,
                           vdnn_scale_figures *figures);
vdnn_status vdnn_scale_stages(const vdnn_scale *scale, const vdnn_scale_point *point,
                              vdnn_scale_figures *figures);

/* Fills in the projection, with the curve of that file; NULL: the assumed one. */
vdnn_status vdnn_scale_project(vdnn_scale *scale, const char *curve);
/* Its table, and sentences about it. */
void vdnn_scale_hybrid_add_table(const vdnn_scale *scale, size_t line, vdnn_text *text);
void vdnn_scale_hybrid_conclude(const vdnn_scale *scale, vdnn_text *text);
json_t *vdnn_scale_hybrid_record(const vdnn_scale *scale);

/* Of simulated devices: the largest row, summed by each scheme. */
vdnn_status vdnn_scale_compare_schemes(vdnn_scale *scale);

#endif
