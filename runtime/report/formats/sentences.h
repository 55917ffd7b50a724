#ifndef VDNN_RUNTIME_REPORT_FORMATS_SENTENCES_H
#define VDNN_RUNTIME_REPORT_FORMATS_SENTENCES_H

/* What a report says in words: its headline, its conclusion, and what its figures are. Those that
 * may have nothing to say take what is to stand before and behind, and add neither then.
 *
 * Invariant: none. Threads: pure.
 *
 *     vdnn_report_add_head(report, vdnn_page_add_plain_markdown, &text);
 *     vdnn_report_add_range(report, "\n", "\n", &text);
 */

#include "runtime/report/report.h"

typedef void vdnn_add_words(vdnn_text *text, const char *words);

/* The headline, escaped by `add`; NULL: as it is. */
void vdnn_report_add_head(const vdnn_report *report, vdnn_add_words *add, vdnn_text *text);

/* `mark` is that of the fastest row. */
void vdnn_report_add_conclusion(const vdnn_report *report, const char *mark, vdnn_text *text);

/* What the row of accumulation is; NULL: there is none. */
const char *vdnn_report_accumulation_note(const vdnn_report *report);
const char *vdnn_report_speed_note(const vdnn_report *report);

/* What several devices buy. */
void vdnn_report_add_devices(const vdnn_report *report, const char *before, const char *behind,
                             vdnn_text *text);

/* The rates that the planner uses. */
void vdnn_report_add_link(const vdnn_report *report, vdnn_text *text);

/* How far off the step times may be. */
void vdnn_report_add_range(const vdnn_report *report, const char *before, const char *behind,
                           vdnn_text *text);

/* The figures of a device model by their basis, each in words of its own. */
void vdnn_report_add_figures(const vdnn_report *report, const char *before, const char *behind,
                             vdnn_text *text);

#endif
