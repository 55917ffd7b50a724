#ifndef VDNN_RUNTIME_TRAIN_RESUME_H
#define VDNN_RUNTIME_TRAIN_RESUME_H

/* The contents of a checkpoint, and how a run resumes from it.
 *
 *     weights.safetensors    every parameter, also running statistics
 *     momentum.safetensors   the optimizer's slots, a file each, under the same names: momentum of
 *                            sgd and nesterov, exp_avg and exp_avg_sq of adam and adamw, sum of
 *                            adagrad
 *     losses.safetensors     "losses", float64: of every step since the first
 *     manifest.json          step, epoch, next sample, seed: all random numbers and the order of
 *                            the data are functions of those; what the training is; its
 *                            evaluations; the algorithms that computed it, and in which parts, as
 *                            --algos reads them
 *
 * These must stay the same from run to run: the network of the file, whatever the device and the
 * rules; batch, type, seed, optimizer; the data, by number, order, transformation and a digest of
 * some samples, wherever they are. Anything else may change.
 *
 * Invariant: a run that resumes with the algorithms and threads of the checkpoint gives bit for bit
 * the results of an undisturbed one, whatever its policy and budgets.
 * Threads: one.
 *
 *     status = vdnn_resume_begin(&options, &setup, messages, NULL, &resume);
 *     status = vdnn_resume_pin(&resume, &fit_request, &setup, messages);
 *     status = vdnn_resume_load(resume.base, plan, device, rank); // if there is a base
 *     status = vdnn_resume_write(&resume, &run);
 *     vdnn_resume_end(&resume);
 */

#include "runtime/checkpoint/checkpoint.h"
#include "runtime/train/description.h"
#include "runtime/train/training/training.h"

typedef struct vdnn_resume {
    vdnn_description here;          /* what must stay the same */
    vdnn_checkpoint_folder *folder; /* NULL: this process writes none */
    vdnn_checkpoint *base;          /* NULL: a new training */
    double *earlier;                /* losses of the base's steps */
    json_t *evaluations; /* owned; during the training so far, also the base's, in order of steps:
                            [{"step", "accuracy", "loss"}] */
    bool keeps_best;
    bool continues;     /* the base is in the folder that checkpoints are written to */
    const char *layout; /* layout of the base's maps, in its manifest; NULL: none, or unknown */
} vdnn_resume;

/* Does what the options say: locks the folder of --checkpoint, finds and verifies the checkpoint
 * that --resume names, and removes incomplete ones from the folder. VDNN_FILE if there is no
 * complete checkpoint or the folder is another run's; VDNN_BAD_INPUT if the checkpoint is of
 * another training, with each of network, batch, type, seed, optimizer, data and order that
 * differs. A difference that is allowed but changes numbers is a warning: the optimizer's settings
 * and the schedule; processor, library, threads. Of several processes (`group`) the first one has
 * the folder, and names the checkpoint that all take. On failure nothing need be ended. */
vdnn_status vdnn_resume_begin(const vdnn_session_options *options, const vdnn_setup *setup,
                              const vdnn_messages *messages, vdnn_group *group,
                              vdnn_resume *resume);
/* How many checkpoints more than now the run's folder holds at most; 0: it writes none. */
vdnn_status vdnn_resume_growth(const vdnn_resume *resume, int64_t *most);

void vdnn_resume_end(vdnn_resume *resume);

/* Reduces the profile to the base's algorithms, and plans to the parts that its layers had, if
 * there are all of them and the request fits with them; else all stay, and a warning says that the
 * last bits may differ. Does nothing without a base. */
vdnn_status vdnn_resume_pin(const vdnn_resume *resume, const vdnn_fit_request *request,
                            vdnn_setup *setup, const vdnn_messages *messages);

/* Adds what an evaluation found after this step. VDNN_NO_MEMORY. */
vdnn_status vdnn_resume_add_evaluation(vdnn_resume *resume, int64_t step,
                                       const vdnn_test_scores *test);
/* One of them; a checkpoint of an earlier version has no loss. */
vdnn_test_scores vdnn_resume_evaluation(const json_t *one);
/* Whether it is better than the best checkpoint of the folder, or none is there: by its accuracy,
 * or where the loss is over positions by that, which says of each token how probable it was; of
 * thousands of tokens few are ever the most probable one. */
bool vdnn_resume_is_best(const vdnn_resume *resume, const vdnn_graph *graph,
                         const vdnn_test_scores *test);

/* Copies parameters and slots to the device, which is the rank's of several: a checkpoint has all
 * of them, however many devices had them, or shares of them. */
vdnn_status vdnn_resume_load(const vdnn_checkpoint *base, const vdnn_plan *plan,
                             vdnn_device *device, int32_t rank);

/* Writes a checkpoint to the folder, which must be open. Where devices have shares of the
 * optimizer's state, this one's is the first, and the others lend theirs meanwhile. */
vdnn_status vdnn_resume_write(const vdnn_resume *resume, const vdnn_training_run *run);

#endif
