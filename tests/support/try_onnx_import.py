"""Networks of sequences that PyTorch exports as ONNX: vdnn computes the same, and trains them within a budget.

    /usr/bin/python3 tests/support/try_onnx_import.py      ends with 77 without PyTorch and its exporter
"""
import importlib.util
import math
import pathlib
import sys
import tempfile
import warnings

try:
    import numpy
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    sys.exit(77)
if not torch.__version__.startswith("1.") and importlib.util.find_spec("onnx") is None:
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "python"))
import vdnn

warnings.simplefilter("ignore")
WORDS, T, WIDTH, HEADS, BATCH, RATE = 30, 7, 16, 4, 3, 0.1


class Attention(nn.Module):
    """As GPTs have it; the causal mask by masked_fill or by where."""
    def __init__(self, masked):
        super().__init__()
        self.qkv, self.out, self.masked = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH), masked
        self.register_buffer("lower", torch.tril(torch.ones(T + 2, T + 2)).view(1, 1, T + 2, T + 2))

    def forward(self, x):
        n, t, _ = x.shape
        q, k, v = (y.view(n, t, HEADS, -1).transpose(1, 2) for y in self.qkv(x).split(WIDTH, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        lower = self.lower[:, :, :t, :t]
        if self.masked == "fill":
            scores = scores.masked_fill(lower == 0, -math.inf)
        elif self.masked == "where":
            scores = torch.where(lower.bool(), scores, torch.tensor(-3e38))
        elif self.masked == "add":
            scores = scores + (1 - lower) * -1e9
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).contiguous().view(n, t, WIDTH))


class Block(nn.Module):
    def __init__(self, masked, act):
        super().__init__()
        self.attention, self.act = Attention(masked), act
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.down(self.act(self.up(self.ln2(x))))


def by_formula(x):
    """The GELU that GPT-2 was published with."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class Gpt(nn.Module):
    def __init__(self, masked="fill", act=by_formula, is_tied=False):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(WORDS, WIDTH), nn.Embedding(T + 3, WIDTH)
        self.blocks = nn.ModuleList([Block(masked, act), Block(masked, act)])
        self.ln_f, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)
        if is_tied:
            self.wte.weight.data *= 0.2
            self.head.weight = self.wte.weight

    def forward(self, x):
        y = self.wte(x) + self.wpe(torch.arange(0, x.size(1)))
        for block in self.blocks:
            y = block(y)
        return self.head(self.ln_f(y))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.head = nn.Conv2d(3, WIDTH, 4, 4), nn.Linear(WIDTH, 5)
        self.front = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.place = nn.Parameter(torch.randn(1, 10, WIDTH))
        self.block, self.norm = Block(None, F.gelu), nn.LayerNorm(WIDTH)

    def forward(self, x):
        y = self.patch(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.front.expand(x.shape[0], -1, -1), y], 1) + self.place
        return self.head(self.norm(self.block(y))[:, 0])


class Bert(nn.Module):
    """Of PyTorch's own layers, also with positions before samples."""
    def __init__(self, batch_first=True, act="gelu"):
        super().__init__()
        self.word, self.segment, self.place = (nn.Embedding(n, WIDTH) for n in (WORDS, 2, T))
        self.norm, self.batch_first = nn.LayerNorm(WIDTH, eps=1e-12), batch_first
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(WIDTH, HEADS, 32, 0.0, act, batch_first=batch_first)
                                     for _ in range(2)])
        self.pool, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)
        self.register_buffer("ids", torch.arange(T).unsqueeze(0))

    def forward(self, words, segments):
        y = self.norm(self.word(words) + self.segment(segments) + self.place(self.ids))
        y = y if self.batch_first else y.transpose(0, 1)
        for layer in self.layers:
            y = layer(y)
        y = y if self.batch_first else y.transpose(0, 1)
        return self.head(torch.tanh(self.pool(y[:, 0])))


