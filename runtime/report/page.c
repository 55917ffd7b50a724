#include "runtime/report/page.h"

#include <string.h>

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:74em;padding:0 1em;"
    "color:#1d2530;background:#fff}"
    "h1{font-size:1.4em}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.3em .7em;border-bottom:1px solid #dde2e8;text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left}tr.no td{color:#a33}tr.best td{font-weight:600}"
    "svg{max-width:100%;height:auto;margin:1em 0}svg text{font:13px system-ui,sans-serif;"
    "fill:#1d2530}.scroll{overflow-x:auto}";

void vdnn_page_add_escaped(vdnn_text *text, const char *words)
{
    for (; *words != '\0'; words++) {
        if (*words == '<' || *words == '>' || *words == '&' || *words == '"')
            vdnn_text_add(text, "&#%d;", *words);
        else
            vdnn_text_add(text, "%c", *words);
    }
}

void vdnn_page_add_plain_markdown(vdnn_text *text, const char *words)
{
    for (; *words != '\0'; words++)
        vdnn_text_add(text, "%s%c", strchr("\\`*_[]<>#|~&!", *words) != NULL ? "\\" : "", *words);
}

void vdnn_page_begin(vdnn_text *text, const char *name, const char *title, const char *heading)
{
    vdnn_text_add(text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    vdnn_page_add_escaped(text, name);
    vdnn_text_add(text, "%s</title><style>%s</style></head>\n<body><h1>", title, style);
    vdnn_page_add_escaped(text, name);
    vdnn_text_add(text, "%s</h1>\n", heading);
}

void vdnn_page_end(vdnn_text *text)
{
    vdnn_text_add(text, "</body></html>\n");
}
