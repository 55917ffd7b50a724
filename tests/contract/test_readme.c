/* What README.md shows works, and is so short that it is read. */

#include "tests/support/pictures.h"
#include "tests/support/run_json.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"

enum { MOST_LINES = 160, MOST_BYTES = 12000, LINE_BYTES = 1024 };

static void read_text(const char *path, char **text)
{
    size_t count;
    vdnn_test_read_file(path, text, &count);
}

/* Between the line ```TYPE that is followed by FIRST and the next ```. */
static char *block_of(const char *type, const char *first)
{
    char *text, begin[LINE_BYTES];
    read_text("README.md", &text);
    (void)snprintf(begin, sizeof begin, "\n```%s\n%s", type, first);
    const char *from = strstr(text, begin);
    assert_non_null(from);
    from = strstr(from + 1, "\n") + 1;
    const char *to = strstr(from, "```");
    assert_non_null(to);
    char *block = strndup(from, (size_t)(to - from));
    free(text);
    return block;
}

static void put(const char *folder, const char *name, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), text, strlen(text));
}

static void replace(char *line, const char *what, const char *by)
{
    char fresh[LINE_BYTES], *at = strstr(line, what);
    if (at == NULL)
        return;
    (void)snprintf(fresh, sizeof fresh, "%.*s%s%s", (int)(at - line), line, by, at + strlen(what));
    memcpy(line, fresh, sizeof fresh);
}

TEST(it_is_short)
{
    char *text;
    int lines = 0;
    read_text("README.md", &text);
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_in_range(lines, 50, MOST_LINES);
    assert_in_range(strlen(text), 1000, MOST_BYTES);
    free(text);
}

TEST(its_links_lead_to_files)
{
    char *text;
    int links = 0;
    read_text("README.md", &text);
    for (char *at = text; (at = strstr(at, "](")) != NULL; links++) {
        char *end = strchr(at, ')');
        assert_non_null(end);
        char *path = strndup(at + 2, (size_t)(end - at) - 2);
        if (access(path, R_OK) != 0)
            fail_msg("README.md leads to %s, which is not there", path);
        free(path);
        at = end;
    }
    assert_in_range(links, 10, 100);
    free(text);
}

/* What it calls files, and where a test has them. */
static const struct {
    const char *shown, *run;
} files[] = {{"mine.yaml", "@/mine.yaml"},
             {"mine.onnx", "@/mine.onnx"},
             {"--save cells", "--save @/cells"},
             {"--init cells", "--init @/cells"},
             {"--init run", "--init @/run"},
             {"--export cells", "--export @/cells"},
             {"--out ", "--out @/"},
             {"PICTURES", "@/pictures"},
             {"images:CELLS", "images:@/cells"},
             {"cifar10:DIR", "cifar10:@/cifar"},
             {"report.html", "@/report.html"},
             {"gpt.safetensors", "@/gpt.safetensors"},
             {"--checkpoint ", "--checkpoint @/"}};

/* Runs each line of the block that begins so; trainings make two steps more. Returns how many. */
static int run_block(const char *folder, const char *first)
{
    char *commands = block_of("", first), *rest = commands;
    int count = 0;
    for (char *shown = strsep(&rest, "\n"); shown != NULL; shown = strsep(&rest, "\n")) {
        char line[LINE_BYTES], *remark = strstr(shown, "  ");
        vdnn_test_run run;
        if (shown[0] == '\0')
            continue;
        assert_non_null(remark);
        *remark = '\0';
        const bool trains =
            strstr(shown, "vdnnrun") != NULL && strstr(shown, "--explain") == NULL &&
            strstr(shown, "--predict") == NULL && strstr(shown, "--evaluate") == NULL &&
            strstr(shown, "--generate") == NULL;
        (void)snprintf(line, sizeof line, "%s%s", shown + strlen("build/bin/"),
                       !trains                             ? ""
                       : strstr(shown, "--epochs") == NULL ? " --steps 2"
                                                           : " --steps 4");
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            replace(line, files[f].shown, files[f].run);
        replace(line, " --epochs 9", "");
        vdnn_test_program(&run, folder, "%s", line);
        if (run.code != 0)
            fail_msg("%s: exit code %d: %s", shown, run.code, run.err);
        vdnn_test_run_free(&run);
        count++;
    }
    free(commands);
    return count;
}

static void write_mine(const char *folder)
{
    char *network = block_of("yaml", "name: mine");
    put(folder, "mine.yaml", network);
    free(network);
}

/* Data that is nobody's but the reader's is made up. */
TEST_IN_FOLDER(its_commands_run)
{
    write_mine(*state);
    assert_true(run_block(*state, "build/bin/vdnnrun --model mine.yaml --device-mem") >= 8);
}

