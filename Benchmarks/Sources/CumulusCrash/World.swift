import Foundation
import Traffic

/// What every writer and reader shares: the server, the session, the ledger and the findings.
struct World: Sendable {
    static let zone = "CrashZone"
    static let recordType = "Entry"

    let server: ServerProcess
    let session: CloudSession
    let ledger: Ledger
    let findings: Findings
    let seed: UInt64

    /// Sends operations in one request and tells what became of each.
    ///
    /// An answer that does not come, or a failure of the server's own, is a finding unless the end was decided.
    func modify(_ operations: [String], zone: String? = nil, atomic: Bool = false) async -> [Outcome] {
        let database = zone == nil ? "public" : "private"
        let unanswered = [Outcome](repeating: .unknown, count: operations.count)
        do {
            let answer = try await session.send(
                "\(database)/records/modify", Bodies.modify(operations, zone: zone, atomic: atomic))
            guard answer.status < 500, let outcomes = outcomes(answer, count: operations.count) else {
                report("a write was answered \(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
                await pauseInTrouble()
                return unanswered
            }
            return outcomes
        } catch {
            report("a write got no answer although the server was up: \(error)")
            await pauseInTrouble()
            return unanswered
        }
    }

    /// A finding, unless the server was about to be killed anyway, or its database is being taken over.
    func report(_ finding: String) {
        if !server.isEnding && !server.isTroubled { findings.add(finding) }
    }

    /// Refusals come at once while there is no database, and each writer has only so many requests.
    func pauseInTrouble() async {
        if server.isTroubled { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// One outcome per operation; nil when the answer has not one entry for each.
    private func outcomes(_ answer: HTTPCaller.Answer, count: Int) -> [Outcome]? {
        let records = try? JSONDecoder().decode(RecordsAnswer.self, from: answer.body).records
        guard let records, records.count == count else { return nil }
        return records.map { record in
            // As good as no answer while the database is away.
            if record.serverErrorCode == "TRY_AGAIN_LATER", server.isTroubled { return .unknown }
            if let code = record.serverErrorCode { return .refused(code) }
            return .acknowledged(Version(record))
        }
    }
}
