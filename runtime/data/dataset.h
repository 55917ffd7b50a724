#ifndef VDNN_RUNTIME_DATA_DATASET_H
#define VDNN_RUNTIME_DATA_DATASET_H

/* Datasets: labelled samples by index, from cifar10, idx (.gz too), folders of pictures, npy, or
 * synthetic. A sample is a picture; of npy and synthetic also a volume, or tokens, which are
 * integers, or several of both, one for each of the network's inputs; of a text (tokens, tokens16)
 * a window of it, whose labels are the tokens that follow each. Labels are classes, int32_t, or, of
 * npy and synthetic, targets: f32.
 *
 * Invariant: after open every index below count can be read; sizes, label ranges and headers have
 * been checked against the network's inputs.
 * Threads: immutable after open, but for what it counts of the pictures that were read; reads from
 * any thread, each with its own scratch.
 *
 *     vdnn_dataset_request request = {.spec = "idx:/data/mnist", .inputs = {{...}}, ...};
 *     vdnn_scratch scratch = {0};
 *     status = vdnn_dataset_open(&request, &dataset);
 *     status = vdnn_dataset_read(dataset, index, &scratch, (void *[]){image}, &label);
 *     vdnn_scratch_fini(&scratch);
 *     vdnn_dataset_close(dataset);
 *
 * A new kind is one file with a vdnn_dataset_format and one line in VDNN_DATASET_TABLE (dataset.c).
 */

#include "layers/tensor.h"
#include "runtime/base/status.h"
#include "runtime/data/image/scratch.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vdnn_dataset vdnn_dataset;

/* The train and test parts of a set that has both: train-* and t10k-* files of idx,
 * data_batch_*.bin and test_batch.bin of cifar10, the folders train and test of images; npy and
 * synthetic have one part for both, and so has a folder of images without a folder train. */
typedef enum vdnn_split { VDNN_SPLIT_TRAIN, VDNN_SPLIT_TEST } vdnn_split;

/* One of the network's inputs but for its labels: a picture, a volume, or tokens, each below a
 * bound. */
typedef struct vdnn_dataset_input {
    const char *name; /* for messages and names of files; NULL: "input", the only one */
    int64_t channels, height, width;
    int64_t depth;              /* of a volume; else 0 */
    int64_t tokens, vocabulary; /* in place of these */
    const char *tokenizer; /* of those: the file that says what they are of a text; NULL: none */
} vdnn_dataset_input;

typedef struct vdnn_dataset_request {
    const char *spec;               /* KIND:PLACE as given to --data */
    const vdnn_data_source *source; /* the program's, for which `spec` is a name; NULL: none */
    vdnn_split split;
    vdnn_dataset_input inputs[VDNN_INPUTS_MAX - 1];
    int32_t input_count; /* at least one */
    int64_t classes;     /* 0: any */
    bool is_whole;       /* a text has no other part: it is the test data, or there are others */
    /* For a test part: the spec of the training set, whose class names it must share if the kind
     * has names; NULL: not checked. */
    const char *trained_on;
    const char *labels_name; /* NULL: "labels" */
    int64_t labels;          /* of a sample: its positions; 0: one */
    /* In the place of classes: f32 in these dims after the first, probabilities where they are
     * below 1; NULL: classes. */
    const vdnn_desc *targets;
    int32_t label_input;    /* from 1: the input whose values are the targets; 0: none is */
    const int64_t *ignored; /* a label that is no class, and does not count; NULL: none */
    /* `spec` is a path, of a network of one input: FILE.npy, else a text where that is tokens, or a
     * folder of pictures, at any depth, or a picture. It has no labels. */
    bool is_unlabelled;
    bool orient; /* pictures of images are turned as their EXIF orientation says */
} vdnn_dataset_request;

/* VDNN_BAD_INPUT with file and reason; VDNN_FILE if a file cannot be opened or read; VDNN_USAGE for
 * an unknown kind, with the nearest one. Pixels of idx, cifar10 and images are scaled to [0, 1];
 * pictures of another size than the network's input are resized (runtime/data/image/resize.h);
 * another number of channels is an error, except for images, which are converted to grey or RGB. */
vdnn_status vdnn_dataset_open(const vdnn_dataset_request *request, vdnn_dataset **dataset);
void vdnn_dataset_close(vdnn_dataset *dataset);

/* Whether what opening it took long for is shared by all sets of the same files that are open at a
 * time, so that it is worth while to keep one. */
bool vdnn_dataset_is_shared(const vdnn_dataset *dataset);

/* Whether the set that `spec` names has a test part in addition to the part to train on; false also
 * for a spec that cannot be opened. */
bool vdnn_dataset_has_test(const char *spec);

/* Images in the set; synthetic has 2^20 images. */
uint64_t vdnn_dataset_count(const vdnn_dataset *dataset);
/* At how many places samples can begin: at one, but of a text at each token of a window. With
 * shift s, sample `i` is index s * count + i. */
uint64_t vdnn_dataset_shifts(const vdnn_dataset *dataset);
/* Those that a network is tested by: all; of synthetic ones, of which further ones say no more, 16
 * batches. */
uint64_t vdnn_dataset_test_count(const vdnn_dataset *dataset, uint64_t batch);
int32_t vdnn_dataset_inputs(const vdnn_dataset *dataset);
/* Elements of an input of a sample as read: channels x height x width of the request, of a volume
 * times its depth, or tokens. */
int64_t vdnn_dataset_per_sample(const vdnn_dataset *dataset, int32_t input);

/* Bytes of the labels of a sample; the input, from 1, whose values they are, which is not for
 * vdnn_dataset_read to copy; 0: none is. */
size_t vdnn_dataset_label_bytes(const vdnn_dataset *dataset);
int32_t vdnn_dataset_label_input(const vdnn_dataset *dataset);

/* Sample `index` (below count * shifts): per input channels (x depth) x height x width floats, or
 * tokens of int32_t, and its labels, which are zeros where it has none, unless they are an input's
 * values. VDNN_FILE if the file can no longer be read, VDNN_BAD_INPUT if it has become shorter, is
 * a damaged picture, or has a token beyond the vocabulary, a target out of its range or, of
 * several, a label that is no class: samples are decoded here and not before. */
vdnn_status vdnn_dataset_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                              void *const *inputs, void *labels);

/* Of a set whose classes have names; else NULL. */
const char *vdnn_dataset_class_name(const vdnn_dataset *dataset, int64_t class);

/* The name of a sample without a label, the path of its picture from the folder on; NULL: it has
 * none. Why it could not be read, once it was tried: its input was zeros then; NULL: it could. */
const char *vdnn_dataset_name(const vdnn_dataset *dataset, uint64_t index);
const char *vdnn_dataset_failure(const vdnn_dataset *dataset, uint64_t index);

/* EXIF orientations other than upright, of images; of other kinds all is 0. */
typedef struct vdnn_dataset_orientations {
    uint64_t pictures, seen; /* in the set; of these, read or looked at so far, each once */
    uint64_t turned;         /* of those that were seen, with such an orientation */
    bool are_applied;
} vdnn_dataset_orientations;

vdnn_dataset_orientations vdnn_dataset_count_orientations(const vdnn_dataset *dataset);

/* Looks at all pictures of a set that has a thousand at the most, without decoding them: before a
 * training, which sees them one after the other. What cannot be read is left to that. */
void vdnn_dataset_see_orientations(const vdnn_dataset *dataset);

#endif
