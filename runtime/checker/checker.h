#ifndef VDNN_RUNTIME_CHECKER_CHECKER_H
#define VDNN_RUNTIME_CHECKER_CHECKER_H

// clang-format off
/* The checker: proves a plan, or reports what is wrong with it. It shares no code with the planner
 * and trusts none of the plan's summary fields; it needs no device.
 *
 * With one vector clock per stream (a step knows, for each stream, how many of its steps are
 * complete before it starts) it shows, over two consecutive training steps:
 *
 *   - the graph's needs, gradients, sizes and places follow from the definitions of its layers
 *   - lists, indexes, streams and binds are well formed; waits name earlier steps
 *   - every read sees the write that it means: that write happens before it, and no other write to
 *     any of its bytes happens in between or at the same time
 *   - two buffers that share bytes are never alive at the same time: all accesses of one happen
 *     before the first of the other; so nothing is reused before its last reader is done, also
 *     across steps
 *   - a recompute uses the algorithm that forward used, which is deterministic; every run has the
 *     workspace that its algorithm requires; all algorithms are of one device
 *   - every copy in follows the copy out of the same map, and moves the same bytes
 *   - every offset is aligned and inside the spans; the spans are within the budgets
 *   - "begin" and "end" join all streams; first_step and last_step agree with the accesses
 *   - what is kept between training steps has homes of exactly its size, which end a step with what
 *     their update, their gathering or their load wrote, and nothing else; each kind of step reads
 *     and writes buffers of its classes alone
 *   - the values are those of the network: activations of their producers, whole gradients
 *     in their order, every pass and update once; the batch is loaded once, and where batches are
 *     loaded ahead each is taken once, before the next one is loaded in its place
 *   - where several devices share the batch, the gradient of each block is summed over them once,
 *     in a bucket all of whose gradients are whole; what is used is that sum, and nothing is written
 *     to a bucket from then on
 *   - where each of them updates a share of every block alone, with the state of that share, the
 *     updated shares are gathered once, and what is read or kept of the parameters then is all of
 *     them
 *   - the peaks and copied bytes that the plan reports are true
 *
 * Beside these it requires forms, which a plan with the right bytes may lack:
 *
 *   classes  an access is of a buffer of the classes of its step's kind and bind; what is kept between
 *            training steps has the class that says so
 *   names    a home is named for its layer, in the tier that is decided for it; a sum has the name of
 *            the layer whose part it adds, or, over the devices, of one that it sums
 *   sizes    what is kept, and the result, has its bytes and no others; a run takes of maps its own
 *            bytes, any other step all of a buffer, but for copies of maps on the device and sums
 *   order    a recompute comes behind the run that it repeats; statistics are averaged before the
 *            gradient beside them is summed over the devices, and before their block is updated;
 *            nothing is done twice; devices meet in one order
 *   copies   maps, gradients of parameters, parameters and optimizer state alone are copied, the
 *            last two in as they were before the step and out as they were updated
 *   places   what arrived is taken from where it was loaded; devices sum a gradient at one place; an
 *            evaluation has the copies of weights that its training keeps
 *
 * Invariant: a plan that passes runs as planned, in whatever order the device runs its streams.
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

/* The plans of all devices that share a step's batch, in the order of the devices, each of which
 * has passed: they are of one network, and their shares are the batch of the step; all sum the same
 * gradients, as many bytes of each, at the same places of the same buckets, gather the same
 * parameters, and run the same kernels that sum over the devices. In their lists all of these have
 * one order. As a step waits for earlier steps of its list alone, no device ever waits for one that
 * waits for it, whatever their number and whichever streams these are on. VDNN_INTERNAL with the
 * devices and the rule. */
vdnn_status vdnn_checker_check_devices(const vdnn_plan *const *plans, int32_t count);

/* An evaluation in the arena of a training, each of which has passed: it reads parameters where the
 * training keeps them, and writes neither these nor optimizer state. VDNN_INTERNAL with layer and
 * rule. */
vdnn_status vdnn_checker_check_evaluation(const vdnn_plan *training, const vdnn_plan *evaluation);

#endif
