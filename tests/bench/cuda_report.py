"""What a session has found, as Markdown for people: of result.json alone."""


def table(head, rows):
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join('' if cell is None else str(cell) for cell in row)} |"


def head_of(result):
    facts = result["parts"].get("facts", {})
    doctor = facts.get("doctor", {"build": {}, "card": {}})
    card = facts.get("card", [doctor["card"]])[0]
    yield f"# {card.get('name') or 'no card'}"
    yield ""
    yield f"vdnn {doctor['build'].get('version')}, {facts.get('date')}, {facts.get('system')}"
    yield ""
    yield doctor["card"].get("libraries") or "no libraries were found"
    if "stopped" in result:
        yield ""
        yield f"**Stopped: {result['stopped']}**"


def tests_of(result):
    """Every program that ran tests, and every row of theirs that failed."""
    programs = result["tests"].items()
    if not programs:
        return
    yield ""
    yield "## tests"
    count = lambda counts: ", ".join(f"{number} {how}" for how, number in sorted(counts.items()))
    yield from table(("program", "code", "tests", "rows", "not passed"),
                     ((program, found["code"], count(found["tests"]), count(found["rows"]),
                       "; ".join(found["not_passed"])) for program, found in programs))
    yield ""
    for program, found in programs:
        for row in found["rows_failed"]:
            what = " ".join(str(row[key]) for key in ("layer", "shape", "dtype", "layout", "algorithm", "pass") if key in row)
            error = f": error {row['error']}, bound {row.get('bound')}" if "error" in row else ""
            yield f"- {program}: {what}{error}{': ' + row['why'] if 'why' in row else ''}"


def percent(share):
    return None if share is None else f"{100 * share:.0f} %"


def milliseconds(seconds):
    return None if seconds is None else f"{1e3 * seconds:.1f} ms"


def copies(row):
    line = row["timeline"]
    return [percent(line[kind]["share"]) if kind in line else None for kind in ("copy_out", "copy_in")] + [
        percent(line["covered_by_compute"])]


def overlap_of(result):
    rows = {name: row for name, row in result["parts"].get("overlap", {}).items() if "timeline" in row}
    if rows:
        yield ""
        yield "## all that can leave leaves"
        yield from table(("network", "step", "stalls", "not hidden", "offloaded", "out", "in", "covered"),
                         ([name, milliseconds(row["step_seconds"]), milliseconds(row["stall_seconds"]),
                           milliseconds(row["exposed_copy_seconds"]), row["offload_bytes"]] + copies(row)
                          for name, row in rows.items()))


def budget_of(result):
    for model, own in result["parts"].get("budget", {}).items():
        if "free" not in own:
            continue
        yield ""
        yield f"## {model}, batch {own['batch']}: {milliseconds(own['free']['step_seconds'])} without a budget"
        yield from table(("policy", "step", "speed", "predicted", "arena", "highest", "offloaded", "out", "in", "covered"),
                         ([f"{row['policy']} ({row['algo']})", "does not fit"] if "does_not_fit" in row else
                          [f"{row['policy']} ({row['algo']})", milliseconds(row["step_seconds"]), f"{row['relative']:.3f}",
                           f"{100 * row['prediction_error']:+.1f} %", row["arena_bytes"], row["highest_bytes"],
                           row["offload_bytes"]] + copies(row) for row in own["policies"]))


def speeds(rows):
    """Of one run, several turns, or several ways: images/s, or why there are none."""
    if isinstance(rows, dict) and "images_per_second" not in rows and "error" not in rows:
        return ", ".join(f"{way} {speeds(row)}" for way, row in rows.items())
    rows = rows if isinstance(rows, list) else [rows]
    return ", ".join(f"{row['images_per_second']:.1f}" if "images_per_second" in row else str(row.get("error"))
                     for row in rows)


def speed_of(result):
    for part in ("speed", "types", "nondeterministic", "cap"):
        rows = result["parts"].get(part, {})
        if rows:
            yield ""
            yield f"## {part}: images/s"
            yield from table(("network, batch, type", "vdnn", "PyTorch", "ratio"),
                             ((name, speeds(row.get("vdnn", [])), speeds(row["torch"]),
                               f"{row['ratio']:.3f}" if "ratio" in row else None) for name, row in rows.items()))


def moves_of(result):
    """What to look at first: a kernel that reads its maps twice reaches half, one of a fifth is slow."""
    for name, rows in result["parts"].get("moves", {}).items():
        yield ""
        yield f"## {name}: kernels that only move bytes"
        yield from table(("kernel", "takes", "of the bandwidth", "loses"),
                         ((row["kernel"], milliseconds(row["seconds"]), percent(row["share"]),
                           milliseconds(row["lost_seconds"])) for row in rows))


def bars_of(result):
    if result["bars"]:
        yield ""
        yield "## bars"
        yield ""
    for bar in result["bars"]:
        bound = f"{'at least' if bar['at_least'] else 'at most'} {bar['wanted']}"
        yield f"- {'holds' if bar['holds'] else 'MISSED'}: {bar['bar']}: {bar['found']:.4g} ({bound})"


def not_measured_of(result):
    failed = [row for row in result["rows"] if row["result"] != "measured"]
    warned = [(row["row"], text) for row in result["rows"] for text in row.get("warnings", ())]
    for title, lines in (("not measured, or failed", [f"- {row['row']}: {row['why']}" for row in failed]),
                         ("warnings", [f"- {row}: {text}" for row, text in warned])):
        if lines:
            yield ""
            yield f"## {title}"
            yield ""
            yield from lines


def markdown(result):
    for part in (head_of, not_measured_of, tests_of, bars_of, speed_of, overlap_of, moves_of, budget_of):
        yield from part(result)
