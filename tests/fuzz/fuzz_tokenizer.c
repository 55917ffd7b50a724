/* Tokenizers, and a text that is encoded by them. The first byte of an input says which file there
 * is: merges, merges with the numbers of a vocabulary, or one with both. */

#include "runtime/data/text/vocabulary.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { VOCABULARY = 1 << 20, KINDS = 3 };

/* The bytes of its tokens are the text again. */
static void encode(const vdnn_vocabulary *vocabulary, vdnn_fuzz_bytes text)
{
    vdnn_tokens tokens = {0};
    vdnn_text decoded = {0};
    vdnn_fuzz_status(
        vdnn_vocabulary_encode(vocabulary, (const char *)text.data, text.size, &tokens), 0);
    for (size_t i = 0; i < tokens.count; i++)
        vdnn_vocabulary_decode(vocabulary, tokens.items[i], &decoded);
    VDNN_FUZZ_CHECK(decoded.length == text.size);
    VDNN_FUZZ_CHECK(text.size == 0 || memcmp(decoded.data, text.data, text.size) == 0);
    vdnn_text_fini(&decoded);
    vdnn_tokens_fini(&tokens);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[KINDS] = {"merges.txt", "merges.txt", "tokenizer.json"};
    const int kind = size == 0 ? 0 : data[0] % KINDS;
    vdnn_fuzz_bytes rest = {data + (size > 0), size - (size > 0)};
    const vdnn_fuzz_bytes tokenizer = vdnn_fuzz_part(&rest);
    vdnn_vocabulary *vocabulary = NULL;
    vdnn_fuzz_begin();
    const char *path = vdnn_fuzz_file(files[kind], tokenizer.data, tokenizer.size);
    if (kind == 1) {
        const vdnn_fuzz_bytes numbers = vdnn_fuzz_part(&rest);
        (void)vdnn_fuzz_file("vocab.json", numbers.data, numbers.size);
    }
    vdnn_status status = vdnn_vocabulary_open(path, VOCABULARY, &vocabulary);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        encode(vocabulary, rest);
    vdnn_vocabulary_close(vocabulary);
    return vdnn_fuzz_end();
}
