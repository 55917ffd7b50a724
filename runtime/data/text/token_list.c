#include "runtime/data/text/token_list.h"

#include "runtime/base/heap.h"

enum { FIRST_CAPACITY = 64 };

vdnn_status vdnn_tokens_add_grown(vdnn_tokens *tokens, int32_t token)
{
    const size_t capacity = tokens->capacity == 0 ? FIRST_CAPACITY : 2 * tokens->capacity;
    int32_t *grown = vdnn_heap_realloc(tokens->items, capacity, sizeof *grown);
    if (grown == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %zu tokens", capacity);
    tokens->items = grown;
    tokens->capacity = capacity;
    tokens->items[tokens->count++] = token;
    return VDNN_OK;
}

void vdnn_tokens_fini(vdnn_tokens *tokens)
{
    vdnn_heap_free(tokens->items);
    *tokens = (vdnn_tokens){0};
}
