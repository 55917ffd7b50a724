#include "tests/support/vdnn_test.h"

/* Of the programs that have nothing to do but to run their tests; the main of another replaces it.
 */
__attribute__((weak)) int main(void)
{
    return vdnn_test_main(NULL, NULL);
}
