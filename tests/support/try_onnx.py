"""vdnn's ONNX files against onnx and onnxruntime.

    python3 tests/support/try_onnx.py export FOLDER     networks that vdnn wrote, as onnxruntime computes them
    python3 tests/support/try_onnx.py nodes FOLDER      onnx's own tests of every operator that vdnn reads

What vdnn computes is found from losses: with one label after the other on the same sample, and a last class whose
logit is 0, loss[last] - loss[k] is logit k.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import warnings

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / "build" / "bin" / "vdnnrun"
SEEN = 24       # elements of an output that are compared
NEAR = 1e-5     # of the largest element, at least 1


def run(folder, *arguments):
    """The JSON of a run of vdnnrun, or its message."""
    done = subprocess.run([RUN, "--quiet", "--no-cache", "--json", folder / "run.json", *map(str, arguments)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    return json.loads((folder / "run.json").read_text())


def losses(folder, model, sample, classes):
    """Those that vdnn computes for one sample with each label; or its message."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    picture = sample.astype("float32").reshape(sample.shape + (1,) * (3 - sample.ndim))
    numpy.save(data / "images.npy", numpy.repeat(picture[None], classes, axis=0))
    numpy.save(data / "labels.npy", numpy.arange(classes, dtype="int64"))
    result = run(folder, "--model", model, "--data", f"npy:{data}", "--no-shuffle", "--batch", 1, "--lr", 0,
                 "--steps", classes)
    if isinstance(result, str):
        return result
    return numpy.array(result["losses"])


def logits(folder, model, sample, classes):
    """Those of a model whose last logit is 0; or vdnn's message."""
    found = losses(folder, model, sample, classes)
    return found if isinstance(found, str) else found[-1] - found[:-1]


def resaved(folder, model, samples):
    """What onnxruntime computes by the file that vdnn writes of a model, before any step."""
    sys.path.insert(0, str(ROOT / "tools" / "python"))
    import vdnn
    session = vdnn.Session(str(model), budget="64MiB", batch=len(samples), threads=1)
    session.save(folder / "again.onnx")
    again = onnxruntime.InferenceSession(str(folder / "again.onnx"), providers=["CPUExecutionProvider"])
    return again.run(None, {again.get_inputs()[0].name: samples})[0]


def append_head(model, elements, seed):
    """Makes the model's output a choice of its elements, and a 0. Returns which ones."""
    graph = model.graph
    chosen = numpy.random.RandomState(seed).permutation(elements)[:SEEN]
    weight = numpy.zeros((len(chosen) + 1, elements), "float32")
    weight[numpy.arange(len(chosen)), chosen] = 1
    graph.initializer.append(numpy_helper.from_array(weight, "vdnn_head"))
    before = graph.output[0].name
    graph.node.append(helper.make_node("Flatten", [before], ["vdnn_flat"]))
    graph.node.append(helper.make_node("Gemm", ["vdnn_flat", "vdnn_head"], ["vdnn_logits"], transB=1))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("vdnn_logits", TensorProto.FLOAT, ["batch", len(chosen) + 1]))
    return chosen


def far(found, expected):
    """How far, relative to the largest."""
    return float(numpy.abs(found - expected).max() / max(1, numpy.abs(expected).max()))


# ---- export --------------------------------------------------------------------------------------------------------

def check_export(folder):
    """Networks without batch norm or dropout: what they compute in training is what the file says."""
    for name in ("lenet", "cifar_cnn", "squeezenet"):
        written = folder / f"{name}.onnx"
        result = run(folder, "--model", name, "--batch", 2, "--steps", 1, "--export", written)
        assert not isinstance(result, str), result
        model = onnx.load(written)
        onnx.checker.check_model(model, full_check=True)
        shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim][1:]
        sample = numpy.random.RandomState(1).rand(*shape).astype("float32")
        session = onnxruntime.InferenceSession(str(written), providers=["CPUExecutionProvider"])
        expected = session.run(None, {session.get_inputs()[0].name: sample[None]})[0][0]
        for node in list(model.graph.node):     # which training does not leave out
            assert node.op_type != "BatchNormalization"
            if node.op_type == "Dropout":
                node.op_type = "Identity"
                del node.input[1:]
        chosen = append_head(model, expected.size, 1)
        onnx.save(model, folder / "head.onnx")
        found = logits(folder, folder / "head.onnx", sample, len(chosen) + 1)
        assert not isinstance(found, str), found
        assert far(found, expected[chosen]) < NEAR, (name, found, expected[chosen])
    check_every(folder)
    random = numpy.random.RandomState(2)
    lengths = numpy.array([[7], [0], [3], [1], [6]], "int32")
    check_predictions(folder, "memories", [random.randint(0, 30, (5, 7)).astype("int32"), lengths])
    check_predictions(folder, "positions", [random.randint(0, 30, (3, 7)).astype("int32")])
    print("export: 6 networks as onnxruntime computes them")


def check_predictions(folder, name, samples):
    """What vdnn predicts is what onnxruntime computes by the file, with random weights."""
    sys.path.insert(0, str(ROOT / "tools" / "python"))
    import vdnn
    random = numpy.random.RandomState(2)
    session = vdnn.Session(str(folder / f"{name}.yaml"), budget="64MiB", batch=len(samples[0]), threads=1,
                           predictions=True)
    session.load_state_dict({name: random.uniform(-0.5, 0.5, values.shape).astype("float32")
                             for name, values in session.state_dict().items()})
    written = folder / f"{name}.onnx"
    session.save(written)
    onnx.checker.check_model(onnx.load(written), full_check=True)
    runtime = onnxruntime.InferenceSession(str(written), providers=["CPUExecutionProvider"])
    expected = runtime.run(None, {one.name: each.astype("int64") for one, each in zip(runtime.get_inputs(), samples)})[0]
    found = session.predict(samples, logits=True).reshape(expected.shape)
    assert far(found, expected) < NEAR, (found, expected)


