public import Foundation

/// Stores the signed-in user's web auth token between launches.
public protocol CredentialStore: Sendable {
    func load() throws -> String?
    func save(_ webAuthToken: String?) throws
}

/// Stores the token in memory, for the process's lifetime.
public final class MemoryCredentialStore: CredentialStore {
    private let token: Mutex<String?>

    public init(_ webAuthToken: String? = nil) { token = Mutex(webAuthToken) }

    public func load() -> String? { token.withLock { $0 } }
    public func save(_ webAuthToken: String?) { token.withLock { $0 = webAuthToken } }
}

/// Stores the token in a file that only its owner can read.
public struct FileCredentialStore: CredentialStore {
    private let file: URL

    public init(_ file: URL) { self.file = file }

    public func load() throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    public func save(_ webAuthToken: String?) throws {
        let files = FileManager.default
        guard let webAuthToken else {
            if files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            return
        }
        let aside = file.appendingPathExtension("new")
        try? files.removeItem(at: aside)
        guard
            files.createFile(
                atPath: aside.path, contents: Data(webAuthToken.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        if rename(aside.path, file.path) != 0 { throw CocoaError(.fileWriteUnknown) }
    }
}
