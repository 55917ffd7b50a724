#ifndef VDNN_ALLOC_FILE_ENGINE_H
#define VDNN_ALLOC_FILE_ENGINE_H

/* Engines: what moves pieces between memory and a file, several at a time. One const table each,
 * and one line in the list of file_tier.c.
 *
 * Invariant: each piece that was submitted is returned by wait once, with what one call of the
 * system moved, which may be less than was asked for: the caller continues it.
 * Threads: one at a time uses what open made.
 *
 *     status = engine->open(depth, &state);
 *     engine->submit(state, &piece);          // at most `depth` at a time
 *     vdnn_file_piece *done = engine->wait(state);
 *     engine->close(state);
 */

#include "runtime/base/status.h"

#include <stddef.h>
#include <sys/types.h>

typedef struct vdnn_file_piece {
    int file;
    const char *from; /* a write's memory; NULL: a read */
    char *to;         /* a read's */
    size_t bytes;
    off_t offset;
    ssize_t result;               /* once it is complete: the bytes moved, or -errno */
    struct vdnn_file_piece *next; /* the engine's */
} vdnn_file_piece;

typedef struct vdnn_file_engine {
    const char *name;
    /* VDNN_FILE with the reason if the system does not support it. */
    vdnn_status (*open)(int depth, void **state);
    /* No piece is in flight, or wait has failed. */
    void (*close)(void *state);
    void (*submit)(void *state, vdnn_file_piece *piece);
    /* Waits for a piece that is complete. NULL with errno: the engine itself failed. */
    vdnn_file_piece *(*wait)(void *state);
} vdnn_file_engine;

extern const vdnn_file_engine vdnn_file_engine_io_uring, vdnn_file_engine_threads;

#endif
