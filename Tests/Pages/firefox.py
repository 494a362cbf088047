"""A headless Firefox with one page, driven over WebDriver BiDi: JSON messages on a WebSocket."""

import base64
import json
import os
import socket
import struct
import subprocess
import time

# The keys that are pressed by name, as WebDriver spells them.
KEYS = {
    "Enter": "\ue006", "Escape": "\ue00c", "Tab": "\ue004", "Space": " ", "ArrowUp": "\ue013", "ArrowDown": "\ue015",
    "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010", "Delete": "\ue017",
    "Backspace": "\ue003", "F2": "\ue032", "Alt": "\ue00a", "Ctrl": "\ue009", "Shift": "\ue008",
}
PREFERENCES = {
    # The clipboard is read without a question, and leaving a page with changes is asked about.
    "dom.events.testing.asyncClipboard": True,
    "dom.disable_beforeunload": False,
    # A page that is left is not kept, so that what was set of it holds for the next.
    "fission.bfcacheInParent": False,
    # Downloads go to the folder, without a panel that takes the focus.
    "browser.download.alwaysOpenPanel": False,
    # Nothing is requested but the pages.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


class WebSocket:
    """Texts sent to and received from a server on this machine."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), 90)
        self.buffer = b""
        self.socket.sendall(("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Key: dGFibGVyLXRlc3RzLWhlcmU=\r\nSec-WebSocket-Version: 13\r\n\r\n"
                             % (path, port)).encode())
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.piece()
        answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise SystemExit("the browser refuses: " + answer.decode())

    def piece(self):
        try:
            piece = self.socket.recv(1 << 20)
        except TimeoutError:
            raise SystemExit("the browser does not answer")
        if not piece:
            raise SystemExit("the browser ended")
        return piece

    def take(self, count):
        while len(self.buffer) < count:
            self.buffer += self.piece()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, text):
        """Sends one frame, masked as all that a client sends."""
        data = text.encode()
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x81, 0xfe, size) if size < 1 << 16 else \
            struct.pack(">BBQ", 0x81, 0xff, size)
        mask = b"mask"
        self.socket.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    def receive(self):
        """The next text, which may come in several frames."""
        text, is_last = b"", False
        while not is_last:
            first, size = self.take(2)
            if size >= 126:
                size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
            data = self.take(size)
            # Frames of 8 and more are about the connection.
            if first & 0xf < 8:
                text, is_last = text + data, bool(first & 0x80)
        return text.decode()


class Firefox:
    """Opens pages, presses keys and buttons, and records what a page says, requests and violates."""

    # What cannot be asked of Firefox, by scenario.
    left_out = {"hostile": "the files that are requested"}

    def __init__(self, directory):
        self.downloads = os.path.join(directory, "downloads")
        os.makedirs(self.downloads, exist_ok=True)
        with open(os.path.join(directory, "user.js"), "w") as file:
            for name, value in PREFERENCES.items():
                file.write("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)))
        # Firefox chooses a port and writes it into the profile. The system access is for `settle`.
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--remote-debugging-port=0", "--remote-allow-system-access",
                                         "--no-remote", "--profile", directory],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.errors, self.requests, self.dialogs = 0, [], [], []
        try:
            self.connect(os.path.join(directory, "WebDriverBiDiServer.json"))
        except BaseException:
            self.process.kill()
            raise

    def connect(self, path):
        self.socket = WebSocket(self.port(path), "/session")
        prompts = {"unhandledPromptBehavior": {"default": "accept", "beforeUnload": "accept"}}
        self.call("session.new", capabilities={"alwaysMatch": prompts})
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.window = self.call("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent", "browsingContext.userPromptOpened"])
        # Without the bars of Firefox itself Tab comes back to the first element of the page after the last.
        self.evaluate("document.getElementById('navigator-toolbox').style.display = 'none'", self.window)
        # Files have a process of their own, whose time `busy` counts from now on.
        self.open(self.downloads)
        self.call("browser.setDownloadBehavior", downloadBehavior={"type": "allowed", "destinationFolder": self.downloads})

    def port(self, path):
        """The port that Firefox listens at, as soon as it does."""
        end = time.time() + 90
        while time.time() < end:
            if self.process.poll() is not None:
                raise SystemExit("the browser ended")
            try:
                with open(path) as file:
                    return json.load(file)["ws_port"]
            except (OSError, ValueError):
                time.sleep(0.1)
        raise SystemExit("the browser does not start")

    def record(self, method, details):
        if method == "log.entryAdded" and (details["level"] in ("error", "warn") or details["type"] == "console"):
            self.errors.append(details["text"])
        elif method == "network.beforeRequestSent":
            self.requests.append(details["request"]["url"])
        elif method == "browsingContext.userPromptOpened":
            self.dialogs.append(details["type"])

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            self.record(answer.get("method"), answer.get("params", {}))
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise SystemExit("%s: %s" % (method, answer["message"]))
                return answer["result"]

    def open(self, path):
        # What another page saved is not taken for a file of this one.
        for name in os.listdir(self.downloads):
            os.remove(os.path.join(self.downloads, name))
        # The pointer stays where it was: away from the rows.
        self.move(0, 0)
        self.errors, self.requests, self.dialogs = [], [], []
        self.call("browsingContext.navigate", context=self.page, url="file://" + path, wait="complete")
        # At first the address has the focus.
        self.evaluate("gBrowser.selectedBrowser.focus()", self.window)

    def leave(self):
        """Goes to an empty page."""
        self.call("browsingContext.navigate", context=self.page, url="about:blank", wait="complete")

    def evaluate(self, script, context=None):
        answer = self.call("script.evaluate", expression=script, target={"context": context or self.page}, awaitPromise=True,
                           userActivation=True)
        if answer["type"] == "exception":
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:600] + "\n" + script[:300])
        return value_of(answer["result"])

    def settle(self, **settings):
        """Settings of the page that only Firefox itself may change."""
        for name, value in settings.items():
            self.evaluate("gBrowser.selectedBrowser.browsingContext.%s = %s; 0" % (name, json.dumps(value)), self.window)

    def show(self, width=1200, height=800, scheme="light", media="screen"):
        self.call("browsingContext.setViewport", context=self.page, viewport={"width": width, "height": height},
                  devicePixelRatio=1)
        self.settle(prefersColorSchemeOverride=scheme, mediumOverride="" if media == "screen" else media)

    def allow_scripts(self, is_allowed):
        self.settle(allowJavascript=is_allowed)

    def act(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        if kind == "pointer":
            source["parameters"] = {"pointerType": "mouse"}
        self.call("input.performActions", context=self.page, actions=[source])

    def hold(self, names, kind="keyDown"):
        if names:
            self.act("key", [{"type": kind, "value": KEYS[name]} for name in names])

    def press(self, key, *modifiers):
        """Presses a key and lets it go."""
        held = [KEYS[name] for name in modifiers]
        value = KEYS.get(key, key)
        self.act("key", [{"type": "keyDown", "value": name} for name in held + [value]]
                 + [{"type": "keyUp", "value": name} for name in [value] + held])

    def type(self, text):
        if text:
            self.act("key", [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")])

    def move(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": x, "y": y}])

    def click(self, x, y, *modifiers, count=1):
        # Clicks that follow each other quickly count as one double click, unless what was pressed before is forgotten.
        self.call("input.releaseActions", context=self.page)
        self.hold(modifiers)
        self.act("pointer", [{"type": "pointerMove", "x": x, "y": y}]
                 + [{"type": kind, "button": 0} for kind in ["pointerDown", "pointerUp"] * count])
        self.hold(modifiers, "keyUp")

    def drag(self, start, end, steps=6):
        self.call("input.releaseActions", context=self.page)
        self.act("pointer", [{"type": "pointerMove", "x": start[0], "y": start[1]}, {"type": "pointerDown", "button": 0}]
                 + [{"type": "pointerMove", "x": start[0] + (end[0] - start[0]) * step / steps,
                     "y": start[1] + (end[1] - start[1]) * step / steps, "duration": 20} for step in range(1, steps + 1)]
                 + [{"type": "pointerUp", "button": 0}])

    def download(self, name, seconds=5):
        """The text of a downloaded file, which is removed; None if none comes."""
        path, end = os.path.join(self.downloads, name), time.time() + seconds
        while time.time() < end:
            # The file is empty until all of it has come.
            if os.path.exists(path) and os.path.getsize(path) and not os.path.exists(path + ".part"):
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
                os.remove(path)
                return text
            time.sleep(0.05)
        return None

    def busy(self):
        """The milliseconds that the page has computed, laid out and painted, however busy the machine was otherwise."""
        process = self.evaluate("gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.osPid", self.window)
        # The first number is the time of the main thread in nanoseconds.
        with open("/proc/%d/schedstat" % process) as file:
            return int(file.read().split()[0]) / 1e6

    def picture(self):
        """The bytes of a PNG picture of the window."""
        return base64.b64decode(self.call("browsingContext.captureScreenshot", context=self.page)["data"])

    def close(self):
        try:
            self.call("browser.close")
            self.process.wait(10)
        finally:
            self.process.kill()


def value_of(remote):
    """A value as BiDi writes it: a type, and a value that has types again."""
    kind, value = remote["type"], remote.get("value")
    if kind == "array":
        return [value_of(item) for item in value or []]
    if kind == "object":
        return {name: value_of(item) for name, item in value or []}
    return value if kind in ("string", "number", "boolean") else None
