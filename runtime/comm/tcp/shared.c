#include "runtime/comm/tcp/shared.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    TOKEN_BYTES = 32,
    HEAD_BYTES = VDNN_RING_LINE,   /* of a file, with the token */
    MOST_RING_BYTES = 1024 * 1024, /* a fifth less time than with 256 KiB: fewer ranks wait */
    LEAST_RING_BYTES = 16 * 1024,
    FILE_BYTES = 32 * 1024 * 1024, /* about; with more ranks the rings are smaller */
    PATH_BYTES = 64,
    NO_FILE = -1
};

/* What each rank says of its file. */
typedef struct offer {
    int32_t process, file; /* NO_FILE: it shares none */
    uint64_t bytes;
    uint8_t token[TOKEN_BYTES];
} offer;

typedef struct talk {
    const vdnn_world *world;
    vdnn_mesh *mesh;
    vdnn_shared *shared;
    int32_t channel;
    offer own;
    offer *offers;           /* by rank */
    uint32_t *mine, *theirs; /* by rank: whether this one has mapped its file, and it this one's */
} talk;

/* ---- this rank's file ------------------------------------------------------------------------ */

static vdnn_ring *ring_of(const vdnn_shared *shared, int32_t from, int32_t to)
{
    char *file = shared->files[from];
    return (vdnn_ring *)(void *)(file + HEAD_BYTES +
                                 (size_t)to * vdnn_ring_size(shared->ring_bytes));
}

static void size_rings(vdnn_shared *shared)
{
    const size_t ranks = (size_t)shared->ranks, share = FILE_BYTES / ranks / VDNN_RING_LINE;
    size_t bytes = share * VDNN_RING_LINE;
    bytes = bytes < MOST_RING_BYTES ? bytes : MOST_RING_BYTES;
    shared->ring_bytes = bytes > LEAST_RING_BYTES ? bytes : LEAST_RING_BYTES;
    shared->bytes = HEAD_BYTES + ranks * vdnn_ring_size(shared->ring_bytes);
}

static char *map(int file, size_t bytes)
{
    void *at = vdnn_system_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Its memory is taken now, so that a host without it refuses here, and not with a signal later. */
static bool make_file(talk *t, int *file)
{
    vdnn_shared *shared = t->shared;
    *file = vdnn_system_memfd_create("vdnn", MFD_CLOEXEC);
    if (*file < 0 || vdnn_system_fallocate(*file, 0, 0, (off_t)shared->bytes) != 0 ||
        vdnn_system_getrandom(t->own.token, TOKEN_BYTES, 0) != TOKEN_BYTES)
        return false;
    shared->files[shared->rank] = map(*file, shared->bytes);
    if (shared->files[shared->rank] == NULL)
        return false;
    memcpy(shared->files[shared->rank], t->own.token, TOKEN_BYTES);
    for (int32_t r = 0; r < shared->ranks; r++)
        vdnn_ring_init(ring_of(shared, shared->rank, r), shared->ring_bytes);
    return true;
}

static void offer_file(talk *t, int *file)
{
    t->own = (offer){.process = (int32_t)getpid(), .file = NO_FILE, .bytes = t->shared->bytes};
    if (!t->world->sockets_only && make_file(t, file))
        t->own.file = *file;
}

/* ---- the others' ----------------------------------------------------------------------------- */

/* Of a process of the same number on another host the file is another one, and it may be anything.
 */
static int open_file(const talk *t, const offer *theirs)
{
    char path[PATH_BYTES];
    struct stat info;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)theirs->process, (int)theirs->file);
    if (vdnn_system_stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        (size_t)info.st_size != t->shared->bytes)
        return NO_FILE;
    return vdnn_system_open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK, 0);
}

static void map_file(talk *t, int32_t rank)
{
    const offer *theirs = &t->offers[rank];
    vdnn_shared *shared = t->shared;
    if (theirs->file == NO_FILE || t->own.file == NO_FILE || theirs->bytes != shared->bytes)
        return;
    const int file = open_file(t, theirs);
    if (file < 0)
        return;
    char *at = map(file, shared->bytes);
    (void)vdnn_system_close(file);
    if (at != NULL && memcmp(at, theirs->token, TOKEN_BYTES) == 0)
        shared->files[rank] = at;
    else if (at != NULL)
        (void)vdnn_system_munmap(at, shared->bytes);
}

/* ---- what the ranks say to each other -------------------------------------------------------- */

static int socket_of(const talk *t, int32_t rank)
{
    return t->mesh->peers[rank].sockets[t->channel];
}

static vdnn_status lost(const talk *t, int32_t rank, int error)
{
    return vdnn_status_fail(VDNN_PEER, "rank %d, on %s, was lost while the ranks met: %s",
                            (int)rank, t->mesh->peers[rank].host, strerror(error));
}

