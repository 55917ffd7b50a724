/* Networks built in code: the reader of files, one item at a time. */

#include "models/model_reader.h"
#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static vdnn_status no_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a network");
}

static vdnn_status read_head(vdnn_model *model, const char *head)
{
    vdnn_yaml_tree *tree = NULL;
    model->path = vdnn_heap_strdup("the network");
    if (model->path == NULL)
        return no_memory();
    vdnn_status status = vdnn_yaml_tree_parse(head, strlen(head), model->path, &tree);
    VDNN_IF_OK(status, vdnn_model_reader_begin(tree, model, &model->reader));
    vdnn_yaml_tree_destroy(tree);
    return status;
}

vdnn_status vdnn_model_create(const char *head, vdnn_model **model)
{
    vdnn_model *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return no_memory();
    vdnn_status status = read_head(fresh, head);
    if (status == VDNN_OK)
        *model = fresh;
    else
        vdnn_model_destroy(fresh);
    return status;
}

vdnn_status vdnn_model_add(vdnn_model *model, const char *format, ...)
{
    char text[VDNN_MODEL_MAX_ITEM], place[2 * VDNN_MODEL_MAX_NAME];
    vdnn_yaml_tree *tree = NULL;
    if (model->reader == NULL)
        return vdnn_status_fail(
            VDNN_USAGE,
            "layers can only be added to a network made by vdnn_model_create; this one was loaded");
    va_list arguments;
    va_start(arguments, format);
    int length = vdnn_decimal_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(place, sizeof place, "%s, layer %d", model->name, (int)model->layer_count + 1);
    if (length < 0 || (size_t)length >= sizeof text)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: its text has more than %zu bytes", place,
                                sizeof text - 1);
    vdnn_status status = vdnn_yaml_tree_parse(text, (size_t)length, place, &tree);
    VDNN_IF_OK(status, vdnn_model_reader_add(model->reader, tree));
    vdnn_yaml_tree_destroy(tree);
    return status;
}
