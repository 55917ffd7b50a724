#include "runtime/train/scores/assessment.h"

#include "runtime/base/heap.h"
#include "runtime/train/scores/class_names.h"
#include "runtime/train/scores/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Classes, and pairs of them, that are listed. */
enum { SHOWN = 20, PAIRS = 10 };

/* ---- counting -------------------------------------------------------------------------------- */

typedef struct counting {
    vdnn_assessment *of;
    const vdnn_layer *loss;
    int64_t row; /* scores of a sample */
} counting;

/* Of a row of scores, one for each class. */
static void count(const counting *own, const float *scores, int32_t label)
{
    vdnn_assessment *of = own->of;
    int32_t as;
    if (label == own->loss->ignored)
        return;
    vdnn_scores_top(scores, of->classes, 1, &as);
    of->labels++;
    of->right += as == label;
    of->of_class[label]++;
    of->as_class[as]++;
    of->right_of[label] += as == label;
    if (own->loss->def->sample_loss == NULL)
        of->loss += vdnn_scores_loss(scores, of->classes, label);
    if (of->confusion != NULL)
        of->confusion[label * of->classes + as]++;
}

/* Of a sample. Numbers are right where they are on the side of 1/2 that their probability is on. */
static void count_sample(const counting *own, const float *scores, const void *labels)
{
    vdnn_assessment *of = own->of;
    const int32_t *classes = labels;
    const float *chances = labels;
    if (own->loss->def->sample_loss != NULL)
        of->loss += own->loss->def->sample_loss(own->loss, scores, labels);
    for (int64_t i = 0; of->classes > 0 && i < own->row / of->classes; i++)
        count(own, scores + i * of->classes, classes[i]);
    if (of->classes > 0)
        return;
    of->labels += own->row;
    for (int64_t i = 0; i < own->row && of->target == VDNN_TARGET_CHANCES; i++)
        of->right += (scores[i] > 0) == (chances[i] > 0.5F);
}

static vdnn_status take(void *context, const vdnn_training_scores *batch)
{
    const counting *own = context;
    const vdnn_desc *labels = &own->loss->labels;
    const size_t bytes = vdnn_desc_bytes(labels) / (size_t)labels->dims[VDNN_N];
    for (int64_t i = 0; i < batch->samples; i++)
        count_sample(own, batch->scores + i * own->row,
                     (const char *)batch->labels + (size_t)i * bytes);
    own->of->samples += batch->samples;
    return VDNN_OK;
}

static vdnn_status copy_names(const json_t *names, vdnn_assessment *own)
{
    if (names == NULL)
        return VDNN_OK;
    own->names = vdnn_heap_calloc((size_t)own->classes, sizeof *own->names);
    bool are_there = own->names != NULL;
    for (int64_t c = 0; c < own->classes && are_there; c++) {
        own->names[c] = vdnn_heap_strdup(vdnn_class_name(names, c));
        are_there = own->names[c] != NULL;
    }
    return are_there ? VDNN_OK : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for names of classes");
}

static vdnn_status init(const vdnn_graph *graph, const json_t *names, vdnn_assessment *own)
{
    const vdnn_layer *loss = vdnn_graph_loss(graph);
    const bool has_classes = vdnn_desc_is_integer(&loss->labels);
    const size_t classes = has_classes ? (size_t)graph->classes : 0;
    *own = (vdnn_assessment){.classes = (int64_t)classes,
                             .target = loss->def->target,
                             .background = loss->background,
                             .are_tokens = vdnn_graph_sample_tokens(graph) > 0};
    if (!has_classes)
        return VDNN_OK;
    own->of_class = vdnn_heap_calloc(classes, sizeof *own->of_class);
    own->as_class = vdnn_heap_calloc(classes, sizeof *own->as_class);
    own->right_of = vdnn_heap_calloc(classes, sizeof *own->right_of);
    if (classes <= VDNN_ASSESSMENT_MOST_CLASSES)
        own->confusion = vdnn_heap_calloc(classes * classes, sizeof *own->confusion);
    if (own->of_class == NULL || own->as_class == NULL || own->right_of == NULL ||
        (classes <= VDNN_ASSESSMENT_MOST_CLASSES && own->confusion == NULL))
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to count %zu classes", classes);
    return copy_names(names, own);
}

void vdnn_assessment_fini(vdnn_assessment *own)
{
    for (int64_t c = 0; own->names != NULL && c < own->classes; c++)
        vdnn_heap_free(own->names[c]);
    vdnn_heap_free(own->names);
    vdnn_heap_free(own->of_class);
    vdnn_heap_free(own->as_class);
    vdnn_heap_free(own->right_of);
    vdnn_heap_free(own->confusion);
    *own = (vdnn_assessment){.classes = 0};
}

