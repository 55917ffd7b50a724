/* How fast data is read, and how long steps wait for it.
 *
 *     bench_loader read SPEC SIDE           one thread: seconds an image of 3 x SIDE x SIDE
 *     bench_loader load SPEC SIDE WORKERS   the loader with WORKERS threads: batches of 64
 *     bench_loader steps MODEL SPEC STEPS   training: seconds of a step, and of waiting for data
 *
 * Prints one line of JSON. What the first step waits for cannot be read ahead and is left out. */

#include "runtime/data/dataset.h"
#include "runtime/data/loader.h"
#include "runtime/vdnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { IMAGES = 400, CLASS_LIMIT = 10, CHANNELS = 3, BATCH = 64, BATCHES = 16, SLOTS = 2 };

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* images: wants the number of classes to be right, so the one that is is looked for. */
static vdnn_status open_any(const char *spec, int64_t side, vdnn_dataset **dataset)
{
    vdnn_status status = VDNN_BAD_INPUT;
    for (int64_t classes = CLASS_LIMIT; classes > 0 && status == VDNN_BAD_INPUT; classes--) {
        vdnn_dataset_request request = {
            .spec = spec,
            .split = VDNN_SPLIT_TRAIN,
            .inputs = {{.channels = CHANNELS, .height = side, .width = side}},
            .input_count = 1,
            .classes = classes};
        status = vdnn_dataset_open(&request, dataset);
    }
    return status;
}

static vdnn_status read_images(const char *spec, int64_t side)
{
    vdnn_dataset *dataset = NULL;
    vdnn_scratch scratch = {{NULL}, {0}};
    float *image = calloc((size_t)(CHANNELS * side * side), sizeof *image);
    vdnn_status status = open_any(spec, side, &dataset);
    if (status == VDNN_OK && image == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for an image");
    double begun = 0.0;
    for (int i = -IMAGES / 10; i < IMAGES && status == VDNN_OK; i++) {
        int32_t label;
        uint64_t count = vdnn_dataset_count(dataset);
        if (i == 0)
            begun = seconds_now();
        status = vdnn_dataset_read(dataset, (uint64_t)(i + IMAGES) * 7 % count, &scratch,
                                   (void *[]){image}, &label);
    }
    double seconds = (seconds_now() - begun) / IMAGES;
    if (status == VDNN_OK)
        printf("{\"spec\": \"%s\", \"side\": %lld, \"image_seconds\": %.6g, \"images_per_second\": "
               "%.6g}\n",
               spec, (long long)side, seconds, 1.0 / seconds);
    vdnn_dataset_close(dataset);
    vdnn_scratch_fini(&scratch);
    free(image);
    return status;
}

/* ---- loading --------------------------------------------------------------------------------- */

static vdnn_status take_batches(vdnn_loader *loader, int count)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < count && status == VDNN_OK; i++) {
        vdnn_loader_batch batch;
        status = vdnn_loader_next(loader, &batch);
        if (status == VDNN_OK)
            vdnn_loader_release(loader);
    }
    return status;
}

/* Wall-clock and processor seconds: on a machine that others use too the second tell more. */
static vdnn_status time_loader(vdnn_loader *loader, const char *spec, int workers)
{
    vdnn_status status = take_batches(loader, SLOTS);
    double wall = seconds_now(), busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (status == VDNN_OK)
        status = take_batches(loader, BATCHES);
    wall = seconds_now() - wall;
    busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy;
    if (status == VDNN_OK)
        printf("{\"spec\": \"%s\", \"workers\": %d, \"images_per_second\": %.6g, "
               "\"processor_seconds_per_image\": %.6g}\n",
               spec, workers, BATCHES * BATCH / wall, busy / (BATCHES * BATCH));
    return status;
}

static vdnn_status load_images(const char *spec, int64_t side, int workers)
{
    vdnn_dataset *dataset = NULL;
    vdnn_loader *loader = NULL;
    size_t per_sample = (size_t)(CHANNELS * side * side);
    float *images = calloc(SLOTS * BATCH * per_sample, sizeof *images);
    static int32_t labels[SLOTS][BATCH];
    vdnn_loader_slot slots[SLOTS];
    for (size_t i = 0; i < SLOTS; i++)
        slots[i] = (vdnn_loader_slot){{images + i * BATCH * per_sample, labels[i]}};
    vdnn_status status = open_any(spec, side, &dataset);
    if (status == VDNN_OK && images == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for batches");
    vdnn_loader_request request = {.dataset = dataset,
                                   .batch = BATCH,
                                   .shuffle = true,
                                   .slots = slots,
                                   .slot_count = SLOTS,
                                   .worker_limit = workers,
                                   .worker_first = workers};
    if (status == VDNN_OK)
        status = vdnn_loader_create(&request, &loader);
    if (status == VDNN_OK)
        status = time_loader(loader, spec, workers);
    vdnn_loader_destroy(loader);
    vdnn_dataset_close(dataset);
    free(images);
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static vdnn_status take_steps(vdnn_session *session, int count, double *steps, double *waits)
{
    vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    for (int i = -1; i < count && status == VDNN_OK; i++) {
        vdnn_sample sample = {.size = sizeof sample};
        status = vdnn_session_step(session, &sample);
        if (status != VDNN_OK || i < 0)
            continue;
        steps[i] = sample.seconds;
        waits[i] = sample.wall_seconds - sample.seconds;
    }
    return status;
}

static vdnn_status run_steps(const char *model, const char *spec, int count)
{
    vdnn_session_options options = {
        .size = sizeof options, .model = model, .policy = "base", .steps = count + 1, .data = spec};
    double *steps = calloc((size_t)count, sizeof *steps),
           *waits = calloc((size_t)count, sizeof *waits);
    vdnn_session *session = NULL;
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK && (steps == NULL || waits == NULL))
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d steps", count);
    if (status == VDNN_OK)
        status = take_steps(session, count, steps, waits);
    if (status == VDNN_OK) {
        qsort(steps, (size_t)count, sizeof *steps, by_value);
        qsort(waits, (size_t)count, sizeof *waits, by_value);
        printf("{\"model\": \"%s\", \"spec\": \"%s\", \"steps\": %d, \"step_seconds\": %.6g, "
               "\"wait_seconds\": %.6g, \"longest_wait_seconds\": %.6g}\n",
               model, spec, count, steps[count / 2], waits[count / 2], waits[count - 1]);
    }
    vdnn_session_destroy(session);
    free(steps);
    free(waits);
    return status;
}

int main(int argc, char **argv)
{
    vdnn_status status = VDNN_USAGE;
    if (argc == 4 && strcmp(argv[1], "read") == 0)
        status = read_images(argv[2], strtoll(argv[3], NULL, 10));
    else if (argc == 5 && strcmp(argv[1], "load") == 0)
        status = load_images(argv[2], strtoll(argv[3], NULL, 10), (int)strtol(argv[4], NULL, 10));
    else if (argc == 5 && strcmp(argv[1], "steps") == 0)
        status = run_steps(argv[2], argv[3], (int)strtol(argv[4], NULL, 10));
    else
        (void)fprintf(stderr, "bench_loader read SPEC SIDE | load SPEC SIDE WORKERS | "
                              "steps MODEL SPEC STEPS\n");
    if (status != VDNN_OK && status != VDNN_USAGE)
        (void)fprintf(stderr, "bench_loader: %s\n", vdnn_status_message());
    return status == VDNN_OK ? 0 : 1;
}
