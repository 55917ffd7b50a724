/* Guarded memory: a kernel that writes one element past its buffer is named, and one that does not
 * gives the same bits as without guards. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/gpu.h"
#include "tests/support/session_topics.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 8, BATCH = 4, WORK_FLOATS = 16 };

/* What the layer does wrong in its forward pass. */
typedef enum fault { SOUND, BEHIND_Y, BEHIND_WORKSPACE, BEFORE_Y } fault;
static fault does;

static int64_t count_of(vdnn_dims dims)
{
    return dims.n * dims.c * dims.h * dims.w;
}

static vdnn_status shape_of(vdnn_layer_shape *shape)
{
    shape->workspace_bytes[VDNN_FORWARD] = WORK_FLOATS * sizeof(float);
    return VDNN_OK;
}

static vdnn_status forward(const vdnn_layer_call *call)
{
    int64_t count = count_of(call->y_dims);
    float *work = call->workspace;
    for (int64_t i = 0; i < count; i++)
        call->y[i] = 2 * call->x[0][i];
    for (int i = 0; i < WORK_FLOATS; i++)
        work[i] = 1;
    if (does == BEHIND_Y)
        call->y[count] = 0;
    if (does == BEHIND_WORKSPACE)
        work[WORK_FLOATS] = 0;
    if (does == BEFORE_Y)
        call->y[-1] = 0;
    return VDNN_OK;
}

static vdnn_status backward(const vdnn_layer_call *call)
{
    for (int64_t i = 0; i < count_of(call->y_dims); i++)
        call->dx[0][i] = 2 * call->dy[i];
    return VDNN_OK;
}

static int register_layer(void **state)
{
    static const vdnn_layer_type type = {.size = sizeof type,
                                         .name = "twice",
                                         .role = VDNN_ROLE_FEATURE,
                                         .shape = shape_of,
                                         .forward = forward,
                                         .backward_data = backward};
    if (vdnn_layer_register(&type) != VDNN_OK || vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    return 0;
}

/* input -> fc1 -> twice -> fc2 -> loss */
static vdnn_model *make_model(void)
{
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_create("{name: small, input: {channels: 1, height: 4, width: 4}, "
                                "classes: 3, batch: 4, training: {lr: 0.01}}",
                                &model));
    assert_ok(vdnn_model_add(model, "{name: fc1, type: fc, out: %d}", WIDTH));
    assert_ok(vdnn_model_add(model, "{name: double, type: twice}"));
    assert_ok(vdnn_model_add(model, "{name: fc2, type: fc, out: 3}"));
    assert_ok(vdnn_model_add(model, "{name: loss, type: softmax_loss}"));
    return model;
}

static vdnn_status train(const vdnn_session_options *options, const char *save)
{
    vdnn_session *session = NULL;
    vdnn_status status = vdnn_session_create(options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    if (status == VDNN_OK && save != NULL)
        status = vdnn_session_save(session, save);
    vdnn_session_destroy(session);
    return status;
}

TEST(a_kernel_that_writes_beyond_its_buffer_is_named)
{
    static const struct {
        fault does;
        const char *part, *where;
    } cases[] = {
        {BEHIND_Y, "run of layer 'double', forward by custom wrote past a buffer",
         "byte 0 behind the feature_map 'double' (128 bytes"},
        {BEHIND_WORKSPACE, "run of layer 'double', forward by custom wrote past a buffer",
         "byte 0 behind the workspace"},
        /* Of whoever lies below it: seen at once if this run uses that, else at its next use. */
        {BEFORE_Y, "wrote past a buffer", " behind the "},
    };
    vdnn_model *model = make_model();
    vdnn_session_options options = {
        .size = sizeof options, .network = model, .device = "cpu", .steps = 2, .policy = "base"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        does = SOUND; /* while it is measured */
        vdnn_session *session = NULL;
        vdnn_test_edit(&options, trust)->poison = true;
        assert_ok(vdnn_session_create(&options, NULL, &session));
        assert_ok(vdnn_session_prepare(session));
        assert_ok(vdnn_session_begin(session));
        assert_ok(vdnn_session_step(session, NULL));
        does = cases[i].does;
        assert_status(vdnn_session_step(session, NULL), VDNN_MISMATCH);
        assert_message("poison: step 2: ");
        assert_message(cases[i].part);
        assert_message(cases[i].where);
        vdnn_session_destroy(session);
    }
    does = SOUND;
    vdnn_model_destroy(model);
}

TEST(sound_kernels_give_the_bits_that_they_give_without)
{
    static const char *const policies[] = {"base", "all"}, *const dtypes[] = {"f32", "bf16"};
    char model[256], plain[256], guarded[256], profile[256];
    (void)snprintf(model, sizeof model, "%s", vdnn_test_path(*state, "every.yaml"));
    (void)snprintf(plain, sizeof plain, "%s", vdnn_test_path(*state, "plain"));
    (void)snprintf(guarded, sizeof guarded, "%s", vdnn_test_path(*state, "guarded"));
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(profile, sizeof profile, "%s",
                       vdnn_test_path(*state, i / 2 == 0 ? "profile0" : "profile1"));
        vdnn_session_options options = {.size = sizeof options,
                                        .model = model,
                                        .profile = profile,
                                        .device = "cpu",
                                        .steps = 3,
                                        .rules = i % 2 == 0 ? "lean" : "paper",
                                        .dtype = dtypes[i / 2],
                                        .policy = policies[i % 2]};
        assert_ok(train(&options, plain));
        vdnn_test_edit(&options, trust)->poison = true;
        assert_ok(train(&options, guarded));
        vdnn_test_expect_same_file(plain, guarded);
    }
}

TEST(a_clock_has_no_memory_to_poison)
{
    vdnn_model *model = make_model();
    const vdnn_session_options options = {.size = sizeof options,
                                          .network = model,
                                          .device = "sim:models/devices/titan-x-maxwell.yaml",
                                          .steps = 1,
                                          .trust = vdnn_test_topic(trust, .poison = true)};
    assert_status(train(&options, NULL), VDNN_USAGE);
    assert_message("--poison");
    vdnn_model_destroy(model);
}

int main(void)
{
    return vdnn_test_main(register_layer, vdnn_test_remove_folder);
}
