#ifndef VDNN_LAYERS_CONV_CONV_WORK_H
#define VDNN_LAYERS_CONV_CONV_WORK_H

/* Work and depth of convolutions: what each way to compute one costs, whatever the device.
 *
 * The formulas are those of Ben-Nun and Hoefler's table of convolutions (layers/layer.h has the
 * source), with a multiply-add as two operations, every factor counted as often as it occurs, and
 * for the backward passes too. L(i) is the depth of a sum of i terms, log2 i rounded up; c, k the
 * channels of one group; P tiles of all images, of T x T points.
 *
 *     way         products                 transforms                                  depth
 *     direct,     2 N K OH OW C R S        -                                L(c) + L(R) + L(S)
 *     im2col
 *     FFT         8 T (T / 2 + 1) P c k    2.5 T^2 log2 T^2 of each map         2 L(T^2) + L(c)
 *                                          tile and each filter
 *     Winograd    2 T^2 P c k              4 T^3 of a tile of x,        2 L(R) + 4 L(T) + L(c)
 *     F(m, R),                             2 T R (T + R) of a filter,
 *     T = m+R-1                            2 T m (T + m) of a tile of y
 *
 * Transforms of real maps by FFT take half of the 5 n log2 n of complex ones, and leave half of the
 * points; those by Winograd count as dense products, twice for two dimensions. Backward data sums
 * over k instead of c; backward filter over the images and cells of y, or over tiles. Not counted:
 * what vectors and blocks of channels are padded with.
 *
 * Threads: pure.
 *
 *     vdnn_work work = vdnn_algorithm_work(row, layer, VDNN_FORWARD); // calls one of these
 */

#include "layers/conv/conv.h"

/* The depth (vdnn_layer_def.depth) of the direct form, and of im2col. */
double vdnn_conv_depth(const vdnn_layer *layer, vdnn_pass pass);

/* The work (vdnn_algorithm.work) by Winograd; `tile` is m, the outputs on a side of a tile. */
vdnn_work vdnn_conv_winograd_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile);

/* The same by FFT of tiles that overlap; `tile` is T. */
vdnn_work vdnn_conv_fft_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile);

/* The same by FFT of whole maps with their padding, whose sides are the next lengths without prime
 * factors above `tile`; of 2, as in cuDNN, squares. */
vdnn_work vdnn_conv_spectra_work(const vdnn_layer *layer, vdnn_pass pass, int64_t tile);

#endif
