#include "layers/cpu/matmul.h"

#include "runtime/base/heap.h"

#include <string.h>

enum { A, B, C, MATRICES, FACTORS = C, PRODUCT = FACTORS, PRIMITIVES };
enum { MAX_ARGUMENTS = 5, PART_ALIGNMENT = 64 };

static const int argument_of[MATRICES] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
static const dnnl_query_t format_of[FACTORS] = {dnnl_query_src_md, dnnl_query_weights_md};

/* One primitive: the packing of a factor, or the product. */
typedef struct prepared {
    dnnl_primitive_desc_t desc; /* NULL: nothing to do */
    dnnl_primitive_t primitive;
    dnnl_memory_t scratch;
    dnnl_exec_arg_t arguments[MAX_ARGUMENTS];
    int argument_count;
} prepared;

struct vdnn_matmul {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_attr_t attributes;
    vdnn_onednn_tensor plain[MATRICES], wanted[FACTORS], bias_tensor;
    prepared primitives[PRIMITIVES];
    dnnl_memory_t memory[MATRICES], packed[FACTORS], bias;
    size_t packed_offset[FACTORS], scratch_offset, workspace_bytes;
};

static dnnl_data_type_t type_of(vdnn_dtype dtype)
{
    return dtype == VDNN_BF16 ? dnnl_bf16 : dnnl_f32;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* A single row or column has no stride, and one as if the matrix were row-major here: oneDNN
 * remembers products by their shapes and strides, those of one apart, but chooses kernels by them,
 * so that the workspace would depend on which product was asked for first. */
static dnnl_status_t describe_matrix(vdnn_onednn_tensor *tensor, const vdnn_matmul_matrix *matrix)
{
    const int64_t column_stride = matrix->columns == 1 ? 1 : matrix->column_stride;
    const dnnl_dims_t dims = {matrix->rows, matrix->columns},
                      strides = {matrix->rows == 1 ? matrix->columns * column_stride
                                                   : matrix->row_stride,
                                 column_stride};
    return vdnn_onednn_tensor_make_strided(tensor, 2, dims, type_of(matrix->dtype), strides);
}

static dnnl_status_t describe_tensors(vdnn_matmul *m, const vdnn_matmul_request *r)
{
    const vdnn_matmul_matrix *matrices[MATRICES] = {&r->a, &r->b, &r->c};
    const dnnl_dims_t bias = {1, r->c.columns};
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < MATRICES && result == dnnl_success; t++)
        result = describe_matrix(&m->plain[t], matrices[t]);
    for (int t = 0; t < FACTORS && result == dnnl_success; t++)
        if (matrices[t]->packed)
            result = vdnn_onednn_tensor_make(&m->wanted[t], 2, m->plain[t].dims, type_of(r->dtype),
                                             dnnl_format_tag_any);
    if (result == dnnl_success && r->bias)
        result = vdnn_onednn_tensor_make(&m->bias_tensor, 2, bias, dnnl_f32, dnnl_ab);
    return result;
}

static vdnn_onednn_format format(const vdnn_onednn_tensor *tensor)
{
    return tensor->rank > 0 ? vdnn_onednn_tensor_format(tensor) : NULL;
}

static vdnn_onednn_format format_of_factor(const vdnn_matmul *m, int t)
{
    return format(m->wanted[t].rank > 0 ? &m->wanted[t] : &m->plain[t]);
}

static size_t scratch_bytes(const prepared *p)
{
    return dnnl_memory_desc_get_size(
        dnnl_primitive_desc_query_md(p->desc, dnnl_query_scratchpad_md, 0));
}

