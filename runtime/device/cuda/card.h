#ifndef VDNN_RUNTIME_DEVICE_CUDA_CARD_H
#define VDNN_RUNTIME_DEVICE_CUDA_CARD_H

/* Finds a CUDA card: its driver, the card of that number, and whether it can be used.
 *
 * Invariant: a card that was opened has kernels in this build and a context in this process; the
 * calling thread has selected it. Otherwise the message distinguishes: no driver, a driver that is
 * too old, no card, a wrong number, too old a card, a card that does not respond.
 * Threads: any; the selected card is a property of the thread.
 *
 *     vdnn_cuda_card card;
 *     char text[VDNN_CUDA_CARD_TEXT_BYTES];
 *     status = vdnn_cuda_card_open("1", &card);        // "": the first
 *     puts(vdnn_cuda_card_text(&card, text));          // "CUDA 13.0, driver 13.0, capability 9.0"
 *     cudaSetDevice(card.ordinal);                     // on another thread
 */

#include "runtime/base/status.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

enum { VDNN_CUDA_CARD_TEXT_BYTES = 96 };

typedef struct vdnn_cuda_card {
    int ordinal;
    int driver, runtime; /* 1000 * major + 10 * minor of CUDA */
    struct cudaDeviceProp properties;
} vdnn_cuda_card;

/* How many the driver has; 0 without a driver. */
int32_t vdnn_cuda_card_count(void);

/* VDNN_DEVICE with what is missing, what was found and what would help. */
vdnn_status vdnn_cuda_card_open(const char *instance, vdnn_cuda_card *card);

/* Returns `text`. */
const char *vdnn_cuda_card_text(const vdnn_cuda_card *card, char text[VDNN_CUDA_CARD_TEXT_BYTES]);

#endif
