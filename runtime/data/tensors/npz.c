#include "runtime/data/tensors/npz.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/data/npy_header.h"
#include "runtime/data/tensors/float_types.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NAME = 1000, /* bytes; messages quote it */
    MOST_HEADER = 1 << 16,
    /* records of the zip format: their bytes */
    END = 22,
    END64 = 56,
    LOCATOR = 20,
    ENTRY = 46,
    LOCAL = 30,
    MOST_COMMENT = 65535,
};

#define END_MARK 0x06054b50U
#define END64_MARK 0x06064b50U
#define LOCATOR_MARK 0x07064b50U
#define ENTRY_MARK 0x02014b50U
#define LOCAL_MARK 0x04034b50U
#define IN_EXTRA UINT32_MAX /* of a size: it is in the extra field */

typedef struct member {
    char *name; /* without .npy */
    vdnn_npy_header header;
    uint64_t begin; /* of its data */
} member;

struct vdnn_npz {
    vdnn_source *source;
    member *members; /* in the order of the archive */
    const member **by_name;
    const char **names;
    int32_t count;
};

static uint64_t number(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static vdnn_status damaged(const vdnn_npz *file, const char *what)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: %s: it is damaged, or no .npz file",
                            vdnn_source_path(file->source), what);
}

static vdnn_status read_bytes(const vdnn_npz *file, uint64_t at, void *bytes, size_t count)
{
    const uint64_t has = vdnn_source_bytes(file->source);
    if (at > has || count > has - at)
        return damaged(file, "a record is outside of the file");
    return vdnn_source_read(file->source, at, bytes, count);
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* The list of members: where it is, and how many there are. */
typedef struct directory {
    uint64_t at, bytes, count;
} directory;

/* Archives beyond 4 GiB, or of many members, have a larger end record, which a locator before the
 * end names. */
static vdnn_status read_large_end(const vdnn_npz *file, uint64_t end, directory *list)
{
    unsigned char locator[LOCATOR], large[END64];
    if (end < LOCATOR)
        return damaged(file, "its end is that of a larger file");
    VDNN_TRY(read_bytes(file, end - LOCATOR, locator, LOCATOR));
    if (number(locator, 4) != LOCATOR_MARK)
        return damaged(file, "its end is that of a larger file");
    VDNN_TRY(read_bytes(file, number(locator + 8, 8), large, END64));
    if (number(large, 4) != END64_MARK)
        return damaged(file, "its end is that of a larger file");
    *list = (directory){number(large + 48, 8), number(large + 40, 8), number(large + 32, 8)};
    return VDNN_OK;
}

/* The end record is the last one, before a comment. */
static vdnn_status find_directory(const vdnn_npz *file, directory *list)
{
    const uint64_t has = vdnn_source_bytes(file->source);
    const uint64_t most = has < END + MOST_COMMENT ? has : END + MOST_COMMENT;
    unsigned char *tail = vdnn_heap_calloc(1, (size_t)most + 1);
    if (tail == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                vdnn_source_path(file->source));
    vdnn_status status = vdnn_source_read(file->source, has - most, tail, (size_t)most);
    uint64_t at = most < END ? 0 : most - END + 1;
    bool is_found = false;
    while (status == VDNN_OK && !is_found && at-- > 0)
        is_found = number(tail + at, 4) == END_MARK;
    if (status == VDNN_OK && !is_found)
        status = damaged(file, "it has no end record of a zip archive");
    if (status == VDNN_OK) {
        const unsigned char *end = tail + at;
        *list = (directory){number(end + 16, 4), number(end + 12, 4), number(end + 10, 2)};
        if (list->at == UINT32_MAX || list->bytes == UINT32_MAX || list->count == UINT16_MAX)
            status = read_large_end(file, has - most + at, list);
    }
    vdnn_heap_free(tail);
    if (status == VDNN_OK &&
        (list->at > has || list->bytes > has - list->at || list->count > list->bytes / ENTRY))
        status = damaged(file, "its list of members is outside of the file");
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

/* What the list says of a member. */
typedef struct place {
    uint64_t packed, bytes, local;
} place;

/* Sizes that do not fit 32 bits are in an extra field, each in turn. */
static void read_extra(const unsigned char *extra, size_t length, place *p)
{
    enum { HEAD = 4, LARGE = 1 };
    uint64_t *const wanted[] = {&p->bytes, &p->packed, &p->local};
    for (size_t at = 0; at + HEAD <= length;) {
        const uint64_t id = number(extra + at, 2), size = number(extra + at + 2, 2);
        size_t from = at + HEAD;
        at = from + (size_t)size;
        if (id != LARGE || at > length)
            continue;
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (*wanted[i] == IN_EXTRA && from + 8 <= at) {
                *wanted[i] = number(extra + from, 8);
                from += 8;
            }
    }
}

/* The NumPy array that is the member's data, `bytes` from `at` on. */
static vdnn_status read_array(const vdnn_npz *file, uint64_t at, uint64_t bytes, member *m)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    enum { SHORT = 10, LONG = 12 };
    unsigned char head[LONG] = {0};
    const size_t first = bytes < LONG ? (size_t)bytes : LONG;
    VDNN_TRY(read_bytes(file, at, head, first));
    const size_t begin = head[6] == 1 ? SHORT : LONG;
    const uint64_t length = number(head + 8, begin - 8);
    if (memcmp(head, magic, sizeof magic) != 0 || bytes < begin || length > bytes - begin ||
        length > MOST_HEADER)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: member %s is no array of NumPy",
                                vdnn_source_path(file->source), m->name);
    char *text = vdnn_heap_calloc(1, (size_t)length + 1);
    if (text == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                vdnn_source_path(file->source));
    vdnn_status status = read_bytes(file, at + begin, text, (size_t)length);
    VDNN_IF_OK(status, vdnn_npy_header_parse(text, (size_t)length, vdnn_source_path(file->source),
                                             &m->header));
    vdnn_heap_free(text);
    m->begin = at + begin + length;
    return status;
}

