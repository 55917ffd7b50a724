#ifndef VDNN_RUNTIME_TRAIN_RESUME_H
#define VDNN_RUNTIME_TRAIN_RESUME_H

/* What of a training lies in a checkpoint, and how a run goes on from it.
 *
 *     weights.safetensors    every parameter, also running statistics
 *     momentum.safetensors   what the optimizer moves them with, under the same names
 *     losses.safetensors     "losses", float64: of every step since the first
 *     manifest.json          step, epoch, next sample, seed: all random numbers and the order of
 *                            the data are functions of those; what the training is; the algorithms
 *                            that computed it, as --algos reads them
 *
 * What must stay the same from run to run: the network as its file has it, whatever the device and
 * what backward keeps; batch, type, seed; the data, by their number, their order, what is done to
 * them and a digest of some of them, wherever they lie. Anything else may change.
 *
 * Invariant: a run that goes on with the algorithms and threads of the checkpoint gives bit for bit
 * what an undisturbed one gives, whatever its policy and budgets.
 * Threads: one.
 *
 *     status = vdnn_resume_begin(&options, &setup, messages, &resume);
 *     status = vdnn_resume_pin(&resume, &fit_request, &setup, messages);
 *     status = vdnn_resume_load(resume.base, plan, device);       // where there is a base
 *     status = vdnn_resume_write(&resume, &run);
 *     vdnn_resume_end(&resume);
 */

#include "runtime/checkpoint/checkpoint.h"
#include "runtime/train/training.h"

typedef struct vdnn_resume {
    json_t *training;               /* what must stay the same */
    vdnn_checkpoint_folder *folder; /* NULL: none is written */
    vdnn_checkpoint *base;          /* NULL: the training begins anew */
    double *earlier;                /* losses of the base's steps */
    int64_t every;                  /* steps from one checkpoint to the next */
    int64_t step_count;             /* of the whole training */
    const char *layout; /* of the maps of the base, in its manifest; NULL: none, or not told */
} vdnn_resume;

/* As the options say: locks the folder of --checkpoint, finds and verifies what --resume names, and
 * clears the folder of what is not whole. VDNN_FILE where there is no whole checkpoint or the
 * folder is another run's; VDNN_BAD_INPUT where the checkpoint is of another training, with each of
 * network, batch, type, seed, data and order that differs. What may change but changes numbers is a
 * warning: learning rate and schedule, momentum, weight decay; processor, library, threads. On
 * failure nothing need be ended. */
vdnn_status vdnn_resume_begin(const vdnn_session_options *options, const vdnn_setup *setup,
                              const vdnn_messages *messages, vdnn_resume *resume);
void vdnn_resume_end(vdnn_resume *resume);

/* Cuts the profile down to the base's algorithms, where they are all there and the request fits
 * with them; else all stay, and a warning says that the last bits may differ. Without a base
 * nothing is done. */
vdnn_status vdnn_resume_pin(const vdnn_resume *resume, const vdnn_fit_request *request,
                            vdnn_setup *setup, const vdnn_messages *messages);

/* Parameters and momenta to the device. */
vdnn_status vdnn_resume_load(const vdnn_checkpoint *base, const vdnn_plan *plan,
                             vdnn_device *device);

/* Writes where the training stands to the folder, which there must be. */
vdnn_status vdnn_resume_write(const vdnn_resume *resume, const vdnn_training_run *run);

#endif
