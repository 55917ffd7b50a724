/* Networks train equally well with every convolution algorithm, and in either data type. */

#include "layers/layer.h"
#include "tests/support/run_json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is trained on. A run with a test part would test, also where nobody asks how well. */
typedef struct training_part {
    const char *kind;
    const char *files[2];
} training_part;

static const training_part fashion = {
    "idx",
    {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
};
static const training_part cifar10 = {"cifar10", {"data_batch_1.bin"}};

typedef struct course {
    const char *model;
    const training_part *data;
    int steps, long_steps;
} course;

static bool is_whole(void)
{
    return vdnn_test_count(100) == 100;
}

static void need_whole(void)
{
    if (!is_whole())
        skip_because("takes minutes; VDNN_TEST_COUNT_PERCENT=100 runs it");
}

/* Links to the part's files, which are in `data`, in FOLDER/KIND. */
static void link_part(const char *folder, const training_part *part, const char *data)
{
    vdnn_test_make_below(folder, part->kind);
    for (int i = 0; i < 2 && part->files[i] != NULL; i++) {
        char from[PATH_MAX], to[PATH_MAX], name[512];
        (void)snprintf(name, sizeof name, "%s/%s", data, part->files[i]);
        assert_non_null(realpath(name, from));
        (void)snprintf(to, sizeof to, "%s/%s/%s", folder, part->kind, part->files[i]);
        assert_int_equal(symlink(from, to), 0);
    }
}

/* What the run's last third lost on average, and how much its losses scatter there. */
typedef struct outcome {
    double loss, scatter;
} outcome;

static outcome train(const char *folder, const course *c, const char *more)
{
    vdnn_test_run run;
    int steps = is_whole() ? c->long_steps : c->steps;
    const char *path = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s --data %s:@/%s --policy base --steps %d --seed 3 "
                      "--json %s --profile @/%s.profile %s",
                      c->model, c->data->kind, c->data->kind, steps, path, c->model, more);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(path), *losses = json_object_get(root, "losses");
    outcome found = {0, 0};
    int first = steps - steps / 3;
    for (int i = first; i < steps; i++)
        found.loss += json_number_value(json_array_get(losses, (size_t)i)) / (steps - first);
    for (int i = first; i < steps; i++)
        found.scatter += pow(json_number_value(json_array_get(losses, (size_t)i)) - found.loss, 2);
    found.scatter = sqrt(found.scatter / (steps - first));
    json_decref(root);
    return found;
}

static bool applies(json_t *report, const char *layer, const char *pass, const char *algorithm)
{
    size_t l, p, i;
    json_t *row, *item, *choice;
    json_array_foreach(json_object_get(report, "layers"), l, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), layer) != 0)
            continue;
        json_array_foreach(json_object_get(row, "passes"), p, item)
        {
            if (strcmp(json_string_value(json_object_get(item, "pass")), pass) != 0)
                continue;
            json_array_foreach(
                json_object_get(item, "algorithms"), i,
                choice) if (strcmp(json_string_value(json_object_get(choice, "name")), algorithm) ==
                            0) return true;
        }
    }
    return false;
}

/* Gives every convolution of a run's record the algorithm, where it applies; how many passes. */
static int choose(json_t *record, json_t *report, const char *algorithm)
{
    int count = 0;
    size_t l;
    json_t *row;
    json_array_foreach(json_object_get(record, "layers"), l, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        json_t *algorithms = json_object_get(row, "algorithms");
        if (strcmp(json_string_value(json_object_get(row, "type")), "conv") != 0)
            continue;
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const char *pass = vdnn_pass_text((vdnn_pass)p);
            if (!applies(report, name, pass, algorithm))
                continue;
            assert_int_equal(json_object_set_new(algorithms, pass, json_string(algorithm)), 0);
            count++;
        }
    }
    return count;
}

static void write_choice(const char *folder, const char *record, const char *report,
                         const char *algorithm, int *count)
{
    json_t *root = vdnn_test_json(vdnn_test_path(folder, record));
    json_t *rows = vdnn_test_json(vdnn_test_path(folder, report));
    *count = choose(root, rows, algorithm);
    assert_int_equal(json_dump_file(root, vdnn_test_path(folder, "algos.json"), 0), 0);
    json_decref(root);
    json_decref(rows);
}

