import Foundation

/// The data folder of a `cumulus exec` run.
struct ExecFolder {
    let path: String

    /// - Parameter kept: the folder that keeps a failed command's data; nil for a temporary folder.
    /// - Throws: ``Complaint`` if the folder is not empty or cannot be created.
    init(kept: String?) throws {
        path = kept ?? FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        // An existing empty folder is acceptable: the caller may have created it.
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
            throw Complaint("--keep-on-failure: \(path) is not empty; name a folder that is not there yet")
        }
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Complaint("cannot make the folder \(path): \(error.localizedDescription)")
        }
    }

    func remove() {
        var fault: any Error
        var attempts = 0
        repeat {
            do { return try FileManager.default.removeItem(atPath: path) } catch { fault = error }
            attempts += 1
            // A closing database deletes its own log, which can disappear during the removal and make it fail.
        } while FileManager.default.fileExists(atPath: path) && attempts < Self.mostAttempts
        if FileManager.default.fileExists(atPath: path) {
            ExecCommand.say("cumulus: cannot remove \(path): \(fault.localizedDescription)")
        }
    }

    private static let mostAttempts = 10
}
