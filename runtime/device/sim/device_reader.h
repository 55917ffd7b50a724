#ifndef VDNN_RUNTIME_DEVICE_SIM_DEVICE_READER_H
#define VDNN_RUNTIME_DEVICE_SIM_DEVICE_READER_H

/* Reads device models: YAML files of a card's figures (runtime/device/sim/model.h), each a number
 * or, with its origin, {value: NUMBER, basis: WORD, source: TEXT}. The basis, by which reports
 * qualify a figure, is one of those of runtime/device/figure.h: datasheet, measured, fitted (to
 * measurements of this card), other_card (taken over from another one), construction (chosen so
 * that a published result comes out, which therefore proves nothing) or assumed.
 *
 *     name: some-card
 *     calibrated: false
 *     memory: {bytes: 17179869184, usable_bytes: 16642998272, bytes_per_second: 732e9}
 *     ...
 *     convolution:
 *       implicit_gemm:
 *         forward: {efficiency: 0.5, memory_efficiency: 0.8}
 *
 * `convolution` has the rates of the units that compute f32, `tensor_convolution` those for tf32
 * and 16-bit maps; without the latter both have the same, each relative to its type's peak. A
 * section of them with `like: NAME` has the algorithms of that model (NAME.yaml next to this one,
 * or among the shipped ones), except for those it lists itself. It may say its `source` and `basis`
 * once for all; with `like` the basis is other_card. Without usable_bytes all bytes are, which is
 * an assumption: what a context takes differs from card to card. `accuracy` is how far its
 * convolutions are from published times that no rate was fitted to, {timings: NUMBER that were,
 * half_within: PART, nine_tenths_within: PART}; reports print it. `tensor_accuracy` is that of the
 * units for smaller types, where it is another.
 *
 * Invariant: a model that was read is complete; on failure it is unchanged.
 * Threads: any.
 *
 *     vdnn_device_model model;
 *     status = vdnn_device_model_load("titan-x-maxwell", &model);
 *     use(model.memory.usable_bytes);
 */

#include "runtime/device/sim/model.h"

/* VDNN_BAD_INPUT with "path:line: what, expected what, nearest key" for any error in it. */
vdnn_status vdnn_device_model_parse(const char *text, size_t length, const char *path,
                                    vdnn_device_model *model);

/* Finds it: a path, or the name of a file in models/devices/; *path is the caller's to free
 * (vdnn_heap_free). */
vdnn_status vdnn_device_model_find(const char *name, char **path);

/* A path, or the name of a file in models/devices/. VDNN_BAD_INPUT with the nearest name if there
 * is neither. */
vdnn_status vdnn_device_model_load(const char *name, vdnn_device_model *model);

/* Adds the names of those in models/devices/, one a line after `prefix`. */
vdnn_status vdnn_device_model_names(const char *prefix, vdnn_text *names);

#endif
