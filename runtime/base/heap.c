#include "runtime/base/heap.h"

#include "runtime/base/machine/jemalloc.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token

static atomic_size_t call_count, live_count, calls_to_failure;

/* Counts a call; false if a test makes this one fail. */
static bool begin_call(void)
{
    atomic_fetch_add_explicit(&call_count, 1, memory_order_relaxed);
    size_t left = atomic_load_explicit(&calls_to_failure, memory_order_relaxed);
    while (left != 0 && !atomic_compare_exchange_weak(&calls_to_failure, &left, left - 1)) {
    }
    return left != 1;
}

/* At least 1; false where no object can be that large. */
static bool product(size_t count, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > PTRDIFF_MAX)
        return false;
    *bytes += *bytes == 0;
    return true;
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&live_count, 1, memory_order_relaxed);
    return block;
}

void *vdnn_heap_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!begin_call() || !product(count, size, &bytes))
        return NULL;
    return counted(calloc(bytes, 1));
}

void *vdnn_heap_realloc(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!begin_call() || !product(count, size, &bytes))
        return NULL;
    void *grown = realloc(block, bytes);
    return block == NULL ? counted(grown) : grown;
}

char *vdnn_heap_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = vdnn_heap_calloc(bytes, 1);
    if (copy != NULL)
        memcpy(copy, text, bytes);
    return copy;
}

void vdnn_heap_free(void *block)
{
    if (block == NULL)
        return;
    atomic_fetch_sub_explicit(&live_count, 1, memory_order_relaxed);
    free(block);
}

void vdnn_heap_trim(void)
{
    if (vdnn_has_jemalloc())
        (void)mallctl("arena." TEXT_OF(MALLCTL_ARENAS_ALL) ".purge", NULL, NULL, NULL, 0);
    else
        (void)malloc_trim(0);
}

size_t vdnn_heap_call_count(void)
{
    return atomic_load_explicit(&call_count, memory_order_relaxed);
}

size_t vdnn_heap_live_count(void)
{
    return atomic_load_explicit(&live_count, memory_order_relaxed);
}

void vdnn_heap_fail_after(size_t n)
{
    atomic_store(&calls_to_failure, n);
}
