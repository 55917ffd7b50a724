#ifndef VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_H
#define VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_H

/* Checkpoints: folders of files that count only if all of them are complete.
 *
 *     DIR/lock                            held by the run that writes there
 *     DIR/step-00000100/weights.safetensors, ...
 *                       manifest.json     last; without it there is no checkpoint
 *     DIR/step-00000200/...
 *     DIR/best                            a link to one of them, which stays
 *
 * Each file is written under a temporary name, synchronized, renamed, and its folder synchronized;
 * the manifest is written last. It names them with size and XXH3 digest and ends with the digest of
 * its own text. Older checkpoints are removed only then.
 *
 * Invariant: whenever the process or the machine stops, every checkpoint that can be opened has
 * exactly the data of one call of write, and no complete one is lost before there are `keep` newer
 * ones.
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
#include <stdbool.h>
#include <stdint.h>

#define VDNN_CHECKPOINT_MANIFEST "manifest.json"
#define VDNN_CHECKPOINT_WEIGHTS "weights.safetensors"
/* The file in a checkpoint that says why it stays. */
#define VDNN_CHECKPOINT_KEPT "kept.txt"
/* The link in a folder to the checkpoint that its training found best. */
#define VDNN_CHECKPOINT_BEST "best"
/* A record of doubles, which may have some that are not finite. */
#define VDNN_CHECKPOINT_LOSSES "losses.safetensors"

/* A complete checkpoint. */
typedef struct vdnn_checkpoint {
    char *path; /* of its folder; owned */
    int64_t step;
    json_t *manifest; /* owned; the facts of write, and "files" */
} vdnn_checkpoint;

/* Verifies the checkpoint at `path`, or the newest in the folder `path`: the manifest and every
 * file, and that all values of the state are finite. VDNN_FILE with the file and its error. */
vdnn_status vdnn_checkpoint_open(const char *path, vdnn_checkpoint **checkpoint);
void vdnn_checkpoint_close(vdnn_checkpoint *checkpoint); /* accepts NULL */

/* ---- a folder that a run writes to ----------------------------------------------------------- */

typedef struct vdnn_checkpoint_folder vdnn_checkpoint_folder;

/* Creates the folder if there is none, and locks it until close or the end of the process. `keep`:
 * how many complete checkpoints stay, at least 1. VDNN_FILE if it cannot be written or another run
 * holds the lock. The messages are borrowed. */
vdnn_status vdnn_checkpoint_folder_open(const char *path, int64_t keep,
                                        const vdnn_messages *messages,
                                        vdnn_checkpoint_folder **folder);
void vdnn_checkpoint_folder_close(vdnn_checkpoint_folder *folder); /* accepts NULL */

/* Whether a checkpoint is in this folder, however both paths are written. */
bool vdnn_checkpoint_is_in(const vdnn_checkpoint *checkpoint, const char *folder);

/* The newest complete checkpoint with finite values; *checkpoint is NULL if none was ever completed
 * there. Newer ones that are not are skipped with a warning each. VDNN_FILE if one cannot be read
 * for another reason: it may be complete; or if some were complete once, and none can be used: to
 * start from the beginning would lose what they held. */
vdnn_status vdnn_checkpoint_newest(const vdnn_checkpoint_folder *folder,
                                   vdnn_checkpoint **checkpoint);

/* How many checkpoints more than now the folder holds at most while that many are written: the one
 * being written is there in addition to all that are kept. */
vdnn_status vdnn_checkpoint_folder_growth(const vdnn_checkpoint_folder *folder, int64_t writes,
                                          int64_t *most);

/* Before the first write of a run that resumes from `base` (NULL: a new training). Removes the
 * remains of interrupted writes, and the checkpoints that newest skipped. VDNN_FILE if the folder
 * has checkpoints that do not lead to `base`: they are another run's, and are not changed. */
vdnn_status vdnn_checkpoint_folder_begin(vdnn_checkpoint_folder *folder,
                                         const vdnn_checkpoint *base);

/* The newest complete checkpoint of this run stays, beyond the `keep` newest, also when later runs
 * write to the folder, until someone removes it: a file in it, VDNN_CHECKPOINT_KEPT, says why.
 * *step: which; -1: there is none. */
vdnn_status vdnn_checkpoint_keep_newest(const vdnn_checkpoint_folder *folder, const char *why,
                                        int64_t *step);

/* The newest complete checkpoint of this run becomes the best: it stays in addition to the `keep`
 * newest, until another one is better. VDNN_FILE: the link cannot be made. */
vdnn_status vdnn_checkpoint_keep_best(const vdnn_checkpoint_folder *folder);
/* Whether the checkpoint of this step is there, and the best. */
bool vdnn_checkpoint_is_best(const vdnn_checkpoint_folder *folder, int64_t step);

/* One file of a checkpoint. */
typedef struct vdnn_checkpoint_part {
    const char *name; /* ends in ".safetensors" */
    /* Writes the file by vdnn_output, and returns its digest. */
    vdnn_status (*write)(void *context, const char *path, vdnn_digest *digest);
    void *context;
} vdnn_checkpoint_part;

/* Writes a checkpoint, then removes all but the newest `keep`; does nothing if the newest is of the
 * same step. Those that stay do not count. `facts`: an object, borrowed; the manifest is that, with
 * the step and the files. On failure nothing of it is left, as far as the file system works, and
 * the older ones stay. A file that cannot be removed is a warning. */
vdnn_status vdnn_checkpoint_write(vdnn_checkpoint_folder *folder, int64_t step, json_t *facts,
                                  const vdnn_checkpoint_part *parts, int part_count);

#endif
