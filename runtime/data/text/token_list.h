#ifndef VDNN_RUNTIME_DATA_TEXT_TOKEN_LIST_H
#define VDNN_RUNTIME_DATA_TEXT_TOKEN_LIST_H

/* Tokens in a list that grows.
 *
 * Invariant: count <= capacity. Threads: one at a time.
 *
 *     vdnn_tokens tokens = {0};
 *     status = vdnn_tokens_add(&tokens, 7);
 *     vdnn_tokens_fini(&tokens);
 */

#include "runtime/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_tokens {
    int32_t *items; /* owned */
    size_t count, capacity;
} vdnn_tokens;

/* VDNN_NO_MEMORY; the call of vdnn_tokens_add for a full list. */
vdnn_status vdnn_tokens_add_grown(vdnn_tokens *tokens, int32_t token);

static inline vdnn_status vdnn_tokens_add(vdnn_tokens *tokens, int32_t token)
{
    if (tokens->count == tokens->capacity)
        return vdnn_tokens_add_grown(tokens, token);
    tokens->items[tokens->count++] = token;
    return VDNN_OK;
}

void vdnn_tokens_fini(vdnn_tokens *tokens); /* accepts one that is all zero */

#endif
