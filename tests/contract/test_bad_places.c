/* Files that are missing or of another kind: folders, links, devices, permissions and names of
 * files.
 */

#include "tests/support/bad_case.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(cases) vdnn_test_expect_refused(*state, cases, sizeof(cases) / sizeof((cases)[0]))

static void make_link(const char *folder, const char *name, const char *to)
{
    assert_int_equal(symlink(to, vdnn_test_path(folder, name)), 0);
}

/* ---- what is not where it should be ---------------------------------------------------------- */

TEST_IN_FOLDER(empty_folders_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data idx:@/empty", "empty",
         "has no file train-images-idx3-ubyte"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/empty", "empty/images.npy", "No such file"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/empty", "empty",
         "has no file data_batch_*.bin"},
        {3, "vdnnrun --model @/net.yaml --data images:@/empty", "empty",
         "expected one for each class, with its pictures in it"},
        {6, "vdnnrun --model @/net.yaml --resume @/empty", "empty", "there is no checkpoint in it"},
    };
    vdnn_test_network(*state);
    vdnn_test_make_below(*state, "empty");
    CHECK(cases);
}

TEST_IN_FOLDER(loops_of_links_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/loop --dry-run", "loop", "neither a file nor one of the networks"},
        {3, "vdnnrun --model @/net.yaml --init @/loop", "loop", "Too many levels"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/loop", "loop", "Too many levels"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/cifar", "data_batch_1.bin",
         "Too many levels"},
        {3, "vdnnrun --model @/two.yaml --data images:@/below", "below/a/b", "is a folder"},
        {3, "vdnnrun --model @/two.yaml --data images:@/picture", "picture/a/1.png",
         "Too many levels"},
        {6, "vdnnrun --model @/net.yaml --checkpoint @/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data images:@/loop", "loop", "Too many levels"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/loop", "loop",
         "neither a file nor one of the device models"},
        {6, "vdnnrun --model @/net.yaml --resume @/loop", "loop", "Too many levels"},
    };
    vdnn_test_network(*state);
    vdnn_test_write_below(*state, "two.yaml", VDNN_TEST_NETWORK_OF("2"));
    make_link(*state, "loop", "pool");
    make_link(*state, "pool", "loop");
    vdnn_test_make_below(*state, "cifar");
    make_link(*state, "cifar/data_batch_1.bin", "data_batch_1.bin");
    vdnn_test_make_below(*state, "below");
    vdnn_test_make_below(*state, "below/a");
    vdnn_test_make_below(*state, "below/c");
    make_link(*state, "below/a/b", "../..");
    vdnn_test_make_below(*state, "picture");
    vdnn_test_make_below(*state, "picture/a");
    vdnn_test_make_below(*state, "picture/c");
    make_link(*state, "picture/a/1.png", "1.png");
    CHECK(cases);
}

TEST_IN_FOLDER(folders_and_devices_in_the_place_of_files_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/dir --dry-run", "dir", "neither a file nor one of the networks"},
        {3, "vdnnrun --model @/net.yaml --init @/dir", "dir", "is not a regular file"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/dir", "dir", "Is a directory"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/dir", "dir", "Is a directory"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/dir", "images.npy", "is not a regular file"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/net.yaml", "net.yaml", "Not a directory"},
        {3, "vdnnrun --model @/net.yaml --init /dev/zero", "/dev/zero", "is not a regular file"},
        {3, "vdnnrun --model @/net.yaml --data images:@/net.yaml", "net.yaml", "Not a directory"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/dir", "dir",
         "neither a file nor one of the device models"},
        {6, "vdnnrun --model @/net.yaml --resume @/net.yaml", "net.yaml", "Not a directory"},
        {6, "vdnnrun --model @/net.yaml --resume @/run", "manifest.json", "is not a regular file"},
        {6, "vdnnrun --model @/net.yaml --checkpoint @/net.yaml", "--checkpoint",
         "net.yaml is not a folder"},
        {6, "vdnnrun --model @/net.yaml --checkpoint @/net.yaml/c", "--checkpoint",
         "net.yaml is not a folder"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/dir", "data_batch_1.bin",
         "is not a regular file"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/dir", "train-images-idx3-ubyte",
         "is not a regular file"},
        {3, "vdnnrun --model @/two.yaml --data images:@/pictures", "pictures/a/1.png",
         "is a folder, where the pictures of class 'a' are expected"},
        {3, "vdnnrun --model /dev/zero --dry-run", "/dev/zero", "has more than 16777216 bytes"},
        {3, "vdnnrun --model @/net.yaml --init @/pipe", "pipe", "is not a regular file"},
    };
    vdnn_test_network(*state);
    vdnn_test_write_below(*state, "two.yaml", VDNN_TEST_NETWORK_OF("2"));
    vdnn_test_make_below(*state, "dir");
    vdnn_test_make_below(*state, "dir/images.npy");
    vdnn_test_make_below(*state, "dir/data_batch_1.bin");
    vdnn_test_make_below(*state, "dir/train-images-idx3-ubyte");
    vdnn_test_make_below(*state, "pictures");
    vdnn_test_make_below(*state, "pictures/a");
    vdnn_test_make_below(*state, "pictures/c");
    vdnn_test_make_below(*state, "pictures/a/1.png");
    vdnn_test_make_below(*state, "run");
    vdnn_test_make_below(*state, "run/step-00000004");
    vdnn_test_make_below(*state, "run/step-00000004/manifest.json");
    assert_int_equal(mkfifo(vdnn_test_path(*state, "pipe"), 0600), 0);
    CHECK(cases);
}