/* "<f4" and so on; NULL: no floats. */
static const vdnn_float_type *type_of(const member *m)
{
    static const char *const names[][2] = {{"<f4", "F32"}, {"<f2", "F16"}, {"<f8", "F64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(m->header.descr, names[i][0]) == 0)
            return vdnn_float_type_find(names[i][1]);
    return NULL;
}

/* Floats have as many bytes as their shape takes; of other types only the name matters. */
static vdnn_status check_bytes(const vdnn_npz *file, const member *m, uint64_t end)
{
    const vdnn_float_type *type = type_of(m);
    uint64_t wanted = type == NULL ? 0 : vdnn_float_type_bytes(type);
    bool fits = true;
    for (int d = 0; d < m->header.dim_count; d++)
        fits &= !__builtin_mul_overflow(wanted, (uint64_t)m->header.dims[d], &wanted);
    if (type == NULL || (fits && wanted == end - m->begin))
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: member %s has %llu bytes of data, which is not what its shape "
                            "takes",
                            vdnn_source_path(file->source), m->name,
                            (unsigned long long)(end - m->begin));
}

static vdnn_status read_member(const vdnn_npz *file, const place *p, member *m)
{
    unsigned char local[LOCAL];
    VDNN_TRY(read_bytes(file, p->local, local, LOCAL));
    if (number(local, 4) != LOCAL_MARK)
        return damaged(file, "a member is not where the list has it");
    const uint64_t begin = p->local + LOCAL + number(local + 26, 2) + number(local + 28, 2);
    const uint64_t has = vdnn_source_bytes(file->source);
    if (begin > has || p->bytes > has - begin)
        return damaged(file, "a member is outside of the file");
    VDNN_TRY(read_array(file, begin, p->bytes, m));
    return check_bytes(file, m, begin + p->bytes);
}

/* The name of a member, without its end; taken from `length` bytes. */
static vdnn_status take_name(const vdnn_npz *file, const unsigned char *bytes, size_t length,
                             member *m)
{
    static const char end[] = ".npy";
    const size_t tail = sizeof end - 1;
    if (length <= tail || length > MOST_NAME || memchr(bytes, '\0', length) != NULL ||
        memcmp(bytes + length - tail, end, tail) != 0)
        return damaged(file, "a member's name does not end in .npy, or is too long");
    m->name = vdnn_heap_calloc(1, length - tail + 1);
    if (m->name == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                vdnn_source_path(file->source));
    memcpy(m->name, bytes, length - tail);
    return VDNN_OK;
}

/* The member that the list has at *at. */
static vdnn_status read_entry(const vdnn_npz *file, const unsigned char *list, uint64_t bytes,
                              uint64_t *at, member *m)
{
    const unsigned char *entry = list + *at;
    if (bytes - *at < ENTRY || number(entry, 4) != ENTRY_MARK)
        return damaged(file, "its list of members ends early");
    const size_t name = (size_t)number(entry + 28, 2), extra = (size_t)number(entry + 30, 2),
                 comment = (size_t)number(entry + 32, 2);
    if (bytes - *at - ENTRY < name + extra + comment)
        return damaged(file, "its list of members ends early");
    place p = {number(entry + 20, 4), number(entry + 24, 4), number(entry + 42, 4)};
    read_extra(entry + ENTRY + name, extra, &p);
    VDNN_TRY(take_name(file, entry + ENTRY, name, m));
    if (number(entry + 10, 2) != 0 || (number(entry + 8, 2) & 1) != 0 || p.packed != p.bytes)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: member %s is compressed or encrypted, expected one that is "
                                "stored: written by numpy.savez, not savez_compressed",
                                vdnn_source_path(file->source), m->name);
    *at += ENTRY + name + extra + comment;
    return read_member(file, &p, m);
}

