/* The Python package, from the sources and from its wheel, by tests/support/try_python.py. */

#include "tests/support/files.h"
#include "tests/support/run_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* One with NumPy; skips where there is none. */
static const char *python(void)
{
    static const char *const names[] = {"python3", "/usr/bin/python3"};
    char line[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(line, sizeof line, "%s -c 'import numpy, ctypes' 2>/dev/null", names[i]);
        if (system(line) == 0)
            return names[i];
    }
    skip_because("no python3 with numpy");
    return NULL;
}

__attribute__((format(printf, 1, 2))) static void expect_shell(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (system(line) != 0)
        fail_msg("failed: %s", line);
}

TEST(the_package_trains_and_refuses_what_is_wrong)
{
    expect_shell("%s tests/support/try_python.py", python());
}

/* What is in it is enough: it is loaded from a folder that has nothing else. */
TEST_IN_FOLDER(the_wheel_holds_all_that_the_package_needs)
{
    const char *own = python();
    expect_shell("make -s SETUP=no CONFIG=release wheel DIST=%s >/dev/null", (char *)*state);
    expect_shell("cd %s && %s -m zipfile -e vdnn-*.whl .", (char *)*state, own);
    expect_shell("cd %s && %s -c 'import vdnn; assert vdnn.__file__.startswith(\"/\"); "
                 "print(vdnn.Session(\"lenet\", budget=\"64MiB\", batch=4, threads=1))' >out",
                 (char *)*state, own);
    expect_shell("grep -q 'lenet, batch 4' %s/out", (char *)*state);
}