TEST_IN_FOLDER(outputs_that_cannot_be_files_are_refused_before_any_work)
{
    static const char *const lines[] = {"vdnnrun --model @/net.yaml --steps 20 --json",
                                        "vdnnrun --model @/net.yaml --steps 20 --save",
                                        "vdnnrun --model @/net.yaml --steps 20 --trace",
                                        "vdnnrun --model @/net.yaml --steps 20 --profile",
                                        "vdnnreport --model @/net.yaml --json",
                                        "vdnnreport --model @/net.yaml --csv",
                                        "vdnnreport --model @/net.yaml --markdown",
                                        "vdnnreport --model @/net.yaml --html"};
    static const char *const places[] = {"@/dir", "@/net.yaml/x", "@/none/x", "/dev/full",
                                         "@/loop"};
    vdnn_test_network(*state);
    vdnn_test_make_below(*state, "dir");
    make_link(*state, "loop", "loop");
    int before = vdnn_test_folder_count(*state);
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++)
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            vdnn_test_run run;
            vdnn_test_program(&run, *state, "%s %s", lines[l], places[p]);
            vdnn_test_expect(&run, 6, strrchr(places[p], '/'));
            vdnn_test_run_free(&run);
            assert_int_equal(vdnn_test_folder_count(*state), before);
        }
}

/* As a disk that is full: the file of before stays, and there is no half of the next. */
TEST_IN_FOLDER(a_report_that_is_cut_off_leaves_the_earlier_file)
{
    static const char *const formats[] = {"json", "csv", "markdown", "html"};
    static const char earlier[] = "the earlier report";
    const struct rlimit small = {256, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    vdnn_test_write_below(*state, "r", earlier);
    const int before = vdnn_test_folder_count(*state);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        vdnn_test_run run;
        char *text;
        size_t length;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        vdnn_test_program(&run, *state,
                          "vdnnreport --model lenet --device sim:titan-x-maxwell --policies base "
                          "--quiet --%s @/r",
                          formats[i]);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
        vdnn_test_expect(&run, 6, "r: cannot be written: File too large");
        vdnn_test_run_free(&run);
        vdnn_test_read_file(vdnn_test_path(*state, "r"), &text, &length);
        assert_int_equal(length, strlen(earlier));
        assert_memory_equal(text, earlier, length);
        free(text);
        assert_int_equal(vdnn_test_folder_count(*state), before);
    }
}

/* Standard output is a file too: what could not be written there is no success. */
TEST_IN_FOLDER(a_full_standard_output_is_an_error)
{
    static const char *const lines[] = {
        "vdnnreport",          "vdnnreport --algorithms",     "vdnnreport --json -",
        "vdnnreport --html -", "vdnnrun --steps 1 --verbose", "vdnnrun --explain"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        vdnn_test_run run;
        vdnn_text script = {0};
        vdnn_text_add(&script,
                      "exec %s/%s --model lenet --device sim:titan-x-maxwell --plan-trials 10 "
                      "> /dev/full\n",
                      vdnn_test_bin(), lines[i]);
        vdnn_test_write_below(*state, "full.sh", script.data);
        vdnn_text_fini(&script);
        vdnn_test_program(&run, *state, "/bin/sh @/full.sh");
        vdnn_test_expect(&run, 6, "standard output cannot be written");
        vdnn_test_run_free(&run);
    }
}

/* As after `| head`: nobody is left to be told. */
TEST_IN_FOLDER(a_reader_that_has_gone_is_no_message)
{
    vdnn_test_run run;
    vdnn_text script = {0};
    vdnn_text_add(&script,
                  "(sleep 0.2; %s/vdnnrun --model lenet --device sim:p100 --dry-run --print-plan; "
                  "echo code $? >&2) | true\n",
                  vdnn_test_bin());
    vdnn_test_write_below(*state, "gone.sh", script.data);
    vdnn_text_fini(&script);
    vdnn_test_program(&run, *state, "/bin/sh @/gone.sh");
    vdnn_test_expect(&run, 0, "code 6");
    assert_null(strstr(run.err, "error"));
    vdnn_test_run_free(&run);
}

/* ---- rights ---------------------------------------------------------------------------------- */

static void need_to_lack_rights(const char *folder)
{
    if (!vdnn_test_without_rights(folder, true))
        skip_because("a user without rights cannot run the programs where they are");
}

static int teardown_rights(void **state)
{
    (void)vdnn_test_without_rights(*state, false);
    (void)chmod(*state, 0700);
    return vdnn_test_remove_folder(state);
}

