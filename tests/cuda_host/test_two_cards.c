/* Two cards in one process, over the emulation of CUDA: each thread's current card is whichever it
 * used last, and what is done with the wrong one fails as it does on cards. */

#include "layers/cuda/dnn.h"
#include "runtime/graph/graph.h"
#include "runtime/vdnn.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/files.h"
#include "tests/support/gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { CARDS = 2, STEPS = 3 };

static int make_network(void **state)
{
    vdnn_cuda_host_reset();
    if (vdnn_test_make_folder(state) != 0 || !vdnn_cuda_host_set("devices", CARDS))
        return -1;
    vdnn_test_every_layer(*state);
    return 0;
}

/* ---- training -------------------------------------------------------------------------------- */

typedef struct training {
    const char *device;
    char model[256], profile[256], save[256];
    vdnn_session *session;
    vdnn_status status;
    char message[512];
    pthread_t thread;
} training;

static training training_on(const char *folder, const char *device, const char *name)
{
    training own = {.device = device};
    (void)snprintf(own.model, sizeof own.model, "%s/every.yaml", folder);
    (void)snprintf(own.profile, sizeof own.profile, "%s/profile", folder);
    (void)snprintf(own.save, sizeof own.save, "%s/%s", folder, name);
    return own;
}

static void begin(training *own)
{
    vdnn_session_options options = {.size = sizeof options,
                                    .model = own->model,
                                    .device = own->device,
                                    .profile = own->profile,
                                    .policy = "all",
                                    .rules = "paper",
                                    .steps = STEPS,
                                    .seed = 7};
    own->status = vdnn_session_create(&options, NULL, &own->session);
    if (own->status == VDNN_OK)
        own->status = vdnn_session_prepare(own->session);
    if (own->status == VDNN_OK)
        own->status = vdnn_session_begin(own->session);
}

static void step(training *own)
{
    if (own->status == VDNN_OK)
        own->status = vdnn_session_step(own->session, NULL);
}

static void end(training *own)
{
    if (own->status == VDNN_OK)
        own->status = vdnn_session_save(own->session, own->save);
    (void)snprintf(own->message, sizeof own->message, "%s", vdnn_status_message());
    vdnn_session_destroy(own->session);
}

static void *train(void *argument)
{
    training *own = argument;
    begin(own);
    for (int i = 0; i < STEPS; i++)
        step(own);
    end(own);
    return NULL;
}

static void expect_as_alone(const training *own, const training *alone)
{
    if (own->status != VDNN_OK)
        fail_msg("%s: %s", own->device, own->message);
    vdnn_test_expect_same_file(own->save, alone->save);
}

TEST(two_cards_train_at_once_and_in_turns_with_the_bits_of_one_alone)
{
    static const char *const devices[CARDS] = {"cuda:0", "cuda:1"};
    training alone = training_on(*state, "cuda", "alone"), own[CARDS];
    (void)train(&alone); /* and the profile is written, from which all choose alike */
    expect_as_alone(&alone, &alone);

    for (int i = 0; i < CARDS; i++) {
        own[i] = training_on(*state, devices[i], devices[i]);
        assert_int_equal(pthread_create(&own[i].thread, NULL, train, &own[i]), 0);
    }
    for (int i = 0; i < CARDS; i++)
        assert_int_equal(pthread_join(own[i].thread, NULL), 0);
    for (int i = 0; i < CARDS; i++)
        expect_as_alone(&own[i], &alone);

    for (int i = 0; i < CARDS; i++) {
        own[i] = training_on(*state, devices[i], "in_turns");
        begin(&own[i]);
    }
    for (int k = 0; k < CARDS * STEPS; k++)
        step(&own[k % CARDS]);
    for (int i = 0; i < CARDS; i++) {
        end(&own[i]);
        expect_as_alone(&own[i], &alone);
    }
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

/* ---- inside the library ---------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int inside, most;
    __typeof__(((vdnn_cuda_dnn *)NULL)->forward) forward; /* the library's */
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* A convolution that is not begun before all cards are at theirs, or half a minute has passed. */
static int meet(vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is, const void *x,
                vdnn_dnn_filter w_is, const void *w, vdnn_dnn_convolution convolution,
                int algorithm, void *workspace, size_t bytes, const void *beta,
                vdnn_dnn_tensor y_is, void *y)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 30;
    (void)pthread_mutex_lock(&meeting.lock);
    meeting.inside++;
    meeting.most = meeting.inside > meeting.most ? meeting.inside : meeting.most;
    (void)pthread_cond_broadcast(&meeting.changed);
    while (meeting.most < CARDS &&
           pthread_cond_timedwait(&meeting.changed, &meeting.lock, &until) == 0)
        ;
    (void)pthread_mutex_unlock(&meeting.lock);
    int failed = meeting.forward(handle, alpha, x_is, x, w_is, w, convolution, algorithm, workspace,
                                 bytes, beta, y_is, y);
    (void)pthread_mutex_lock(&meeting.lock);
    meeting.inside--;
    (void)pthread_mutex_unlock(&meeting.lock);
    return failed;
}

