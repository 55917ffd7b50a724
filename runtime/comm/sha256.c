/* FIPS 180-4, section 6.2; names of variables as there. */

#include "runtime/comm/sha256.h"

#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, ROUNDS = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

typedef struct hasher {
    uint32_t state[8];
    uint64_t count; /* of bytes so far */
    uint8_t block[BLOCK_BYTES];
} hasher;

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void schedule_words(const uint8_t *block, uint32_t *w)
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < ROUNDS; t++) {
        const uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3,
                       s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void hash_block(uint32_t *state, const uint8_t *block)
{
    enum { A, B, C, D, E, F, G, H };
    uint32_t w[ROUNDS], v[8];
    schedule_words(block, w);
    memcpy(v, state, sizeof v);
    for (size_t t = 0; t < ROUNDS; t++) {
        const uint32_t sum1 = rotate(v[E], 6) ^ rotate(v[E], 11) ^ rotate(v[E], 25),
                       sum0 = rotate(v[A], 2) ^ rotate(v[A], 13) ^ rotate(v[A], 22),
                       choice = (v[E] & v[F]) ^ (~v[E] & v[G]),
                       majority = (v[A] & v[B]) ^ (v[A] & v[C]) ^ (v[B] & v[C]),
                       t1 = v[H] + sum1 + choice + constants[t] + w[t], t2 = sum0 + majority;
        memmove(v + B, v + A, 7 * sizeof *v);
        v[E] += t1;
        v[A] = t1 + t2;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

static void begin(hasher *h)
{
    /* The same of the square roots of the first 8 primes. */
    *h = (hasher){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};
}

static void add(hasher *h, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        h->block[h->count++ % BLOCK_BYTES] = from[i];
        if (h->count % BLOCK_BYTES == 0)
            hash_block(h->state, h->block);
    }
}

static void end(hasher *h, uint8_t *hash)
{
    const uint64_t bits = h->count * 8;
    add(h, &(uint8_t){0x80}, 1);
    while (h->count % BLOCK_BYTES != BLOCK_BYTES - LENGTH_BYTES)
        add(h, &(uint8_t){0}, 1);
    for (int i = LENGTH_BYTES - 1; i >= 0; i--)
        add(h, &(uint8_t){(uint8_t)(bits >> 8 * i)}, 1);
    for (size_t i = 0; i < VDNN_SHA256_BYTES; i++)
        hash[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

void vdnn_sha256_hash(const void *bytes, size_t count, uint8_t hash[VDNN_SHA256_BYTES])
{
    hasher h;
    begin(&h);
    add(&h, bytes, count);
    end(&h, hash);
}

/* H((key ^ pad) || bytes) */
static void hash_padded(const uint8_t *key, uint8_t pad, const void *bytes, size_t count,
                        uint8_t *hash)
{
    uint8_t padded[BLOCK_BYTES];
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        padded[i] = key[i] ^ pad;
    hasher h;
    begin(&h);
    add(&h, padded, sizeof padded);
    add(&h, bytes, count);
    end(&h, hash);
}

void vdnn_sha256_prove(const void *key, size_t key_bytes, const void *bytes, size_t count,
                       uint8_t proof[VDNN_SHA256_BYTES])
{
    uint8_t block[BLOCK_BYTES] = {0}, inner[VDNN_SHA256_BYTES];
    if (key_bytes > sizeof block)
        vdnn_sha256_hash(key, key_bytes, block);
    else
        memcpy(block, key, key_bytes);
    hash_padded(block, 0x36, bytes, count, inner);
    hash_padded(block, 0x5c, inner, sizeof inner, proof);
}

bool vdnn_sha256_equal(const uint8_t a[VDNN_SHA256_BYTES], const uint8_t b[VDNN_SHA256_BYTES])
{
    uint8_t difference = 0;
    for (size_t i = 0; i < VDNN_SHA256_BYTES; i++)
        difference = (uint8_t)(difference | (a[i] ^ b[i]));
    return difference == 0;
}
