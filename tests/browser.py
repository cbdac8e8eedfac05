#!/usr/bin/env python3
"""Exported HTML in a browser that is driven through its debugging pipe: see check-browser.

    browser.py BROWSER PROFILE PAGE...

For each page, at two widths and in both color schemes: nothing is wider than the page, and text stands
out from what is behind it (a contrast of 4.5, as WCAG asks for).  The page asks for nothing but itself, and
its policy holds off a picture and a script that are put into it.  It has only the elements and attributes
that the export writes, whatever the trace says.  In the first page Tab and Enter fold and unfold,
the boxes at the top open steps, folds, and hide what did not fail, and on paper everything is open.  PICTURES=DIR keeps
pictures.  One line for each thing that is not so, the last line counts; status 1 when there was one.
Standard library only.
"""
import base64
import json
import os
import socket
import subprocess
import sys

ELEMENTS = """html head meta title style body h1 p details summary small span i img figure figcaption svg g a
rect line text nav label input div b""".split()
ATTRIBUTES = """lang charset name content http-equiv class style open id href alt src width height x y x1 x2 y1 y2 dx dy
role aria-label aria-hidden text-anchor type viewbox transform""".split()

CONTRAST = """(() => {
	const parts = c => c.match(/[0-9.]+/g).map(Number);
	const light = c => { const [r, g, b] = parts(c).slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b; };
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
		if (parts(c).length < 4 || parts(c)[3]) return c; } return 'rgb(255,255,255)'; };
	const weak = new Set();
	for (const e of document.querySelectorAll('body *:not(title)')) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e);
		const a = light(e.closest('svg') ? style.fill : style.color), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5) weak.add(e.localName + '.' + (e.getAttribute('class') || '') + ' ' + ratio.toFixed(1));
	}
	return [...weak].join(', ');
})()"""

WIDE = """(() => {
	document.querySelectorAll('details').forEach(d => d.open = true);
	if (document.documentElement.scrollWidth <= innerWidth) return '';
	const e = [...document.querySelectorAll('body *:not(svg *)')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).pop();
	return document.documentElement.scrollWidth + ' of ' + innerWidth + ': ' + (e ? e.outerHTML.slice(0, 120) : '?');
})()"""

PUT_IN = """new Promise(done => {
	const script = document.createElement('script');
	script.textContent = 'document.title = "a script ran"';
	document.body.append(script);
	const image = new Image();
	image.onload = () => done('loaded');
	image.onerror = () => done('refused');
	image.src = 'http://127.0.0.1:%d/';
	document.body.append(image);
})"""


class Browser:
    """Speaks the debugging protocol over file descriptors 3 and 4: JSON with a NUL behind it."""

    def __init__(self, argv):
        to, self.write = os.pipe()
        self.read, back = os.pipe()

        def arrange():
            a, b = os.dup(to), os.dup(back)  # neither may be 3 or 4 when the other is put there
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.child = subprocess.Popen(argv, preexec_fn=arrange, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to)
        os.close(back)
        self.rest, self.number, self.session, self.events = b"", 0, None, []

    def next(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read, 1 << 16)
            if not piece:
                sys.exit("the browser ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression[:60]}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key, code):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
        if key == "Enter":
            self.call("Input.dispatchKeyEvent", type="char", key=key, text="\r")

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + path)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.next())


