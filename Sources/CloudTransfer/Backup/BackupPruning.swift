package import CloudAssets
package import CloudEngine
import CloudModel
import Foundation
import NIOCore

/// Deletes old backups, and asset contents that no remaining backup names.
package struct BackupPruning: Sendable {
    let backups: BackupArchive

    package struct Outcome: Sendable {
        /// The names of the deleted backups.
        package let dropped: [String]
        package let kept: [String]
        package let assets: Int64
        package let bytes: Int64
    }

    package init(of data: DataFolder, in archive: any Archive) { backups = BackupArchive(archive, of: data) }

    /// - Parameter count: the number of newest backups to keep.
    /// - Throws: ``TransferFault`` in words for the operator.
    package func run(keeping count: Int) async throws -> Outcome {
        try await backups.worded {
            let lock = try backups.data.lockBackups()
            defer { lock.release() }
            guard try await backups.server() != nil else {
                throw TransferFault("\(backups.archive.place) has no backup yet; make one with 'cumulus backup create'")
            }
            let turn = try await backups.archive.prepare()
            defer { turn.release() }
            try await backups.dropUnfinished()
            // An unreadable backup stays: the operator may repair it.
            let names = try await backups.list().filter { (try? $0.manifest.get()) != nil }.map(\.name)
            let dropped = Array(names.dropLast(count))
            for name in dropped { try await backups.drop(name) }
            let (assets, bytes) = try await sweep()
            return Outcome(dropped: dropped, kept: Array(names.suffix(count)), assets: assets, bytes: bytes)
        }
    }

    /// Deletes asset contents that no backup's list names.
    private func sweep() async throws -> (count: Int64, bytes: Int64) {
        let known = try await known()
        var (count, bytes) = (Int64(0), Int64(0))
        let archive = backups.archive
        for shard in try await archive.folders(in: BackupNames.assets) {
            let folder = BackupNames.shardFolder(shard)
            for (key, size) in try await archive.files(in: folder) where !known.contains(Self.digest(key)) {
                try Task.checkCancellation()
                try await archive.delete("\(folder)/\(key)")
                (count, bytes) = (count + 1, bytes + size)
            }
        }
        return (count, bytes)
    }

    /// 64-bit digests of the asset keys in all backups. A digest collision only keeps an unneeded asset longer.
    private func known() async throws -> Set<UInt64> {
        var known: Set<UInt64> = []
        for name in try await backups.archive.folders(in: BackupNames.backups) {
            for file in try await backups.archive.files(in: BackupNames.folder(name)).keys
            where file.hasSuffix(".assets") {
                try await backups.eachAsset(BackupNames.file(file, of: name)) { key, _ in
                    known.insert(Self.digest(key))
                }
            }
        }
        return known
    }

    private static func digest(_ key: String) -> UInt64 {
        key.utf8.suffix(16).reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}

extension BackupArchive {
    /// Deletes a backup, its manifest first: a folder without a manifest is not listed.
    func drop(_ name: String) async throws {
        try await archive.delete(BackupNames.file(BackupNames.manifest, of: name))
        try await archive.remove(folder: BackupNames.folder(name))
    }

    /// Deletes unfinished backups that killed programs left behind.
    func dropUnfinished() async throws {
        for name in try await archive.folders(in: BackupNames.backups)
        where try await archive.open(BackupNames.file(BackupNames.manifest, of: name)) == nil {
            try await archive.remove(folder: BackupNames.folder(name))
        }
    }

    /// Reads an asset list line by line.
    ///
    /// - Throws: ``TransferFault`` when the list is missing or a line is malformed.
    func eachAsset(_ name: String, _ body: (_ key: String, _ size: Int64) async throws -> Void) async throws {
        guard let contents = try await archive.open(name) else {
            throw TransferFault("\(archive.place)/\(name) is missing; use another backup")
        }
        var rest: [UInt8] = []
        for try await piece in contents.bytes() {
            rest += piece.readableBytesView
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let words = String(decoding: rest[start..<end], as: UTF8.self).split(separator: " ")
                guard words.count == 2, let key = AssetKey(String(words[0])), let size = Int64(words[1]) else {
                    throw TransferFault("\(archive.place)/\(name) is damaged: a line is no asset; use another backup")
                }
                try await body(key.text, size)
                start = end + 1
            }
            rest.removeSubrange(..<start)
        }
    }
}
