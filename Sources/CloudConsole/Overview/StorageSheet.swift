import CloudHTTP
import CloudModel
import CloudOperations

/// A table of the storage used by each environment.
struct StorageSheet {
    private(set) var sheet = Sheet(
        title: "Containers",
        columns: [
            .init(title: "Container"), .init(title: "Environment"), .init(title: "Records", isNumber: true),
            .init(title: "Stored", isNumber: true), .init(title: "Assets", isNumber: true),
            .init(title: "Public", isNumber: true),
        ], empty: "There is no container yet. 'cumulus container create' makes one.")
    /// The total records and bytes of all environments; nil if the table has several pages.
    private(set) var sums: (records: Int64, bytes: Int64)?

    /// The containers per page; a small page avoids opening every database.
    private static let perPage: Int64 = 20

    /// The overview's address, with the containers after a name.
    static func address(after name: String? = nil) -> String {
        ConsoleAddress.make(ConsoleView.overview.path, [("containers", name)]) + "#containers"
    }

    init(_ call: ConsoleCall) async throws {
        let after = call.query.filled("containers")
        let page = try await call.operations.run(
            ContainerOperations.list, ["limit": .integer(Self.perPage), "after": after.map(JSONValue.string)])
        var sum = (records: Int64(0), bytes: Int64(0))
        for container in page.items {
            for environment in ContainerEnvironment.allCases {
                let place = ConsolePlace(container: container.name, environment: environment, containers: [])
                let usage = try await call.operations.run(ContainerOperations.usage, place.arguments)
                guard environment == .development || usage.records > 0 else { continue }
                sum.records += usage.records
                sum.bytes += usage.bytes
                sheet.rows.append(Self.row(place, usage))
            }
        }
        if after == nil, page.next == nil {
            sheet.note = "\(page.items.count)"
            sums = sum
        }
        sheet.next = page.next.map { Self.address(after: $0) }
    }

    private static func row(_ place: ConsolePlace, _ usage: UsageInfo) -> [Sheet.Cell] {
        [
            .name(place.container, link: place.address("/console/data")),
            Sheet.Cell(place.environment.label, badge: "env \(place.environment.rawValue)"),
            .part(Int(usage.records), of: usage.quota.records),
            .size(Int(usage.bytes), of: usage.quota.bytes), .size(Int(usage.assetBytes), of: usage.quota.assetBytes),
            .number(usage.publicRecords),
        ]
    }
}
