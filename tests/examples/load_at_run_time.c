/* The library loaded by a running program, twice, after other libraries; nothing of it is linked.
 *
 *     cc load_at_run_time.c $(pkg-config --cflags vdnn) -ldl && ./a.out libvdnn.so.1 [OTHER.so ...]
 */

#include <dlfcn.h>
#include <stdio.h>
#include <vdnn/vdnn.h>

static struct {
    const char *(*message)(void);
    vdnn_status (*parse)(const char *, size_t, const char *, vdnn_model **);
    void (*forget)(vdnn_model *);
    vdnn_status (*create)(const vdnn_session_options *, const vdnn_messages *, vdnn_session **);
    vdnn_status (*run)(vdnn_session *);
    void (*destroy)(vdnn_session *);
} vdnn;

/* A pointer to a function from one to an object: ISO C has no cast for that. */
static int find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (symbol == NULL)
        fprintf(stderr, "%s\n", dlerror());
    *(void **)function = symbol;
    return symbol != NULL;
}

static int find_all(void *library)
{
    return find(library, "vdnn_status_message", &vdnn.message) &&
           find(library, "vdnn_model_parse", &vdnn.parse) &&
           find(library, "vdnn_model_destroy", &vdnn.forget) &&
           find(library, "vdnn_session_create", &vdnn.create) &&
           find(library, "vdnn_session_run", &vdnn.run) &&
           find(library, "vdnn_session_destroy", &vdnn.destroy);
}

static vdnn_status train(void)
{
    static const char net[] = "{name: small, input: {channels: 1, height: 12, width: 12},"
                              " classes: 3, batch: 8, layers: ["
                              "{name: conv1, type: conv, out: 8, kernel: 3},"
                              "{name: fc, type: fc, out: 3}, {name: loss, type: softmax_loss}]}";
    vdnn_model *model = NULL;
    vdnn_session *session = NULL;
    vdnn_session_options options = {.size = sizeof options, .device_mem = "16MiB", .steps = 5};
    vdnn_status status = vdnn.parse(net, sizeof net - 1, "small", &model);
    options.network = model;
    if (status == VDNN_OK)
        status = vdnn.create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn.run(session);
    if (status != VDNN_OK)
        fprintf(stderr, "%s\n", vdnn.message());
    vdnn.destroy(session);
    vdnn.forget(model);
    return status;
}

int main(int count, char **arguments)
{
    for (int i = 2; i < count; i++)
        if (dlopen(arguments[i], RTLD_NOW) == NULL)
            fprintf(stderr, "%s\n", dlerror());
    for (int round = 1; round <= 2; round++) {
        void *library = dlopen(count > 1 ? arguments[1] : "libvdnn.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == NULL)
            fprintf(stderr, "%s\n", dlerror());
        if (library == NULL || !find_all(library) || train() != VDNN_OK || dlclose(library) != 0)
            return 1;
        printf("round %d: trained\n", round);
    }
    return 0;
}
