"""What test_python.c holds of the package: each check by its name; prints what failed."""
import ctypes
import gc
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback

import numpy

sys.path.insert(0, "tools/python")
import vdnn  # noqa: E402
from vdnn import arrays, library  # noqa: E402

NET = """{name: rows, input: {channels: 1, height: 12, width: 12}, classes: 3, batch: 8, training: {lr: 0.05},
 layers: [{name: conv1, type: conv, out: 8, kernel: 3}, {name: norm1, type: batchnorm}, {name: relu1, type: relu},
 {name: fc, type: fc, out: 3}, {name: loss, type: softmax_loss}]}"""
FOLDER = tempfile.TemporaryDirectory()
PROFILE = f"{FOLDER.name}/profile"  # measured once
RANDOM = numpy.random.default_rng(7)


def make_batch():
    y = RANDOM.integers(0, 3, 8)
    return (RANDOM.standard_normal((8, 1, 12, 12)) + y[:, None, None, None]).astype(numpy.float32), y


def make_session(**options):
    return vdnn.Session(vdnn.Model(text=NET), budget="16MiB", profile=PROFILE, **{"threads": 1, **options})


def refusal(call):
    try:
        call()
    except vdnn.Error as error:
        return error.status
    except (TypeError, ValueError, KeyboardInterrupt) as error:
        return type(error).__name__
    return "nothing"


def it_learns():
    with make_session() as session:
        losses = [session.step(*make_batch()) for _ in range(30)]
        assert losses[-1] < losses[0] / 2, losses


STILL = make_session()
STILL.set_learning_rate(0)


def one_loss(x, y):
    return STILL.step(x, y)


def any_layout_of_memory_gives_the_same_bits():
    x, y = make_batch()
    wide = numpy.zeros((8, 1, 12, 24), dtype=numpy.float32)
    wide[..., ::2] = x
    wide.flags.writeable = False
    backward = numpy.ascontiguousarray(x[..., ::-1])
    odd = numpy.frombuffer(b"?" + x.tobytes(), dtype=numpy.float32, offset=1).reshape(x.shape)
    layouts = (x, x.astype(numpy.float64), x.astype(">f4"), x.tolist(), wide[..., ::2], backward[..., ::-1], odd,
               numpy.asfortranarray(x), Exporter(x), Exporter(wide[..., ::2]), Exporter(backward[..., ::-1]))
    assert len({one_loss([own] if isinstance(own, list) else own, y) for own in layouts}) == 1
    same = numpy.broadcast_to(x[:1], x.shape)  # a stride of 0
    assert one_loss(same, y) == one_loss(Exporter(same), y) == one_loss(same.copy(), y)
    halves = x.astype(numpy.float16)
    assert one_loss(halves, y) == one_loss(halves.astype(numpy.float32), y.astype(numpy.uint8))


class Tensor(ctypes.Structure):
    _fields_ = [("head", ctypes.c_uint32 * 2), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", arrays.Tensor)]


class Exporter:
    """An array as another library exports it by DLPack 1.0, with `changes` of what is said of it."""

    def __init__(self, array, **changes):
        self.array, self.changes, self.name, self.freed = array, changes, b"dltensor_versioned", []
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda capsule: self.freed.append(1))

    def __dlpack__(self, max_version):
        self.shape = (ctypes.c_int64 * self.array.ndim)(*self.array.shape)
        self.strides = (ctypes.c_int64 * self.array.ndim)(*(n // self.array.itemsize for n in self.array.strides))
        self.made = Tensor(head=(1, 0), flags=0 if self.array.flags.writeable else 1)
        self.made.tensor = arrays.Tensor(
            data=self.array.ctypes.data - 64, device_type=1, ndim=self.array.ndim, lanes=1, byte_offset=64,
            code={"f": 2, "i": 0, "u": 1}[self.array.dtype.kind], bits=8 * self.array.itemsize)
        self.made.tensor.shape = self.shape
        self.made.tensor.strides = self.strides
        for name, value in self.changes.items():
            setattr(self.made if name == "head" else self.made.tensor, name, value)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.made), self.name, ctypes.cast(self.free, ctypes.c_void_p))


