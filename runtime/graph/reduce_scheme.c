#include "runtime/graph/reduce_scheme.h"

const char *vdnn_reduce_scheme_text(vdnn_reduce_scheme scheme)
{
    static const char *const texts[] = {
#define X(name, text) text,
        VDNN_REDUCE_TABLE(X)
#undef X
    };
    return (size_t)scheme < VDNN_REDUCE_COUNT ? texts[scheme] : "unknown";
}
