#ifndef VDNN_TESTS_SUPPORT_SHARED_CASE_H
#define VDNN_TESTS_SUPPORT_SHARED_CASE_H

/* Networks whose batch several devices share, one of them as a training case with a plan.
 *
 *     const vdnn_shared_kind kind = {.devices = 3, .micros = 1};
 *     vdnn_shared_device d = {.first = 0};
 *     vdnn_shared_shape(&d, vdnn_shared_plain, &kind, 0);
 *     vdnn_shared_plan(&d, VDNN_SHARED_BY_NEED);
 *     ... d.c.plan ...
 *     vdnn_training_case_end(&d.c);
 */

#include "tests/support/training_case.h"

/* Random numbers, a fork; labels that do not count; gradients that are clipped; statistics of each
 * device, of all, of all in the first of two layers; layers that share a weight; parts of the
 * samples and of the channels, of which the smallest share has one sample. */
extern const char vdnn_shared_plain[], vdnn_shared_ignoring[], vdnn_shared_clipped[],
    vdnn_shared_normal[], vdnn_shared_synced[], vdnn_shared_half_synced[], vdnn_shared_tied[],
    vdnn_shared_in_parts[];

enum { VDNN_SHARED_BATCH = 7, VDNN_SHARED_MOST_DEVICES = 4 };

/* What the decisions are: KEEP and BUCKETS keep all on the device. */
typedef enum vdnn_shared_manner {
    VDNN_SHARED_KEEP,
    VDNN_SHARED_BUCKETS,
    VDNN_SHARED_BY_NEED,
    VDNN_SHARED_EACH_LAYER,
    VDNN_SHARED_AWAY,
    VDNN_SHARED_LEAVING,
    VDNN_SHARED_BUCKETS_AWAY,
    VDNN_SHARED_BUCKETS_LEAVING,
    VDNN_SHARED_MANNERS
} vdnn_shared_manner;

/* Among how many devices, and how; each in so many micro-batches. */
typedef struct vdnn_shared_kind {
    int32_t devices, micros;
    vdnn_reduce_scheme reduce;       /* of gradients */
    bool shards;                     /* each updates its share alone */
    const vdnn_optimizer *optimizer; /* NULL: the network's */
} vdnn_shared_kind;

typedef struct vdnn_shared_device {
    vdnn_training_case c;
    int64_t first; /* sample of a batch */
    double loss;   /* of the last step, its part */
} vdnn_shared_device;

/* The device of that number. The case's graph and profile are its own from then on. */
void vdnn_shared_shape(vdnn_shared_device *d, const char *text, const vdnn_shared_kind *kind,
                       int32_t number);
void vdnn_shared_plan(vdnn_shared_device *d, vdnn_shared_manner how);
void vdnn_shared_plan_in_buckets(vdnn_shared_device *d, vdnn_reduce_buckets buckets);

#endif
