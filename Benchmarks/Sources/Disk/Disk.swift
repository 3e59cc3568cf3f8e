import Foundation

/// A folder as its disk knows it: what is on it for certain, and what was done since the last sync of each file and of
/// each folder's names.
package struct Disk: Sendable {
    /// A file or folder. Other than inode numbers these are given out once.
    typealias ID = Int

    enum Change: Sendable {
        case write(at: UInt64, bytes: ArraySlice<UInt8>)
        case truncate(to: UInt64)
    }

    struct File: Sendable {
        /// Where its bytes were when the journal began, below the folder; nil for one that was made since.
        let origin: String?
        var changes: [Change] = []
        /// How many of the changes are on disk.
        var synced = 0
        /// How often it was synced.
        var syncs = 0
    }

    struct Folder: Sendable {
        let origin: [String: ID]
        var now: [String: ID]
        /// Each sets names, or takes them away, in one step.
        var changes: [[(name: String, to: ID?)]] = []
        var synced = 0
    }

    private(set) var files: [ID: File] = [:]
    private(set) var folders: [ID: Folder] = [:]
    private(set) var root = 0
    private var next = 0
    private var byNumber: [UInt64: ID] = [:]
    private var turns: [UInt64: (id: ID, count: Int)] = [:]

    /// All that is in the folder at `path` is taken to be on disk.
    package init(of path: String) throws { root = try add(path, below: "") }

    private mutating func add(_ path: String, below place: String) throws -> ID {
        let id = makeID(try Self.number(path))
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isFolder.boolValue else {
            files[id] = File(origin: place)
            return id
        }
        var names: [String: ID] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
            names[name] = try add("\(path)/\(name)", below: place.isEmpty ? name : "\(place)/\(name)")
        }
        folders[id] = Folder(origin: names, now: names)
        return id
    }

    private static func number(_ path: String) throws -> UInt64 {
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]
        return (number as? NSNumber)?.uint64Value ?? 0
    }

    private mutating func makeID(_ number: UInt64) -> ID {
        next += 1
        byNumber[number] = next
        return next
    }

    // MARK: What happens

    package mutating func apply(_ entries: [Journal.Entry]) { for entry in entries { apply(entry) } }

    package mutating func apply(_ entry: Journal.Entry) {
        switch entry {
        case .create(let folder, let number, let name):
            guard !isKnown(folder, number, name) else { return }
            let id = makeID(number)
            files[id] = File(origin: nil)
            change(folder, [(name, id)])
        case .makeFolder(let folder, let number, let name):
            let id = makeID(number)
            folders[id] = Folder(origin: [:], now: [:])
            change(folder, [(name, id)])
        case .write(let number, let place, let bytes): change(number, .write(at: place, bytes: bytes))
        case .truncate(let number, let length): change(number, .truncate(to: length))
        case .sync(let number, let turn):
            guard let id = byNumber[number] else { return }
            turns[turn] = (id, files[id]?.changes.count ?? folders[id]?.changes.count ?? 0)
        case .synced(_, let turn): end(turn)
        case .rename(let from, let to, let number, let old, let new):
            guard let id = byNumber[number] else { return }
            if from == to { return change(from, [(old, nil), (new, id)]) }
            change(to, [(new, id)])
            change(from, [(old, nil)])
        case .remove(let folder, let name): change(folder, [(name, nil)])
        case .link(let folder, let number, let name):
            if let id = byNumber[number] { change(folder, [(name, id)]) }
        case .answer: return
        }
    }

    /// Returns true if another thread has already reported the same new file.
    private func isKnown(_ folder: UInt64, _ number: UInt64, _ name: String) -> Bool {
        guard let parent = byNumber[folder], let id = byNumber[number] else { return false }
        return folders[parent]?.now[name] == id
    }

    private mutating func change(_ number: UInt64, _ change: Change) {
        if let id = byNumber[number] { files[id]?.changes.append(change) }
    }

    private mutating func change(_ number: UInt64, _ names: [(name: String, to: ID?)]) {
        guard let id = byNumber[number] else { return }
        for (name, file) in names { folders[id]?.now[name] = file }
        folders[id]?.changes.append(names)
    }

    private mutating func end(_ turn: UInt64) {
        guard let (id, count) = turns.removeValue(forKey: turn) else { return }
        if var file = files[id] {
            file.synced = max(file.synced, count)
            file.syncs += 1
            files[id] = file
        } else if let synced = folders[id]?.synced {
            folders[id]?.synced = max(synced, count)
        }
    }

    // MARK: What is known

    /// How often the file at a path below the folder was synced so far; 0 when there is none.
    package func syncs(of path: String) -> Int { file(at: path)?.syncs ?? 0 }

    /// What of a path a power cut might take now: the names on the way to it, and bytes.
    package func unsynced(_ path: String) -> [String] {
        var findings: [String] = []
        var id = root
        var place: [String] = []
        for name in path.split(separator: "/").map(String.init) {
            place.append(name)
            guard let folder = folders[id], let next = folder.now[name] else {
                return findings + ["\(path) is not there"]
            }
            let pending = folder.changes.dropFirst(folder.synced)
            if pending.contains(where: { $0.contains { $0.name == name } }) {
                findings.append("the name of \(place.joined(separator: "/"))")
            }
            id = next
        }
        if let file = files[id], file.synced < file.changes.count { findings.append("bytes of \(path)") }
        return findings
    }

    /// The paths of all files below a path.
    package func paths(below path: String) -> [String] {
        var id = root
        for name in path.split(separator: "/").map(String.init) {
            guard let next = folders[id]?.now[name] else { return [] }
            id = next
        }
        return paths(id, path).sorted()
    }

    private func paths(_ id: ID, _ path: String) -> [String] {
        guard let folder = folders[id] else { return [path] }
        return folder.now.flatMap { paths($0.value, path.isEmpty ? $0.key : "\(path)/\($0.key)") }
    }

    private func file(at path: String) -> File? {
        var id = root
        for name in path.split(separator: "/").map(String.init) {
            guard let next = folders[id]?.now[name] else { return nil }
            id = next
        }
        return files[id]
    }
}
