import CloudHTTP
import CloudWire
import CloudPages
import CloudModel
import CloudOperations

/// The tree of databases, zones and types beside the table.
struct DataTree {
    let call: ConsoleCall
    let spot: DataSpot
    let types: [TypeInfo]
    let current: String?
    /// A page of the zones shared with the user; nil where no user is shown.
    let shared: Page<ZoneInfo>?
    /// The environment's schema.
    let schema: SchemaDefinition

    /// The most people in the list; the People view finds the others.
    private static let mostOwners = 30

    func groups() async throws -> [Group] {
        let place = spot.place
        let open = DataSpot(place: place, query: FormFields("".utf8))
        let publicTypes =
            spot.user == nil
            ? types
            : DataTypes(try await call.operations.run(RecordOperations.types, open.arguments).items, schema).all
        let newType = item("New type…", NewTypeView.address(place))
        var groups = [group("Public", items(publicTypes, open, isHere: spot.user == nil) + [newType])]
        if let user = spot.user {
            groups += try await privateZones(of: user)
            groups.append(try await sharedZones(with: user))
        }
        let owners = try await call.operations.run(
            RecordOperations.owners,
            place.arguments(["limit": "\(Self.mostOwners)", "after": call.query.filled("owners")]))
        return groups + [
            people("Private", owners, isShared: false), people("Shared, as one sees it", owners, isShared: true),
        ]
    }

    private func privateZones(of user: String) async throws -> [Group] {
        let zones = try await call.operations.all(RecordOperations.zones, spot.place.arguments(["user": user]))
        return zones.map { zone in
            let there = spot.place.address("/console/data", ["user": user, "zone": zone.zone])
            let isHere = !spot.isShared && zone.zone == spot.zone
            return group(
                zone.zone,
                [item("All types", there, isCurrent: isHere && types.isEmpty)]
                    + (isHere ? items(types, spot, isHere: true) : []))
        }
    }

    /// The zones shared with the user; the current zone also lists its types.
    private func sharedZones(with user: String) async throws -> Group {
        let names = try await KnownPeople(
            call, (shared?.items ?? []).map(\.ownerRecordName), in: spot.place.container)
        let items = (shared?.items ?? []).flatMap { zone in
            let isHere = spot.isShared && zone.zone == spot.zone && zone.ownerRecordName == spot.owner
            let there = DataSpot(spot, zone: zone)
            return [
                item(
                    "\(zone.zone) of \(names[zone.ownerRecordName])", there.address(),
                    isCurrent: isHere && types.isEmpty)
            ] + (isHere ? self.items(types, there, isHere: true) : [])
        }
        let more = shared?.next.map {
            item(
                "More…",
                spot.place.address(
                    "/console/data", ["user": user, "database": DatabaseScope.shared.rawValue, "zones": $0]))
        }
        return group(
            "Shared with this user", items + [more].compactMap(\.self), empty: "Nobody shares anything with them.")
    }

    /// The people with private records, linked to their databases.
    private func people(_ title: String, _ owners: Page<OwnerInfo>, isShared: Bool) -> Group {
        let items = owners.items.map { owner in
            item(
                owner.email ?? owner.userRecordName,
                spot.place.address(
                    "/console/data",
                    [
                        "user": owner.userRecordName,
                        "database": isShared ? DatabaseScope.shared.rawValue : nil,
                    ]),
                count: isShared ? nil : Count.text(owner.records),
                isCurrent: owner.userRecordName == spot.user && isShared == spot.isShared)
        }
        let more = owners.next.map { item("More…", spot.place.address("/console/data", ["owners": $0])) }
        return group(title, items + [more, item("Choose somebody…", "/console/people")].compactMap(\.self))
    }

    private func items(_ types: [TypeInfo], _ spot: DataSpot, isHere: Bool) -> [Item] {
        types.map {
            item(
                $0.recordType, spot.address(type: $0.recordType), count: Count.text($0.count) + ($0.isCut ? "+" : ""),
                isCurrent: isHere && $0.recordType == current)
        }
    }

    private func group(_ title: String, _ items: [Item], empty: String = "No records yet.") -> Group {
        Group(title: title, items: items, nothing: items.isEmpty ? empty : nil)
    }

    private func item(_ title: String, _ address: String, count: String? = nil, isCurrent: Bool = false) -> Item {
        Item(title: title, address: address, count: count, isCurrent: isCurrent)
    }
}

extension DataTree {
    struct Group: PageView {
        let title: String
        let items: [Item]
        /// The sentence shown in an empty group.
        let nothing: String?
    }

    struct Item: PageView {
        let title: String
        let address: String
        let count: String?
        let isCurrent: Bool
    }
}
