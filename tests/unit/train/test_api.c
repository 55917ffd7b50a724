/* The public interface from outside: networks, layers and policies of a program's own. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- layers and policies of this program ----------------------------------------------------- */

static vdnn_status pass_where_positive(const vdnn_layer_call *call, const float *from, float *to)
{
    int64_t count = call->y_dims.n * call->y_dims.c * call->y_dims.h * call->y_dims.w;
    for (int64_t i = 0; i < count; i++)
        to[i] = call->x[0][i] > 0.0F ? from[i] : 0.0F;
    return VDNN_OK;
}

static vdnn_status forward(const vdnn_layer_call *call)
{
    return pass_where_positive(call, call->x[0], call->y);
}

static vdnn_status backward(const vdnn_layer_call *call)
{
    return pass_where_positive(call, call->dy, call->dx[0]);
}

/* Without a shape forward leaves nothing for backward, which says that it reads that too. */
static const vdnn_layer_type own_relu = {.size = sizeof own_relu,
                                         .name = "own_relu",
                                         .role = VDNN_ROLE_ACTIVATION,
                                         .needs_data = VDNN_NEEDS_X | VDNN_NEEDS_AUX,
                                         .forward = forward,
                                         .backward_data = backward};

/* y = scale[c] * x, with a workspace and something saved. */
typedef struct scale_config {
    int64_t first;
} scale_config;

static const vdnn_key scale_keys[] = {{.name = "first",
                                       .kind = VDNN_KEY_INT,
                                       .offset = offsetof(scale_config, first),
                                       .preset = 1,
                                       .min = 1,
                                       .max = 9}};

static vdnn_status scale_shape(vdnn_layer_shape *shape)
{
    const scale_config *config = shape->config;
    if (shape->x[0].c > 64)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%lld channels are more than 64",
                                (long long)shape->x[0].c);
    shape->params[0] = (vdnn_param_shape){
        .name = "scale", .dims = {shape->x[0].c}, .dim_count = 1, .fill = (double)config->first};
    shape->param_count = 1;
    shape->aux_bytes = 64;
    shape->workspace_bytes[VDNN_FORWARD] = 4 * sizeof(double);
    return VDNN_OK;
}

static vdnn_status scale_forward(const vdnn_layer_call *call)
{
    int64_t cells = call->y_dims.h * call->y_dims.w;
    assert_int_equal((uintptr_t)call->workspace % 64, 0);
    memset(call->workspace, 1, 4 * sizeof(double));
    memset(call->aux, 2, 64);
    for (int64_t i = 0; i < call->y_dims.n * call->y_dims.c * cells; i++)
        call->y[i] = call->w[0][i / cells % call->y_dims.c] * call->x[0][i];
    return VDNN_OK;
}

static vdnn_status scale_data(const vdnn_layer_call *call)
{
    int64_t cells = call->y_dims.h * call->y_dims.w;
    assert_int_equal(*(const char *)call->aux, 2);
    for (int64_t i = 0; i < call->y_dims.n * call->y_dims.c * cells; i++)
        call->dx[0][i] = call->w[0][i / cells % call->y_dims.c] * call->dy[i];
    return VDNN_OK;
}

static vdnn_status scale_filter(const vdnn_layer_call *call)
{
    int64_t cells = call->y_dims.h * call->y_dims.w;
    memset(call->dw[0], 0, (size_t)call->y_dims.c * sizeof(float));
    for (int64_t i = 0; i < call->y_dims.n * call->y_dims.c * cells; i++)
        call->dw[0][i / cells % call->y_dims.c] += call->x[0][i] * call->dy[i];
    return VDNN_OK;
}

static const vdnn_layer_type own_scale = {.size = sizeof own_scale,
                                          .name = "own_scale",
                                          .role = VDNN_ROLE_FEATURE,
                                          .keys = scale_keys,
                                          .key_count = 1,
                                          .config_bytes = sizeof(scale_config),
                                          .needs_data = VDNN_NEEDS_W | VDNN_NEEDS_AUX,
                                          .needs_filter = VDNN_NEEDS_X,
                                          .shape = scale_shape,
                                          .forward = scale_forward,
                                          .backward_data = scale_data,
                                          .backward_filter = scale_filter};

