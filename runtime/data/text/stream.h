#ifndef VDNN_RUNTIME_DATA_TEXT_STREAM_H
#define VDNN_RUNTIME_DATA_TEXT_STREAM_H

/* A text file as the tokens of a tokenizer, in memory: encoded once for all that read it at a time,
 * such as the training and the test part of it, and those of each device.
 *
 * Invariant: the tokens do not change while the stream is open.
 * Threads: any.
 *
 *     status = vdnn_text_stream_open("text", "merges.txt", 50257, &stream);
 *     use(vdnn_text_stream_tokens(stream)->items[0]);
 *     vdnn_text_stream_close(stream);
 */

#include "runtime/data/text/token_list.h"

typedef struct vdnn_text_stream vdnn_text_stream;

/* Of tokens below `size`. Waits where another thread encodes. */
vdnn_status vdnn_text_stream_open(const char *path, const char *tokenizer, int64_t size,
                                  vdnn_text_stream **stream);
void vdnn_text_stream_close(vdnn_text_stream *stream); /* accepts NULL */

const vdnn_tokens *vdnn_text_stream_tokens(const vdnn_text_stream *stream);

#endif
