import CloudHTTP
import CloudPages
import CloudModel

/// The reason for a request's outcome, and its remedy, as sentences.
struct RequestVerdict {
    /// The CSS class of the verdict.
    enum Kind: String {
        case refused = ""
        case warning = "warn"
        case answered = "fine"
    }

    let kind: Kind
    let why: String
    /// Empty if nothing needs to be done.
    let fix: String
    let ways: [Remedy.Way]
    /// The deciding conflict; nil without a conflict.
    let conflict: ConflictCheck?

    func view(_ ways: RequestWays, _ names: KnownPeople) -> View {
        let links = ways.links
        return View(
            kind: kind.rawValue, why: names.told(why), fix: fix.isEmpty ? nil : fix, hasWays: !links.isEmpty,
            ways: links)
    }

    struct View: PageView {
        let kind: String
        let why: String
        let fix: String?
        let hasWays: Bool
        let ways: [PageLink]
    }

    static func make(_ record: RequestRecord) -> RequestVerdict {
        let operation = record.decisive
        guard let cause = record.refusal?.cause ?? operation?.cause else { return answered(record) }
        let conflict: ConflictCheck? = if case .conflict(let check) = cause { check } else { nil }
        return RequestVerdict(
            kind: conflict == nil ? .refused : .warning,
            why: cause.verdict(reason: record.refusal?.reason ?? operation?.reason ?? "", at: record.time),
            fix: cause.remedy.text, ways: cause.remedy.ways, conflict: conflict)
    }

    /// The verdict on a request without refusals.
    private static func answered(_ record: RequestRecord) -> RequestVerdict {
        let count = record.cost.rowsAnswered
        let records = count == 0 ? "" : count == 1 ? ": 1 record" : ": \(count) records"
        let why = "Answered in \(record.duration.milliseconds)\(records)."
        guard let fault = record.productionFault else {
            return RequestVerdict(
                kind: .answered, why: why, fix: record.lead?.text.asSentence ?? "", ways: [], conflict: nil)
        }
        let remedy = Cause.index(fault).remedy
        return RequestVerdict(
            kind: .warning, why: why, fix: "Production would refuse it: \(fault.text). \(remedy.text)",
            ways: remedy.ways, conflict: nil)
    }
}

extension RequestRecord {
    /// The deciding operation: the first with an error of its own, other than `ATOMIC_ERROR`.
    var decisive: OperationRecord? {
        let refused = operations.filter { $0.code != nil }
        return refused.first { $0.code != .atomicError } ?? refused.first
    }

    fileprivate var productionFault: IndexFault? {
        steps.lazy.compactMap { if case .refusedInProduction(let fault) = $0 { fault } else { nil } }.first
    }

    /// The step that names a query's leading index.
    fileprivate var lead: TrailStep? { steps.first { if case .index = $0 { true } else { false } } }
}

extension Cause {
    /// The refusal's reason as a sentence.
    ///
    /// - Parameters:
    ///   - reason: the reason sent to the client.
    ///   - time: the time of the request.
    func verdict(reason: String, at time: Timestamp) -> String {
        switch self {
        case .conflict(let check): check.verdict(at: time)
        // For these causes the client's reason is more specific.
        case .input, .address, .place, .limit, .taken: (reason.isEmpty ? text : reason).asSentence
        default: text.asSentence
        }
    }
}

extension ConflictCheck {
    fileprivate func verdict(at time: Timestamp) -> String {
        let tag = sent.map { "tag \($0)" } ?? "no tag of it"
        guard let stored else { return "The request sent \(tag), and there is no such record." }
        let name = recordName.map { name in "'\(name)'\(recordType.map { " of '\($0)'" } ?? "")" } ?? "The record"
        let since = changedBy.map { " since \($0) changed it" } ?? ""
        let age = since.isEmpty ? "" : changed.map { " \(Age.text(time - $0)) before" } ?? ""
        return "\(name) has tag \(stored)\(since)\(age), and the request sent \(tag)."
    }
}

extension String {
    /// The text as a sentence: capitalized, unless it begins with a name, and with a full stop.
    fileprivate var asSentence: String {
        let isName = prefix { $0 != " " }.contains { $0.isUppercase || $0 == "/" || $0 == "." }
        return (isName ? prefix(1) : prefix(1).uppercased()[...]) + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
