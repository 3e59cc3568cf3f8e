import Foundation

/// A folder whose disk loses its power: programs are run on it under a journal, killed, and what a disk may hold then
/// takes its place.
package final class CutFolder {
    /// The folder, empty at first.
    package let path: String
    private let place: String
    private var origin: String { place + "/origin" }
    private var journal: Journal
    package private(set) var disk: Disk
    private var rounds = 0

    /// - Parameter place: an existing folder that this one and what it needs are made in.
    package init(in place: String) throws {
        self.place = place
        path = place + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        journal = Journal(path: "")
        disk = try Disk(of: path)
        try begin()
    }

    /// What a program that writes to the folder must have in its environment.
    package func environment() throws -> [String: String] {
        ["LD_PRELOAD": try JournalLibrary.path.get(), "DISK_ROOT": path, "DISK_JOURNAL": journal.path]
    }

    /// Takes all there is now to be on disk and begins a journal.
    package func begin() throws {
        rounds += 1
        try? FileManager.default.removeItem(atPath: origin)
        try? FileManager.default.removeItem(atPath: journal.path)
        try FileManager.default.copyItem(atPath: path, toPath: origin)
        journal = Journal(path: "\(place)/journal-\(rounds)")
        disk = try Disk(of: path)
    }

    /// Reads on in the journal.
    ///
    /// - Returns: what was added.
    @discardableResult
    package func follow(_ each: (Journal.Entry, Disk) -> Void = { _, _ in }) throws -> Int {
        let entries = try journal.more()
        for entry in entries {
            each(entry, disk)
            disk.apply(entry)
        }
        return entries.count
    }

    /// Puts what a power cut leaves into the folder's place. No program may be running on it.
    package func cut(_ kind: PowerCut, using random: inout some RandomNumberGenerator) throws {
        try follow()
        let left = place + "/left"
        try kind.leave(disk, from: origin, at: left, using: &random)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: left, toPath: path)
        try begin()
    }
}
