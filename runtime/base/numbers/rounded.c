#include "runtime/base/numbers/rounded.h"

#include "runtime/base/numbers/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int vdnn_rounded_digits(double error)
{
    return error >= 0.02 ? VDNN_ROUNDED_ESTIMATE : error >= 0.002 ? 3 : VDNN_ROUNDED_EXACT;
}

/* The power of ten of its last digit. */
static int last_place(double value, int digits)
{
    return (int)floor(log10(fabs(value))) - digits + 1;
}

double vdnn_rounded(double value, int digits)
{
    if (value == 0 || !isfinite(value))
        return value;
    const int place = last_place(value, digits);
    const double unit = pow(10, abs(place));
    return place < 0 ? round(value * unit) / unit : round(value / unit) * unit;
}

const char *vdnn_rounded_text(char *cell, size_t size, double value, int digits)
{
    const double rounded = vdnn_rounded(value, digits);
    const int place = rounded == 0 || !isfinite(rounded) ? 0 : last_place(rounded, digits);
    (void)vdnn_decimal_print(cell, size, "%.*f", place < 0 ? -place : 0, rounded);
    return cell;
}

const char *vdnn_rounded_rate(char *cell, size_t size, double images_per_second)
{
    (void)vdnn_decimal_print(cell, size, images_per_second < 999.95 ? "%#.4g" : "%.0f",
                             images_per_second);
    return cell;
}

const char *vdnn_rounded_left(char *cell, size_t size, double seconds)
{
    if (round(seconds) >= 60)
        return vdnn_rounded_seconds(cell, size, seconds, VDNN_ROUNDED_ESTIMATE);
    (void)vdnn_decimal_print(cell, size, "%.0f s", seconds);
    return cell;
}

const char *vdnn_rounded_seconds(char *cell, size_t size, double seconds, int digits)
{
    static const struct {
        double below, size;
        const char *unit;
    } units[] = {{1e-3, 1e-6, "us"}, {1, 1e-3, "ms"}, {60, 1, "s"}};
    const double shown = vdnn_rounded(seconds, digits);
    char number[32];
    if (seconds == 0) {
        (void)snprintf(cell, size, "0 s");
        return cell;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (shown < units[i].below || isnan(shown)) {
            (void)vdnn_decimal_print(
                cell, size, "%s %s",
                vdnn_rounded_text(number, sizeof number, shown / units[i].size, digits),
                units[i].unit);
            return cell;
        }
    const double whole = round(seconds), minutes = round(seconds / 60);
    if (whole < 3600)
        (void)vdnn_decimal_print(cell, size, "%.0f min %02.0f s", floor(whole / 60),
                                 fmod(whole, 60));
    else
        (void)vdnn_decimal_print(cell, size, "%.0f h %02.0f min", floor(minutes / 60),
                                 fmod(minutes, 60));
    return cell;
}
