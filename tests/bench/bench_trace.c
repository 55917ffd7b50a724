/* What a timeline costs: runs of steps in one and in none take turns, in one training.
 *
 *     bench_trace MODEL BATCH PROFILE TRACE PAIRS STEPS [DEVICE]   under all, which copies the most
 *
 * Of each pair STEPS steps are traced, into one file, first the one half and then the other, so
 * that what else the machine does is in both. Prints one line of JSON: medians of the time and of
 * the processor time of a step, with and without, and the median over the pairs of their ratio and
 * of their difference. The bytes are those of a step in the file. On a simulated device a step does
 * nothing but that. */

#include "runtime/vdnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef enum figure { SECONDS, PROCESSOR, FIGURES } figure;

typedef struct pairs {
    int count, steps;
    double *of[FIGURES][2]; /* without and with, per pair */
    double *scratch;
} pairs;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(const pairs *own)
{
    qsort(own->scratch, (size_t)own->count, sizeof *own->scratch, by_value);
    return own->scratch[own->count / 2];
}

static double median_of(const pairs *own, figure which, bool traced)
{
    memcpy(own->scratch, own->of[which][traced], (size_t)own->count * sizeof *own->scratch);
    return median(own);
}

static double median_ratio(const pairs *own, figure which)
{
    for (int i = 0; i < own->count; i++)
        own->scratch[i] = own->of[which][true][i] / own->of[which][false][i];
    return median(own);
}

static double median_difference(const pairs *own, figure which)
{
    for (int i = 0; i < own->count; i++)
        own->scratch[i] = own->of[which][true][i] - own->of[which][false][i];
    return median(own);
}

/* Opening and closing the file is part of them. */
static vdnn_status make_steps(vdnn_session *session, const char *trace, int steps,
                              double found[FIGURES])
{
    const double wall = seconds_of(CLOCK_MONOTONIC), used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    vdnn_status status = trace == NULL ? VDNN_OK : vdnn_session_trace_begin(session, trace);
    for (int i = 0; i < steps && status == VDNN_OK; i++)
        status = vdnn_session_step(session, NULL);
    if (status == VDNN_OK && trace != NULL)
        status = vdnn_session_trace_end(session);
    found[SECONDS] = (seconds_of(CLOCK_MONOTONIC) - wall) / steps;
    found[PROCESSOR] = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used) / steps;
    return status;
}

static vdnn_status take_pairs(vdnn_session *session, const char *trace, pairs *own)
{
    enum { WARM_UP = 2 }; /* steps */
    double found[FIGURES];
    vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    if (status == VDNN_OK)
        status = make_steps(session, NULL, WARM_UP, found);
    for (int i = 0; i < 2 * own->count && status == VDNN_OK; i++) {
        const bool traced = (i % 2 == 1) != (i / 2 % 2 == 1);
        status = make_steps(session, traced ? trace : NULL, own->steps, found);
        for (int which = 0; which < FIGURES; which++)
            own->of[which][traced][i / 2] = found[which];
    }
    return status;
}

static bool reserve(pairs *own)
{
    bool good = true;
    for (int which = 0; which < FIGURES; which++)
        for (int traced = 0; traced < 2; traced++) {
            own->of[which][traced] = calloc((size_t)own->count, sizeof(double));
            good = good && own->of[which][traced] != NULL;
        }
    own->scratch = calloc((size_t)own->count, sizeof(double));
    return good && own->scratch != NULL;
}

static void release(pairs *own)
{
    for (int which = 0; which < FIGURES; which++)
        for (int traced = 0; traced < 2; traced++)
            free(own->of[which][traced]);
    free(own->scratch);
}

static void print(const pairs *own, const char *trace)
{
    struct stat info = {0};
    (void)stat(trace, &info);
    printf("{\"pairs\": %d, \"step_seconds\": %.6g, \"traced_seconds\": %.6g, \"ratio\": %.6g, "
           "\"processor_seconds\": %.6g, \"processor_ratio\": %.6g, "
           "\"processor_difference_seconds\": %.6g, \"trace_bytes\": %lld}\n",
           own->count, median_of(own, SECONDS, false), median_of(own, SECONDS, true),
           median_ratio(own, SECONDS), median_of(own, PROCESSOR, false),
           median_ratio(own, PROCESSOR), median_difference(own, PROCESSOR),
           (long long)info.st_size / own->steps);
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 8) {
        (void)fprintf(stderr, "bench_trace MODEL BATCH PROFILE TRACE PAIRS STEPS [DEVICE]\n");
        return 1;
    }
    pairs own = {.count = (int)strtol(argv[5], NULL, 10), .steps = (int)strtol(argv[6], NULL, 10)};
    vdnn_session_options options = {.size = sizeof options,
                                    .model = argv[1],
                                    .batch = strtoll(argv[2], NULL, 10),
                                    .profile = argc == 8 ? NULL : argv[3],
                                    .device = argc == 8 ? argv[7] : "cpu",
                                    .policy = "all",
                                    .steps = 1 << 20};
    vdnn_session *session = NULL;
    vdnn_status status = VDNN_OK;
    if (!reserve(&own))
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d pairs", own.count);
    if (status == VDNN_OK)
        status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = take_pairs(session, argv[4], &own);
    if (status == VDNN_OK)
        print(&own, argv[4]);
    else
        (void)fprintf(stderr, "bench_trace: %s\n", vdnn_status_message());
    vdnn_session_destroy(session);
    release(&own);
    return status == VDNN_OK ? 0 : 1;
}
