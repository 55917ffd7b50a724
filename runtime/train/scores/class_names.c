#include "runtime/train/scores/class_names.h"

#include "runtime/base/json.h"
#include "runtime/data/tensors/safetensors.h"

#include <string.h>

static vdnn_status take_from_data(const vdnn_dataset *dataset, int64_t classes, json_t **names)
{
    json_t *fresh = json_array();
    bool good = fresh != NULL;
    for (int64_t c = 0; c < classes && good; c++)
        good = json_array_append_new(fresh, json_string(vdnn_dataset_class_name(dataset, c))) == 0;
    if (good) {
        *names = fresh;
        return VDNN_OK;
    }
    json_decref(fresh);
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of %lld classes",
                            (long long)classes);
}

static bool are_names(const json_t *list, int64_t classes)
{
    size_t i;
    const json_t *one;
    bool good = json_is_array(list) && (int64_t)json_array_size(list) == classes;
    json_array_foreach(list, i, one) good = good && json_is_string(one);
    return good;
}

/* What another program wrote there is no list of names. */
static vdnn_status take_from_file(const char *path, int64_t classes, json_t **names)
{
    vdnn_safetensors *file = NULL;
    json_t *list = NULL;
    VDNN_TRY(vdnn_safetensors_open(path, &file));
    const char *text = vdnn_safetensors_classes(file);
    if (text != NULL && vdnn_json_parse(text, strlen(text), path, &list) != VDNN_OK)
        list = NULL;
    vdnn_safetensors_close(file);
    if (are_names(list, classes))
        *names = list;
    else
        json_decref(list);
    return VDNN_OK;
}

static bool is_safetensors(const char *path)
{
    static const char suffix[] = ".safetensors";
    const size_t length = path == NULL ? 0 : strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

vdnn_status vdnn_class_names_find(const vdnn_dataset *dataset, const char *path, int64_t classes,
                                  json_t **names)
{
    if (classes > 0 && vdnn_dataset_class_name(dataset, 0) != NULL)
        return take_from_data(dataset, classes, names);
    return is_safetensors(path) ? take_from_file(path, classes, names) : VDNN_OK;
}

const char *vdnn_class_name(const json_t *names, int64_t class)
{
    return json_string_value(json_array_get(names, (size_t) class));
}
