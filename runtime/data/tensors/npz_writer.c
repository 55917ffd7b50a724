#include "runtime/data/tensors/npz.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* All records have their large form, of 64 bits: one for every size of file. */
enum { ALIGNMENT = 64, VERSION = 45, STREAMED = 1 << 3 };

/* 1 January 1980, the first day that the format has: files of equal weights are equal. */
enum { DAY = 1 << 5 | 1 };

struct vdnn_npz_writer {
    vdnn_output *output;
    const vdnn_safetensors_entry *entries; /* borrowed */
    int32_t next, count;
    vdnn_text list; /* of members, which comes last */
    uint64_t at, begin;
    uint64_t left; /* bytes of the entry before the next */
    uLong sum;
};

static void put(vdnn_text *text, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, value >>= 8)
        vdnn_text_put_bytes(text, (const char[]){(char)(value & 0xff)}, 1);
}

static vdnn_status write_text(vdnn_npz_writer *w, vdnn_text *text)
{
    vdnn_status status = vdnn_text_status(text, "the weights");
    VDNN_IF_OK(status, vdnn_output_write(w->output, text->data, text->length));
    w->at += text->length;
    vdnn_text_fini(text);
    return status;
}

static uint64_t bytes_of(const vdnn_safetensors_entry *entry)
{
    uint64_t bytes = sizeof(float);
    for (int d = 0; d < entry->dim_count; d++)
        bytes *= (uint64_t)entry->dims[d];
    return bytes;
}

void vdnn_npy_put_header(vdnn_text *text, const char *descr, const int64_t *dims, int dim_count)
{
    static const char magic[] = "\x93NUMPY\x01";
    vdnn_text dict = {0};
    vdnn_text_add(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int d = 0; d < dim_count; d++)
        vdnn_text_add(&dict, "%lld%s", (long long)dims[d],
                      dim_count == 1      ? ","
                      : d + 1 < dim_count ? ", "
                                          : "");
    vdnn_text_add(&dict, "), }");
    while (!dict.failed && (sizeof magic + 2 + dict.length + 1) % ALIGNMENT != 0)
        vdnn_text_put(&dict, " ");
    vdnn_text_put(&dict, "\n");
    vdnn_text_put_bytes(text, magic, sizeof magic); /* its NUL is the version's second byte */
    put(text, dict.length, 2);
    text->failed |= dict.failed;
    if (!dict.failed)
        vdnn_text_put_bytes(text, dict.data, dict.length);
    vdnn_text_fini(&dict);
}

/* The part of a member's record that both of its places have. `sizes`: where they are not in the
 * extra field. */
static void put_record(vdnn_text *text, uint32_t sum, uint32_t sizes, const char *name,
                       size_t extra)
{
    put(text, VERSION, 2);
    put(text, STREAMED, 2); /* sum and sizes follow the data */
    put(text, 0, 2);        /* stored */
    put(text, 0, 2);
    put(text, DAY, 2);
    put(text, sum, 4);
    put(text, sizes, 4);
    put(text, sizes, 4);
    put(text, strlen(name) + 4, 2);
    put(text, extra, 2);
}

static void put_name(vdnn_text *text, const char *name)
{
    vdnn_text_put(text, name);
    vdnn_text_put(text, ".npy");
}

static vdnn_status begin_member(vdnn_npz_writer *w, const vdnn_safetensors_entry *entry)
{
    vdnn_text local = {0}, header = {0};
    w->begin = w->at;
    put(&local, 0x04034b50U, 4);
    put_record(&local, 0, UINT32_MAX, entry->name, 20);
    put_name(&local, entry->name);
    put(&local, 1, 2);
    put(&local, 16, 2);
    put(&local, 0, 16);
    vdnn_npy_put_header(&header, "<f4", entry->dims, entry->dim_count);
    vdnn_status status = write_text(w, &local);
    if (status == VDNN_OK)
        w->sum = crc32_z(0, (const Bytef *)header.data, header.length);
    VDNN_IF_OK(status, write_text(w, &header));
    vdnn_text_fini(&header);
    w->left = bytes_of(entry);
    return status;
}

