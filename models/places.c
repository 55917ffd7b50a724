#include "models/places.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef VDNN_DATADIR
#define VDNN_DATADIR "/usr/local/share/vdnn"
#endif

/* Seen from bin/ or lib/ of an installation; from build/bin or build/CONFIG; from
 * build/CONFIG/bin. */
static const char *const beside[VDNN_PLACES_MOST - 1] = {"../share/vdnn/models", "../../models",
                                                         "../../../models"};

/* The folder of the shared library, or of a program that contains the library. */
static void find_folder(char folder[PATH_MAX])
{
    static const char here;
    Dl_info info;
    struct link_map *map = NULL;
    ssize_t length = -1;
    if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL &&
        map->l_name[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s", map->l_name);
    else
        length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 && length < PATH_MAX ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    *(slash == NULL ? folder : slash) = '\0';
}

void vdnn_places_find(vdnn_places *places)
{
    char folder[PATH_MAX];
    places->count = 0;
    find_folder(folder);
    for (size_t i = 0; folder[0] != '\0' && i < VDNN_PLACES_MOST - 1; i++) {
        (void)snprintf(places->beside[i], sizeof places->beside[i], "%s/%s", folder, beside[i]);
        places->list[places->count++] = places->beside[i];
    }
    places->list[places->count++] = VDNN_DATADIR "/models";
}
