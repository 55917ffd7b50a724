#ifndef VDNN_RUNTIME_DATA_FORMAT_H
#define VDNN_RUNTIME_DATA_FORMAT_H

/* A kind of dataset: one const table, and the part of an open set that all kinds share.
 *
 * Invariant: once `open` returned VDNN_OK, count, the stored size and state are final; labels, if
 * there is one a sample, were checked against the number of classes.
 * Threads: `read` may be called by several at once, each with its scratch; it changes nothing else.
 *
 *     vdnn_dataset dataset = {.format = &vdnn_idx_format};
 *     status = format->open(&request, place, &dataset); // fills count, inputs' stored, state
 *     status = format->read(&dataset, index, &scratch, inputs, &label);
 *     format->close(dataset.state);
 */

#include "runtime/data/dataset.h"
#include "runtime/data/image/picture.h"

#include <limits.h>
#include <stdbool.h>

typedef struct vdnn_dataset_format {
    const char *kind;
    const char *place; /* the text after the colon, for messages: "DIR" */
    bool place_optional;
    /* On failure nothing is left to close. `place` is NULL when the spec has no colon. */
    vdnn_status (*open)(const vdnn_dataset_request *request, const char *place,
                        vdnn_dataset *dataset);
    /* Whether the set has a test part in addition to what is trained on; NULL: sets of the kind
     * have one part. */
    bool (*has_test)(const char *place);
    bool (*shares)(const vdnn_dataset *dataset); /* as vdnn_dataset_is_shared; NULL: not */
    bool is_made_up;                             /* and has as many samples as are asked for */
    bool has_inputs; /* any number of them, of pictures or tokens, with labels of any shape; else
                        one, with a class each sample or token */
    bool is_text;    /* that one is tokens, and each has a label; else it is a picture */
    bool has_masks;  /* that one is a picture, and each of its cells has a label */
    /* Per input tokens, or the picture at its stored size. Where that is not the network's, it is
     * in VDNN_SCRATCH_PICTURE, which must not be taken then. Labels NULL: none are read. */
    vdnn_status (*read)(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                        void *const *inputs, void *labels);
    const char *(*class_name)(const vdnn_dataset *dataset, int64_t class); /* NULL: numbers */
    /* Both NULL: samples have no names, and one that cannot be read ends the reading. */
    const char *(*name)(const vdnn_dataset *dataset, uint64_t index);
    const char *(*failure)(const vdnn_dataset *dataset, uint64_t index);
    /* Both NULL: its samples have none. */
    vdnn_dataset_orientations (*count_orientations)(const vdnn_dataset *dataset);
    void (*see_orientations)(const vdnn_dataset *dataset);
    void (*close)(void *state);
} vdnn_dataset_format;

/* An input of each sample. */
typedef struct vdnn_dataset_row {
    /* Tokens are channels of one pixel, a volume is a picture of its slices one below the other. */
    vdnn_picture_size stored, wanted;
    int64_t vocabulary; /* of tokens; 0: a picture */
} vdnn_dataset_row;

struct vdnn_dataset {
    const vdnn_dataset_format *format;
    uint64_t count;
    uint64_t shifts; /* 0: samples begin at one place */
    vdnn_dataset_row inputs[VDNN_INPUTS_MAX - 1];
    int32_t input_count;
    int64_t labels;      /* of a sample, int32_t, or f32 of targets */
    vdnn_desc targets;   /* as asked for; rank 0: labels are classes */
    int32_t label_input; /* as asked for */
    bool is_unlabelled;
    void *state; /* the format's; owned */
};

static inline bool vdnn_dataset_has_targets(const vdnn_dataset *dataset)
{
    return dataset->targets.rank > 0;
}

/* VDNN_BAD_INPUT, with the place, for a value that is no target: not finite, or no probability
 * where they are. Of a sample; `file` says whose. */
vdnn_status vdnn_dataset_check_targets(const vdnn_dataset *dataset, const char *file,
                                       uint64_t index, const float *values);
/* The same for a label that is no class and not ignored; `ignored` NULL: none is. */
vdnn_status vdnn_dataset_check_classes(const vdnn_dataset *dataset, const char *file,
                                       uint64_t index, const int32_t *labels, int64_t classes,
                                       const int64_t *ignored);

/* A set is bounded, whatever size a file claims (sparse files are free): its labels are in memory,
 * and pictures too, one at a time. */
#define VDNN_DATASET_MAX_IMAGES ((uint64_t)1 << 27)
enum { VDNN_DATASET_MAX_FLOATS = 1 << 28 }; /* of a picture as stored */

/* Formats call it before they take memory for labels: VDNN_BAD_INPUT with `path` if the set has no
 * image, or the set or its pictures exceed a bound. */
vdnn_status vdnn_dataset_check(const char *path, uint64_t count, const vdnn_picture_size *stored);

/* Of formats that decode pictures: VDNN_BAD_INPUT if the network's input is neither grey nor RGB.
 */
vdnn_status vdnn_dataset_check_pictures(const vdnn_dataset_request *request);

extern const vdnn_dataset_format vdnn_cifar10_format, vdnn_idx_format, vdnn_images_format,
    vdnn_npy_format, vdnn_tokens_format, vdnn_tokens16_format, vdnn_synthetic_format;

/* Which no spec names: the program's (vdnn_data_source), samples without labels, in an array or as
 * pictures, and images where each cell has a label. */
extern const vdnn_dataset_format vdnn_program_format, vdnn_array_format, vdnn_pictures_format,
    vdnn_masks_format;

/* Of images: writes the folder of a part, `place` itself where it has none; *has_parts: it has. */
vdnn_status vdnn_images_find_part(const char *place, vdnn_split split, char path[PATH_MAX],
                                  bool *has_parts);

#endif
