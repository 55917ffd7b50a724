/* The figures of the vDNN paper (Rhu et al., MICRO 2016) against the simulated Titan X, by the
 * paper's accounting. The figures lie beside the checkout; without them nothing can be shown. Bytes
 * there are read off drawings, to 39 MiB. */

#include "layers/conv.h"
#include "runtime/report/report.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char figures[] = "../shared/reference/vdnn-figures.csv";

enum { MOST_ROWS = 512, NETWORKS = 5 };

static const double mib = 1024 * 1024;

/* The paper's VGG-16 has 16 convolutions: configuration E. */
static const struct {
    const char *name, *model;
    int64_t batch;
    const char *dyn; /* what its dyn settled on; NULL: the figures do not tell */
} networks[NETWORKS] = {
    {"AlexNet(128)", "models/alexnet.yaml", 128, "base"},
    {"VGG-16(64)", "models/vgg19.yaml", 64, "base"},
    {"VGG-16(256)", "models/vgg19.yaml", 256, "all"},
    {"VGG-216(32)", "models/vgg216.yaml", 32, NULL},
    {"VGG-416(32)", "models/vgg416.yaml", 32, NULL},
};

typedef struct row {
    char figure[16], network[32], subject[32], metric[32];
    double value;
} row;

typedef struct suite {
    row rows[MOST_ROWS];
    int count;
    vdnn_report *reports[NETWORKS];
} suite;

static int set_up(void **state)
{
    static suite s;
    char line[160];
    FILE *file = fopen(figures, "r");
    *state = &s;
    for (int n = 0; n < NETWORKS; n++) {
        const vdnn_session_options ask = {.size = sizeof ask,
                                          .model = networks[n].model,
                                          .batch = networks[n].batch,
                                          .device = "sim:models/devices/titan-x-maxwell.yaml",
                                          .accounting = "paper"};
        assert_ok(vdnn_report_create(&ask, NULL, NULL, &s.reports[n]));
    }
    while (file != NULL && s.count < MOST_ROWS && fgets(line, sizeof line, file) != NULL) {
        row *r = &s.rows[s.count];
        s.count += sscanf(line, "%15[^,],%31[^,],%31[^,],%31[^,],%lf", r->figure, r->network,
                          r->subject, r->metric, &r->value) == 5;
    }
    return file == NULL ? 0 : fclose(file);
}

static int tear_down(void **state)
{
    suite *s = *state;
    for (int n = 0; n < NETWORKS; n++)
        vdnn_report_destroy(s->reports[n]);
    return 0;
}

static const vdnn_report *report_of(const suite *s, const char *network)
{
    for (int n = 0; n < NETWORKS; n++)
        if (strcmp(networks[n].name, network) == 0)
            return s->reports[n];
    return NULL;
}

/* "all(p)", "dyn"; "base", "all" and "conv" are those with the fastest algorithms. */
static const vdnn_report_row *policy_of(const vdnn_report *report, const char *subject)
{
    bool has_mode = strchr(subject, '(') != NULL;
    for (size_t i = 0; i < report->row_count; i++) {
        const vdnn_report_row *at = &report->rows[i];
        char text[32];
        (void)snprintf(text, sizeof text, has_mode ? "%s(%s)" : "%s", at->policy->name,
                       at->plan->algo);
        bool fastest = !at->policy->is_static || strcmp(at->plan->algo, "p") == 0;
        if (strcmp(text, subject) == 0 && (has_mode || fastest))
            return at;
    }
    return NULL;
}

/* ---- what vdnn says -------------------------------------------------------------------------- */

typedef double measure(const vdnn_report *report, const vdnn_report_row *at);

static double peak(const vdnn_report *report, const vdnn_report_row *at)
{
    (void)report;
    return (double)at->footprint.device_peak_bytes / mib;
}

static double average(const vdnn_report *report, const vdnn_report_row *at)
{
    (void)report;
    return at->footprint.device_average_bytes / mib;
}

static double offload(const vdnn_report *report, const vdnn_report_row *at)
{
    (void)report;
    return (double)at->footprint.offload_bytes / mib;
}

static double speed(const vdnn_report *report, const vdnn_report_row *at)
{
    (void)report;
    return at->relative_speed;
}

