/* The pages that are also man pages say what the programs do: tables of keys are those of the code,
 * every key of JSON is explained, and a reader of man pages understands them. */

#include "tests/support/key_tables.h"
#include "tests/support/pictures.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"
#include "tests/support/vdnn_test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64, MOST_WORDS = 400, LINE_BYTES = 256 };

typedef struct words {
    int count;
    char at[MOST_WORDS][WORD_BYTES];
} words;

static bool has(const words *all, const char *word)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->at[i], word) == 0)
            return true;
    return false;
}

static void add(words *all, const char *word, size_t length)
{
    char own[WORD_BYTES];
    assert_in_range(length, 1, WORD_BYTES - 1);
    (void)snprintf(own, sizeof own, "%.*s", (int)length, word);
    if (has(all, own))
        return;
    assert_in_range(all->count, 0, MOST_WORDS - 1);
    memcpy(all->at[all->count++], own, sizeof own);
}

/* ---- tables of keys -------------------------------------------------------------------------- */

static void the_page_has_the_table(const char *page, char *table)
{
    char *text;
    size_t count;
    assert_non_null(table);
    vdnn_test_read_file(page, &text, &count);
    if (strstr(text, table) == NULL)
        fail_msg("%s does not have this table:\n%s", page, table);
    free(text);
    free(table);
}

TEST_IN_FOLDER(the_keys_of_networks_are_those_of_the_code)
{
    the_page_has_the_table("models/README.md", vdnn_test_layer_table());
    the_page_has_the_table("models/README.md", vdnn_test_optimizer_table());
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The words in backquotes, of a line up to its first column's end or of all. */
static void add_quoted(words *all, const char *from, const char *to)
{
    while ((from = memchr(from, '`', (size_t)(to - from))) != NULL) {
        const char *end = memchr(from + 1, '`', (size_t)(to - from - 1));
        assert_non_null(end);
        if (islower((unsigned char)from[1]) && memchr(from, '.', (size_t)(end - from)) == NULL)
            add(all, from + 1, (size_t)(end - from - 1));
        from = end + 1;
    }
}

static void read_page(const char *path, words *explained, words *rows)
{
    char *text;
    size_t count;
    vdnn_test_read_file(path, &text, &count);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        add_quoted(explained, line, line + strlen(line));
        if (strncmp(line, "| `", 3) == 0)
            add_quoted(rows, line, strchr(line + 2, '|'));
    }
    free(text);
}

static void add_keys(words *all, json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach(value, key, item)
    {
        add(all, key, strlen(key));
        add_keys(all, item);
    }
    json_array_foreach(value, i, item) add_keys(all, item);
}

/* FOLDER/set: a picture in each of the network's ten classes. */
static void write_pictures(const char *folder)
{
    vdnn_test_picture picture = vdnn_test_gradient(12, 12, 1, 0);
    vdnn_test_blob file = vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_make_below(folder, "set");
    for (int i = 0; i < 10; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "set/%d", i);
        vdnn_test_make_below(folder, name);
        (void)snprintf(name, sizeof name, "set/%d/picture.png", i);
        vdnn_test_write_file(vdnn_test_path(folder, name), file.bytes, file.count);
    }
    free(file.bytes);
    free(picture.pixels);
}