def arrays_are_read_where_they_are():
    x, y = make_batch()
    y = y.astype(numpy.int32)
    frozen = x.copy()
    frozen.flags.writeable = False
    for own in (x, x[2:5], frozen):
        for exported in (own, Exporter(own), Exporter(own, strides=None)):
            assert arrays.as_input(exported).ctypes.data == own.ctypes.data
    assert not arrays.as_input(Exporter(frozen)).flags.writeable
    assert arrays.as_integers(Exporter(y)).ctypes.data == y.ctypes.data
    exported = Exporter(x)
    read = arrays.as_input(exported)
    assert not exported.freed
    del read
    gc.collect()
    assert exported.freed


def tensors_that_cannot_be_read_are_refused():
    x, y = make_batch()
    for changes, status in (({"device_type": 2}, "TypeError"), ({"head": (2, 0)}, "TypeError"),
                            ({"code": 5, "bits": 64}, "TypeError"), ({"bits": 4}, "TypeError"),
                            ({"lanes": 2}, "TypeError"), ({"data": None}, "ValueError"), ({"ndim": 2}, "USAGE")):
        assert refusal(lambda changes=changes: one_loss(Exporter(x, **changes), y)) == status, changes
    assert arrays.as_input(Exporter(x[:0], data=None)).shape == (0, 1, 12, 12)
    bfloats = Exporter((x.view(numpy.uint32) >> 16).astype(numpy.uint16), code=4, bits=16)
    assert numpy.abs(arrays.as_input(bfloats) - x).max() < 0.05


def an_array_is_not_resized_while_it_is_read():
    x, y = make_batch()
    y = y.astype(numpy.int32)
    with make_session() as session:
        caught, real = [], library.LIBRARY.vdnn_session_step_on

        def resize(*arguments):
            for own in (x, y):
                try:
                    own.resize(1, refcheck=False)
                except ValueError as error:
                    caught.append(error)
            return real(*arguments)

        library.LIBRARY.vdnn_session_step_on = resize
        try:
            session.step(x, y)
        finally:
            library.LIBRARY.vdnn_session_step_on = real
        assert len(caught) == 2


def a_session_goes_on_from_the_weights_of_another():
    batches = [make_batch() for _ in range(3)]
    with make_session() as first, make_session(seed=9) as second:
        first.step(*batches[0])
        second.load_state_dict(first.state_dict())
        for session in (first, second):
            session.set_learning_rate(0)
        assert first.step(*batches[1]) == second.step(*batches[1])
        broken = first.state_dict()
        broken["fc.bias"] = broken["fc.bias"][:2]
        assert refusal(lambda: second.load_state_dict(broken)) == "BAD_INPUT"
        assert refusal(lambda: second.load_state_dict({})) == "BAD_INPUT"


def wrong_arrays_are_refused_and_lose_nothing():
    x, y = make_batch()
    with make_session() as session:
        for own, labels, status in ((x[:4], y, "USAGE"), (x[..., :6], y, "USAGE"), (x.astype(int), y, "USAGE"),
                                    (x, y[:4], "USAGE"), (x, y + 3, "BAD_INPUT"), (x, y - 9, "BAD_INPUT"),
                                    (x, y.astype(float), "TypeError"), (x, y + 2**40, "ValueError"),
                                    ([x, x], y, "USAGE"), (x, None, "TypeError"), (numpy.float32(1), y, "USAGE"), (None, y, "TypeError"),
                                    (x.astype(complex), y, "TypeError")):
            assert refusal(lambda own=own, labels=labels: session.step(own, labels)) == status, (own, labels)
        session.step(x, y)
        x[3] = numpy.nan
        assert refusal(lambda: session.step(x, y)) == "DIVERGED"


