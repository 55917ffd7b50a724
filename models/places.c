#include "models/places.h"

#include "runtime/base/system.h"

#include <stdio.h>

#ifndef VDNN_DATADIR
#define VDNN_DATADIR "/usr/local/share/vdnn"
#endif

/* Seen from bin/ or lib/ of an installation; from build/bin or build/CONFIG; from
 * build/CONFIG/bin. */
static const char *const beside[VDNN_PLACES_MOST - 1] = {"../share/vdnn/models", "../../models",
                                                         "../../../models"};

void vdnn_places_find(vdnn_places *places)
{
    char folder[PATH_MAX];
    places->count = 0;
    vdnn_system_own_folder(folder);
    for (size_t i = 0; folder[0] != '\0' && i < VDNN_PLACES_MOST - 1; i++) {
        (void)snprintf(places->beside[i], sizeof places->beside[i], "%s/%s", folder, beside[i]);
        places->list[places->count++] = places->beside[i];
    }
    places->list[places->count++] = VDNN_DATADIR "/models";
}
