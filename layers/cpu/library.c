#include "layers/cpu/library.h"

#include "runtime/base/machine/simd.h"

#include <dnnl.h>
#include <stdio.h>

static const struct {
    dnnl_cpu_isa_t isa;
    const char *text;
} isa_texts[] = {
    {dnnl_cpu_isa_sse41, "sse4.1"},
    {dnnl_cpu_isa_avx, "avx"},
    {dnnl_cpu_isa_avx2, "avx2"},
    {dnnl_cpu_isa_avx2_vnni, "avx2 vnni"},
    {dnnl_cpu_isa_avx512_core, "avx512"},
    {dnnl_cpu_isa_avx512_core_vnni, "avx512 vnni"},
    {dnnl_cpu_isa_avx512_core_bf16, "avx512 bf16"},
    {dnnl_cpu_isa_avx512_core_amx, "amx"},
};

static const char *isa_text(void)
{
    dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
    for (size_t i = 0; i < sizeof isa_texts / sizeof isa_texts[0]; i++)
        if (isa_texts[i].isa == isa)
            return isa_texts[i].text;
    return "other";
}

const char *vdnn_cpu_library_text(char *buffer, size_t size)
{
    const dnnl_version_t *dnnl = dnnl_version();
    (void)snprintf(buffer, size, "oneDNN %d.%d.%d (%s)", dnnl->major, dnnl->minor, dnnl->patch,
                   isa_text());
    return buffer;
}

static bool has(dnnl_cpu_isa_t isa)
{
    return (dnnl_get_effective_cpu_isa() & isa) == isa;
}

const char *vdnn_cpu_library_lack(vdnn_dtype dtype)
{
    static const struct {
        dnnl_cpu_isa_t isa;
        bool for_bf16_alone;
        const char *text;
    } lacks[] = {
        {dnnl_cpu_isa_avx2, false, "no AVX2: everything works, at a fraction of the speed"},
        {dnnl_cpu_isa_avx512_core_bf16, true,
         "no bf16 instructions: bf16 is emulated, slower than f32"},
        {dnnl_cpu_isa_avx512_core, false,
         "no AVX-512: convolutions use plain layouts, without Winograd, and are slower"},
    };
    if (!VDNN_SIMD_X86)
        return "not an x86 processor: matrix products are in plain C, and convolutions use plain "
               "layouts, without Winograd";
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (!has(lacks[i].isa) && (dtype == VDNN_BF16 || !lacks[i].for_bf16_alone))
            return lacks[i].text;
    return NULL;
}

vdnn_layout vdnn_cpu_library_layout(void)
{
    return has(dnnl_cpu_isa_avx512_core) ? VDNN_NCHW16C : VDNN_NCHW;
}
