"""What the fits of cost models share: a deterministic search, and the table of errors.

    values, loss = descend([(first, low, high), ...], loss_of, rounds)
"""
import math
import statistics


def descend(ranges, loss_of, rounds):
    """Steps along each parameter, in logarithms; a step that does not help is halved."""
    values = [first for first, _, _ in ranges]
    widths = [0.2] * len(values)
    best = loss_of(values)
    for _ in range(rounds):
        for i, (_, low, high) in enumerate(ranges):
            for direction in (1, -1):
                tried = list(values)
                tried[i] = min(max(values[i] * math.exp(direction * widths[i]), low), high)
                now = loss_of(tried)
                if now < best - 1e-9:
                    best, values = now, tried
                    widths[i] *= 1.4
                    break
            else:
                widths[i] *= 0.5
        if max(widths) < 1e-3:
            break
    return values, best


def damped(error, scale=0.1):
    """What a row counts by its error in logarithms. One that no model explains must not draw the others away: beyond
    `scale` it counts by its logarithm."""
    return math.log1p((error / scale) ** 2)


def spread(errors):
    """How far half and nine tenths of relative errors are off at most, and the median error."""
    sizes = sorted(abs(error) for error in errors)
    return statistics.median(sizes), sizes[int(0.9 * (len(sizes) - 1))], statistics.median(errors)
