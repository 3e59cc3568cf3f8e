import CloudModel
import CloudOperations

/// The storage of the environments as a table.
struct StorageSheet {
    private(set) var sheet = Sheet(
        title: "Containers",
        columns: [
            .init(title: "Container"), .init(title: "Environment"), .init(title: "Records", isNumber: true),
            .init(title: "Stored", isNumber: true), .init(title: "Assets", isNumber: true),
            .init(title: "Public", isNumber: true),
        ], empty: "There is no container yet. 'cumulus container create' makes one.")
    /// The sums of all of them.
    private(set) var (records, bytes) = (Int64(0), Int64(0))

    /// Environments that are shown, so that a look at the page does not open them all.
    private static let mostEnvironments = 40

    init(_ call: ConsoleCall) async throws {
        let containers = try await call.operations.run(ContainerOperations.list, ["limit": .integer(200)]).items
        for container in containers.prefix(Self.mostEnvironments / 2) {
            for environment in ContainerEnvironment.allCases {
                let place = ConsolePlace(container: container.name, environment: environment, containers: [])
                let usage = try await call.operations.run(ContainerOperations.usage, place.arguments)
                guard environment == .development || usage.records > 0 else { continue }
                records += usage.records
                bytes += usage.bytes
                sheet.rows.append(Self.row(place, usage))
            }
        }
        sheet.note = "\(containers.count)"
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
