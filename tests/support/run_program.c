#include "tests/support/run_program.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 64, COMMAND_BYTES = 4096 };
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { LIMIT_SECONDS = 1500 };
#else
enum { LIMIT_SECONDS = 300 };
#endif

const char *vdnn_test_bin(void)
{
    const char *bin = getenv("VDNN_BIN");
    return bin != NULL && bin[0] != '\0' ? bin : VDNN_TEST_BIN;
}

/* Of nobody, on every system. */
enum { UNPRIVILEGED = 65534 };
static bool without_rights;

static void drop_rights(void)
{
    if (setgroups(0, NULL) != 0 || setgid(UNPRIVILEGED) != 0 || setuid(UNPRIVILEGED) != 0)
        _exit(126);
}

bool vdnn_test_without_rights(const char *folder, bool without)
{
    int state = 0;
    without_rights = without && geteuid() == 0;
    if (!without_rights)
        return true;
    assert_int_equal(chown(folder, UNPRIVILEGED, UNPRIVILEGED), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char program[COMMAND_BYTES];
        drop_rights();
        (void)snprintf(program, sizeof program, "%s/vdnnrun", vdnn_test_bin());
        _exit(access(program, X_OK) == 0 && access(folder, W_OK) == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    without_rights = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    return without_rights;
}

static _Noreturn void become(char *command, int out, int err)
{
    char *words[MAX_WORDS + 1], *rest = command, *word;
    char program[COMMAND_BYTES];
    int count = 0;
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    (void)setenv("VDNN_NO_CACHE", "1", 1); /* what one test measures is none of another's */
    (void)unsetenv("NO_COLOR");
    while ((word = strsep(&rest, " ")) != NULL && count < MAX_WORDS) {
        if (word[0] == '\0')
            continue;
        if (count == 0 && strchr(word, '=') != NULL)
            (void)putenv(word);
        else
            words[count++] = word;
    }
    words[count] = NULL;
    if (without_rights)
        drop_rights();
    if (count == 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        _exit(126);
    bool is_path = words[0][0] == '/';
    (void)snprintf(program, sizeof program, "%s%s%s", is_path ? "" : vdnn_test_bin(),
                   is_path ? "" : "/", words[0]);
    words[0] = program;
    (void)execv(program, words);
    _exit(127);
}

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Puts the folder where the line says @. */
static void put_folder(const char *line, const char *folder, char out[COMMAND_BYTES])
{
    size_t used = 0, length = strlen(folder);
    for (; *line != '\0'; line++) {
        assert_true(used + length + 1 < COMMAND_BYTES);
        memcpy(out + used, *line == '@' ? folder : line, *line == '@' ? length : 1);
        used += *line == '@' ? length : 1;
    }
    out[used] = '\0';
}

__attribute__((format(printf, 3, 0))) static void start(vdnn_test_run *run, const char *folder,
                                                        const char *command, va_list arguments)
{
    static int number;
    char line[COMMAND_BYTES], whole[COMMAND_BYTES];
    int length = vsnprintf(line, sizeof line, command, arguments);
    assert_in_range(length, 1, sizeof line - 1);
    put_folder(line, folder, whole);
    *run = (vdnn_test_run){0};
    (void)snprintf(run->out_path, sizeof run->out_path, "%s/out%d", folder, number);
    (void)snprintf(run->err_path, sizeof run->err_path, "%s/err%d", folder, number);
    number++;
    /* Before there is a child: it may be killed at any moment, and what it said is read even so. */
    int out = open(run->out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int err = open(run->err_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(out >= 0 && err >= 0);
    (void)fflush(NULL);
    run->seconds = now_seconds();
    run->pid = fork();
    if (run->pid == 0)
        become(whole, out, err);
    (void)close(out);
    (void)close(err);
    assert_true(run->pid >= 0);
}

void vdnn_test_start(vdnn_test_run *run, const char *folder, const char *command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    start(run, folder, command, arguments);
    va_end(arguments);
}

void vdnn_test_wait_for(const vdnn_test_run *run, const char *part)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < 3000; i++) {
        char *text;
        size_t count;
        vdnn_test_read_file(run->err_path, &text, &count);
        bool said = strstr(text, part) != NULL;
        free(text);
        if (said)
            return;
        (void)nanosleep(&pause, NULL);
    }
    fail_msg("the program does not say '%s'", part);
}

/* Also while nobody has waited for it: to kill() such a one is still there. */
static bool has_ended(pid_t pid)
{
    siginfo_t told = {0};
    return waitid(P_PID, (id_t)pid, &told, WEXITED | WNOHANG | WNOWAIT) != 0 || told.si_pid == pid;
}

void vdnn_test_wait_for_path(const vdnn_test_run *run, const char *path)
{
    const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    for (int i = 0; access(path, F_OK) != 0 && !has_ended(run->pid); i++) {
        if (i == 12000) {
            (void)kill(run->pid, SIGKILL);
            fail_msg("the program does not write %s", path);
        }
        (void)nanosleep(&pause, NULL);
    }
}

void vdnn_test_finish(vdnn_test_run *run)
{
    const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    struct rusage used = {0};
    int state = 0;
    while (wait4(run->pid, &state, WNOHANG, &used) == 0) {
        if (now_seconds() - run->seconds > LIMIT_SECONDS) {
            (void)kill(run->pid, SIGKILL);
            (void)waitpid(run->pid, &state, 0);
            fail_msg("the program took more than %d seconds", LIMIT_SECONDS);
        }
        (void)nanosleep(&pause, NULL);
    }
    size_t count;
    run->seconds = now_seconds() - run->seconds;
    run->peak_bytes = (size_t)used.ru_maxrss << 10;
    run->code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    vdnn_test_read_file(run->out_path, &run->out, &count);
    vdnn_test_read_file(run->err_path, &run->err, &count);
    (void)unlink(run->out_path);
    (void)unlink(run->err_path);
    if (run->code == 127)
        fail_msg("%s has no such program", vdnn_test_bin());
}

void vdnn_test_program(vdnn_test_run *run, const char *folder, const char *command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    start(run, folder, command, arguments);
    va_end(arguments);
    vdnn_test_finish(run);
}

void vdnn_test_run_free(vdnn_test_run *run)
{
    free(run->out);
    free(run->err);
    *run = (vdnn_test_run){0};
}

void vdnn_test_expect(vdnn_test_run *run, int code, const char *part)
{
    if (run->code != code || strstr(run->err, part) == NULL)
        fail_msg("exit code %d (expected %d), messages (expected \"%s\"):\n%s%s", run->code, code,
                 part, run->err, run->err[0] == '\0' ? run->out : "");
}

/* What depends on the machine alone: every run on a processor without AVX-512 has the one, a run
 * with more threads than there are cores the other. */
static bool is_of_machine(const char *warning)
{
    static const char avx[] = "no AVX-512: ", threads[] = " threads share ";
    return strncmp(warning, avx, strlen(avx)) == 0 ||
           strncmp(warning + strspn(warning, "0123456789"), threads, strlen(threads)) == 0;
}

static const char *next_warning(const char *text)
{
    for (;;) {
        const char *at = strstr(text, ": warning: ");
        if (at == NULL)
            return NULL;
        text = at + strlen(": warning: ");
        if (!is_of_machine(text))
            return text;
    }
}

void vdnn_test_unfold(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (strncmp(from, "\n  ", 3) == 0)
            from += 2;
        *to++ = *from;
    }
    *to = '\0';
}

int vdnn_test_warnings(const vdnn_test_run *run)
{
    int count = 0;
    for (const char *at = run->err; (at = next_warning(at)) != NULL;)
        count++;
    return count;
}

static void run_to_warn(const char *folder, const char *part, const char *command, int warnings)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s", command);
    vdnn_test_expect(&run, 0, part);
    if (vdnn_test_warnings(&run) != warnings)
        fail_msg("%d warnings instead of %d:\n%s", vdnn_test_warnings(&run), warnings, run.err);
    if (warnings > 0 && strstr(next_warning(run.err), part) == NULL)
        fail_msg("'%s' is not in the warning:\n%s", part, run.err);
    vdnn_test_run_free(&run);
}

void vdnn_test_run_without_warnings(const char *folder, const char *command)
{
    run_to_warn(folder, "", command, 0);
}

void vdnn_test_run_to_warn(const char *folder, const char *part, const char *command)
{
    run_to_warn(folder, part, command, 1);
}

void vdnn_test_run_to(const char *folder, int code, const char *part, const char *command)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s", command);
    vdnn_test_expect(&run, code, part);
    vdnn_test_run_free(&run);
}

