#include "runtime/train/replan/step_times.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/timing.h"

#include <math.h>
#include <stdlib.h>

/* After those of passes. */
typedef enum other_ratio { ELEMENTWISE, OUT, IN, SPILL, FILL, OTHERS } other_ratio;

/* A step that was planned in no time says nothing, and no profile is that far off. */
static const double least_seconds = 1e-9, most_ratio = 1e6;

static size_t pass_count(const vdnn_plan *plan)
{
    return (size_t)plan->graph->layer_count * VDNN_PASS_COUNT;
}

size_t vdnn_step_times_ratio_count(const vdnn_plan *plan)
{
    return pass_count(plan) + OTHERS;
}

/* ---- times ----------------------------------------------------------------------------------- */

vdnn_status vdnn_step_times_init(const vdnn_plan *plan, vdnn_step_times *times)
{
    *times = (vdnn_step_times){.plan = plan};
    times->spans =
        vdnn_heap_calloc(VDNN_STEP_TIMES_WINDOW * (size_t)plan->step_count, sizeof *times->spans);
    return times->spans != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %d steps",
                                  (int)plan->step_count);
}

void vdnn_step_times_fini(vdnn_step_times *times)
{
    vdnn_heap_free(times->spans);
    *times = (vdnn_step_times){.plan = NULL};
}

void vdnn_step_times_add(vdnn_step_times *times, const vdnn_timeline *timeline, double seconds)
{
    const int64_t row = times->count % VDNN_STEP_TIMES_WINDOW;
    for (int32_t s = 0; s < times->plan->step_count; s++)
        times->spans[row * times->plan->step_count + s] =
            (float)(timeline->spans[s].end - timeline->spans[s].start);
    times->seconds[row] = seconds;
    times->count++;
}

bool vdnn_step_times_are_enough(const vdnn_step_times *times)
{
    return times->count >= VDNN_STEP_TIMES_WINDOW;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts them. */
static double middle(double values[VDNN_STEP_TIMES_WINDOW])
{
    qsort(values, VDNN_STEP_TIMES_WINDOW, sizeof *values, by_value);
    return values[VDNN_STEP_TIMES_WINDOW / 2];
}

double vdnn_step_times_median(const vdnn_step_times *times)
{
    double values[VDNN_STEP_TIMES_WINDOW];
    for (int i = 0; i < VDNN_STEP_TIMES_WINDOW; i++)
        values[i] = times->seconds[i];
    return middle(values);
}

static double median_span(const vdnn_step_times *times, int32_t step)
{
    double values[VDNN_STEP_TIMES_WINDOW];
    for (int i = 0; i < VDNN_STEP_TIMES_WINDOW; i++)
        values[i] = (double)times->spans[(int64_t)i * times->plan->step_count + step];
    return middle(values);
}

/* ---- ratios ---------------------------------------------------------------------------------- */

/* Which ratio a step is counted in; -1: none. What a recompute takes follows from its forward; a
 * load may have waited for the batch. */
static int64_t ratio_of(const vdnn_plan *plan, const vdnn_step *step)
{
    static const struct {
        vdnn_step_kind kind;
        other_ratio ratio;
    } rows[] = {{VDNN_STEP_ACCUMULATE, ELEMENTWISE},
                {VDNN_STEP_AVERAGE, ELEMENTWISE},
                {VDNN_STEP_UPDATE, ELEMENTWISE},
                {VDNN_STEP_COPY_OUT, OUT},
                {VDNN_STEP_COPY_IN, IN},
                {VDNN_STEP_SPILL, SPILL},
                {VDNN_STEP_FILL, FILL}};
    if (step->kind == VDNN_STEP_RUN)
        return (int64_t)step->layer * VDNN_PASS_COUNT + step->pass;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == step->kind)
            return (int64_t)pass_count(plan) + rows[i].ratio;
    return -1;
}

static void scale_rates(const vdnn_plan *plan, const double *ratios, vdnn_profile *profile)
{
    const double *others = ratios + pass_count(plan);
    profile->elementwise_bytes_per_second /= others[ELEMENTWISE];
    profile->copy_out_bytes_per_second /= others[OUT];
    profile->copy_out_beside_bytes_per_second /= others[OUT];
    profile->copy_in_bytes_per_second /= others[IN];
    profile->copy_in_beside_bytes_per_second /= others[IN];
    profile->copy_both_bytes_per_second /= fmax(others[OUT], others[IN]);
    profile->spill_bytes_per_second /= others[SPILL];
    profile->fill_bytes_per_second /= others[FILL];
}

