#ifndef VDNN_TESTS_SUPPORT_TRAINING_CASE_H
#define VDNN_TESTS_SUPPORT_TRAINING_CASE_H

/* A network that is trained on the CPU device by a plan, on samples that are numbered: those of a
 * batch depend on their numbers alone.
 *
 * Invariant: a failure fails the test. Threads: one.
 *
 *     vdnn_training_case c = {.profile = NULL};
 *     vdnn_training_case_shape(&c, model, &options);     // graph, profile
 *     assert_ok(vdnn_planner_plan(c.graph, c.profile, &decisions, &c.plan));
 *     vdnn_training_case_begin(&c);                      // device, weights
 *     result = vdnn_training_case_step(&c, 0, &context);
 *     float *weights = vdnn_training_case_weights(&c);   // the caller frees
 *     vdnn_training_case_end(&c);
 */

#include "runtime/exec/executor.h"

enum { VDNN_TRAINING_CASE_SEED = 5 };

typedef struct vdnn_training_case {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan;   /* owned */
    vdnn_group *group; /* of several devices, which step at the same time; borrowed, else NULL */
    vdnn_device *device;
    vdnn_executor *executor;
    float *images;
    int32_t *labels;
} vdnn_training_case;

/* Of maps in f32, with fake times. The model is borrowed. */
void vdnn_training_case_shape(vdnn_training_case *c, const vdnn_model *model,
                              const vdnn_graph_options *options);
/* The same of a network file's text. */
void vdnn_training_case_parse(vdnn_training_case *c, const char *text,
                              const vdnn_graph_options *options);
void vdnn_training_case_begin(vdnn_training_case *c);
/* Plans decisions, which are freed; the plan passes the checker. */
vdnn_plan *vdnn_training_case_plan(const vdnn_training_case *c, vdnn_decisions *decisions);
/* With what a policy decides by the leanest algorithms where no budget is too small; begins. */
void vdnn_training_case_begin_by(vdnn_training_case *c, const char *policy);
/* Accepts one that was only shaped. */
void vdnn_training_case_end(vdnn_training_case *c);

/* One step on the samples from `first` on; seed and first sample of the context are set. */
vdnn_executor_result vdnn_training_case_step(vdnn_training_case *c, int64_t first,
                                             vdnn_step_context context);
/* Three steps of both from one batch to the next; what only `away` copies changes no bit. */
void vdnn_training_case_expect_same_steps(vdnn_training_case *here, vdnn_training_case *away,
                                          int64_t batch, vdnn_step_context context);

/* All parameter blocks, one after the other, from where the plan keeps them. */
float *vdnn_training_case_weights(const vdnn_training_case *c);
/* Bit for bit, of another case of the same network. */
void vdnn_training_case_expect_weights_of(const vdnn_training_case *c,
                                          const vdnn_training_case *other);

#endif
