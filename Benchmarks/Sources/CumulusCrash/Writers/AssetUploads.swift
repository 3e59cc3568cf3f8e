import NIOCore
import Traffic

/// One writer that uploads assets and saves each in a record of its own.
struct AssetUploads {
    private static let mostPerRound = 30
    private static let largest = 200_000

    let world: World
    let round: Int

    func run() async {
        var random = SeededRandom(seed: world.seed, round: round, writer: 30)
        for number in 0..<Self.mostPerRound where !world.server.isEnding {
            let count = Int.random(in: 1...Self.largest, using: &random)
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            do { try await save("asset-\(round)-\(number)", bytes) } catch {
                world.report("an upload was not taken although the server was up: \(error)")
                guard world.server.isTroubled else { return }
                await world.pauseInTrouble()
            }
        }
    }

    private func save(_ name: String, _ bytes: [UInt8]) async throws {
        let link = try await world.session.uploadLinks(1, for: "Upload", field: "file", zone: nil)[0]
        let field = try await world.session.upload(ByteBuffer(bytes: bytes), to: link).field
        try await world.session.modify(
            "public", Bodies.modify([Bodies.create(name, type: "Upload", fields: #""file":\#(field)"#)]))
        world.ledger.acknowledge(name, asset: bytes)
    }
}