/* own_relu with a key that is a word. */
static const char *const tones[] = {"low", "middle", "high", NULL};
static const char *const *const worded_words[] = {NULL, tones};

typedef struct worded_config {
    int64_t first, tone;
} worded_config;

static const vdnn_key worded_keys[] = {
    {.name = "first", .kind = VDNN_KEY_INT, .offset = offsetof(worded_config, first), .max = 9},
    {.name = "tone",
     .kind = VDNN_KEY_WORD,
     .offset = offsetof(worded_config, tone),
     .preset = 1,
     .max = 2}};

static vdnn_status worded_shape(vdnn_layer_shape *shape)
{
    const worded_config *config = shape->config;
    return config->tone == config->first
               ? VDNN_OK
               : vdnn_status_fail(VDNN_BAD_INPUT, "the tone is number %lld",
                                  (long long)config->tone);
}

static const vdnn_layer_type own_worded = {.size = sizeof own_worded,
                                           .name = "own_worded",
                                           .role = VDNN_ROLE_ACTIVATION,
                                           .keys = worded_keys,
                                           .key_count = 2,
                                           .config_bytes = sizeof(worded_config),
                                           .needs_data = VDNN_NEEDS_X,
                                           .shape = worded_shape,
                                           .forward = forward,
                                           .backward_data = backward,
                                           .words = worded_words};

/* Offloads all that it can. */
static vdnn_status decide(vdnn_proposal *proposal, void *context)
{
    vdnn_proposal_facts facts = {.size = sizeof facts};
    vdnn_plan_facts before = {.size = sizeof before}, after = {.size = sizeof after};
    assert_ok(vdnn_proposal_describe(proposal, &facts));
    assert_ok(vdnn_proposal_try(proposal, &before));
    for (int32_t m = 0; m < facts.map_count; m++) {
        vdnn_map_facts map = {.size = sizeof map};
        assert_ok(vdnn_proposal_map(proposal, m, &map));
        vdnn_status expected = map.is_needed ? VDNN_OK : VDNN_USAGE;
        assert_status(vdnn_proposal_offload(proposal, m, -1, -1), expected);
        assert_status(vdnn_proposal_cut(proposal, m), VDNN_USAGE); /* no layer is in parts */
        assert_status(vdnn_proposal_recompute_pieces(proposal, m, 1), VDNN_USAGE);
        assert_ok(vdnn_proposal_recompute_pieces(proposal, m, 0));
        assert_status(vdnn_proposal_offload_between(proposal, m), expected);
        assert_false(map.does_gradient_leave);
        expected = map.can_gradient_leave ? VDNN_OK : VDNN_USAGE;
        assert_status(vdnn_proposal_offload_gradient(proposal, m), expected);
        assert_ok(vdnn_proposal_map(proposal, m, &map));
        assert_int_equal(map.does_gradient_leave, map.can_gradient_leave);
        assert_int_equal(map.is_offloaded, map.is_needed); /* the one leaves the other alone */
    }
    for (int32_t l = 0; l < facts.layer_count; l++) {
        vdnn_layer_facts layer = {.size = sizeof layer};
        assert_ok(vdnn_proposal_layer(proposal, l, &layer));
        assert_false(layer.do_parameters_leave);
        assert_int_equal(layer.can_parameters_leave, layer.parameter_bytes > 0);
        assert_status(vdnn_proposal_offload_parameters(proposal, l),
                      layer.can_parameters_leave ? VDNN_OK : VDNN_USAGE);
        assert_ok(vdnn_proposal_layer(proposal, l, &layer));
        assert_int_equal(layer.do_parameters_leave, layer.can_parameters_leave);
        assert_false(layer.do_gradients_leave);
        assert_status(vdnn_proposal_offload_parameter_gradients(proposal, l),
                      layer.can_gradients_leave ? VDNN_OK : VDNN_USAGE);
        assert_ok(vdnn_proposal_layer(proposal, l, &layer));
        assert_int_equal(layer.do_gradients_leave, layer.can_gradients_leave);
    }
    assert_status(vdnn_proposal_cut(proposal, facts.map_count), VDNN_USAGE);
    assert_status(vdnn_proposal_recompute_pieces(proposal, facts.map_count, 1), VDNN_USAGE);
    assert_status(vdnn_proposal_offload_parameters(proposal, facts.layer_count), VDNN_USAGE);
    assert_status(vdnn_proposal_offload_gradient(proposal, facts.map_count), VDNN_USAGE);
    assert_status(vdnn_proposal_offload_between(proposal, facts.map_count), VDNN_USAGE);
    assert_status(vdnn_proposal_map(proposal, facts.map_count, NULL), VDNN_USAGE);
    assert_status(vdnn_proposal_offload(proposal, -1, -1, -1), VDNN_USAGE);
    assert_status(vdnn_proposal_choose(proposal, 0, VDNN_FORWARD, 1000), VDNN_USAGE);
    assert_ok(vdnn_proposal_try(proposal, &after));
    assert_int_equal(before.offload_bytes, 0);
    assert_true(after.offload_bytes > 0);
    *(int *)context += 1;
    return VDNN_OK;
}

