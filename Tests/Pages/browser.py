"""A headless Chromium with one page, driven over a DevTools pipe."""

import base64
import json
import os
import select
import subprocess
import time

# The keys that are pressed by name: the code of each and its old number.
KEYS = {
    "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9), "Space": ("Space", 32),
    "ArrowUp": ("ArrowUp", 38), "ArrowDown": ("ArrowDown", 40), "ArrowLeft": ("ArrowLeft", 37),
    "ArrowRight": ("ArrowRight", 39), "Home": ("Home", 36), "End": ("End", 35), "Delete": ("Delete", 46),
    "Backspace": ("Backspace", 8), "F2": ("F2", 113),
}
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Shift": 8}


class Browser:
    """Opens pages, presses keys and buttons, and records what a page says, requests and violates."""

    # What cannot be asked of Chromium, by scenario: nothing.
    left_out = {}

    def __init__(self, directory):
        self.downloads = os.path.join(directory, "downloads")
        os.makedirs(self.downloads, exist_ok=True)
        words = ["chromium", "--headless", "--remote-debugging-pipe", "--user-data-dir=" + directory, "--disable-gpu",
                 "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking"]
        # The sandbox needs a user other than root, and rights that containers lack; the pages are our own.
        words.append("--no-sandbox")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def connect():
            # Chromium reads at 3 and writes at 4; neither end may be overwritten before it was moved.
            high = [os.dup2(commands, 60), os.dup2(answers, 61)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(words, preexec_fn=connect, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.session = b"", 0, None
        self.errors, self.requests, self.dialogs, self.loaded = [], [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"]:
            self.call(domain + ".enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])

    def receive(self):
        """The next message; what it says of the page is recorded."""
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], 90)[0]:
                raise SystemExit("the browser does not answer")
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise SystemExit("the browser ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.record(message.get("method"), message.get("params", {}))
        return message

    def record(self, method, details):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.errors.append(details["entry"]["text"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.errors.append(json.dumps(details)[:400])
        elif method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(details["type"])
            self.send("Page.handleJavaScriptDialog", accept=True)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise SystemExit(method + ": " + answer["error"]["message"])
                return answer["result"]

    def open(self, path):
        self.errors, self.requests, self.dialogs, self.loaded = [], [], [], False
        self.call("Page.navigate", url="file://" + path)
        while not self.loaded:
            self.receive()

    def leave(self):
        """Goes to an empty page; what is asked before is recorded."""
        self.call("Page.navigate", url="about:blank")

    def allow_scripts(self, is_allowed):
        self.call("Emulation.setScriptExecutionDisabled", value=not is_allowed)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:600] + "\n" + script[:300])
        return answer["result"].get("value")

    def show(self, width=1200, height=800, scheme="light", media="screen"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, *modifiers, text=None):
        """Presses a key and lets it go, with the text that it types if it types one."""
        held = sum(MODIFIERS[name] for name in modifiers)
        is_plain = len(key) == 1 and key.isascii() and key.isalnum()
        code, number = KEYS.get(key) or (("Key" + key.upper(), ord(key.upper())) if is_plain else ("", 0))
        types = text if text is not None else ("\r" if key == "Enter" else " " if key == "Space" else
                                               key if len(key) == 1 and not held & 3 else "")
        details = dict(key=" " if key == "Space" else key, code=code, windowsVirtualKeyCode=number, modifiers=held)
        commands = {"c": ["copy"], "a": ["selectAll"]}.get(key, []) if held == 2 else \
            ["deleteBackward"] if key == "Backspace" else []
        # The page gets them one after another, waited for or not.
        self.send("Input.dispatchKeyEvent", type="keyDown" if types else "rawKeyDown", text=types, commands=commands,
                  **details)
        self.call("Input.dispatchKeyEvent", type="keyUp", **details)

    def type(self, text):
        for letter in text:
            self.press(letter, text=letter)

    def mouse(self, kind, x, y, count=1, modifiers=(), held=False):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" and not held
                  else "left", buttons=1 if held else 0, clickCount=count,
                  modifiers=sum(MODIFIERS[name] for name in modifiers))

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y, *modifiers, count=1):
        self.move(x, y)
        for number in range(1, count + 1):
            self.mouse("mousePressed", x, y, number, modifiers, held=True)
            self.mouse("mouseReleased", x, y, number, modifiers)

    def drag(self, start, end, steps=6):
        self.move(*start)
        self.mouse("mousePressed", *start, held=True)
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", start[0] + (end[0] - start[0]) * step / steps,
                       start[1] + (end[1] - start[1]) * step / steps, held=True)
        self.mouse("mouseReleased", *end)

    def download(self, name, seconds=5):
        """The text of a downloaded file, which is removed; None if none comes."""
        path, end = os.path.join(self.downloads, name), time.time() + seconds
        while time.time() < end:
            # The file is empty until all of it has come, and is then replaced.
            if os.path.exists(path) and os.path.getsize(path) and not os.path.exists(path + ".crdownload"):
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
                os.remove(path)
                return text
            self.evaluate("new Promise(next => setTimeout(next, 50))")
        return None

    def busy(self):
        """The milliseconds that the page has computed, laid out and painted, however busy the machine was otherwise."""
        self.call("Performance.enable", timeDomain="threadTicks")
        values = {part["name"]: part["value"] for part in self.call("Performance.getMetrics")["metrics"]}
        return 1000 * (values["TaskDuration"] - values["DevToolsCommandDuration"])

    def picture(self):
        """The bytes of a PNG picture of the window."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        finally:
            self.process.kill()