def a_session_ends_and_says_so():
    session = make_session()
    session.close()
    session.close()
    for call in (lambda: session.step(*make_batch()), session.state_dict, session.record, lambda: str(session)):
        assert refusal(call) == "USAGE"
    assert refusal(lambda: vdnn.Session(vdnn.Model(text=NET), budget="1KiB")) == "NO_FIT"
    assert refusal(lambda: vdnn.Model("lenett")) == "BAD_INPUT"
    assert refusal(lambda: make_session(polcy="dyn")) == "TypeError"
    try:
        make_session(polcy="dyn")
    except TypeError as error:
        assert "did you mean policy?" in str(error), error


def options_have_the_types_of_the_header():
    for options, status in (({"threads": 2**32}, "ValueError"), ({"seed": -1}, "ValueError"),
                            ({"threads": "2"}, "TypeError"), ({"lr": "fast"}, "TypeError"),
                            ({"verify": "no"}, "TypeError"), ({"dtype": "f32\0"}, "ValueError"),
                            ({"dtype": 32}, "TypeError"), ({"network": 5}, "TypeError"), ({"dtype": "f33"}, "USAGE"),
                            ({"seed": True}, "TypeError"), ({"seed": numpy.int64(3)}, "nothing")):
        assert refusal(lambda options=options: make_session(**options).close()) == status, options


def options_are_found_in_structs_that_are_pointed_to():
    structs = library.Structs("""
        typedef struct vdnn_plan_options { size_t size; bool has_rate; double rate; const char *a, *b; } vdnn_plan_options;
        typedef struct vdnn_all_options { size_t size; int64_t batch; const vdnn_plan_options *plan; void *data;
        } vdnn_all_options;""")
    options = library.Options(structs, "vdnn_all_options")
    assert options.names() == ["a", "b", "batch", "rate"]
    options.set("batch", 3)
    assert options.root.batch == 3 and not options.root.plan
    options.set("rate", 0.5)
    options.set("b", "text")
    plan = structs["vdnn_plan_options"].from_address(options.root.plan)
    assert (plan.size, plan.has_rate, plan.rate, plan.a, plan.b) == (ctypes.sizeof(plan), True, 0.5, None, b"text")


def values_of_enumerators_are_those_of_the_header():
    assert library.STATUSES[0] == "OK" and "DIVERGED" in library.STATUSES.values()
    given = """#define VDNN_LOG_TABLE(X) X(ERROR, 10, "error text") \\
        X(WARN, 20, "warn")
        typedef enum vdnn_log_level {
        #define X(name, value, text) VDNN_LOG_##name = value,"""
    assert {value: row["name"] for value, row in library.rows_of("LOG", given).items()} == {10: "ERROR", 20: "WARN"}
    assert library.rows_of("LOG", given)[10]["text"] == "error text"


def a_session_is_for_one_thread_at_a_time():
    with make_session() as session:
        with session.entered():
            caught = []
            for call in (session.state_dict, session.close, lambda: session.step(*make_batch())):
                other = threading.Thread(target=lambda call=call: caught.append(refusal(call)))
                other.start()
                other.join()
            assert caught == ["USAGE"] * 3, caught


def other_threads_run_during_a_step():
    ran = threading.Event()
    with make_session() as session:
        real = library.LIBRARY.vdnn_session_step_on
        other = threading.Thread(target=ran.set)
        library.LIBRARY.vdnn_session_step_on = lambda *arguments: (other.start(), real(*arguments))[1]
        try:
            session.step(*make_batch())
        finally:
            library.LIBRARY.vdnn_session_step_on = real
        other.join()
        assert ran.is_set()


def an_interrupt_comes_after_the_step():
    with make_session() as session:
        real = library.LIBRARY.vdnn_session_step_on
        library.LIBRARY.vdnn_session_step_on = lambda *arguments: (
            signal.raise_signal(signal.SIGINT), signal.raise_signal(signal.SIGINT), real(*arguments))[2]
        try:
            session.step(*make_batch())
            raise AssertionError("not interrupted")
        except KeyboardInterrupt:
            pass
        finally:
            library.LIBRARY.vdnn_session_step_on = real
        assert session.steps == 1
        session.step(*make_batch())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def an_interrupt_ends_a_search():
    with make_session() as session:
        session.calls.noted.append(1)
        assert refusal(session.max_batch) == "KeyboardInterrupt"
        assert session.max_batch() > 0


