#ifndef VDNN_RUNTIME_COMM_HANDSHAKE_H
#define VDNN_RUNTIME_COMM_HANDSHAKE_H

// clang-format off
/* How two processes prove to each other, on a fresh connection, that both know the secret:
 *
 *     the one that listens                 the one that comes
 *     greeting: version, rank, number  ->
 *                                      <-  claim: version, rank, ranks, ..., number, proof
 *     answer: verdict, proof           ->
 *
 * A proof is an HMAC with the secret over all that was said before, with both random numbers, so
 * that none fits another connection.
 *
 * Invariant: the secret itself is never sent. What follows on the connection is neither encrypted
 * nor signed: the network between the ranks must be a private one.
 * Threads: pure.
 *
 *     vdnn_handshake_greet(&greeting, rank);              // listens
 *     vdnn_handshake_claim(world, &greeting, &claim);     // comes; the rest of the claim is set
 *     vdnn_handshake_is_proven(world, &greeting, &claim)
 *     vdnn_handshake_answer(world, &greeting, &claim, VDNN_WELCOME, &answer);
 *     vdnn_handshake_is_answered(world, &greeting, &claim, &answer)
 */
// clang-format on

#include "runtime/base/status.h"
#include "runtime/comm/sha256.h"
#include "runtime/comm/world.h"

enum {
    VDNN_HANDSHAKE_VERSION = 1, /* of all that processes say to each other */
    VDNN_HANDSHAKE_HOST_BYTES = 64,
};

/* Both begin with this, in every version. Numbers are in the order of this machine's bytes: the
 * version of a machine with the other order is another one. */
typedef struct vdnn_handshake_head {
    char magic[8];
    uint32_t version;
} vdnn_handshake_head;

typedef struct vdnn_greeting {
    vdnn_handshake_head head;
    uint32_t rank;
    uint8_t number[VDNN_SHA256_BYTES];
} vdnn_greeting;

typedef struct vdnn_claim {
    vdnn_handshake_head head;
    uint32_t rank, ranks, channel;
    uint32_t port; /* where it listens itself */
    uint32_t process;
    char host[VDNN_HANDSHAKE_HOST_BYTES];
    uint8_t number[VDNN_SHA256_BYTES], proof[VDNN_SHA256_BYTES];
} vdnn_claim;

typedef enum vdnn_admission {
    VDNN_WELCOME,
    VDNN_RANK_TAKEN,
    VDNN_OTHER_RANKS, /* another number of them */
    VDNN_NO_PROOF,    /* another secret */
    VDNN_ADMISSION_COUNT
} vdnn_admission;

typedef struct vdnn_answer {
    uint32_t verdict, ranks;
    uint8_t proof[VDNN_SHA256_BYTES];
} vdnn_answer;

/* VDNN_INTERNAL where the system has no random numbers. */
vdnn_status vdnn_handshake_greet(vdnn_greeting *greeting, int32_t rank);
/* Whether it begins as a greeting or a claim does. */
bool vdnn_handshake_is_ours(const vdnn_handshake_head *head);

/* Whether a number that another process says is that of a status. */
bool vdnn_handshake_is_status(int64_t number);

/* Writes the name of the host of this process. */
void vdnn_handshake_host(char host[VDNN_HANDSHAKE_HOST_BYTES]);

/* Adds rank, host, process, number and proof to a channel and a port. */
vdnn_status vdnn_handshake_claim(const vdnn_world *world, const vdnn_greeting *greeting,
                                 vdnn_claim *claim);
bool vdnn_handshake_is_proven(const vdnn_world *world, const vdnn_greeting *greeting,
                              const vdnn_claim *claim);
void vdnn_handshake_answer(const vdnn_world *world, const vdnn_greeting *greeting,
                           const vdnn_claim *claim, vdnn_admission verdict, vdnn_answer *answer);
bool vdnn_handshake_is_answered(const vdnn_world *world, const vdnn_greeting *greeting,
                                const vdnn_claim *claim, const vdnn_answer *answer);

#endif
