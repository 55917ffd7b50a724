#include "runtime/data/text/stream.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/data/source.h"
#include "runtime/data/text/vocabulary.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

struct vdnn_text_stream {
    char *path, *tokenizer;
    int64_t size;
    uint64_t bytes;          /* of the file when it was encoded, */
    struct timespec changed; /* and when it was written */
    vdnn_tokens tokens;
    int users;
    vdnn_text_stream *next;
};

/* All that are open. A text may have the size of memory: what reads it at the same time, whoever
 * opened it, shares it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vdnn_text_stream *all;

static void destroy(vdnn_text_stream *stream)
{
    vdnn_heap_free(stream->path);
    vdnn_heap_free(stream->tokenizer);
    vdnn_tokens_fini(&stream->tokens);
    vdnn_heap_free(stream);
}

static vdnn_status open_source(const char *path, vdnn_source **source)
{
    VDNN_TRY(vdnn_source_open(path, source));
    if (!vdnn_source_is_packed(*source))
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is compressed by gzip; unpack the file on disk",
                            path);
}

static bool is_same(const vdnn_text_stream *stream, const char *path, const char *tokenizer,
                    int64_t size)
{
    struct stat info;
    return strcmp(stream->path, path) == 0 && strcmp(stream->tokenizer, tokenizer) == 0 &&
           stream->size == size && vdnn_system_stat(path, &info) == 0 &&
           (uint64_t)info.st_size == stream->bytes &&
           memcmp(&info.st_mtim, &stream->changed, sizeof info.st_mtim) == 0;
}

static vdnn_status encode(const char *path, const char *tokenizer, int64_t size,
                          vdnn_text_stream *stream)
{
    struct stat info;
    vdnn_source *source = NULL;
    vdnn_vocabulary *vocabulary = NULL;
    vdnn_status status = open_source(path, &source);
    VDNN_IF_OK(status, vdnn_vocabulary_open(tokenizer, size, &vocabulary));
    if (status == VDNN_OK && vdnn_system_stat(path, &info) != 0)
        status = vdnn_status_fail(VDNN_FILE, "%s: cannot be read", path);
    VDNN_IF_OK(status, vdnn_vocabulary_encode_file(vocabulary, source, &stream->tokens));
    if (status == VDNN_OK) {
        stream->size = size;
        stream->bytes = vdnn_source_bytes(source);
        stream->changed = info.st_mtim;
    }
    vdnn_vocabulary_close(vocabulary);
    vdnn_source_close(source);
    return status;
}

/* The lock is held. */
static vdnn_status add(const char *path, const char *tokenizer, int64_t size,
                       vdnn_text_stream **stream)
{
    vdnn_text_stream *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    fresh->path = vdnn_heap_strdup(path);
    fresh->tokenizer = vdnn_heap_strdup(tokenizer);
    vdnn_status status = VDNN_OK;
    if (fresh->path == NULL || fresh->tokenizer == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    VDNN_IF_OK(status, encode(path, tokenizer, size, fresh));
    if (status != VDNN_OK) {
        destroy(fresh);
        return status;
    }
    fresh->next = all;
    all = fresh;
    *stream = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_text_stream_open(const char *path, const char *tokenizer, int64_t size,
                                  vdnn_text_stream **stream)
{
    vdnn_status status = VDNN_OK;
    (void)pthread_mutex_lock(&lock);
    vdnn_text_stream *found = all;
    while (found != NULL && !is_same(found, path, tokenizer, size))
        found = found->next;
    if (found == NULL)
        status = add(path, tokenizer, size, &found);
    if (status == VDNN_OK) {
        found->users++;
        *stream = found;
    }
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void vdnn_text_stream_close(vdnn_text_stream *stream)
{
    if (stream == NULL)
        return;
    (void)pthread_mutex_lock(&lock);
    if (--stream->users == 0) {
        vdnn_text_stream **at = &all;
        while (*at != stream)
            at = &(*at)->next;
        *at = stream->next;
        destroy(stream);
    }
    (void)pthread_mutex_unlock(&lock);
}

const vdnn_tokens *vdnn_text_stream_tokens(const vdnn_text_stream *stream)
{
    return &stream->tokens;
}
