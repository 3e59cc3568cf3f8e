@testable package import CloudAssets
import CloudModel
import Foundation
package import Logging
import TestProcess

/// A real S3 on the loopback: one server for all tests of a process. It ends with that process, however that ends.
package final class SeaweedFS: Sendable {
    package static let shared = Result { try SeaweedFS() }

    package static let secretKey = "a secret of the tests"
    package static let credentials = S3Credentials(accessKey: "tests", secretKey: secretKey)
    package static let bucket = "assets"

    /// The error that the server is not installed, with the way to get it.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Such as `http://127.0.0.1:8333`.
    package let endpoint: String
    private let process: ChildProcess
    /// Held open; the script below ends the server when nobody does any more.
    private let lifeline: FileHandle

    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/seaweedfs/bin/weed").standardized.path()

    private static let script = """
        "$@" </dev/null >"$DIR/log" 2>&1 &
        server=$!
        cat >/dev/null
        kill -KILL $server
        wait
        rm -rf "$DIR"
        """

    private static let identities = """
        {"identities": [{"name": "tests", "credentials": [{"accessKey": "\(credentials.accessKey)", \
        "secretKey": "\(secretKey)"}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
        """

    private init() throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Missing(description: "\(Self.program) is missing; run 'make deps-test'")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "seaweedfs-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(Self.identities.utf8).write(to: URL(filePath: folder + "/s3.json"))
        let ports = try FreePorts.take(8)
        endpoint = "http://127.0.0.1:\(ports[6])"
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        process = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", Self.script, "sh", Self.program] + Self.arguments(folder, ports),
            environment: ["DIR": folder, "PATH": "/usr/bin:/bin"],
            streams: (pipe.fileHandleForReading.fileDescriptor, nothing.fileDescriptor, nothing.fileDescriptor),
            bound: 3600)
        try pipe.fileHandleForReading.close()
        lifeline = pipe.fileHandleForWriting
        // What else this process starts would hold it open too.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func arguments(_ folder: String, _ ports: [Int]) -> [String] {
        var arguments = [
            "-logtostderr=true", "server", "-s3", "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1", "-dir", folder,
            "-s3.config", folder + "/s3.json", "-s3.port.iceberg", "0", "-s3.port.lance", "0",
            "-s3.autoCreateBucket=false", "-volume.max", "100", "-master.volumeSizeLimitMB", "64",
            "-master.telemetry=false",
        ]
        let names = [
            "-master.port", "-master.port.grpc", "-volume.port", "-volume.port.grpc", "-filer.port",
            "-filer.port.grpc", "-s3.port", "-s3.port.grpc",
        ]
        for (name, port) in zip(names, ports) { arguments += [name, String(port)] }
        return arguments
    }

    /// A place of its own in the one bucket.
    ///
    /// - Throws: when the server does not come up within a minute.
    package func place(
        _ credentials: S3Credentials = SeaweedFS.credentials, bucket: String = SeaweedFS.bucket
    ) async throws -> S3Bucket {
        try await Self.made.value(self)
        guard
            let bucket = S3Bucket(
                url: "s3://\(bucket)/a \(UUID().uuidString)", endpoint: endpoint, region: "us-east-1", isInPath: true,
                credentials: credentials)
        else { throw Missing(description: "the place cannot be named") }
        return bucket
    }

    /// Assets in a place of their own.
    ///
    /// - Parameter spool: a folder for what is on its way there.
    package static func assets(spool: String, options: S3Options = S3Options()) async throws -> S3Assets {
        S3Assets(bucket: try await shared.get().place(), spool: spool, options: options, logger: .quiet)
    }

    private static let made = Once()

    private actor Once {
        private var task: Task<Void, any Error>?

        func value(_ server: SeaweedFS) async throws {
            let task = self.task ?? Task { try await server.makeBucket() }
            self.task = task
            try await task.value
        }
    }

    private func makeBucket() async throws {
        guard
            let bucket = S3Bucket(
                url: "s3://\(Self.bucket)", endpoint: endpoint, region: "us-east-1", isInPath: true,
                credentials: Self.credentials)
        else { throw Missing(description: "the bucket cannot be named") }
        for _ in 0..<600 {
            // It refuses connections at first, and has no room for a bucket then.
            if try await bucket.make() { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Missing(description: "SeaweedFS did not come up")
    }
}

extension S3Bucket {
    /// Makes the bucket and puts something into it; answers false while that cannot be.
    fileprivate func make() async throws -> Bool {
        let client = S3Client(bucket: self, patience: 5, logger: .quiet)
        do {
            _ = try await client.send(S3Request(method: "PUT", key: "") { [200, 409].contains($0.status) })
            _ = try await client.send(S3Request(method: "PUT", key: "first") { $0.status == 200 })
            return true
        } catch is ServerError { return false }
    }
}

extension Logger {
    /// Says nothing.
    package static let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
}
