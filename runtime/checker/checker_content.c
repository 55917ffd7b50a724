#include "runtime/checker/checker_flow.h"

#include "runtime/base/heap.h"

/* The pieces of each buffer are a list in the order of its bytes, without gaps:
 *
 *     buffer b   | conv1 forward, y, part 0 | part 1 | relu1 forward, y, in place, part 2 |
 *
 * An access that writes replaces what it covers; at its ends a piece may be cut in two. */

enum { NONE = -1 };

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
        content->pieces[b] = (vdnn_flow_piece){0, plan->buffers[b].bytes, NONE, NONE};
    return VDNN_OK;
}

void vdnn_flow_content_fini(vdnn_flow_content *content)
{
    vdnn_heap_free(content->pieces);
}

/* Makes a bound of pieces at `at`: the piece that begins there; NONE: the buffer's end. *before:
 * the one before it. */
static bool cut_at(vdnn_flow_content *content, int32_t buffer, size_t at, int32_t *before,
                   int32_t *found)
{
    *before = NONE;
    *found = buffer;
    while (*found != NONE && content->pieces[*found].end <= at) {
        *before = *found;
        *found = content->pieces[*found].next;
    }
    if (*found == NONE || content->pieces[*found].first == at)
        return true;
    const int32_t cut = *found;
    vdnn_flow_piece *rest = add_piece(content);
    if (rest == NULL)
        return false;
    *rest = content->pieces[cut];
    rest->first = content->pieces[cut].end = at;
    *found = content->pieces[cut].next = content->count - 1;
    *before = cut;
    return true;
}

vdnn_status vdnn_flow_put(vdnn_flow_content *content, int32_t buffer, size_t first, size_t end,
                          int32_t origin)
{
    int32_t before, found, last, behind;
    if (!cut_at(content, buffer, first, &before, &found) ||
        !cut_at(content, buffer, end, &last, &behind))
        return vdnn_checker_no_memory((size_t)content->count);
    content->pieces[found].end = end;
    content->pieces[found].origin = origin;
    content->pieces[found].next = behind;
    return VDNN_OK;
}

vdnn_status vdnn_flow_write(vdnn_flow_content *content, const vdnn_access *access, int32_t origin)
{
    return vdnn_flow_put(content, access->buffer, access->first, access->first + access->bytes,
                         origin);
}

const vdnn_flow_piece *vdnn_flow_first(const vdnn_flow *f, int32_t access)
{
    const vdnn_access *own = vdnn_flow_access(f, access);
    const vdnn_flow_piece *at = &f->content.pieces[own->buffer];
    while (at->end <= own->first)
        at = &f->content.pieces[at->next];
    return at;
}

const vdnn_flow_piece *vdnn_flow_next(const vdnn_flow *f, int32_t access,
                                      const vdnn_flow_piece *piece)
{
    const vdnn_access *own = vdnn_flow_access(f, access);
    return piece->end >= own->first + own->bytes ? NULL : &f->content.pieces[piece->next];
}
