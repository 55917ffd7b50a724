#ifndef VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_H
#define VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_H

/* Checkpoints: folders of files that count only when all of them are whole.
 *
 *     DIR/lock                            held by the run that writes there
 *     DIR/step-00000100/weights.safetensors, ...
 *                       manifest.json     last; without it there is no checkpoint
 *     DIR/step-00000200/...
 *
 * Each file is written under a temporary name, synchronized, renamed, and its folder synchronized;
 * the manifest follows when all others are there. It names them with size and XXH3 digest and ends
 * with the digest of its own text. Older checkpoints are removed only then.
 *
 * Invariant: whenever the process or the machine stops, every checkpoint that opens holds exactly
 * what one call of write was given, and none that was whole is lost before `keep` newer ones are.
 * Threads: one.
 *
 *     status = vdnn_checkpoint_folder_open("run", 3, &messages, &folder);    // and locks it
 *     status = vdnn_checkpoint_newest(folder, &checkpoint);                  // NULL: there is none
 *     status = vdnn_checkpoint_folder_begin(folder, checkpoint);
 *     status = vdnn_checkpoint_write(folder, step, facts, parts, part_count);
 *     vdnn_checkpoint_folder_close(folder);
 */

#include "runtime/base/messages.h"
#include "runtime/base/output.h"

#include <jansson.h>
#include <stdint.h>

#define VDNN_CHECKPOINT_MANIFEST "manifest.json"

/* A checkpoint that is whole. */
typedef struct vdnn_checkpoint {
    char *path; /* of its folder; owned */
    int64_t step;
    json_t *manifest; /* owned; what write was given, and "files" */
} vdnn_checkpoint;

/* Verifies the checkpoint at `path`, or the newest in the folder `path`: the manifest and every
 * file. VDNN_FILE with the file and what is wrong with it. */
vdnn_status vdnn_checkpoint_open(const char *path, vdnn_checkpoint **checkpoint);
void vdnn_checkpoint_close(vdnn_checkpoint *checkpoint); /* accepts NULL */

/* ---- a folder that a run writes to ----------------------------------------------------------- */

typedef struct vdnn_checkpoint_folder vdnn_checkpoint_folder;

/* Creates the folder where there is none, and locks it until close or the end of the process.
 * `keep`: how many whole checkpoints stay, at least 1. VDNN_FILE where it cannot be written or
 * another run holds it. The messages are borrowed. */
vdnn_status vdnn_checkpoint_folder_open(const char *path, int64_t keep,
                                        const vdnn_messages *messages,
                                        vdnn_checkpoint_folder **folder);
void vdnn_checkpoint_folder_close(vdnn_checkpoint_folder *folder); /* accepts NULL */

/* The newest whole one; *checkpoint is NULL where there is none. What is newer and not whole is
 * passed over with a warning each; VDNN_FILE where one cannot be read for another reason: it may
 * well be whole. */
vdnn_status vdnn_checkpoint_newest(const vdnn_checkpoint_folder *folder,
                                   vdnn_checkpoint **checkpoint);

/* Before the first write of a run that goes on from `base` (NULL: begins anew). Removes what writes
 * that never ended left behind, and what newest passed over. VDNN_FILE where the folder holds
 * checkpoints that do not lead to `base`: they are another run's, and are not touched. */
vdnn_status vdnn_checkpoint_folder_begin(vdnn_checkpoint_folder *folder,
                                         const vdnn_checkpoint *base);

/* One file of a checkpoint. */
typedef struct vdnn_checkpoint_part {
    const char *name; /* ends in ".safetensors" */
    /* Writes the whole file as vdnn_output does, and says its digest. */
    vdnn_status (*write)(void *context, const char *path, vdnn_digest *digest);
    void *context;
} vdnn_checkpoint_part;

/* Writes a checkpoint, then removes all but the newest `keep`; one of the same step as the newest
 * is there already. `facts`: an object, borrowed; the manifest is that, with the step and the
 * files. On failure nothing of it is left, as far as the file system still obeys, and the older
 * ones stay. What cannot be removed is a warning. */
vdnn_status vdnn_checkpoint_write(vdnn_checkpoint_folder *folder, int64_t step, json_t *facts,
                                  const vdnn_checkpoint_part *parts, int part_count);

#endif
