import CloudEngine
import Foundation

extension TestServer {
    /// Files in and beside the data folder that the server does not name itself.
    package func filesOutsidePattern() -> [String] {
        let root = URL(filePath: folder.path).deletingLastPathComponent()
        let own =
            /data|data\/(containers|(accounts\.sqlite(\.\w+)?|server\.lock|containers\/\d+-(development|production)\.sqlite)(-wal|-shm|\.lock)?)/
        let files = FileManager.default.enumerator(atPath: root.path())?.compactMap { $0 as? String } ?? ["unreadable"]
        return files.filter { $0.wholeMatch(of: own) == nil }
    }
}
