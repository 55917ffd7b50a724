/* Over the emulation of CUDA: weights stay finite, also where copies of them are kept, and replayed
 * steps change no bit. */

#include "runtime/base/heap.h"
#include "runtime/train/kept.h"
#include "runtime/train/session/session_internal.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"
#include "tests/support/small_network.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 4, PATH_BYTES = 512 };

static int set_up(void **state)
{
    vdnn_cuda_host_reset();
    return vdnn_cuda_host_set("devices", 2) ? vdnn_test_make_folder(state) : -1;
}

static const struct way {
    const char *dtype, *optimizer, *policy;
    int64_t devices;
} ways[] = {{"f32", "sgd", "base", 1}, {"bf16", "adam", "all", 1}, {"tf32", "sgd", "base", 2}};
enum { WAYS = sizeof ways / sizeof *ways };

static vdnn_session_options options_for(const char *folder, const struct way *way)
{
    static char model[PATH_BYTES], profile[PATH_BYTES];
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/profile", folder);
    vdnn_test_write_file(model, vdnn_small_network, sizeof vdnn_small_network - 1);
    (void)remove(profile);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .profile = profile,
                                  .device = "cuda",
                                  .dtype = way->dtype,
                                  .optimizer = way->optimizer,
                                  .policy = way->policy,
                                  .devices = way->devices,
                                  .threads = 1,
                                  .steps = STEPS,
                                  .seed = 7};
}

/* Of the first card. */
static float *read_kept(const vdnn_session *session, size_t *bytes)
{
    *bytes = vdnn_kept_bytes(session->plans.training, 0);
    float *image = vdnn_heap_calloc(*bytes, 1);
    assert_non_null(image);
    assert_ok(vdnn_kept_read(session->plans.training, session->setup.device, 0, (char *)image));
    return image;
}

static vdnn_status run_steps(const vdnn_session_options *options, int steps, float **image,
                             size_t *bytes)
{
    vdnn_session *session = NULL;
    vdnn_status status = VDNN_OK;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    for (int s = 0; status == VDNN_OK && s < steps; s++)
        status = vdnn_session_step(session, NULL);
    *image = read_kept(session, bytes);
    vdnn_session_destroy(session);
    return status;
}

TEST(no_value_that_is_not_finite_becomes_part_of_the_weights_on_cards)
{
    for (int i = 0; i < WAYS; i++) {
        vdnn_session_options options = options_for(*state, &ways[i]);
        float *image;
        size_t bytes;
        options.has_lr = true;
        options.lr = 1e38;
        assert_status(run_steps(&options, 20, &image, &bytes), VDNN_DIVERGED);
        assert_message("of layer '");
        for (size_t k = 0; k < bytes / sizeof *image; k++)
            assert_true(isfinite(image[k]));
        vdnn_heap_free(image);
    }
}

TEST(replayed_steps_change_no_bit_on_cards)
{
    for (int i = 0; i < WAYS; i++) {
        vdnn_session_options options = options_for(*state, &ways[i]);
        float *plain, *replayed;
        size_t bytes, same;
        assert_ok(run_steps(&options, STEPS, &plain, &bytes));
        vdnn_test_edit(&options, trust)->replay_every = 2;
        vdnn_test_edit(&options, trust)->check_replicas = 2;
        assert_ok(run_steps(&options, STEPS, &replayed, &same));
        assert_int_equal(bytes, same);
        assert_memory_equal(plain, replayed, bytes);
        vdnn_heap_free(plain);
        vdnn_heap_free(replayed);
    }
}

int main(void)
{
    return vdnn_test_main(set_up, vdnn_test_remove_folder);
}