enum { RECORD_BYTES = 1 + 3 * 32 * 32, RECORDS = 130, CELLS = 34 };

static void write_cifar(const char *folder)
{
    static const char *const names[] = {"cifar/data_batch_1.bin", "cifar/test_batch.bin"};
    static unsigned char records[RECORDS][RECORD_BYTES];
    for (int r = 0; r < RECORDS; r++)
        for (int i = 0; i < RECORD_BYTES; i++)
            records[r][i] = (unsigned char)(i == 0 ? r % 10 : (r * 31 + i * (r % 10)) % 256);
    vdnn_test_make_below(folder, "cifar");
    for (int part = 0; part < 2; part++)
        vdnn_test_write_file(vdnn_test_path(folder, names[part]), (const char *)records,
                             sizeof records);
}

static void write_cells(const char *folder)
{
    static const char *const classes[] = {"EOSINOPHIL", "LYMPHOCYTE", "MONOCYTE", "NEUTROPHIL"};
    static const char *const parts[] = {"train", "test"};
    char place[64];
    vdnn_test_make_below(folder, "cells");
    for (int p = 0; p < 2; p++) {
        (void)snprintf(place, sizeof place, "cells/%s", parts[p]);
        vdnn_test_make_below(folder, place);
        for (int c = 0; c < 4; c++) {
            (void)snprintf(place, sizeof place, "cells/%s/%s", parts[p], classes[c]);
            vdnn_test_make_below(folder, place);
            for (int i = c; i < CELLS; i += 4) {
                (void)snprintf(place, sizeof place, "cells/%s/%s/%d.png", parts[p], classes[c], i);
                vdnn_test_write_picture(vdnn_test_path(folder, place), 24, 32, 100 * p + i);
            }
        }
    }
}

/* Training, evaluating and predicting, of small data of those kinds. */
TEST_IN_FOLDER(its_way_from_data_to_predictions_runs)
{
    char *text;
    size_t bytes;
    write_mine(*state);
    write_cifar(*state);
    write_cells(*state);
    vdnn_test_make_below(*state, "pictures");
    vdnn_test_write_picture(vdnn_test_path(*state, "pictures/1.png"), 40, 50, 1);
    assert_int_equal(run_block(*state, "build/bin/vdnnrun --model mine.yaml --data"), 12);
    vdnn_test_read_file(vdnn_test_path(*state, "cells.csv"), &text, &bytes);
    assert_non_null(strstr(text, "file,class,probability\n1.png,"));
    free(text);
}

/* `make demo`, `make gallery` and the others, in its blocks and its text; what they do is tested by
 * test_demo, test_gallery and test_install, and `check` is what runs this. */
TEST_IN_FOLDER(what_it_makes_can_be_made)
{
    char *text, target[64], line[80];
    vdnn_test_run run;
    int count = 0;
    read_text("README.md", &text);
    vdnn_test_program(&run, *state, "/usr/bin/make -s help");
    vdnn_test_expect(&run, 0, "");
    for (char *at = text; (at = strstr(at, "make ")) != NULL; at++) {
        const bool shown = at > text && strchr("\n` ", at[-1]) != NULL;
        if (!shown || sscanf(at, "make %60[a-z-]", target) != 1)
            continue;
        (void)snprintf(line, sizeof line, "\n  %s ", target);
        const bool command = at[-1] == '`' || at[-1] == '\n' || (at > text + 1 && at[-2] == '$');
        if (command && strstr(run.out, line) == NULL)
            fail_msg("`make help` has no target '%s', which README.md shows", target);
        count += command;
    }
    assert_true(count >= 6);
    vdnn_test_run_free(&run);
    free(text);
}

/* The row of RESULTS.md that begins as the README's has all its cells, in their order. */
static void expect_row(char *results, char *row)
{
    char begin[LINE_BYTES], line[LINE_BYTES], *at = line;
    const char *second = strchr(row + 2, '|');
    assert_non_null(second);
    (void)snprintf(begin, sizeof begin, "\n%.*s|", (int)(second - row), row);
    const char *there = strstr(results, begin);
    if (there == NULL) {
        fail_msg("RESULTS.md has no row '%s'", begin + 1);
        return;
    }
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(there + 1, "\n"), there + 1);
    for (char *cell = strtok(row, "|"); cell != NULL; cell = strtok(NULL, "|")) {
        char *found = strstr(at, cell);
        if (found == NULL) {
            fail_msg("'%s' does not stand in: %s", cell, line);
            return;
        }
        at = found + strlen(cell);
    }
}

