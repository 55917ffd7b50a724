#ifndef VDNN_TESTS_CUDA_HOST_LIBRARY_H
#define VDNN_TESTS_CUDA_HOST_LIBRARY_H

/* The runtime of the emulation, as its libraries (cuBLAS, ...) see it.
 *
 * Invariant: work runs in its stream's order, or not at all once a kernel failed.
 * Threads: any.
 *
 *     if (vdnn_cuda_host::library_error("cublas") != 0) return CUBLAS_STATUS_EXECUTION_FAILED;
 *     vdnn_cuda_host::run_on(stream, [=] { multiply(a, b, c); });
 */

/* For headers of the library, which are C's. */
#define _Noreturn [[noreturn]]

#include <cuda_runtime_api.h>
#include <functional>
#include <initializer_list>

namespace vdnn_cuda_host
{

void run_on(cudaStream_t stream, std::function<void()> work);

/* Counts a call of that name; 0, or the error that a test injects. */
int planned_error(const char *call);

/* The same of a library that uses the runtime: the error is the runtime's last one too, as it may
 * be left there. */
int library_error(const char *call);

int current_card();

/* Whether a library's handle of that card can work there now: the card is current, the stream its
 * own, and no address in another one's memory. */
bool can_use(int card, cudaStream_t stream, std::initializer_list<const void *> places = {});

/* What tests set of that name (cuda_host.h). */
long long setting_of(const char *name);

} // namespace vdnn_cuda_host

#endif