typedef struct convolution {
    vdnn_device *device;
    vdnn_kernel *kernel;
    vdnn_kernel_args args;
    void *x;
    pthread_t thread;
    vdnn_status status;
} convolution;

static vdnn_status run_convolution(void *argument, void *stream)
{
    convolution *own = argument;
    own->args.stream = stream;
    return vdnn_kernel_run(own->kernel, &own->args);
}

static void *convolve(void *argument)
{
    convolution *own = argument;
    vdnn_launch launch = {.run = run_convolution, .argument = own};
    own->status = vdnn_device_round(own->device);
    if (own->status == VDNN_OK)
        own->status = vdnn_device_launch(own->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch);
    vdnn_status complete = vdnn_device_synchronize(own->device);
    own->status = own->status == VDNN_OK ? complete : own->status;
    return NULL;
}

static convolution convolution_on(const char *device, const vdnn_layer *layer)
{
    enum { PART = 1 << 20, PARTS = 4 };
    const vdnn_device_options options = {.event_count = 1};
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", "cudnn_gemm", "cuda");
    convolution own = {.device = NULL};
    assert_ok(vdnn_device_open(device, &options, &own.device));
    assert_ok(vdnn_device_reserve(own.device, VDNN_TIER_DEVICE, PARTS * PART));
    assert_ok(vdnn_kernel_create(row, layer, VDNN_FORWARD, 1, &own.kernel));
    assert_true(own.kernel->workspace_bytes <= PART);
    char *base = vdnn_device_base(own.device, VDNN_TIER_DEVICE);
    own.x = base;
    own.args = (vdnn_kernel_args){.w = base + PART,
                                  .y = base + 2 * (size_t)PART,
                                  .workspace = base + 3 * (size_t)PART,
                                  .weight = 1};
    return own;
}

TEST(nothing_is_locked_over_a_convolution)
{
    static const char *const devices[CARDS] = {"cuda:0", "cuda:1"};
    vdnn_cuda_dnn *dnn = (vdnn_cuda_dnn *)(uintptr_t)vdnn_cuda_dnn_find();
    const vdnn_graph_options options = {.preferred = VDNN_NCHW};
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    convolution own[CARDS];
    assert_ok(vdnn_model_load(vdnn_test_path(*state, "every.yaml"), &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    for (int i = 0; i < CARDS; i++) {
        own[i] = convolution_on(devices[i], &graph->layers[0]);
        own[i].args.x = &own[i].x;
    }
    meeting.forward = dnn->forward;
    dnn->forward = meet;
    for (int i = 0; i < CARDS; i++)
        assert_int_equal(pthread_create(&own[i].thread, NULL, convolve, &own[i]), 0);
    for (int i = 0; i < CARDS; i++)
        assert_int_equal(pthread_join(own[i].thread, NULL), 0);
    dnn->forward = meeting.forward;
    for (int i = 0; i < CARDS; i++) {
        assert_int_equal(own[i].status, VDNN_OK);
        vdnn_kernel_destroy(own[i].kernel);
        vdnn_device_close(own[i].device);
    }
    assert_int_equal(meeting.most, CARDS);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

int main(void)
{
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
