package import CloudModel
import Synchronization

/// Watches the requests of clients and reports their mistakes.
///
/// The lint sees requests and answers alone. A client is a session, an API token or a server key, together with its
/// `clientId`. Clients, feeds and records are kept in bounded caches, so some are forgotten.
package final class ClientLint: Sendable {
    private struct Key: Hashable {
        let rule: LintRule
        let client: LintedName
        let text: String
    }

    private struct State {
        var isOn = false
        var hasWholeSchema = false
        var clients = BoundedCache<LintedName, LintedClient>(capacity: 200)
        /// The client of each push token.
        var owners = BoundedCache<String, LintedName>(capacity: 2000)
        /// The last client to write a record or a zone without sending a `clientId`, keyed by container and place.
        var writers = BoundedCache<String, LintedName>(capacity: 10_000)
        /// The number of consecutive polls closed by the client, by push token.
        var dropped = BoundedCache<String, Int>(capacity: 2000)
        var findings: [Key: LintFinding] = [:]
        var order: [Key] = []
        var omitted = 0
    }

    private static let mostFindings = 1000

    private let state = Mutex(State())

    package init() {}

    /// Whether the lint is watching.
    package var isOn: Bool { state.withLock { $0.isOn } }

    /// Starts watching; earlier findings stay.
    ///
    /// - Parameter hasWholeSchema: true if the schema is complete, so that production would refuse any schema change by
    ///   a save.
    package func start(hasWholeSchema: Bool = false) {
        state.withLock {
            $0.isOn = true
            $0.hasWholeSchema = $0.hasWholeSchema || hasWholeSchema
        }
    }

    /// Stops watching, and discards the findings.
    package func stop() { state.withLock { $0 = State() } }

    /// The findings, oldest first, and the number of findings beyond the limit.
    package var findings: (list: [LintFinding], omitted: Int) {
        state.withLock { state in
            var state = state
            // Unfinished feeds are reported when the findings are read: a client may resume its feed at any time.
            for (name, client) in state.clients.entries {
                for (feed, read) in client.feeds.entries where read.moreComing {
                    Self.add(
                        .moreComing, "\(read.route) left \(feed) where more was coming", name, read.request, &state)
                }
            }
            return (state.order.compactMap { state.findings[$0] }, state.omitted)
        }
    }

    /// Forgets the clients' knowledge of a container whose data was replaced.
    package func forget(container: String) {
        state.withLock { state in
            state.clients.removeAll { $0.container == container }
            state.writers.removeAll { $0.hasPrefix(container + "|") }
        }
    }

    package func note(
        _ exchange: LintedExchange, by name: LintedName, request: String, steps: [TrailStep],
        came: LintedClient.Moment, now: LintedClient.Moment
    ) {
        state.withLock { state in
            guard state.isOn else { return }
            var client = state.clients[name] ?? LintedClient()
            let found = client.note(exchange, request: request, came: came, now: now)
            state.clients[name] = client
            for (rule, text) in found { Self.add(rule, text, name, request, &state) }
            for text in steps.compactMap({ $0.refusalInProduction(hasWholeSchema: state.hasWholeSchema) }) {
                Self.add(.production, "\(exchange.route): \(text)", name, request, &state)
            }
            for zone in exchange.deletedZones {
                for key in state.clients.entries.keys { state.clients[key]?.forget(zone: zone) }
            }
            if let token = exchange.pushToken { state.owners[token] = name }
            let container = name.container
            for record in exchange.written {
                let writer = name.clientID == nil ? name : nil
                state.writers[Self.place(container, record.zone, record.name)] = writer
                state.writers[Self.place(container, record.zone)] = writer
            }
        }
    }

    /// Notes a message for a push token.
    func noteDelivery(_ message: [UInt8], to token: String?) {
        guard let token, isOn, let ck = (try? JSONParser.parse(message))?.object?["ck"]?.object else { return }
        let subject = (ck["qry"] ?? ck["fet"])?.object
        guard let container = ck["cid"]?.string, let zone = subject?["zid"]?.string else { return }
        let place = Self.place(container, zone, subject?["rid"]?.string)
        state.withLock { state in
            guard let owner = state.owners[token], let writer = state.writers[place], writer.isSameSession(as: owner)
            else { return }
            Self.add(
                .clientId, "it was told of a change of its own in zone '\(Naming.shown(zone))'", owner, nil, &state)
        }
    }

    /// Notes the end of a poll without messages.
    ///
    /// - Parameter isHungUp: whether the client closed the poll. Two closed polls in a row are reported.
    func noteEnd(ofPollBy token: String?, after time: Duration, isHungUp: Bool) {
        guard let token else { return }
        state.withLock { state in
            guard state.isOn, let owner = state.owners[token] else { return }
            let count = isHungUp ? (state.dropped[token] ?? 0) + 1 : nil
            state.dropped[token] = count
            guard count ?? 0 > 1 else { return }
            Self.add(.poll, "it closed polls within \(Int(time / .seconds(1)) + 1) s", owner, nil, &state)
        }
    }

    private static func place(_ container: String, _ zone: String, _ record: String? = nil) -> String {
        "\(container)|\(zone)|\(record ?? "")"
    }

    private static func add(
        _ rule: LintRule, _ text: String, _ name: LintedName, _ request: String?, _ state: inout State
    ) {
        let key = Key(rule: rule, client: name, text: text)
        if state.findings[key] != nil {
            state.findings[key]?.count += 1
        } else if state.order.count < mostFindings {
            state.order.append(key)
            state.findings[key] = LintFinding(
                rule: rule, text: text, container: name.container, user: name.user, clientID: name.clientID,
                request: request)
        } else {
            state.omitted += 1
        }
    }
}

extension TrailStep {
    /// The reason why production would refuse the step; nil if permitted.
    fileprivate func refusalInProduction(hasWholeSchema: Bool) -> String? {
        switch self {
        case .refusedInProduction(let fault): fault.text
        case .schemaGrew(let type) where hasWholeSchema: "'\(Naming.shown(type))' or a field of it is not in the schema"
        default: nil
        }
    }
}
