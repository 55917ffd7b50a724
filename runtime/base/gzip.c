#include "runtime/base/gzip.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ZLIB_CONST /* zlib does not write to its input, but declares it const only on request */
#include <zlib.h>

enum { BLOCK_BYTES = 1 << 16, WINDOW = 15 + 16 /* a gzip header and trailer around it */ };

static void *take(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return vdnn_heap_calloc(count, size);
}

static void give(void *opaque, void *block)
{
    (void)opaque;
    vdnn_heap_free(block);
}

static unsigned part_of(size_t bytes)
{
    return bytes < INT32_MAX ? (unsigned)bytes : INT32_MAX;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct vdnn_gunzip {
    z_stream stream;
    const char *path;
    int file;
    off_t at; /* how far the file was read */
    bool ended;
    unsigned char block[BLOCK_BYTES];
};

static vdnn_status fail_memory(const char *path)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to compress or decompress it", path);
}

vdnn_status vdnn_gunzip_create(int file, const char *path, vdnn_gunzip **reader)
{
    vdnn_gunzip *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return fail_memory(path);
    fresh->path = path;
    fresh->file = file;
    fresh->stream = (z_stream){.zalloc = take, .zfree = give};
    if (inflateInit2(&fresh->stream, WINDOW) != Z_OK) {
        vdnn_heap_free(fresh);
        return fail_memory(path);
    }
    *reader = fresh;
    return VDNN_OK;
}

void vdnn_gunzip_destroy(vdnn_gunzip *reader)
{
    if (reader == NULL)
        return;
    (void)inflateEnd(&reader->stream);
    vdnn_heap_free(reader);
}

/* Reads the next block of the file once the last one is used up. */
static vdnn_status refill(vdnn_gunzip *reader)
{
    z_stream *stream = &reader->stream;
    if (stream->avail_in > 0)
        return VDNN_OK;
    ssize_t got;
    do
        got = vdnn_system_pread(reader->file, reader->block, sizeof reader->block, reader->at);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return vdnn_status_fail(VDNN_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    reader->at += got;
    stream->next_in = reader->block;
    stream->avail_in = (unsigned)got;
    return VDNN_OK;
}

/* After a member comes another one, or trailing bytes, which are ignored. */
static vdnn_status next_member(vdnn_gunzip *reader)
{
    VDNN_TRY(refill(reader));
    reader->ended = reader->stream.avail_in == 0 || *reader->stream.next_in != 0x1f;
    if (!reader->ended)
        (void)inflateReset(&reader->stream);
    return VDNN_OK;
}

static vdnn_status unpack(vdnn_gunzip *reader)
{
    z_stream *stream = &reader->stream;
    VDNN_TRY(refill(reader));
    if (stream->avail_in == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the compressed data is cut off", reader->path);
    int code = inflate(stream, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
        return next_member(reader);
    if (code == Z_MEM_ERROR)
        return fail_memory(reader->path);
    if (code != Z_OK && code != Z_BUF_ERROR)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the compressed data is damaged (%s)",
                                reader->path, stream->msg == NULL ? "unknown" : stream->msg);
    return VDNN_OK;
}

vdnn_status vdnn_gunzip_read(vdnn_gunzip *reader, void *to, size_t bytes, size_t *found)
{
    z_stream *stream = &reader->stream;
    size_t done = 0;
    while (done < bytes && !reader->ended) {
        unsigned part = part_of(bytes - done);
        stream->next_out = (unsigned char *)to + done;
        stream->avail_out = part;
        VDNN_TRY(unpack(reader));
        done += part - stream->avail_out;
    }
    *found = done;
    return VDNN_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct vdnn_gzip {
    z_stream stream;
    vdnn_output *output;
    unsigned char block[BLOCK_BYTES];
};

vdnn_status vdnn_gzip_create(vdnn_output *output, vdnn_gzip **writer)
{
    vdnn_gzip *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return fail_memory(vdnn_output_path(output));
    fresh->output = output;
    fresh->stream = (z_stream){.zalloc = take, .zfree = give};
    /* Written while steps run: a third of the time of the default level, for 1.7 times its bytes
     * (of a timeline). */
    if (deflateInit2(&fresh->stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        vdnn_heap_free(fresh);
        return fail_memory(vdnn_output_path(output));
    }
    *writer = fresh;
    return VDNN_OK;
}

void vdnn_gzip_destroy(vdnn_gzip *writer)
{
    if (writer == NULL)
        return;
    (void)deflateEnd(&writer->stream);
    vdnn_heap_free(writer);
}

/* Until the input is used up, or with Z_FINISH until all is written. */
static vdnn_status pack(vdnn_gzip *writer, int flush)
{
    z_stream *stream = &writer->stream;
    vdnn_status status = VDNN_OK;
    do {
        stream->next_out = writer->block;
        stream->avail_out = sizeof writer->block;
        VDNN_INVARIANT(deflate(stream, flush), !=, Z_STREAM_ERROR);
        status = vdnn_output_write(writer->output, writer->block,
                                   sizeof writer->block - stream->avail_out);
    } while (status == VDNN_OK && stream->avail_out == 0);
    return status;
}

vdnn_status vdnn_gzip_write(vdnn_gzip *writer, const void *from, size_t bytes)
{
    vdnn_status status = VDNN_OK;
    for (size_t done = 0; done < bytes && status == VDNN_OK;) {
        unsigned part = part_of(bytes - done);
        writer->stream.next_in = (const unsigned char *)from + done;
        writer->stream.avail_in = part;
        status = pack(writer, Z_NO_FLUSH);
        done += part;
    }
    return status;
}

vdnn_status vdnn_gzip_finish(vdnn_gzip *writer)
{
    writer->stream.avail_in = 0;
    return pack(writer, Z_FINISH);
}
