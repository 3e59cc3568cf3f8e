/// The lists an export consists of, in the order in which they can be taken in. Each is a file of JSON lines but the
/// records, which are several.
enum TransferList: String, CaseIterable, Sendable {
    case users, zones, assets, records, shares, sharedZones, links, subscriptions, keyValues

    /// What it is called in counts and in messages.
    var noun: String {
        switch self {
        case .users, .zones, .assets, .records, .shares, .subscriptions: rawValue
        case .sharedZones: "shared zones"
        case .links: "page links"
        case .keyValues: "key values"
        }
    }

    /// The files it is in.
    ///
    /// - Parameter count: how many lines there are in all.
    func files(_ count: Int64) -> [String] {
        switch self {
        case .records:
            count == 0 ? [] : (1...ExportFolder.recordFiles(count)).map(ExportFolder.records)
        case .sharedZones: ["shared-zones.jsonl"]
        case .keyValues: ["key-values.jsonl"]
        case .users, .zones, .assets, .shares, .links, .subscriptions: [rawValue + ".jsonl"]
        }
    }
}
