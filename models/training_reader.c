#include "models/training_reader.h"

#include "models/section.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { HINT_BYTES = 128, WHAT_BYTES = 64, MAX_EPOCHS = 1000000 };

static const vdnn_key training_keys[] = {
    {"epochs", VDNN_KEY_INT, offsetof(vdnn_training, epochs), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"clip_norm", VDNN_KEY_REAL, offsetof(vdnn_training, clip_norm), .max = 1e12},
    {"warmup", VDNN_KEY_REAL, offsetof(vdnn_training, warmup), .max = MAX_EPOCHS},
};

/* Followed by the settings of the optimizer. */
static const char *const training_others[] = {"schedule", "augment", "optimizer"};
enum { TRAINING_SCHEDULE, TRAINING_AUGMENT, TRAINING_OPTIMIZER, TRAINING_SETTINGS };

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

/* ---- words ----------------------------------------------------------------------------------- */

/* The index of a word among the names that `what` may have. */
static vdnn_status find_name(const vdnn_yaml_tree *tree, int32_t node, const char *what,
                             const char *const *names, size_t count, size_t *found)
{
    char quoted[VDNN_YAML_QUOTE_BYTES], hint[HINT_BYTES];
    const char *name =
        tree->nodes[node].kind == VDNN_YAML_SCALAR ? vdnn_yaml_tree_text(tree, node) : "";
    vdnn_text all = {0};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            *found = i;
            vdnn_text_fini(&all);
            return VDNN_OK;
        }
        vdnn_text_add(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
    }
    vdnn_status status = vdnn_yaml_tree_refuse(
        tree, tree->nodes[node].line, "%s is %s, expected %s%s", what,
        vdnn_yaml_tree_quote(quoted, tree, node), all.failed ? "another" : all.data,
        vdnn_text_hint(hint, sizeof hint, name, names, count));
    vdnn_text_fini(&all);
    return status;
}

/* ---- the schedule ---------------------------------------------------------------------------- */

static vdnn_status find_schedule(const vdnn_yaml_tree *tree, int32_t type, size_t *kind)
{
    const char *names[COUNT(schedules)];
    for (size_t i = 0; i < COUNT(schedules); i++)
        names[i] = schedules[i].name;
    return find_name(tree, type, "type of schedule", names, COUNT(names), kind);
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
    VDNN_TRY(type < 0 ? VDNN_OK : find_schedule(tree, type, &kind));
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
    vdnn_status status = vdnn_section_read(&section);
    VDNN_IF_OK(status, vdnn_section_require(&section, SCHEDULE_TYPE));
    VDNN_IF_OK(status,
               vdnn_section_read_reals(&section, &at_key, values[SCHEDULE_AT], &schedule->at));
    schedule->kind = (unsigned)kind;
    return status == VDNN_OK && kind == VDNN_RATE_STEP ? check_steps(tree, node, schedule) : status;
}

/* ---- augmentation ---------------------------------------------------------------------------- */

static bool has_pictures(const vdnn_model *model)
{
    int32_t input = 0;
    while (input < model->input_count && model->inputs[input].tokens > 0)
        input++;
    return input < model->input_count;
}

static vdnn_status check_crop(const vdnn_yaml_tree *tree, int32_t node, const vdnn_augment *augment,
                              const vdnn_input_spec *input)
{
    if (input->depth > 0 && (augment->crop[0] > 0 || augment->crop[1] > 0))
        return vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                     "crop of augment is for pictures, but an input of the network "
                                     "is a volume");
    if (input->tokens > 0 || (augment->crop[0] < input->height && augment->crop[1] < input->width))
        return VDNN_OK;
    return vdnn_yaml_tree_refuse(
        tree, tree->nodes[node].line,
        "crop of augment pads by [%lld, %lld], expected less than the input's %lld x %lld",
        (long long)augment->crop[0], (long long)augment->crop[1], (long long)input->height,
        (long long)input->width);
}

static vdnn_status read_augment(const vdnn_yaml_tree *tree, int32_t node, vdnn_model *model)
{
    vdnn_augment *augment = &model->training.augment;
    if (!has_pictures(model))
        return node < 0 ? VDNN_OK
                        : vdnn_yaml_tree_refuse(tree, tree->nodes[node].line,
                                                "augment is for pictures, but the input of the "
                                                "network is tokens");
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = "augment",
                            .keys = augment_keys,
                            .key_count = COUNT(augment_keys),
                            .config = augment};
    vdnn_status status = vdnn_section_read(&section);
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; i < model->input_count && status == VDNN_OK; i++)
        status = check_crop(tree, node, augment, &model->inputs[i]);
    return status;
}

/* ---- the optimizer --------------------------------------------------------------------------- */

