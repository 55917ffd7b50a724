#include "alloc/allocator.h"
#include "runtime/base/system.h"

#include <unistd.h>

static size_t round_up(size_t bytes, size_t page)
{
    return (bytes + page - 1) / page * page;
}

void vdnn_lock_pages(void *block, size_t bytes, size_t *locked_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = round_up(bytes, page), locked = 0;
    /* The largest prefix that the system allows: a refused part is halved until one page is
     * refused. */
    size_t chunk = whole;
    while (locked < whole && chunk >= page) {
        if (chunk > whole - locked)
            chunk = whole - locked;
        if (vdnn_system_mlock((char *)block + locked, chunk) == 0) {
            locked += chunk;
        } else {
            /* If only some pages could be locked they stay locked: unlock them. */
            (void)vdnn_system_munlock((char *)block + locked, chunk);
            chunk = chunk / 2 / page * page;
        }
    }
    *locked_bytes = locked;
}

void vdnn_unlock_pages(void *block, size_t locked_bytes)
{
    if (locked_bytes != 0)
        (void)vdnn_system_munlock(block, locked_bytes);
}
