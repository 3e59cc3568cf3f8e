package import CloudAssets
package import CloudEngine
import CloudModel
import Foundation
import NIOCore

/// The backups in an archive.
package struct BackupArchive: Sendable {
    let archive: any Archive
    let data: DataFolder

    package init(_ archive: any Archive, of data: DataFolder) {
        self.archive = archive
        self.data = data
    }

    /// A backup folder that has a manifest.
    package struct Entry: Sendable {
        package let name: String
        /// The manifest, or the fault that prevents reading it.
        package let manifest: Result<BackupManifest, TransferFault>
    }

    /// All backups, oldest first; unfinished backups without a manifest are left out.
    ///
    /// - Throws: ``TransferFault`` when the archive cannot be read or holds something else.
    package func list() async throws -> [Entry] {
        try await worded {
            _ = try await server()
            var entries: [Entry] = []
            for name in try await archive.folders(in: BackupNames.backups).sorted() {
                guard let bytes = try await read(BackupNames.file(BackupNames.manifest, of: name)) else { continue }
                entries.append(Entry(name: name, manifest: result(bytes, name)))
            }
            return entries
        }
    }

    /// The manifest of one backup.
    ///
    /// - Parameter name: nil for the newest.
    package func manifest(_ name: String?) async throws -> BackupManifest {
        let entries = try await list()
        guard let entry = name.map({ name in entries.first { $0.name == name } }) ?? entries.last else {
            throw TransferFault(
                name.map { "\(archive.place) has no backup \($0); 'cumulus backup list' names those there are" }
                    ?? "\(archive.place) has no backup yet; make one with 'cumulus backup create'")
        }
        return try entry.manifest.get()
    }

    private func result(_ bytes: [UInt8], _ name: String) -> Result<BackupManifest, TransferFault> {
        let place = "\(archive.place)/\(BackupNames.file(BackupNames.manifest, of: name))"
        return Result {
            let manifest = try BackupManifest(bytes, place: place)
            guard manifest.name == name else {
                throw TransferFault("\(place) is that of \(manifest.name), which was renamed; give it its name again")
            }
            return manifest
        }.mapError { $0 as? TransferFault ?? TransferFault("\(place): \($0)") }
    }

    // MARK: Files

    /// The contents of a small file; nil if the file is missing.
    func read(_ name: String) async throws -> [UInt8]? {
        guard let contents = try await archive.open(name) else { return nil }
        guard contents.size <= BackupManifest.largest else {
            throw TransferFault("\(archive.place)/\(name) has \(contents.size) bytes, more than such a file can have")
        }
        var bytes: [UInt8] = []
        for try await piece in contents.bytes() { bytes += piece.readableBytesView }
        return bytes
    }

    /// Puts a small file into the archive.
    func write(_ bytes: [UInt8], as name: String) async throws {
        let path = scratch((name as NSString).lastPathComponent)
        try LineWriter.save(bytes, as: path)
        try await archive.take(path, as: name, sha256: BackupDigest.of(bytes))
    }

    func scratch(_ name: String) -> String { "\(archive.scratch)/\(name)" }

    // MARK: Whose it is

    /// The identity of the data folder whose backups the archive holds; nil for an empty archive.
    ///
    /// - Throws: ``TransferFault`` when the archive holds unrelated files.
    func server() async throws -> String? {
        if let owner = try await owner() { return owner }
        let known: Set = ["incoming", "lock", "lost+found"]
        let strangers =
            try await archive.files(in: "").keys.filter { !known.contains($0) }
            + archive.folders(in: "").filter { !known.contains($0) }
        // Another process may have written the marker since the first read.
        if strangers.contains(BackupNames.marker) { return try await owner() }
        if let stranger = strangers.min() {
            throw TransferFault(
                "\(archive.place) holds other files than backups, such as '\(stranger)'; name another place")
        }
        return nil
    }

    /// The identity in the marker file; nil if the file is missing.
    private func owner() async throws -> String? {
        guard let bytes = try await read(BackupNames.marker) else { return nil }
        guard let object = (try? JSONParser.parse(bytes))?.object, let server = object["server"]?.string else {
            throw TransferFault(
                "\(archive.place)/\(BackupNames.marker) is damaged; name another place, or put that file back")
        }
        return server
    }

    /// The fault of a changed marker; nil if the marker is intact or missing. Only the archive's owner may change the
    /// marker.
    func fault(ofMarkerFor manifest: BackupManifest) async throws -> String? {
        guard let bytes = try await read(BackupNames.marker), bytes != Self.marker(of: manifest.server) else {
            return nil
        }
        return "\(archive.place)/\(BackupNames.marker) is not as it was written: the backups are those of "
            + "\(manifest.server), and no further one can be made there; restore it from another copy of the archive"
    }

    private static func marker(of server: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("server", server) }
        return writer.bytes
    }

    /// Assigns an empty archive to the data folder `server`, or confirms that the archive is its own.
    func claim(for server: String) async throws {
        if let owner = try await self.server() {
            guard owner == server else {
                throw TransferFault(
                    "\(archive.place) has the backups of another data folder, which would be pruned with these; name "
                        + "another place")
            }
            return
        }
        if let note = BackupNote.read(data), note.place == archive.place {
            throw TransferFault(
                "\(archive.place) had backups and has none now: its disk may not be mounted. Mount it; or to begin anew "
                    + "there, delete \(data.backupNote)")
        }
        try await write(Self.marker(of: server), as: BackupNames.marker)
    }

    /// Runs `body` and rewords its errors for the operator.
    func worded<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let error as ArchiveFault {
            throw TransferFault(error.description)
        } catch { throw TransferFault.worded(error) }
    }
}
