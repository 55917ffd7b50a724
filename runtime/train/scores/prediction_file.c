#include "runtime/train/scores/prediction_file.h"

#include "runtime/base/heap.h"
#include "runtime/base/output.h"
#include "runtime/base/system.h"
#include "runtime/data/tensors/npz.h"
#include "runtime/train/scores/class_names.h"
#include "runtime/train/scores/scores.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMED = 20 }; /* samples that could not be read, each in a message */

typedef struct writing {
    const vdnn_prediction_file *file;
    const vdnn_dataset *samples;
    const json_t *names; /* of classes */
    const vdnn_messages *messages;
    const vdnn_layer *loss;
    int64_t classes, row; /* of a sample: classes, or classes of each position, or numbers */
    int64_t top;
    int32_t *best;        /* owned; (top), or of masks a class of each position */
    float *probabilities; /* owned; (row) */
    vdnn_output *output;  /* NULL: text alone */
    vdnn_text *text;      /* of what is not in the output yet */
    uint64_t failed;      /* samples that could not be read */
    uint64_t first_failed;
} writing;

/* ---- before ---------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool is_array(const vdnn_prediction_file *file)
{
    return file->path != NULL && ends_in(file->path, ".npy");
}

static bool has_classes(const vdnn_layer *loss)
{
    return vdnn_desc_is_integer(&loss->labels);
}

vdnn_status vdnn_prediction_file_check(const vdnn_prediction_file *file, const vdnn_graph *graph)
{
    const vdnn_desc *x = &vdnn_graph_loss(graph)->x[0];
    const bool are_many =
        vdnn_graph_sample_labels(graph) > 0 ||
        (!has_classes(vdnn_graph_loss(graph)) && vdnn_desc_per_sample(x) != x->dims[VDNN_C]);
    struct stat info;
    if (file->path != NULL && !is_array(file) && !ends_in(file->path, ".csv"))
        return vdnn_status_fail(
            VDNN_USAGE, "--out: expected a name that ends in .csv or .npy, found '%s'", file->path);
    if (are_many && !is_array(file))
        return vdnn_status_fail(VDNN_USAGE,
                                "--predict: the network has %s, which only an array holds: --out "
                                "FILE.npy",
                                has_classes(vdnn_graph_loss(graph)) ? "a class for each position"
                                                                    : "numbers that are no vector");
    if (!has_classes(vdnn_graph_loss(graph)) && file->top > 0)
        return vdnn_status_fail(VDNN_USAGE, "--top: the network's loss is over numbers: there are "
                                            "no classes");
    if (file->top > graph->classes)
        return vdnn_status_fail(VDNN_USAGE, "--top %lld: the network has %lld classes",
                                (long long)file->top, (long long)graph->classes);
    if (file->path != NULL && !file->overwrites && vdnn_system_stat(file->path, &info) == 0)
        return vdnn_status_fail(VDNN_FILE, "--out: %s is there already; --force replaces it",
                                file->path);
    return VDNN_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* As CSV has it: in quotes, if it needs them. */
static void add_field(const char *field, vdnn_text *text)
{
    if (strpbrk(field, ",\"\r\n") == NULL) {
        vdnn_text_put(text, field);
        return;
    }
    vdnn_text_put(text, "\"");
    for (; *field != '\0'; field++) {
        vdnn_text_put_bytes(text, field, 1);
        if (*field == '"')
            vdnn_text_put(text, "\"");
    }
    vdnn_text_put(text, "\"");
}

static void add_class(const writing *own, int64_t class)
{
    const char *name = vdnn_class_name(own->names, class);
    if (name != NULL)
        add_field(name, own->text);
    else
        vdnn_text_add(own->text, "%lld", (long long)class);
}

static bool are_masks(const writing *own)
{
    return own->loss->def->target == VDNN_TARGET_MASKS;
}

