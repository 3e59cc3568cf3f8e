import CumulusKit
import CumulusKitTesting
import Foundation

/// One seed's story: what two people with one account do, and what must be true of it in the end.
struct History {
    struct Diverged: Error, CustomStringConvertible {
        let description: String
    }

    private static let names = ["phone", "tablet"]
    private static let steps = 40

    private let folder: URL
    private let chance: Chance
    private let network: Chance
    private let containers: [CKContainer]
    private var devices: [Device] = []
    /// What each device last wrote into its own field of a record. Nobody else writes that field.
    private var written: [String: [String: Int]] = [:]
    private var deleted: Set<String> = []
    private var parents: [String] = []
    private var count = 0

    static func play(seed: UInt64) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let network = Chance(seed: seed &* 7919)
        let transport = FaultyTransport(whole: CumulusTest.container.configuration.transport) { _ in
            let (roll, faults) = (network.roll(), network.faults)
            return roll < faults / 2 ? .cutBefore : roll < faults ? .cutAfter : .none
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        // A person of its own, so that every history begins with an empty database.
        let email = "seed\(seed)-\(UUID().uuidString.prefix(8))@example.com"
        var containers: [CKContainer] = []
        for name in names {
            containers.append(try await CumulusTest.device(name, email: email, retries: .never, transport: transport))
        }
        var history = History(folder: folder, chance: Chance(seed: seed), network: network, containers: containers)
        for index in names.indices { history.devices.append(try history.open(index)) }
        for step in 0..<steps { try await history.step(step) }
        try await history.settle()
        try await history.check()
    }

    private init(folder: URL, chance: Chance, network: Chance, containers: [CKContainer]) {
        self.folder = folder
        self.chance = chance
        self.network = network
        self.containers = containers
    }

    private func open(_ index: Int) throws -> Device {
        try Device(Self.names[index], folder, containers[index].privateCloudDatabase)
    }

    private mutating func step(_ step: Int) async throws {
        let index = chance.number(below: devices.count)
        network.faults = step < 2 ? 0 : chance.roll() * 0.3
        switch chance.number(below: 12) {
        case 0...2: create(index)
        case 3...5: edit(index)
        case 6: delete(index)
        case 7: move(index)
        case 8:
            devices[index].die(afterWrites: chance.number(below: 12))
            try? await devices[index].sync()
            devices[index].die(afterWrites: nil)
            devices[index] = try open(index)
        default: try? await devices[index].sync()
        }
        if devices[index].isDead { devices[index] = try open(index) }
    }

    private mutating func create(_ index: Int) {
        count += 1
        let name = "\(Self.names[index])-\(count)"
        write(index, name)
        if parents.count < 3 { parents.append(name) }
    }

    private mutating func edit(_ index: Int) {
        guard let name = chance.pick(devices[index].items.keys.sorted()) else { return }
        write(index, name)
    }

    private mutating func write(_ index: Int, _ name: String) {
        let (field, value) = (Self.names[index], chance.number(below: 1_000_000))
        let isKept = devices[index].edit(name) { item in
            item.fields[field] = value
            // Both write this one, so only that they agree on it can be asked.
            item.fields["both"] = value
        }
        if isKept { written[name, default: [:]][field] = value }
    }

    private mutating func delete(_ index: Int) {
        guard let name = chance.pick(devices[index].items.keys.sorted().filter({ !parents.contains($0) })) else {
            return
        }
        if devices[index].delete(name) { deleted.insert(name) }
    }

    private mutating func move(_ index: Int) {
        let items = devices[index].items
        let targets = parents.filter { items[$0]?.systemFields != nil }
        guard let name = chance.pick(items.keys.sorted().filter { !parents.contains($0) }),
            let parent = chance.pick(targets)
        else { return }
        _ = devices[index].edit(name) { $0.parent = parent }
    }

    /// The network is whole again, and nobody does anything but wait.
    private func settle() async throws {
        network.faults = 0
        for _ in 0..<4 { for device in devices { try await device.sync() } }
    }

    private func check() async throws {
        let database = containers[0].privateCloudDatabase
        var server: [String: CKRecord] = [:]
        var token: CKServerChangeToken?
        var isMore = true
        while isMore {
            let page = try await database.recordZoneChanges(inZoneWith: Device.zone, since: token)
            for record in page.records { server[record.recordID.recordName] = record }
            (token, isMore) = (page.changeToken, page.moreComing)
        }
        for device in devices {
            let items = device.items
            try hold(
                items.keys.sorted() == server.keys.sorted(),
                "\(device.name) has \(items.keys.sorted()), the server \(server.keys.sorted())")
            for (name, item) in items {
                let record = server[name]
                try hold(!item.isDirty, "\(device.name) has not sent \(name)")
                try hold(item.parent == record?.parent?.recordID.recordName, "\(name) is elsewhere on \(device.name)")
                for key in ["phone", "tablet", "both"] {
                    let value: Int? = record?[key]
                    try hold(item.fields[key] == value, "\(name).\(key) differs on \(device.name)")
                }
            }
        }
        for (name, fields) in written where !deleted.contains(name) {
            for (field, value) in fields {
                let found: Int? = server[name]?[field]
                try hold(
                    found == value, "\(name).\(field) should be \(value) and is \(found.map(String.init) ?? "gone")")
            }
        }
        let risen = deleted.filter { server[$0] != nil }
        try hold(risen.isEmpty, "deleted, and there again: \(risen)")
    }

    private func hold(_ fact: Bool, _ otherwise: @autoclosure () -> String) throws {
        guard fact else { throw Diverged(description: otherwise()) }
    }
}
