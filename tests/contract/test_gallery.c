/* The gallery, and every kind of page that vdnn writes, as a reader sees them in a browser: nothing
 * is said on the console, nothing comes from elsewhere, tables have the numbers of the JSON, charts
 * are whole, in light, dark, print and on a telephone. */

#include "tests/support/run_json.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BROWSER "/usr/bin/chromium"
#define PYTHON "/usr/bin/python3"
#define XMLLINT "/usr/bin/xmllint"
#define AXE "build/axe/axe.min.js"
#define REPORT                                                                                     \
    "vdnnreport --model %s --device sim:titan-x-maxwell --host-mem 64GiB --plan-trials 200 "       \
    "--policies all,opt --device-mem %s --budgets %s --json @/%s.json --html @/%s.html"

enum { LINE_BYTES = 1024 };

/* The pages of a gallery, and reports of larger networks, which take longer. */
static const char *const pages[] = {"index", "report", "cards", "compare", "scale"};
enum { PAGES = sizeof pages / sizeof *pages };

static const struct {
    const char *name, *model, *budget, *budgets;
} reports[] = {{"vgg16", "vgg16 --batch 32", "2GiB", "1GiB,4GiB"},
               {"googlenet", "googlenet", "1GiB", "2GiB,4GiB"}};
enum { REPORTS = sizeof reports / sizeof *reports };

/* What all tests look at: a gallery, and what the browser found of its pages. */
static char *folder;
static vdnn_text seen;

static void make_gallery(const char *where, const char *options, int day)
{
    vdnn_test_run run;
    vdnn_test_program(&run, where,
                      "SOURCE_DATE_EPOCH=%d " PYTHON " tools/gallery.py --bin %s --out @/%s",
                      86400 * day, vdnn_test_bin(), options);
    vdnn_test_expect(&run, 0, "pictures");
    vdnn_test_run_free(&run);
}

static int make_pages(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    folder = *state;
    make_gallery(folder, "g --short", 1);
    return 0;
}

static int remove_pages(void **state)
{
    vdnn_text_fini(&seen);
    return vdnn_test_remove_folder(state);
}

static char *read_page(const char *name)
{
    char path[64], *text;
    size_t count;
    (void)snprintf(path, sizeof path, "g/%s", name);
    vdnn_test_read_file(vdnn_test_path(folder, path), &text, &count);
    return text;
}

/* ---- without a browser ----------------------------------------------------------------------- */

/* Reports have the day that they were written on. */
static void without_dates(char *text)
{
    for (char *at = text; (at = strstr(at, "1970-01-0")) != NULL;)
        at[strlen("1970-01-0")] = '_', at++;
}

TEST(the_same_gallery_is_the_same_bytes_dates_apart)
{
    static const char *const files[] = {"index.html", "report.html", "cards.html", "compare.html",
                                        "scale.html", "report.json", "step.svg"};
    char *first[sizeof files / sizeof *files];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        first[i] = read_page(files[i]);
    make_gallery(folder, "g --short", 2);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *second = read_page(files[i]);
        if (strcmp(files[i], "report.html") == 0) {
            assert_int_not_equal(strcmp(first[i], second), 0);
            without_dates(first[i]);
            without_dates(second);
        }
        if (strcmp(first[i], second) != 0)
            fail_msg("%s is another one the second time", files[i]);
        free(first[i]);
        free(second);
    }
}

/* What is in the quotes behind `before`. */
static bool next_value(const char **at, const char *before, char *value)
{
    *at = strstr(*at, before);
    if (*at == NULL)
        return false;
    *at += strlen(before);
    (void)snprintf(value, LINE_BYTES, "%.*s", (int)strcspn(*at, "\""), *at);
    return true;
}

