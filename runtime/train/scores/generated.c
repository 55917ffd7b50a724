#include "runtime/train/scores/generated.h"

#include "runtime/data/text/utf8.h"

void vdnn_generated_fini(vdnn_generated *own)
{
    vdnn_tokens_fini(&own->prompt);
    vdnn_tokens_fini(&own->tokens);
    vdnn_text_fini(&own->text);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

/* Bytes of a character that text in JSON can have; 0: none begins here. Readers of JSON take a byte
 * 0 for an end. */
static size_t character_bytes(const unsigned char *text, size_t length)
{
    return text[0] == 0 ? 0 : vdnn_utf8_bytes(text, length);
}

static json_t *text_json(const vdnn_text *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    vdnn_text whole = {0};
    for (size_t i = 0, bytes; i<text->length; i += bytes> 0 ? bytes : 1) {
        const char *at = text->data + i;
        bytes = character_bytes((const unsigned char *)at, text->length - i);
        vdnn_text_put_bytes(&whole, bytes > 0 ? at : replacement,
                            bytes > 0 ? bytes : sizeof replacement - 1);
    }
    json_t *json =
        whole.failed ? NULL : json_stringn(whole.data == NULL ? "" : whole.data, whole.length);
    vdnn_text_fini(&whole);
    return json;
}

static json_t *tokens_json(const vdnn_tokens *tokens)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tokens->count; i++)
        (void)json_array_append_new(list, json_integer(tokens->items[i]));
    return list;
}

json_t *vdnn_generated_json(const vdnn_generated *own)
{
    return json_pack("{s:o, s:o, s:o}", "prompt", tokens_json(&own->prompt), "tokens",
                     tokens_json(&own->tokens), "text", text_json(&own->text));
}