/* The same data in the same order: curves differ by rounding alone, which training blows up. */
static void expect_alike(const char *what, const char *model, outcome found, outcome first)
{
    double allowed = 0.5 * first.scatter + 0.02 * first.loss;
    print_message("%s, %s: loss %.4f, at first %.4f, allowed off by %.4f\n", model, what,
                  found.loss, first.loss, allowed);
    if (fabs(found.loss - first.loss) > allowed)
        fail_msg("%s learns otherwise by %s: %g instead of %g", model, what, found.loss,
                 first.loss);
}

/* Rows of several devices share a name, by which a run asks for them. */
static bool is_first_of_its_name(size_t i)
{
    const vdnn_algorithm *row = vdnn_algorithm_at(i);
    for (size_t k = 0; k < i; k++)
        if (strcmp(vdnn_algorithm_at(k)->layer_type, row->layer_type) == 0 &&
            strcmp(vdnn_algorithm_at(k)->name, row->name) == 0)
            return false;
    return true;
}

static void check_course(const char *folder, const course *c)
{
    vdnn_test_run run;
    outcome first = train(folder, c, "");
    assert_int_equal(rename(vdnn_test_path(folder, "run.json"), vdnn_test_path(folder, "own.json")),
                     0);
    vdnn_test_program(&run, folder,
                      "vdnnreport --model %s --policies base --profile %s/%s.profile --json "
                      "%s/report.json",
                      c->model, folder, c->model, folder);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        int count = 0;
        char more[600];
        if (strcmp(row->layer_type, "conv") != 0 || !is_first_of_its_name(i))
            continue;
        write_choice(folder, "own.json", "report.json", row->name, &count);
        if (count == 0)
            continue;
        (void)snprintf(more, sizeof more, "--algos %s", vdnn_test_path(folder, "algos.json"));
        expect_alike(row->name, c->model, train(folder, c, more), first);
    }
    expect_alike("bf16", c->model, train(folder, c, "--dtype bf16"), first);
}

TEST_IN_FOLDER(every_algorithm_and_data_type_learns_fashion_alike)
{
    link_part(*state, &fashion, vdnn_test_fashion_mnist());
    check_course(*state, &(course){"lenet", &fashion, 20, 900});
}

TEST_IN_FOLDER(every_algorithm_and_data_type_learns_cifar10_alike)
{
    link_part(*state, &cifar10, vdnn_test_data("cifar10"));
    check_course(*state, &(course){"cifar_cnn", &cifar10, 10, 600});
}

/* Trains `steps` steps on DATA, as KIND:DATA. */
static void assert_learns(const char *folder, const char *model, const char *kind, const char *data,
                          int steps, double accuracy)
{
    vdnn_test_run run;
    const char *json = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder, "vdnnrun --model %s --data %s:%s --steps %d --json %s", model,
                      kind, data, steps, json);
    vdnn_test_expect(&run, 0, "");
    json_t *root = vdnn_test_json(json);
    assert_true(vdnn_test_number_at(root, "test_accuracy") > accuracy);
    json_decref(root);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(lenet_learns_fashion_mnist)
{
    assert_learns(*state, "lenet", "idx", vdnn_test_fashion_mnist(), vdnn_test_count(1000), 0.7);
}

/* As it learns Fashion-MNIST, only easier. */
TEST_IN_FOLDER(lenet_learns_mnist)
{
    need_whole();
    assert_learns(*state, "lenet", "idx", vdnn_test_data("mnist"), vdnn_test_count(1000), 0.9);
}

TEST_IN_FOLDER(cifar_cnn_learns_cifar10)
{
    need_whole();
    assert_learns(*state, "cifar_cnn", "cifar10", vdnn_test_data("cifar10"), vdnn_test_count(1560),
                  0.3);
}

/* Pictures of 32 x 32, resized, on a network that takes 2 GiB for weights and momentum alone. */
TEST_IN_FOLDER(vgg19_trains_on_cifar10_at_224_by_224)
{
    vdnn_test_run run;
    need_whole();
    link_part(*state, &cifar10, vdnn_test_data("cifar10"));
    vdnn_test_program(&run, *state,
                      "vdnnrun --model vgg19 --batch 8 --policy all --algo m --threads 2 --steps 4 "
                      "--data cifar10:@/cifar10 --json @/run.json");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    json_t *losses = json_object_get(root, "losses");
    assert_int_equal(json_array_size(losses), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(json_number_value(json_array_get(losses, i)) > 0.0);
    assert_true(vdnn_test_number_at(json_object_get(root, "measured"), "offload_bytes") > 0.0);
    json_decref(root);
}
