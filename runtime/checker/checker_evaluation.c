/* Two plans in one arena: an evaluation between steps of a training. */

#include "runtime/checker/checker.h"
#include "runtime/checker/checker_internal.h"

static bool is_same_place(const vdnn_buffer *a, const vdnn_buffer *b)
{
    return a->tier == b->tier && a->offset == b->offset && a->bytes == b->bytes;
}

static bool share_bytes(const vdnn_buffer *a, const vdnn_buffer *b)
{
    return a->tier == b->tier && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

static vdnn_status check_params(const vdnn_checker *checker, const vdnn_plan *training, int32_t l)
{
    const vdnn_plan *evaluation = checker->plan;
    const int32_t kept = training->param_buffer[l], read = evaluation->param_buffer[l];
    if ((kept < 0) != (read < 0) ||
        (kept >= 0 && !is_same_place(&training->buffers[kept], &evaluation->buffers[read])))
        return vdnn_checker_refuse(checker, -1, -1, read,
                                   "the training keeps the parameters of layer %s elsewhere",
                                   evaluation->graph->layers[l].name);
    return VDNN_OK;
}

/* Buffers that the training keeps are the same in the evaluation, or not in it. */
static vdnn_status check_kept(const vdnn_checker *checker, const vdnn_buffer *kept)
{
    const vdnn_plan *evaluation = checker->plan;
    for (int32_t b = 0; b < evaluation->buffer_count; b++) {
        const vdnn_buffer *own = &evaluation->buffers[b];
        if (share_bytes(own, kept) && !(own->persistent && own->class == kept->class))
            return vdnn_checker_refuse(checker, -1, -1, b,
                                       "an evaluation uses bytes of what the training keeps (%s)",
                                       kept->label);
    }
    return VDNN_OK;
}

vdnn_status vdnn_checker_check_evaluation(const vdnn_plan *training, const vdnn_plan *evaluation)
{
    const vdnn_checker checker = {.plan = evaluation};
    vdnn_status status = VDNN_OK;
    if (evaluation->training || training->graph != evaluation->graph)
        return vdnn_checker_refuse(&checker, -1, -1, -1, "this is no evaluation of the network");
    if (evaluation->copies != training->copies)
        return vdnn_checker_refuse(
            &checker, -1, -1, -1, "training and evaluation do not keep the same copies of weights");
    for (int32_t l = 0; l < training->graph->layer_count && status == VDNN_OK; l++)
        status = check_params(&checker, training, l);
    for (int32_t b = 0; b < training->buffer_count && status == VDNN_OK; b++)
        if (vdnn_plan_is_kept(&training->buffers[b]))
            status = check_kept(&checker, &training->buffers[b]);
    return status;
}
