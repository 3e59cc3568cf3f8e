import Foundation

/// What a power cut leaves of what was not synced.
package enum PowerCut: String, CaseIterable, Sendable {
    /// Nothing.
    case strict
    /// Any of the writes to each file, in any selection, and the first few changes of each folder's names.
    case random
    /// The same, and of each write any of its sectors.
    case torn

    private static let sector: UInt64 = 512

    /// Writes what is left of a disk into a new folder.
    ///
    /// - Parameter origin: a copy of the folder as it was when the journal began.
    func leave(
        _ disk: Disk, from origin: String, at path: String, using random: inout some RandomNumberGenerator
    ) throws {
        var made: [Disk.ID: String] = [:]
        try leave(disk.root, disk, from: origin, at: path, &made, &random)
    }

    private func leave(
        _ id: Disk.ID, _ disk: Disk, from origin: String, at path: String, _ made: inout [Disk.ID: String],
        _ random: inout some RandomNumberGenerator
    ) throws {
        if let folder = disk.folders[id] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for (name, child) in names(folder, &random).sorted(by: { $0.key < $1.key }) {
                try leave(child, disk, from: origin, at: "\(path)/\(name)", &made, &random)
            }
        } else if let other = made[id] {
            try FileManager.default.linkItem(atPath: other, toPath: path)
        } else if let file = disk.files[id] {
            made[id] = path
            try write(file, from: origin, at: path, &random)
        }
    }

    private func names(_ folder: Disk.Folder, _ random: inout some RandomNumberGenerator) -> [String: Disk.ID] {
        let last =
            self == .strict ? folder.synced : Int.random(in: folder.synced...folder.changes.count, using: &random)
        var names = folder.origin
        for change in folder.changes[..<last] {
            for (name, id) in change { names[name] = id }
        }
        return names
    }

    private func write(
        _ file: Disk.File, from origin: String, at path: String, _ random: inout some RandomNumberGenerator
    ) throws {
        if let place = file.origin { try FileManager.default.copyItem(atPath: "\(origin)/\(place)", toPath: path) }
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        for change in file.changes[..<file.synced] { try apply(change, descriptor) }
        guard self != .strict else { return }
        // From nearly none to nearly all of them.
        let share = Double.random(in: 0...1, using: &random)
        for change in file.changes[file.synced...] where Double.random(in: 0...1, using: &random) < share {
            if self == .torn { try tear(change, descriptor, &random) } else { try apply(change, descriptor) }
        }
    }

    private func apply(_ change: Disk.Change, _ descriptor: Int32) throws {
        switch change {
        case .truncate(let length): _ = ftruncate(descriptor, off_t(length))
        case .write(let place, let bytes):
            let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
            guard written == bytes.count else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    private func tear(
        _ change: Disk.Change, _ descriptor: Int32, _ random: inout some RandomNumberGenerator
    ) throws {
        guard case .write(let place, let bytes) = change else { return try apply(change, descriptor) }
        var rest = bytes
        var start = place
        while !rest.isEmpty {
            let count = min(Int(Self.sector - start % Self.sector), rest.count)
            if Bool.random(using: &random) { try apply(.write(at: start, bytes: rest.prefix(count)), descriptor) }
            rest = rest.dropFirst(count)
            start += UInt64(count)
        }
    }
}
