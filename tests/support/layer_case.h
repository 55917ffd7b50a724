#ifndef VDNN_TESTS_SUPPORT_LAYER_CASE_H
#define VDNN_TESTS_SUPPORT_LAYER_CASE_H

/* A single layer from one line of text, in any data type and layout, with the memory of its
 * kernels.
 *
 * Every buffer of a bench lies between canaries and is filled with a pattern before a pass writes
 * it; a buffer that a pass did not declare is NULL. All ones is a NaN as f32 and as bf16, so
 * whatever is read without being declared or written shows in the results.
 * Threads: one.
 *
 *     static const vdnn_layer_case c = {"conv", "out=4 kernel=3x2 pad=1 groups=2", "2x4x9x7"};
 *     assert_ok(vdnn_layer_case_build(&c, VDNN_RULE_LEAN, &layer));
 *     vdnn_bench *bench = vdnn_bench_create(layer, seed);
 *     assert_ok(vdnn_bench_run(bench, row, VDNN_FORWARD, threads, 0xff));
 *     vdnn_bench_destroy(bench), vdnn_layer_case_destroy(layer);
 */

#include "layers/layer.h"
#include "runtime/device/device.h"
#include "tests/support/reference.h"

typedef struct vdnn_layer_case {
    const char *type;
    const char *keys;   /* `name=number`, `name=HxW`, `name=true`, `name=word`, by spaces; `frozen`
                           before them: the layer is */
    const char *inputs; /* `NxCxHxW`, `NxTxC` or `NxC`, by spaces; of tokens `NxT<VOCABULARY` */
} vdnn_layer_case;

/* How the layer's maps are kept, and what is fused into it. All zeros: plain f32. */
typedef struct vdnn_layer_form {
    vdnn_dtype dtype;
    vdnn_layout layout;    /* of all inputs */
    vdnn_layout preferred; /* what a layer that may choose writes */
    bool relu;             /* forward applies the relu behind it, which its type must take */
} vdnn_layer_form;

/* Which of a definition's needs hold. */
typedef enum vdnn_rule {
    VDNN_RULE_PAPER,
    VDNN_RULE_LEAN,
    VDNN_RULE_LEAN_IF_Y,
    VDNN_RULE_COUNT
} vdnn_rule;

/* The layer is called `KEYS on INPUTS` with the form behind it, so that messages tell the case; it
 * has index 3 and number 2, wants every dx but of tokens; the network has as many classes as the
 * first input has elements a sample. Fails the test where the text of the case is wrong; returns
 * what `infer` returned. The first is in plain f32. */
vdnn_status vdnn_layer_case_build(const vdnn_layer_case *c, vdnn_rule rule, vdnn_layer **layer);
vdnn_status vdnn_layer_case_build_as(const vdnn_layer_case *c, vdnn_rule rule, vdnn_layer_form form,
                                     vdnn_layer **layer);
void vdnn_layer_case_destroy(vdnn_layer *layer);

/* Whether its inputs have four dimensions. All others are plain in every graph: sequences, vectors,
 * tokens. */
bool vdnn_layer_case_has_pictures(const vdnn_layer_case *c);

/* A buffer between canaries. */
typedef struct vdnn_bench_buffer {
    size_t bytes;
    unsigned char *block, *data; /* data is 64-byte aligned unless it was shifted, inside block */
} vdnn_bench_buffer;

enum { VDNN_BENCH_INPUTS = 16, VDNN_BENCH_CANARY_BYTES = 256, VDNN_BENCH_ALIGNMENT = 64 };

typedef struct vdnn_bench {
    const vdnn_layer *layer; /* borrowed */
    vdnn_device *device;     /* borrowed, where kernels run; NULL: here, the CPU's */
    vdnn_step_context context;
    int64_t first_sample;               /* of the step, before this layer's */
    double weight;                      /* of this layer's samples in the step's mean, 1 at first */
    const vdnn_kernel_devices *devices; /* borrowed, that have the other samples; NULL at first */
    vdnn_bench_buffer x[VDNN_BENCH_INPUTS], dx[VDNN_BENCH_INPUTS];
    vdnn_bench_buffer y, dy, w, dw, aux, labels;
    vdnn_bench_buffer state; /* for any optimizer: lent to backward filter where `update` is set */
    bool in_place;           /* run with y == x[0] where the layer can, and a dx over dy */
    bool update;             /* backward filter is lent w and v to update, and no dw */
    bool adds_dw;            /* a pass adds to what dw has, which is not poisoned */
    bool recompute; /* forward is recomputed: aux is that of the first run if the layer reads
                      it then, which must not change it */
    /* The same in double and plain (parameters after each other), for the reference. */
    double *x64[VDNN_BENCH_INPUTS], *dx64[VDNN_BENCH_INPUTS];
    double *y64, *dy64, *w64, *dw64;
    vdnn_reference_args reference;
} vdnn_bench;

/* Fills x, w, dy and labels from the seed: the same values whatever rule and form, but that they
 * are rounded to the form's data type, the parameters too. v is zero. A parameter with a `fill` is
 * within half of it, so that variances stay positive. */
vdnn_bench *vdnn_bench_create(const vdnn_layer *layer, uint64_t seed);
void vdnn_bench_destroy(vdnn_bench *bench);

/* Moves a buffer to memory that begins so many bytes behind an aligned address, as a part of a map
 * may; on a device too. Its contents are lost. */
void vdnn_bench_shift(vdnn_bench_buffer *buffer, size_t bytes);

/* Runs one pass of a row with everything that the pass writes, and the workspace, filled with
 * `poison` first. VDNN_MISMATCH where a canary was touched or an input was changed. A backward
 * pass reads y and aux as the last forward left them. The workspace is as large as the kernel wants
 * where `poison` is 0xff, else larger, as a plan with one for all layers lends it. */
vdnn_status vdnn_bench_run(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass,
                           int threads, int poison);

/* Copies x and w (and dy) into their doubles and computes the pass by the reference. */
void vdnn_bench_refer(vdnn_bench *bench, vdnn_pass pass);

/* The largest difference between what a pass wrote and the reference, as a share of the largest
 * magnitude that the reference has in the same array; infinite where one of them is NaN alone, and
 * where padding of a map or a parameter is not zero. */
double vdnn_bench_error(const vdnn_bench *bench, vdnn_pass pass);

/* One number over all bits that a pass wrote (y without aux, every dx, dw). */
uint64_t vdnn_bench_hash(const vdnn_bench *bench, vdnn_pass pass);

#endif