static int decisions;
static const vdnn_policy_type own_policy = {
    .size = sizeof own_policy, .name = "everything", .decide = decide, .context = &decisions};

/* Recomputes all that it can. */
static vdnn_status decide_recompute(vdnn_proposal *proposal, void *context)
{
    vdnn_proposal_facts facts = {.size = sizeof facts};
    vdnn_plan_facts planned = {.size = sizeof planned};
    int32_t *recomputed = context;
    assert_ok(vdnn_proposal_describe(proposal, &facts));
    assert_status(vdnn_proposal_recompute(proposal, facts.map_count), VDNN_USAGE);
    assert_status(vdnn_proposal_recompute(proposal, 0), VDNN_USAGE);
    assert_message("map 0 ('input') cannot be recomputed");
    *recomputed = 0;
    for (int32_t m = 0; m < facts.map_count; m++) {
        vdnn_map_facts map = {.size = sizeof map};
        assert_ok(vdnn_proposal_map(proposal, m, &map));
        assert_false(map.is_recomputed);
        assert_int_equal(map.recompute_seconds > 0, map.can_be_recomputed);
        assert_status(vdnn_proposal_recompute(proposal, m),
                      map.can_be_recomputed ? VDNN_OK : VDNN_USAGE);
        if (!map.can_be_recomputed)
            continue;
        assert_ok(vdnn_proposal_map(proposal, m, &map));
        assert_true(map.is_recomputed && !map.is_offloaded);
        *recomputed += map.is_needed;
        assert_ok(vdnn_proposal_keep(proposal, m));
        assert_ok(vdnn_proposal_map(proposal, m, &map));
        assert_false(map.is_recomputed);
        assert_status(vdnn_proposal_repeat(proposal, m), VDNN_USAGE);
        assert_message("neither offloaded nor recomputed");
        assert_ok(vdnn_proposal_recompute(proposal, m));
        assert_ok(vdnn_proposal_repeat(proposal, m));
    }
    assert_status(vdnn_proposal_repeat(proposal, facts.map_count), VDNN_USAGE);
    assert_ok(vdnn_proposal_try(proposal, &planned));
    assert_int_equal(planned.recompute_seconds > 0, *recomputed > 0);
    return VDNN_OK;
}

static int32_t recomputed_maps;
static const vdnn_policy_type recompute_policy = {.size = sizeof recompute_policy,
                                                  .name = "recomputing",
                                                  .decide = decide_recompute,
                                                  .context = &recomputed_maps};

/* ---- a policy that proposes at random -------------------------------------------------------- */

typedef struct random_context {
    vdnn_test_rng rng;
    int32_t chained, refused; /* how many layers, and proposals */
} random_context;

static vdnn_status propose(vdnn_proposal *proposal, const vdnn_proposal_facts *facts,
                           vdnn_test_rng *rng)
{
    const int32_t map = (int32_t)vdnn_test_between(rng, 0, facts->map_count - 1),
                  layer = (int32_t)vdnn_test_between(rng, 0, facts->layer_count - 1);
    switch (vdnn_test_between(rng, 0, 10)) {
    case 0:
    case 1:
        return vdnn_proposal_offload(proposal, map, -1, -1);
    case 2:
        return vdnn_proposal_recompute(proposal, map);
    case 3:
        return vdnn_proposal_repeat(proposal, map);
    case 4:
        return vdnn_proposal_offload_between(proposal, map);
    case 5:
        return vdnn_proposal_cut(proposal, map);
    case 6:
        return vdnn_proposal_recompute_pieces(proposal, map, (int32_t)vdnn_test_between(rng, 0, 2));
    case 7:
        return vdnn_proposal_keep(proposal, map);
    case 8:
        return vdnn_proposal_choose(proposal, layer, VDNN_FORWARD,
                                    (int32_t)vdnn_test_between(rng, 0, 2));
    default:
        return vdnn_proposal_chain(proposal, layer);
    }
}

