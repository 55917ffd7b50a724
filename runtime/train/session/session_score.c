/* What an evaluation says, predictions, and samples, in the place of a training. */

#include "runtime/train/scores/prediction_file.h"
#include "runtime/train/session/session_internal.h"

static vdnn_prediction_file file_of(const vdnn_session_options *options)
{
    const vdnn_output_options *output = options->output;
    return (vdnn_prediction_file){.samples = output->predict,
                                  .path = output->predictions,
                                  .top = output->top,
                                  .overwrites = output->overwrite};
}

static vdnn_status check_samples(const vdnn_session_options *options, const vdnn_graph *graph)
{
    const vdnn_prediction_file file = file_of(options);
    vdnn_dataset *samples = NULL;
    VDNN_TRY(vdnn_prediction_file_check(&file, graph));
    vdnn_status status = vdnn_training_open_unlabelled(graph, options, file.samples, &samples);
    vdnn_dataset_close(samples);
    if (status == VDNN_FILE) /* an input that is missing is bad input */
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s", vdnn_status_message());
    return status;
}

static vdnn_status check_evaluations(const vdnn_session_options *options)
{
    const vdnn_output_options *output = options->output;
    if (output->keep_best && options->checkpoint == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--keep-best keeps a checkpoint: --checkpoint DIR says where");
    if (output->keep_best &&
        vdnn_training_test_spec(options->data, options->dataset->test_data) == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--keep-best: %s has no test part: --test-data has samples to "
                                "test by",
                                options->data);
    return VDNN_OK;
}

vdnn_status vdnn_session_check_scoring(const vdnn_session_options *options, const vdnn_graph *graph)
{
    const vdnn_output_options *output = options->output;
    if (output->predictions != NULL && output->predict == NULL)
        return vdnn_status_fail(VDNN_USAGE, "--out is for predictions: --predict says of what");
    if (output->prompt != NULL && output->generate == 0)
        return vdnn_status_fail(VDNN_USAGE, "--prompt is what sampled text follows: --generate N "
                                            "samples N tokens");
    if (!vdnn_run_options_only_score(options))
        return check_evaluations(options);
    const struct {
        const char *option;
        bool given;
    } trains[] = {{"--steps", options->steps > 0},
                  {"--epochs", options->epochs > 0},
                  {"--eval-every", options->output->eval_every > 0},
                  {"--keep-best", options->output->keep_best},
                  {"--trace", options->output->trace != NULL}};
    for (size_t i = 0; i < sizeof trains / sizeof *trains; i++)
        if (trains[i].given)
            return vdnn_status_fail(VDNN_USAGE,
                                    "%s: nothing is trained with --evaluate, --predict or "
                                    "--generate; train first, with --save FILE, then --init FILE",
                                    trains[i].option);
    if (options->dataset->feeds)
        return vdnn_status_fail(VDNN_USAGE, "a session that feeds evaluates and predicts by calls");
    if (output->generate > 0)
        VDNN_TRY(vdnn_session_check_generation(options, graph));
    return output->predict != NULL ? check_samples(options, graph) : VDNN_OK;
}

/* What it finds is of these weights. */
static void tell_weights(const vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    if (vdnn_setup_init(&session->setup, options) == NULL && session->resume.base == NULL)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                          "the weights are random: --init FILE or --resume DIR has trained ones");
}

/* The overlap of masks is counted over all samples, from their scores. */
vdnn_status vdnn_session_test(vdnn_session *session, vdnn_test_scores *found)
{
    vdnn_training_run *run = &session->run;
    vdnn_assessment own;
    if (vdnn_graph_target(session->setup.graph) != VDNN_TARGET_MASKS || run->test == NULL ||
        session->setup.properties.simulated)
        return vdnn_peers_evaluate(session->peers, run, found);
    VDNN_TRY(vdnn_assessment_make(run, run->test, &own));
    *found = vdnn_assessment_scores(&own);
    vdnn_assessment_fini(&own);
    return VDNN_OK;
}

static vdnn_status evaluate(vdnn_session *session, vdnn_text *text)
{
    vdnn_training_run *run = &session->run;
    vdnn_assessment *own = &session->assessment;
    const vdnn_dataset *dataset = run->test != NULL ? run->test : run->train;
    vdnn_assessment_fini(own);
    VDNN_TRY(vdnn_assessment_make(run, dataset, own));
    session->test = vdnn_assessment_scores(own);
    vdnn_text_add(text, "%s: ", run->test != NULL ? "test data" : "data, which has no test part");
    vdnn_assessment_write(own, session->options.ask.print->verbose, text);
    return VDNN_OK;
}

static void print(const vdnn_session *session, vdnn_text *text)
{
    if (session->options.ask.print->print_footprint && text->length > 0)
        vdnn_messages_print(&session->messages, text->data);
    vdnn_text_fini(text);
    *text = (vdnn_text){0};
}

/* Predictions that some pictures lack are printed, too. */
vdnn_status vdnn_session_score(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_text text = {0};
    vdnn_status status = VDNN_OK;
    if (options->process->rank > 0)
        return VDNN_OK;
    tell_weights(session);
    if (options->output->evaluate) {
        status = evaluate(session, &text);
        print(session, &text);
    }
    if (status == VDNN_OK && options->output->predict != NULL) {
        const vdnn_prediction_file file = file_of(options);
        status = vdnn_prediction_file_write(&file, &session->run, &text);
        print(session, &text);
    }
    if (options->output->generate > 0)
        VDNN_IF_OK(status, vdnn_session_write_generated(session));
    vdnn_training_tell_orientations(&session->run, true);
    return status;
}
