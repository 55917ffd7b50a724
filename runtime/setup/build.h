#ifndef VDNN_RUNTIME_SETUP_BUILD_H
#define VDNN_RUNTIME_SETUP_BUILD_H

/* Of what kind this build is. Builds of other kinds compute other last bits.
 *
 * Invariant: VDNN_CONFIG is given to the files that the Makefile names for it.
 * Threads: constants.
 *
 *     puts(VDNN_CONFIG ", " VDNN_BUILD_COMPILER);
 */

#ifndef VDNN_CONFIG
#define VDNN_CONFIG "not known"
#endif

#if defined(__clang__)
#define VDNN_BUILD_COMPILER "clang " __clang_version__
#else
#define VDNN_BUILD_COMPILER "gcc " __VERSION__
#endif

#endif
