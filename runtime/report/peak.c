#include "runtime/report/peak.h"

#include <math.h>
#include <string.h>

/* The figures of a device model by which products of a type are computed, the best first. */
static const char *const keys[][3] = {
    [VDNN_F32] = {"f32_flops_per_second"},
    [VDNN_TF32] = {"tf32_flops_per_second", "f32_flops_per_second"},
    [VDNN_BF16] = {"bf16_flops_per_second", "f32_flops_per_second"},
    [VDNN_F16] = {"f16_flops_per_second", "bf16_flops_per_second", "f32_flops_per_second"},
};

static const vdnn_figure *find_figure(const vdnn_device_properties *properties, const char *key)
{
    for (int i = 0; i < properties->figure_count; i++) {
        const vdnn_figure *figure = &properties->figures[i];
        if (figure->key != NULL && strcmp(figure->key, key) == 0 && figure->value > 0)
            return figure;
    }
    return NULL;
}

static const vdnn_figure *modelled(const vdnn_setup *setup)
{
    const char *const *own = keys[setup->graph->dtype];
    const vdnn_figure *figure = NULL;
    for (int i = 0; i < 3 && own[i] != NULL && figure == NULL; i++)
        figure = find_figure(&setup->properties, own[i]);
    return figure;
}

vdnn_work vdnn_peak_work(const vdnn_setup *setup, const vdnn_algorithm *algorithm,
                         const vdnn_layer *layer, vdnn_pass pass)
{
    return setup->properties.recorded ? (vdnn_work){-1, -1}
                                      : vdnn_algorithm_work(algorithm, layer, pass);
}

static double highest(const vdnn_setup *setup)
{
    double most = 0;
    for (int32_t l = 0; l < setup->graph->layer_count; l++) {
        const vdnn_layer_profile *own = &setup->profile->layers[l];
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < own->choice_count[p]; i++) {
                const vdnn_choice *choice = &own->choices[p][i];
                const vdnn_work work = vdnn_peak_work(setup, choice->algorithm,
                                                      &setup->graph->layers[l], (vdnn_pass)p);
                if (choice->seconds > 0)
                    most = fmax(most, work.operations / choice->seconds);
            }
    }
    return most;
}

void vdnn_peak_of(const vdnn_setup *setup, vdnn_peak *peak)
{
    const vdnn_figure *figure = modelled(setup);
    if (figure != NULL)
        *peak = (vdnn_peak){figure->value, "device model", vdnn_basis_words(figure->basis)};
    else
        *peak = (vdnn_peak){highest(setup), "profile", NULL};
}

double vdnn_peak_share(const vdnn_peak *peak, double rate)
{
    return rate >= 0 && peak->operations_per_second > 0 ? rate / peak->operations_per_second : -1;
}

void vdnn_peak_describe(const vdnn_peak *peak, vdnn_text *text)
{
    const double rate = 1e-9 * peak->operations_per_second;
    if (peak->basis != NULL)
        vdnn_text_add(text, "the peak of the device model, %.6g GFLOP/s, %s", rate, peak->basis);
    else
        vdnn_text_add(text,
                      "the highest rate that an algorithm of this profile reached, %.6g GFLOP/s; "
                      "the device's own peak is not known",
                      rate);
}