/* What the plan takes by these ratios. `scratch`: two values for each of its steps. */
static vdnn_status time_scaled(const vdnn_plan *plan, const vdnn_profile *profile,
                               const double *ratios, double *scratch, double *seconds)
{
    vdnn_plan scaled = *plan;
    vdnn_profile rates = *profile;
    vdnn_step *steps = vdnn_heap_calloc((size_t)plan->step_count, sizeof *steps);
    if (steps == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %d steps",
                                (int)plan->step_count);
    scaled.steps = steps;
    for (int32_t s = 0; s < plan->step_count; s++) {
        int64_t ratio = ratio_of(plan, &plan->steps[s]);
        steps[s] = plan->steps[s];
        steps[s].seconds *= ratio < 0 ? 1 : ratios[ratio];
    }
    scale_rates(plan, ratios, &rates);
    vdnn_status status = vdnn_timing_run(&scaled, &rates, scratch, scratch + plan->step_count);
    *seconds = least_seconds;
    for (int32_t s = 0; status == VDNN_OK && s < plan->step_count; s++)
        *seconds = fmax(*seconds, scratch[plan->step_count + s]);
    vdnn_heap_free(steps);
    return status;
}

/* What no step of the plan explains is in all of them. */
vdnn_status vdnn_step_times_ratios(const vdnn_step_times *times, const vdnn_profile *profile,
                                   double *ratios)
{
    const vdnn_plan *plan = times->plan;
    const size_t steps = (size_t)plan->step_count, count = vdnn_step_times_ratio_count(plan);
    double explained = least_seconds;
    double *planned = vdnn_heap_calloc(2 * steps + count, sizeof *planned);
    if (planned == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu steps", steps);
    double *start = planned + count, *end = start + steps;
    vdnn_status status = vdnn_timing_run(plan, profile, start, end);
    for (size_t i = 0; i < count; i++)
        ratios[i] = 0;
    for (int32_t s = 0; status == VDNN_OK && s < plan->step_count; s++) {
        int64_t ratio = ratio_of(plan, &plan->steps[s]);
        if (ratio < 0)
            continue;
        ratios[ratio] += median_span(times, s);
        planned[ratio] += end[s] - start[s];
    }
    for (size_t i = 0; status == VDNN_OK && i < count; i++)
        ratios[i] = planned[i] < least_seconds
                        ? 1
                        : fmin(fmax(ratios[i] / planned[i], 1 / most_ratio), most_ratio);
    VDNN_IF_OK(status, time_scaled(plan, profile, ratios, start, &explained));
    for (size_t i = 0; i < count; i++)
        ratios[i] *= vdnn_step_times_median(times) / explained;
    vdnn_heap_free(planned);
    return status;
}

/* ---- a profile ------------------------------------------------------------------------------- */

static vdnn_status pin_pass(const vdnn_step *step, vdnn_profile *profile)
{
    const bool is_one = profile->layers[step->layer].choice_count[step->pass] == 1;
    return is_one ? VDNN_OK
                  : vdnn_profile_pin(profile, step->layer, step->pass, step->algorithm->name);
}

static void scale_passes(const double *ratios, vdnn_profile *profile)
{
    for (int32_t l = 0; l < profile->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < profile->layers[l].choice_count[p]; i++) {
                vdnn_choice *choice = &profile->layers[l].choices[p][i];
                choice->seconds *= ratios[l * VDNN_PASS_COUNT + p];
                choice->lesser_seconds *= ratios[l * VDNN_PASS_COUNT + p];
            }
}

vdnn_status vdnn_step_times_apply(const double *ratios, const vdnn_plan *plan,
                                  vdnn_profile *profile)
{
    vdnn_status status = VDNN_OK;
    for (int32_t s = 0; status == VDNN_OK && s < plan->step_count; s++)
        if (plan->steps[s].kind == VDNN_STEP_RUN)
            status = pin_pass(&plan->steps[s], profile);
    if (status != VDNN_OK)
        return status;
    scale_passes(ratios, profile);
    scale_rates(plan, ratios, profile);
    return VDNN_OK;
}
