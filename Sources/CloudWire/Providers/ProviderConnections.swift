package import CloudAccounts
import CloudEngine
package import CloudIdentity
package import CloudModel
package import NIOHTTP1

/// What is fetched from providers, with their discovery documents and keys in memory.
///
/// State: for each provider and each setting of its issuer, the last document and keys, and the fetches that run.
package actor ProviderConnections {
    private struct Place: Hashable {
        let provider: String
        let address: String
        let issuer: String
        let allowsHTTP: Bool

        init(_ provider: SignInProvider, _ address: String) {
            self.provider = provider.name
            self.address = address
            issuer = provider.discoveryIssuer
            allowsHTTP = provider.allowsHTTP
        }
    }

    private struct Known {
        var document: DiscoveryDocument?
        var documentFetched: Timestamp?
        var documentTried: Timestamp?
        var documentFetch: Task<Result<DiscoveryDocument, ProviderFault>, Never>?
        var keys: JSONWebKeySet?
        var freshness = KeyFreshness()
        var keysFault: ProviderFault?
        var keysFetch: Task<Result<FetchedKeys, ProviderFault>, Never>?
    }

    private struct FetchedKeys {
        let keys: JSONWebKeySet
        let cacheControl: String?
    }

    private let accounts: AccountStore
    private let fetcher: ProviderFetcher
    private let settings: ProviderSettings
    private var known: [Place: Known] = [:]
    private var turns: [String: FairSemaphore] = [:]

    /// Cached documents; beyond this number the cache is emptied.
    private static let mostPlaces = 4 * ProviderLimits.providers

    package init(
        accounts: AccountStore, _ settings: ProviderSettings = ProviderSettings(),
        addresses: ProviderAddresses = ProviderAddresses()
    ) {
        self.accounts = accounts
        self.settings = settings
        fetcher = ProviderFetcher(settings, addresses: addresses)
    }

    // MARK: Discovery

    /// Where a provider is asked.
    package func endpoints(of provider: SignInProvider) async throws(ProviderFault) -> ProviderEndpoints {
        if let fixed = ProviderEndpoints.fixed(of: provider) { return fixed }
        return ProviderEndpoints(try await discovery(of: provider), of: provider)
    }

    /// The discovery document, at most 24 hours old; an older one while it cannot be fetched, for another 24 hours.
    package func discovery(of provider: SignInProvider) async throws(ProviderFault) -> DiscoveryDocument {
        let place = try place(of: provider)
        let state = known[place] ?? Known()
        if let running = state.documentFetch { return try await document(from: running, place) }
        if let document = usableDocument(state), !mayFetchDocument(state) { return document }
        let task = Task { await self.fetchDocument(of: provider, place) }
        keep(place) {
            $0.documentFetch = task
            $0.documentTried = accounts.now()
        }
        return try await document(from: task, place)
    }

    /// Whether the document is old, and has not been asked for within a minute.
    private func mayFetchDocument(_ state: Known) -> Bool {
        let now = accounts.now().wholeSeconds
        guard let fetched = state.documentFetched?.wholeSeconds,
            (0..<ProviderSettings.discoveryLifetime).contains(now - fetched)
        else { return state.documentTried.map { now - $0.wholeSeconds >= KeyFreshness.shortestPause } ?? true }
        return false
    }

    private func document(
        from task: Task<Result<DiscoveryDocument, ProviderFault>, Never>, _ place: Place
    ) async throws(ProviderFault) -> DiscoveryDocument {
        switch await task.value {
        case .success(let document): return document
        case .failure(let fault):
            guard let old = known[place].flatMap({ usableDocument($0) }) else { throw fault }
            return old
        }
    }

    /// The last document, for two days.
    private func usableDocument(_ state: Known) -> DiscoveryDocument? {
        guard let fetched = state.documentFetched?.wholeSeconds,
            accounts.now().wholeSeconds - fetched < 2 * ProviderSettings.discoveryLifetime
        else { return nil }
        return state.document
    }

    private func fetchDocument(
        of provider: SignInProvider, _ place: Place
    ) async -> Result<DiscoveryDocument, ProviderFault> {
        let outcome: Result<DiscoveryDocument, ProviderFault>
        do throws(ProviderFault) {
            let answer = try await get(place.address, of: provider)
            outcome = .success(try Self.document(answer, place))
        } catch {
            outcome = .failure(error)
        }
        keep(place) {
            $0.documentFetch = nil
            guard case .success(let document) = outcome else { return }
            $0.document = document
            $0.documentFetched = accounts.now()
        }
        return outcome
    }

    private static func document(
        _ answer: ProviderResponse, _ place: Place
    ) throws(ProviderFault) -> DiscoveryDocument {
        guard answer.status == 200 else { throw .status(answer.status) }
        do {
            return try DiscoveryDocument(parsing: answer.body, issuer: place.issuer, allowsHTTP: place.allowsHTTP)
        } catch { throw .discovery(error) }
    }

    // MARK: Keys

    /// The provider's keys: fetched again after their lifetime, or for an unknown key once a minute. Callers share a fetch.
    ///
    /// - Parameter isKeyUnknown: whether a token names a key that the last set did not have.
    package func keys(
        of provider: SignInProvider, isKeyUnknown: Bool = false
    ) async throws(ProviderFault) -> JSONWebKeySet {
        let place = try place(of: provider)
        let state = known[place] ?? Known()
        if let running = state.keysFetch { return try await keys(from: running, place) }
        guard state.freshness.mayFetch(isKeyUnknown: isKeyUnknown, now: accounts.now()) else {
            return try usableKeys(place, or: state.keysFault ?? .noKeys)
        }
        let task = Task { await self.fetchKeys(of: provider, place) }
        keep(place) {
            $0.keysFetch = task
            $0.freshness.begin(isKeyUnknown: isKeyUnknown, now: accounts.now())
        }
        return try await keys(from: task, place)
    }

    private func keys(
        from task: Task<Result<FetchedKeys, ProviderFault>, Never>, _ place: Place
    ) async throws(ProviderFault) -> JSONWebKeySet {
        switch await task.value {
        case .success(let fetched): return fetched.keys
        case .failure(let fault): return try usableKeys(place, or: fault)
        }
    }

    private func usableKeys(_ place: Place, or fault: ProviderFault) throws(ProviderFault) -> JSONWebKeySet {
        guard let state = known[place], let keys = state.keys, state.freshness.isUsable(now: accounts.now()) else {
            throw fault
        }
        return keys
    }

    private func fetchKeys(of provider: SignInProvider, _ place: Place) async -> Result<FetchedKeys, ProviderFault> {
        let outcome: Result<FetchedKeys, ProviderFault>
        do throws(ProviderFault) {
            let address = try await discovery(of: provider).keys
            let answer = try await get(address, of: provider)
            guard answer.status == 200 else { throw .status(answer.status) }
            outcome = .success(
                FetchedKeys(keys: try Self.keys(answer.body), cacheControl: answer.headers.first(name: "cache-control"))
            )
        } catch {
            outcome = .failure(error)
        }
        keep(place) {
            $0.keysFetch = nil
            switch outcome {
            case .success(let fetched):
                $0.keys = fetched.keys
                $0.keysFault = nil
                $0.freshness.succeed(cacheControl: fetched.cacheControl, now: accounts.now())
            case .failure(let fault): $0.keysFault = fault
            }
        }
        return outcome
    }

    private static func keys(_ bytes: [UInt8]) throws(ProviderFault) -> JSONWebKeySet {
        do { return try JSONWebKeySet(parsing: bytes) } catch { throw .keys(error) }
    }

    // MARK: State

    private func place(of provider: SignInProvider) throws(ProviderFault) -> Place {
        guard let address = provider.discoveryAddress else { throw .endpoint(.discovery) }
        return Place(provider, address)
    }

    private func keep(_ place: Place, _ change: (inout Known) -> Void) {
        if known[place] == nil, known.count >= Self.mostPlaces { known = [:] }
        change(&known[place, default: Known()])
    }

    // MARK: Requests

    /// Fetches a URL of a provider. Any status but a redirect is an answer.
    package func get(
        _ url: String, of provider: SignInProvider, headers: HTTPHeaders = [:]
    ) async throws(ProviderFault) -> ProviderResponse {
        try await fetch(Self.call(url, of: provider, headers: headers), of: provider)
    }

    /// Fetches a URL of a provider. Any status is an answer, that of a redirect too.
    func look(at url: String, of provider: SignInProvider) async throws(ProviderFault) -> ProviderResponse {
        var call = Self.call(url, of: provider, headers: ["accept": "text/html"])
        call.answersRedirects = true
        return try await fetch(call, of: provider)
    }

    /// Posts a form to a URL of a provider. Any status but a redirect is an answer.
    package func post(
        _ form: String, to url: String, of provider: SignInProvider, headers: HTTPHeaders = [:]
    ) async throws(ProviderFault) -> ProviderResponse {
        var call = Self.call(url, of: provider, headers: headers)
        call.form = form
        return try await fetch(call, of: provider)
    }

    private static func call(_ url: String, of provider: SignInProvider, headers: HTTPHeaders) -> ProviderFetcher.Call {
        ProviderFetcher.Call(
            url, headers: headers, issuer: provider.discoveryAddress ?? provider.issuer,
            allowsHTTP: provider.allowsHTTP)
    }

    private typealias Outcome = Result<ProviderResponse, ProviderFault>

    private func fetch(
        _ call: ProviderFetcher.Call, of provider: SignInProvider
    ) async throws(ProviderFault) -> ProviderResponse {
        let outcome: Outcome
        do {
            outcome = try await turn(of: provider.name).run { [fetcher] () async -> Outcome in
                await fetcher.outcome(of: call)
            }
        } catch {
            throw .busy
        }
        return try outcome.get()
    }

    private func turn(of provider: String) -> FairSemaphore {
        if let known = turns[provider] { return known }
        if turns.count >= Self.mostPlaces { turns = [:] }
        let made = FairSemaphore(places: settings.fetches, mostWaiting: settings.waiting) { _ in
            ServerError(.tryAgainLater, "too many requests wait for the provider", .limit(16))
        }
        turns[provider] = made
        return made
    }

    /// The time of the accounts' clock.
    package nonisolated var now: Timestamp { accounts.now() }

    nonisolated func secret(of provider: SignInProvider) async throws(ProviderFault) -> ProviderSecret {
        do { return try await accounts.providers.secret(of: provider) } catch { throw .secret }
    }
}
