#ifndef VDNN_TESTS_SUPPORT_PLAN_CHANGES_H
#define VDNN_TESTS_SUPPORT_PLAN_CHANGES_H

/* Trainings whose plan changes in mid-run, to random ones with the same algorithms: losses,
 * parameters and optimizer state must be those of a training whose plan stays, bit for bit.
 *
 * Plans differ in all that may: where parameters, gradients and maps are kept (device, host, file),
 * whether copies of weights are, which steps move what and when. Networks differ in optimizer,
 * shared weights, clipping, micro-batches, and devices, which may have shares of the state.
 *
 * Invariant: a failure fails the test, and names the seed of the case. Threads: one.
 *
 *     int changes = vdnn_test_change_plans("cuda", folder, vdnn_test_count(200));
 */

/* Makes at least that many changes; how many it made. */
int vdnn_test_change_plans(const char *device, const char *folder, int changes);

#endif
