#include "runtime/setup/known_digits.h"

#include "runtime/base/numbers/rounded.h"

static const double MODEL_SPREAD = 0.05, RECORDED_SPREAD = 0.01, ESTIMATE_SPREAD = 0.1;

static bool is_modelled(const vdnn_device_properties *properties)
{
    return properties->simulated && !properties->recorded;
}

int vdnn_known_digits(const vdnn_device_properties *properties)
{
    const double error = properties->accuracy.half_within;
    if (properties->recorded)
        return VDNN_ROUNDED_EXACT - 1;
    return is_modelled(properties) && error > 0 ? vdnn_rounded_digits(error)
                                                : VDNN_ROUNDED_ESTIMATE;
}

double vdnn_known_spread(const vdnn_device_properties *properties)
{
    return properties->recorded      ? RECORDED_SPREAD
           : is_modelled(properties) ? MODEL_SPREAD
                                     : ESTIMATE_SPREAD;
}
