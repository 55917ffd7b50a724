#include "runtime/clock.h"

static double later(double a, double b)
{
    return a > b ? a : b;
}

double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      double *start, double *end)
{
    double free_at[VDNN_CLOCK_STREAMS] = {0};
    double last = 0;
    for (int32_t i = 0; i < count; i++) {
        const vdnn_clock_task *task = &tasks[i];
        double begin = free_at[task->stream];
        for (int32_t w = 0; w < task->wait_count; w++)
            begin = later(begin, end[waits[task->first_wait + w]]);
        start[i] = begin;
        end[i] = begin + task->seconds;
        free_at[task->stream] = end[i];
        last = later(last, end[i]);
    }
    return last;
}