static size_t round_up(size_t bytes)
{
    return (bytes + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
}

/* The packings, and the offsets of the workspace's parts. */
static dnnl_status_t describe_packing(vdnn_matmul *m)
{
    const dnnl_primitive_desc_t product = m->primitives[PRODUCT].desc;
    size_t end = 0, scratch = scratch_bytes(&m->primitives[PRODUCT]);
    for (int t = 0; t < FACTORS; t++) {
        const vdnn_onednn_format from = format(&m->plain[t]),
                                 to = dnnl_primitive_desc_query_md(product, format_of[t], 0);
        if (dnnl_memory_desc_equal(from, to))
            continue;
        dnnl_status_t result = dnnl_reorder_primitive_desc_create(
            &m->primitives[t].desc, from, m->engine, to, m->engine, m->attributes);
        if (result != dnnl_success)
            return result;
        m->packed_offset[t] = end;
        end += round_up(dnnl_memory_desc_get_size(to));
        size_t bytes = scratch_bytes(&m->primitives[t]);
        scratch = scratch > bytes ? scratch : bytes;
    }
    m->scratch_offset = end;
    m->workspace_bytes = end + scratch;
    return dnnl_success;
}

static dnnl_status_t describe(vdnn_matmul *m, const vdnn_matmul_request *r)
{
    dnnl_primitive_desc_t *made = &m->primitives[PRODUCT].desc;
    dnnl_status_t result = dnnl_engine_create(&m->engine, dnnl_cpu, 0);
    if (result == dnnl_success)
        result = vdnn_onednn_attributes(false, &m->attributes);
    if (result == dnnl_success)
        result = describe_tensors(m, r);
    if (result == dnnl_success)
        result =
            vdnn_onednn_matmul(m->engine, format_of_factor(m, A), format_of_factor(m, B),
                               format(&m->bias_tensor), format(&m->plain[C]), m->attributes, made);
    if (result == dnnl_success && strncmp(vdnn_onednn_name(*made), "ref", 3) == 0)
        return dnnl_unimplemented;
    return result == dnnl_success ? describe_packing(m) : result;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static dnnl_status_t create_memory(const vdnn_matmul *m, vdnn_onednn_format desc,
                                   dnnl_memory_t *memory)
{
    return dnnl_memory_create(memory, desc, m->engine, DNNL_MEMORY_NONE);
}

static dnnl_status_t create_memories(vdnn_matmul *m)
{
    const dnnl_primitive_desc_t product = m->primitives[PRODUCT].desc;
    dnnl_status_t result = dnnl_success;
    for (int t = 0; t < MATRICES && result == dnnl_success; t++)
        result = create_memory(m, format(&m->plain[t]), &m->memory[t]);
    for (int t = 0; t < FACTORS && result == dnnl_success; t++)
        if (m->primitives[t].desc != NULL)
            result = create_memory(m, dnnl_primitive_desc_query_md(product, format_of[t], 0),
                                   &m->packed[t]);
    if (result == dnnl_success && m->bias_tensor.rank > 0)
        result = create_memory(m, format(&m->bias_tensor), &m->bias);
    return result;
}

static void add_argument(prepared *p, int argument, dnnl_memory_t memory)
{
    p->arguments[p->argument_count++] = (dnnl_exec_arg_t){argument, memory};
}

static void set_arguments(vdnn_matmul *m)
{
    prepared *product = &m->primitives[PRODUCT];
    for (int t = 0; t < FACTORS; t++) {
        bool is_packed = m->packed[t] != NULL;
        add_argument(product, argument_of[t], is_packed ? m->packed[t] : m->memory[t]);
        if (is_packed) {
            add_argument(&m->primitives[t], DNNL_ARG_FROM, m->memory[t]);
            add_argument(&m->primitives[t], DNNL_ARG_TO, m->packed[t]);
        }
    }
    add_argument(product, argument_of[C], m->memory[C]);
    if (m->bias != NULL)
        add_argument(product, DNNL_ARG_BIAS, m->bias);
}

static dnnl_status_t create_primitive(vdnn_matmul *m, prepared *p)
{
    dnnl_status_t result = dnnl_primitive_create(&p->primitive, p->desc);
    if (result != dnnl_success || scratch_bytes(p) == 0)
        return result;
    result = create_memory(m, dnnl_primitive_desc_query_md(p->desc, dnnl_query_scratchpad_md, 0),
                           &p->scratch);
    if (result == dnnl_success)
        add_argument(p, DNNL_ARG_SCRATCHPAD, p->scratch);
    return result;
}

static dnnl_status_t create_all(vdnn_matmul *m)
{
    dnnl_status_t result = dnnl_stream_create(&m->stream, m->engine, dnnl_stream_default_flags);
    if (result == dnnl_success)
        result = create_memories(m);
    if (result == dnnl_success)
        set_arguments(m);
    for (int i = 0; i < PRIMITIVES && result == dnnl_success; i++)
        if (m->primitives[i].desc != NULL)
            result = create_primitive(m, &m->primitives[i]);
    return result;
}

dnnl_status_t vdnn_matmul_create(const vdnn_matmul_request *request, vdnn_matmul **matmul)
{
    vdnn_matmul *m = vdnn_heap_calloc(1, sizeof *m);
    if (m == NULL)
        return dnnl_out_of_memory;
    dnnl_status_t result = describe(m, request);
    if (result == dnnl_success)
        result = create_all(m);
    if (result == dnnl_success)
        *matmul = m;
    else
        vdnn_matmul_destroy(m);
    return result;
}

static void destroy_memory(dnnl_memory_t memory)
{
    if (memory != NULL)
        (void)dnnl_memory_destroy(memory);
}

static void clear_primitive(prepared *p)
{
    destroy_memory(p->scratch);
    if (p->primitive != NULL)
        (void)dnnl_primitive_destroy(p->primitive);
    if (p->desc != NULL)
        (void)dnnl_primitive_desc_destroy(p->desc);
}

void vdnn_matmul_destroy(vdnn_matmul *m)
{
    if (m == NULL)
        return;
    for (int i = 0; i < PRIMITIVES; i++)
        clear_primitive(&m->primitives[i]);
    for (int t = 0; t < MATRICES; t++) {
        destroy_memory(m->memory[t]);
        vdnn_onednn_tensor_clear(&m->plain[t]);
    }
    for (int t = 0; t < FACTORS; t++) {
        destroy_memory(m->packed[t]);
        vdnn_onednn_tensor_clear(&m->wanted[t]);
    }
    destroy_memory(m->bias);
    vdnn_onednn_tensor_clear(&m->bias_tensor);
    if (m->attributes != NULL)
        (void)dnnl_primitive_attr_destroy(m->attributes);
    if (m->stream != NULL)
        (void)dnnl_stream_destroy(m->stream);
    if (m->engine != NULL)
        (void)dnnl_engine_destroy(m->engine);
    vdnn_heap_free(m);
}

size_t vdnn_matmul_workspace_bytes(const vdnn_matmul *m)
{
    return m->workspace_bytes;
}

/* ---- running --------------------------------------------------------------------------------- */

static dnnl_status_t place(dnnl_memory_t memory, const void *data, dnnl_status_t so_far)
{
    if (memory == NULL || so_far != dnnl_success)
        return so_far;
    return dnnl_memory_set_data_handle(memory, (void *)(uintptr_t)data);
}

static dnnl_status_t place_all(const vdnn_matmul *m, const vdnn_matmul_data *data)
{
    const void *matrices[MATRICES] = {data->a, data->b, data->c};
    char *workspace = data->workspace;
    dnnl_status_t result = place(m->bias, data->bias, dnnl_success);
    for (int t = 0; t < MATRICES; t++)
        result = place(m->memory[t], matrices[t], result);
    for (int t = 0; t < FACTORS; t++)
        if (m->packed[t] != NULL)
            result = place(m->packed[t], workspace + m->packed_offset[t], result);
    for (int i = 0; i < PRIMITIVES; i++)
        if (m->primitives[i].scratch != NULL)
            result = place(m->primitives[i].scratch, workspace + m->scratch_offset, result);
    return result;
}

dnnl_status_t vdnn_matmul_run(const vdnn_matmul *m, const vdnn_matmul_data *data)
{
    dnnl_status_t result = place_all(m, data);
    for (int i = 0; i < PRIMITIVES && result == dnnl_success; i++) {
        const prepared *p = &m->primitives[i];
        if (p->primitive != NULL)
            result =
                dnnl_primitive_execute(p->primitive, m->stream, p->argument_count, p->arguments);
    }
    return result == dnnl_success ? dnnl_stream_wait(m->stream) : result;
}