TEST_IN_FOLDER(every_key_of_json_is_explained)
{
    static words explained, rows, written;
    static const char *const commands[] = {
        "vdnnrun --steps 1 --model @/net.yaml --quiet",
        "vdnnreport --model @/net.yaml --quiet --budgets 1GiB --run @/out.json",
        ("vdnnrun --steps 1 --model @/net.yaml --quiet --optimizer adam --policy all --disk @ "
         "--devices 2"),
        "vdnnrun --dry-run --model @/net.yaml --quiet --stages 2",
        "vdnnrun --dry-run --model vgg16 --batch 64 --device sim:titan-x-maxwell --quiet",
        "vdnnrun --max-batch --model lenet --device sim:v100 --policy base --device-mem 64MiB",
        "vdnnrun --explain --model lenet --device sim:v100 --policy base --device-mem 64MiB",
        "vdnnreport --model lenet --device sim:v100",
        "vdnnreport --compare @/out.json @/out.json",
        "vdnnreport --model lenet --device sim:v100 --devices 2",
        "vdnnreport --model lenet --device sim:v100,t4 --price t4=1",
        "vdnnrun --steps 1 --model @/net.yaml --quiet --stages 2",
        "vdnnscale --model lenet --device sim:p100 --devices 1,2 --hybrid",
        ("vdnnscale --model @/net.yaml --device cpu --devices 1 --data npy:@ --test-data npy:@ "
         "--converge 1 --epochs 1"),
        ("vdnnrun --steps 1 --model @/net.yaml --quiet --data images:@/set --test-data "
         "images:@/set "
         "--eval-every 1"),
        "vdnnrun --evaluate --model @/net.yaml --quiet --data images:@/set",
        "vdnnrun --steps 1 --model @/tied.yaml --quiet --data tokens16:@/text",
        "vdnnrun --generate 5 --model @/tied.yaml --quiet --unified-mem 64MiB",
        "vdnnrun --evaluate --model @/masks.yaml --quiet",
    };
    read_page("tools/json.md", &explained, &rows);
    vdnn_test_network(*state);
    vdnn_test_images(*state, 32);
    write_pictures(*state);
    vdnn_test_write_below(*state, "tied.yaml", vdnn_tied_network);
    vdnn_test_write_below(*state, "masks.yaml",
                          "name: masks\ninput: {channels: 2, height: 4, width: 4}\nclasses: 2\n"
                          "batch: 2\nlayers: [{name: cells, type: to_sequence}, {name: fc, type: "
                          "fc, out: 2}, {name: loss, type: dice}]\n");
    vdnn_test_write_file(vdnn_test_path(*state, "text"), (const char[512]){0}, 512);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[LINE_BYTES];
        (void)snprintf(command, sizeof command, "%s --json @/out.json", commands[i]);
        vdnn_test_run_to(*state, 0, "", command);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "out.json"));
        add_keys(&written, root);
        json_decref(root);
    }
    assert_in_range(written.count, 60, MOST_WORDS);
    for (int i = 0; i < written.count; i++)
        if (!has(&explained, written.at[i]))
            fail_msg("tools/json.md does not explain `%s`", written.at[i]);
    for (int i = 0; i < rows.count; i++)
        if (!has(&written, rows.at[i]))
            fail_msg("tools/json.md explains `%s`, which no program wrote", rows.at[i]);
}

/* ---- man pages ------------------------------------------------------------------------------- */

TEST_IN_FOLDER(every_page_is_a_man_page_without_a_warning)
{
    static const char script[] =
        "for page in README.md models/README.md models/devices/README.md tools/json.md; do\n"
        "    awk -v name=page -v section=7 -v what=words -v version=0 -f tools/generate/page.awk "
        "$page >$1/page.7 &&\n"
        "    man --warnings=w -l $1/page.7 2>&1 >$1/page.txt | sed \"s|^|$page: |\"\n"
        "    [ $(wc -l <$1/page.txt) -gt 20 ] || echo \"$page: no page\"\n"
        "    grep -n '](' $1/page.txt\n"
        "done\n";
    vdnn_test_run run;
    if (system("command -v man >/dev/null && command -v groff >/dev/null") != 0)
        skip_because("there is no reader of man pages");
    vdnn_test_write_file(vdnn_test_path(*state, "script"), script, sizeof script - 1);
    vdnn_test_program(&run, *state, "MANROFFOPT=-ww /bin/sh @/script @");
    assert_string_equal(run.out, "");
    vdnn_test_run_free(&run);
}
