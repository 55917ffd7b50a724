#include "runtime/comm/handshake.h"

#include "runtime/base/system.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const vdnn_handshake_head our_head = {{'v', 'd', 'n', 'n', '-', 'r', 'u', 'n'},
                                             VDNN_HANDSHAKE_VERSION};

/* What proofs are over, without gaps. */
typedef struct transcript {
    char what[8];
    vdnn_greeting greeting;
    vdnn_claim claim; /* with its proof only once that is known */
    uint32_t verdict, ranks;
} transcript;

_Static_assert(sizeof(transcript) ==
                   8 + sizeof(vdnn_greeting) + sizeof(vdnn_claim) + 2 * sizeof(uint32_t),
               "a gap has no value");
_Static_assert(sizeof(vdnn_greeting) == 48 && sizeof(vdnn_claim) == 160 &&
                   sizeof(vdnn_answer) == 40,
               "messages have no gaps");

static vdnn_status draw(uint8_t *number)
{
    ssize_t got;
    do
        got = vdnn_system_getrandom(number, VDNN_SHA256_BYTES, 0);
    while (got < 0 && errno == EINTR);
    if (got == VDNN_SHA256_BYTES)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_INTERNAL, "the system has no random numbers: %s", strerror(errno));
}

static void prove(const vdnn_world *world, const transcript *said, uint8_t *proof)
{
    vdnn_sha256_prove(world->secret, strlen(world->secret), said, sizeof *said, proof);
}

vdnn_status vdnn_handshake_greet(vdnn_greeting *greeting, int32_t rank)
{
    *greeting = (vdnn_greeting){.head = our_head, .rank = (uint32_t)rank};
    return draw(greeting->number);
}

bool vdnn_handshake_is_ours(const vdnn_handshake_head *head)
{
    return memcmp(head->magic, our_head.magic, sizeof head->magic) == 0;
}

bool vdnn_handshake_is_status(int64_t number)
{
#define X(name, value, code, text) || number == VDNN_##name
    return false VDNN_STATUS_TABLE(X);
#undef X
}

void vdnn_handshake_host(char host[VDNN_HANDSHAKE_HOST_BYTES])
{
    memset(host, 0, VDNN_HANDSHAKE_HOST_BYTES);
    (void)gethostname(host, VDNN_HANDSHAKE_HOST_BYTES - 1);
}

static void prove_claim(const vdnn_world *world, const vdnn_greeting *greeting,
                        const vdnn_claim *claim, uint8_t *proof)
{
    transcript said = {.what = "claim", .greeting = *greeting, .claim = *claim};
    memset(said.claim.proof, 0, sizeof said.claim.proof);
    prove(world, &said, proof);
}

vdnn_status vdnn_handshake_claim(const vdnn_world *world, const vdnn_greeting *greeting,
                                 vdnn_claim *claim)
{
    claim->head = our_head;
    claim->rank = (uint32_t)world->rank;
    claim->ranks = (uint32_t)world->ranks;
    claim->process = (uint32_t)getpid();
    vdnn_handshake_host(claim->host);
    vdnn_status status = draw(claim->number);
    prove_claim(world, greeting, claim, claim->proof);
    return status;
}

bool vdnn_handshake_is_proven(const vdnn_world *world, const vdnn_greeting *greeting,
                              const vdnn_claim *claim)
{
    uint8_t due[VDNN_SHA256_BYTES];
    prove_claim(world, greeting, claim, due);
    return vdnn_sha256_equal(due, claim->proof);
}

static void prove_answer(const vdnn_world *world, const vdnn_greeting *greeting,
                         const vdnn_claim *claim, const vdnn_answer *answer, uint8_t *proof)
{
    const transcript said = {"answer", *greeting, *claim, answer->verdict, answer->ranks};
    prove(world, &said, proof);
}

void vdnn_handshake_answer(const vdnn_world *world, const vdnn_greeting *greeting,
                           const vdnn_claim *claim, vdnn_admission verdict, vdnn_answer *answer)
{
    *answer = (vdnn_answer){.verdict = verdict, .ranks = (uint32_t)world->ranks};
    prove_answer(world, greeting, claim, answer, answer->proof);
}

bool vdnn_handshake_is_answered(const vdnn_world *world, const vdnn_greeting *greeting,
                                const vdnn_claim *claim, const vdnn_answer *answer)
{
    uint8_t due[VDNN_SHA256_BYTES];
    prove_answer(world, greeting, claim, answer, due);
    return vdnn_sha256_equal(due, answer->proof);
}
