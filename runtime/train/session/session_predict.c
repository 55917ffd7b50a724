/* The scores of samples that the program has, with the current weights. */

#include "runtime/train/scores/scores.h"
#include "runtime/train/session/session_internal.h"

#include <string.h>

int64_t vdnn_session_score_count(const vdnn_session *session)
{
    return vdnn_training_score_count(session->setup.graph);
}

static vdnn_status check_scores(const vdnn_session *session, int64_t samples,
                                const float *probabilities, int64_t count)
{
    const vdnn_graph *graph = session->setup.graph;
    const int64_t row = vdnn_training_score_count(graph);
    const vdnn_layer *loss = vdnn_graph_loss(graph);
    if (count / row != samples || count % row != 0)
        return vdnn_status_fail(VDNN_USAGE, "%lld samples have %lld scores each, not %lld in all",
                                (long long)samples, (long long)row, (long long)count);
    if (probabilities != NULL && loss->def->target == VDNN_TARGET_NUMBERS)
        return vdnn_status_fail(
            VDNN_USAGE, "scores of %s are no logits: there are no probabilities", loss->def->type);
    return VDNN_OK;
}

vdnn_status vdnn_session_predict(vdnn_session *session, const vdnn_batch *batch, float *logits,
                                 float *probabilities, int64_t count)
{
    const vdnn_graph *graph = session->setup.graph;
    float *scores = logits != NULL ? logits : probabilities;
    vdnn_feed feed;
    VDNN_TRY(vdnn_session_check_begun(session));
    VDNN_TRY(vdnn_feed_lend(&feed, graph, batch));
    VDNN_TRY(check_scores(session, feed.batch.samples, probabilities, count));
    if (scores == NULL)
        return vdnn_status_fail(VDNN_USAGE, "neither logits nor probabilities are asked for");
    VDNN_TRY(vdnn_training_predict(&session->run, &feed.source, scores));
    if (probabilities != NULL)
        vdnn_scores_predict(vdnn_graph_target(graph), scores, count, graph->classes, probabilities);
    return VDNN_OK;
}
