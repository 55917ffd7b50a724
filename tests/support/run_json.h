#ifndef VDNN_TESTS_SUPPORT_RUN_JSON_H
#define VDNN_TESTS_SUPPORT_RUN_JSON_H

/* What the programs write as JSON: its fields, by key, and what holds of every plan in it.
 *
 * Invariant: a field that is missing or of another kind fails the test and is named.
 * Threads: one.
 *
 *     vdnn_test_network(folder);
 *     json_t *root = vdnn_test_run_json(folder, "--policy all --steps 2");
 *     vdnn_test_check_plan(vdnn_test_object_at(root, "plan"));
 *     assert_int_equal(vdnn_test_integer_at(root, "batch"), 8);
 *     json_decref(root);
 */

#include "tests/support/run_program.h"

/* Every policy with each mode of its algorithms, as options, in the order of the report's rows. */
enum { VDNN_TEST_MODES = 8 };
extern const char *const vdnn_test_modes[VDNN_TEST_MODES];

/* What is returned belongs to the object. */
json_int_t vdnn_test_integer_at(json_t *object, const char *key);
double vdnn_test_number_at(json_t *object, const char *key);
const char *vdnn_test_text_at(json_t *object, const char *key);
json_t *vdnn_test_object_at(json_t *object, const char *key);

/* Runs vdnnrun on FOLDER/net.yaml to success and returns its JSON, the caller's, which is left in
 * FOLDER/run.json. */
json_t *vdnn_test_run_json(const char *folder, const char *arguments);

/* The JSON that a page has in it; the caller's. */
json_t *vdnn_test_page_json(const char *page);

/* Every field of a plan is there, and what they say of each other holds. */
void vdnn_test_check_plan(json_t *plan);

#endif
