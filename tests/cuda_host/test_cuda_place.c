/* Where a card is, in a machine that hwloc is told of. */

#include "alloc/heap.h"
#include "runtime/device/cuda_place.h"
#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>

#define SETS(set)                                                                                  \
    " cpuset=\"" set "\" complete_cpuset=\"" set "\" nodeset=\"" set "\" complete_nodeset=\"" set  \
    "\""
#define NODE(number, set, index)                                                                   \
    "<object type=\"NUMANode\" os_index=\"" number                                                 \
    "\"" SETS(set) " gp_index=\"" index                                                            \
                   "0\" local_memory=\"1000000\"/><object type=\"PU\" os_index=\"" number          \
                   "\"" SETS(set) " gp_index=\"" index "1\"/>"
#define PACKAGE(number, set, index, devices)                                                       \
    "<object type=\"Package\" os_index=\"" number                                                  \
    "\"" SETS(set) " gp_index=\"" index "\">" NODE(number, set, index) devices "</object>"
#define CARD(address, index)                                                                       \
    "<object type=\"Bridge\" gp_index=\"" index "2\" bridge_type=\"0-1\" depth=\"0\" "             \
    "bridge_pci=\"0000:[00-ff]\"><object type=\"PCIDev\" gp_index=\"" index                        \
    "3\" pci_busid=\"" address "\" pci_type=\"0302 [10de:2335] [0000:0000] a1\" "                  \
    "pci_link_speed=\"0.000000\"/></object>"
#define MACHINE(set, packages)                                                                     \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                 \
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"                        \
    "<object type=\"Machine\" os_index=\"0\"" SETS(set) " allowed_cpuset=\"" set                   \
                                                        "\" allowed_nodeset=\"" set                \
                                                        "\" gp_index=\"1\">" packages              \
                                                        "</object></topology>\n"

static const char two_nodes[] = MACHINE(
    "0x3", PACKAGE("0", "0x1", "2", "") PACKAGE("1", "0x2", "3", CARD("0000:17:00.0", "3")));
static const char one_node[] = MACHINE("0x1", PACKAGE("0", "0x1", "2", CARD("0000:17:00.0", "2")));

static void pretend(const char *folder, const char *machine, size_t bytes)
{
    const char *path = vdnn_test_path(folder, "machine.xml");
    vdnn_test_write_file(path, machine, bytes);
    assert_int_equal(setenv("HWLOC_XMLFILE", path, 1), 0);
}

static void require_hwloc(void)
{
#ifndef VDNN_HWLOC
    skip_because("built without hwloc");
#endif
}

static void a_card_is_near_the_node_of_its_package(void **state)
{
    require_hwloc();
    pretend(*state, two_nodes, sizeof two_nodes - 1);
    vdnn_cuda_place *place = vdnn_cuda_place_find(0, 0x17, 0);
    assert_int_equal(vdnn_cuda_place_node(place), 1);
    static char page[4096];
    vdnn_cuda_place_bind(place, page, sizeof page); /* of another machine: nothing happens */
    vdnn_cuda_place_free(place);
}

static void an_unknown_card_and_a_machine_of_one_node_have_no_place(void **state)
{
    require_hwloc();
    pretend(*state, two_nodes, sizeof two_nodes - 1);
    assert_null(vdnn_cuda_place_find(0, 0x18, 0));
    pretend(*state, one_node, sizeof one_node - 1);
    assert_null(vdnn_cuda_place_find(0, 0x17, 0));
    assert_int_equal(vdnn_cuda_place_node(NULL), -1);
    vdnn_cuda_place_bind(NULL, NULL, 0);
    vdnn_cuda_place_free(NULL);
}

static void without_memory_there_is_no_place(void **state)
{
    require_hwloc();
    pretend(*state, two_nodes, sizeof two_nodes - 1);
    vdnn_heap_fail_after(1);
    assert_null(vdnn_cuda_place_find(0, 0x17, 0));
    vdnn_heap_fail_after(0);
}

int main(void)
{
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_card_is_near_the_node_of_its_package),
        TEST(an_unknown_card_and_a_machine_of_one_node_have_no_place),
        TEST(without_memory_there_is_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
