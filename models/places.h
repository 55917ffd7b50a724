#ifndef VDNN_MODELS_PLACES_H
#define VDNN_MODELS_PLACES_H

/* Where the networks that come with the library are: beside the file that holds its code, so that
 * an installation can be moved, or where it was meant to be installed.
 *
 * Invariant: as many paths as count says, in the order in which they are to be searched.
 * Threads: any; a value.
 *
 *     vdnn_places places;
 *     vdnn_places_find(&places);
 *     status = vdnn_model_find(name, places.list, places.count, &path);
 */

#include <limits.h>
#include <stddef.h>

enum { VDNN_PLACES_MOST = 4 };

typedef struct vdnn_places {
    const char *list[VDNN_PLACES_MOST];
    size_t count;
    char beside[VDNN_PLACES_MOST - 1][PATH_MAX + 32];
} vdnn_places;

void vdnn_places_find(vdnn_places *places);

#endif