static vdnn_status decide_at_random(vdnn_proposal *proposal, void *context)
{
    vdnn_proposal_facts facts = {.size = sizeof facts};
    vdnn_plan_facts planned = {.size = sizeof planned};
    random_context *own = context;
    assert_ok(vdnn_proposal_describe(proposal, &facts));
    assert_status(vdnn_proposal_chain(proposal, 0), VDNN_USAGE);
    assert_message("layer 0 ('conv1') cannot be chained to the one before: none is before it");
    assert_status(vdnn_proposal_chain(proposal, facts.layer_count), VDNN_USAGE);
    for (int i = 0; i < 60; i++) {
        vdnn_status status = propose(proposal, &facts, &own->rng);
        assert_true(status == VDNN_OK || status == VDNN_USAGE);
        own->refused += status == VDNN_USAGE;
        assert_ok(vdnn_proposal_try(proposal, &planned));
    }
    for (int32_t l = 0; l < facts.layer_count; l++) {
        vdnn_layer_facts layer = {.size = sizeof layer};
        assert_ok(vdnn_proposal_layer(proposal, l, &layer));
        own->chained += layer.is_chained;
        if (layer.choice_count[VDNN_FORWARD] > 0) /* what base runs */
            assert_ok(vdnn_proposal_choose(proposal, l, VDNN_FORWARD, 0));
    }
    return VDNN_OK;
}

static random_context at_random;
static const vdnn_policy_type random_policy = {.size = sizeof random_policy,
                                               .name = "random",
                                               .decide = decide_at_random,
                                               .context = &at_random};

static int register_all(void **state)
{
    (void)state;
    assert_ok(vdnn_layer_register(&own_relu));
    assert_ok(vdnn_layer_register(&own_scale));
    assert_ok(vdnn_layer_register(&own_worded));
    assert_ok(vdnn_policy_register(&recompute_policy));
    assert_ok(vdnn_policy_register(&random_policy));
    assert_ok(vdnn_policy_register(&own_policy));
    return 0;
}

/* ---- what the tests run ---------------------------------------------------------------------- */

static const char HEAD[] = "{name: made, input: {channels: 2, height: 8, width: 8}, classes: 3, "
                           "batch: 4, training: {lr: 0.01}}";

static vdnn_model *make(const char *relu, const char *more)
{
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_create(HEAD, &model));
    assert_ok(vdnn_model_add(model, "{name: conv1, type: conv, out: %d, kernel: 3}", 5));
    assert_ok(vdnn_model_add(model, "{name: relu1, type: %s}", relu));
    if (more != NULL)
        assert_ok(vdnn_model_add(model, "%s", more));
    assert_ok(vdnn_model_add(model, "{name: conv2, type: conv, out: 4, kernel: 3}"));
    assert_ok(vdnn_model_add(model, "{name: fc, type: fc, out: 3}"));
    assert_ok(vdnn_model_add(model, "{name: loss, type: softmax_loss}"));
    return model;
}

static vdnn_session_options options_for(const vdnn_model *model)
{
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .network = model,
                                  .device_mem = "64MiB",
                                  .host_mem = "64MiB",
                                  .threads = 1,
                                  .policy = "base",
                                  .algo = "m",
                                  .steps = 3};
}

