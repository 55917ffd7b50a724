#include "models/training_reader.h"

#include "models/section.h"
#include "runtime/base/text.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { HINT_BYTES = 128, MAX_EPOCHS = 1000000 };

static const vdnn_key training_keys[] = {
    {"lr", VDNN_KEY_REAL, offsetof(vdnn_training, lr), .preset = 0.01, .max = 1e6},
    {"momentum", VDNN_KEY_REAL, offsetof(vdnn_training, momentum), .preset = 0.9, .max = 1},
    {"weight_decay", VDNN_KEY_REAL, offsetof(vdnn_training, weight_decay), .max = 1e6},
    {"epochs", VDNN_KEY_INT, offsetof(vdnn_training, epochs), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"warmup", VDNN_KEY_REAL, offsetof(vdnn_training, warmup), .max = MAX_EPOCHS},
};

static const char *const training_others[] = {"schedule", "augment"};
enum { TRAINING_SCHEDULE, TRAINING_AUGMENT, TRAINING_OTHERS };

static const vdnn_key augment_keys[] = {
    {"flip", VDNN_KEY_BOOL, offsetof(vdnn_augment, flip), .max = 1},
    {"crop", VDNN_KEY_PAIR, offsetof(vdnn_augment, crop), .max = INT32_MAX},
};

static const vdnn_key step_keys[] = {
    {"every", VDNN_KEY_REAL, offsetof(vdnn_rate_schedule, every), .min = 1e-3, .max = MAX_EPOCHS},
    {"factor", VDNN_KEY_REAL, offsetof(vdnn_rate_schedule, factor), .preset = 0.1, .max = 1},
};

static const vdnn_key at_key = {"at", VDNN_KEY_REAL, 0, .max = MAX_EPOCHS};

static const vdnn_key cosine_keys[] = {
    {"floor", VDNN_KEY_REAL, offsetof(vdnn_rate_schedule, floor), .max = 1},
};

static const char *const schedule_others[] = {"type", "at"};
enum { SCHEDULE_TYPE, SCHEDULE_AT, SCHEDULE_OTHERS };

/* By kind. */
static const struct {
    const char *name;
    const vdnn_key *keys;
    size_t key_count, other_count;
} schedules[] = {
    [VDNN_RATE_CONSTANT] = {"constant", NULL, 0, SCHEDULE_TYPE + 1},
    [VDNN_RATE_STEP] = {"step", step_keys, COUNT(step_keys), SCHEDULE_AT + 1},
    [VDNN_RATE_COSINE] = {"cosine", cosine_keys, COUNT(cosine_keys), SCHEDULE_TYPE + 1},
};

/* ---- the schedule ---------------------------------------------------------------------------- */

static vdnn_status find_schedule(const vdnn_yaml_tree *tree, int32_t type, size_t *kind)
{
    const char *names[COUNT(schedules)];
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES];
    bool scalar = tree->nodes[type].kind == VDNN_YAML_SCALAR;
    const char *name = scalar ? vdnn_yaml_tree_text(tree, type) : "";
    for (size_t i = 0; i < COUNT(schedules); i++) {
        names[i] = schedules[i].name;
        if (strcmp(name, names[i]) == 0) {
            *kind = i;
            return VDNN_OK;
        }
    }
    return vdnn_yaml_tree_refuse(tree, tree->nodes[type].line,
                                 "type of schedule is %s, expected constant, step or cosine%s",
                                 vdnn_yaml_tree_quote(quoted, tree, type),
                                 vdnn_text_hint(hint, sizeof hint, name, names, COUNT(names)));
}

static vdnn_status check_steps(const vdnn_yaml_tree *tree, int32_t node,
                               const vdnn_rate_schedule *schedule)
{
    const vdnn_reals *at = &schedule->at;
    if ((schedule->every > 0) == (at->count > 0))
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                     "a schedule of steps has %s, expected one of `every` and `at`",
                                     at->count > 0 ? "both `every` and `at`"
                                                   : "neither `every` nor `at`");
    for (int32_t i = 1; i < at->count; i++)
        if (at->values[i] <= at->values[i - 1])
            return vdnn_yaml_tree_refuse(
                tree, tree->nodes[node].line,
                "at of schedule has %g after %g, expected increasing epochs", at->values[i],
                at->values[i - 1]);
    return VDNN_OK;
}

static vdnn_status read_schedule(const vdnn_yaml_tree *tree, int32_t node,
                                 vdnn_rate_schedule *schedule)
{
    if (node < 0)
        return VDNN_OK;
    size_t kind = VDNN_RATE_CONSTANT;
    int32_t type =
        tree->nodes[node].kind == VDNN_YAML_MAPPING ? vdnn_yaml_tree_find(tree, node, "type") : -1;
    vdnn_status status = type < 0 ? VDNN_OK : find_schedule(tree, type, &kind);
    if (status != VDNN_OK)
        return status;
    int32_t values[SCHEDULE_OTHERS] = {-1, -1};
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = "schedule",
                            .keys = schedules[kind].keys,
                            .key_count = schedules[kind].key_count,
                            .config = schedule,
                            .others = schedule_others,
                            .other_count = schedules[kind].other_count,
                            .values = values};
    status = vdnn_section_read(&section);
    if (status == VDNN_OK)
        status = vdnn_section_require(&section, SCHEDULE_TYPE);
    if (status == VDNN_OK)
        status = vdnn_section_read_reals(&section, &at_key, values[SCHEDULE_AT], &schedule->at);
    schedule->kind = (unsigned)kind;
    return status == VDNN_OK && kind == VDNN_RATE_STEP ? check_steps(tree, node, schedule) : status;
}

/* ---- augmentation ---------------------------------------------------------------------------- */

static vdnn_status read_augment(const vdnn_yaml_tree *tree, int32_t node, vdnn_model *model)
{
    vdnn_augment *augment = &model->training.augment;
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = "augment",
                            .keys = augment_keys,
                            .key_count = COUNT(augment_keys),
                            .config = augment};
    vdnn_status status = vdnn_section_read(&section);
    if (status != VDNN_OK)
        return status;
    if (augment->crop[0] < model->height && augment->crop[1] < model->width)
        return VDNN_OK;
    return vdnn_yaml_tree_refuse(
        tree, tree->nodes[node].line,
        "crop of augment pads by [%lld, %lld], expected less than the input's %lld x %lld",
        (long long)augment->crop[0], (long long)augment->crop[1], (long long)model->height,
        (long long)model->width);
}

vdnn_status vdnn_training_reader_read(const vdnn_yaml_tree *tree, int32_t node, vdnn_model *model)
{
    int32_t values[TRAINING_OTHERS];
    vdnn_section training = {.tree = tree,
                             .node = node,
                             .what = "training",
                             .keys = training_keys,
                             .key_count = COUNT(training_keys),
                             .config = &model->training,
                             .others = training_others,
                             .other_count = TRAINING_OTHERS,
                             .values = values};
    vdnn_status status = vdnn_section_read(&training);
    if (status == VDNN_OK)
        status = read_schedule(tree, values[TRAINING_SCHEDULE], &model->training.schedule);
    if (status == VDNN_OK)
        status = read_augment(tree, values[TRAINING_AUGMENT], model);
    return status;
}
