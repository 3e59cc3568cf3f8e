import CloudStore

/// The lists of an export, in import order. Each list is one JSON Lines file; records span several.
enum TransferList: String, CaseIterable, Sendable {
    case users, zones, assets, records, shares, sharedZones, links, subscriptions, keyValues

    /// The list's name in counts and in messages.
    var noun: String {
        switch self {
        case .users, .zones, .assets, .records, .shares, .subscriptions: rawValue
        case .sharedZones: "shared zones"
        case .links: "page links"
        case .keyValues: "key values"
        }
    }

    /// The name of a list's file; nil past the last.
    ///
    /// - Parameters:
    ///   - index: from 0.
    ///   - count: the total number of lines.
    func file(_ index: Int, of count: Int64) -> String? {
        switch self {
        case .records:
            Int64(index) < ExportFolder.recordFiles(count) ? ExportFolder.records(Int64(index) + 1) : nil
        case .sharedZones: index == 0 ? "shared-zones.jsonl" : nil
        case .keyValues: index == 0 ? "key-values.jsonl" : nil
        case .users, .zones, .assets, .shares, .links, .subscriptions: index == 0 ? rawValue + ".jsonl" : nil
        }
    }
}
