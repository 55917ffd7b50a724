#ifndef VDNN_ALLOC_FILE_TIER_H
#define VDNN_ALLOC_FILE_TIER_H

/* The file tier: one file of a fixed span in a folder, and lanes that copy extents of it from and
 * to host memory.
 *
 *     file:    | extent | extent |     | extent |   whole blocks of VDNN_FILE_BLOCK bytes each
 *                  ^write    |read
 *     memory:  ....|.........v....
 *
 * The file has no name, or loses it at once: nothing is left of it however the process ends. Its
 * space is reserved when it is created, so that a full disk is known before anything is written;
 * where the file system cannot do that, its free space is only compared. Copies bypass the page
 * cache where the file system supports it (O_DIRECT): memory is what is short. A lane moves several
 * pieces at a time, by io_uring or by threads (file_engine.h).
 *
 * Invariant: a read gives the bytes of the last write of that extent that a lane has finished.
 * Extents that are in flight at the same time do not overlap, except for two reads.
 * Threads: a tier is used by any; a lane by one at a time.
 *
 *     status = vdnn_file_tier_create(&options, &tier);
 *     status = vdnn_file_lane_create(tier, NULL, &lane);
 *     vdnn_file_lane_write(lane, offset, memory, bytes);   // asynchronous, like the next ones
 *     status = vdnn_file_lane_finish(lane);                // all are complete: the first error
 *     vdnn_file_lane_destroy(lane);
 *     vdnn_file_tier_destroy(tier);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Offsets are multiples of it; a write may overwrite its last block up to the end. Memory that is
 * aligned to it is copied without an intermediate copy. */
enum { VDNN_FILE_BLOCK = 4096 };

typedef struct vdnn_file_tier vdnn_file_tier;
typedef struct vdnn_file_lane vdnn_file_lane;

typedef struct vdnn_file_tier_options {
    const char *folder;
    size_t bytes;
    bool buffered; /* through the page cache, also where that can be bypassed */
} vdnn_file_tier_options;

/* VDNN_FILE if the folder is missing or not writable, or if less than `bytes` are free there: the
 * message names both. */
vdnn_status vdnn_file_tier_create(const vdnn_file_tier_options *options, vdnn_file_tier **tier);
/* Bytes that are free in a folder's file system; VDNN_FILE if there is no such folder. */
vdnn_status vdnn_file_tier_free_bytes(const char *folder, size_t *bytes);
/* Its lanes are destroyed. Accepts NULL. */
void vdnn_file_tier_destroy(vdnn_file_tier *tier);
/* Whether copies bypass the page cache. */
bool vdnn_file_tier_is_direct(const vdnn_file_tier *tier);

/* The engines, the best first; NULL after the last. */
const char *vdnn_file_engine_name(size_t i);

/* Opens it with the named engine; NULL: the first that the system supports. Borrows the tier.
 * VDNN_FILE, VDNN_DEVICE (no thread), VDNN_NO_MEMORY. */
vdnn_status vdnn_file_lane_create(const vdnn_file_tier *tier, const char *engine,
                                  vdnn_file_lane **lane);
/* Waits for what is in flight; its errors are lost. Accepts NULL. */
void vdnn_file_lane_destroy(vdnn_file_lane *lane);
const char *vdnn_file_lane_engine(const vdnn_file_lane *lane);

/* Start copies, which borrow the memory until finish. They wait only if too many are in flight.
 * After an error nothing is started until finish has returned it. */
void vdnn_file_lane_write(vdnn_file_lane *lane, size_t offset, const void *from, size_t bytes);
void vdnn_file_lane_read(vdnn_file_lane *lane, size_t offset, void *to, size_t bytes);

/* Waits until all are complete. VDNN_FILE with folder, offset and reason. */
vdnn_status vdnn_file_lane_finish(vdnn_file_lane *lane);

#endif