#define CATEGORY(name)                                                                             \
    static double name(const vdnn_report *report, const vdnn_report_row *at)                       \
    {                                                                                              \
        (void)report;                                                                              \
        return (double)at->footprint.by_category[VDNN_CATEGORY_##name] / mib;                      \
    }
CATEGORY(weights)
CATEGORY(feature_maps)
CATEGORY(gradient_maps)
CATEGORY(workspace)
#undef CATEGORY

static double feature_percent(const vdnn_report *report, const vdnn_report_row *at)
{
    return 100 * feature_maps(report, at) / peak(report, at);
}

/* What one layer needs at a time, whose data alone are there: the most under all(p). */
static double layer_percent(const vdnn_report *report, const vdnn_report_row *at)
{
    return 100 * peak(report, policy_of(report, "all(p)")) / peak(report, at);
}

/* ---- how near it must be --------------------------------------------------------------------- */

typedef struct bar {
    const char *figure, *subject, *metric; /* how the subject ends */
    measure *ours;
    double absolute, relative; /* the larger one counts */
} bar;

static const bar bars[] = {
    {"Fig1", "", "alloc_MB", peak, 0, 0.03},
    {"Fig1", "", "max_layerwise_usage_pct", layer_percent, 0, 0.03},
    {"Fig4", "", "weights_MB", weights, 0, 0.03},
    {"Fig4", "", "feature_maps_MB", feature_maps, 0, 0.03},
    {"Fig4", "", "gradient_maps_MB", gradient_maps, 0, 0.03},
    {"Fig4", "", "workspace_MB", workspace, 0, 0.03},
    {"Fig4", "", "feature_maps_pct", feature_percent, 0, 0.03},
    {"Fig11", "(m)", "max_MB", peak, 45, 0.02},
    {"Fig11", "", "max_MB", peak, 45, 0.05},
    {"Fig11", "", "avg_MB", average, 45, 0.05},
    {"Fig12", "", "offload_MB", offload, 20, 0},
    {"Fig14", "(m)", "perf_norm", speed, 0.05, 0},
    {"Fig14", "", "perf_norm", speed, 0.03, 0},
    {"Fig15", "", "gpu_MB", peak, 45, 0.01},
    {"Fig15", "", "cpu_MB", offload, 45, 0.01},
};

/* Known not to be reproduced by the paper's own rules: at this batch its fastest algorithms have
 * workspaces of up to 5 GB that they have at no other (in the maxima, and so in the average of
 * all(p)), and conv(m) needs less than what it keeps. NULL: every metric. */
static const struct {
    const char *figure, *network, *subject, *metric;
} exceptions[] = {
    {"Fig1", "VGG-16(256)", "base", NULL},     {"Fig4", "VGG-16(256)", "base(p)", "workspace_MB"},
    {"Fig11", "VGG-16(256)", "base(p)", NULL}, {"Fig11", "VGG-16(256)", "all(p)", NULL},
    {"Fig11", "VGG-16(256)", "conv(p)", NULL}, {"Fig11", "VGG-16(256)", "conv(m)", NULL},
};

static bool is_exception(const row *r)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].figure, r->figure) == 0 &&
            strcmp(exceptions[i].network, r->network) == 0 &&
            strcmp(exceptions[i].subject, r->subject) == 0 &&
            (exceptions[i].metric == NULL || strcmp(exceptions[i].metric, r->metric) == 0))
            return true;
    return false;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static const bar *bar_of(const row *r)
{
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (strcmp(bars[i].figure, r->figure) == 0 && strcmp(bars[i].metric, r->metric) == 0 &&
            ends_with(r->subject, bars[i].subject))
            return &bars[i];
    return NULL;
}

/* The dyn of figure 15 has the numbers of all(p). */
static const char *subject_of(const row *r)
{
    return strcmp(r->figure, "Fig15") == 0 && strcmp(r->subject, "dyn") == 0 ? "all(p)"
                                                                             : r->subject;
}

/* Speeds of VGG-16(256) were measured without an oracle that fits. */
static double allowed(const row *r, const bar *b)
{
    bool large = strcmp(r->figure, "Fig14") == 0 && strcmp(r->network, "VGG-16(256)") == 0;
    double absolute = large && !ends_with(r->subject, "(m)") ? 0.07 : b->absolute;
    return fmax(absolute, b->relative * r->value);
}

static void check_figure(const suite *s, const char *figure)
{
    int checked = 0, wrong = 0;
    if (s->count == 0)
        skip_because("the figures (%s) are not there", figures);
    for (int i = 0; i < s->count; i++) {
        const row *r = &s->rows[i];
        const bar *b = bar_of(r);
        if (strcmp(r->figure, figure) != 0 || b == NULL)
            continue;
        const vdnn_report *report = report_of(s, r->network);
        double ours = b->ours(report, policy_of(report, subject_of(r)));
        bool far = fabs(ours - r->value) > allowed(r, b), known = is_exception(r);
        checked++;
        if (far)
            print_message("%s %s %s %s: %.4g, in the figure %.4g%s\n", r->figure, r->network,
                          r->subject, r->metric, ours, r->value, known ? " (known)" : "");
        wrong += far && !known;
    }
    assert_true(checked > 0);
    assert_int_equal(wrong, 0);
}

