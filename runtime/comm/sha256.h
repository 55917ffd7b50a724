#ifndef VDNN_RUNTIME_COMM_SHA256_H
#define VDNN_RUNTIME_COMM_SHA256_H

/* Proofs that the one who sent some bytes knows a secret: HMAC (RFC 2104) with SHA-256 (FIPS
 * 180-4). No library that the project links has them.
 *
 * Invariant: tests/unit/base/test_sha256.c repeats the vectors of both standards.
 * Threads: pure.
 *
 *     uint8_t proof[VDNN_SHA256_BYTES];
 *     vdnn_sha256_prove(secret, strlen(secret), message, sizeof message, proof);
 *     if (!vdnn_sha256_equal(proof, received))
 *         ... a stranger
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VDNN_SHA256_BYTES = 32 };

void vdnn_sha256_hash(const void *bytes, size_t count, uint8_t hash[VDNN_SHA256_BYTES]);
/* The HMAC of `bytes` with the key. */
void vdnn_sha256_prove(const void *key, size_t key_bytes, const void *bytes, size_t count,
                       uint8_t proof[VDNN_SHA256_BYTES]);
/* Takes the same time wherever the two differ. */
bool vdnn_sha256_equal(const uint8_t a[VDNN_SHA256_BYTES], const uint8_t b[VDNN_SHA256_BYTES]);

#endif
