public import Foundation

extension CKSyncEngine {
    /// Keeps a state in a file that is either whole or not there: written aside, forced to the disk, renamed.
    public struct StateFile: Sendable {
        private static let mark = Data("cumulus sync state 1\n".utf8)
        let url: URL

        public init(_ url: URL) { self.url = url }

        /// The state; nil the first time. A damaged file is put aside, under the same name with `.damaged`, and counts
        /// as none: everything is fetched anew, and the app adds again what it has not sent.
        public func load() -> (state: State.Serialization?, wasDamaged: Bool) {
            guard let data = try? Data(contentsOf: url) else { return (nil, false) }
            if let state = Self.read(data) { return (state, false) }
            let aside = url.appendingPathExtension("damaged")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: url, to: aside)
            return (nil, true)
        }

        public func save(_ state: State.Serialization) throws {
            let body = try JSONEncoder().encode(state)
            let aside = url.appendingPathExtension("new")
            _ = FileManager.default.createFile(
                atPath: aside.path, contents: nil, attributes: [.posixPermissions: 0o600])
            let file = try FileHandle(forWritingTo: aside)
            try file.write(contentsOf: Self.mark + Data("\(Self.checksum(body))\n".utf8) + body)
            try file.synchronize()
            try file.close()
            guard rename(aside.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }

        private static func read(_ data: Data) -> State.Serialization? {
            guard data.starts(with: mark) else { return nil }
            let rest = data.dropFirst(mark.count)
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let body = Data(rest[rest.index(after: end)...])
            guard String(decoding: rest[..<end], as: UTF8.self) == "\(checksum(body))" else { return nil }
            return try? JSONDecoder().decode(State.Serialization.self, from: body)
        }

        /// FNV-1a: finds damage, not malice.
        private static func checksum(_ data: Data) -> UInt64 {
            data.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
    }
}