json_t *vdnn_test_json(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    assert_true(json_is_object(root));
    return root;
}

const char *vdnn_test_network(const char *folder)
{
    static const char text[] = "name: little\n"
                               "input: {channels: 1, height: 12, width: 12}\n"
                               "classes: 10\n"
                               "batch: 8\n"
                               "layers:\n"
                               "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                               "  - {name: relu1, type: relu}\n"
                               "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
                               "  - {name: relu2, type: relu}\n"
                               "  - {name: pool1, type: maxpool, kernel: 2}\n"
                               "  - {name: conv3, type: conv, out: 8, kernel: 3, pad: 1}\n"
                               "  - {name: relu3, type: relu}\n"
                               "  - {name: pool2, type: maxpool, kernel: 2}\n"
                               "  - {name: fc1, type: fc, out: 10}\n"
                               "  - {name: loss, type: softmax_loss}\n"
                               "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, "
                               "epochs: 1}\n";
    const char *path = vdnn_test_path(folder, "net.yaml");
    vdnn_test_write_file(path, text, sizeof text - 1);
    return path;
}

/* Version 1.0 of the format: magic, length of the header, the header, data. */
static void write_npy(const char *path, const char *type, const char *shape, const void *data,
                      size_t bytes)
{
    enum { HEAD = 128 };
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char *file = calloc(1, HEAD + bytes);
    assert_non_null(file);
    memcpy(file, magic, sizeof magic);
    file[8] = HEAD - 10;
    int length = snprintf(file + 10, HEAD - 10,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    memset(file + 10 + length, ' ', (size_t)(HEAD - 10 - length));
    file[HEAD - 1] = '\n';
    memcpy(file + HEAD, data, bytes);
    vdnn_test_write_file(path, file, HEAD + bytes);
    free(file);
}

void vdnn_test_images(const char *folder, int count)
{
    enum { PIXELS = 12 * 12 };
    char shape[64];
    size_t n = (size_t)count;
    float *images = calloc(n * PIXELS, sizeof *images);
    int64_t *labels = calloc(n, sizeof *labels);
    assert_non_null(images);
    assert_non_null(labels);
    if (images == NULL || labels == NULL)
        abort();
    vdnn_test_rng rng = {7};
    for (size_t i = 0; i < n * PIXELS; i++)
        images[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 1000.0F;
    for (size_t i = 0; i < n; i++)
        labels[i] = vdnn_test_between(&rng, 0, 9);
    (void)snprintf(shape, sizeof shape, "(%d, 1, 12, 12)", count);
    write_npy(vdnn_test_path(folder, "images.npy"), "<f4", shape, images,
              n * PIXELS * sizeof *images);
    (void)snprintf(shape, sizeof shape, "(%d,)", count);
    write_npy(vdnn_test_path(folder, "labels.npy"), "<i8", shape, labels, n * sizeof *labels);
    free(images);
    free(labels);
}

void vdnn_test_image_and_words(const char *folder, int count)
{
    enum { TOKENS = 6, VOCABULARY = 20 };
    char shape[64], images[512];
    size_t n = (size_t)count * TOKENS;
    int32_t *words = calloc(n, sizeof *words);
    if (words == NULL)
        abort();
    vdnn_test_rng rng = {9};
    for (size_t i = 0; i < n; i++)
        words[i] = (int32_t)vdnn_test_between(&rng, 0, VOCABULARY - 1);
    (void)snprintf(shape, sizeof shape, "(%d, %d)", count, TOKENS);
    write_npy(vdnn_test_path(folder, "words.npy"), "<i4", shape, words, n * sizeof *words);
    free(words);
    vdnn_test_images(folder, count);
    (void)snprintf(images, sizeof images, "%s", vdnn_test_path(folder, "images.npy"));
    assert_int_equal(rename(images, vdnn_test_path(folder, "image.npy")), 0);
}

void vdnn_test_tokens(const char *folder, int count)
{
    enum { POSITIONS = 9, VOCABULARY = 30, CLASSES = 6, IGNORED = -100 };
    char shape[64];
    size_t n = (size_t)count * POSITIONS;
    int64_t *tokens = calloc(n, sizeof *tokens), *labels = calloc(n, sizeof *labels);
    assert_non_null(tokens);
    assert_non_null(labels);
    if (tokens == NULL || labels == NULL)
        abort();
    vdnn_test_rng rng = {8};
    for (size_t i = 0; i < n; i++) {
        tokens[i] = vdnn_test_between(&rng, 0, VOCABULARY - 1);
        labels[i] = i % 7 == 3 ? IGNORED : vdnn_test_between(&rng, 0, CLASSES - 1);
    }
    (void)snprintf(shape, sizeof shape, "(%d, %d)", count, POSITIONS);
    write_npy(vdnn_test_path(folder, "tokens.npy"), "<i8", shape, tokens, n * sizeof *tokens);
    write_npy(vdnn_test_path(folder, "labels.npy"), "<i8", shape, labels, n * sizeof *labels);
    free(tokens);
    free(labels);
}