#define FIGURE(number)                                                                             \
    static void figure_##number(void **state)                                                      \
    {                                                                                              \
        check_figure(*state, "Fig" #number);                                                       \
    }
FIGURE(1)
FIGURE(4)
FIGURE(11)
FIGURE(12)
FIGURE(14)
FIGURE(15)
#undef FIGURE

/* ---- figure 5 -------------------------------------------------------------------------------- */

static const vdnn_layer *find_layer(const vdnn_graph *graph, const char *subject)
{
    char kind[16];
    int number = 0, seen = 0;
    assert_int_equal(sscanf(subject, "%15[^_]_%d", kind, &number), 2);
    const char *type = strcmp(kind, "CONV") == 0 ? "conv" : "fc";
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].def->type, type) == 0 && ++seen == number)
            return &graph->layers[l];
    return NULL;
}

static double forward_workspace(const vdnn_report *report, const vdnn_layer *layer)
{
    const vdnn_profile *profile = report->setup.profile;
    int32_t fastest = vdnn_profile_fastest(profile, layer->index, VDNN_FORWARD);
    return (double)profile->layers[layer->index].choices[VDNN_FORWARD][fastest].workspace_bytes;
}

/* Read off to 5 MiB for maps and workspaces, and weights to 0.1. */
static void figure_5(void **state)
{
    const suite *s = *state;
    int wrong = 0, checked = 0;
    if (s->count == 0)
        skip_because("the figures (%s) are not there", figures);
    for (int i = 0; i < s->count; i++) {
        const row *r = &s->rows[i];
        if (strcmp(r->figure, "Fig5") != 0)
            continue;
        const vdnn_report *report = report_of(s, r->network);
        const vdnn_layer *layer = find_layer(report->setup.graph, r->subject);
        bool of_weights = strcmp(r->metric, "weights_MB") == 0;
        double ours =
            of_weights ? (double)layer->param_bytes / mib
            : strcmp(r->metric, "fwd_workspace_MB") == 0
                ? forward_workspace(report, layer) / mib
                : (double)(vdnn_desc_bytes(&layer->x[0]) + vdnn_desc_bytes(&layer->y)) / mib;
        bool far = fabs(ours - r->value) > fmax(of_weights ? 0.1 : 5, 0.03 * r->value);
        checked++;
        wrong += far;
        if (far)
            print_message("%s %s: %.4g, in the figure %.4g\n", r->subject, r->metric, ours,
                          r->value);
    }
    assert_true(checked > 0);
    assert_int_equal(wrong, 0);
}

/* ---- what does not need the figures ---------------------------------------------------------- */

static void dyn_chooses_what_the_papers_dyn_chose(void **state)
{
    const suite *s = *state;
    for (int n = 0; n < NETWORKS; n++) {
        const vdnn_report_row *at = policy_of(s->reports[n], "dyn");
        assert_true(at->verdict.fits);
        if (networks[n].dyn != NULL)
            assert_string_equal(at->plan->policy, networks[n].dyn);
    }
}

static void the_same_report_twice_has_the_same_bytes(void **state)
{
    (void)state;
    const vdnn_session_options ask = {.size = sizeof ask,
                                      .model = "models/vgg416.yaml",
                                      .device = "sim:models/devices/titan-x-maxwell.yaml",
                                      .accounting = "paper"};
    vdnn_text texts[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        vdnn_report *report;
        assert_ok(vdnn_report_create(&ask, NULL, "dyn", &report));
        assert_ok(vdnn_report_write(report, VDNN_REPORT_JSON, &texts[i]));
        vdnn_report_destroy(report);
    }
    assert_string_equal(texts[0].data, texts[1].data);
    for (int i = 0; i < 2; i++)
        vdnn_text_fini(&texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1),
        cmocka_unit_test(figure_4),
        cmocka_unit_test(figure_5),
        cmocka_unit_test(figure_11),
        cmocka_unit_test(figure_12),
        cmocka_unit_test(figure_14),
        cmocka_unit_test(figure_15),
        cmocka_unit_test(dyn_chooses_what_the_papers_dyn_chose),
        cmocka_unit_test(the_same_report_twice_has_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
