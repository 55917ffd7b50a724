#ifndef VDNN_RUNTIME_DATA_TEXT_BPE_FILE_H
#define VDNN_RUNTIME_DATA_TEXT_BPE_FILE_H

/* Files of byte-level tokenizers: GPT-2's merges.txt, with the numbers of a vocab.json in the same
 * folder, else in the order of bytes and merges, and the tokenizer.json of Hugging Face, which has
 * both. In all of them bytes are written as printable characters, a blank as U+0120.
 *
 * Threads: any.
 *
 *     vdnn_bpe_table table = {0};
 *     status = vdnn_bpe_file_read("merges.txt", &table);
 *     vdnn_bpe_table_fini(&table);
 */

#include "runtime/data/text/bpe_table.h"

/* Where GPT-2's texts end, and so are parted. */
#define VDNN_BPE_END_OF_TEXT "<|endoftext|>"

/* A file whose name ends in .json, or merges. VDNN_FILE if it cannot be read, VDNN_BAD_INPUT with
 * its line where it says what is not understood. The table has a token for each byte. */
vdnn_status vdnn_bpe_file_read(const char *path, vdnn_bpe_table *table);

#endif
