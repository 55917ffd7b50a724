#ifndef VDNN_TESTS_SUPPORT_STATED_FORMS_H
#define VDNN_TESTS_SUPPORT_STATED_FORMS_H

/* Why the checker refuses plans whose bytes are right: the forms that checker.h states. A refusal
 * of such a plan for any other reason is a rule that nobody stated.
 *
 * Threads: any.
 *
 *     const int form = vdnn_stated_form_of(vdnn_status_message());
 *     if (form < 0) ...
 *     print_message("%d refused by %s\n", counts[form], vdnn_stated_form_name(form));
 */

enum { VDNN_STATED_FORMS = 6 };

/* By the message of a refusal; -1: it is no stated form. */
int vdnn_stated_form_of(const char *message);
const char *vdnn_stated_form_name(int form);

#endif