def classes_are_predicted():
    x, y = make_batch()
    many = numpy.concatenate([x, x, x[:3]])
    with make_session(predictions=True) as session:
        logits, shares = session.predict(many.astype(numpy.float64), logits=True), session.predict(Exporter(many))
        assert logits.shape == shares.shape == (19, 3) and numpy.allclose(shares.sum(1), 1)
        assert (logits[:8] == logits[8:16]).all() and (logits.argmax(1) == shares.argmax(1)).all()
        found = logits[:8].argmax(1)
        assert session.evaluate(x, found) == 1 and session.evaluate(x, (found + 1) % 3) == 0
        assert session.evaluate(x, numpy.where(numpy.arange(8) < 4, found, -100)) == 1
        for own, status in ((x[:, :, :6], "USAGE"), (x[0], "USAGE"), (1.5, "USAGE"), ([x, x], "USAGE"), (None, "TypeError"),
                            (x.astype(int), "USAGE")):
            assert refusal(lambda own=own: session.predict(own)) == status, own
        assert refusal(lambda: session.evaluate(x, found[:4])) == "USAGE"
    assert refusal(lambda: STILL.predict(x)) == "USAGE"


def losses_over_numbers_take_floats():
    x, _ = make_batch()
    layers = [{"name": "fc", "type": "fc", "out": 2}, {"name": "loss", "type": "mse"}]
    shape = {"channels": 1, "height": 12, "width": 12}
    targets = numpy.stack([x.mean((1, 2, 3)), x[:, 0, 0, 0]], 1).astype(numpy.float64)
    with vdnn.Session(vdnn.Model("numbers", layers, input=shape, batch=8, training={"lr": 0.01}), predictions=True) as session:
        losses = [session.step(x, targets) for _ in range(30)]
        found = session.predict(x)
        assert found.shape == (8, 2) and losses[-1] < losses[0] / 2
        assert abs(session.step(x, targets) - ((found - targets) ** 2).mean()) < 1e-5
        assert refusal(lambda: session.step(x, targets[:, :1])) == "USAGE"
        assert refusal(lambda: session.evaluate(x, targets)) == "USAGE" and session.evaluate() == -1
    layers[1]["type"] = "bce"
    with vdnn.Session(vdnn.Model("chances", layers, input=shape, batch=8), predictions=True) as session:
        session.step(x, targets > 0)
        logits, shares = session.predict(x, logits=True), session.predict(x)
        assert numpy.allclose(shares, 1 / (1 + numpy.exp(-logits)), atol=1e-6)
        assert refusal(lambda: session.step(x, targets + 2)) == "BAD_INPUT"


def tokens_follow_a_prompt():
    model = vdnn.Model("bigrams", [{"name": "words", "type": "embedding", "out": 30}, {"name": "loss", "type": "softmax_loss"}],
                       input={"tokens": 5, "vocabulary": 30}, classes=30, batch=2)
    with vdnn.Session(model, predictions=True, seed=3) as session:
        after = session.predict(numpy.arange(30, dtype=numpy.int32).reshape(6, 5), logits=True).reshape(30, 30).argmax(1)
        found = session.generate([4, 7], 12, temperature=0)
        assert found.tolist() == after[[7, *found[:-1]]].tolist()
        drawn = [session.generate([4, 7], 40, seed=seed).tolist() for seed in (1, 1, 2)]
        assert drawn[0] == drawn[1] != drawn[2] and {type(token) for token in drawn[0]} == {int}
        for own, status in (([30], "BAD_INPUT"), ([], "USAGE"), ([1.5], "TypeError")):
            assert refusal(lambda own=own: session.generate(numpy.array(own) if own else numpy.zeros(0, int), 3)) == status
        assert refusal(lambda: session.generate([1], 0)) == "USAGE"
        assert session.encode("\x03\x1d\x00").tolist() == [3, 29, 0] and session.decode([3, 0, 29]) == b"\x03\x00\x1d"
        assert session.encode("").size == 0 and session.decode(numpy.zeros(0, int)) == b""
        assert refusal(lambda: session.encode("z")) == refusal(lambda: session.decode([30])) == "BAD_INPUT"
    with make_session(predictions=True) as session:
        assert refusal(lambda: session.generate([1], 3)) == refusal(lambda: session.encode("a")) == "BAD_INPUT"