static void train(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    vdnn_session_destroy(session);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(a_relu_of_ones_own_learns_the_bits_of_the_librarys)
{
    static const char *const dtypes[] = {"f32", "bf16"};
    for (int i = 0; i < 2; i++) {
        const char *saved[] = {vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b")};
        for (int own = 0; own < 2; own++) {
            vdnn_model *model = make(own ? "own_relu" : "relu", NULL);
            vdnn_session_options options = options_for(model);
            options.rules = "paper";
            options.dtype = dtypes[i];
            options.save = saved[own];
            train(&options);
            vdnn_model_destroy(model);
        }
        vdnn_test_expect_same_file(saved[0], saved[1]);
    }
}

TEST_IN_FOLDER(a_layer_with_parameters_is_trained_and_offloading_changes_no_bit)
{
    const char *kept = vdnn_test_path(*state, "kept"), *away = vdnn_test_path(*state, "away");
    vdnn_model *model = make("own_relu", "{name: scale1, type: own_scale, first: 2}");
    vdnn_session_options options = options_for(model);
    options.save = kept;
    train(&options);
    options.save = away;
    options.policy = "everything";
    vdnn_test_edit(&options, trust)->verify = true;
    int before = decisions;
    train(&options);
    assert_true(decisions > before);
    vdnn_test_expect_same_file(kept, away);
    vdnn_model_destroy(model);
}

/* Which leaves by the layer that owns it alone. */
TEST_IN_FOLDER(a_weight_that_layers_share_is_trained_and_offloading_changes_no_bit)
{
    const char *kept = vdnn_test_path(*state, "kept"), *away = vdnn_test_path(*state, "away");
    vdnn_model *model =
        make("relu", "repeat: {count: 1, layers: [{name: a, type: conv, out: 5, kernel: 1}, "
                     "{name: b, type: conv, out: 5, kernel: 3, pad: 1, weight_of: c}, "
                     "{name: c, type: conv, out: 5, kernel: 3, pad: 1}]}");
    vdnn_session_options options = options_for(model);
    options.save = kept;
    train(&options);
    options.save = away;
    options.policy = "everything";
    vdnn_test_edit(&options, trust)->verify = true;
    train(&options);
    vdnn_test_expect_same_file(kept, away);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(refusals_of_a_shape_say_which_layer)
{
    vdnn_model *model =
        make("relu", "repeat: {count: 1, layers: [{name: wide, type: conv, out: 65, "
                     "kernel: 1}, {name: scale1, type: own_scale}]}");
    vdnn_session_options options = options_for(model);
    vdnn_session *session = NULL;
    assert_status(vdnn_session_create(&options, NULL, &session), VDNN_BAD_INPUT);
    assert_message("own_scale layer 'scale1': 65 channels are more than 64");
    assert_null(session);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(an_item_that_is_refused_leaves_the_network_as_it_was)
{
    vdnn_model *model = make("relu", NULL), *whole = NULL;
    vdnn_session *session = NULL;
    assert_status(vdnn_model_add(model, "{name: a, type: konv, out: 3}"), VDNN_BAD_INPUT);
    assert_message("did you mean conv?");
    assert_status(vdnn_model_add(model, "repeat: {count: 2, layers: [{name: b, type: relu}]}"),
                  VDNN_BAD_INPUT);
    assert_status(vdnn_model_add(model, "{name: scale, type: own_scale, first: 10}"),
                  VDNN_BAD_INPUT);
    assert_status(vdnn_model_add(model, "[]"), VDNN_BAD_INPUT);
    vdnn_session_options options = options_for(model);
    options.dry_run = true;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
    assert_status(vdnn_model_create("{name: x}", &whole), VDNN_BAD_INPUT);
    assert_ok(vdnn_model_load("models/lenet.yaml", &whole));
    assert_status(vdnn_model_add(whole, "{name: a, type: relu}"), VDNN_USAGE);
    vdnn_model_destroy(whole);
}

TEST_IN_FOLDER(types_and_policies_that_cannot_be_are_refused)
{
    vdnn_layer_type layer = own_relu;
    vdnn_policy_type policy = own_policy;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    assert_message("already");
    layer.name = "fresh";
    layer.forward = NULL;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    layer = own_scale;
    layer.name = "fresh";
    layer.config_bytes = 4;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    assert_message("outside of its config");
    layer.size = 0;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    layer = own_worded;
    layer.name = "fresh";
    layer.words = NULL;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    assert_message("key 'tone' of layer type 'fresh' has no words");
    layer.words = worded_words;
    vdnn_key keys[] = {worded_keys[0], worded_keys[1]};
    keys[1].preset = 3;
    layer.keys = keys;
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    assert_message("has 3 words, and no word 3");
    assert_status(vdnn_policy_register(&policy), VDNN_USAGE);
    policy.name = "a,b";
    assert_status(vdnn_policy_register(&policy), VDNN_USAGE);
    policy.name = "a\nb";
    assert_status(vdnn_policy_register(&policy), VDNN_USAGE);
    layer = own_relu;
    layer.name = "a\033b";
    assert_status(vdnn_layer_register(&layer), VDNN_USAGE);
    assert_message("control characters");
    policy.name = "fresh";
    policy.decide = NULL;
    assert_status(vdnn_policy_register(&policy), VDNN_USAGE);
}

TEST_IN_FOLDER(a_policy_of_ones_own_is_in_reports_and_lists)
{
    vdnn_model *model = make("relu", NULL);
    vdnn_session_options options = options_for(model);
    vdnn_report *report = NULL;
    vdnn_text text = {0};
    assert_string_equal(vdnn_policy_name(vdnn_policy_count() - 1), "everything");
    assert_null(vdnn_policy_name(vdnn_policy_count()));
    assert_ok(vdnn_report_create(&options, NULL, "base,everything", &report));
    assert_ok(vdnn_report_write(report, VDNN_REPORT_CSV, &text));
    assert_non_null(strstr(text.data, "everything"));
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
    assert_status(vdnn_report_create(&options, NULL, "base,nothing", &report), VDNN_USAGE);
    vdnn_model_destroy(model);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Networks are found from where the library is installed or built, which is not here. */
TEST(networks_devices_and_kinds_of_data_are_listed_one_a_line)
{
    vdnn_text names = {0};
    assert_ok(vdnn_network_names(&names));
    vdnn_text_fini(&names);
    assert_ok(vdnn_device_names(&names));
    assert_memory_equal(names.data, "cpu\n", 4);
    vdnn_text_fini(&names);
    assert_ok(vdnn_data_names(&names));
    assert_non_null(strstr(names.data, "npy:DIR\n"));
    vdnn_text_fini(&names);
}

/* Types that only the library puts into networks are not for programs. */
TEST(types_of_layers_are_listed_with_their_keys)
{
    bool has_conv = false;
    vdnn_layer_key key = {.size = sizeof key};
    for (size_t i = 0; i < vdnn_layer_count(); i++) {
        const char *type = vdnn_layer_name(i);
        has_conv = has_conv || strcmp(type, "conv") == 0;
        assert_string_not_equal(type, "convert");
        for (size_t k = 0; k < vdnn_layer_key_count(type); k++) {
            assert_ok(vdnn_layer_key_at(type, k, &key));
            assert_true(strlen(key.name) > 0 && key.min <= key.max);
        }
        assert_status(vdnn_layer_key_at(type, vdnn_layer_key_count(type), &key), VDNN_USAGE);
    }
    assert_true(has_conv);
    assert_null(vdnn_layer_name(vdnn_layer_count()));
    assert_ok(vdnn_layer_key_at("fc", 0, &key));
    assert_string_equal(key.name, "out");
    assert_true(key.required && key.kind == VDNN_KEY_INT && key.min >= 1);
    assert_int_equal(vdnn_layer_key_count("convert"), 0);
    assert_status(vdnn_layer_key_at("convert", 0, &key), VDNN_USAGE);
    assert_status(vdnn_layer_key_at("conw", 0, &key), VDNN_USAGE);
}

/* The status of a layer that is added to a network. */
static vdnn_status add_worded(const char *keys)
{
    vdnn_model *model = make("relu", NULL);
    vdnn_status status = vdnn_model_add(model, "{name: a, type: own_worded, %s}", keys);
    vdnn_model_destroy(model);
    return status;
}

/* The status of a network with such a layer, which is one of its shape. */
static vdnn_status plan_worded(const char *layer)
{
    vdnn_session *session = NULL;
    vdnn_model *model = make(layer, NULL);
    vdnn_session_options options = options_for(model);
    vdnn_status status = vdnn_session_create(&options, NULL, &session);
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
    return status;
}

TEST(a_key_can_be_one_of_some_words)
{
    vdnn_layer_key key = {.size = sizeof key};
    assert_ok(vdnn_layer_key_at("own_worded", 1, &key));
    assert_int_equal(key.kind, VDNN_KEY_WORD);
    assert_ptr_equal(key.words, tones);
    assert_ok(vdnn_layer_key_at("own_worded", 0, &key));
    assert_null(key.words);
    assert_ok(plan_worded("own_worded, first: 2, tone: high"));
    assert_ok(plan_worded("own_worded, tone: \"low\""));
    assert_status(plan_worded("own_worded"), VDNN_BAD_INPUT);
    assert_message("the tone is number 1");
    assert_status(add_worded("tone: hihg"), VDNN_BAD_INPUT);
    assert_message("tone of own_worded layer 'a' is 'hihg', expected low, middle or high "
                   "(did you mean high?)");
    assert_status(add_worded("tone: 1"), VDNN_BAD_INPUT);
    assert_message("expected low, middle or high");
    assert_status(add_worded("tone: [low]"), VDNN_BAD_INPUT);
    assert_status(add_worded("tone: {low: 1}"), VDNN_BAD_INPUT);
    assert_status(add_worded("tone: "), VDNN_BAD_INPUT);
}

TEST_IN_FOLDER(a_policy_that_recomputes_maps_changes_no_bit)
{
    const char *kept = vdnn_test_path(*state, "kept"), *again = vdnn_test_path(*state, "again");
    vdnn_model *model = make("relu", "{name: norm, type: batchnorm}");
    vdnn_session_options options = options_for(model);
    vdnn_session *session = NULL;
    vdnn_plan_facts facts = {.size = sizeof facts};
    double seconds = 0;
    options.rules = "paper";
    options.save = kept;
    train(&options);
    options.save = again;
    options.policy = "recomputing";
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    assert_true(recomputed_maps > 0);
    assert_ok(vdnn_plan_describe(vdnn_session_plan(session), &facts));
    for (int32_t i = 0; i < facts.step_count; i++) {
        vdnn_plan_step step = {.size = sizeof step};
        assert_ok(vdnn_plan_step_at(vdnn_session_plan(session), i, &step));
        seconds += strcmp(step.kind, "recompute") == 0 ? step.seconds : 0;
    }
    assert_true(seconds > 0 && seconds == facts.recompute_seconds);
    vdnn_test_expect_same_file(kept, again);
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
}

/* And what is trained by it has the bits of base. */
TEST_IN_FOLDER(what_a_proposal_takes_is_planned)
{
    static const char *const layers[] = {
        "{name: conv1, type: conv, out: 5, kernel: 3, parts: 2}",
        "{name: relu1, type: relu, parts: 2}",
        "{name: lrn1, type: lrn, size: 3, parts: 2}",
        "{name: conv2, type: conv, out: 4, kernel: 3, parts: 2}",
        "{name: pool2, type: maxpool, kernel: 2, parts: 2}",
        "{name: left, type: conv, out: 4, kernel: 1, parts: 2}",
        "{name: relu3, type: relu, parts: 2}",
        "{name: right, type: conv, out: 4, kernel: 1, from: pool2, parts: 2}",
        "{name: both, type: add, from: [relu3, right], parts: 2}",
        "{name: fc1, type: fc, out: 6, parts: 4}",
        "{name: fc2, type: fc, out: 3, parts: 4}",
        "{name: loss, type: softmax_loss}",
    };
    const char *base = vdnn_test_path(*state, "base"), *own = vdnn_test_path(*state, "own");
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_create(HEAD, &model));
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        assert_ok(vdnn_model_add(model, "%s", layers[i]));
    vdnn_session_options options = options_for(model);
    options.save = base;
    train(&options);
    options.save = own;
    options.policy = "random";
    at_random.rng.state = vdnn_test_seed();
    for (int i = 0; i < 20; i++) {
        train(&options);
        vdnn_test_expect_same_file(base, own);
    }
    assert_true(at_random.chained > 20 && at_random.refused > 20);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(a_plan_can_be_inspected)
{
    vdnn_model *model = make("relu", NULL);
    vdnn_session_options options = options_for(model);
    vdnn_session *session = NULL;
    vdnn_plan_facts facts = {.size = sizeof facts};
    vdnn_verdict verdict = {.size = sizeof verdict};
    options.policy = "all";
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_null(vdnn_session_plan(session));
    assert_ok(vdnn_session_prepare(session));
    const vdnn_plan *plan = vdnn_session_plan(session);
    assert_ok(vdnn_plan_describe(plan, &facts));
    assert_ok(vdnn_session_verdict(session, &verdict));
    assert_true(verdict.fits);
    assert_int_equal(verdict.device_budget_bytes, 64 << 20);
    assert_true(facts.arena_bytes <= verdict.device_budget_bytes);
    size_t out = 0;
    for (int32_t i = 0; i < facts.step_count; i++) {
        vdnn_plan_step step = {.size = sizeof step};
        assert_ok(vdnn_plan_step_at(plan, i, &step));
        out += strcmp(step.kind, "copy_out") == 0 ? step.bytes : 0;
    }
    assert_int_equal(out, facts.offload_bytes);
    vdnn_plan_step beyond = {.size = sizeof beyond};
    assert_status(vdnn_plan_step_at(plan, facts.step_count, &beyond), VDNN_USAGE);
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(structs_of_other_versions_are_read_and_filled_as_far_as_they_go)
{
    vdnn_model *model = make("relu", NULL);
    struct {
        vdnn_session_options options;
        uint64_t later;
    } newer = {.options = options_for(model)};
    vdnn_session *session = NULL;
    newer.options.size = sizeof newer;
    assert_ok(vdnn_session_create(&newer.options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    vdnn_plan_facts facts;
    memset(&facts, 0x5a, sizeof facts);
    facts.size = offsetof(vdnn_plan_facts, host_arena_bytes);
    assert_ok(vdnn_plan_describe(vdnn_session_plan(session), &facts));
    assert_true(facts.arena_bytes > 0 && facts.arena_bytes < 64 << 20);
    unsigned char untouched[sizeof facts.host_arena_bytes];
    memset(untouched, 0x5a, sizeof untouched);
    assert_memory_equal(&facts.host_arena_bytes, untouched, sizeof untouched);
    vdnn_session_destroy(session);
    session = NULL;
    newer.later = 1;
    assert_status(vdnn_session_create(&newer.options, NULL, &session), VDNN_USAGE);
    newer.options.size = 0;
    assert_status(vdnn_session_create(&newer.options, NULL, &session), VDNN_USAGE);
    assert_message("sizeof(vdnn_session_options)");
    vdnn_model_destroy(model);
}

int main(void)
{
    return vdnn_test_main(register_all, NULL);
}

enum { REGISTERING = 4, REGISTERED_BY_EACH = 4 };

typedef char own_name[32];

static own_name own_names[REGISTERING][REGISTERED_BY_EACH + 1];

/* The last name is the same for all threads: one of them gets it. */
static void *register_some(void *argument)
{
    own_name *names = argument;
    intptr_t taken = 0;
    for (int i = 0; i <= REGISTERED_BY_EACH; i++) {
        vdnn_layer_type layer = own_relu;
        vdnn_policy_type policy = own_policy;
        layer.name = names[i];
        policy.name = names[i];
        vdnn_status status = vdnn_layer_register(&layer);
        taken += status == VDNN_OK && vdnn_policy_register(&policy) == VDNN_OK;
        for (size_t p = 0; p < vdnn_policy_count(); p++)
            if (vdnn_policy_name(p) == NULL || vdnn_policy_name(p)[0] == '\0')
                return (void *)-1;
    }
    return (void *)taken;
}

/* Last: what it registers stays. */
TEST_IN_FOLDER(several_threads_register_and_look_at_the_same_time)
{
    pthread_t threads[REGISTERING];
    size_t before = vdnn_policy_count();
    intptr_t taken = 0;
    for (int t = 0; t < REGISTERING; t++) {
        for (int i = 0; i < REGISTERED_BY_EACH; i++)
            (void)snprintf(own_names[t][i], sizeof own_names[t][i], "thread%d_%d", t, i);
        (void)snprintf(own_names[t][REGISTERED_BY_EACH], sizeof own_names[t][0], "contended");
        assert_int_equal(pthread_create(&threads[t], NULL, register_some, own_names[t]), 0);
    }
    for (int t = 0; t < REGISTERING; t++) {
        void *result;
        assert_int_equal(pthread_join(threads[t], &result), 0);
        taken += (intptr_t)result;
    }
    assert_int_equal(taken, REGISTERING * REGISTERED_BY_EACH + 1);
    assert_int_equal(vdnn_policy_count(), before + (size_t)taken);
    for (size_t i = before; i < vdnn_policy_count(); i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(vdnn_policy_name(i), vdnn_policy_name(k));
}
