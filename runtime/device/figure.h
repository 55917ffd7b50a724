#ifndef VDNN_RUNTIME_DEVICE_FIGURE_H
#define VDNN_RUNTIME_DEVICE_FIGURE_H

/* The figures of a simulated device, each with its basis. Device models (models/devices/) have
 * them, reports print them.
 *
 * Invariant: a value; names are of static tables.
 * Threads: any.
 *
 *     for (int i = 0; i < properties->figure_count; i++)
 *         say(figures[i].key, vdnn_basis_text(figures[i].basis));
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, as in files, in words of reports */
#define VDNN_BASIS_TABLE(X)                                                                        \
    X(UNSTATED, "unstated", "of unstated origin")                                                  \
    X(DATASHEET, "datasheet", "published by the maker")                                            \
    X(MEASURED, "measured", "measured on this card")                                               \
    X(FITTED, "fitted", "fitted to measurements of this card")                                     \
    X(OTHER_CARD, "other_card", "taken over from another card")                                    \
    X(CONSTRUCTION, "construction", "chosen so that a published result comes out")                 \
    X(ASSUMED, "assumed", "assumed")

typedef enum vdnn_basis {
#define X(name, key, words) VDNN_BASIS_##name,
    VDNN_BASIS_TABLE(X)
#undef X
        VDNN_BASIS_COUNT
} vdnn_basis;

typedef struct vdnn_figure {
    const char *section, *key; /* "memory", "bytes"; key NULL: the section as a whole */
    double value;              /* 0 if there is no key */
    vdnn_basis basis;
} vdnn_figure;

/* How far predicted times are from published ones that no rate was fitted to. */
typedef struct vdnn_accuracy {
    int64_t timings;    /* of the device, that its rates were fitted to; 0: none, or not known */
    double half_within; /* half of them are within this part of it; 0: not known */
    double nine_tenths_within;
} vdnn_accuracy;

/* "fitted"; "fitted to measurements of this card". */
const char *vdnn_basis_text(vdnn_basis basis);
const char *vdnn_basis_words(vdnn_basis basis);

/* Reads the text as files have it; false for any other. */
bool vdnn_basis_parse(const char *text, vdnn_basis *basis);

#endif
