#ifndef VDNN_RUNTIME_REPORT_PAGE_H
#define VDNN_RUNTIME_REPORT_PAGE_H

/* What the pages of all reports share: words that a format would misread, a page's head and foot.
 *
 * Invariant: a page is self-contained. Threads: any.
 *
 *     vdnn_page_begin(&text, graph->name, ": memory", ": what each policy needs");
 *     vdnn_page_add_escaped(&text, words);
 *     vdnn_page_end(&text);
 */

#include "runtime/base/text.h"

/* In HTML: as numeric character references. */
void vdnn_page_add_escaped(vdnn_text *text, const char *words);
/* In Markdown: by a backslash. */
void vdnn_page_add_plain_markdown(vdnn_text *text, const char *words);

/* The title is `name` and `title`, the heading `name` and `heading`. */
void vdnn_page_begin(vdnn_text *text, const char *name, const char *title, const char *heading);
void vdnn_page_end(vdnn_text *text);

#endif
