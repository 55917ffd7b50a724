#include "runtime/base/messages.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"
#include "runtime/base/versioned.h"

#include <stdarg.h>
#include <stdio.h>

vdnn_status vdnn_messages_take(const vdnn_messages *given, vdnn_messages *messages)
{
    if (given != NULL)
        return vdnn_versioned_take(messages, sizeof *messages, given, "vdnn_messages");
    *messages = (vdnn_messages){0};
    return VDNN_OK;
}

void vdnn_messages_log(const vdnn_messages *messages, vdnn_log_level level, const char *format, ...)
{
    char line[2048];
    if (messages->log == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(line, sizeof line, format, arguments);
    va_end(arguments);
    vdnn_text_mask_message(line);
    messages->log(messages->context, level, line);
}

void vdnn_messages_progress(const vdnn_messages *messages, const vdnn_progress *progress)
{
    if (messages->progress != NULL)
        messages->progress(messages->context, progress);
}

void vdnn_messages_print(const vdnn_messages *messages, const char *text)
{
    if (messages->print != NULL)
        messages->print(messages->context, text);
}

void vdnn_messages_write(const vdnn_messages *messages, const char *bytes, size_t count)
{
    vdnn_text text = {0};
    if (messages->write != NULL) {
        messages->write(messages->context, bytes, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != '\0')
            vdnn_text_put_bytes(&text, bytes + i, 1);
    if (text.length > 0)
        vdnn_messages_print(messages, text.data);
    vdnn_text_fini(&text);
}

vdnn_status vdnn_messages_interrupted(const vdnn_messages *messages)
{
    if (messages->interrupted == NULL)
        return VDNN_OK;
    vdnn_status status = messages->interrupted(messages->context);
    if (status != VDNN_OK)
        (void)vdnn_status_fail(status, "stopped on a signal; no results were written");
    return status;
}
