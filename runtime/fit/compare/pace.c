#include "runtime/fit/compare/pace.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LEAST_SPREAD = 0.02;

static vdnn_pace judge(double ratio, double least, double most)
{
    const vdnn_pace_verdict verdict = !(ratio > 0) ? VDNN_PACE_UNKNOWN
                                      : least > 1  ? VDNN_PACE_FASTER
                                      : most < 1   ? VDNN_PACE_SLOWER
                                                   : VDNN_PACE_ALIKE;
    return (vdnn_pace){verdict, ratio, least, most};
}

vdnn_pace vdnn_pace_planned(double ratio, double spread)
{
    return judge(ratio, ratio / (1 + spread), ratio * (1 + spread));
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double vdnn_pace_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

vdnn_pace vdnn_pace_measured(double *ratios, size_t count, double planned)
{
    const double ratio = vdnn_pace_median(ratios, count);
    return judge(ratio, fmin(ratios[0], planned) / (1 + LEAST_SPREAD),
                 fmax(ratios[count - 1], planned) * (1 + LEAST_SPREAD));
}

const char *vdnn_pace_text(const vdnn_pace *pace, char *cell, size_t size)
{
    static const char *const fixed[] = {[VDNN_PACE_UNKNOWN] = "-",
                                        [VDNN_PACE_ALIKE] = "no difference",
                                        [VDNN_PACE_FASTER] = "faster",
                                        [VDNN_PACE_SLOWER] = "slower"};
    const bool is_faster = pace->verdict == VDNN_PACE_FASTER;
    char times[24];
    if (!is_faster && pace->verdict != VDNN_PACE_SLOWER)
        (void)snprintf(cell, size, "%s", fixed[pace->verdict]);
    else
        (void)snprintf(cell, size, "%sx %s",
                       vdnn_rounded_text(times, sizeof times,
                                         is_faster ? pace->ratio : 1 / pace->ratio,
                                         pace->ratio < 1.1 && pace->ratio > 0.9 ? 3 : 2),
                       fixed[pace->verdict]);
    return cell;
}

const char *vdnn_pace_json(const vdnn_pace *pace)
{
    static const char *const names[] = {
        [VDNN_PACE_FASTER] = "faster",
        [VDNN_PACE_ALIKE] = "no_difference",
        [VDNN_PACE_SLOWER] = "slower",
    };
    return pace->verdict == VDNN_PACE_UNKNOWN ? NULL : names[pace->verdict];
}
