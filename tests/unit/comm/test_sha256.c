/* SHA-256 and HMAC against the vectors of their standards. */

#include "runtime/comm/sha256.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

enum { MILLION = 1000000 };

static void expect_hex(const uint8_t *bytes, const char *due)
{
    char hex[2 * VDNN_SHA256_BYTES + 1];
    for (size_t i = 0; i < VDNN_SHA256_BYTES; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    assert_string_equal(hex, due);
}

/* NIST, "SHA-256 example" and the long message of FIPS 180-2, appendix B. */
TEST(hashes_are_those_of_fips_180)
{
    static const struct {
        const char *text, *hash;
    } cases[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    static char many[MILLION];
    uint8_t hash[VDNN_SHA256_BYTES];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        vdnn_sha256_hash(cases[c].text, strlen(cases[c].text), hash);
        expect_hex(hash, cases[c].hash);
    }
    memset(many, 'a', sizeof many);
    vdnn_sha256_hash(many, sizeof many, hash);
    expect_hex(hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* RFC 4231, cases 1, 2, 3, 6 and 7. */
TEST(proofs_are_those_of_rfc_4231)
{
    static const struct {
        int key_byte;
        size_t key_bytes;
        const char *key, *text;
        const char *proof;
    } cases[] = {
        {0x0b, 20, NULL, "Hi There",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {0, 4, "Jefe", "what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {0xaa, 131, NULL, "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {0xaa, 131, NULL,
         "This is a test using a larger than block-size key and a larger than block-size data. The "
         "key needs to be hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char key[131];
        uint8_t proof[VDNN_SHA256_BYTES];
        if (cases[c].key == NULL)
            memset(key, cases[c].key_byte, sizeof key);
        else
            memcpy(key, cases[c].key, cases[c].key_bytes);
        vdnn_sha256_prove(key, cases[c].key_bytes, cases[c].text, strlen(cases[c].text), proof);
        expect_hex(proof, cases[c].proof);
    }
    uint8_t key[20], data[50], proof[VDNN_SHA256_BYTES];
    memset(key, 0xaa, sizeof key);
    memset(data, 0xdd, sizeof data);
    vdnn_sha256_prove(key, sizeof key, data, sizeof data, proof);
    expect_hex(proof, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

TEST(a_bit_makes_two_proofs_differ)
{
    uint8_t a[VDNN_SHA256_BYTES] = {1, 2, 3}, b[VDNN_SHA256_BYTES] = {1, 2, 3};
    assert_true(vdnn_sha256_equal(a, b));
    b[VDNN_SHA256_BYTES - 1] = 0x80;
    assert_false(vdnn_sha256_equal(a, b));
}
