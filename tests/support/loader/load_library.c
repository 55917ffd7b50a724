/* Loads the shared library while it runs, as hosts of plug-ins do: it links none of it.
 *
 *     load_library SCENE LIBRARY NETWORK [OTHER ...]     the other libraries are loaded before
 *
 * Ends with 0, or with 1 and what went wrong. */

#include "runtime/vdnn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A function of the library by its name and type. */
#define CALL(name) (__extension__(__typeof__(&(name))) find(#name))

static void *library;

static _Noreturn void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void *find(const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail(name, dlerror());
    return found;
}

static void load(const char *path)
{
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail("dlopen", dlerror());
}

static void expect(vdnn_status status, vdnn_status expected, const char *part)
{
    const char *message = CALL(vdnn_status_message)();
    if (status != expected || strstr(message, part) == NULL)
        fail(status == expected ? "another message" : "another status", message);
}

static vdnn_session *begin(const char *network)
{
    const vdnn_session_options options = {
        .size = sizeof options, .model = network, .device = "cpu", .steps = 2, .threads = 2};
    vdnn_session *session = NULL;
    expect(CALL(vdnn_session_create)(&options, NULL, &session), VDNN_OK, "");
    expect(CALL(vdnn_session_prepare)(session), VDNN_OK, "");
    expect(CALL(vdnn_session_begin)(session), VDNN_OK, "");
    expect(CALL(vdnn_session_step)(session, NULL), VDNN_OK, "");
    return session;
}

static void train(const char *path, const char *network)
{
    load(path);
    vdnn_session *session = begin(network);
    expect(CALL(vdnn_session_step)(session, NULL), VDNN_OK, "");
    CALL(vdnn_session_destroy)(session);
}

static void unload(void)
{
    if (dlclose(library) != 0)
        fail("dlclose", dlerror());
}

/* Fails unless the child ends well, and soon. */
static void wait_for(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail("fork", "no child");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("the child", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "failed");
}

/* In the end in a child, which has none of the threads that OpenMP keeps for this one. */
static void train_unload_and_train_again(const char *path, const char *network)
{
    for (int i = 0; i < 3; i++) {
        train(path, network);
        unload();
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(60);
        train(path, network);
        unload();
        exit(0); /* with all that libraries do at the end */
    }
    wait_for(child);
}

static void refuse_all(vdnn_session *session)
{
    static const char because[] = "made by fork";
    vdnn_text text = {0};
    vdnn_verdict verdict = {.size = sizeof verdict};
    vdnn_input input = {.size = sizeof input};
    vdnn_parameter parameter = {.size = sizeof parameter};
    double accuracy;
    int32_t index;
    float value = 0.0F;
    expect(CALL(vdnn_session_prepare)(session), VDNN_USAGE, because);
    expect(CALL(vdnn_session_begin)(session), VDNN_USAGE, because);
    expect(CALL(vdnn_session_run)(session), VDNN_USAGE, because);
    expect(CALL(vdnn_session_step)(session, NULL), VDNN_USAGE, because);
    expect(CALL(vdnn_session_step_on)(session, NULL, NULL), VDNN_USAGE, because);
    expect(CALL(vdnn_session_evaluate)(session, &accuracy), VDNN_USAGE, because);
    expect(CALL(vdnn_session_save)(session, "/dev/null"), VDNN_USAGE, because);
    expect(CALL(vdnn_session_checkpoint)(session), VDNN_USAGE, because);
    expect(CALL(vdnn_session_trace_begin)(session, "/dev/null"), VDNN_USAGE, because);
    expect(CALL(vdnn_session_trace_end)(session), VDNN_USAGE, because);
    expect(CALL(vdnn_session_verdict)(session, &verdict), VDNN_USAGE, because);
    expect(CALL(vdnn_session_json)(session, &text), VDNN_USAGE, because);
    expect(CALL(vdnn_session_footprint)(session, &text), VDNN_USAGE, because);
    expect(CALL(vdnn_session_explain)(session, &text), VDNN_USAGE, because);
    expect(CALL(vdnn_session_max_batch)(session, &text), VDNN_USAGE, because);
    expect(CALL(vdnn_session_set_learning_rate)(session, 0.1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_input_at)(session, 0, &input), VDNN_USAGE, because);
    expect(CALL(vdnn_session_parameter_at)(session, 0, &parameter), VDNN_USAGE, because);
    expect(CALL(vdnn_session_get_parameter)(session, 0, &value, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_set_parameter)(session, 0, &value, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_find_parameter)(session, "fc.bias", &index), VDNN_USAGE, because);
    expect(CALL(vdnn_session_get_gradient)(session, 0, &value, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_get_state)(session, 0, 0, &value, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_set_state)(session, 0, 0, &value, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_predict)(session, NULL, &value, NULL, 1), VDNN_USAGE, because);
    expect(CALL(vdnn_session_set_hooks)(session, NULL), VDNN_USAGE, because);
    expect(CALL(vdnn_session_expect)(session, 0), VDNN_USAGE, because);
    CALL(vdnn_session_destroy)(session);
}

static void fork_after_use(const char *path, const char *network)
{
    load(path);
    vdnn_session *session = begin(network);
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(10);
        refuse_all(session);
        exit(0);
    }
    wait_for(child);
    expect(CALL(vdnn_session_step)(session, NULL), VDNN_OK, "");
    CALL(vdnn_session_destroy)(session);
}

static void tell_libraries(const char *path, const char *network)
{
    vdnn_text text = {0};
    (void)network;
    load(path);
    expect(CALL(vdnn_doctor_write)(NULL, VDNN_REPORT_TABLE, &text), VDNN_OK, "");
    (void)puts(text.data);
    CALL(vdnn_text_fini)(&text);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*play)(const char *path, const char *network);
    } scenes[] = {
        {"train", train},
        {"again", train_unload_and_train_again},
        {"fork", fork_after_use},
        {"doctor", tell_libraries},
    };
    if (count < 4)
        fail("load_library", "SCENE LIBRARY NETWORK [OTHER ...]");
    for (int i = 4; i < count; i++)
        if (dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL) == NULL)
            fail("dlopen", dlerror());
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(arguments[1], scenes[i].name) == 0) {
            scenes[i].play(arguments[2], arguments[3]);
            return 0;
        }
    fail(arguments[1], "no such scene");
}
