#include "runtime/scale/epochs_curve.h"

#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/numbers/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_WORDS = 2 };

static const char blanks[] = " \t\r,;";

/* Reads the numbers of a line, which it cuts into words; a point only if it has two. */
static const char *read_line(char *line, vdnn_epochs_point *point, bool *has_point)
{
    double *numbers[MOST_WORDS] = {&point->batch, &point->epochs};
    int count = 0;
    char *rest;
    line[strcspn(line, "#")] = '\0';
    *has_point = false;
    for (char *word = strtok_r(line, blanks, &rest); word != NULL;
         word = strtok_r(NULL, blanks, &rest)) {
        if (count == MOST_WORDS || vdnn_decimal_read_real(word, numbers[count]) != NULL ||
            !(*numbers[count++] > 0))
            return "expected two positive numbers, a batch and its epochs";
    }
    *has_point = count == MOST_WORDS;
    return count == 1 ? "expected two numbers, a batch and its epochs" : NULL;
}

static vdnn_status read_lines(const char *path, char *text, vdnn_epochs_curve *curve)
{
    int number = 1;
    for (char *line = text; line != NULL; number++) {
        char *end = strchr(line, '\n');
        vdnn_epochs_point point;
        bool has_point;
        if (end != NULL)
            *end = '\0';
        const char *why = read_line(line, &point, &has_point);
        if (why == NULL && has_point && curve->count > 0 &&
            point.batch <= curve->points[curve->count - 1].batch)
            why = "the batch is not larger than that of the line before";
        if (why != NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: %s", path, number, why);
        if (has_point)
            curve->points[curve->count++] = point;
        line = end == NULL ? NULL : end + 1;
    }
    return curve->count > 0 ? VDNN_OK
                            : vdnn_status_fail(VDNN_BAD_INPUT, "%s:1: there is no point", path);
}

vdnn_status vdnn_epochs_curve_read(const char *path, vdnn_epochs_curve *curve)
{
    char *text;
    size_t count, lines = 1;
    VDNN_TRY(vdnn_input_read(path, MOST_BYTES, &text, &count));
    for (size_t i = 0; i < count; i++)
        lines += text[i] == '\n';
    *curve = (vdnn_epochs_curve){.points = vdnn_heap_calloc(lines, sizeof *curve->points)};
    vdnn_status status = VDNN_OK;
    if (curve->points == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the points of %s", path);
    else if (strlen(text) < count)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s:1: the file is no text", path);
    VDNN_IF_OK(status, read_lines(path, text, curve));
    vdnn_heap_free(text);
    if (status != VDNN_OK)
        vdnn_epochs_curve_fini(curve);
    return status;
}

void vdnn_epochs_curve_fini(vdnn_epochs_curve *curve)
{
    vdnn_heap_free(curve->points);
    *curve = (vdnn_epochs_curve){0};
}

double vdnn_epochs_curve_at(const vdnn_epochs_curve *curve, double batch)
{
    const vdnn_epochs_point *points = curve->points;
    int32_t next = 0;
    if (curve->count == 0)
        return 1 + batch / VDNN_EPOCHS_ASSUMED_BATCH;
    while (next < curve->count && points[next].batch < batch)
        next++;
    if (next == curve->count)
        return (double)NAN;
    if (next == 0)
        return points[0].epochs;
    const vdnn_epochs_point *from = &points[next - 1], *to = &points[next];
    const double part = log(batch / from->batch) / log(to->batch / from->batch);
    return from->epochs * pow(to->epochs / from->epochs, part);
}
