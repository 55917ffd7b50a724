#include "runtime/report/page/page.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static void expect_filled(const char *page, const json_t *value, const char *wanted)
{
    vdnn_text text = {0};
    vdnn_page_fill(page, value, &text);
    assert_string_equal(text.data == NULL ? "" : text.data, wanted);
    vdnn_text_fini(&text);
}

TEST(tags_stand_for_values)
{
    json_t *value = json_pack("{s:s, s:i, s:f, s:b, s:n, s:{s:{s:i}}}", "word", "a<b & \"c\"",
                              "count", 7, "real", 0.1, "yes", 1, "nothing", "a", "b", "c", 3);
    static const struct {
        const char *page, *filled;
    } cases[] = {
        {"no tag", "no tag"},
        {"{{word}}", "a&#60;b &#38; &#34;c&#34;"},
        {"{{count}} {{yes}} {{a.b.c}}", "7 yes 3"},
        {"{{real}}", "0.10000000000000001"},
        {"[{{nothing}}{{absent}}{{a.x.c}}]", "[]"},
        {"{{count:bytes}}, {{real:seconds}}, {{count:seconds}}, {{real:ratio}}",
         "7 B, 100.000 ms, 7.000 s, 0.100"},
        {"[{{absent:bytes}}{{nothing:seconds}}{{word:ratio}}]", "[]"},
        {"{{word:script}}", "\"a\\u003cb & \\\"c\\\"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_filled(cases[i].page, value, cases[i].filled);
    json_decref(value);
}

TEST(sections_are_repeated_or_left_out)
{
    json_t *value = json_pack("{s:[{s:s, s:[i, i]}, {s:s, s:[]}], s:s, s:{s:s}, s:b, s:s}", "rows",
                              "name", "one", "numbers", 1, 2, "name", "two", "numbers", "outer",
                              "o", "object", "inner", "i", "no", 0, "empty", "");
    static const struct {
        const char *page, *filled;
    } cases[] = {
        {"{{#rows}}<{{name}}{{outer}}>{{/rows}}", "<oneo><twoo>"},
        {"{{#rows}}{{#numbers}}{{.}},{{/numbers}}{{^numbers}}none{{/numbers}};{{/rows}}",
         "1,2,;none;"},
        {"{{#object}}{{inner}}{{outer}}{{/object}}", "io"},
        {"{{#absent}}x{{#rows}}y{{/rows}}{{/absent}}z", "z"},
        {"{{^absent}}x{{/absent}}{{^rows}}y{{/rows}}", "x"},
        {"{{#no}}x{{/no}}{{#empty}}y{{/empty}}{{^no}}z{{/no}}", "z"},
        {"{{#outer}}[{{.}}]{{/outer}}", "[o]"},
        {"{{#rows}}{{#rows}}{{name}}{{/rows}} {{/rows}}", "onetwo onetwo "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_filled(cases[i].page, value, cases[i].filled);
    json_decref(value);
}

/* No script of a page ends early, none needs the network, and every file that a page names is
 * there. */
TEST(embedded_files_are_whole)
{
    static const char *const scripts[] = {"charts.js", "page.js"};
    static const char *const pages[] = {"report.html", "cards.html", "scale.html", "compare.html"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const char *script = vdnn_page_file(scripts[i]);
        assert_non_null(script);
        assert_null(strstr(script, "</script"));
        assert_null(strstr(script, "http"));
    }
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        vdnn_text text = {0};
        assert_int_equal(vdnn_page_write(pages[i], json_pack("{s:{}}", "report"), &text), VDNN_OK);
        assert_non_null(strstr(text.data, "</html>\n"));
        assert_null(strstr(text.data, "{{"));
        assert_null(strstr(text.data, "http"));
        vdnn_text_fini(&text);
    }
    assert_null(vdnn_page_file("no.html"));
    vdnn_text text = {0};
    assert_int_equal(vdnn_page_write("report.html", NULL, &text), VDNN_NO_MEMORY);
    vdnn_text_fini(&text);
}
