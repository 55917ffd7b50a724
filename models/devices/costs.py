"""The cost model as a process: build/release/tests/bench/bench_cost, which evaluates the formulas of layers/sim/cost.c and
runtime/device/sim/predict.c. Nothing of them is repeated in Python.

    costs = Costs(program)
    costs.device("v100", "f32")
    costs.shapes([((64, 3, 224, 224, 64, 3, 3, 1, 1, 1, 1), False)])
    seconds, workspace = costs.times()[shape, False]["winograd", "forward"]
"""
import subprocess

ALGORITHMS = ("implicit_gemm", "implicit_precomp_gemm", "gemm", "fft", "fft_tiling", "winograd", "winograd_nonfused")
PASSES = ("forward", "backward_data", "backward_filter")
# What a measured time is of: words of tests/reference/.
DIRECTIONS = {
    "fwd": ("forward",),
    "bwd_data": ("backward_data",),
    "bwd_filter": ("backward_filter",),
    "bwd_total": ("backward_data", "backward_filter"),
}


class Costs:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked = []

    def send(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")

    def answer(self):
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the cost model ended")
        return line

    def device(self, name, dtype):
        """Rates of a device model in models/devices/, with maps of a type."""
        self.send("device", f"models/devices/{name}.yaml", dtype)

    def rate(self, algorithms, passes, key, value):
        for algorithm in algorithms:
            for each in passes:
                self.send("rate", algorithm, each, key, value)

    def shapes(self, shapes):
        """Those that `times` is of: ((n, c, h, w, k, r, s, strides, pads), whether a bias is added)."""
        self.asked = list(shapes)
        self.send("clear")
        for shape, bias in self.asked:
            self.send("shape", *shape, int(bias))

    def ask(self):
        """Starts what `collect` waits for, so that several processes compute at the same time."""
        self.send("times")
        self.process.stdin.flush()

    def collect(self):
        """For each shape a table {(algorithm, pass): (seconds, workspace bytes)}."""
        result = {}
        for shape in self.asked:
            words = self.answer().split()
            pairs = zip(words[::2], words[1::2])
            names = ((a, p) for a in ALGORITHMS for p in PASSES)
            result[shape] = {n: (float(s), int(b)) for n, (s, b) in zip(names, pairs) if s != "-"}
        return result

    def times(self):
        self.ask()
        return self.collect()

    def products(self, products):
        """Seconds of each (rows, columns, inner, then for the factor of the rows and that of the columns 1 if it lies along
        the inner dimension)."""
        self.send("clear")
        for product in products:
            self.send("product", *product)
        self.send("products")
        return [float(self.answer()) for _ in products]

    def reductions(self, reductions):
        """Seconds of summing over devices like the last one, each of (devices, bytes)."""
        for devices, count in reductions:
            self.send("reduce", devices, count)
        return [float(self.answer()) for _ in reductions]


def fastest(table, algorithms, direction):
    """Seconds of a shape's passes, each by the fastest of the algorithms, or of all where the model has none of them."""
    def of(each):
        return [table[a, each][0] for a in algorithms if (a, each) in table]
    return sum(min(of(each) or [seconds for (_, own), (seconds, _) in table.items() if own == each])
               for each in DIRECTIONS[direction])


# ---- rows of tests/reference/ ----

FOLDS = 3
SHIPPED_FOLD = 1  # the third of the shapes that the shipped rates were not fitted to


def shape_of(fields):
    names = ("n", "c", "h", "w", "k", "r", "s", "stride_h", "stride_w", "pad_h", "pad_w")
    return tuple(int(fields[name]) for name in names)


def timed_algorithms(fields):
    """The algorithm that was timed, or all that the library may have chosen from."""
    return (fields["algorithm"],) if fields["algorithm"] in ALGORITHMS else ALGORITHMS


def folds_of(rows, key=shape_of):
    """The fold in which each shape is kept back: every third in their order."""
    return {shape: i % FOLDS for i, shape in enumerate(sorted({key(fields) for fields in rows}))}


def product_of(fields):
    return tuple(int(fields[name]) for name in ("rows", "columns", "inner"))


# Which source states column-major matrices, that of the columns first; the others state row-major ones.
COLUMN_MAJOR = ("deepbench",)


def factors_of(fields):
    """The sizes of a product, and whether its factors, of the rows and of the columns, lie along the inner dimension."""
    first, second = fields["transposed"]
    rows, columns = (second == "N", first == "T") if fields["source"] in COLUMN_MAJOR else (first == "N", second == "T")
    return (*product_of(fields), int(rows), int(columns))