TEST(it_is_one_file_and_leads_to_those_beside_it)
{
    char *page = read_page("index.html"), value[LINE_BYTES], name[LINE_BYTES + 8];
    int links = 0, pictures = 0;
    for (const char *at = page; next_value(&at, " src=\"", value); pictures++)
        assert_memory_equal(value, "data:image/svg+xml;base64,", 26);
    for (const char *at = page; next_value(&at, " href=\"", value); links++) {
        (void)snprintf(name, sizeof name, " id=\"%s\"", value + 1);
        if (value[0] == '#')
            assert_non_null(strstr(page, name));
        else {
            (void)snprintf(name, sizeof name, "g/%s", value);
            assert_int_equal(access(vdnn_test_path(folder, name), R_OK), 0);
        }
    }
    assert_int_equal(pictures, 1);
    assert_int_equal(links, 8 + 4);
    assert_null(strstr(page, "://"));
    assert_null(strstr(page, "@import"));
    free(page);
}

TEST(every_section_has_a_picture_and_its_command_or_says_where_it_is)
{
    char *page = read_page("index.html"), *rest = page;
    int sections = 0;
    while ((rest = strstr(rest, "<section")) != NULL) {
        char *end = strstr(rest, "</section>");
        assert_non_null(end);
        *end = '\0';
        assert_true(strstr(rest, "<figure ") != NULL || strstr(rest, "<img ") != NULL);
        assert_true(strstr(rest, "<pre>") != NULL || strstr(rest, "report above") != NULL);
        rest = end + 1;
        sections++;
    }
    assert_int_equal(sections, 8);
    free(page);
}

TEST(small_sizes_have_small_units)
{
    char *svg = read_page("step.svg");
    assert_non_null(strstr(svg, "under dyn in 40.0 MiB on "));
    assert_null(strstr(svg, ">0.0 GiB<"));
    free(svg);
}

TEST(a_command_that_fails_ends_it_and_no_page_is_left)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, PYTHON " tools/gallery.py --short --bin @/none --out @/bad");
    vdnn_test_expect(&run, 2, "none/vdnnrun");
    assert_null(strstr(run.err, "Traceback"));
    vdnn_test_run_free(&run);
    assert_int_not_equal(access(vdnn_test_path(folder, "bad/index.html"), F_OK), 0);
}

/* ---- in a browser ---------------------------------------------------------------------------- */

static void look_at(const char *paths)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, PYTHON " tests/support/browser.py %s --out @/seen%s",
                      access(AXE, R_OK) == 0 ? "--axe " AXE : "", paths);
    vdnn_test_expect(&run, 0, "");
    vdnn_text_add(&seen, "%s", run.out);
    vdnn_test_run_free(&run);
}

/* Those that take longer: the whole gallery, and the reports of large networks. */
static void look_at_more(void)
{
    char path[64], *page;
    size_t count;
    make_gallery(folder, "whole", 1);
    vdnn_test_read_file(vdnn_test_path(folder, "whole/index.html"), &page, &count);
    vdnn_test_write_file(vdnn_test_path(folder, "gallery.html"), page, count);
    free(page);
    look_at(" @/gallery.html");
    for (size_t i = 0; i < REPORTS; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, folder, REPORT, reports[i].model, reports[i].budget,
                          reports[i].budgets, reports[i].name, reports[i].name);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        (void)snprintf(path, sizeof path, " @/%s.html", reports[i].name);
        look_at(path);
    }
}

/* Opens all pages, once; the tests read what was found. */
static void look_at_pages(void)
{
    vdnn_text list = {0};
    if (access(BROWSER, X_OK) != 0)
        skip_because("there is no %s: tools/setup.sh check installs it", BROWSER);
    if (seen.data != NULL)
        return;
    for (size_t i = 0; i < PAGES; i++)
        vdnn_text_add(&list, " @/g/%s.html", pages[i]);
    look_at(list.data);
    vdnn_text_fini(&list);
    if (vdnn_test_count(100) == 100)
        look_at_more();
}