vdnn_status vdnn_assessment_make(vdnn_training_run *run, const vdnn_dataset *dataset,
                                 vdnn_assessment *own)
{
    const vdnn_graph *graph = run->request.setup->graph;
    counting counted = {own, vdnn_graph_loss(graph), vdnn_training_score_count(graph)};
    vdnn_status status = init(graph, run->class_names, own);
    VDNN_IF_OK(status, vdnn_training_score(run, dataset, take, &counted));
    if (status != VDNN_OK)
        vdnn_assessment_fini(own);
    else
        own->loss /= (double)(counted.loss->def->sample_loss != NULL ? own->samples : own->labels);
    return status;
}

/* ---- what it says ---------------------------------------------------------------------------- */

static double share(int64_t part, int64_t of)
{
    return of > 0 ? (double)part / (double)of : (double)NAN;
}

static double accuracy_of(const vdnn_assessment *own)
{
    return own->target == VDNN_TARGET_NUMBERS ? (double)NAN : share(own->right, own->labels);
}

/* Not a number: there is none of the class, and none was taken for it. */
static double dice_of(const vdnn_assessment *own, int64_t class)
{
    return share(2 * own->right_of[class], own->of_class[class] + own->as_class[class]);
}

/* Over the classes that are there. */
static double mean_dice(const vdnn_assessment *own)
{
    double sum = 0;
    int64_t found = 0;
    for (int64_t c = own->background; c < own->classes; c++) {
        const double dice = dice_of(own, c);
        sum += isnan(dice) ? 0 : dice;
        found += !isnan(dice);
    }
    return sum / (double)found;
}

vdnn_test_scores vdnn_assessment_scores(const vdnn_assessment *own)
{
    const double accuracy = accuracy_of(own),
                 dice = own->target == VDNN_TARGET_MASKS ? mean_dice(own) : (double)NAN;
    return (vdnn_test_scores){isnan(accuracy) ? -1.0 : accuracy, own->loss,
                              isnan(dice) ? -1.0 : dice};
}

/* ---- as text --------------------------------------------------------------------------------- */

static void add_name(const vdnn_assessment *own, int64_t class, int width, vdnn_text *text)
{
    if (own->names != NULL)
        vdnn_text_add(text, "%-*s", width, own->names[class]);
    else
        vdnn_text_add(text, "%-*lld", width, (long long)class);
}

static void add_share(int64_t part, int64_t of, vdnn_text *text)
{
    if (of > 0)
        vdnn_text_add(text, "  %7.1f %%", 100 * share(part, of));
    else
        vdnn_text_add(text, "  %9s", "-");
}

static int width_of(const vdnn_assessment *own)
{
    size_t width = strlen("class");
    for (int64_t c = 0; own->names != NULL && c < own->classes; c++)
        if (strlen(own->names[c]) > width)
            width = strlen(own->names[c]);
    return (int)width;
}

/* A class, or a pair of them, by what it is listed by. */
typedef struct item {
    double key;
    int64_t of, as;
} item;

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->as > y->as) - (x->as < y->as);
}

static void add_class(const vdnn_assessment *own, int64_t class, int width, vdnn_text *text)
{
    add_name(own, class, width, text);
    vdnn_text_add(text, "  %8lld  %8lld", (long long)own->of_class[class],
                  (long long)own->right_of[class]);
    add_share(own->right_of[class], own->of_class[class], text);
    add_share(own->right_of[class], own->as_class[class], text);
    if (own->target == VDNN_TARGET_MASKS)
        vdnn_text_add(text, "  %9.4f", dice_of(own, class));
    vdnn_text_add(text, "\n");
}

/* By what many classes are listed: those that are found least first, or the most frequent tokens.
 */
static double key_of(const vdnn_assessment *own, int64_t class)
{
    return own->are_tokens ? -(double)own->of_class[class]
                           : share(own->right_of[class], own->of_class[class]);
}

/* Those of which there are samples, in their order, or by their key. */
static void add_classes(const vdnn_assessment *own, bool everything, vdnn_text *text)
{
    item *items = vdnn_heap_calloc((size_t)own->classes, sizeof *items);
    int64_t listed = 0;
    for (int64_t c = 0; c < own->classes && items != NULL; c++)
        if (own->of_class[c] + own->as_class[c] > 0)
            items[listed++] = (item){key_of(own, c), c, 0};
    const bool is_cut = (own->are_tokens || !everything) && listed > SHOWN;
    if (items == NULL)
        text->failed = true;
    else if (is_cut)
        qsort(items, (size_t)listed, sizeof *items, by_key);
    const int width = width_of(own);
    const bool are_masks = own->target == VDNN_TARGET_MASKS;
    vdnn_text_add(text, "%-*s  %8s  %8s  %9s  %9s%s\n", width, "class",
                  are_masks ? "cells" : "samples", "right", "recall", "precision",
                  are_masks ? "       Dice" : "");
    for (int64_t i = 0; i < listed && (!is_cut || i < SHOWN); i++)
        add_class(own, items[i].of, width, text);
    if (is_cut)
        vdnn_text_add(text,
                      own->are_tokens ? "%lld more are less frequent\n"
                                      : "%lld more classes have a higher recall; --verbose "
                                        "lists all\n",
                      (long long)(listed - SHOWN));
    vdnn_heap_free(items);
}