/* To all, then from all: so few bytes that none waits for space. `own` is of one rank after the
 * other if it has a stride. */
static vdnn_status tell_all(const talk *t, const void *own, size_t stride, void *all, size_t bytes)
{
    const double until = vdnn_socket_now() + t->world->peer_timeout;
    for (int32_t r = 0; r < t->shared->ranks; r++) {
        const int error =
            r == t->shared->rank
                ? 0
                : vdnn_socket_send(socket_of(t, r), (const char *)own + (size_t)r * stride, bytes,
                                   until);
        if (error != 0)
            return lost(t, r, error);
    }
    for (int32_t r = 0; r < t->shared->ranks; r++) {
        const int error = r == t->shared->rank
                              ? 0
                              : vdnn_socket_receive(socket_of(t, r),
                                                    (char *)all + (size_t)r * bytes, bytes, until);
        if (error != 0)
            return lost(t, r, error);
    }
    return VDNN_OK;
}

/* Rings where both have mapped the other's file. */
static void take_rings(const talk *t)
{
    vdnn_shared *shared = t->shared;
    for (int32_t r = 0; r < shared->ranks; r++)
        if (r != shared->rank && t->mine[r] != 0 && t->theirs[r] != 0) {
            shared->in[r] = ring_of(shared, r, shared->rank);
            shared->in[r]->bytes = shared->ring_bytes; /* whatever the other one wrote there */
            shared->out[r] = ring_of(shared, shared->rank, r);
        }
}

/* A file is closed once all have said that they opened it, or could not. */
static vdnn_status negotiate(talk *t)
{
    int file = NO_FILE;
    offer_file(t, &file);
    vdnn_status status = tell_all(t, &t->own, 0, t->offers, sizeof t->own);
    for (int32_t r = 0; status == VDNN_OK && r < t->shared->ranks; r++)
        if (r != t->shared->rank) {
            map_file(t, r);
            t->mine[r] = t->shared->files[r] != NULL;
        }
    VDNN_IF_OK(status, tell_all(t, t->mine, sizeof *t->mine, t->theirs, sizeof *t->theirs));
    if (file >= 0)
        (void)vdnn_system_close(file);
    if (status == VDNN_OK)
        take_rings(t);
    return status;
}

/* ---- open and close -------------------------------------------------------------------------- */

void vdnn_shared_close(vdnn_shared *shared)
{
    if (shared == NULL)
        return;
    for (int32_t r = 0; shared->files != NULL && r < shared->ranks; r++)
        if (shared->files[r] != NULL)
            (void)vdnn_system_munmap(shared->files[r], shared->bytes);
    vdnn_heap_free(shared->files);
    vdnn_heap_free(shared->in);
    vdnn_heap_free(shared->out);
    vdnn_heap_free(shared);
}

static vdnn_shared *create(int32_t rank, int32_t ranks)
{
    vdnn_shared *shared = vdnn_heap_calloc(1, sizeof *shared);
    if (shared == NULL)
        return NULL;
    shared->rank = rank;
    shared->ranks = ranks;
    shared->files = vdnn_heap_calloc((size_t)ranks, sizeof *shared->files);
    shared->in = vdnn_heap_calloc((size_t)ranks, sizeof(vdnn_ring *));
    shared->out = vdnn_heap_calloc((size_t)ranks, sizeof(vdnn_ring *));
    size_rings(shared);
    if (shared->files != NULL && shared->in != NULL && shared->out != NULL)
        return shared;
    vdnn_shared_close(shared);
    return NULL;
}

vdnn_status vdnn_shared_open(const vdnn_world *world, vdnn_mesh *mesh, int32_t channel,
                             vdnn_shared **shared)
{
    const size_t ranks = (size_t)world->ranks;
    talk t = {.world = world,
              .mesh = mesh,
              .channel = channel,
              .shared = create(world->rank, world->ranks),
              .offers = vdnn_heap_calloc(ranks, sizeof *t.offers),
              .mine = vdnn_heap_calloc(ranks, sizeof *t.mine),
              .theirs = vdnn_heap_calloc(ranks, sizeof *t.theirs)};
    vdnn_status status = VDNN_OK;
    if (t.shared == NULL || t.offers == NULL || t.mine == NULL || t.theirs == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d ranks", (int)world->ranks);
    VDNN_IF_OK(status, negotiate(&t));
    vdnn_heap_free(t.offers);
    vdnn_heap_free(t.mine);
    vdnn_heap_free(t.theirs);
    if (status == VDNN_OK)
        *shared = t.shared;
    else
        vdnn_shared_close(t.shared);
    return status;
}
