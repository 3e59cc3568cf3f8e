package import CloudModel
package import Foundation

/// One page, or one window that a page has opened.
package struct BrowserPage: Sendable {
    private let tools: DevTools
    private let target: String
    private let session: String
    private let browser: TestBrowser

    init(tools: DevTools, target: String, keeping browser: TestBrowser) async throws {
        self.tools = tools
        self.target = target
        self.browser = browser
        session = try await tools.send(
            "Target.attachToTarget", ["targetId": .string(target), "flatten": .bool(true)]
        ).text("sessionId")
        for domain in ["Page", "Runtime", "Log"] { try await tools.send("\(domain).enable", session: session) }
    }

    // MARK: Where it is

    /// Goes to an address and waits until all of the page is there.
    package func open(_ url: String) async throws {
        let loads = tools.events { [session] in $0.session == session && $0.method == "Page.loadEventFired" }
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let error = answer["errorText"]?.string { throw DevTools.Failure(description: "\(url): \(error)") }
        for await _ in loads { break }
    }

    /// Runs an action that opens another page, and waits for its load event.
    package func load(after action: () async throws -> Void) async throws {
        let loads = tools.events { [session] in $0.session == session && $0.method == "Page.loadEventFired" }
        try await action()
        for await _ in loads { break }
    }

    /// Does something that opens a window, and gives that window.
    package func popup(after action: () async throws -> Void) async throws -> BrowserPage {
        let created = tools.events { [target] event in
            event.method == "Target.targetCreated"
                && event.parameters["targetInfo"]?.object?["openerId"]?.string == target
        }
        try await action()
        for await event in created {
            guard let id = event.parameters["targetInfo"]?.object?["targetId"]?.string else { continue }
            let popup = try await BrowserPage(tools: tools, target: id, keeping: browser)
            try await popup.wait(for: "document.readyState == 'complete' && location.href != 'about:blank'")
            return popup
        }
        throw DevTools.Failure(description: "no window was opened")
    }

    /// Waits until the window has been closed, by itself or by its opener.
    package func closing(after action: () async throws -> Void) async throws {
        let destroyed = tools.events { [target] event in
            event.method == "Target.targetDestroyed" && event.parameters["targetId"]?.string == target
        }
        try await action()
        for await _ in destroyed { return }
    }

    /// Does something that downloads a file, and gives that once it is complete.
    package func download(after action: () async throws -> Void) async throws -> (name: String, bytes: Data) {
        let news = tools.events { $0.method.hasPrefix("Browser.download") }
        try await action()
        var names: [String: String] = [:]
        for await event in news {
            guard let id = event.parameters["guid"]?.string else { continue }
            if let name = event.parameters["suggestedFilename"]?.string { names[id] = name }
            switch event.parameters["state"]?.string {
            case "completed":
                return (names[id] ?? "", try Data(contentsOf: browser.downloads.appending(path: id)))
            case "canceled": throw DevTools.Failure(description: "\(names[id] ?? id) broke off")
            default: continue
            }
        }
        throw DevTools.Failure(description: "nothing was downloaded")
    }

    package var address: String { get async throws { try await text(of: "location.href") } }

    // MARK: What it says

    /// The value of an expression, or of the promise it gives.
    @discardableResult
    package func evaluate(_ expression: String) async throws -> JSONValue {
        let answer = try await send(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "awaitPromise": .bool(true), "returnByValue": .bool(true),
                "userGesture": .bool(true),
            ])
        if let details = answer["exceptionDetails"]?.object {
            throw DevTools.Failure(
                description: details["exception"]?.object?["description"]?.string ?? details["text"]?.string
                    ?? expression)
        }
        return answer["result"]?.object?["value"] ?? .null
    }

    package func text(of expression: String) async throws -> String { try await evaluate(expression).string ?? "" }

    /// Everything a reader sees.
    package var text: String { get async throws { try await text(of: "document.body.innerText") } }

    /// Waits until an expression is true, also across pages.
    package func wait(for condition: String) async throws {
        let promise = """
            new Promise(done => {
                const look = () => { if (\(condition)) done(true); else setTimeout(look, 15); };
                look();
            })
            """
        while true {
            do {
                try await evaluate(promise)
                return
            } catch let failure as DevTools.Failure where failure.description.isAboutNavigation { continue }
        }
    }

    /// Errors that scripts threw, and loads that the browser refused, violations of policies among them.
    package var faults: [String] { tools.faults(session: session) }

    // MARK: What a person does

    /// Presses the left button in the middle of an element.
    package func click(_ selector: String) async throws {
        let point = try await middle(of: selector)
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            try await send(
                "Input.dispatchMouseEvent",
                [
                    "type": .string(kind), "x": .number(point.x), "y": .number(point.y),
                    "button": .string(kind == "mouseMoved" ? "none" : "left"), "clickCount": .integer(1),
                ])
        }
    }

    /// Puts text into a field as if it were typed, in place of what was there.
    package func type(_ text: String, into selector: String) async throws {
        try await evaluate("(() => { const f = \(Self.find(selector)); f.focus(); f.select(); })()")
        try await send("Input.insertText", ["text": .string(text)])
    }

    /// Chooses a file in an input for files.
    package func choose(_ file: String, in selector: String) async throws {
        let document = try await send("DOM.getDocument")["root"]?.object ?? JSONObject()
        let input = try await send(
            "DOM.querySelector",
            ["nodeId": document["nodeId"] ?? .null, "selector": .string(selector)])
        try await send(
            "DOM.setFileInputFiles", ["files": .array([.string(file)]), "nodeId": input["nodeId"] ?? .null])
    }

    /// Presses and releases a key such as `Escape`, `ArrowRight`, `Enter` or `Tab`.
    package func press(_ key: String, shift: Bool = false, control: Bool = false) async throws {
        let codes: [String: Int64] = [
            "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
            "ArrowRight": 39, "ArrowDown": 40,
        ]
        for kind in ["keyDown", "keyUp"] {
            var parameters: [String: JSONValue] = [
                "type": .string(kind), "key": .string(key), "code": .string(key == " " ? "Space" : key),
                "windowsVirtualKeyCode": .integer(codes[key] ?? 0),
                "modifiers": .integer((shift ? 8 : 0) + (control ? 2 : 0)),
            ]
            if key == "Enter", kind == "keyDown" { parameters["text"] = .string("\r") }
            try await send("Input.dispatchKeyEvent", parameters)
        }
    }

    // MARK: How it looks

    /// - Parameters:
    ///   - width: and `height`, in CSS pixels.
    ///   - touch: whether a finger rather than a mouse is used.
    package func resize(
        width: Int, height: Int, dark: Bool = false, reducedMotion: Bool = false, touch: Bool = false
    ) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": .integer(1),
                "mobile": .bool(touch),
            ])
        try await send("Emulation.setTouchEmulationEnabled", ["enabled": .bool(touch)])
        let features = [
            ("prefers-color-scheme", dark ? "dark" : "light"),
            ("prefers-reduced-motion", reducedMotion ? "reduce" : "no-preference"),
        ].map { name, value in
            JSONValue.object(
                JSONObject([.init(key: "name", value: .string(name)), .init(key: "value", value: .string(value))]))
        }
        try await send("Emulation.setEmulatedMedia", ["features": .array(features)])
    }

    /// The folder that `CUMULUS_SCREENSHOTS` names: `make screenshots` sets it for people who look at the pictures.
    private static let screenshots = ProcessInfo.processInfo.environment["CUMULUS_SCREENSHOTS"].map {
        URL(filePath: $0)
    }

    /// False where a picture would be lost.
    package static var keepsScreenshots: Bool { screenshots != nil }

    /// Keeps a picture of the page as `NAME.png` in the folder that `CUMULUS_SCREENSHOTS` names; does nothing without it.
    package func screenshot(_ name: String, whole: Bool = true) async throws {
        guard let folder = Self.screenshots else { return }
        let answer = try await send(
            "Page.captureScreenshot", ["format": .string("png"), "captureBeyondViewport": .bool(whole)])
        guard let picture = Data(base64Encoded: try answer.text("data")) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: "\(name).png"))
    }

    /// Any command of the browser's own protocol, for this page.
    @discardableResult
    package func send(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONObject {
        try await tools.send(method, parameters, session: session)
    }

    private func middle(of selector: String) async throws -> (x: Double, y: Double) {
        let box = try await evaluate(
            """
            (() => {
                const element = \(Self.find(selector));
                element.scrollIntoView({block: "center", behavior: "instant"});
                const box = element.getBoundingClientRect();
                return {x: String(box.x + box.width / 2), y: String(box.y + box.height / 2)};
            })()
            """)
        guard let x = box.object?["x"]?.string.flatMap(Double.init),
            let y = box.object?["y"]?.string.flatMap(Double.init)
        else { throw DevTools.Failure(description: "\(selector) is nowhere on the page") }
        return (x, y)
    }

    /// An expression for the first element, which throws when there is none.
    private static func find(_ selector: String) -> String {
        var text = JSONWriter()
        text.string(selector)
        let quoted = String(decoding: text.bytes, as: UTF8.self)
        return "(document.querySelector(\(quoted)) ?? (() => { throw new Error('no element ' + \(quoted)) })())"
    }
}

extension String {
    /// True if a command failed because its page has made way for another.
    fileprivate var isAboutNavigation: Bool {
        contains("context was destroyed") || contains("navigated or closed") || contains("Cannot find context")
            || contains("Promise was collected")
    }
}
