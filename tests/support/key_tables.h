#ifndef VDNN_TESTS_SUPPORT_KEY_TABLES_H
#define VDNN_TESTS_SUPPORT_KEY_TABLES_H

/* What a network's file may say of layers and optimizers, by the tables that read it, as tables of
 * Markdown: those of models/README.md.
 *
 * Invariant: layers that no file can name are left out. Threads: one.
 *
 *     char *table = vdnn_test_layer_table();
 *     assert_non_null(strstr(page, table));
 *     free(table);
 */

/* The caller frees them; NULL: no memory. */
char *vdnn_test_layer_table(void);
char *vdnn_test_optimizer_table(void);

#endif
