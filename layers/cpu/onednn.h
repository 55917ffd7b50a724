#ifndef VDNN_LAYERS_CPU_ONEDNN_H
#define VDNN_LAYERS_CPU_ONEDNN_H

/* Shared by all kernels that call oneDNN: statuses and the CPU engine.
 *
 * Invariant: a failed call is reported with its name, oneDNN's error and the layer.
 * Threads: any; an engine of one thread is not shared.
 *
 *     status = vdnn_onednn_check(dnnl_engine_create(&engine, dnnl_cpu, 0), layer, "an engine");
 */

#include "layers/layer.h"

#include <dnnl.h>

/* VDNN_OK, VDNN_NO_MEMORY or VDNN_DEVICE; `what` describes the call. */
vdnn_status vdnn_onednn_check(dnnl_status_t result, const vdnn_layer *layer, const char *what);

#endif