/* The value of "PAGE found KEY"; NULL: the page has no such part. */
static const char *found_of(const char *page, const char *key)
{
    static char value[LINE_BYTES];
    char begin[LINE_BYTES];
    (void)snprintf(begin, sizeof begin, "%s found %s ", page, key);
    for (const char *at = seen.data; (at = strstr(at, begin)) != NULL; at++)
        if (at == seen.data || at[-1] == '\n') {
            (void)snprintf(value, sizeof value, "%.*s", (int)strcspn(at + strlen(begin), "\n"),
                           at + strlen(begin));
            return value;
        }
    return NULL;
}

static void expect_none(const char *kind)
{
    for (const char *at = seen.data; *at != '\0'; at += strcspn(at, "\n") + 1)
        if (strncmp(at + strcspn(at, " "), kind, strlen(kind)) == 0)
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
}

/* Calls for each page that was opened. */
static void for_each_page(void (*check)(const char *page))
{
    for (size_t i = 0; i < PAGES; i++)
        check(pages[i]);
    if (vdnn_test_count(100) < 100)
        return;
    check("gallery");
    for (size_t i = 0; i < REPORTS; i++)
        check(reports[i].name);
}

TEST(no_page_complains_or_asks_for_anything)
{
    look_at_pages();
    expect_none(" error ");
}

static bool is_larger(const char *page)
{
    for (size_t i = 0; i < REPORTS; i++)
        if (strcmp(page, reports[i].name) == 0)
            return true;
    return false;
}

/* Of several, with the first of them. */
static void tell_first(const char *page, const char *key, const char *value)
{
    char first[LINE_BYTES], which[LINE_BYTES], is[64];
    (void)snprintf(is, sizeof is, "%s", value);
    (void)snprintf(which, sizeof which, "%s-0", key);
    const char *one = found_of(page, which);
    (void)snprintf(first, sizeof first, "%s", one == NULL ? "" : one);
    fail_msg("%s: %s is %s; %s", page, key, is, first);
}

enum { EVERYWHERE, IN_REPORTS, IN_STUDIES, IN_CARDS };

static void check_use(const char *page)
{
    const bool has_part[] = {[EVERYWHERE] = true,
                             [IN_REPORTS] = strcmp(page, "report") == 0 || is_larger(page),
                             [IN_STUDIES] = strcmp(page, "scale") == 0,
                             [IN_CARDS] = strcmp(page, "cards") == 0};
    static const struct {
        const char *key, *value;
        int where;
    } wanted[] = {
        {"charts", NULL, EVERYWHERE},          {"empty", "0", EVERYWHERE},
        {"outside", "0", EVERYWHERE},          {"covered", "0", EVERYWHERE},
        {"unlabelled", "0", EVERYWHERE},       {"misread", "0", EVERYWHERE},
        {"theme-button", "True", EVERYWHERE},  {"paper-light", "rgb(255, 255, 255)", EVERYWHERE},
        {"ascending", "True", IN_REPORTS},     {"paper-dark", "rgb(20, 24, 30)", EVERYWHERE},
        {"descending", "True", IN_REPORTS},    {"filtered", "True", IN_REPORTS},
        {"sideways-light", "0", EVERYWHERE},   {"shades", "0", EVERYWHERE},
        {"halves-map", "True", IN_REPORTS},    {"halves-memory", "True", IN_REPORTS},
        {"times-map", "True", IN_REPORTS},     {"times-memory", "True", IN_REPORTS},
        {"scrolls-map", "True", IN_REPORTS},   {"scrolls-memory", "True", IN_REPORTS},
        {"wheel-map", "True", IN_REPORTS},     {"wheel-memory", "True", IN_REPORTS},
        {"keys-map", "True", IN_REPORTS},      {"keys-memory", "True", IN_REPORTS},
        {"drag-map", "True", IN_REPORTS},      {"drag-memory", "True", IN_REPORTS},
        {"whole-map", "True", IN_REPORTS},     {"whole-memory", "True", IN_REPORTS},
        {"told-map", "True", IN_REPORTS},      {"told-memory", "True", IN_REPORTS},
        {"pointed-map", "True", IN_REPORTS},   {"pointed-memory", "True", IN_REPORTS},
        {"labelled", "True", IN_REPORTS},      {"lines", "True", IN_REPORTS},
        {"kept", "True", IN_REPORTS},          {"ideal", "True", IN_STUDIES},
        {"rates", "True", IN_CARDS},           {"open-in-print", "True", EVERYWHERE},
        {"closed-again", "True", EVERYWHERE},  {"heads-print", "True", EVERYWHERE},
        {"unsaid-narrow", "0", EVERYWHERE},    {"sideways-dark", "0", EVERYWHERE},
        {"sideways-narrow", "0", EVERYWHERE},  {"sideways-print", "0", EVERYWHERE},
        {"button-light", "False", EVERYWHERE}, {"button-narrow", "False", EVERYWHERE},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const char *value = found_of(page, wanted[i].key);
        if (value == NULL && has_part[wanted[i].where])
            fail_msg("nothing is told of %s in %s", wanted[i].key, page);
        if (value != NULL && wanted[i].value != NULL && strcmp(value, wanted[i].value) != 0)
            tell_first(page, wanted[i].key, value);
    }
    assert_true(strtod(found_of(page, "charts"), NULL) >= 1);
    assert_true(strtod(found_of(page, "contrast-light"), NULL) >= 4.5);
    assert_true(strtod(found_of(page, "contrast-dark"), NULL) >= 4.5);
}