class Test:
    def __init__(self, browser):
        self.browser, self.passed, self.failed = browser, 0, 0

    def judge(self, what, right, found=""):
        self.passed += bool(right)
        self.failed += not right
        if not right:
            print(f"FAILED {what}: {found}" if found != "" else f"FAILED {what}")

    def looks(self, name, path):
        b, pictures = self.browser, {}
        for width in (1200, 400):
            for scheme in ("light", "dark"):
                b.call("Emulation.setDeviceMetricsOverride", width=width, height=1400, deviceScaleFactor=1, mobile=False)
                b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                b.open(path)
                shot = base64.b64decode(b.call("Page.captureScreenshot")["data"])
                pictures[width, scheme] = shot
                if os.environ.get("PICTURES"):
                    with open(f"{os.environ['PICTURES']}/{name}-{width}-{scheme}.png", "wb") as out:
                        out.write(shot)
                wide, weak = b.value(WIDE), b.value(CONTRAST)
                self.judge(f"{name}, {width} {scheme}: wider than the page", not wide, wide)
                self.judge(f"{name}, {width} {scheme}: weak contrast", not weak, weak)
        self.judge(f"{name}: pictures that are alike", len(set(pictures.values())) == 4)

    def asks(self, name, path):
        b = self.browser
        b.open(path)
        title = b.value("document.title")
        asked = [e["params"]["request"]["url"] for e in b.events if e.get("method") == "Network.requestWillBeSent"]
        asked = [url for url in asked if not url.startswith("data:")]
        self.judge(f"{name}: asks for more than itself", len(asked) == 1 and asked[0].startswith("file://"), asked)
        self.judge(f"{name}: a script of the trace ran", title != "owned")
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            server.settimeout(0)
            got = b.value(PUT_IN % server.getsockname()[1])
            try:
                server.accept()
                got += ", connected"
            except BlockingIOError:
                pass
        self.judge(f"{name}: the policy lets a picture in", got == "refused", got)
        self.judge(f"{name}: the policy lets a script run", b.value("document.title") == title)

    def keeps_text(self, name, path):
        b = self.browser
        b.open(path)
        elements = b.value("[...new Set([...document.querySelectorAll('*')].map(e => e.localName.toLowerCase()))]")
        strange = sorted(set(elements) - set(ELEMENTS))
        self.judge(f"{name}: elements", not strange, strange)
        names = b.value("[...new Set([...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name.toLowerCase())))]")
        strange = sorted(set(names) - set(ATTRIBUTES))
        self.judge(f"{name}: attributes", not strange, strange)
        links = b.value("[...document.querySelectorAll('[href],[src]')].map(e => e.getAttribute('href') || e.getAttribute('src')).filter(v => !/^(#t[0-9]+-|data:image.(png|jpeg|gif|webp);)/.test(v)).join(' ')")
        self.judge(f"{name}: addresses", not links, links)
        styles = b.value("[...document.querySelectorAll('[style]')].map(e => e.getAttribute('style')).filter(v => !/^(padding|margin)-left: ?[0-9]+ch$/.test(v)).join(' ')")
        self.judge(f"{name}: styles", not styles, styles)

    def folds(self, name, path):
        b = self.browser
        b.open(path)
        here = "(document.activeElement.localName + ' ' + (document.activeElement.parentElement.getAttribute('class') || ''))"
        for _ in range(200):
            b.key("Tab", 9)
            if b.value(here) == "summary step":
                break
        self.judge(f"{name}: Tab leads to a step", b.value(here) == "summary step", b.value(here))
        before = b.value("document.activeElement.parentElement.open")
        b.key("Enter", 13)
        self.judge(f"{name}: Enter folds", b.value("document.activeElement.parentElement.open") is not before)
        b.key("Enter", 13)
        self.judge(f"{name}: Enter unfolds", b.value("document.activeElement.parentElement.open") is before)
        ring = b.value("getComputedStyle(document.activeElement).outlineStyle")
        self.judge(f"{name}: it does not show where the keys are", ring != "none", ring)

    def boxes(self, name, path):
        b = self.browser
        closed = "[...document.querySelectorAll('%s')].filter(e => !e.closest('.sent') && !e.checkVisibility()).length"
        for box, what in (("steps", closed % "details.step > div"), ("folds", closed % "details.step p")):
            b.open(path)
            self.judge(f"{name}: nothing is closed without the box {box}", b.value(what) > 0)
            b.value(f"document.getElementById('{box}').click()")
            self.judge(f"{name}: the box {box} opens them", b.value(what) == 0, b.value(what))
        b.value("document.getElementById('failed').click()")
        self.judge(f"{name}: what did not fail is shown", b.value(
            "[...document.querySelectorAll('details.step')].every(e => e.checkVisibility() === e.classList.contains('failed'))"))
        b.open(path)
        b.call("Emulation.setEmulatedMedia", media="print")
        self.judge(f"{name}: something is closed on paper", b.value(closed % "p") == 0)
        b.call("Emulation.setEmulatedMedia", media="")


def main():
    program, profile, *pages = sys.argv[1:]
    browser = Browser([program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                       "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                       "--remote-debugging-pipe", "--user-data-dir=" + profile, "about:blank"])
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            browser.call(domain + ".enable")
        test = Test(browser)
        for path in pages:
            name = os.path.basename(path).rsplit(".", 1)[0]
            for part in (test.looks, test.asks, test.keeps_text):
                part(name, path)
        test.folds(os.path.basename(pages[0]), pages[0])
        test.boxes(os.path.basename(pages[0]), pages[0])
    finally:
        browser.child.terminate()
        browser.child.wait()
    print(f"{test.passed} passed, {test.failed} failed")
    sys.exit(test.failed > 0)


main()
