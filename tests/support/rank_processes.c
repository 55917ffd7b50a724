#include "tests/support/rank_processes.h"

#include "runtime/base/messages.h"
#include "runtime/comm/sockets.h"
#include "tests/support/vdnn_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUMMED = 20000 };

void vdnn_test_ranks_begin(int32_t count, double peer_timeout, vdnn_test_ranks *ranks)
{
    int port;
    *ranks = (vdnn_test_ranks){.count = count};
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &ranks->listeners, &port));
    (void)snprintf(ranks->address, sizeof ranks->address, "127.0.0.1:%d", port);
    ranks->outcomes = mmap(NULL, VDNN_TEST_MOST_RANKS * sizeof *ranks->outcomes,
                           PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(ranks->outcomes != MAP_FAILED);
    for (int32_t m = 0; m < VDNN_TEST_MOST_RANKS; m++)
        ranks->members[m].world = (vdnn_world){.rank = m,
                                               .ranks = count,
                                               .local_rank = m,
                                               .local_ranks = count,
                                               .address = ranks->address,
                                               .secret = "abracadabra",
                                               .peer_timeout = peer_timeout};
}

static void keep_line(void *context, vdnn_log_level level, const char *text)
{
    vdnn_test_outcome *own = context;
    const size_t length = strlen(own->log);
    (void)level;
    (void)snprintf(own->log + length, sizeof own->log - length, "%s\n", text);
}

static _Noreturn void live(vdnn_test_ranks *ranks, int32_t member, vdnn_test_rank_task *task)
{
    vdnn_test_outcome *own = &ranks->outcomes[member];
    vdnn_world *world = &ranks->members[member].world;
    const vdnn_messages messages = {.size = sizeof messages, .log = keep_line, .context = own};
    vdnn_group *end = NULL;
    world->messages = &messages;
    if (world->rank == 0)
        world->listeners = ranks->listeners;
    else
        vdnn_socket_close_all(&ranks->listeners);
    own->status = vdnn_group_join(&vdnn_transport_tcp, world, &end);
    atomic_store(&own->joined, own->status == VDNN_OK);
    if (own->status == VDNN_OK)
        own->status = task(end, own);
    own->seconds = vdnn_socket_now();
    (void)snprintf(own->message, sizeof own->message, "%s", vdnn_status_message());
    vdnn_group_close(end);
    _exit(0);
}

void vdnn_test_ranks_start(vdnn_test_ranks *ranks, int32_t member, vdnn_test_rank_task *task)
{
    (void)fflush(stdout);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0)
        live(ranks, member, task);
    ranks->members[member].process = process;
}

vdnn_test_outcome *vdnn_test_ranks_wait(vdnn_test_ranks *ranks, int32_t member)
{
    int status = 0;
    assert_int_equal(waitpid(ranks->members[member].process, &status, 0),
                     ranks->members[member].process);
    ranks->members[member].process = 0;
    ranks->outcomes[member].signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return &ranks->outcomes[member];
}

void vdnn_test_ranks_end(vdnn_test_ranks *ranks)
{
    for (int32_t m = 0; m < VDNN_TEST_MOST_RANKS; m++)
        if (ranks->members[m].process > 0) {
            (void)kill(ranks->members[m].process, SIGKILL);
            (void)waitpid(ranks->members[m].process, NULL, 0);
        }
    vdnn_socket_close_all(&ranks->listeners);
    (void)munmap(ranks->outcomes, VDNN_TEST_MOST_RANKS * sizeof *ranks->outcomes);
}

vdnn_status vdnn_test_sum_for_ever(vdnn_group *end, vdnn_test_outcome *own)
{
    float *values = calloc(SUMMED, sizeof *values);
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK) {
        status = vdnn_group_sum(end, values, SUMMED);
        atomic_fetch_add(&own->calls, 1);
    }
    free(values);
    return status;
}
