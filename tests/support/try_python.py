"""What test_python.c holds of the package: each check by its name; prints what failed."""
import sys
import threading

import numpy

sys.path.insert(0, "tools/python")
import vdnn  # noqa: E402

NET = """{name: rows, input: {channels: 1, height: 12, width: 12}, classes: 3, batch: 8, training: {lr: 0.05},
 layers: [{name: conv1, type: conv, out: 8, kernel: 3}, {name: norm1, type: batchnorm}, {name: relu1, type: relu},
 {name: fc, type: fc, out: 3}, {name: loss, type: softmax_loss}]}"""
RANDOM = numpy.random.default_rng(7)


def make_batch():
    y = RANDOM.integers(0, 3, 8)
    return RANDOM.standard_normal((8, 1, 12, 12)).astype(numpy.float32) + y[:, None, None, None], y


def make_session(**options):
    return vdnn.Session(vdnn.Model(text=NET), budget="16MiB", threads=1, **options)


def refusal(call):
    try:
        call()
    except vdnn.Error as error:
        return error.status
    except (TypeError, ValueError) as error:
        return type(error).__name__
    return "nothing"


def it_learns():
    with make_session() as session:
        losses = [session.step(*make_batch()) for _ in range(30)]
        assert losses[-1] < losses[0] / 2, losses


def any_layout_of_memory_gives_the_same_bits():
    x, y = make_batch()
    wide = numpy.zeros((8, 1, 12, 24), dtype=numpy.float32)
    wide[..., ::2] = x
    wide.flags.writeable = False
    backward = numpy.ascontiguousarray(x[..., ::-1])
    losses = set()
    for own in (x, x.astype(numpy.float64), wide[..., ::2], backward[..., ::-1]):
        with make_session() as session:
            losses.add(session.step(own, y))
    assert len(losses) == 1, losses


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
                                    ([x, x], y, "USAGE"), (numpy.float32(1), y, "USAGE"), (None, y, "TypeError"),
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


def a_session_is_for_one_thread_at_a_time():
    with make_session() as session:
        with session.entered():
            caught = []
            other = threading.Thread(target=lambda: caught.append(refusal(session.state_dict)))
            other.start()
            other.join()
            assert caught == ["USAGE"], caught


def texts_are_there():
    with make_session() as session:
        assert "rows" in str(session) and "conv1" in session.plan() and session.record()["batch"] == 8
        assert len(session.explain()) > 100


failed = 0
for check in [value for name, value in list(globals().items()) if callable(value) and value.__module__ == "__main__"]:
    if check.__name__ in ("make_batch", "make_session", "refusal"):
        continue
    try:
        check()
    except AssertionError as error:
        failed += 1
        print(f"{check.__name__}: {error!r}")
sys.exit(failed)
