#include "runtime/checker/checker_flow.h"

#include "runtime/base/heap.h"

/* The pieces of each buffer are a list in the order of its bytes, without gaps:
 *
 *     buffer b   | conv1 forward, y, part 0 | part 1 | relu1 forward, y, in place, part 2 |
 *
 * An access that writes replaces what it covers; at its ends a piece may be cut in two. What parts
 * of the channels wrote is a pattern, one piece whatever the number of samples: a list of the same
 * form says which access made the bytes of each period.
 *
 *     buffer b   | 0 1 1 2 | 0 1 1 2 | 0 1 1 2 |   the pattern | 0 | 1 | 2 |, of three periods
 *
 * A pattern begins at a multiple of its stride. A period that something else divides is no pattern
 * any more. */

enum { NONE = -1 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static vdnn_flow_piece *add_piece(vdnn_flow_content *content)
{
    if (content->count == content->capacity) {
        const int32_t wanted = 2 * content->capacity;
        void *grown =
            wanted > VDNN_PLAN_MOST_ITEMS
                ? NULL
                : vdnn_heap_realloc(content->pieces, (size_t)wanted, sizeof *content->pieces);
        if (grown == NULL)
            return NULL;
        content->pieces = grown;
        content->capacity = wanted;
    }
    return &content->pieces[content->count++];
}

/* Piece b of a buffer is its first one. */
vdnn_status vdnn_flow_content_init(vdnn_flow_content *content, const vdnn_plan *plan)
{
    content->capacity = plan->buffer_count + plan->access_count;
    content->pieces = vdnn_heap_calloc((size_t)content->capacity, sizeof *content->pieces);
    if (content->pieces == NULL)
        return vdnn_checker_no_memory((size_t)content->capacity);
    content->count = plan->buffer_count;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        content->pieces[b] =
            (vdnn_flow_piece){.end = plan->buffers[b].bytes, .origin = NONE, .next = NONE};
    return VDNN_OK;
}

void vdnn_flow_content_fini(vdnn_flow_content *content)
{
    vdnn_heap_free(content->pieces);
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* A list of its own with the same pieces; NONE: no memory. */
static int32_t copy_list(vdnn_flow_content *content, int32_t list)
{
    int32_t first = NONE, last = NONE;
    for (int32_t at = list; at != NONE; at = content->pieces[at].next) {
        vdnn_flow_piece *fresh = add_piece(content);
        if (fresh == NULL)
            return NONE;
        *fresh = content->pieces[at];
        fresh->next = NONE;
        if (last == NONE)
            first = content->count - 1;
        else
            content->pieces[last].next = content->count - 1;
        last = content->count - 1;
    }
    return first;
}

/* A piece, and behind it the rest of it from `at` on: of a pattern whole periods each. */
static bool split(vdnn_flow_content *content, int32_t piece, size_t at)
{
    int32_t period = content->pieces[piece].period;
    if (content->pieces[piece].stride > 0) {
        period = copy_list(content, period);
        if (period == NONE)
            return false;
    }
    vdnn_flow_piece *rest = add_piece(content);
    if (rest == NULL)
        return false;
    *rest = content->pieces[piece];
    rest->first = content->pieces[piece].end = at;
    rest->period = period;
    content->pieces[piece].next = content->count - 1;
    return true;
}

/* A pattern of one period becomes its pieces. */
static void unfold(vdnn_flow_content *content, int32_t pattern)
{
    vdnn_flow_piece *pieces = content->pieces;
    const size_t base = pieces[pattern].first;
    const int32_t behind = pieces[pattern].next, list = pieces[pattern].period;
    int32_t last = pattern;
    pieces[pattern].end = base + pieces[list].end;
    pieces[pattern].origin = pieces[list].origin;
    pieces[pattern].stride = 0;
    for (int32_t at = pieces[list].next; at != NONE; at = pieces[at].next) {
        pieces[at].first += base;
        pieces[at].end += base;
        pieces[last].next = at;
        last = at;
    }
    pieces[last].next = behind;
}

/* The period of a pattern that begins at `first` becomes its pieces. */
static bool unfold_period(vdnn_flow_content *content, int32_t pattern, size_t first)
{
    const size_t end = first + content->pieces[pattern].stride;
    int32_t own = pattern;
    if (content->pieces[own].first < first) {
        if (!split(content, own, first))
            return false;
        own = content->pieces[own].next;
    }
    if (content->pieces[own].end > end && !split(content, own, end))
        return false;
    unfold(content, own);
    return true;
}

/* The piece of a list that has a byte; NONE: the list's end. *before: the one before it. */
static int32_t find(const vdnn_flow_content *content, int32_t list, size_t at, int32_t *before)
{
    int32_t found = list;
    *before = NONE;
    while (found != NONE && content->pieces[found].end <= at) {
        *before = found;
        found = content->pieces[found].next;
    }
    return found;
}

/* Makes a bound of pieces at `at`: *found begins there; NONE: the list's end. *before: the one
 * before it. */
static bool cut_at(vdnn_flow_content *content, int32_t list, size_t at, int32_t *before,
                   int32_t *found)
{
    *found = find(content, list, at, before);
    const size_t stride = *found == NONE ? 0 : content->pieces[*found].stride;
    if (stride > 0 && at % stride != 0) {
        if (!unfold_period(content, *found, at - at % stride))
            return false;
        *found = find(content, list, at, before);
    }
    if (*found == NONE || content->pieces[*found].first == at)
        return true;
    if (!split(content, *found, at))
        return false;
    *before = *found;
    *found = content->pieces[*before].next;
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Bytes [first, end) of a list. */
static bool put_range(vdnn_flow_content *content, int32_t list, size_t first, size_t end,
                      int32_t origin)
{
    int32_t before, found, last, behind;
    if (!cut_at(content, list, first, &before, &found) ||
        !cut_at(content, list, end, &last, &behind))
        return false;
    content->pieces[found] =
        (vdnn_flow_piece){.first = first, .end = end, .origin = origin, .next = behind};
    return true;
}

/* Whether a piece is, or can be, a pattern of so many bytes. */
static bool has_periods(const vdnn_flow_piece *piece, size_t stride)
{
    return piece->first % stride == 0 && piece->end % stride == 0 &&
           (piece->stride == 0 || piece->stride == stride);
}

static bool make_pattern(vdnn_flow_content *content, int32_t piece, size_t stride)
{
    if (content->pieces[piece].stride > 0)
        return true;
    vdnn_flow_piece *period = add_piece(content);
    if (period == NULL)
        return false;
    *period =
        (vdnn_flow_piece){.end = stride, .origin = content->pieces[piece].origin, .next = NONE};
    content->pieces[piece].stride = stride;
    content->pieces[piece].period = content->count - 1;
    return true;
}

/* The stripes as far as a piece has them, each a range. */
static bool put_each(vdnn_flow_content *content, int32_t list, vdnn_flow_piece piece,
                     const vdnn_stripes *stripes, int32_t origin)
{
    bool good = true;
    for (int64_t i = 0; i < stripes->count && good; i++) {
        const size_t begin = stripes->offset + (size_t)i * stripes->stride,
                     first = larger(begin, piece.first),
                     end = smaller(begin + stripes->bytes, piece.end);
        if (first < end)
            good = put_range(content, list, first, end, origin);
    }
    return good;
}

static bool put_stripes(vdnn_flow_content *content, int32_t list, const vdnn_stripes *stripes,
                        int32_t origin)
{
    const size_t stride = stripes->stride, phase = stripes->offset % stride,
                 begin = stripes->offset - phase, end = begin + (size_t)stripes->count * stride;
    int32_t before, at;
    bool good =
        cut_at(content, list, begin, &before, &at) && cut_at(content, list, end, &before, &at);
    for (size_t next = begin; next < end && good;) {
        at = find(content, list, next, &before);
        if (at == NONE)
            break;
        const vdnn_flow_piece piece = content->pieces[at];
        if (!has_periods(&piece, stride) || phase + stripes->bytes > stride)
            good = put_each(content, list, piece, stripes, origin);
        else
            good = make_pattern(content, at, stride) &&
                   put_range(content, content->pieces[at].period, phase, phase + stripes->bytes,
                             origin);
        next = piece.end;
    }
    return good;
}

vdnn_status vdnn_flow_put(vdnn_flow_content *content, int32_t buffer, const vdnn_stripes *stripes,
                          int32_t origin)
{
    const bool good = stripes->count == 1 ? put_range(content, buffer, stripes->offset,
                                                      stripes->offset + stripes->bytes, origin)
                                          : put_stripes(content, buffer, stripes, origin);
    return good ? VDNN_OK : vdnn_checker_no_memory((size_t)content->count);
}

vdnn_status vdnn_flow_write(vdnn_flow_content *content, const vdnn_access *access, int32_t origin)
{
    const vdnn_stripes stripes = vdnn_access_stripes(access);
    return vdnn_flow_put(content, access->buffer, &stripes, origin);
}

vdnn_status vdnn_flow_bound(vdnn_flow_content *content, const vdnn_access *access)
{
    int32_t before, found;
    return cut_at(content, access->buffer, access->first, &before, &found) &&
                   cut_at(content, access->buffer, access->first + access->bytes, &before, &found)
               ? VDNN_OK
               : vdnn_checker_no_memory((size_t)content->count);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether some stripe has some of the bytes [first, end), which are not before the first one. */
static bool has_any(const vdnn_stripes *stripes, size_t first, size_t end)
{
    const size_t from_begin = first - stripes->offset;
    return from_begin % stripes->stride < stripes->bytes ||
           first - from_begin % stripes->stride + stripes->stride < end;
}

/* Whether stripes have some of a piece of the period of a pattern: of other strides, or of several
 * periods at once, any of it. */
static bool has_of_period(const vdnn_stripes *stripes, size_t stride, const vdnn_flow_piece *piece)
{
    const size_t phase = stripes->offset % stride;
    const bool fits =
        stripes->count == 1 ? phase + stripes->bytes <= stride : stripes->stride == stride;
    return !fits || (piece->first < phase + stripes->bytes && piece->end > phase);
}

vdnn_flow_reader vdnn_flow_read(const vdnn_flow *f, int32_t access)
{
    const vdnn_access *own = vdnn_flow_access(f, access);
    int32_t before;
    return (vdnn_flow_reader){.content = &f->content,
                              .taken = vdnn_access_stripes(own),
                              .end = own->first + own->bytes,
                              .piece = find(&f->content, own->buffer, own->first, &before),
                              .period = NONE};
}

vdnn_flow_reader vdnn_flow_read_all(const vdnn_flow *f, int32_t buffer)
{
    const size_t bytes = f->checker->plan->buffers[buffer].bytes;
    return (vdnn_flow_reader){.content = &f->content,
                              .taken = {0, bytes, bytes, 1},
                              .end = bytes,
                              .piece = buffer,
                              .period = NONE};
}

static bool read_plain(const vdnn_flow_reader *reader, const vdnn_flow_piece *piece,
                       vdnn_flow_range *range)
{
    const size_t first = larger(piece->first, reader->taken.offset),
                 end = smaller(piece->end, reader->end);
    *range = (vdnn_flow_range){{first, end - first, end - first, 1}, piece->origin};
    return reader->taken.count == 1 || has_any(&reader->taken, first, end);
}

static bool read_period(const vdnn_flow_reader *reader, const vdnn_flow_piece *pattern,
                        const vdnn_flow_piece *piece, vdnn_flow_range *range)
{
    const int64_t periods = (int64_t)((pattern->end - pattern->first) / pattern->stride);
    *range = (vdnn_flow_range){
        {pattern->first + piece->first, piece->end - piece->first, pattern->stride, periods},
        piece->origin};
    return has_of_period(&reader->taken, pattern->stride, piece);
}

bool vdnn_flow_next(vdnn_flow_reader *reader, vdnn_flow_range *range)
{
    const vdnn_flow_piece *pieces = reader->content->pieces;
    bool is_taken = false;
    while (!is_taken && reader->piece != NONE && pieces[reader->piece].first < reader->end) {
        const vdnn_flow_piece *piece = &pieces[reader->piece];
        if (piece->stride == 0)
            is_taken = read_plain(reader, piece, range);
        else {
            reader->period = reader->period == NONE ? piece->period : pieces[reader->period].next;
            if (reader->period != NONE)
                is_taken = read_period(reader, piece, &pieces[reader->period], range);
        }
        if (reader->period == NONE)
            reader->piece = piece->next;
    }
    return is_taken;
}
