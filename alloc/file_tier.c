#include "alloc/file_tier.h"

#include "alloc/file_engine.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 8, PIECE_BYTES = 512 * 1024, NAME_TRIES = 100 };

/* Continuations in a row that move nothing: a direct transfer that is cut inside a block. */
enum { STUCK_TRIES = 8 };

static const vdnn_file_engine *const engines[] = {
    &vdnn_file_engine_io_uring,
    &vdnn_file_engine_threads,
};
enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

struct vdnn_file_tier {
    int file;
    bool direct;
    size_t bytes;
    char *folder;
};

/* A piece of an extent. A direct transfer of memory or a length that is not whole blocks goes
 * through the slot's own block:
 *
 *     write: memory --copied--> block --engine--> file
 *     read:  file --engine--> block --copied, once it is complete--> memory
 */
typedef struct slot {
    vdnn_file_piece piece; /* what is left of it */
    char *block;           /* NULL: the tier is not direct */
    char *target;          /* of a read through the block, where its bytes belong; else NULL */
    size_t target_bytes;
    int stuck_count;
    struct slot *next; /* idle */
} slot;

struct vdnn_file_lane {
    const vdnn_file_tier *tier;
    const vdnn_file_engine *engine;
    void *state;
    slot slots[DEPTH];
    slot *idle;
    int in_flight;
    char *blocks;
    vdnn_first_error error;
};