TEST(each_page_can_be_used_and_its_words_are_readable)
{
    look_at_pages();
    for_each_page(check_use);
}

static double sum_of(json_t *rows, const char *key)
{
    double sum = 0;
    json_t *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        json_t *lost = json_object_get(row, "lost"),
               *value = json_object_get(
                   json_is_object(lost) && json_object_get(row, key) == NULL ? lost : row, key);
        sum += json_is_number(value) ? json_number_value(value) : 0;
    }
    return sum;
}

typedef struct column {
    const char *title, *key;
} column;

static void check_sums(const char *page, const char *table, json_t *rows, const column *columns,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char key[128];
        (void)snprintf(key, sizeof key, "sum-%s-%s", table, columns[i].title);
        const char *shown = found_of(page, key);
        const double sum = sum_of(rows, columns[i].key);
        if (shown == NULL || fabs(strtod(shown, NULL) - sum) > 1e-9 * fabs(sum))
            fail_msg("%s: %s adds up to %s, in the JSON to %.17g", page, key,
                     shown == NULL ? "nothing" : shown, sum);
    }
}

static void check_tables(const char *page, const char *path)
{
    static const column of_policies[] = {{"peak", "device_peak_bytes"},
                                         {"average", "device_average_bytes"},
                                         {"arena", "arena_bytes"},
                                         {"host", "host_peak_bytes"},
                                         {"offloaded", "offload_bytes"},
                                         {"recomputed", "recompute_seconds"},
                                         {"step", "step_seconds"},
                                         {"speed", "relative_speed"},
                                         {"smallest", "smallest_bytes"}},
                        of_layers[] = {{"kept_for_backward", "stash_bytes"},
                                       {"workspace", "workspace_bytes"},
                                       {"forward_time", "forward_seconds"},
                                       {"backward_time", "backward_seconds"},
                                       {"stall", "stall_seconds"},
                                       {"exposed_copies", "exposed_copy_seconds"},
                                       {"recomputed", "recompute_seconds"}};
    json_t *root = vdnn_test_json(vdnn_test_path(folder, path)), *row,
           *rows = json_object_get(root, "policies");
    size_t i;
    if (json_is_object(json_object_get(root, "accumulate")))
        (void)json_array_append(rows, json_object_get(root, "accumulate"));
    check_sums(page, "policies", rows, of_policies, sizeof of_policies / sizeof *of_policies);
    json_array_foreach(rows, i, row)
    {
        char table[24];
        (void)snprintf(table, sizeof table, "%zu", i);
        check_sums(page, table, json_object_get(row, "layers"), of_layers,
                   sizeof of_layers / sizeof *of_layers);
    }
    json_decref(root);
}