/* -1: the network does not say. */
static vdnn_status find_optimizer(const vdnn_yaml_tree *tree, int32_t node, size_t *id)
{
    const char *names[VDNN_OPTIMIZER_COUNT];
    if (node < 0)
        return VDNN_OK;
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++)
        names[i] = vdnn_optimizer_at((vdnn_optimizer_id)i)->name;
    return find_name(tree, node, "optimizer of training", names, COUNT(names), id);
}

/* section->config is a vdnn_settings. */
static vdnn_status read_setting(const vdnn_section *section, const vdnn_setting *setting,
                                int32_t node)
{
    const vdnn_yaml_tree *tree = section->tree;
    const vdnn_yaml_node *list = &tree->nodes[node];
    vdnn_key key = {.name = setting->name,
                    .kind = VDNN_KEY_REAL,
                    .offset = setting->offset,
                    .min = setting->min,
                    .max = setting->max};
    char quoted[VDNN_YAML_QUOTE_BYTES];
    if (setting->count == 1)
        return vdnn_section_read_value(section, &key, node);
    if (list->kind != VDNN_YAML_SEQUENCE || list->count != setting->count)
        return vdnn_yaml_tree_refuse(
            tree, list->line, "%s of %s is %s, expected a list of %d numbers", setting->name,
            section->what, vdnn_yaml_tree_quote(quoted, tree, node), (int)setting->count);
    vdnn_status status = VDNN_OK;
    for (int32_t item = list->first; item >= 0 && status == VDNN_OK;
         item = tree->nodes[item].next) {
        status = vdnn_section_read_value(section, &key, item);
        key.offset += sizeof(double);
    }
    return status;
}

void vdnn_training_choose(vdnn_training *training, const vdnn_optimizer *optimizer)
{
    training->optimizer = optimizer;
    training->settings = vdnn_optimizer_presets(optimizer);
    for (size_t i = 0; i < VDNN_SETTING_COUNT; i++) {
        const vdnn_setting *setting = vdnn_setting_at(i);
        const double *given = vdnn_setting_values(setting, &training->given);
        if (vdnn_optimizer_has(optimizer, setting) && *given >= 0)
            vdnn_setting_store(setting, given, &training->settings);
    }
}

/* ---- the section ----------------------------------------------------------------------------- */

/* A section whose keys are those of an optimizer, read into `training`. */
static vdnn_status read_keys(const vdnn_yaml_tree *tree, int32_t node, const char *what,
                             const vdnn_optimizer *optimizer, vdnn_training *training,
                             int32_t values[TRAINING_SETTINGS])
{
    static const vdnn_settings none = {-1, -1, -1, {-1, -1}, -1, -1};
    const char *others[TRAINING_SETTINGS + VDNN_SETTING_COUNT];
    const vdnn_setting *settings[VDNN_SETTING_COUNT];
    int32_t all[TRAINING_SETTINGS + VDNN_SETTING_COUNT];
    size_t count = 0;
    memcpy(others, training_others, sizeof training_others);
    for (size_t i = 0; i < VDNN_SETTING_COUNT; i++)
        if (vdnn_optimizer_has(optimizer, vdnn_setting_at(i))) {
            settings[count] = vdnn_setting_at(i);
            others[TRAINING_SETTINGS + count] = settings[count]->name;
            count++;
        }
    vdnn_section section = {.tree = tree,
                            .node = node,
                            .what = what,
                            .keys = training_keys,
                            .key_count = COUNT(training_keys),
                            .config = training,
                            .others = others,
                            .other_count = TRAINING_SETTINGS + count,
                            .values = all};
    vdnn_status status = vdnn_section_read(&section);
    training->given = none;
    section.config = &training->given;
    for (size_t i = 0; i < count && status == VDNN_OK; i++)
        if (all[TRAINING_SETTINGS + i] >= 0)
            status = read_setting(&section, settings[i], all[TRAINING_SETTINGS + i]);
    if (status == VDNN_OK)
        memcpy(values, all, TRAINING_SETTINGS * sizeof *values);
    return status;
}

vdnn_status vdnn_training_reader_read(const vdnn_yaml_tree *tree, int32_t node, vdnn_model *model)
{
    int32_t values[TRAINING_SETTINGS];
    char what[WHAT_BYTES] = "training";
    size_t id = VDNN_OPTIMIZER_SGD;
    bool is_mapping = node >= 0 && tree->nodes[node].kind == VDNN_YAML_MAPPING;
    int32_t named = is_mapping ? vdnn_yaml_tree_find(tree, node, "optimizer") : -1;
    VDNN_TRY(find_optimizer(tree, named, &id));
    const vdnn_optimizer *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)id);
    if (named >= 0)
        (void)snprintf(what, sizeof what, "training by %s", optimizer->name);
    VDNN_TRY(read_keys(tree, node, what, optimizer, &model->training, values));
    vdnn_training_choose(&model->training, optimizer);
    vdnn_status status = read_schedule(tree, values[TRAINING_SCHEDULE], &model->training.schedule);
    return status == VDNN_OK ? read_augment(tree, values[TRAINING_AUGMENT], model) : status;
}
