#ifndef VDNN_RUNTIME_TRAIN_SCORES_PREDICTION_FILE_H
#define VDNN_RUNTIME_TRAIN_SCORES_PREDICTION_FILE_H

/* Predictions of samples without labels: the most probable classes of each as CSV, or all
 * probabilities as an array of NumPy.
 *
 *     file,class,probability,class_2,probability_2
 *     cats/1.png,cat,0.98213,dog,0.0172
 *
 * Of a loss over masks an array has the classes themselves, int32, one for each position; of one
 * over numbers the numbers in the shape that it reads, of probabilities these; as CSV, of vectors:
 *
 *     sample,value_1,value_2
 *     0,1.25,-3
 *
 * A picture that cannot be read is said, its row is empty (of an array: not a number, or -1), and
 * the others are predicted.
 *
 * Threads: one.
 *
 *     vdnn_prediction_file file = {"pictures", "out.csv", .top = 2};
 *     status = vdnn_prediction_file_check(&file, graph);             // before anything costs time
 *     status = vdnn_prediction_file_write(&file, run, &text);
 */

#include "runtime/base/text.h"
#include "runtime/train/training/training.h"

typedef struct vdnn_prediction_file {
    const char *samples; /* a folder of pictures, a picture, or FILE.npy; borrowed, as all here */
    const char *path;    /* that ends in .csv or .npy; NULL: CSV as text */
    int64_t top;         /* classes of each sample in CSV; 0: one */
    bool overwrites;     /* a file that is there already */
} vdnn_prediction_file;

/* VDNN_USAGE: the path's ending is neither, or the network has a class per position, or numbers
 * that are no vector, which CSV cannot have. VDNN_FILE: the file is there already. */
vdnn_status vdnn_prediction_file_check(const vdnn_prediction_file *file, const vdnn_graph *graph);

/* Classes have the names of the training data's, if it has some. VDNN_BAD_INPUT also where some
 * samples could not be read, once all others are written. */
vdnn_status vdnn_prediction_file_write(const vdnn_prediction_file *file, vdnn_training_run *run,
                                       vdnn_text *text);

#endif
