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

/* What is in the wheel is enough: pip puts it into an environment that has nothing else but NumPy,
 * seen from a folder where nothing was built. */
TEST_IN_FOLDER(the_wheel_holds_all_that_the_package_needs)
{
    const char *folder = *state, *interpreter = python();
    if (system("/usr/bin/python3 -c 'import pip, venv' 2>/dev/null") != 0)
        skip_because("no pip and venv of /usr/bin/python3");
    expect_shell("make -s SETUP=no CONFIG=release wheel DIST=%s >/dev/null", folder);
    expect_shell("cd %s && %s -m venv --system-site-packages --without-pip e", folder, interpreter);
    expect_shell("cd %s && %s -m pip --quiet --python e install --no-index --no-deps vdnn-*.whl",
                 folder, interpreter);
    expect_shell("cd %s && e/bin/python -c 'import vdnn; assert \"/e/\" in vdnn.__file__; "
                 "print(vdnn.Session(\"lenet\", budget=\"64MiB\", batch=4, threads=1))' >out",
                 folder);
    expect_shell("grep -q 'lenet, batch 4' %s/out", folder);
    expect_shell("cd %s && e/bin/python -m vdnn run --model vgg16 --device sim:h100 --policy base "
                 "--dry-run --batch 2 >out",
                 folder);
    expect_shell("grep -q 'vgg16, batch 2' %s/out", folder);
}
