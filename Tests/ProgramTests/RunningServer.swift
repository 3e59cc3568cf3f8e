import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `cumulus serve` on a free port of the loopback, from the moment it listens.
final class RunningServer: Sendable {
    let origin: String
    let welcome: String
    private let process: ChildProcess

    struct NeverListened: Error {
        let output: String
    }

    /// - Parameters:
    ///   - environment: beside what every program gets.
    ///   - largestFile: bytes any file it writes may have.
    ///   - descriptors: files and connections it may have open.
    ///   - port: the port it listens at; 0 for any free one.
    ///   - group: the file that takes the processes of its control group.
    ///   - errors: where its log goes; nowhere when nil.
    init(
        _ program: Program, _ arguments: String..., environment: [String: String] = [:], largestFile: Int? = nil,
        descriptors: Int? = nil, port: Int = 0, group: URL? = nil, errors: FileHandle? = nil
    ) async throws {
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let process = try program.start(
            ["serve", "--port", String(port)] + arguments, environment: environment, largestFile: largestFile,
            descriptors: descriptors, group: group,
            streams: (
                nothing.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor,
                (errors ?? nothing).fileDescriptor
            ))
        // Its own end alone stays open, so that the stream ends with it.
        try pipe.fileHandleForWriting.close()
        let (chunks, source) = AsyncStream<String>.makeStream()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { source.finish() } else { source.yield(String(decoding: data, as: UTF8.self)) }
        }
        var text = ""
        var found: Substring?
        for await chunk in chunks {
            text += chunk
            found = text.firstMatch(of: #/Cumulus is serving (https?:\/\/(?:127\.0\.0\.1|localhost):\d+)/#)?.output.1
            if found != nil, text.hasSuffix("\n") { break }
        }
        pipe.fileHandleForReading.readabilityHandler = nil
        guard let found else { throw NeverListened(output: text) }
        self.process = process
        origin = String(found)
        welcome = text
    }

    deinit { process.send(SIGKILL) }

    /// Asks it to stop and tells how it ended.
    func stop() async -> Int32 {
        process.send(SIGTERM)
        return await process.end()
    }

    /// Makes writes fail beyond this size of a file. Needs a server that began with `largestFile`.
    func limitFiles(to bytes: Int) async throws {
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let change = try ChildProcess(
            URL(filePath: "/usr/bin/prlimit"), ["--pid", "\(process.pid)", "--fsize=\(bytes):"], environment: [:],
            streams: (nothing.fileDescriptor, nothing.fileDescriptor, nothing.fileDescriptor), bound: 60)
        #expect(await change.end() == 0)
    }

    /// The number of descriptors that it has open.
    var openDescriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fd").count }
    }

    /// The number of times that its threads have begun to wait for something.
    var voluntarySwitches: Int {
        get throws {
            let tasks = "/proc/\(process.pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
                let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
                let line = try #require(
                    status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
                return sum + (try #require(line.split(separator: "\t").last.flatMap { Int($0) }))
            }
        }
    }

    /// Megabytes of memory it held at its most.
    func mostResident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) / 1024
    }

    /// Stops it in the middle of whatever it does, until ``resume()``.
    func pause() { process.send(SIGSTOP) }
    func resume() { process.send(SIGCONT) }

    /// Ends it where it stands.
    func kill() async {
        process.send(SIGKILL)
        _ = await process.end()
    }

    /// Waits until it ends by itself, and tells how.
    func end() async -> Int32 { await process.end() }

    /// Posts to a path and hands back what comes.
    func post(
        _ path: String, _ body: Data, method: String = "POST"
    ) async throws -> (response: HTTPURLResponse, body: Data) {
        guard let url = URL(string: origin + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.upload(for: request, from: body)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (response, data)
    }

    func get(
        _ path: String, headers: [String: String] = [:]
    ) async throws -> (response: HTTPURLResponse, body: Data) {
        guard let url = URL(string: origin + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (response, data)
    }

    /// The status of an answer.
    func status(_ path: String) async throws -> Int { try await get(path).response.statusCode }
}
