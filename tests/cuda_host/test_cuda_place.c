/* Where a card is, in a machine of which the system and hwloc are told. */

#include "runtime/base/heap.h"
#include "runtime/device/cuda/place.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

#define SETS(set)                                                                                  \
    " cpuset=\"" set "\" complete_cpuset=\"" set "\" nodeset=\"" set "\" complete_nodeset=\"" set  \
    "\""
#define NODE(number, set, index)                                                                   \
    "<object type=\"NUMANode\" os_index=\"" number                                                 \
    "\"" SETS(set) " gp_index=\"" index                                                            \
                   "0\" local_memory=\"1000000\"/><object type=\"PU\" os_index=\"" number          \
                   "\"" SETS(set) " gp_index=\"" index "1\"/>"
#define PACKAGE(number, set, index)                                                                \
    "<object type=\"Package\" os_index=\"" number                                                  \
    "\"" SETS(set) " gp_index=\"" index "\">" NODE(number, set, index) "</object>"
#define MACHINE(set, packages)                                                                     \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                 \
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"                        \
    "<object type=\"Machine\" os_index=\"0\"" SETS(set) " allowed_cpuset=\"" set                   \
                                                        "\" allowed_nodeset=\"" set                \
                                                        "\" gp_index=\"1\">" packages              \
                                                        "</object></topology>\n"

static const char two_nodes[] = MACHINE("0x3", PACKAGE("0", "0x1", "2") PACKAGE("1", "0x2", "3"));
static const char one_node[] = MACHINE("0x1", PACKAGE("0", "0x1", "2"));

/* In a machine whose card at 0000:17:00.0 is near the node that `node` says. */
static vdnn_cuda_place *find(const char *folder, const char *machine, const char *node, int bus)
{
    const char *path = vdnn_test_path(folder, "machine.xml");
    vdnn_test_write_file(path, machine, strlen(machine));
    assert_int_equal(setenv("HWLOC_XMLFILE", path, 1), 0);
    vdnn_test_write_below(folder, "sys/bus/pci/devices/0000:17:00.0/numa_node", node);
    const vdnn_test_fault told = {.root = folder};
    vdnn_test_fault_begin(&told);
    vdnn_cuda_place *place = vdnn_cuda_place_find(0, bus, 0);
    (void)vdnn_test_fault_end();
    return place;
}

static void require_hwloc(void)
{
#ifndef VDNN_HWLOC
    skip_because("built without hwloc");
#endif
}

TEST_IN_FOLDER(a_card_is_near_the_node_that_the_system_says)
{
    require_hwloc();
    vdnn_cuda_place *place = find(*state, two_nodes, "1\n", 0x17);
    assert_int_equal(vdnn_cuda_place_node(place), 1);
    static char page[4096];
    vdnn_cuda_place_bind(place, page, sizeof page); /* of another machine: nothing happens */
    vdnn_cuda_place_free(place);
}

TEST_IN_FOLDER(what_is_not_known_and_a_machine_of_one_node_have_no_place)
{
    require_hwloc();
    assert_null(find(*state, two_nodes, "1\n", 0x18));
    assert_null(find(*state, two_nodes, "-1\n", 0x17));
    assert_null(find(*state, two_nodes, "7\n", 0x17));
    assert_null(find(*state, one_node, "0\n", 0x17));
    assert_int_equal(vdnn_cuda_place_node(NULL), -1);
    vdnn_cuda_place_bind(NULL, NULL, 0);
    vdnn_cuda_place_free(NULL);
}

TEST_IN_FOLDER(without_memory_there_is_no_place)
{
    require_hwloc();
    vdnn_heap_fail_after(1);
    assert_null(find(*state, two_nodes, "1\n", 0x17));
    vdnn_heap_fail_after(0);
}
