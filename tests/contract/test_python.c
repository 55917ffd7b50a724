/* The Python package, from the sources and from its wheel, by tests/support/try_python.py. */

#include "tests/support/files.h"
#include "tests/support/run_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

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

/* A script that ends with 77 lacks what `missing` says. */
static void run_or_skip(const char *line, const char *missing)
{
    int code = system(line);
    if (WIFEXITED(code) && WEXITSTATUS(code) == 77)
        skip_because("%s", missing);
    if (code != 0)
        fail_msg("failed: %s", line);
}

TEST(modules_of_pytorch_train_as_they_do_there)
{
    run_or_skip("/usr/bin/python3 tests/support/try_from_torch.py",
                "no PyTorch of /usr/bin/python3");
}

/* What is in the wheel is enough: pip puts it into an environment that has nothing else but NumPy;
 * there the lines of its README train, and what it trains is what the program trains. */
TEST_IN_FOLDER(the_wheel_holds_all_that_the_package_needs)
{
    const char *folder = *state, *interpreter = python();
    char line[2048];
    (void)snprintf(line, sizeof line, "%s -c 'import pip, venv' 2>/dev/null", interpreter);
    if (system(line) != 0)
        skip_because("no pip and venv of %s", interpreter);
    expect_shell("make -s SETUP=no CONFIG=release wheel DIST=%s >/dev/null", folder);
    expect_shell("cd %s && %s -m venv --system-site-packages --without-pip e", folder, interpreter);
    expect_shell("cd %s && %s -m pip --quiet --python e install --no-index --no-deps vdnn-*.whl",
                 folder, interpreter);
    (void)snprintf(
        line, sizeof line,
        "sources=$PWD && cd %s && e/bin/python $sources/tests/support/try_wheel.py $sources",
        folder);
    run_or_skip(line, "no Fashion-MNIST (Debian's dataset-fashion-mnist)");
}
