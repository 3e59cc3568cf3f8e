import ArgumentParser
import Traffic

/// Makes a zone with one record that whoever has the link may change, and lets somebody accept the link.
struct ShareZone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shares a new zone's record `root`; prints the short GUID and the owner's record name.")
    /// What everything to be shared hangs under.
    static let root = "root"

    @OptionGroup var target: Target

    @Option(help: "The custom zone to make.")
    var zone: String

    @Option(help: "Who accepts the share.")
    var member: String

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        _ = try await session.ask("private/zones/modify", Bodies.createZone(zone), as: ZonesAnswer.self)
        let operations = [
            Bodies.create(Self.root, type: "Album"), Bodies.share(Self.root, permission: "READ_WRITE"),
        ]
        let records = try await session.modify("private", Bodies.modify(operations, zone: zone, atomic: true))
        guard let guid = records.compactMap(\.shortGUID).first else {
            throw ValidationError("the share came back without a short GUID")
        }
        let other = try await CloudSession.signIn(
            member, to: target.container, at: target.origin, through: caller)
        let accepted = try await other.ask(
            "public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#, as: SharesAnswer.self)
        try await caller.shutdown()
        guard let share = accepted.results.first, let zoneID = share.zoneID else {
            throw ValidationError("not accepted: \(accepted.results.first?.serverErrorCode ?? "no answer")")
        }
        print(guid, zoneID.ownerRecordName)
    }
}
