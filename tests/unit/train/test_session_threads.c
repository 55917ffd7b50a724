/* Sessions in several threads of one process: each ends with the bits that it ends with alone, and
 * has its own messages. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/small_network.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SESSIONS = 2, STEPS = 20 };

/* They differ in all that a session chooses. */
static const struct {
    const char *policy, *algo, *dtype;
    uint64_t seed;
    int threads;
} kinds[SESSIONS] = {{"all", "m", "f32", 5, 1}, {"conv", "p", "bf16", 6, 2}};

typedef struct training {
    char model[512], profile[512], save[512];
    int kind;
    pthread_barrier_t *start; /* borrowed; NULL: at once */
    vdnn_status status, refusal;
    char message[256], refused[256];
    pthread_t thread;
} training;

static training training_of(const char *folder, int kind, const char *name)
{
    training own = {.kind = kind};
    (void)snprintf(own.model, sizeof own.model, "%s/net.yaml", folder);
    (void)snprintf(own.profile, sizeof own.profile, "%s/profile%d", folder, kind);
    (void)snprintf(own.save, sizeof own.save, "%s/%s%d", folder, name, kind);
    return own;
}

/* A message of one thread, which is read after the other one has failed too. */
static void be_refused(training *own)
{
    char policy[32];
    vdnn_session *session = NULL;
    (void)snprintf(policy, sizeof policy, "of_session_%d", own->kind);
    vdnn_session_options options = {
        .size = sizeof options, .model = own->model, .policy = policy, .device_mem = "64MiB"};
    own->refusal = vdnn_session_create(&options, NULL, &session);
    if (own->start != NULL)
        (void)pthread_barrier_wait(own->start);
    (void)snprintf(own->refused, sizeof own->refused, "%s", vdnn_status_message());
}

static void *train(void *argument)
{
    training *own = argument;
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = own->model,
                                          .device_mem = "64MiB",
                                          .host_mem = "64MiB",
                                          .threads = kinds[own->kind].threads,
                                          .profile = own->profile,
                                          .policy = kinds[own->kind].policy,
                                          .algo = kinds[own->kind].algo,
                                          .dtype = kinds[own->kind].dtype,
                                          .rules = "paper",
                                          .seed = kinds[own->kind].seed,
                                          .steps = STEPS};
    vdnn_session *session = NULL;
    be_refused(own);
    own->status = vdnn_session_create(&options, NULL, &session);
    if (own->status == VDNN_OK)
        own->status = vdnn_session_prepare(session);
    if (own->status == VDNN_OK)
        own->status = vdnn_session_begin(session);
    for (int i = 0; i < STEPS && own->status == VDNN_OK; i++)
        own->status = vdnn_session_step(session, NULL);
    if (own->status == VDNN_OK)
        own->status = vdnn_session_save(session, own->save);
    (void)snprintf(own->message, sizeof own->message, "%s", vdnn_status_message());
    vdnn_session_destroy(session);
    return NULL;
}

static void expect_success(const training *own)
{
    char policy[32];
    if (own->status != VDNN_OK)
        fail_msg("session %d: %s", own->kind, own->message);
    (void)snprintf(policy, sizeof policy, "of_session_%d", own->kind);
    assert_int_equal(own->refusal, VDNN_USAGE);
    assert_non_null(strstr(own->refused, policy));
}

TEST_IN_FOLDER(sessions_in_two_threads_train_as_each_alone)
{
    pthread_barrier_t start;
    training alone[SESSIONS], own[SESSIONS];
    vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), vdnn_small_network,
                         sizeof vdnn_small_network - 1);
    for (int i = 0; i < SESSIONS; i++) {
        alone[i] = training_of(*state, i, "alone");
        (void)train(&alone[i]); /* and the profile is written, from which both choose alike */
        expect_success(&alone[i]);
    }
    assert_int_equal(pthread_barrier_init(&start, NULL, SESSIONS), 0);
    for (int i = 0; i < SESSIONS; i++) {
        own[i] = training_of(*state, i, "at_once");
        own[i].start = &start;
        assert_int_equal(pthread_create(&own[i].thread, NULL, train, &own[i]), 0);
    }
    for (int i = 0; i < SESSIONS; i++)
        assert_int_equal(pthread_join(own[i].thread, NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&start), 0);
    for (int i = 0; i < SESSIONS; i++) {
        expect_success(&own[i]);
        vdnn_test_expect_same_file(own[i].save, alone[i].save);
    }
}
