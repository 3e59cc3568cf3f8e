public import Foundation

extension CKSyncEngine {
    /// Stores a state in a file. A save appends and syncs the changes since the previous state, so its cost does not depend on
    /// the database's size. A file that has grown to twice the state's size is rewritten.
    ///
    /// Use a separate file for each engine, and save every ``Event/stateUpdate(_:)``.
    public struct StateFile: Sendable {
        let url: URL
        private let log = Log()

        public init(_ url: URL) { self.url = url }

        /// The stored state; nil for the first run. A save interrupted by a crash is ignored. A damaged file is renamed with
        /// the extension `.damaged` and treated as missing: the engine fetches everything again, and the app must add its
        /// unsent changes again.
        public func load() -> (state: State.Serialization?, wasDamaged: Bool) {
            guard let data = try? Data(contentsOf: url) else { return (nil, false) }
            if let state = StateLog.read(data) ?? StateLog.readFormer(data) { return (state, false) }
            let aside = url.appendingPathExtension("damaged")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: url, to: aside)
            return (nil, true)
        }

        /// Writes a state and syncs the file.
        ///
        /// - Throws: the system's error; the previous state is kept.
        public func save(_ state: State.Serialization) throws {
            try log.content.withLock { log in
                if let changes = log.changes(in: state) {
                    do {
                        try log.append(changes, of: state)
                        return
                    } catch {
                        // The file may end in a partial line, so the next save writes a new file.
                        log = Log.Content()
                        throw error
                    }
                }
                log = Log.Content()
                let whole = try StateLog.mark + StateLog.line(.whole(state))
                try Self.replace(url, with: whole)
                log = Log.Content(
                    file: try FileHandle(forWritingTo: url), run: state.run, sequence: state.sequence,
                    room: 2 * whole.count + (64 << 10))
                try log.file?.seekToEnd()
            }
        }

        /// Replaces a file atomically: writes and syncs a new file, then renames it.
        private static func replace(_ url: URL, with data: Data) throws {
            let aside = url.appendingPathExtension("new")
            _ = FileManager.default.createFile(
                atPath: aside.path, contents: nil, attributes: [.posixPermissions: 0o600])
            let file = try FileHandle(forWritingTo: aside)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard rename(aside.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }
}

extension CKSyncEngine.StateFile {
    /// The file that saves are appended to, shared by all copies of a ``CKSyncEngine/StateFile``.
    private final class Log: Sendable {
        struct Content {
            var file: FileHandle?
            var run: UUID?
            /// The ``State/Serialization/sequence`` of the last saved state.
            var sequence = 0
            /// Bytes left to append before a rewrite.
            var room = 0

            /// The changes to append to the file; nil if the whole state must be written.
            func changes(in state: CKSyncEngine.State.Serialization) -> ArraySlice<CKSyncEngine.State.Change>? {
                let missing = state.sequence - sequence
                guard file != nil, run == state.run, room > 0, 0...state.recent.count ~= missing else { return nil }
                return state.recent.suffix(missing)
            }

            mutating func append(
                _ changes: ArraySlice<CKSyncEngine.State.Change>, of state: CKSyncEngine.State.Serialization
            ) throws {
                let line = try StateLog.line(.changes(StateLog.Changes(state, changes)))
                try file?.write(contentsOf: line)
                try file?.synchronize()
                sequence = state.sequence
                room -= line.count
            }
        }

        let content = Mutex(Content())
    }
}

/// The lines of a state file: the whole state, then changes. Each line begins with its checksum.
enum StateLog {
    static let mark = Data("cumulus sync state 2\n".utf8)
    private static let formerMark = Data("cumulus sync state 1\n".utf8)

    enum Line: Codable {
        case whole(CKSyncEngine.State.Serialization)
        case changes(Changes)
    }

    struct Changes: Codable {
        var user: String?
        var databaseToken: CKServerChangeToken?
        var generation: Int
        var changes: [CKSyncEngine.State.Change]

        init(_ state: CKSyncEngine.State.Serialization, _ changes: ArraySlice<CKSyncEngine.State.Change>) {
            user = state.user
            databaseToken = state.databaseToken
            generation = state.generation
            self.changes = Array(changes)
        }
    }

    static func line(_ line: Line) throws -> Data {
        let body = try JSONEncoder().encode(line)
        return Data("\(checksum(body)) ".utf8) + body + Data("\n".utf8)
    }

    /// Reads a file; nil for a damaged file. Bytes after the last newline come from a save interrupted by a crash.
    static func read(_ data: Data) -> CKSyncEngine.State.Serialization? {
        guard data.starts(with: mark) else { return nil }
        var state: CKSyncEngine.State.Serialization?
        var rest = data.dropFirst(mark.count)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard let line = parse(rest[..<end]) else { return nil }
            switch (line, state) {
            case (.whole(let whole), nil): state = whole
            case (.changes(let changes), _?):
                state?.user = changes.user
                state?.databaseToken = changes.databaseToken
                state?.generation = changes.generation
                for change in changes.changes { state?.apply(change) }
            default: return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        return state
    }

    private static func parse(_ line: Data) -> Line? {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let body = Data(line[line.index(after: space)...])
        guard String(decoding: line[..<space], as: UTF8.self) == "\(checksum(body))" else { return nil }
        return try? JSONDecoder().decode(Line.self, from: body)
    }

    /// Reads the format of this package's first version.
    static func readFormer(_ data: Data) -> CKSyncEngine.State.Serialization? {
        guard data.starts(with: formerMark) else { return nil }
        let rest = data.dropFirst(formerMark.count)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = Data(rest[rest.index(after: end)...])
        guard String(decoding: rest[..<end], as: UTF8.self) == "\(checksum(body))" else { return nil }
        return try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: body)
    }

    /// FNV-1a: detects damage, not tampering.
    private static func checksum(_ data: Data) -> UInt64 {
        data.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