static int64_t list_pairs(const vdnn_assessment *own, item *pairs)
{
    int64_t found = 0;
    for (int64_t of = 0; of < own->classes; of++)
        for (int64_t as = 0; as < own->classes; as++) {
            const int64_t times = own->confusion[of * own->classes + as];
            if (of != as && times > 0)
                pairs[found++] = (item){-(double)times, of, as};
        }
    return found;
}

static void add_confusion(const vdnn_assessment *own, vdnn_text *text)
{
    const int width = width_of(own), least = (int)strlen("taken for"),
              as_width = width > least ? width : least;
    item *pairs = own->confusion == NULL
                      ? NULL
                      : vdnn_heap_calloc((size_t)(own->classes * own->classes), sizeof *pairs);
    if (own->confusion == NULL)
        return;
    const int64_t found = pairs == NULL ? 0 : list_pairs(own, pairs);
    if (pairs == NULL)
        text->failed = true;
    else
        qsort(pairs, (size_t)found, sizeof *pairs, by_key);
    if (found > 0)
        vdnn_text_add(text, "%-*s  %-*s  %8s\n", width, "class", as_width, "taken for", "samples");
    for (int64_t i = 0; i < found && i < PAIRS; i++) {
        add_name(own, pairs[i].of, width, text);
        vdnn_text_add(text, "  ");
        add_name(own, pairs[i].as, as_width, text);
        vdnn_text_add(text, "  %8.0f\n", -pairs[i].key);
    }
    vdnn_heap_free(pairs);
}

void vdnn_assessment_write(const vdnn_assessment *own, bool everything, vdnn_text *text)
{
    vdnn_text_add(text, "%lld samples", (long long)own->samples);
    if (own->labels == 0) {
        vdnn_text_add(text, ", no label of which counts: there is no accuracy\n");
        return;
    }
    if (own->labels != own->samples && own->target != VDNN_TARGET_NUMBERS)
        vdnn_text_add(text, ", %lld labels that count", (long long)own->labels);
    vdnn_text_put(text, ": ");
    if (own->target == VDNN_TARGET_MASKS)
        vdnn_text_add(text, "Dice %.4f, ", mean_dice(own));
    if (own->target != VDNN_TARGET_NUMBERS)
        vdnn_text_add(text, "accuracy %.4f, ", accuracy_of(own));
    vdnn_text_add(text, "loss %.6f", own->loss);
    if (own->are_tokens)
        vdnn_text_add(text, ", perplexity %.5g", exp(own->loss));
    vdnn_text_put(text, "\n");
    if ((own->are_tokens && !everything) || own->classes == 0)
        return;
    vdnn_text_put(text, "\n");
    add_classes(own, everything, text);
    if (everything && own->right < own->labels) {
        vdnn_text_add(text, "\n");
        add_confusion(own, text);
    }
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *class_json(const vdnn_assessment *own, int64_t class)
{
    json_t *name = own->names != NULL ? json_string(own->names[class]) : json_integer(class);
    json_t *all = json_pack(
        "{s:o, s:I, s:I, s:I}", "class", name, "samples", (json_int_t)own->of_class[class], "right",
        (json_int_t)own->right_of[class], "classified_as", (json_int_t)own->as_class[class]);
    if (own->target == VDNN_TARGET_MASKS)
        (void)json_object_set_new(all, "dice", real(dice_of(own, class)));
    return all;
}

static json_t *confusion_json(const vdnn_assessment *own)
{
    json_t *rows = json_array();
    for (int64_t of = 0; of < own->classes; of++) {
        json_t *row = json_array();
        for (int64_t as = 0; as < own->classes; as++)
            (void)json_array_append_new(row, json_integer(own->confusion[of * own->classes + as]));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

json_t *vdnn_assessment_json(const vdnn_assessment *own)
{
    json_t *classes = json_array();
    for (int64_t c = 0; c < own->classes; c++)
        (void)json_array_append_new(classes, class_json(own, c));
    json_t *all = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "samples", (json_int_t)own->samples,
                            "labels", (json_int_t)own->labels, "accuracy", real(accuracy_of(own)),
                            "loss", real(own->loss), "classes", classes, "confusion",
                            own->confusion == NULL ? json_null() : confusion_json(own));
    if (own->target == VDNN_TARGET_MASKS)
        (void)json_object_set_new(all, "dice", real(mean_dice(own)));
    if (own->are_tokens)
        (void)json_object_set_new(all, "perplexity", real(exp(own->loss)));
    return all;
}