/* Its sum and sizes, and its row of the list. */
static vdnn_status end_member(vdnn_npz_writer *w, const vdnn_safetensors_entry *entry)
{
    vdnn_text after = {0};
    const uint64_t head = 30 + strlen(entry->name) + 4 + 20, bytes = w->at - w->begin - head;
    put(&after, 0x08074b50U, 4);
    put(&after, w->sum, 4);
    put(&after, bytes, 8);
    put(&after, bytes, 8);
    put(&w->list, 0x02014b50U, 4);
    put(&w->list, VERSION, 2);
    put_record(&w->list, (uint32_t)w->sum, UINT32_MAX, entry->name, 28);
    put(&w->list, 0, 10);
    put(&w->list, UINT32_MAX, 4);
    put_name(&w->list, entry->name);
    put(&w->list, 1, 2);
    put(&w->list, 24, 2);
    put(&w->list, bytes, 8);
    put(&w->list, bytes, 8);
    put(&w->list, w->begin, 8);
    return write_text(w, &after);
}

vdnn_status vdnn_npz_writer_create(const char *path, const vdnn_safetensors_entry *entries,
                                   int32_t count, vdnn_npz_writer **writer)
{
    vdnn_npz_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    fresh->entries = entries;
    fresh->count = count;
    const vdnn_status status = vdnn_output_create(path, &fresh->output);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_npz_writer_abandon(fresh);
    return status;
}

vdnn_status vdnn_npz_writer_put(vdnn_npz_writer *writer, const void *bytes, size_t count)
{
    if (writer->left == 0) {
        VDNN_INVARIANT(writer->next, <, writer->count);
        VDNN_TRY(begin_member(writer, &writer->entries[writer->next++]));
    }
    VDNN_INVARIANT(count, <=, writer->left);
    VDNN_TRY(vdnn_output_write(writer->output, bytes, count));
    writer->sum = crc32_z(writer->sum, bytes, count);
    writer->at += count;
    writer->left -= count;
    return writer->left > 0 ? VDNN_OK : end_member(writer, &writer->entries[writer->next - 1]);
}

/* The list of members, and the end records. */
static vdnn_status write_end(vdnn_npz_writer *w)
{
    vdnn_text end = {0};
    const uint64_t list = w->at, bytes = w->list.length, count = (uint64_t)w->count;
    if (w->count > 0)
        VDNN_TRY(write_text(w, &w->list));
    const uint64_t large = w->at;
    put(&end, 0x06064b50U, 4);
    put(&end, 44, 8); /* bytes of this record after here */
    put(&end, VERSION, 2);
    put(&end, VERSION, 2);
    put(&end, 0, 8);
    put(&end, count, 8);
    put(&end, count, 8);
    put(&end, bytes, 8);
    put(&end, list, 8);
    put(&end, 0x07064b50U, 4);
    put(&end, 0, 4);
    put(&end, large, 8);
    put(&end, 1, 4);
    put(&end, 0x06054b50U, 4);
    put(&end, 0, 4);
    put(&end, UINT16_MAX, 2);
    put(&end, UINT16_MAX, 2);
    put(&end, UINT32_MAX, 4);
    put(&end, UINT32_MAX, 4);
    put(&end, 0, 2);
    return write_text(w, &end);
}

vdnn_status vdnn_npz_writer_commit(vdnn_npz_writer *writer)
{
    VDNN_INVARIANT(writer->left + (uint64_t)(writer->count - writer->next), ==, 0);
    vdnn_status status = write_end(writer);
    if (status == VDNN_OK) {
        status = vdnn_output_commit(writer->output);
        writer->output = NULL;
    }
    vdnn_npz_writer_abandon(writer);
    return status;
}

void vdnn_npz_writer_abandon(vdnn_npz_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_output_abandon(writer->output);
    vdnn_text_fini(&writer->list);
    vdnn_heap_free(writer);
}