TEST_WITH(files_without_the_right_to_read_are_refused, vdnn_test_make_folder, teardown_rights)
{
    static const vdnn_test_bad_case cases[] = {
        {6, "vdnnrun --model @/secret --dry-run", "secret", "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --init @/secret", "secret", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/secret", "secret", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/secret", "secret",
         "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/set", "images.npy", "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/set", "idx3-ubyte", "Permission denied"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/set", "data_batch_1", "Permission denied"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/shut", "shut", "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --data images:@/shut", "shut", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --resume @/run", "manifest.json", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --resume @/shut", "shut", "Permission denied"},
        {6, "vdnnreport --model @/net.yaml --device sim:@/secret", "secret", "Permission denied"},
    };
    vdnn_test_network(*state);
    static const char *const secrets[] = {"secret", "set/images.npy", "set/train-images-idx3-ubyte",
                                          "set/data_batch_1.bin",
                                          "run/step-00000004/manifest.json"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        vdnn_test_write_below(*state, secrets[i], "x");
        assert_int_equal(chmod(vdnn_test_path(*state, secrets[i]), 0), 0);
    }
    vdnn_test_make_below(*state, "shut");
    assert_int_equal(chmod(vdnn_test_path(*state, "shut"), 0), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "set"), 0755), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "run"), 0755), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "run/step-00000004"), 0755), 0);
    need_to_lack_rights(*state);
    CHECK(cases);
}

TEST_WITH(places_without_the_right_to_write_are_refused_and_stay, vdnn_test_make_folder,
          teardown_rights)
{
    static const char *const lines[] = {"vdnnrun --steps 20 --json @/kept/j.json",
                                        "vdnnrun --steps 20 --save @/kept/w.safetensors",
                                        "vdnnrun --steps 20 --trace @/kept/t.json",
                                        "vdnnrun --steps 20 --checkpoint @/kept/c",
                                        "vdnnrun --dry-run --profile @/kept/p",
                                        "vdnnreport --json @/kept/j.json",
                                        "vdnnreport --html @/kept/j.json"};
    char kept[512];
    vdnn_test_network(*state);
    vdnn_test_make_below(*state, "kept");
    (void)snprintf(kept, sizeof kept, "%s", vdnn_test_path(*state, "kept"));
    vdnn_test_put_outputs(kept);
    assert_int_equal(chmod(kept, 0555), 0);
    need_to_lack_rights(*state);
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s --model @/net.yaml", lines[l]);
        vdnn_test_expect(&run, 6, "Permission denied");
        vdnn_test_expect(&run, 6, "kept");
        vdnn_test_run_free(&run);
        vdnn_test_expect_outputs(kept);
        assert_int_equal(vdnn_test_folder_count(kept), 3);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(names_with_line_ends_stay_in_one_line)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/a\nb.yaml --dry-run", "a?b.yaml:2: ", "expected an integer"},
        {3, "vdnnrun --model no\033[2Jnet --dry-run", "no?[2Jnet", "neither a file nor"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/c\nd", "c?d/images.npy", "No such file"},
        {3, "vdnnrun --model @/net.yaml --init @/e\nf", "tensor x?y", "unknown dtype"},
        {3, "vdnnrun --model @/name.yaml --dry-run", "name.yaml:6: ", "control character"},
        {3, "vdnnrun --model @/two.yaml --data images:@/g", "g/h?", "/1?.png: is empty"},
        {6, "vdnnrun --model @/net.yaml --resume @/j\nk", "j?k", "No such file"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/l\nm", "l?m", "neither a file nor"},
        {2, "vdnnrun --model @/net.yaml --data a\nb:c", "a?b", "not a kind of dataset"},
        {2, "vdnnrun --model @/net.yaml --dev\nice x", "dev?ice", "there is no option"},
    };
    vdnn_test_network(*state);
    vdnn_test_write_below(*state, "a\nb.yaml", "name: n\nclasses: x\n");
    vdnn_test_make_below(*state, "c\nd");
    vdnn_test_write_below(*state, "two.yaml", VDNN_TEST_NETWORK_OF("2"));
    vdnn_test_write_below(*state, "g/h\ni/1\n.png", "");
    vdnn_test_write_below(*state, "g/h\nj/1\n.png", "");
    vdnn_test_write_safetensors(
        *state, "e\nf", "{\"x\\ny\":{\"dtype\":\"X\",\"shape\":[1],\"data_offsets\":[0,4]}}",
        "1234", 4);
    vdnn_test_write_below(
        *state, "name.yaml",
        "name: n\ninput: {channels: 1, height: 1, width: 1}\nclasses: 2\nbatch: 1\nlayers:\n"
        "  - {name: \"a\\nb\", type: relu}\n");
    CHECK(cases);
}

TEST_IN_FOLDER(outputs_may_have_names_with_line_ends)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --steps 1 --quiet --json @/a\nb");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_decref(vdnn_test_json(vdnn_test_path(*state, "a\nb")));
}