def gradients_are_what_the_step_subtracts():
    with make_session(gradients=True) as session:
        before = session.state_dict()
        assert refusal(session.gradients) == "USAGE"
        session.step(*make_batch())
        after, gradients = session.state_dict(), session.gradients()
        assert set(before) - set(gradients) == {"norm1.running_mean", "norm1.running_var"}
        for name, gradient in gradients.items():
            assert numpy.allclose(before[name] - 0.05 * gradient, after[name], rtol=1e-5, atol=1e-7), name
    assert refusal(STILL.gradients) == "USAGE"


def a_session_trains_on_what_an_iterable_makes():
    batches = [make_batch() for _ in range(3)]
    with make_session() as one, make_session() as other:
        losses = one.train((x, y) for x, y in [*batches, (batches[0][0][:3], batches[0][1][:3])])
        assert losses == [other.step(*batch) for batch in batches]


class Dataset:
    """As PyTorch's."""

    def __init__(self, broken=None):
        self.x, self.y = numpy.concatenate([make_batch()[0] for _ in range(3)]), numpy.arange(24) % 3
        self.broken = broken

    def __len__(self):
        return 24

    def __getitem__(self, i):
        if i == self.broken:
            raise KeyError("sample 13")
        return (self.x[i].astype(numpy.float64), self.y[i])


def samples_of_a_dataset_are_trained_on():
    with make_session(samples=Dataset(), epochs=2, no_shuffle=True) as session:
        session.run()
        assert session.steps == 6 and numpy.isfinite(session.record()["losses"]).all()
    with make_session(samples=Dataset(broken=13), epochs=1) as session:
        try:
            session.run()
            raise AssertionError("no error of the dataset")
        except KeyError as error:
            assert error.args == ("sample 13",)
    wrong = Dataset()
    wrong.x = wrong.x[:, :, :6]
    with make_session(samples=wrong, epochs=1) as session:
        assert refusal(session.run) == "USAGE"


def hooks_see_steps_and_passes():
    seen = []
    with make_session() as session:
        session.set_hooks(before_step=lambda step: seen.append(("before", step, abs(session.state_dict()["fc.bias"]).sum())),
                          after_step=lambda step: seen.append(("after", step, abs(session.state_dict()["fc.bias"]).sum())),
                          after_layer=lambda run: seen.append(run))
        session.step(*make_batch())
        assert seen[0][:2] == ("before", 1) and seen[-1][:2] == ("after", 1) and seen[0][2] != seen[-1][2]
        passes = {(run.layer, run.pass_name) for run in seen[1:-1]}
        assert ("conv1", "forward") in passes and ("fc", "backward_filter") in passes, passes
        session.set_hooks(before_layer=lambda run: session.state_dict())
        assert refusal(lambda: session.step(*make_batch())) == "USAGE"
        session.set_hooks(before_step=lambda step: session.step(*make_batch()))
        assert refusal(lambda: session.step(*make_batch())) == "USAGE"
        session.set_hooks(after_step=lambda step: {}["missing"])
        try:
            session.step(*make_batch())
            raise AssertionError("no error of the hook")
        except KeyError as error:
            assert error.args == ("missing",)
        session.set_hooks()
        session.step(*make_batch())