static size_t round_up(size_t bytes)
{
    return (bytes + VDNN_FILE_BLOCK - 1) / VDNN_FILE_BLOCK * VDNN_FILE_BLOCK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A file that is removed at once, for file systems without files that have no name. */
static int open_and_remove(const char *folder, int flags)
{
    static atomic_uint serial;
    char path[PATH_MAX];
    int file = -1;
    for (int i = 0; i < NAME_TRIES && file < 0; i++) {
        (void)snprintf(path, sizeof path, "%s/vdnn-file-tier-%ld-%u", folder, (long)getpid(),
                       atomic_fetch_add(&serial, 1));
        file = vdnn_system_open(path, O_CREAT | O_EXCL | flags, 0600);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    if (file >= 0 && vdnn_system_unlink(path) != 0) {
        int error = errno;
        (void)vdnn_system_close(file);
        errno = error;
        return -1;
    }
    return file;
}

static int open_nameless(const char *folder, int flags)
{
    return vdnn_system_open(folder, O_TMPFILE | flags, 0600);
}

/* The ways to make it, the best first. */
static const struct {
    int (*open)(const char *folder, int flags);
    bool direct;
} ways[] = {{open_nameless, true},
            {open_nameless, false},
            {open_and_remove, true},
            {open_and_remove, false}};

/* What open returns for flags that the file system, or an old kernel, does not support. */
static bool is_unsupported(int error)
{
    return error == EINVAL || error == EOPNOTSUPP || error == EISDIR;
}

static vdnn_status open_file(vdnn_file_tier *tier, bool buffered)
{
    errno = EINVAL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && is_unsupported(errno); i++) {
        if (buffered && ways[i].direct)
            continue;
        tier->direct = ways[i].direct;
        tier->file = ways[i].open(tier->folder, O_RDWR | O_CLOEXEC | (tier->direct ? O_DIRECT : 0));
        if (tier->file >= 0)
            return VDNN_OK;
    }
    return vdnn_status_fail(VDNN_FILE, "%s: no file can be made for the file tier: %s",
                            tier->folder, strerror(errno));
}

vdnn_status vdnn_file_tier_free_bytes(const char *folder, size_t *bytes)
{
    struct statvfs info;
    if (vdnn_system_statvfs(folder, &info) != 0)
        return vdnn_status_fail(VDNN_FILE, "%s: its free space is unknown: %s", folder,
                                strerror(errno));
    if (__builtin_mul_overflow(info.f_bavail, info.f_frsize, bytes))
        *bytes = SIZE_MAX;
    return VDNN_OK;
}

/* SIZE_MAX: unknown. */
static size_t free_bytes(const vdnn_file_tier *tier)
{
    size_t bytes;
    return vdnn_file_tier_free_bytes(tier->folder, &bytes) == VDNN_OK ? bytes : SIZE_MAX;
}

static vdnn_status fail_space(const vdnn_file_tier *tier, const char *reason)
{
    size_t bytes = free_bytes(tier);
    if (bytes == SIZE_MAX)
        return vdnn_status_fail(VDNN_FILE, "%s: the file tier needs %zu bytes: %s", tier->folder,
                                tier->bytes, reason);
    return vdnn_status_fail(VDNN_FILE, "%s: the file tier needs %zu bytes, and %zu are free: %s",
                            tier->folder, tier->bytes, bytes, reason);
}

static vdnn_status reserve_space(const vdnn_file_tier *tier)
{
    int result = 0;
    if (tier->bytes > INT64_MAX)
        return fail_space(tier, strerror(EFBIG));
    do
        result = tier->bytes == 0 ? 0 : vdnn_system_fallocate(tier->file, 0, 0, (off_t)tier->bytes);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return VDNN_OK;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return fail_space(tier, strerror(errno));
    return free_bytes(tier) < tier->bytes ? fail_space(tier, strerror(ENOSPC)) : VDNN_OK;
}

vdnn_status vdnn_file_tier_create(const vdnn_file_tier_options *options, vdnn_file_tier **tier)
{
    vdnn_file_tier *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a file tier");
    fresh->file = -1;
    fresh->bytes =
        options->bytes > SIZE_MAX - VDNN_FILE_BLOCK ? options->bytes : round_up(options->bytes);
    fresh->folder = vdnn_heap_strdup(options->folder);
    vdnn_status status = VDNN_OK;
    if (fresh->folder == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a file tier");
    VDNN_IF_OK(status, open_file(fresh, options->buffered));
    VDNN_IF_OK(status, reserve_space(fresh));
    if (status != VDNN_OK) {
        vdnn_file_tier_destroy(fresh);
        return status;
    }
    *tier = fresh;
    return VDNN_OK;
}

void vdnn_file_tier_destroy(vdnn_file_tier *tier)
{
    if (tier == NULL)
        return;
    if (tier->file >= 0)
        (void)vdnn_system_close(tier->file);
    vdnn_heap_free(tier->folder);
    vdnn_heap_free(tier);
}

bool vdnn_file_tier_is_direct(const vdnn_file_tier *tier)
{
    return tier->direct;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

const char *vdnn_file_engine_name(size_t i)
{
    return i < ENGINE_COUNT ? engines[i]->name : NULL;
}

/* With the first that opens, of all or of those of that name. */
static vdnn_status open_engine(vdnn_file_lane *lane, const char *name)
{
    vdnn_status status = vdnn_status_fail(VDNN_FILE, "there is no engine \"%s\"", name);
    for (size_t i = 0; i < ENGINE_COUNT && lane->state == NULL; i++)
        if (name == NULL || strcmp(name, engines[i]->name) == 0) {
            lane->engine = engines[i];
            status = lane->engine->open(DEPTH, &lane->state);
        }
    return status;
}

static vdnn_status map_blocks(vdnn_file_lane *lane)
{
    void *blocks = vdnn_system_mmap(NULL, (size_t)DEPTH * PIECE_BYTES, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (blocks == MAP_FAILED)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to copy to the file tier: %s",
                                lane->tier->folder, strerror(errno));
    lane->blocks = blocks;
    return VDNN_OK;
}

vdnn_status vdnn_file_lane_create(const vdnn_file_tier *tier, const char *engine,
                                  vdnn_file_lane **lane)
{
    vdnn_file_lane *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to copy to the file tier");
    fresh->tier = tier;
    vdnn_status status = tier->direct ? map_blocks(fresh) : VDNN_OK;
    VDNN_IF_OK(status, open_engine(fresh, engine));
    if (status != VDNN_OK) {
        vdnn_file_lane_destroy(fresh);
        return status;
    }
    for (size_t i = 0; i < DEPTH; i++) {
        fresh->slots[i].block = tier->direct ? fresh->blocks + i * PIECE_BYTES : NULL;
        fresh->slots[i].next = fresh->idle;
        fresh->idle = &fresh->slots[i];
    }
    *lane = fresh;
    return VDNN_OK;
}

void vdnn_file_lane_destroy(vdnn_file_lane *lane)
{
    if (lane == NULL)
        return;
    if (lane->state != NULL) {
        vdnn_first_error before = {VDNN_OK, ""}; /* whose message the caller still has to report */
        vdnn_first_error_keep(&before, VDNN_FILE);
        (void)vdnn_file_lane_finish(lane);
        lane->engine->close(lane->state);
        (void)vdnn_first_error_tell(&before);
    }
    if (lane->blocks != NULL)
        (void)vdnn_system_munmap(lane->blocks, (size_t)DEPTH * PIECE_BYTES);
    vdnn_heap_free(lane);
}

const char *vdnn_file_lane_engine(const vdnn_file_lane *lane)
{
    return lane->engine->name;
}

static void keep_error(vdnn_file_lane *lane, const vdnn_file_piece *piece, const char *reason)
{
    vdnn_first_error_keep(
        &lane->error, vdnn_status_fail(VDNN_FILE,
                                       "%s: %zu bytes of the file tier at offset %lld cannot "
                                       "be %s: %s",
                                       lane->tier->folder, piece->bytes, (long long)piece->offset,
                                       piece->from != NULL ? "written" : "read", reason));
}

/* Records what was moved; NULL, or why the rest cannot be. */
static const char *advance(const vdnn_file_lane *lane, slot *own)
{
    vdnn_file_piece *piece = &own->piece;
    if (piece->result == -EINTR || piece->result == -EAGAIN)
        return NULL;
    if (piece->result < 0)
        return strerror((int)-piece->result);
    if (piece->result == 0)
        return piece->from != NULL ? "nothing was written" : "the file ends there";
    size_t moved = (size_t)piece->result;
    if (lane->tier->direct) /* which can continue at whole blocks only */
        moved = moved / VDNN_FILE_BLOCK * VDNN_FILE_BLOCK;
    own->stuck_count = moved == 0 ? own->stuck_count + 1 : 0;
    piece->bytes -= moved;
    piece->offset += (off_t)moved;
    if (piece->from != NULL)
        piece->from += moved;
    else
        piece->to += moved;
    return own->stuck_count == STUCK_TRIES ? "only parts of a block are moved" : NULL;
}

/* Waits for one piece and continues or ends it. False: the engine failed. */
static bool reap(vdnn_file_lane *lane)
{
    vdnn_file_piece *piece = lane->engine->wait(lane->state);
    if (piece == NULL) {
        vdnn_first_error_keep(&lane->error,
                              vdnn_status_fail(VDNN_FILE, "%s: %s failed: %s", lane->tier->folder,
                                               lane->engine->name, strerror(errno)));
        return false;
    }
    slot *own = (slot *)piece; /* its first member */
    const char *reason = advance(lane, own);
    if (reason != NULL) {
        keep_error(lane, piece, reason);
    } else if (piece->bytes > 0) {
        lane->engine->submit(lane->state, piece);
        return true;
    } else if (own->target != NULL) {
        memcpy(own->target, own->block, own->target_bytes);
    }
    own->next = lane->idle;
    lane->idle = own;
    lane->in_flight--;
    return true;
}

static void start_piece(vdnn_file_lane *lane, const char *from, char *to, size_t offset,
                        size_t bytes)
{
    while (lane->idle == NULL && lane->error.status == VDNN_OK)
        (void)reap(lane);
    if (lane->error.status != VDNN_OK)
        return;
    slot *own = lane->idle;
    size_t whole = round_up(bytes);
    uintptr_t address = from != NULL ? (uintptr_t)from : (uintptr_t)to;
    bool through_block = lane->tier->direct && (whole != bytes || address % VDNN_FILE_BLOCK != 0);
    lane->idle = own->next;
    own->piece = (vdnn_file_piece){
        .file = lane->tier->file, .from = from, .to = to, .bytes = bytes, .offset = (off_t)offset};
    own->target = NULL;
    own->stuck_count = 0;
    if (through_block) {
        own->piece.bytes = whole;
        if (from != NULL) {
            memcpy(own->block, from, bytes);
            memset(own->block + bytes, 0, whole - bytes);
            own->piece.from = own->block;
        } else {
            own->target = to;
            own->target_bytes = bytes;
            own->piece.to = own->block;
        }
    }
    lane->engine->submit(lane->state, &own->piece);
    lane->in_flight++;
}

/* Either `from` or `to` is NULL. Whole pieces first, then the rest of whole blocks, then a part of
 * one: only that needs a copy if memory is aligned. */
static void start(vdnn_file_lane *lane, const char *from, char *to, size_t offset, size_t bytes)
{
    VDNN_INVARIANT(offset % VDNN_FILE_BLOCK, ==, 0);
    VDNN_INVARIANT(offset, <=, lane->tier->bytes);
    VDNN_INVARIANT(bytes, <=, lane->tier->bytes - offset);
    for (size_t done = 0, part; done < bytes && lane->error.status == VDNN_OK; done += part) {
        size_t left = bytes - done;
        size_t blocks = left / VDNN_FILE_BLOCK * VDNN_FILE_BLOCK;
        part = left >= PIECE_BYTES ? PIECE_BYTES : blocks > 0 ? blocks : left;
        start_piece(lane, from == NULL ? NULL : from + done, to == NULL ? NULL : to + done,
                    offset + done, part);
    }
}

void vdnn_file_lane_write(vdnn_file_lane *lane, size_t offset, const void *from, size_t bytes)
{
    start(lane, from, NULL, offset, bytes);
}

void vdnn_file_lane_read(vdnn_file_lane *lane, size_t offset, void *to, size_t bytes)
{
    start(lane, NULL, to, offset, bytes);
}

vdnn_status vdnn_file_lane_finish(vdnn_file_lane *lane)
{
    int failure_count = 0;
    while (lane->in_flight > 0 && failure_count < STUCK_TRIES)
        failure_count += !reap(lane);
    return vdnn_first_error_tell(&lane->error);
}
