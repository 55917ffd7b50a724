#include "runtime/measure/settle.h"

#include <math.h>

static int32_t fastest_of(const vdnn_rival *rivals, int32_t count)
{
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
        best = rivals[i].seconds < rivals[best].seconds ? i : best;
    return best;
}

/* Whether another may be as fast: a first time that is far the least was not chosen for its error.
 */
static bool is_contested(const vdnn_rival *rivals, int32_t count, int32_t best)
{
    for (int32_t i = 0; i < count; i++)
        if (i != best && rivals[i].seconds < VDNN_SETTLE_CLOSE * rivals[best].seconds)
            return true;
    return false;
}

static void raise_others(vdnn_rival *rivals, int32_t count, int32_t best)
{
    double least = nextafter(rivals[best].seconds, HUGE_VAL);
    for (int32_t i = 0; i < count; i++)
        if (i != best && !rivals[i].is_settled)
            rivals[i].seconds = fmax(rivals[i].seconds, least);
}

vdnn_status vdnn_settle(vdnn_rival *rivals, int32_t count, vdnn_settle_stage stage,
                        vdnn_settle_again again, void *argument)
{
    bool is_done = count < 2;
    while (!is_done) {
        int32_t i = fastest_of(rivals, count);
        vdnn_rival *best = &rivals[i];
        if (best->is_settled || isinf(best->seconds))
            break;
        bool is_chosen = best->repeats > 0 || !is_contested(rivals, count, i);
        if (is_chosen && stage == VDNN_SETTLE_CHOICE)
            break;
        VDNN_TRY(again(argument, i, &best->seconds));
        best->repeats++;
        is_done = is_chosen && isfinite(best->seconds) &&
                  (best->repeats > 1 || !is_contested(rivals, count, i));
        if (is_done)
            raise_others(rivals, count, i);
    }
    return VDNN_OK;
}
