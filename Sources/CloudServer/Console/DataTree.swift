import CloudModel
import CloudOperations

/// The databases, zones and types beside the table.
struct DataTree {
    let call: ConsoleCall
    let spot: DataSpot
    let types: [TypeInfo]
    let current: String?

    /// People that are listed; others are found among People.
    private static let mostOwners = 30

    func groups() async throws -> [PageContent] {
        let place = spot.place
        let shared = DataSpot(place: place, query: FormFields("".utf8))
        let publicTypes =
            spot.user == nil ? types : try await call.operations.run(RecordOperations.types, shared.arguments).items
        var groups = [group("Public", items(publicTypes, shared, isHere: spot.user == nil))]
        if let user = spot.user {
            let zones = try await call.operations.run(RecordOperations.zones, place.arguments(["user": user])).items
            for zone in zones {
                let there = place.address("/console/data", ["user": user, "zone": zone.zone])
                let isHere = zone.zone == spot.zone
                groups.append(
                    group(
                        zone.zone,
                        [item("All types", there, isCurrent: isHere && types.isEmpty)]
                            + (isHere ? items(types, spot, isHere: true) : [])))
            }
        }
        let owners = try await call.operations.run(
            RecordOperations.owners, place.arguments(["limit": "\(Self.mostOwners)"])
        ).items
        groups.append(
            group(
                "Private",
                owners.map { owner in
                    item(
                        owner.email ?? owner.userRecordName,
                        place.address("/console/data", ["user": owner.userRecordName]), count: "\(owner.records)",
                        isCurrent: owner.userRecordName == spot.user)
                } + [item("Choose somebody…", "/console/people")]))
        return groups
    }

    private func items(_ types: [TypeInfo], _ spot: DataSpot, isHere: Bool) -> [PageContent] {
        types.map {
            item(
                $0.recordType, spot.address(type: $0.recordType), count: "\($0.count)\($0.isCut ? "+" : "")",
                isCurrent: isHere && $0.recordType == current)
        }
    }

    private func group(_ title: String, _ items: [PageContent]) -> PageContent {
        var content: [String: Any] = ["title": title, "items": items]
        if items.isEmpty { content["isEmpty"] = true }
        return PageContent(content)
    }

    private func item(_ title: String, _ address: String, count: String? = nil, isCurrent: Bool = false) -> PageContent
    {
        var content: [String: Any] = ["title": title, "address": address]
        content["count"] = count
        if isCurrent { content["isCurrent"] = true }
        return PageContent(content)
    }
}
