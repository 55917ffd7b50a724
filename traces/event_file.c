#include "traces/event_file.h"

#include "runtime/base/gzip.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <stdbool.h>
#include <string.h>

struct vdnn_event_file {
    vdnn_output *output;
    vdnn_gzip *packed; /* NULL: plain text */
    vdnn_text text;    /* not yet written */
    bool has_events;
    vdnn_first_error error; /* why a part could not be written: it is not whole any more */
};

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), part = strlen(suffix);
    return length >= part && strcmp(path + length - part, suffix) == 0;
}

vdnn_status vdnn_event_file_create(const char *path, vdnn_event_file **file)
{
    vdnn_event_file *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    vdnn_status status = vdnn_output_create(path, &fresh->output);
    if (status == VDNN_OK && ends_in(path, ".gz"))
        status = vdnn_gzip_create(fresh->output, &fresh->packed);
    if (status != VDNN_OK) {
        vdnn_event_file_abandon(fresh);
        return status;
    }
    vdnn_text_add(&fresh->text,
                  "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    *file = fresh;
    return VDNN_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

vdnn_text *vdnn_event_file_add(vdnn_event_file *file, const char *phase, int process, int thread)
{
    vdnn_text *text = &file->text;
    vdnn_text_put(text, file->has_events ? ",\n{\"ph\":\"" : "{\"ph\":\"");
    vdnn_text_put(text, phase);
    vdnn_text_put(text, "\",\"pid\":");
    vdnn_text_put_number(text, process);
    vdnn_text_put(text, ",\"tid\":");
    vdnn_text_put_number(text, thread);
    file->has_events = true;
    return text;
}

void vdnn_event_escaped(vdnn_text *text, const char *string)
{
    while (*string != '\0') {
        size_t plain = 0;
        while ((unsigned char)string[plain] >= 0x20 && string[plain] != '"' &&
               string[plain] != '\\')
            plain++;
        vdnn_text_put_bytes(text, string, plain);
        string += plain;
        if (*string == '"' || *string == '\\')
            vdnn_text_add(text, "\\%c", *string++);
        else if (*string != '\0')
            vdnn_text_add(text, "\\u%04x", (unsigned char)*string++);
    }
}

void vdnn_event_time(vdnn_text *text, const char *key, int64_t nanoseconds)
{
    vdnn_text_put(text, ",\"");
    vdnn_text_put(text, key);
    vdnn_text_put(text, "\":");
    vdnn_text_put_digits(text, (uint64_t)nanoseconds / 1000, 1);
    vdnn_text_put(text, ".");
    vdnn_text_put_digits(text, (uint64_t)nanoseconds % 1000, 3);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

vdnn_status vdnn_event_file_flush(vdnn_event_file *file)
{
    vdnn_text *text = &file->text;
    vdnn_status status = VDNN_OK;
    if (text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the trace",
                                vdnn_output_path(file->output));
    if (file->error.status != VDNN_OK)
        return vdnn_status_fail(file->error.status, "%s", file->error.message);
    if (file->packed == NULL)
        status = vdnn_output_write(file->output, text->data, text->length);
    else
        status = vdnn_gzip_write(file->packed, text->data, text->length);
    text->length = 0;
    vdnn_first_error_keep(&file->error, status);
    return status;
}

vdnn_status vdnn_event_file_flush_if_full(vdnn_event_file *file)
{
    const bool is_full = file->text.length >= VDNN_EVENT_FILE_HELD || file->text.failed;
    return is_full ? vdnn_event_file_flush(file) : VDNN_OK;
}

const char *vdnn_event_file_path(const vdnn_event_file *file)
{
    return vdnn_output_path(file->output);
}

/* Frees all but the output. */
static void release(vdnn_event_file *file)
{
    vdnn_gzip_destroy(file->packed);
    vdnn_text_fini(&file->text);
    vdnn_heap_free(file);
}

vdnn_status vdnn_event_file_close(vdnn_event_file *file)
{
    vdnn_text_add(&file->text, "\n]}\n");
    vdnn_status status = vdnn_event_file_flush(file);
    if (status == VDNN_OK && file->packed != NULL)
        status = vdnn_gzip_finish(file->packed);
    if (status != VDNN_OK) {
        vdnn_event_file_abandon(file);
        return status;
    }
    vdnn_output *output = file->output;
    release(file);
    return vdnn_output_commit(output);
}

void vdnn_event_file_abandon(vdnn_event_file *file)
{
    if (file == NULL)
        return;
    vdnn_output *output = file->output;
    release(file);
    vdnn_output_abandon(output);
}
