#ifndef VDNN_RUNTIME_DEVICE_OFFERS_H
#define VDNN_RUNTIME_DEVICE_OFFERS_H

/* A cache of algorithms' offers: libraries take long to answer, and a network has many layers of
 * one signature that are planned many times.
 *
 * Invariant: an offer belongs to (algorithm, signature, pass) on one device; signatures are
 * identified by a hash of 128 bits.
 * Threads: one at a time.
 *
 *     status = vdnn_offers_init(&offers);
 *     if (!vdnn_offers_find(&offers, row, layer->signature, pass, &offer)) {
 *         status = vdnn_algorithm_ask(row, layer, pass, threads, &offer);
 *         vdnn_offers_keep(&offers, row, layer->signature, pass, &offer);
 *     }
 *     vdnn_offers_fini(&offers);
 */

#include "layers/layer.h"

typedef struct vdnn_offers {
    struct vdnn_offers_row *rows; /* open addressing */
    size_t row_count, capacity;   /* a power of two, more than the rows; 0: not begun */
} vdnn_offers;

vdnn_status vdnn_offers_init(vdnn_offers *offers);

bool vdnn_offers_find(const vdnn_offers *offers, const vdnn_algorithm *algorithm,
                      const char *signature, vdnn_pass pass, vdnn_offer *offer);
/* An offer that there is no memory for is not cached, and will be asked for again. */
void vdnn_offers_keep(vdnn_offers *offers, const vdnn_algorithm *algorithm, const char *signature,
                      vdnn_pass pass, const vdnn_offer *offer);
void vdnn_offers_fini(vdnn_offers *offers); /* accepts an all-zero one */

#endif