static int compare(const void *left, const void *right)
{
    const member *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

static vdnn_status sort_names(vdnn_npz *file)
{
    for (int32_t i = 0; i < file->count; i++) {
        file->names[i] = file->members[i].name;
        file->by_name[i] = &file->members[i];
    }
    qsort(file->by_name, (size_t)file->count, sizeof(member *), compare);
    for (int32_t i = 1; i < file->count; i++)
        if (strcmp(file->by_name[i - 1]->name, file->by_name[i]->name) == 0)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has two members %s",
                                    vdnn_source_path(file->source), file->by_name[i]->name);
    return VDNN_OK;
}

static vdnn_status read_members(vdnn_npz *file)
{
    directory list = {0};
    VDNN_TRY(find_directory(file, &list));
    if (list.count > INT32_MAX)
        return damaged(file, "it has too many members");
    unsigned char *bytes = vdnn_heap_calloc(1, (size_t)list.bytes + 1);
    file->members = vdnn_heap_calloc((size_t)list.count + 1, sizeof *file->members);
    file->by_name = vdnn_heap_calloc((size_t)list.count + 1, sizeof *file->by_name);
    file->names = vdnn_heap_calloc((size_t)list.count + 1, sizeof *file->names);
    vdnn_status status = VDNN_OK;
    if (bytes == NULL || file->members == NULL || file->by_name == NULL || file->names == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                  vdnn_source_path(file->source));
    VDNN_IF_OK(status, vdnn_source_read(file->source, list.at, bytes, (size_t)list.bytes));
    for (uint64_t i = 0, at = 0; i < list.count && status == VDNN_OK; i++)
        status = read_entry(file, bytes, list.bytes, &at, &file->members[file->count++]);
    vdnn_heap_free(bytes);
    return status == VDNN_OK ? sort_names(file) : status;
}

/* ---- the file -------------------------------------------------------------------------------- */

bool vdnn_npz_is_path(const char *path)
{
    static const char end[] = ".npz";
    const size_t length = strlen(path), tail = sizeof end - 1;
    return length > tail && strcmp(path + length - tail, end) == 0;
}

vdnn_status vdnn_npz_open(const char *path, vdnn_npz **file)
{
    vdnn_npz *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    vdnn_status status = vdnn_source_open(path, &fresh->source);
    VDNN_IF_OK(status, read_members(fresh));
    if (status == VDNN_OK)
        *file = fresh;
    else
        vdnn_npz_close(fresh);
    return status;
}

void vdnn_npz_close(vdnn_npz *file)
{
    if (file == NULL)
        return;
    for (int32_t i = 0; i < file->count; i++)
        vdnn_heap_free(file->members[i].name);
    vdnn_heap_free(file->members);
    vdnn_heap_free(file->by_name);
    vdnn_heap_free(file->names);
    vdnn_source_close(file->source);
    vdnn_heap_free(file);
}

int32_t vdnn_npz_count(const vdnn_npz *file)
{
    return file->count;
}

const char *vdnn_npz_name(const vdnn_npz *file, int32_t i)
{
    return file->names[i];
}

static vdnn_status check_member(const vdnn_npz *file, const member *m, const int64_t *dims,
                                int dim_count)
{
    const vdnn_npy_header *header = &m->header;
    if (type_of(m) == NULL || (header->fortran_order && header->dim_count > 1))
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: %s is of type %s%s, expected floats (<f4, <f2 or <f8) in C order",
            vdnn_source_path(file->source), m->name, header->descr,
            header->fortran_order ? " in Fortran's order" : "");
    bool is_same = header->dim_count == dim_count;
    for (int d = 0; d < dim_count && is_same; d++)
        is_same = header->dims[d] == dims[d];
    return is_same ? VDNN_OK
                   : vdnn_status_fail(VDNN_BAD_INPUT,
                                      "%s: %s has %d dimensions, or other ones than the parameter, "
                                      "which has %d",
                                      vdnn_source_path(file->source), m->name, header->dim_count,
                                      dim_count);
}

vdnn_status vdnn_npz_read_part(const vdnn_npz *file, const char *name, const int64_t *dims,
                               int dim_count, int64_t first, int64_t count, float *floats)
{
    char hint[256];
    member key = {.name = (char *)(uintptr_t)name};
    const member *wanted = &key;
    const member *const *found =
        file->count == 0
            ? NULL
            : bsearch(&wanted, file->by_name, (size_t)file->count, sizeof(member *), compare);
    if (found == NULL)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: has no array %s%s", vdnn_source_path(file->source), name,
            vdnn_text_hint(hint, sizeof hint, name, file->names, (size_t)file->count));
    VDNN_TRY(check_member(file, *found, dims, dim_count));
    return vdnn_float_type_read(type_of(*found), file->source, (*found)->begin, first, count,
                                floats);
}
