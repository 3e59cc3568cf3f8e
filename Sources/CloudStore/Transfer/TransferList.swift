/// The lists an export consists of, in the order in which they can be taken in. Each is a file of JSON lines but the
/// records, which are several.
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

    /// One of the files it is in; nil after the last.
    ///
    /// - Parameters:
    ///   - index: from 0.
    ///   - count: how many lines there are in all.
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