class Memory(nn.Module):
    """What is read of an LSTM: its last output, the mean of all, each, or the last states."""
    def __init__(self, read, **keys):
        super().__init__()
        self.word, self.read, self.lstm = nn.Embedding(WORDS, 8), read, nn.LSTM(8, 6, **keys)
        self.head = nn.Linear(12 if self.lstm.bidirectional else 6, 4)

    def forward(self, x):
        y = self.word(x)
        y, (h, _) = self.lstm(y if self.lstm.batch_first else y.transpose(0, 1))
        y = y if self.lstm.batch_first else y.transpose(0, 1)
        return self.head({"last": lambda: y[:, -1], "mean": lambda: y.mean(1), "each": lambda: y, "state": lambda: h[0],
                          "top": lambda: h[-1],
                          "states": lambda: torch.cat([h[-2], h[-1]], 1)}[self.read]())


def words(kinds=WORDS):
    return torch.randint(0, kinds, (BATCH, T))


NETWORKS = [
    (Gpt, {}, words), (Gpt, {"masked": "where", "act": lambda x: F.gelu(x, approximate="tanh")}, words),
    (Gpt, {"masked": "add", "act": F.silu}, words), (Gpt, {"is_tied": True}, words),
    (Vit, {}, lambda: torch.randn(BATCH, 3, 12, 12)),
    (Bert, {}, lambda: (words(), words(2))), (Bert, {"batch_first": False, "act": "relu"}, lambda: (words(), words(2))),
    (Memory, {"read": "last", "batch_first": True}, words), (Memory, {"read": "state"}, words),
    (Memory, {"read": "mean", "batch_first": True, "bidirectional": True, "bias": False}, words),
    (Memory, {"read": "each", "batch_first": True, "bidirectional": True, "num_layers": 2}, words),
    (Memory, {"read": "states", "bidirectional": True}, words), (Memory, {"read": "top", "num_layers": 3}, words),
    (Memory, {"read": "states", "batch_first": True, "bidirectional": True, "num_layers": 2}, words)]


def numpy_of(x):
    """What a session takes of tensors."""
    arrays = [one.numpy().astype("int32" if one.dtype == torch.int64 else "float32")
              for one in (x if isinstance(x, tuple) else (x,))]
    return arrays if len(arrays) > 1 else arrays[0]


def open_within(path, **keys):
    """A session in the least power of two KiB that it fits in under `all`."""
    for k in range(5, 20):
        try:
            return vdnn.Session(path, budget=f"{1 << k}KiB", batch=BATCH, threads=1, policy="all", **keys)
        except vdnn.Error as error:
            refused = error
    raise refused


def differences(module, x, path):
    """How far logits, and the losses of two steps of SGD, are from PyTorch's."""
    inputs = x if isinstance(x, tuple) else (x,)
    with torch.no_grad():
        expected = module(*inputs)
    with vdnn.Session(path, budget="64MiB", batch=BATCH, threads=1, predictions=True) as session:
        found = session.predict(numpy_of(x), logits=True).reshape(expected.shape)
    labels = torch.randint(0, expected.shape[-1], expected.shape[:-1])
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE, momentum=0.9)
    steps = []
    with open_within(path, lr=RATE) as session:
        for _ in range(2):
            loss = F.cross_entropy(module(*inputs).flatten(0, -2), labels.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(abs(session.step(numpy_of(x), labels.numpy().astype("int32")) - loss.item()))
    return float(numpy.abs(found - expected.numpy()).max() / max(1, numpy.abs(expected.numpy()).max())), max(steps)


def main():
    torch.manual_seed(3)
    failed = 0
    for i, (kind, keys, make) in enumerate(NETWORKS):
        module, x = kind(**keys).eval(), make()
        for opset, is_open, folds in ((13, i % 2 == 0, True), (17, i % 2 == 1, False)):
            with tempfile.TemporaryDirectory() as folder:
                path, names = f"{folder}/net.onnx", ["a", "b"][:len(x) if isinstance(x, tuple) else 1]
                # in training mode, so that encoder layers are not one operator of PyTorch; nothing here drops out
                torch.onnx.export(module, x, path, opset_version=opset, input_names=names, do_constant_folding=folds,
                                  dynamic_axes={name: {0: "n"} for name in names} if is_open else None,
                                  training=torch.onnx.TrainingMode.TRAINING)
                logits, losses = differences(module.eval(), x, path)
            if not (logits < 2e-6 and losses < 1e-5):
                failed += 1
                print(f"{kind.__name__} {keys}, opset {opset}: logits differ by {logits}, losses by {losses}")
    sys.exit(min(failed, 70))


if __name__ == "__main__":
    main()
