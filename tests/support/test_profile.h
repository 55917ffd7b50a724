#ifndef VDNN_TESTS_SUPPORT_TEST_PROFILE_H
#define VDNN_TESTS_SUPPORT_TEST_PROFILE_H

/* Made-up profiles: the same on every machine, no device needed.
 *
 * Seconds come from FLOPs and bytes (100 GFLOP/s, 10 GB/s, a link of 5 GB/s); the k-th algorithm of
 * a layer and pass is slower than the one with the most workspace.
 *
 *     assert_ok(vdnn_test_profile(graph, &profile));
 *     assert_ok(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile));
 *     vdnn_profile_destroy(profile);
 */

#include "runtime/profile/profile.h"
#include "tests/support/vdnn_test.h"

typedef enum vdnn_test_rows {
    VDNN_TEST_ROWS_REAL, /* the CPU's algorithms, with their workspace for 2 threads; VDNN_DEVICE
                            where a pass has none */
    VDNN_TEST_ROWS_FILL, /* likewise, and fake ones where a pass has none */
    VDNN_TEST_ROWS_FAKE, /* fake ones only: nothing can run them, but plans of them are the same
                            everywhere. Every pass has "lean" without workspace; convolutions also
                            have "gemm" (one sample's columns) and "fast" (twice x and y) */
} vdnn_test_rows;

/* VDNN_TEST_ROWS_FILL. */
vdnn_status vdnn_test_profile(const vdnn_graph *graph, vdnn_profile **profile);
vdnn_status vdnn_test_profile_of(const vdnn_graph *graph, vdnn_test_rows rows,
                                 vdnn_profile **profile);

/* Fails the test unless both have the same choices, to the bit. */
void vdnn_test_profile_same(const vdnn_profile *a, const vdnn_profile *b);

/* Compute and copies slow each other from now on, by random factors up to 3. */
void vdnn_test_profile_slow(vdnn_profile *profile, vdnn_test_rng *rng);

#endif