/* Of masks that of the labels, else that of what the loss reads; the classes of a sample are a
 * vector, whatever they are computed as. */
static void add_array_head(const writing *own)
{
    const vdnn_desc *shape = are_masks(own) ? &own->loss->labels : &own->loss->x[0];
    const bool is_vector = !are_masks(own) && own->row == own->classes;
    int64_t dims[VDNN_VOLUME_RANK];
    const int rank = vdnn_desc_list(shape, dims);
    dims[VDNN_N] = (int64_t)vdnn_dataset_count(own->samples);
    if (is_vector)
        dims[VDNN_C] = own->classes;
    vdnn_npy_put_header(own->text, are_masks(own) ? "<i4" : "<f4", dims,
                        is_vector ? VDNN_VECTOR_RANK : rank);
}

static void add_head(const writing *own)
{
    if (is_array(own->file)) {
        add_array_head(own);
        return;
    }
    vdnn_text_put(own->text, vdnn_dataset_name(own->samples, 0) != NULL ? "file" : "sample");
    if (own->classes > 0)
        vdnn_text_put(own->text, ",class,probability");
    for (int64_t k = 2; k <= own->top && own->classes > 0; k++)
        vdnn_text_add(own->text, ",class_%lld,probability_%lld", (long long)k, (long long)k);
    for (int64_t k = 1; k <= own->row && own->classes == 0; k++)
        vdnn_text_add(own->text, ",value_%lld", (long long)k);
    vdnn_text_put(own->text, "\n");
}

static void add_best(const writing *own, const float *scores, bool is_read)
{
    vdnn_scores_top(scores, own->classes, own->top, own->best);
    for (int64_t k = 0; k < own->top; k++) {
        vdnn_text_put(own->text, ",");
        if (is_read)
            add_class(own, own->best[k]);
        vdnn_text_put(own->text, ",");
        if (is_read)
            vdnn_text_add(own->text, "%.9g", (double)own->probabilities[own->best[k]]);
    }
}

static void add_csv(const writing *own, uint64_t sample, const float *scores, bool is_read)
{
    const char *name = vdnn_dataset_name(own->samples, sample);
    if (name != NULL)
        add_field(name, own->text);
    else
        vdnn_text_add(own->text, "%llu", (unsigned long long)sample);
    vdnn_scores_predict(own->loss->def->target, scores, own->row, own->classes, own->probabilities);
    if (own->classes > 0)
        add_best(own, scores, is_read);
    for (int64_t k = 0; k < own->row && own->classes == 0; k++)
        if (is_read)
            vdnn_text_add(own->text, ",%.9g", (double)own->probabilities[k]);
        else
            vdnn_text_put(own->text, ",");
    vdnn_text_put(own->text, "\n");
}

static void add_mask(const writing *own, const float *scores, bool is_read)
{
    const int64_t positions = own->row / own->classes;
    for (int64_t i = 0; i < positions; i++) {
        vdnn_scores_top(scores + i * own->classes, own->classes, 1, &own->best[i]);
        own->best[i] = is_read ? own->best[i] : -1;
    }
    vdnn_text_put_bytes(own->text, (const char *)own->best, (size_t)positions * sizeof *own->best);
}

static void add_array(const writing *own, const float *scores, bool is_read)
{
    if (are_masks(own)) {
        add_mask(own, scores, is_read);
        return;
    }
    vdnn_scores_predict(own->loss->def->target, scores, own->row, own->classes, own->probabilities);
    for (int64_t i = 0; i < own->row && !is_read; i++)
        own->probabilities[i] = NAN;
    vdnn_text_put_bytes(own->text, (const char *)own->probabilities,
                        (size_t)own->row * sizeof *own->probabilities);
}

/* Each is named, but not a thousand of them. */
static void tell_failure(writing *own, uint64_t sample, const char *why)
{
    if (own->failed == 0)
        own->first_failed = sample;
    if (own->failed++ < MOST_NAMED)
        vdnn_messages_log(own->messages, VDNN_LOG_WARN, "%s", why);
}

