#include "runtime/checker/checker_flow.h"

#include "runtime/base/heap.h"

/* The pieces of each buffer are a list in the order of its bytes, without gaps:
 *
 *     buffer b   | conv1 forward, y, part 0 | part 1 | relu1 forward, y, in place, part 2 |
 *
 * An access that writes replaces what it covers; at its ends a piece may be cut in two. */

enum { NONE = -1 };

static vdnn_flow_piece *add_piece(vdnn_flow_content *own)
{
    if (own->count == own->capacity) {
        const int32_t wanted = 2 * own->capacity;
        void *grown = wanted > VDNN_PLAN_MOST_ITEMS
                          ? NULL
                          : vdnn_heap_realloc(own->pieces, (size_t)wanted, sizeof *own->pieces);
        if (grown == NULL)
            return NULL;
        own->pieces = grown;
        own->capacity = wanted;
    }
    return &own->pieces[own->count++];
}

/* Piece b of a buffer is its first one. */
vdnn_status vdnn_flow_content_init(vdnn_flow_content *own, const vdnn_plan *plan)
{
    own->capacity = plan->buffer_count + plan->access_count;
    own->pieces = vdnn_heap_calloc((size_t)own->capacity, sizeof *own->pieces);
    if (own->pieces == NULL)
        return vdnn_checker_no_memory((size_t)own->capacity);
    own->count = plan->buffer_count;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        own->pieces[b] = (vdnn_flow_piece){0, plan->buffers[b].bytes, NONE, NONE};
    return VDNN_OK;
}

void vdnn_flow_content_fini(vdnn_flow_content *own)
{
    vdnn_heap_free(own->pieces);
}

/* Makes a bound of pieces at `at`: the piece that begins there; NONE: the buffer's end. *before:
 * the one before it. */
static bool cut_at(vdnn_flow_content *own, int32_t buffer, size_t at, int32_t *before,
                   int32_t *found)
{
    *before = NONE;
    *found = buffer;
    while (*found != NONE && own->pieces[*found].end <= at) {
        *before = *found;
        *found = own->pieces[*found].next;
    }
    if (*found == NONE || own->pieces[*found].first == at)
        return true;
    const int32_t cut = *found;
    vdnn_flow_piece *rest = add_piece(own);
    if (rest == NULL)
        return false;
    *rest = own->pieces[cut];
    rest->first = own->pieces[cut].end = at;
    *found = own->pieces[cut].next = own->count - 1;
    *before = cut;
    return true;
}

vdnn_status vdnn_flow_put(vdnn_flow_content *own, int32_t buffer, size_t first, size_t end,
                          int32_t origin)
{
    int32_t before, found, last, behind;
    if (!cut_at(own, buffer, first, &before, &found) || !cut_at(own, buffer, end, &last, &behind))
        return vdnn_checker_no_memory((size_t)own->count);
    own->pieces[found].end = end;
    own->pieces[found].origin = origin;
    own->pieces[found].next = behind;
    return VDNN_OK;
}

vdnn_status vdnn_flow_write(vdnn_flow_content *own, const vdnn_access *access, int32_t origin)
{
    return vdnn_flow_put(own, access->buffer, access->first, access->first + access->bytes, origin);
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
