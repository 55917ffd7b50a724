#include "runtime/train/session.h"

#include "alloc/heap.h"
#include "runtime/outside.h"
#include "runtime/train/fit.h"
#include "runtime/train/record.h"
#include "runtime/train/training.h"
#include "runtime/train/weights.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What is wrong with files is said before the profile is measured. */
static vdnn_status check_folder(const char *path)
{
    if (path == NULL)
        return VDNN_OK;
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash != NULL && (size_t)(slash - path) + 2 < sizeof folder) {
        memcpy(folder, path, (size_t)(slash - path) + 1);
        folder[slash - path + 1] = '\0';
    }
    if (vdnn_outside_access(folder, W_OK | X_OK) != 0)
        return vdnn_status_fail(VDNN_FILE, "%s cannot be written: %s: %s", path, folder,
                                strerror(errno));
    return VDNN_OK;
}

static vdnn_status check_data(const vdnn_session_options *options, const vdnn_graph *graph)
{
    const char *test = vdnn_training_test_spec(options->data, options->test_data);
    vdnn_dataset *dataset = NULL;
    vdnn_status status = vdnn_training_open_data(graph, options->data, VDNN_SPLIT_TRAIN, &dataset);
    if (status != VDNN_OK)
        return status;
    vdnn_dataset_close(dataset);
    if (test == NULL)
        return VDNN_OK;
    dataset = NULL;
    status = vdnn_training_open_data(graph, test, VDNN_SPLIT_TEST, &dataset);
    if (status == VDNN_OK)
        vdnn_dataset_close(dataset);
    return status;
}

/* What a run reads and cannot open is bad input, like a network that is not there. */
static vdnn_status as_input(vdnn_status status)
{
    if (status != VDNN_FILE)
        return status;
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s", vdnn_status_message());
}

static vdnn_status check_inputs(const vdnn_session_options *options, const vdnn_graph *graph)
{
    vdnn_status status = check_folder(options->save);
    if (status == VDNN_OK)
        status = check_folder(options->trace);
    if (status == VDNN_OK)
        status = check_folder(options->setup.profile);
    if (options->dry_run)
        return status;
    if (status == VDNN_OK && options->init != NULL)
        status = as_input(vdnn_weights_check(graph, options->init));
    if (status == VDNN_OK)
        status = as_input(check_data(options, graph));
    return status;
}

static void begin_record(const vdnn_session_options *options, const vdnn_setup *setup,
                         const vdnn_plan *plan, vdnn_record *record)
{
    *record = (vdnn_record){.setup = setup,
                            .plan = plan,
                            .version = options->version,
                            .policy = options->policy,
                            .algo = options->algo == VDNN_ALGO_M ? "m" : "p",
                            .seed = options->seed,
                            .test_accuracy = -1.0};
}

static vdnn_status print_plan(const vdnn_session_options *options, const vdnn_messages *messages,
                              const vdnn_record *record)
{
    vdnn_text text = {0};
    vdnn_status status = VDNN_OK;
    if (options->print_plan)
        status = vdnn_plan_print(record->plan, &text);
    else if (options->dry_run && options->print_footprint)
        status = vdnn_record_footprint(record, &text);
    if (status == VDNN_OK && text.length > 0)
        vdnn_messages_print(messages, text.data);
    vdnn_text_fini(&text);
    return status;
}

static vdnn_status take_losses(const vdnn_training_run *run, double **losses)
{
    double *values = vdnn_heap_calloc(run->sample_count, sizeof *values);
    if (values == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu steps",
                                run->sample_count);
    for (size_t i = 0; i < run->sample_count; i++)
        values[i] = run->samples[i].loss;
    *losses = values;
    return VDNN_OK;
}

static void sum_up(const vdnn_record *record, const vdnn_messages *messages)
{
    const vdnn_measured *measured = record->measured;
    vdnn_messages_log(messages, VDNN_LOG_INFO,
                      "a step took %.4g s (estimated %.4g s), of which the device waited %.4g s; "
                      "%.4g s of copies were not hidden",
                      measured->step_seconds, record->plan->step_seconds, measured->stall_seconds,
                      measured->exposed_copy_seconds);
    vdnn_text text = {0};
    double loss = record->loss_count > 0 ? record->losses[record->loss_count - 1] : 0.0;
    vdnn_text_add(&text, "%s: %zu steps, loss %.6g, %.5g images/s", record->setup->graph->name,
                  record->loss_count, loss, measured->images_per_second);
    if (record->test_accuracy >= 0.0)
        vdnn_text_add(&text, ", test accuracy %.4f", record->test_accuracy);
    vdnn_text_add(&text, "\n");
    if (!text.failed)
        vdnn_messages_print(messages, text.data);
    vdnn_text_fini(&text);
}