def check_every(folder):
    """Every type of layer: onnxruntime loads the file, and computes finite numbers; vdnn reads it again."""
    result = run(folder, "--model", folder / "every.yaml", "--steps", 2, "--export", folder / "every.onnx")
    assert not isinstance(result, str), result
    onnx.checker.check_model(onnx.load(folder / "every.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(folder / "every.onnx"), providers=["CPUExecutionProvider"])
    found = session.run(None, {"input": numpy.zeros((2, 3, 12, 12), "float32")})[0]
    assert found.shape == (2, 10) and numpy.isfinite(found).all()


# ---- node tests ----------------------------------------------------------------------------------------------------

def operators():
    """The operators that vdnn reads, by its table."""
    text = (ROOT / "models" / "onnx" / "operators.c").read_text()
    return set(re.findall(r'^    \{"(\w+)",', text, re.MULTILINE))


def as_network(case, tensors, expected, folder):
    """A node test as a network: the first input is the sample, the others are weights."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    graph = model.graph
    shape = tensors[0].shape
    names = [value.name for value in graph.input]
    for name, tensor in list(zip(names, tensors))[1:]:
        graph.initializer.append(numpy_helper.from_array(tensor, name))
    del graph.input[:]
    graph.input.append(helper.make_tensor_value_info(names[0], TensorProto.FLOAT, ["batch", *shape[1:]]))
    del graph.output[1:]
    if graph.node[0].op_type.endswith("Softmax"):       # of a layer, which the loss may follow
        graph.initializer.append(numpy_helper.from_array(numpy.eye(shape[1], dtype="float32"), "vdnn_same"))
        graph.node.insert(0, helper.make_node("Gemm", [names[0], "vdnn_same"], ["vdnn_before"]))
        graph.node[1].input[0] = "vdnn_before"
        onnx.save(model, folder / "node.onnx")
        return numpy.arange(expected.shape[1])
    chosen = append_head(model, int(numpy.prod(expected.shape[1:])), 2)
    for opset in model.opset_import:
        if opset.domain == "":
            opset.version = min(opset.version, 21)
    onnx.save(model, folder / "node.onnx")
    return chosen


def check_case(case, folder):
    """None: it holds; else why it does not apply, or is refused. Raises where the values differ."""
    tensors, outputs = case.data_sets[0]
    tensors = [numpy.asarray(t) for t in tensors]
    expected = numpy.asarray(outputs[0])
    if any(t.dtype != numpy.float32 for t in tensors[:1]) or expected.dtype != numpy.float32:
        return "other types"
    if tensors[0].ndim not in (2, 4) or expected.ndim < 2 or expected.shape[0] != tensors[0].shape[0]:
        return "other dimensions"
    node, sample = case.model.graph.node[0], tensors[0][0]
    if "training_mode" in case.name:
        return "other results: those of training"
    chosen = as_network(case, tensors, expected, folder)
    if node.op_type.endswith("Softmax"):
        found = losses(folder, folder / "node.onnx", sample, len(chosen))
        if not isinstance(found, str):
            found = -found if node.op_type == "LogSoftmax" else numpy.exp(-found)
    elif node.op_type == "BatchNormalization":
        found = resaved(folder, folder / "node.onnx", tensors[0])[0][:-1]
    else:
        found = logits(folder, folder / "node.onnx", sample, len(chosen) + 1)
    if isinstance(found, str):
        return found
    wanted = expected[0].reshape(-1)[chosen]
    rounded = bool((numpy.abs(wanted - wanted.round(4)) < 1e-7).all())      # so is one of the tests
    distance = far(found, wanted)
    assert distance < (1e-4 if rounded else NEAR), f"{case.name}: {distance}"
    return None


def check_nodes(folder):
    from onnx.backend.test.case.node import collect_testcases
    warnings.simplefilter("ignore")     # of its own arithmetic
    known, counts, refused = operators(), collections.Counter(), collections.Counter()
    for case in collect_testcases(None):
        nodes = case.model.graph.node
        if len(nodes) != 1 or nodes[0].op_type not in known or nodes[0].domain or not nodes[0].input:
            continue
        why = check_case(case, folder)
        counts[nodes[0].op_type] += why is None
        if why is not None and why.startswith("other "):
            counts["(of other types or dimensions)"] += 1
        elif why is not None:
            refused[nodes[0].op_type] += 1
            if "-v" in sys.argv:
                print(case.name, why)
    print("nodes:", ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count > 0))
    print("refused:", ", ".join(f"{name} {count}" for name, count in sorted(refused.items())))
    for name in ("AveragePool", "BatchNormalization", "Conv", "Flatten", "Gemm", "GlobalAveragePool", "LRN",
                 "LogSoftmax", "MatMul", "MaxPool", "Softmax"):
        assert counts[name] > 0, f"no test of {name}"


if __name__ == "__main__":
    {"export": check_export, "nodes": check_nodes}[sys.argv[1]](pathlib.Path(sys.argv[2]))
