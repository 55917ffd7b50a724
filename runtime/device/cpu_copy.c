#include "runtime/device/cpu_copy.h"

#include <string.h>

void vdnn_cpu_copy(void *to, const void *from, size_t bytes)
{
    if (bytes != 0)
        memcpy(to, from, bytes);
}
