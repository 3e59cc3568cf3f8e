import CloudModel
import Foundation
import Glibc
import TestProcess

/// A Chromium without a screen, for as long as this lives, and at most for `bound`.
package final class TestBrowser: Sendable {
    private let process: ChildProcess
    private let folder: URL
    private let tools: DevTools

    /// Chromium without windows, where it is installed: a tab of the whole one takes ten times the processor time before
    /// it shows anything.
    private static let executable: (path: String, mode: String) = {
        let shell = "/usr/lib/chromium/chromium-headless-shell"
        return access(shell, X_OK) == 0 ? (shell, "--headless") : ("/usr/bin/chromium", "--headless=new")
    }()

    /// Takes what pages download, each under an id of its own.
    var downloads: URL { folder.appending(path: "downloads") }

    /// - Parameter bound: seconds after which it is killed, and everything that waits for it fails. It ends a test that
    ///   hangs, which a busy machine alone does not: tests have limits of their own.
    package init(bound: Double = 1200) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "downloads"), withIntermediateDirectories: true)
        let toBrowser = try Self.pipe()
        let fromBrowser = try Self.pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let errors = folder.appending(path: "errors")
        try Data().write(to: errors)
        let stderr = try FileHandle(forWritingTo: errors)
        process = try ChildProcess(
            URL(filePath: Self.executable.path),
            [
                Self.executable.mode, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-extensions",
                "--disable-breakpad", "--disable-crash-reporter",
                // What is pressed before the first picture of a page is not dropped.
                "--disable-sync", "--allow-pre-commit-input", "--hide-scrollbars", "--mute-audio",
                "--remote-debugging-pipe",
                "--user-data-dir=\(folder.path())", "about:blank",
            ],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path(), "LANG": "C.UTF-8"],
            streams: (nothing.fileDescriptor, nothing.fileDescriptor, stderr.fileDescriptor),
            more: [3: toBrowser.read.fileDescriptor, 4: fromBrowser.write.fileDescriptor], bound: bound)
        // Its own ends alone stay open, so that the streams end with it.
        try toBrowser.read.close()
        try fromBrowser.write.close()
        tools = DevTools(input: fromBrowser.read, output: toBrowser.write) { [process] in
            let status = await process.end()
            let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            return "the browser has ended with status \(status): \(said.suffix(2000))"
        }
        try await tools.send("Target.setDiscoverTargets", ["discover": .bool(true)])
    }

    deinit {
        process.send(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A page of a person with cookies of their own.
    ///
    /// - Parameter width: and `height`, in CSS pixels.
    package func page(width: Int = 1280, height: Int = 800, dark: Bool = false) async throws -> BrowserPage {
        let context = try await tools.send("Target.createBrowserContext").text("browserContextId")
        try await tools.send(
            "Browser.setDownloadBehavior",
            [
                "behavior": .string("allowAndName"), "browserContextId": .string(context),
                "downloadPath": .string(downloads.path()), "eventsEnabled": .bool(true),
            ])
        let target = try await tools.send(
            "Target.createTarget", ["url": .string("about:blank"), "browserContextId": .string(context)]
        ).text("targetId")
        let page = try await BrowserPage(tools: tools, target: target, keeping: self)
        try await page.resize(width: width, height: height, dark: dark)
        return page
    }

    /// Both ends above the numbers that the browser knows them by, and for no other program.
    private static func pipe() throws -> (read: FileHandle, write: FileHandle) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handles = try ends.map { end in
            defer { Glibc.close(end) }
            let high = fcntl(end, F_DUPFD_CLOEXEC, 10)
            guard high >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            return FileHandle(fileDescriptor: high, closeOnDealloc: true)
        }
        return (handles[0], handles[1])
    }
}

extension JSONObject {
    func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else { throw DevTools.Failure(description: "no \(key) in the answer") }
        return text
    }
}
