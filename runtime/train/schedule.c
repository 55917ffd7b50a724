#include "runtime/train/schedule.h"

#include <math.h>

/* By kind: the share of the base learning rate. `warm`: steps of the warm-up. */
typedef double share_function(const vdnn_rate_schedule *schedule, const vdnn_schedule_place *place,
                              double warm);

static double constant_share(const vdnn_rate_schedule *schedule, const vdnn_schedule_place *place,
                             double warm)
{
    (void)schedule, (void)place, (void)warm;
    return 1.0;
}

static double step_share(const vdnn_rate_schedule *schedule, const vdnn_schedule_place *place,
                         double warm)
{
    (void)warm;
    double epochs = (double)place->step / (double)place->epoch_steps, drops = 0.0;
    if (schedule->every > 0.0)
        drops = floor(epochs / schedule->every);
    for (int32_t i = 0; i < schedule->at.count; i++)
        drops += epochs >= schedule->at.values[i] ? 1.0 : 0.0;
    return pow(schedule->factor, drops);
}

/* Half a cosine over the steps after the warm-up: Loshchilov, Hutter: "SGDR", 2017, without
 * restarts.
 */
static double cosine_share(const vdnn_rate_schedule *schedule, const vdnn_schedule_place *place,
                           double warm)
{
    double whole = (double)place->step_count - warm, done = (double)place->step - warm;
    double share = whole > 0.0 ? fmin(done / whole, 1.0) : 1.0;
    double wave = (1.0 + cos(acos(-1.0) * share)) / 2.0;
    return schedule->floor + (1.0 - schedule->floor) * wave;
}

static share_function *const shares[] = {
    [VDNN_RATE_CONSTANT] = constant_share,
    [VDNN_RATE_STEP] = step_share,
    [VDNN_RATE_COSINE] = cosine_share,
};

double vdnn_schedule_rate(const vdnn_training *training, double base,
                          const vdnn_schedule_place *place)
{
    double warm = round(training->warmup * (double)place->epoch_steps);
    if ((double)place->step < warm)
        return base * ((double)place->step + 1.0) / warm;
    return base * shares[training->schedule.kind](&training->schedule, place, warm);
}
