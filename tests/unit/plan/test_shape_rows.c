/* Rows of parts that were predicted once: they are those that are predicted anew. */

#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "tests/support/test_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* More than places. */
enum { NAMES = 8000, DRAWS = 20000 };

static const vdnn_algorithm made_up = {.name = "made up"};

/* Of a shape: forward has `forward` choices, backward one more. */
static vdnn_profile *profile_of(int32_t forward)
{
    vdnn_profile *own;
    assert_ok(vdnn_profile_create_empty(1, &own));
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < forward + pass; i++)
            assert_ok(vdnn_profile_add(own, 0, (vdnn_pass)pass,
                                       (vdnn_choice){.algorithm = &made_up,
                                                     .seconds = forward,
                                                     .workspace_bytes = (size_t)i}));
    return own;
}

static void check_known(const vdnn_shape_rows *rows, const char *signature, int32_t forward)
{
    vdnn_profile *own;
    assert_ok(vdnn_profile_create_empty(1, &own));
    assert_ok(vdnn_shape_rows_repeat(rows, signature, own, 0));
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(own->layers[0].choice_count[pass], forward + pass);
        for (int32_t i = 0; i < forward + pass; i++)
            assert_int_equal(own->layers[0].choices[pass][i].workspace_bytes, i);
    }
    vdnn_profile_destroy(own);
}

static void what_is_known_is_what_was_kept_last(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_shape_rows *rows;
    int32_t *kept = calloc(NAMES, sizeof *kept);
    int known = 0, replaced = 0;
    assert_non_null(kept);
    assert_ok(vdnn_shape_rows_create(&rows));
    for (int n = 0; n < DRAWS; n++) {
        const int64_t name = vdnn_test_between(&rng, 0, NAMES - 1);
        char signature[32];
        (void)snprintf(signature, sizeof signature, "conv %lld", (long long)name);
        const bool has = vdnn_shape_rows_have(rows, signature);
        assert_true(!has || kept[name] > 0);
        known += has;
        replaced += !has && kept[name] > 0;
        if (has)
            check_known(rows, signature, kept[name]);
        kept[name] = (int32_t)vdnn_test_between(&rng, 1, 5);
        vdnn_profile *own = profile_of(kept[name]);
        assert_ok(vdnn_shape_rows_keep(rows, signature, own, 0));
        vdnn_profile_destroy(own);
        check_known(rows, signature, kept[name]);
    }
    assert_true(known > 0 && replaced > 0);
    assert_false(vdnn_shape_rows_have(NULL, "conv 1"));
    vdnn_shape_rows_destroy(rows);
    vdnn_shape_rows_destroy(NULL);
    free(kept);
}

static void without_memory_what_was_kept_stays(void **state)
{
    (void)state;
    vdnn_shape_rows *rows;
    vdnn_profile *first = profile_of(2), *second = profile_of(3);
    vdnn_status status = VDNN_NO_MEMORY;
    assert_ok(vdnn_shape_rows_create(&rows));
    assert_ok(vdnn_shape_rows_keep(rows, "conv", first, 0));
    for (size_t n = 1; status != VDNN_OK; n++) {
        check_known(rows, "conv", 2);
        const size_t before = vdnn_heap_live_count();
        vdnn_heap_fail_after(n);
        status = vdnn_shape_rows_keep(rows, "conv", second, 0);
        vdnn_heap_fail_after(0);
        assert_true(status == VDNN_OK || vdnn_heap_live_count() == before);
    }
    check_known(rows, "conv", 3);
    vdnn_profile_destroy(first);
    vdnn_profile_destroy(second);
    vdnn_shape_rows_destroy(rows);
}

/* ---- networks in parts ----------------------------------------------------------------------- */

static const char network[] = "name: small\n"
                              "input: {channels: 3, height: 24, width: 24}\n"
                              "classes: 10\n"
                              "batch: 16\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu2, type: relu}\n"
                              "  - {name: conv3, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: pool3, type: maxpool, kernel: 2, stride: 2}\n"
                              "  - {name: fc, type: fc, out: 10}\n"
                              "  - {name: loss, type: softmax_loss}\n";

typedef struct rig {
    vdnn_test_rng rng;
    vdnn_model *model;
    vdnn_device *device;
    vdnn_profile_store *store;
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_shape_rows *rows;
} rig;

static vdnn_graph *graph_in(const rig *r, const int32_t *parts)
{
    vdnn_graph *graph;
    const vdnn_graph_options options = {
        .micro_batches = 1, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .parts = parts};
    assert_ok(vdnn_graph_create(r->model, &options, &graph));
    return graph;
}

/* In drawn parts, some of which others had. */
static void predict_in_parts(rig *r)
{
    const vdnn_measured_whole whole = {r->graph, r->profile, r->rows},
                              alone = {r->graph, r->profile, NULL};
    int32_t parts[16];
    vdnn_profile *own, *anew;
    assert_true((size_t)r->graph->layer_count <= sizeof parts / sizeof *parts);
    for (int32_t l = 0; l < r->graph->layer_count; l++) {
        const int32_t most = vdnn_graph_most_parts(r->graph, l);
        parts[l] = (int32_t)vdnn_test_between(&r->rng, 1, most < 5 ? most : 5);
    }
    vdnn_graph *graph = graph_in(r, parts);
    assert_ok(vdnn_measured_profile_predict(graph, r->device, r->store, &whole, &own));
    assert_ok(vdnn_measured_profile_predict(graph, r->device, r->store, &alone, &anew));
    vdnn_test_profile_same(own, anew);
    vdnn_profile_destroy(own);
    vdnn_profile_destroy(anew);
    vdnn_graph_destroy(graph);
}

static void profiles_are_those_that_are_predicted_anew(void **state)
{
    (void)state;
    rig r = {.rng = {vdnn_test_seed()}};
    assert_ok(vdnn_model_parse(network, sizeof network - 1, "small.yaml", &r.model));
    assert_ok(vdnn_device_open("sim:models/devices/p100.yaml", &(vdnn_device_options){.threads = 1},
                               &r.device));
    assert_ok(vdnn_profile_store_create("k", &r.store));
    r.graph = graph_in(&r, NULL);
    assert_ok(vdnn_measured_profile_create(r.graph, r.device, r.store, NULL, &r.profile));
    assert_ok(vdnn_shape_rows_create(&r.rows));
    for (int n = 0; n < vdnn_test_count(1000); n++)
        predict_in_parts(&r);
    vdnn_shape_rows_destroy(r.rows);
    vdnn_profile_destroy(r.profile);
    vdnn_graph_destroy(r.graph);
    vdnn_profile_store_destroy(r.store);
    vdnn_device_close(r.device);
    vdnn_model_destroy(r.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_what_was_kept_last),
        cmocka_unit_test(without_memory_what_was_kept_stays),
        cmocka_unit_test(profiles_are_those_that_are_predicted_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
