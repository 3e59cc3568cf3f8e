import CumulusKit
import CumulusKitTesting
import Foundation

/// One seed's story: what two people with one account do, and what must be true of it in the end.
struct History {
    struct Diverged: Error, CustomStringConvertible {
        let description: String
    }

    private static let steps = 40
    /// What the emulator does to a request, besides what the network does. Refused tokens are not among them: a device
    /// that begins anew makes again what it edited and others deleted, as it should.
    private static let emulated = [
        #"{"error": "THROTTLED", "retryAfter": 0}"#, #"{"error": "TRY_AGAIN_LATER", "retryAfter": 0}"#,
        #"{"hangUp": "before"}"#, #"{"hangUp": "after"}"#, #"{"pageSize": 1}"#, #"{"cutAt": 40}"#, #"{"latency": 5}"#,
        #"{"operation": 0, "error": "THROTTLED", "retryAfter": 0}"#,
    ]

    /// A device's name, database and zone.
    private struct Seat {
        let name: String
        let database: CKDatabase
        var zone = Device.zone
        let life: Life
    }

    /// Nothing leaves a device that has been killed.
    private final class Life: Sendable {
        /// The device has the transport, which asks for this.
        private struct Known {
            weak var device: Device?
        }

        private let known = Mutex(Known())

        var isOver: Bool { known.withLock { $0.device }?.isDead ?? false }
        func begin(_ device: Device) { known.withLock { $0.device = device } }
    }

    private let folder: URL
    private let server: CrashingServer
    private let chance: Chance
    private let network: Chance
    private var seats: [Seat] = []
    private var devices: [Device] = []
    /// What each device last wrote into its own field of a record. Nobody else writes that field.
    private var written: [String: [String: Int]] = [:]
    private var deleted: Set<String> = []
    private var parents: [String] = []
    private var count = 0

    static func play(seed: UInt64, on server: CrashingServer) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var history = History(
            folder: folder, server: server, chance: Chance(seed: seed), network: Chance(seed: seed &* 7919))
        try await history.seat()
        for index in history.seats.indices { history.devices.append(try history.open(index)) }
        for step in 0..<steps { try await history.step(step) }
        try await history.settle()
        try await history.check()
    }

    private init(folder: URL, server: CrashingServer, chance: Chance, network: Chance) {
        self.folder = folder
        self.server = server
        self.chance = chance
        self.network = network
    }

    /// Two devices of one person, in some histories with one of somebody who is let into the zone.
    private mutating func seat() async throws {
        // People of its own, so that every history begins with an empty database.
        let email = "\(UUID().uuidString)@example.com"
        for name in ["phone", "tablet"] {
            let life = Life()
            let container = try await container(name, email, life)
            seats.append(Seat(name: name, database: container.privateCloudDatabase, life: life))
        }
        guard chance.roll() < 0.3 else { return }
        let owner = seats[0].database
        let zone = try await owner.save(CKRecordZone(zoneID: Device.zone)).zoneID
        let share = CKShare(recordZoneID: zone)
        share.publicPermission = .readWrite
        try await owner.save(share)
        guard let saved = try await owner.record(for: share.recordID) as? CKShare, let url = saved.url else {
            throw Diverged(description: "a share has no link")
        }
        let life = Life()
        let guest = try await container("guest", "\(UUID().uuidString)@example.com", life)
        try await guest.accept(try await guest.shareMetadata(for: url))
        guard let theirs = try await guest.sharedCloudDatabase.allRecordZones().first?.zoneID else {
            throw Diverged(description: "the guest is let into no zone")
        }
        seats.append(Seat(name: "guest", database: guest.sharedCloudDatabase, zone: theirs, life: life))
    }

    private func container(_ clientID: String, _ email: String, _ life: Life) async throws -> CKContainer {
        var settings = CumulusConfiguration(
            identifier: "iCloud.com.example.histories", origin: server.origin, apiToken: CumulusServer.apiToken,
            clientID: clientID)
        settings.retries = .never
        let usual = CKContainer(settings)
        try await usual.signInForDevelopment(email: email)
        settings = usual.configuration
        let network = network
        settings.transport = FaultyTransport(whole: settings.transport) { _ in
            if life.isOver { return .cutBefore }
            let (roll, faults) = (network.roll(), network.faults)
            guard roll < faults else { return .none }
            return roll < faults / 4
                ? .cutBefore : roll < faults / 2 ? .cutAfter : .emulated(network.pick(Self.emulated) ?? "{}")
        }
        return CKContainer(settings)
    }

    private func open(_ index: Int) throws -> Device {
        let device = try Device(seats[index].name, folder, seats[index].database, zone: seats[index].zone)
        seats[index].life.begin(device)
        return device
    }

    private mutating func step(_ step: Int) async throws {
        let index = chance.number(below: devices.count)
        network.faults = step < 2 ? 0 : chance.roll() * 0.3
        switch chance.number(below: 13) {
        case 0...2: create(index)
        case 3...5: edit(index)
        case 6: delete(index)
        case 7: move(index)
        case 8:
            devices[index].die(afterWrites: chance.number(below: 12))
            try? await devices[index].sync()
            devices[index].die(afterWrites: nil)
            devices[index] = try open(index)
        case 9:
            let device = devices[index]
            async let sync: Void? = try? device.sync()
            try await server.crash()
            _ = await sync
        default: try? await devices[index].sync()
        }
        if devices[index].isDead { devices[index] = try open(index) }
    }

    private mutating func create(_ index: Int) {
        count += 1
        let name = "\(seats[index].name)-\(count)"
        write(index, name)
        if parents.count < 3 { parents.append(name) }
    }

    private mutating func edit(_ index: Int) {
        guard let name = chance.pick(devices[index].items.keys.sorted()) else { return }
        write(index, name)
    }

    private mutating func write(_ index: Int, _ name: String) {
        let (field, value) = (seats[index].name, chance.number(below: 1_000_000))
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
        let database = seats[0].database
        var server: [String: CKRecord] = [:]
        var token: CKServerChangeToken?
        var isMore = true
        while isMore {
            let page = try await database.recordZoneChanges(inZoneWith: Device.zone, since: token)
            for record in page.records where !(record is CKShare) { server[record.recordID.recordName] = record }
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
                for key in ["phone", "tablet", "guest", "both"] {
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
