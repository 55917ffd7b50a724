#include "tests/fuzz/fuzz.h"

#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "tests/fuzz/memory_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATHS = 8, PATH_BYTES = 256 };

static size_t live_before;

void vdnn_fuzz_fail(const char *file, int line, const char *condition)
{
    (void)fprintf(stderr, "%s:%d: does not hold: %s; last message: \"%s\"\n", file, line, condition,
                  vdnn_status_message());
    abort();
}

void vdnn_fuzz_begin(void)
{
    vdnn_memory_files_begin();
    vdnn_memory_files_clear();
    live_before = vdnn_heap_live_count();
}

int vdnn_fuzz_end(void)
{
    VDNN_FUZZ_CHECK(vdnn_heap_live_count() == live_before);
    VDNN_FUZZ_CHECK(vdnn_memory_files_open_count() == 0);
    return 0;
}

const vdnn_graph *vdnn_fuzz_graph(const char *network)
{
    static vdnn_graph *graph;
    vdnn_model *model = NULL;
    vdnn_graph_options options = {.rules = VDNN_RULES_LEAN};
    if (graph != NULL)
        return graph;
    VDNN_FUZZ_CHECK(vdnn_model_parse(network, strlen(network), "n", &model) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_graph_create(model, &options, &graph) == VDNN_OK);
    vdnn_model_destroy(model);
    return graph;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

const char *vdnn_fuzz_file(const char *name, const void *bytes, size_t count)
{
    static char paths[PATHS][PATH_BYTES];
    static size_t turn;
    char *path = paths[turn++ % PATHS];
    int length = snprintf(path, PATH_BYTES, "%s/%s", VDNN_MEMORY_FILES, name);
    VDNN_FUZZ_CHECK(length > 0 && length < PATH_BYTES);
    vdnn_memory_files_put(name, bytes, count);
    return path;
}

vdnn_fuzz_bytes vdnn_fuzz_part(vdnn_fuzz_bytes *rest)
{
    vdnn_fuzz_bytes part = {rest->data, 0};
    if (rest->size < 2)
        return part;
    size_t length = (size_t)rest->data[0] | (size_t)rest->data[1] << 8;
    rest->data += 2;
    rest->size -= 2;
    part.data = rest->data;
    part.size = length < rest->size ? length : rest->size;
    rest->data += part.size;
    rest->size -= part.size;
    return part;
}

/* ---- statuses -------------------------------------------------------------------------------- */

void vdnn_fuzz_status(vdnn_status status, unsigned allowed)
{
    if (status == VDNN_OK)
        return;
    VDNN_FUZZ_CHECK((1U << (unsigned)status & allowed) != 0);
    const char *message = vdnn_status_message();
    VDNN_FUZZ_CHECK(message[0] != '\0');
    VDNN_FUZZ_CHECK(!vdnn_text_has_control(message));
}