/* What there is so far goes to the file. */
static vdnn_status flush(writing *own)
{
    if (own->text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for predictions");
    if (own->output == NULL || own->text->length == 0)
        return VDNN_OK;
    vdnn_status status = vdnn_output_write(own->output, own->text->data, own->text->length);
    vdnn_text_fini(own->text);
    *own->text = (vdnn_text){0};
    return status;
}

static vdnn_status take(void *context, const vdnn_training_scores *batch)
{
    writing *own = context;
    for (int64_t i = 0; i < batch->samples; i++) {
        const uint64_t sample = batch->first + (uint64_t)i;
        const float *scores = batch->scores + i * own->row;
        const char *failure = vdnn_dataset_failure(own->samples, sample);
        if (failure != NULL)
            tell_failure(own, sample, failure);
        if (is_array(own->file))
            add_array(own, scores, failure == NULL);
        else
            add_csv(own, sample, scores, failure == NULL);
    }
    return flush(own);
}

/* ---- all ------------------------------------------------------------------------------------- */

static vdnn_status write_all(writing *own, vdnn_training_run *run)
{
    vdnn_status status = VDNN_OK;
    const bool has_masks = are_masks(own) && own->classes > 0;
    const int64_t best = has_masks ? own->row / own->classes : own->top;
    own->best = vdnn_heap_calloc((size_t)best, sizeof *own->best);
    own->probabilities = vdnn_heap_calloc((size_t)own->row, sizeof *own->probabilities);
    if (own->best == NULL || own->probabilities == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for predictions");
    if (status == VDNN_OK && own->file->path != NULL)
        status = vdnn_output_create(own->file->path, &own->output);
    if (status == VDNN_OK) {
        add_head(own);
        status = flush(own);
    }
    VDNN_IF_OK(status, vdnn_training_score(run, own->samples, take, own));
    if (status == VDNN_OK && own->output != NULL)
        status = vdnn_output_commit(own->output);
    else
        vdnn_output_abandon(own->output);
    vdnn_heap_free(own->best);
    vdnn_heap_free(own->probabilities);
    return status;
}

static vdnn_status tell_failed(const writing *own)
{
    if (own->failed == 0)
        return VDNN_OK;
    if (own->failed > MOST_NAMED)
        vdnn_messages_log(own->messages, VDNN_LOG_WARN, "and %llu more",
                          (unsigned long long)own->failed - MOST_NAMED);
    return vdnn_status_fail(
        VDNN_BAD_INPUT, "%llu of %llu pictures could not be read; all others were predicted",
        (unsigned long long)own->failed, (unsigned long long)vdnn_dataset_count(own->samples));
}

vdnn_status vdnn_prediction_file_write(const vdnn_prediction_file *file, vdnn_training_run *run,
                                       vdnn_text *text)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_dataset *samples = NULL;
    VDNN_TRY(vdnn_training_open_unlabelled(graph, run->request.options, file->samples, &samples));
    writing own = {.file = file,
                   .samples = samples,
                   .names = run->class_names,
                   .messages = run->request.messages,
                   .loss = vdnn_graph_loss(graph),
                   .classes = has_classes(vdnn_graph_loss(graph)) ? graph->classes : 0,
                   .row = vdnn_training_score_count(graph),
                   .top = file->top > 0 ? file->top : 1,
                   .text = text};
    vdnn_status status = write_all(&own, run);
    if (status == VDNN_OK && file->path != NULL)
        vdnn_messages_log(own.messages, VDNN_LOG_INFO, "%s has %llu prediction%s", file->path,
                          (unsigned long long)vdnn_dataset_count(samples),
                          vdnn_dataset_count(samples) == 1 ? "" : "s");
    VDNN_IF_OK(status, tell_failed(&own));
    vdnn_dataset_close(samples);
    return status;
}
