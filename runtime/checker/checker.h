#ifndef VDNN_RUNTIME_CHECKER_CHECKER_H
#define VDNN_RUNTIME_CHECKER_CHECKER_H

// clang-format off
/* The checker: proves a plan correct, or reports what is wrong with it. It shares no code with the
 * planner, trusts none of the plan's summary fields, and needs no device.
 *
 * With one vector clock per stream (a step knows, for each stream, how many of its steps are
 * complete before it starts) it shows, over two consecutive training steps:
 *
 *   - the graph's needs, gradients, sizes and places follow from the definitions of its layers
 *   - lists, indexes, streams and binds are well formed; waits name earlier steps
 *   - every read sees the intended write: that write happens before it, and no other write to any
 *     of its bytes happens in between or at the same time
 *   - two buffers that share bytes are never live at the same time: all accesses of one happen
 *     before the first access of the other, also across steps
 *   - a recompute uses the algorithm that forward used, which is deterministic; every run has the
 *     workspace that its algorithm requires; all algorithms are of one device
 *   - every copy in follows the copy out of the same map, and moves the same bytes
 *   - every offset is aligned and inside the spans; the spans are within the budgets
 *   - "begin" and "end" join all streams; first_step and last_step agree with the accesses
 *   - values that are kept between training steps have homes of exactly their size; at the end of a
 *     step a home holds what its update, gathering or load wrote; each kind of step reads and
 *     writes only buffers of the classes that it may use
 *   - the values are those of the network: activations of their producers, whole gradients
 *     in their order, every pass and update once; the batch is loaded once, and a batch that is
 *     loaded ahead is taken once, before the next one is loaded in its place
 *   - where several devices share the batch, the gradient of each block is summed over them once, in
 *     a bucket whose gradients are all complete; only that sum is used, and nothing is written to
 *     the bucket after it
 *   - where each device updates a share of every block, with the state of that share, the updated
 *     shares are gathered once, and parameters are read or kept only after that
 *   - the peaks and copied bytes that the plan reports are true
 *
 * It also requires forms, which a plan with the right bytes may violate:
 *
 *   classes  an access is to a buffer of the classes that its step's kind and bind allow; a value that
 *            is kept between training steps has the class that says so
 *   names    a home is named for its layer, and in the tier that is decided for it; a sum has the name
 *            of the layer whose part it adds, or, over the devices, of a layer that it sums
 *   sizes    the result and all kept values have exactly their bytes; a run accesses exactly its range
 *            of a map, any other step a whole buffer, except copies of maps on the device and sums
 *   order    a recompute comes after the run that it repeats; statistics are averaged before the
 *            gradient in the same block is summed over the devices, and before the block is updated;
 *            nothing is done twice; devices meet in one order
 *   copies   only maps, gradients of parameters, parameters and optimizer state are copied; the last
 *            two are copied in before and copied out after the update
 *   places   a batch that has arrived is taken from where it was loaded; devices sum a gradient at one
 *            offset; an evaluation has the copies of weights that its training keeps
 *
 * Invariant: a plan that passes runs as planned, however the device interleaves its streams.
 * Threads: pure.
 *
 *     status = vdnn_checker_check(plan, budget_bytes);
 *     status = vdnn_checker_check_evaluation(training, evaluation);
 */
// clang-format on

#include "runtime/plan/plan.h"

/* VDNN_INTERNAL with the two steps, the buffer and the rule that is broken; VDNN_NO_FIT if a span
 * exceeds its budget; VDNN_NO_MEMORY. */
vdnn_status vdnn_checker_check(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT]);

/* Checks the plans of all devices that share a step's batch, in the order of the devices; each plan
 * has passed by itself. All are plans of one network, whose shares add up to the batch of the step.
 * All sum the same gradients, with the same bytes at the same offsets of the same buckets, gather
 * the same parameters, and run the same kernels that sum over the devices, all in one order. A step
 * waits only for earlier steps of its list, so devices cannot deadlock, whatever their number and
 * streams. VDNN_INTERNAL with the devices and the rule. */
vdnn_status vdnn_checker_check_devices(const vdnn_plan *const *plans, int32_t count);

/* Checks the plans of the stages of a pipeline, in their order; each plan has passed by itself.
 * They have all layers of the network; what one sends, its neighbor receives, in one order of both;
 * and all steps of all stages can end, however long a send waits for its receive. VDNN_INTERNAL
 * with the stages and the rule; VDNN_NO_MEMORY. */
vdnn_status vdnn_checker_check_stages(const vdnn_plan *const *plans, int32_t count);

/* Checks an evaluation in the arena of a training; both plans have passed by themselves. The
 * evaluation reads parameters where the training keeps them, and writes neither parameters nor
 * optimizer state. VDNN_INTERNAL with layer and rule. */
vdnn_status vdnn_checker_check_evaluation(const vdnn_plan *training, const vdnn_plan *evaluation);

#endif
