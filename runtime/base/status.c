#include "runtime/base/status.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[VDNN_STATUS_MESSAGE_BYTES];

typedef struct row {
    int exit_code;
    const char *name, *text;
} row;

static row row_of(vdnn_status status)
{
    switch (status) {
#define X(name, value, code, text)                                                                 \
    case VDNN_##name:                                                                              \
        return (row){code, "VDNN_" #name, text};
        VDNN_STATUS_TABLE(X)
#undef X
    }
    return (row){9, "unknown status", "unknown status"};
}

const char *vdnn_version(void)
{
    return VDNN_VERSION;
}

int vdnn_version_number(void)
{
    return VDNN_VERSION_NUMBER;
}

void vdnn_status_record(const char *format, ...)
{
    char fresh[VDNN_STATUS_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    vdnn_text_mask_message(fresh);
    memcpy(message, fresh, sizeof message);
}

vdnn_status vdnn_status_prefix(vdnn_status status, const char *format, ...)
{
    char prefix[VDNN_STATUS_MESSAGE_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    vdnn_text_mask_message(prefix);
    char whole[2 * VDNN_STATUS_MESSAGE_BYTES];
    (void)snprintf(whole, sizeof whole, "%s: %s", prefix, message);
    whole[VDNN_STATUS_MESSAGE_BYTES - 1] = '\0';
    memcpy(message, whole, sizeof message);
    return status;
}

void vdnn_first_error_keep(vdnn_first_error *error, vdnn_status status)
{
    if (error->status != VDNN_OK)
        return;
    error->status = status;
    memcpy(error->message, message, sizeof error->message);
}

vdnn_status vdnn_first_error_tell(vdnn_first_error *error)
{
    vdnn_status status = error->status;
    if (status != VDNN_OK)
        memcpy(message, error->message, sizeof message);
    error->status = VDNN_OK;
    return status;
}

const char *vdnn_status_message(void)
{
    return message;
}

const char *vdnn_status_text(vdnn_status status)
{
    return row_of(status).text;
}

const char *vdnn_status_name(vdnn_status status)
{
    return row_of(status).name;
}

int vdnn_status_exit_code(vdnn_status status)
{
    return row_of(status).exit_code;
}

_Noreturn void vdnn_status_abort(const char *file, int line, const char *condition, long long left,
                                 long long right)
{
    (void)fprintf(stderr, "%s:%d: broken invariant: %s (%lld, %lld)\n", file, line, condition, left,
                  right);
    abort();
}