def the_state_of_the_optimizer_is_read_and_set():
    batches = [make_batch() for _ in range(3)]
    with make_session(optimizer="adam") as one, make_session(optimizer="adam") as other:
        assert [one.step(*batch) for batch in batches[:2]]
        state = one.optimizer_state()
        assert set(state) == {"exp_avg", "exp_avg_sq"} and state["exp_avg"]["fc.weight"].any()
        assert not other.optimizer_state()["exp_avg"]["fc.weight"].any()
        other.load_optimizer_state(state)
        assert (other.optimizer_state()["exp_avg_sq"]["fc.bias"] == state["exp_avg_sq"]["fc.bias"]).all()
        for broken in ({}, {"exp_avg": state["exp_avg"]}, {**state, "exp_avg": {}},
                       {**state, "exp_avg": {**state["exp_avg"], "fc.bias": numpy.full(3, numpy.nan)}}):
            assert refusal(lambda broken=broken: other.load_optimizer_state(broken)) == "BAD_INPUT"


def a_session_is_refused_in_a_child():
    child = os.fork()
    if child == 0:
        calls = (lambda: STILL.step(*make_batch()), STILL.state_dict, STILL.record, lambda: str(STILL))
        os._exit(0 if all(refusal(call) == "USAGE" for call in calls) else 1)
    assert os.waitpid(child, 0)[1] == 0


def texts_are_there():
    with make_session() as session:
        assert "rows" in str(session) and "conv1" in session.plan() and session.record()["batch"] == 8
        assert len(session.explain()) > 100 and session.max_batch() > 8
        report = session.report("base,dyn")
    assert {row["policy"] for row in report.data["policies"]} == {"base", "dyn"} and "dyn" in str(report)
    assert report._repr_html_().startswith("<iframe srcdoc=")


def a_network_is_built_of_layers():
    layers = [{"name": "features.0", "type": "conv", "out": 2, "kernel": [3, 3]}, {"name": "fc", "type": "fc", "out": 3},
              {"name": "loss", "type": "softmax_loss"}]
    model = vdnn.Model("mine", layers, input={"channels": 1, "height": 12, "width": 12}, classes=3, batch=8,
                       training={"lr": 0.1})
    with vdnn.Session(model, budget="16MiB", threads=1) as session:
        session.step(*make_batch())
        assert list(session.state_dict()) == ["features.0.weight", "features.0.bias", "fc.weight", "fc.bias"]
        assert session.record()["optimizer"]["lr"] == 0.1
    assert refusal(lambda: vdnn.Model("mine", layers)) == "BAD_INPUT"
    assert refusal(vdnn.Model) == "TypeError"


def networks_have_the_names_of_torchvision():
    """Of torchvision 0.14: the hash of all its names and shapes, sorted, without counters and auxiliary heads."""
    for network, digest in (("vgg16", "63f9f2f4402fbe84"), ("vgg19", "0b00b188366bf7d2"), ("alexnet", "58e71d46cc5e1724"),
                            ("resnet50", "138c8c8ccc17d9f2"), ("densenet121", "b192360cfa58fb5f"),
                            ("squeezenet", "f7a26a157e1dce42"), ("inception_v3", "bf17370bc0480f83")):
        with vdnn.Session(network, device="sim:h100", policy="base", batch=1, dry_run=True) as session:
            text = "".join(f"{one.name} {list(one.shape)}\n" for one in sorted(session.parameters, key=lambda one: one.name))
        assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest, (network, text[:400])


def googlenet_says_how_it_differs_from_torchvision():
    with vdnn.Session("googlenet", device="sim:h100", policy="base", batch=1, dry_run=True) as session:
        names = {one.name: one.shape for one in session.parameters}
        assert names["inception3a.branch2.1.conv.weight"] == (128, 96, 3, 3) and "fc.bias" in names
        try:
            session.load_state_dict({"conv1.bn.weight": numpy.ones(64), "conv1.bn.num_batches_tracked": 1})
        except vdnn.Error as error:
            assert error.status == "BAD_INPUT" and "from_torch" in str(error)


