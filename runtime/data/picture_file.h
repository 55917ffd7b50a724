#ifndef VDNN_RUNTIME_DATA_PICTURE_FILE_H
#define VDNN_RUNTIME_DATA_PICTURE_FILE_H

/* Files of pictures: which names they have, and their bytes in scratch memory.
 *
 * Threads: any, each with its scratch.
 *
 *     vdnn_image_file file = {.bytes = NULL};
 *     status = vdnn_picture_file_read("cat/1.jpeg", &scratch, &file);
 */

#include "runtime/data/image/image.h"

/* By its ending: .jpg, .jpeg, .jpe, .jfif or .png, in any letters. */
bool vdnn_picture_file_is_named(const char *name);

/* The whole file, in VDNN_SCRATCH_FILE. The path is borrowed. VDNN_BAD_INPUT if it is compressed or
 * too large, VDNN_FILE if it cannot be read. */
vdnn_status vdnn_picture_file_read(const char *path, vdnn_scratch *scratch, vdnn_image_file *file);

#endif