static vdnn_status train(const vdnn_session_options *options, const vdnn_messages *messages,
                         const vdnn_fit_plans *plans, const vdnn_record *planned, vdnn_text *json)
{
    vdnn_training_request request = {options, messages, planned->setup, plans};
    vdnn_training_run run = {0};
    vdnn_record record = *planned;
    double *losses = NULL;
    vdnn_status status = vdnn_training_begin(&request, &run);
    if (status != VDNN_OK)
        return status;
    record.verdict.host_locked_bytes = vdnn_device_locked_bytes(record.setup->device);
    record.host_staging_bytes = run.staging_bytes;
    record.measured = &run.measured;
    status = vdnn_training_loop(&run);
    if (status == VDNN_OK)
        status = vdnn_training_test(&run, &record.test_accuracy);
    if (status == VDNN_OK && options->save != NULL)
        status = vdnn_weights_save(plans->training, record.setup->device, VDNN_WEIGHTS_VALUES,
                                   options->save, NULL);
    if (status == VDNN_OK)
        status = take_losses(&run, &losses);
    if (status == VDNN_OK) {
        record.losses = losses;
        record.loss_count = run.sample_count;
        if (options->print_footprint)
            sum_up(&record, messages);
        status = vdnn_record_json(&record, json);
    }
    vdnn_heap_free(losses);
    vdnn_training_end(&run);
    return status;
}

/* The JSON and the footprint are there also of what does not fit; its message is kept. */
static vdnn_status refuse(const vdnn_session_options *options, const vdnn_messages *messages,
                          const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                          vdnn_record *record, vdnn_text *json)
{
    vdnn_fit_advice advice = {0};
    vdnn_status status = vdnn_fit_explain(request, plans, &advice);
    if (status != VDNN_NO_FIT)
        return status;
    record->verdict.smallest_bytes = advice.smallest_bytes;
    vdnn_text message = {0};
    vdnn_text_add(&message, "%s", vdnn_status_message());
    status = print_plan(options, messages, record);
    if (status == VDNN_OK)
        status = vdnn_record_json(record, json);
    if (status == VDNN_OK)
        status = vdnn_status_fail(VDNN_NO_FIT, "%s",
                                  message.failed ? "it does not fit the budget" : message.data);
    vdnn_text_fini(&message);
    return status;
}

static vdnn_status plan_and_train(const vdnn_session_options *options,
                                  const vdnn_messages *messages, const vdnn_setup *setup,
                                  vdnn_text *json)
{
    vdnn_fit_plans plans = {0};
    vdnn_record record;
    vdnn_fit_request request = {
        .setup = setup,
        .policy = vdnn_policy_find(options->policy),
        .algo = options->algo,
        .tests = vdnn_training_test_spec(options->data, options->test_data) != NULL};
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    begin_record(options, setup, plans.training, &record);
    if (status == VDNN_NO_FIT) {
        status = refuse(options, messages, &request, &plans, &record, json);
        vdnn_fit_plans_fini(&plans);
        return status;
    }
    record.verdict.fits = true;
    status = VDNN_OK;
    if (options->dry_run || request.policy->is_static)
        status = vdnn_fit_smallest(&request, &plans, &record.verdict.smallest_bytes);
    if (status == VDNN_OK)
        status = print_plan(options, messages, &record);
    if (status == VDNN_OK)
        status = options->dry_run ? vdnn_record_json(&record, json)
                                  : train(options, messages, &plans, &record, json);
    vdnn_fit_plans_fini(&plans);
    return status;
}

vdnn_status vdnn_session_run(const vdnn_session_options *options, const vdnn_messages *messages,
                             vdnn_text *json)
{
    vdnn_setup setup = {0};
    vdnn_status status = vdnn_setup_begin(&options->setup, messages, &setup);
    if (status != VDNN_OK)
        return status;
    status = check_inputs(options, setup.graph);
    if (status == VDNN_OK)
        status = vdnn_messages_interrupted(messages);
    if (status == VDNN_OK)
        status = vdnn_setup_measure(&options->setup, messages, &setup);
    if (status == VDNN_OK)
        status = vdnn_messages_interrupted(messages);
    if (status == VDNN_OK)
        status = plan_and_train(options, messages, &setup, json);
    vdnn_setup_end(&setup);
    return status;
}
