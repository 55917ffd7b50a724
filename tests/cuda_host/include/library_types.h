#ifndef VDNN_TESTS_CUDA_HOST_INCLUDE_LIBRARY_TYPES_H
#define VDNN_TESTS_CUDA_HOST_INCLUDE_LIBRARY_TYPES_H

/* What CUDA's libraries have in common, as the emulation has it.
 *
 * Invariant: whatever compiles with this header compiles with the toolkit's.
 * Threads: any; it is constants alone.
 *
 *     int version;
 *     cublasGetProperty(MAJOR_VERSION, &version);
 */

typedef enum cudaDataType_t { CUDA_R_32F = 0, CUDA_C_32F = 4, CUDA_R_16BF = 14 } cudaDataType_t;
typedef enum libraryPropertyType_t {
    MAJOR_VERSION,
    MINOR_VERSION,
    PATCH_LEVEL
} libraryPropertyType;

#endif
