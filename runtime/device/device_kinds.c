#include "layers/cpu/threads.h"
#include "runtime/base/text.h"
#include "runtime/device/device_parts.h"
#include "runtime/device/sim/device_reader.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which kinds of devices there are, and what is known of a kind before one is opened. */

static const vdnn_device_backend *const backends[] = {
    &vdnn_device_cpu,
#ifdef VDNN_CUDA
    &vdnn_device_cuda,
#endif
    &vdnn_device_sim,
};
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

/* Replaces the row of its kind. */
static const vdnn_device_backend *_Atomic replacement;

void vdnn_device_replace(const vdnn_device_backend *backend)
{
    atomic_store(&replacement, backend);
}

int vdnn_device_host_threads(const vdnn_device_options *options)
{
    int all = options->threads > 0 ? options->threads : vdnn_cpu_threads_default();
    return options->devices > 1 && all > options->devices ? all / options->devices
           : options->devices > 1                         ? 1
                                                          : all;
}

const vdnn_device_backend *vdnn_device_find_backend(const char *kind, const char **instance)
{
    size_t length = strcspn(kind, ":");
    for (size_t i = 0; i < BACKEND_COUNT; i++)
        if (strlen(backends[i]->kind) == length && strncmp(backends[i]->kind, kind, length) == 0) {
            *instance = kind[length] == ':' ? kind + length + 1 : "";
            const vdnn_device_backend *other = atomic_load(&replacement);
            return other != NULL && strcmp(other->kind, backends[i]->kind) == 0 ? other
                                                                                : backends[i];
        }
    return NULL;
}

bool vdnn_device_is_built(const char *kind)
{
    const char *instance;
    return vdnn_device_find_backend(kind, &instance) != NULL;
}

bool vdnn_device_is_there(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend != NULL && (backend->count == NULL || backend->count() > 0);
}

/* What is no number is refused when the device is opened. */
static int32_t number_of(const char *instance)
{
    enum { MOST = 1 << 20 };
    const long number = strtol(instance, NULL, 10);
    return number < 0 ? 0 : number > MOST ? MOST : (int32_t)number;
}

int32_t vdnn_device_count(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    if (backend == NULL)
        return 0;
    return backend->count == NULL ? INT32_MAX : backend->count() - number_of(instance);
}

const char *vdnn_device_beside(const char *kind, int32_t n, char text[VDNN_DEVICE_TEXT_BYTES])
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    if (backend == NULL || backend->count == NULL || n == 0)
        return kind;
    (void)snprintf(text, VDNN_DEVICE_TEXT_BYTES, "%s:%d", backend->kind,
                   (int)(number_of(instance) + n));
    return text;
}

const char *vdnn_device_sums_lack(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend == NULL || backend->sums_lack == NULL ? NULL : backend->sums_lack();
}

vdnn_layout vdnn_device_preferred_layout(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend == NULL ? VDNN_NCHW : backend->preferred();
}

vdnn_layout vdnn_device_backend_other(const vdnn_device_backend *backend)
{
    return backend->other == NULL ? backend->preferred() : backend->other();
}

vdnn_layout vdnn_device_other_layout(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend == NULL ? VDNN_NCHW : vdnn_device_backend_other(backend);
}

bool vdnn_device_fuses_relu(const char *kind)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend != NULL && backend->fuses_relu;
}

/* Types that not every device plans; without an entry: every device does. */
static const char *const refusals[] = {
    [VDNN_TF32] = "--dtype: tf32 is the arithmetic of GPUs' tensor cores, which this device does "
                  "not have; use f32 or bf16",
    [VDNN_F16] = "--dtype: f16 is planned for simulated devices alone (--device sim:NAME); use "
                 "bf16",
};

const char *vdnn_device_refusal(const char *kind, vdnn_dtype dtype)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    if (backend == NULL || (size_t)dtype >= sizeof refusals / sizeof *refusals ||
        refusals[dtype] == NULL)
        return NULL;
    return backend->has_type != NULL && backend->has_type(instance, dtype) ? NULL : refusals[dtype];
}

const char *vdnn_device_lack(const char *kind, vdnn_dtype dtype, size_t i)
{
    const char *instance;
    const vdnn_device_backend *backend = vdnn_device_find_backend(kind, &instance);
    return backend == NULL ? NULL : backend->lack(instance, dtype, i);
}

/* Those of a kind by their numbers, if it counts them. */
vdnn_status vdnn_device_names(vdnn_text *names)
{
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        const vdnn_device_backend *backend = backends[i];
        const int32_t count = backend->count == NULL ? 0 : backend->count();
        if (backend == &vdnn_device_cpu)
            vdnn_text_add(names, "%s\n", backend->kind);
        for (int32_t n = 0; n < count; n++)
            vdnn_text_add(names, "%s:%d\n", backend->kind, (int)n);
    }
    return vdnn_device_model_names("sim:", names);
}

vdnn_status vdnn_device_fail_unknown(const char *kind)
{
    const char *names[BACKEND_COUNT];
    vdnn_text all = {0};
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        names[i] = backends[i]->kind;
        vdnn_text_add(&all, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    char hint[64];
    vdnn_status status = vdnn_status_fail(
        VDNN_DEVICE, "there is no device \"%s\"%s; this build has: %s", kind,
        vdnn_text_hint(hint, sizeof hint, kind, names, BACKEND_COUNT), all.failed ? "" : all.data);
    vdnn_text_fini(&all);
    return status;
}
