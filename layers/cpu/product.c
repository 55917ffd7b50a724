#include "layers/cpu/product.h"

#include <dnnl.h>
#include <inttypes.h>

static char mark(bool turned)
{
    return turned ? 'T' : 'N';
}

vdnn_status vdnn_cpu_product_compute(const vdnn_cpu_product *p)
{
    dnnl_status_t result =
        dnnl_sgemm(mark(p->a_turned), mark(p->b_turned), p->rows, p->columns, p->depth, 1.0F, p->a,
                   p->a_row, p->b, p->b_row, p->beta, p->c, p->c_row);
    if (result == dnnl_success)
        return VDNN_OK;
    return vdnn_status_fail(result == dnnl_out_of_memory ? VDNN_NO_MEMORY : VDNN_DEVICE,
                            "oneDNN refused a product of %" PRId64 " x %" PRId64 " x %" PRId64,
                            p->rows, p->columns, p->depth);
}