TEST(its_numbers_stand_in_the_results)
{
    char *text, *results, *rest;
    int rows = 0;
    read_text("README.md", &text);
    read_text("tests/bench/RESULTS.md", &results);
    rest = strstr(text, "\n## Measured");
    assert_non_null(rest);
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        if (strncmp(line, "## Beside", 9) == 0)
            break;
        if (strstr(line, " MiB |") != NULL) {
            expect_row(results, line);
            rows++;
        }
    }
    assert_int_equal(rows, 3);
    free(text);
    free(results);
}

/* "two to four times PyTorch's speed": the least and the most of the table below. */
TEST(its_speed_is_that_of_its_table)
{
    char *text, *rest;
    double ours, theirs, least = 1e9, most = 0;
    read_text("README.md", &text);
    assert_non_null(strstr(text, "two to four times PyTorch's speed"));
    rest = strstr(text, "\n## Measured");
    assert_non_null(rest);
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n"))
        if (strstr(line, " MiB |") != NULL &&
            sscanf(line, "| %*[^|]| %lf | %lf |", &ours, &theirs) == 2) {
            least = fmin(least, ours / theirs);
            most = fmax(most, ours / theirs);
        }
    assert_int_equal(lround(least), 2);
    assert_int_equal(lround(most), 4);
    free(text);
}

/* Those that it shows are drawn anew, and compared byte by byte: a clone has no times of files. */
TEST_IN_FOLDER(its_pictures_are_what_the_programs_draw_now)
{
    vdnn_test_run run;
    char *text, *rest, *at, path[LINE_BYTES];
    int pictures = 0;
    if (access(PYTHON, X_OK) != 0)
        skip_because("there is no " PYTHON);
    vdnn_test_program(&run, *state, PYTHON " tools/gallery.py --bin %s --pictures @",
                      vdnn_test_bin());
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    read_text("README.md", &text);
    for (rest = text; (at = strstr(rest, "![")) != NULL; pictures++) {
        assert_int_equal(sscanf(at, "![%*[^]]](%1000[^)])", path), 1);
        if (access(vdnn_test_path(*state, path), R_OK) != 0)
            fail_msg("`make pictures` does not draw %s", path);
        char *shown, *drawn;
        read_text(path, &shown);
        read_text(vdnn_test_path(*state, path), &drawn);
        if (strcmp(shown, drawn) != 0)
            fail_msg("%s is older than what it shows: `make pictures` draws it anew", path);
        free(shown);
        free(drawn);
        rest = at + 2;
    }
    assert_true(pictures > 0);
    free(text);
}

/* "takes 15.5 GiB", and "the same time" in 12 GiB. */
TEST_IN_FOLDER(its_first_claim_is_what_is_planned)
{
    char *text, shown[32];
    double whole, least;
    read_text("README.md", &text);
    const char *at = strstr(text, "VGG-19 at batch 256 takes ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "VGG-19 at batch 256 takes %lf GiB. In %lf GiB", &whole, &least),
                     2);
    for (int i = 0; i < 2; i++) {
        vdnn_test_run_to(*state, 0, "",
                         i == 0 ? "vdnnrun --model vgg19 --batch 256 --device sim:titan-x-maxwell "
                                  "--host-mem 64GiB --dry-run --json @/p.json --device-mem 1TiB"
                                : "vdnnrun --model vgg19 --batch 256 --device sim:titan-x-maxwell "
                                  "--host-mem 64GiB --dry-run --json @/p.json --device-mem 12GiB");
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "p.json")),
               *plan = vdnn_test_object_at(root, "plan");
        (void)snprintf(shown, sizeof shown, "%.1f",
                       vdnn_test_number_at(plan, "arena_bytes") / (1 << 30));
        if (i == 0)
            assert_true(strtod(shown, NULL) == whole);
        else
            assert_true(least == 12 && strtod(shown, NULL) <= least);
        assert_true(vdnn_test_number_at(plan, "step_seconds") <=
                    1.0005 * vdnn_test_number_at(plan, "oracle_step_seconds"));
        json_decref(root);
    }
    free(text);
}

TEST(it_counts_the_cards)
{
    char *text;
    int cards = 0, models = 0;
    read_text("README.md", &text);
    const char *at = strstr(text, "| `sim:NAME` | ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "| `sim:NAME` | %d cards", &cards), 1);
    struct dirent *entry;
    DIR *folder = opendir("models/devices");
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        models += strstr(entry->d_name, ".yaml") != NULL;
    (void)closedir(folder);
    assert_int_equal(cards, models);
    free(text);
}
