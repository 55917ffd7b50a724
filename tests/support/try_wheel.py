"""In an environment with the installed package alone, beside the sources' folder that is the argument.

Ends with 77 where Fashion-MNIST is missing, when all else is right.
"""
import pathlib
import re
import subprocess
import sys

import numpy
import vdnn

SOURCES, STEPS = pathlib.Path(sys.argv[1]), 8
PICTURES = pathlib.Path("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz")


def readme_lines():
    """The first lines in its README, for some steps, with what they measure kept."""
    text = (SOURCES / "tools" / "python" / "README.md").read_text()
    return re.search(r"```python\n(.*?)```", text, re.DOTALL)[1].replace(
        "60000", str(128 * STEPS)).replace('"opt"', '"opt", plan_trials=30, threads=1, profile="measured"')


def a_budget_that_it_does_not_fit_in():
    if not PICTURES.exists():
        sys.exit(77)
    scope = {}
    exec(readme_lines(), scope)
    assert scope["loss"] < 2.25 and "fc2.bias" in scope["weights"], scope["loss"]
    try:
        vdnn.Session("lenet", budget="19MiB", batch=128, policy="base", algo="m", threads=1, profile="measured")
        raise AssertionError("it fits")
    except vdnn.Error as error:
        assert error.status == "NO_FIT"


def the_same_bits_as_the_program():
    random = numpy.random.default_rng(5)
    x, y = random.standard_normal((32, 1, 28, 28), dtype=numpy.float32), random.integers(0, 10, 32)
    numpy.save("images.npy", x)
    numpy.save("labels.npy", y)
    subprocess.run([sys.executable, "-m", "vdnn", "run", "--model", "lenet", "--data", "npy:.", "--no-shuffle",
                    "--batch", "8", "--steps", "4", "--seed", "3", "--device-mem", "16MiB", "--profile", "profile",
                    "--threads", "1", "--save", "program", "--quiet"], check=True)
    with vdnn.Session("lenet", budget="16MiB", batch=8, seed=3, steps=4, profile="profile", threads=1) as session:
        for i in range(0, 32, 8):
            session.step(x[i:i + 8], y[i:i + 8])
        session.save("package")
    assert pathlib.Path("program").read_bytes() == pathlib.Path("package").read_bytes()


def what_was_installed_is_all():
    assert SOURCES not in pathlib.Path(vdnn.__file__).parents
    with vdnn.Session("vgg16", device="sim:h100", policy="base", batch=2, dry_run=True) as session:
        assert "vgg16, batch 2" in str(session)


what_was_installed_is_all()
the_same_bits_as_the_program()
a_budget_that_it_does_not_fit_in()