def weights_are_taken_by_either_name():
    small = [{"name": "conv1_1", "type": "conv", "out": 2, "kernel": 3}, {"name": "fc6", "type": "fc", "out": 3},
             {"name": "loss", "type": "softmax_loss"}]
    model = vdnn.Model("vgg16", small, input={"channels": 1, "height": 12, "width": 12}, classes=3, batch=8)
    with vdnn.Session(model, budget="16MiB", threads=1) as session:
        values = session.state_dict()
        assert list(values) == ["features.0.weight", "features.0.bias", "classifier.0.weight", "classifier.0.bias"]
        session.load_state_dict({**values, "x.num_batches_tracked": numpy.int64(1)})
        session.load_state_dict({one.layer_name: values[one.name] + 1 for one in session.parameters})
        assert (session.state_dict()["features.0.weight"] == values["features.0.weight"] + 1).all()
        values["features.0.bias"][0] = numpy.inf
        assert refusal(lambda: session.load_state_dict(values)) == "BAD_INPUT"


def weights_are_read_and_written_by_the_names_of_torchvision():
    small = [{"name": "conv1_1", "type": "conv", "out": 2, "kernel": 3}, {"name": "fc6", "type": "fc", "out": 3},
             {"name": "loss", "type": "softmax_loss"}]
    path, again, own = (f"{FOLDER.name}/{name}.npz" for name in ("torch", "again", "own"))

    def session(**options):
        model = vdnn.Model("vgg16", small, input={"channels": 1, "height": 12, "width": 12}, classes=3, batch=8)
        return vdnn.Session(model, budget="16MiB", threads=1, **options)
    with session(seed=4) as first:
        values = first.state_dict()
        numpy.savez(path, **values, **{"x.num_batches_tracked": numpy.int64(1)})
        first.save(own)
    with session(init=path, names="torchvision") as second:
        assert all((values[name] == value).all() for name, value in second.state_dict().items())
        second.save(again)
    assert sorted(numpy.load(again).files) == sorted(values) and "conv1_1.weight" in numpy.load(own).files
    numpy.savez(path, **{**values, "features.9.weight": values["features.0.weight"]})
    assert refusal(lambda: session(init=path)) == "BAD_INPUT"
    assert refusal(lambda: make_session(names="torchvision")) == "USAGE"
    assert refusal(lambda: make_session(names="keras")) == "USAGE"


def arrays_of_numpy_are_weights():
    path, again = f"{FOLDER.name}/w.npz", f"{FOLDER.name}/again.npz"
    with make_session(seed=5) as session:
        values = session.state_dict()
        numpy.savez(path, **{name: value.astype(numpy.float64) for name, value in values.items()})
    with make_session(init=path) as session:
        session.save(again)
    with numpy.load(again) as written:
        assert set(written.files) == set(values)
        assert all((written[name] == values[name]).all() for name in values)
    numpy.savez_compressed(path, **values)
    assert refusal(lambda: make_session(init=path)) == "BAD_INPUT"


def the_module_runs_the_programs():
    line = [sys.executable, "-m", "vdnn"]
    environment = {**os.environ, "PYTHONPATH": "tools/python"}
    for program in ("run", "vdnnreport"):
        assert b"usage" in subprocess.run([*line, program, "--help"], env=environment, capture_output=True).stdout.lower()
    assert subprocess.run([*line, "fly"], env=environment, capture_output=True).returncode == 2


def errors_travel_between_processes():
    import pickle
    error = pickle.loads(pickle.dumps(vdnn.Error("NO_FIT", "text")))
    assert error.status == "NO_FIT" and str(error) == "text"


failed = 0
for check in [value for name, value in list(globals().items()) if callable(value) and value.__module__ == "__main__"]:
    if check.__name__ in ("make_batch", "make_session", "refusal", "one_loss", "Tensor", "Exporter", "Dataset"):
        continue
    try:
        check()
    except Exception:
        failed += 1
        print(f"{check.__name__}:", traceback.format_exc())
sys.exit(failed)
