/* How fast ranks sum, over each transport, beside what memory allows.
 *
 *     bench_sums [RANKS]      2 ranks without it; threads in process, else processes
 *
 * A line for each size: the time of a sum, and the bytes of a rank's values that it sums in a
 * second (nccl-tests' "algorithm bandwidth"). Each sum is checked. The last lines are memcpy of one
 * thread. */

#include "runtime/comm/group.h"
#include "runtime/comm/sockets.h"
#include "runtime/comm/world.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 16, REPEATS = 5 };

static const size_t counts[] = {1, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 24};
static const double seconds_of_a_size = 0.15;

typedef struct bench {
    const char *name;
    const vdnn_transport *transport;
    bool sockets_only;
} bench;

static const bench benches[] = {{"in process", &vdnn_transport_in_process, false},
                                {"shared memory", &vdnn_transport_tcp, false},
                                {"sockets", &vdnn_transport_tcp, true}};

static vdnn_status sum_some(vdnn_group *end, float *values, size_t count, int64_t times)
{
    const int32_t ranks = vdnn_group_ranks(end);
    vdnn_status status = VDNN_OK;
    for (int64_t t = 0; t < times && status == VDNN_OK; t++)
        status = vdnn_group_sum(end, values, count);
    float due = 1.0F; /* each sum of equal values multiplies them */
    for (int64_t t = 0; t < times; t++)
        due *= (float)ranks;
    for (size_t i = 0; i < count && status == VDNN_OK; i += count / 7 + 1)
        if (values[i] != due)
            status = vdnn_status_fail(VDNN_MISMATCH, "value %zu is %g", i, (double)values[i]);
    return status;
}

typedef struct times {
    double seconds, processor_seconds; /* of a sum; the least */
} times;

static double processor_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* As many sums as rank 0 finds time for; at most what a float can hold the product of. */
static vdnn_status time_sums(vdnn_group *end, float *values, size_t count, times *best)
{
    enum { MOST_TIMES = 16 };
    vdnn_status status = VDNN_OK;
    double is_more = 1;
    *best = (times){HUGE_VAL, HUGE_VAL};
    for (double left = seconds_of_a_size; status == VDNN_OK && is_more > 0;) {
        for (size_t i = 0; i < count; i++)
            values[i] = 1.0F;
        const double begun = vdnn_socket_now(), processor_begun = processor_now();
        status = sum_some(end, values, count, MOST_TIMES);
        const double took = vdnn_socket_now() - begun;
        best->seconds = lesser(best->seconds, took / MOST_TIMES);
        best->processor_seconds =
            lesser(best->processor_seconds, (processor_now() - processor_begun) / MOST_TIMES);
        left -= took;
        is_more = vdnn_group_rank(end) == 0 && left > 0 ? 1 : 0;
        if (status == VDNN_OK)
            status = vdnn_group_total(end, &is_more);
    }
    return status;
}

static void print_line(const char *name, size_t count, times best)
{
    printf("%-14s %10zu values %12.1f us %8.2f GB/s %12.1f us of a processor\n", name, count,
           1e6 * best.seconds, 4e-9 * (double)count / best.seconds, 1e6 * best.processor_seconds);
}

static vdnn_status measure(vdnn_group *end, const char *name)
{
    const size_t most = counts[sizeof counts / sizeof *counts - 1];
    float *values = calloc(most, sizeof *values);
    vdnn_status status = VDNN_OK;
    for (size_t c = 0; c < sizeof counts / sizeof *counts && status == VDNN_OK; c++) {
        times best;
        status = time_sums(end, values, counts[c], &best);
        if (status == VDNN_OK && vdnn_group_rank(end) == 0)
            print_line(name, counts[c], best);
    }
    free(values);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "bench_sums: %s\n", vdnn_status_message());
    return status;
}

typedef struct member {
    const bench *what;
    vdnn_group *end;
    vdnn_status status;
    pthread_t thread;
} member;

static void *run_member(void *argument)
{
    member *own = argument;
    own->status = measure(own->end, own->what->name);
    return NULL;
}

static bool run_threads(const bench *what, int32_t ranks)
{
    vdnn_group *ends[MOST_RANKS];
    member members[MOST_RANKS];
    bool good = vdnn_group_open(what->transport, ranks, ends) == VDNN_OK;
    for (int32_t r = 0; r < ranks && good; r++) {
        members[r] = (member){.what = what, .end = ends[r]};
        if (pthread_create(&members[r].thread, NULL, run_member, &members[r]) != 0)
            abort();
    }
    for (int32_t r = 0; r < ranks && good; r++) {
        (void)pthread_join(members[r].thread, NULL);
        vdnn_group_close(ends[r]);
        good &= members[r].status == VDNN_OK;
    }
    return good;
}

static int run_rank(const bench *what, const vdnn_world *world)
{
    vdnn_group *end = NULL;
    vdnn_status status = vdnn_group_join(what->transport, world, &end);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "bench_sums: %s\n", vdnn_status_message());
    else
        status = measure(end, what->name);
    vdnn_group_close(end);
    return vdnn_status_exit_code(status);
}

static bool run_processes(const bench *what, int32_t ranks)
{
    char address[32];
    int port, status;
    vdnn_listeners listeners;
    if (vdnn_socket_listen("127.0.0.1:0", &listeners, &port) != VDNN_OK)
        return false;
    (void)snprintf(address, sizeof address, "127.0.0.1:%d", port);
    (void)fflush(stdout);
    for (int32_t r = 0; r < ranks; r++)
        if (fork() == 0) {
            const vdnn_world world = {.rank = r,
                                      .ranks = ranks,
                                      .address = address,
                                      .secret = "bench",
                                      .peer_timeout = 30,
                                      .listeners =
                                          r == 0 ? listeners : (vdnn_listeners){.count = 0},
                                      .sockets_only = what->sockets_only};
            exit(run_rank(what, &world));
        }
    vdnn_socket_close_all(&listeners);
    bool good = true;
    while (wait(&status) > 0)
        good &= status == 0;
    return good;
}

static void time_memcpy(size_t count)
{
    float *from = malloc(count * sizeof *from), *to = malloc(count * sizeof *to);
    times best = {HUGE_VAL, HUGE_VAL};
    memset(from, 0, count * sizeof *from);
    for (int r = 0; r < REPEATS; r++) {
        const double begun = vdnn_socket_now(), processor_begun = processor_now();
        memcpy(to, from, count * sizeof *to);
        best.seconds = lesser(best.seconds, vdnn_socket_now() - begun);
        best.processor_seconds = lesser(best.processor_seconds, processor_now() - processor_begun);
    }
    print_line("memcpy", count, best);
    free(from);
    free(to);
}

int main(int count, char **arguments)
{
    const int32_t ranks = count > 1 ? (int32_t)strtol(arguments[1], NULL, 10) : 2;
    bool good = ranks > 0 && ranks <= MOST_RANKS;
    for (size_t b = 0; b < sizeof benches / sizeof *benches && good; b++)
        good = benches[b].transport->open != NULL ? run_threads(&benches[b], ranks)
                                                  : run_processes(&benches[b], ranks);
    time_memcpy(1 << 22);
    time_memcpy(1 << 24);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
