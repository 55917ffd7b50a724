#ifndef VDNN_MODELS_PLACES_H
#define VDNN_MODELS_PLACES_H

/* Where the library's networks are: relative to the file that holds its code, so that an
 * installation can be moved, or in the configured place of installation.
 *
 * Invariant: `count` paths, in the order in which they are searched.
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
