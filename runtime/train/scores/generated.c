#include "runtime/train/scores/generated.h"

void vdnn_generated_fini(vdnn_generated *own)
{
    vdnn_tokens_fini(&own->prompt);
    vdnn_tokens_fini(&own->tokens);
    vdnn_text_fini(&own->text);
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* Bytes of the character that `text` begins with, by Unicode's table of well-formed sequences; 0:
 * it begins with none, or with a byte 0, which readers of JSON take for an end. */
static size_t character_bytes(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char low, high;   /* of the second */
        size_t bytes;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    size_t i = 0;
    while (i < sizeof forms / sizeof *forms &&
           (text[0] < forms[i].first || text[0] > forms[i].last))
        i++;
    if (i == sizeof forms / sizeof *forms || forms[i].bytes > length)
        return 0;
    if (forms[i].bytes > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
        return 0;
    for (size_t k = 2; k < forms[i].bytes; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    return forms[i].bytes;
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

/* ---- as JSON --------------------------------------------------------------------------------- */

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
