#include "runtime/device/figure.h"

#include <string.h>

static const struct {
    const char *text, *words;
} bases[] = {
#define X(name, key, words) {key, words},
    VDNN_BASIS_TABLE(X)
#undef X
};

const char *vdnn_basis_text(vdnn_basis basis)
{
    return bases[basis].text;
}

const char *vdnn_basis_words(vdnn_basis basis)
{
    return bases[basis].words;
}

bool vdnn_basis_parse(const char *text, vdnn_basis *basis)
{
    for (int i = VDNN_BASIS_UNSTATED + 1; i < VDNN_BASIS_COUNT; i++)
        if (strcmp(text, bases[i].text) == 0) {
            *basis = (vdnn_basis)i;
            return true;
        }
    return false;
}
