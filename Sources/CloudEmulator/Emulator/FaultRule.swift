import CloudHTTP
import CloudModel

/// A fault, with conditions that select its requests.
///
/// Each matching request is counted and takes one random draw, so the same requests in the same order meet the same
/// faults.
struct FaultRule: Sendable {
    let id: Int
    let effect: FaultEffect
    /// Nil for any route, like the other conditions.
    private let route: String?
    private let container: String?
    /// An email address or a user record name.
    let user: String?
    private let recordType: String?
    /// Affects only the nth matching request, counted from 1; nil for every match.
    private let nth: Int?
    /// The most requests affected; nil for unlimited.
    private let count: Int?
    private let probability: Double?
    private let seed: Int64
    private var random: SeededRandom
    private var matched = 0
    private var decided = 0

    private static let members = ["route", "container", "user", "recordType", "nth", "count", "probability", "seed"]

    /// - Parameter routes: the names of routes that accept faults.
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    init(_ object: JSONObject, id: Int, routes: [String]) throws {
        self.id = id
        try EmulatorMember.refuseOthers(than: Self.members + FaultEffect.members + ["push"], in: object)
        route = try EmulatorMember.choice("route", of: object, routes)
        container = try EmulatorMember.text("container", of: object)
        user = try EmulatorMember.text("user", of: object)
        recordType = try EmulatorMember.text("recordType", of: object)
        nth = try EmulatorMember.integer("nth", of: object, in: 1...Int(Int32.max))
        count = try EmulatorMember.integer("count", of: object, in: 1...Int(Int32.max))
        probability = try EmulatorMember.share("probability", of: object)
        let seed = try EmulatorMember.integer("seed", of: object, in: 0...Int(Int32.max))
        guard seed == nil || probability != nil else {
            throw ServerError.badRequest("seed: is for a fault with probability only")
        }
        self.seed = Int64(seed ?? 0)
        random = SeededRandom(seed: UInt64(seed ?? 0))
        effect = try FaultEffect(object)
        if effect.push != nil { try EmulatorMember.refuse(["route", "recordType"], in: object, "with push") }
    }

    /// True for routes that apps call.
    ///
    /// Control routes are never faulted, nor is waiting for notifications.
    static func isFor(_ row: RouteInfo) -> Bool {
        let isApp =
            row.pattern.hasPrefix("/database/") || row.pattern.hasPrefix("/device/")
            || row.pattern.hasPrefix("/keyvalue/")
        return row.kind == .upload || row.kind == .wire && isApp
    }

    /// Whether the rule decides about a request. Counts the request, so call once per request.
    mutating func decides(_ subject: FaultSubject) -> Bool {
        guard matches(subject) else { return false }
        matched += 1
        // Drawn for every match, so that other conditions do not shift the random sequence.
        let isDrawn = probability.map { Double.random(in: 0..<1, using: &random) < $0 } ?? true
        guard isDrawn, nth ?? matched == matched, decided < count ?? .max else { return false }
        decided += 1
        return true
    }

    private func matches(_ subject: FaultSubject) -> Bool {
        (effect.push != nil) == subject.isPush && route ?? subject.route == subject.route
            && (container == nil || container == subject.container)
            && user.map(subject.userNames.contains) ?? true && recordType.map(subject.recordTypes.contains) ?? true
    }

    func write(to json: inout JSONWriter) {
        json.member("id", Int64(id))
        if let route { json.member("route", route) }
        if let container { json.member("container", container) }
        if let user { json.member("user", user) }
        if let recordType { json.member("recordType", recordType) }
        if let nth { json.member("nth", Int64(nth)) }
        if let count { json.member("count", Int64(count)) }
        if let probability {
            json.key("probability")
            json.number(probability)
            json.member("seed", seed)
        }
        effect.write(to: &json)
        json.member("matched", Int64(matched))
        json.member("decided", Int64(decided))
    }
}