TEST(the_tables_of_reports_add_up_to_the_json)
{
    char path[64];
    look_at_pages();
    check_tables("report", "g/report.json");
    for (size_t i = 0; i < REPORTS; i++)
        if (vdnn_test_count(100) == 100) {
            (void)snprintf(path, sizeof path, "%s.json", reports[i].name);
            check_tables(reports[i].name, path);
        }
}

/* ---- what is seen ---------------------------------------------------------------------------- */

typedef struct look {
    int colours;       /* up to 64 */
    double background; /* the part that has the colour of the upper left corner */
    unsigned char corner[3];
} look;

static look look_of(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned char colours[64][3], *pixels;
    look seen_there = {0};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    const size_t count = (size_t)image.width * image.height;
    size_t same = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *pixel = pixels + 3 * i;
        int k = 0;
        same += memcmp(pixel, pixels, 3) == 0;
        while (seen_there.colours < 64 && k < seen_there.colours &&
               memcmp(colours[k], pixel, 3) != 0)
            k++;
        if (k == seen_there.colours && k < 64)
            memcpy(colours[seen_there.colours++], pixel, 3);
    }
    seen_there.background = (double)same / (double)count;
    memcpy(seen_there.corner, pixels, 3);
    free(pixels);
    return seen_there;
}

static void check_looks(const char *page)
{
    static const struct {
        const char *name;
        unsigned char paper[3];
    } shots[] = {{"light", {255, 255, 255}},
                 {"dark", {20, 24, 30}},
                 {"narrow", {255, 255, 255}},
                 {"print", {255, 255, 255}}};
    for (size_t i = 0; i < sizeof shots / sizeof *shots; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "seen/%s-%s.png", page, shots[i].name);
        const look it = look_of(vdnn_test_path(folder, name));
        if (memcmp(it.corner, shots[i].paper, 3) != 0 || it.colours < 32 || it.background > 0.98 ||
            it.background < 0.2)
            fail_msg("%s: paper %d %d %d on %.3f of it, %d colours", name, it.corner[0],
                     it.corner[1], it.corner[2], it.background, it.colours);
    }
}

TEST(no_page_is_blank_in_light_dark_print_or_on_a_telephone)
{
    look_at_pages();
    for_each_page(check_looks);
}

static void check_charts(const char *page)
{
    char name[64], *charts;
    size_t count;
    vdnn_test_run run;
    (void)snprintf(name, sizeof name, "seen/%s-charts.xml", page);
    vdnn_test_read_file(vdnn_test_path(folder, name), &charts, &count);
    assert_null(strstr(charts, "NaN"));
    assert_null(strstr(charts, "undefined"));
    assert_null(strstr(charts, "Infinity"));
    free(charts);
    vdnn_test_program(&run, folder, XMLLINT " --noout --huge @/%s", name);
    vdnn_test_expect(&run, 0, "");
    assert_string_equal(run.err, "");
    vdnn_test_run_free(&run);
}

TEST(charts_are_xml_without_numbers_that_are_none)
{
    vdnn_test_run run;
    look_at_pages();
    if (access(XMLLINT, X_OK) != 0)
        skip_because("there is no %s: tools/setup.sh check installs it", XMLLINT);
    for_each_page(check_charts);
    vdnn_test_program(&run, folder, XMLLINT " --noout @/g/step.svg");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

TEST(axe_has_nothing_against_any_page)
{
    look_at_pages();
    if (access(AXE, R_OK) != 0)
        skip_because("there is no " AXE ": tools/setup.sh check takes it from PyPI");
    expect_none(" axe ");
}

int main(void)
{
    return vdnn_test_main(make_pages, remove_pages);
}
