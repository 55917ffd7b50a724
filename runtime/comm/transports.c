#include "runtime/comm/transports.h"

#include "runtime/base/text.h"

#include <string.h>

static const struct {
    const char *name;
    const vdnn_transport *transport;
} transports[] = {
    {"tcp", &vdnn_transport_tcp},
    {"openmpi", &vdnn_transport_openmpi},
    {"mpich", &vdnn_transport_mpich},
};

enum { TRANSPORTS = sizeof transports / sizeof *transports };

vdnn_status vdnn_transport_find(const char *name, const vdnn_transport **transport)
{
    const char *names[TRANSPORTS];
    char hint[64];
    for (size_t i = 0; i < TRANSPORTS; i++) {
        names[i] = transports[i].name;
        if (strcmp(names[i], name) != 0)
            continue;
        *transport = transports[i].transport;
        return VDNN_OK;
    }
    return vdnn_status_fail(VDNN_USAGE, "there is no transport '%s'%s", name,
                            vdnn_text_hint(hint, sizeof hint, name, names, TRANSPORTS));
}
