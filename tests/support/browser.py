"""Opens pages in Chromium, looks at each as readers with different screens do, and tells what it found.

    python3 browser.py --chromium PROGRAM --probe page_probe.js [--axe axe.min.js] [--axe-tags LIST] --out DIR PAGE...

One browser, spoken to by pipes (the DevTools protocol, https://chromedevtools.github.io/devtools-protocol/), opens
every page. DIR gets NAME-light.png, NAME-dark.png, NAME-narrow.png and NAME-print.png, whole pages; all charts that
a page draws, one below the other, as NAME-charts.xml; and NAME.pdf with --pdf. Standard output has a line for each finding:

    NAME error TEXT            said on the console, thrown by a script, or a request that leaves the page's file
    NAME axe RULE TARGET WHY   what axe-core holds against it, with (light) or (dark) behind WHY
    NAME found KEY VALUE       what the probe tells
"""
import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WIDE, NARROW, PAPER = 1280, 390, 980  # pixels: a laptop, a telephone, a landscape page less its margins
LOOKS = (("light", WIDE, "light"), ("dark", WIDE, "dark"), ("light", NARROW, "narrow"), ("print", PAPER, "print"))
MEDIA = {"light": ("screen", "light"), "dark": ("screen", "dark"), "print": ("print", "light")}


class Browser:
    def __init__(self, program, folder):
        theirs_in, self.to = os.pipe()
        self.back, theirs_out = os.pipe()

        def give_pipes():
            """Chromium reads file 3 and writes file 4."""
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(  # pylint: disable=subprocess-popen-preexec-fn
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--in-process-gpu",
             "--disable-breakpad", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None

    def message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise SystemExit("browser: it ended before its time")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        ask = {"id": self.number, "method": method, "params": params}
        if self.session is not None and not method.startswith(("Target.", "Browser.")):
            ask["sessionId"] = self.session
        os.write(self.to, json.dumps(ask).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"browser: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while True:
            for i, event in enumerate(self.events):
                if event.get("method") == method:
                    del self.events[i]
                    return event["params"]
            self.events.append(self.message())

    def open(self, path):
        if self.session is None:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(domain + ".enable")
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("Page.loadEventFired")

    def evaluate(self, code):
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"browser: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def show(self, media, width):
        kind, scheme = MEDIA[media]
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def picture(self, path, scale):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, optimizeForSpeed=True,
                         clip={**self.call("Page.getLayoutMetrics")["cssContentSize"], "scale": scale})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.call("Browser.close")
        self.process.wait()


def complaint(event, page):
    """What a page must not do; None: the event is no such thing."""
    method, params = event.get("method"), event.get("params", {})
    if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
        return " ".join(str(argument.get("value", argument.get("description"))) for argument in params["args"])
    if method == "Runtime.exceptionThrown":
        details = params["exceptionDetails"]
        return details.get("exception", {}).get("description", details["text"])
    if method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
        return params["entry"]["text"]
    if method == "Network.requestWillBeSent":
        url = params["request"]["url"]
        return None if url.startswith("data:") or url.split("#")[0] == page else f"asks for {url}"
    return None


# What is inside a picture is known by the name of that; boxes of a memory map are thousands.
AXE = """axe.run({exclude: [["svg > *"]]}, {resultTypes: ["violations"]%s}).then(result => result.violations.flatMap(v =>
  v.nodes.map(node => [v.id, node.target.join(" "), node.any.map(one => one.message).join("; ")])))"""
# What is asked in which theme: all of it, and again what depends on colours.
AXE_LOOKS = (("light", ""), ("dark", ', runOnly: ["color-contrast"]'))


# Whether the button for the theme lies on the title.
BUTTON = """(() => {
  const range = document.createRange(), button = document.querySelector("header .theme").getBoundingClientRect();
  range.selectNodeContents(document.querySelector("h1"));
  return [...range.getClientRects()].some(one => one.right > button.left && one.bottom > button.top);
})()"""


# Whether the heads of tables are repeated on each page of paper, which Chromium does unless a button is in them.
HEADS = """[...document.querySelectorAll("thead")].every(one => getComputedStyle(one).display === "table-header-group" &&
  [...one.querySelectorAll("button")].every(button => getComputedStyle(button).display === "contents"))"""


# What is cut off on a telephone without a hint that it scrolls, once the page knows its new width.
UNSAID = """(async () => {
  const unsaid = () => [...document.querySelectorAll("*")].filter(one => one.scrollWidth > one.clientWidth + 1 &&
    one.clientWidth > 0 && getComputedStyle(one).overflowX === "auto" && one.tagName !== "PRE" &&
    (!one.previousElementSibling || one.previousElementSibling.className !== "hint" || one.previousElementSibling.hidden)).length;
  for (let tries = 0; tries < 50 && unsaid() > 0; tries++)
    await new Promise(done => setTimeout(done, 20));
  return unsaid();
})()"""


def look(browser, path, options, tell):
    name = pathlib.Path(path).stem
    out = os.path.join(options.out, name)
    browser.open(path)
    for media, width, suffix in LOOKS:
        browser.show(media, width)
        browser.picture(f"{out}-{suffix}.png", options.scale)
    browser.evaluate('document.querySelectorAll("details").forEach(one => { one.open = true; })')
    browser.evaluate("new Promise(done => setTimeout(done, 100))")  # the charts of opened parts are drawn
    for media, width, suffix in LOOKS:
        browser.show(media, width)
        tell(name, "found", f"sideways-{suffix}",
             browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        tell(name, "found", f"button-{suffix}", browser.evaluate(BUTTON))
    tell(name, "found", "heads-print", browser.evaluate(HEADS))
    browser.show("light", NARROW)
    tell(name, "found", "unsaid-narrow", browser.evaluate(UNSAID))
    if options.axe:
        browser.evaluate(pathlib.Path(options.axe).read_text(encoding="utf-8") + ";0")
        for scheme, rules in AXE_LOOKS:
            browser.show(scheme, WIDE)
            for rule, target, why in browser.evaluate(AXE % rules):
                tell(name, "axe", rule, target, f"{why} ({scheme})")
    if options.pdf:
        browser.show("light", WIDE)
        browser.call("Emulation.setEmulatedMedia", media="", features=[])
        data = browser.call("Page.printToPDF", preferCSSPageSize=True)["data"]
        pathlib.Path(out + ".pdf").write_bytes(base64.b64decode(data))
    browser.show("light", WIDE)
    found = browser.evaluate(pathlib.Path(options.probe).read_text(encoding="utf-8"))
    for key, value in found.items():
        tell(name, "found", key, value)
    charts = browser.evaluate('[...document.querySelectorAll("svg")].map(one => one.outerHTML).join("\\n")')
    pathlib.Path(out + "-charts.xml").write_text(f"<all>\n{charts}\n</all>\n", encoding="utf-8")
    url = pathlib.Path(path).resolve().as_uri()
    for event in browser.events:
        text = complaint(event, url)
        if text:
            tell(name, "error", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--probe", default="tests/support/page_probe.js")
    parser.add_argument("--axe")
    parser.add_argument("--pdf", action="store_true")
    parser.add_argument("--scale", type=float, default=0.5, help="of the pictures; 1 to look at them")
    parser.add_argument("--out", required=True)
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)

    def tell(*words):
        print(*(" ".join(str(word).split()) for word in words), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(options.chromium, folder)
        for page in options.pages:
            look(browser, page, options, tell)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
