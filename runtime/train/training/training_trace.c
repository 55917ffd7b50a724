/* The timeline of some of a training's steps. */

#include "runtime/train/training/training_internal.h"

/* Of a run that has nothing left to do the trace is empty. */
static vdnn_status check_trace_steps(const vdnn_training_run *run, vdnn_step_range steps)
{
    const bool is_done = run->step >= run->step_count;
    if (is_done || (steps.first < run->step_count && steps.end > run->step))
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_USAGE,
        "--trace-steps: this run makes the steps %lld to %lld, of which none is "
        "from %lld to %lld",
        (long long)run->step + 1, (long long)run->step_count, (long long)steps.first + 1,
        (long long)steps.end);
}

vdnn_status vdnn_training_trace_begin(vdnn_training_run *run, const char *path,
                                      vdnn_step_range steps)
{
    vdnn_timeline_writer *writer = NULL;
    vdnn_status status = check_trace_steps(run, steps);
    if (status == VDNN_OK && path != NULL)
        status = vdnn_timeline_writer_create(path, &writer);
    if (status != VDNN_OK)
        return status;
    if (writer != NULL)
        vdnn_timeline_writer_limit(writer, run->request.setup->budget_bytes);
    vdnn_timeline_writer_abandon(run->trace);
    run->trace = writer;
    vdnn_training_trace_steps(run, steps);
    return VDNN_OK;
}

vdnn_status vdnn_training_trace_end(vdnn_training_run *run)
{
    vdnn_timeline_writer *writer = run->trace;
    run->trace = NULL;
    vdnn_training_trace_steps(run, (vdnn_step_range){0});
    return writer == NULL ? VDNN_OK : vdnn_timeline_writer_close(writer);
}

bool vdnn_training_is_traced(const vdnn_training_run *run, int64_t step)
{
    return step >= run->trace_steps.first && step < run->trace_steps.end;
}

void vdnn_training_trace_steps(vdnn_training_run *run, vdnn_step_range steps)
{
    run->trace_steps = steps;
    if (run->loader != NULL)
        vdnn_loader_record(run->loader, steps.first < steps.end);
}

vdnn_status vdnn_training_trace_reads(vdnn_training_run *run, vdnn_timeline_writer *trace)
{
    enum { SOME = 64 };
    vdnn_loader_read reads[SOME];
    const double begin = vdnn_executor_first_begin(run->executor);
    vdnn_status status = VDNN_OK;
    int count = run->loader == NULL ? 0 : SOME;
    while (status == VDNN_OK && count == SOME) {
        count = vdnn_loader_take_reads(run->loader, reads, SOME);
        for (int i = 0; status == VDNN_OK && i < count; i++) {
            const vdnn_host_span span = {.start = reads[i].start - begin,
                                         .end = reads[i].end - begin,
                                         .number = (int64_t)reads[i].batch + 1,
                                         .bytes = reads[i].bytes};
            status =
                vdnn_timeline_writer_add_read(trace, run->request.device, reads[i].worker, &span);
        }
    }
    return status;
}

void vdnn_training_trace_checkpoint(const vdnn_training_run *run, double start, double end)
{
    const double begin = vdnn_executor_first_begin(run->executor);
    if (run->trace == NULL || !vdnn_training_is_traced(run, run->step - 1))
        return;
    vdnn_timeline_writer_add_checkpoint(
        run->trace,
        &(vdnn_host_span){.start = start - begin, .end = end - begin, .number = run->step});
}

vdnn_status vdnn_training_trace_step(vdnn_training_run *run)
{
    vdnn_status status = vdnn_training_trace_reads(run, run->trace);
    return status == VDNN_OK ? vdnn_timeline_writer_add(
                                   run->trace, 0, vdnn_executor_timeline(run->executor), run->step)
                             : status;
}
