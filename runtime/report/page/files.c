/* The files of the pages, embedded by the assembler: their paths are from the root of the project,
 * where the compiler is run. runtime/library.mk has what depends on them. */

#include "runtime/report/page/page.h"

#include <string.h>

/* symbol, name */
#define FILE_TABLE(X)                                                                              \
    X(report_html, "report.html")                                                                  \
    X(cards_html, "cards.html")                                                                    \
    X(scale_html, "scale.html")                                                                    \
    X(compare_html, "compare.html")                                                                \
    X(head_html, "head.html")                                                                      \
    X(foot_html, "foot.html")                                                                      \
    X(page_css, "page.css")                                                                        \
    X(page_js, "page.js")                                                                          \
    X(charts_js, "charts.js")                                                                      \
    X(explore_js, "explore.js")

#define X(symbol, name)                                                                            \
    __asm__(".pushsection .rodata\n"                                                               \
            ".globl vdnn_page_" #symbol "\n"                                                       \
            ".hidden vdnn_page_" #symbol "\n"                                                      \
            "vdnn_page_" #symbol ":\n"                                                             \
            ".incbin \"runtime/report/page/" name "\"\n"                                           \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const char vdnn_page_##symbol[] __attribute__((visibility("hidden")));
FILE_TABLE(X)
#undef X

const char *vdnn_page_file(const char *name)
{
    static const struct {
        const char *name, *content;
    } files[] = {
#define X(symbol, name) {name, vdnn_page_##symbol},
        FILE_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return files[i].content;
    return NULL;
}
