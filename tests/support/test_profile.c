#include "tests/support/test_profile.h"

#include <string.h>

enum { TEST_THREADS = 2 };

static const vdnn_algorithm lean = {
    .name = "lean", .device = "fake", .deterministic = true, .updates = true};
static const vdnn_algorithm gemm = {.name = "gemm", .device = "fake", .deterministic = true};
static const vdnn_algorithm fast = {.name = "fast", .device = "fake", .deterministic = true};

static double made_up_seconds(const vdnn_layer *layer, vdnn_pass pass, double slowness)
{
    double seconds = vdnn_layer_flops(layer, pass) / 100e9 + vdnn_layer_bytes(layer, pass) / 10e9;
    return slowness * seconds + 1e-6;
}

static vdnn_status add(vdnn_profile *profile, const vdnn_layer *layer, vdnn_pass pass,
                       const vdnn_algorithm *algorithm, size_t workspace_bytes, double slowness)
{
    vdnn_choice choice = {.algorithm = algorithm,
                          .seconds = made_up_seconds(layer, pass, slowness),
                          .workspace_bytes = workspace_bytes};
    return vdnn_profile_add(profile, layer->index, pass, choice);
}

static vdnn_status add_fake(vdnn_profile *profile, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_status status = add(profile, layer, pass, &lean, 0, 3);
    if (status != VDNN_OK || layer->def->role != VDNN_ROLE_CONV)
        return status;
    size_t x_bytes = vdnn_desc_bytes(&layer->x[0]), y_bytes = vdnn_desc_bytes(&layer->y);
    status = add(profile, layer, pass, &gemm, 9 * x_bytes / (size_t)layer->y.dims[VDNN_N], 2);
    if (status != VDNN_OK)
        return status;
    return add(profile, layer, pass, &fast, 2 * (x_bytes + y_bytes), 1);
}

/* The most workspace that an algorithm takes of the layer, or of its parts; *refused: of one it
 * does not do the pass. */
static vdnn_status ask(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass,
                       const vdnn_algorithm *algorithm, size_t *bytes, bool *refused)
{
    vdnn_status status = VDNN_OK;
    *bytes = 0;
    *refused = strcmp(algorithm->layer_type, layer->def->type) != 0 ||
               strcmp(algorithm->device, "cpu") != 0;
    for (int32_t p = 0; p < vdnn_graph_part_count(graph, layer->index) && !*refused; p++) {
        const vdnn_layer *part = vdnn_graph_part_layer(graph, layer->index, p);
        size_t own = 0;
        *refused = vdnn_algorithm_refusal(algorithm, part, pass) != NULL;
        if (!*refused)
            status = vdnn_algorithm_workspace(algorithm, part, pass, TEST_THREADS, &own);
        if (status != VDNN_OK)
            return status;
        own += vdnn_graph_part_staged(graph, layer->index, p, pass);
        *bytes = own > *bytes ? own : *bytes;
    }
    return VDNN_OK;
}

static vdnn_status add_real(vdnn_profile *profile, const vdnn_graph *graph, const vdnn_layer *layer,
                            vdnn_pass pass)
{
    size_t most_bytes = 0;
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
            const vdnn_algorithm *algorithm = vdnn_algorithm_at(i);
            size_t bytes;
            bool refused;
            vdnn_status status = ask(graph, layer, pass, algorithm, &bytes, &refused);
            if (status == VDNN_OK && refused)
                continue;
            if (status == VDNN_OK && round == 0 && bytes > most_bytes)
                most_bytes = bytes;
            if (status == VDNN_OK && round == 1)
                status = add(profile, layer, pass, algorithm, bytes,
                             bytes == most_bytes ? 1 : 2 + (double)i / 64);
            if (status != VDNN_OK)
                return status;
        }
    return VDNN_OK;
}

static vdnn_status add_pass(vdnn_profile *profile, const vdnn_graph *graph, const vdnn_layer *layer,
                            vdnn_pass pass, vdnn_test_rows rows)
{
    if (!vdnn_layer_has_pass(layer, pass))
        return VDNN_OK;
    vdnn_status status = VDNN_OK;
    if (rows != VDNN_TEST_ROWS_FAKE)
        status = add_real(profile, graph, layer, pass);
    if (status != VDNN_OK || profile->layers[layer->index].choice_count[pass] > 0)
        return status;
    if (rows == VDNN_TEST_ROWS_REAL)
        return vdnn_status_fail(VDNN_DEVICE, "layer '%s': no algorithm for its %s", layer->name,
                                vdnn_pass_text(pass));
    return add_fake(profile, layer, pass);
}

static vdnn_status of_shape(void *argument, const vdnn_graph *graph, vdnn_profile **profile)
{
    const vdnn_test_rows rows = *(const vdnn_test_rows *)argument;
    vdnn_profile *made = NULL;
    vdnn_status status = vdnn_profile_create_empty(graph->layer_count, &made);
    for (int32_t i = 0; status == VDNN_OK && i < graph->layer_count; i++)
        for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
            status = add_pass(made, graph, &graph->layers[i], (vdnn_pass)pass, rows);
    if (status != VDNN_OK) {
        vdnn_profile_destroy(made);
        return status;
    }
    made->copy_out_bytes_per_second = made->copy_in_bytes_per_second = 5e9;
    made->spill_bytes_per_second = made->fill_bytes_per_second = 2e9;
    made->copy_latency_seconds = 10e-6;
    made->elementwise_bytes_per_second = 10e9;
    made->launch_seconds = 2e-6;
    *profile = made;
    return VDNN_OK;
}

void vdnn_test_profile_slow(vdnn_profile *profile, vdnn_test_rng *rng)
{
    double *const factors[] = {&profile->copy_out_slows_products, &profile->copy_in_slows_products,
                               &profile->copy_out_slows_moves, &profile->copy_in_slows_moves};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        *factors[i] = 1 + (double)vdnn_test_between(rng, 0, 4) / 2;
    profile->copy_out_beside_bytes_per_second =
        profile->copy_out_bytes_per_second * (double)vdnn_test_between(rng, 0, 4) / 4;
    profile->copy_in_beside_bytes_per_second =
        profile->copy_in_bytes_per_second * (double)vdnn_test_between(rng, 0, 4) / 4;
}

vdnn_status vdnn_test_profile_of(const vdnn_graph *graph, vdnn_test_rows rows,
                                 vdnn_profile **profile)
{
    return vdnn_profile_create_of(graph, of_shape, &rows, profile);
}

vdnn_status vdnn_test_profile(const vdnn_graph *graph, vdnn_profile **profile)
{
    return vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FILL, profile);
}

void vdnn_test_profile_same(const vdnn_profile *a, const vdnn_profile *b)
{
    assert_int_equal(a->layer_count, b->layer_count);
    for (int32_t l = 0; l < a->layer_count; l++)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
            const int32_t count = a->layers[l].choice_count[pass];
            assert_int_equal(count, b->layers[l].choice_count[pass]);
            for (int32_t k = 0; k < count; k++) {
                const vdnn_choice *x = &a->layers[l].choices[pass][k],
                                  *y = &b->layers[l].choices[pass][k];
                assert_ptr_equal(x->algorithm, y->algorithm);
                assert_true(x->seconds > 0);
                assert_memory_equal(&x->seconds, &y->seconds, sizeof(double));
                assert_int_equal(x->workspace_bytes, y->workspace_bytes);
            }
        }
}
