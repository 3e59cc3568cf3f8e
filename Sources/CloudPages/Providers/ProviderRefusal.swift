import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import CloudWire

/// A refused sign-in at a provider: a reason for operators, and a sentence for the person.
struct ProviderRefusal: Error {
    /// Keys of the sentences.
    enum Sentence: String {
        case failed = "with.failed"
        case notBegun = "with.notBegun"
        case used = "with.used"
        case noAccount = "with.noAccount"
        case disabled = "with.disabled"
        case otherAccount = "with.otherAccount"
        case tooMany = "with.tooMany"
        case unreachable = "with.unreachable"
        case notProven = "with.notProven"
    }

    /// One clause without text of the person or the provider.
    let reason: String
    let sentence: Sentence

    init(_ reason: String, _ sentence: Sentence = .failed) { (self.reason, self.sentence) = (reason, sentence) }

    init(_ refusal: IdentityRefusal) {
        reason = refusal.reason
        sentence =
            switch refusal {
            case .used: .used
            case .disabled: .disabled
            case .admission: .noAccount
            case .otherAccount: .otherAccount
            case .tooMany: .tooMany
            }
    }

    init(_ fault: ProviderFault) {
        // A provider that answers and refuses the code is there.
        if case .token = fault { self.init(fault.reason) } else { self.init(fault.reason, .unreachable) }
    }

    private var status: HTTPResponse.Status {
        switch sentence {
        case .failed, .notBegun, .used, .tooMany: .badRequest
        case .noAccount, .disabled, .notProven: .forbidden
        case .otherAccount: .conflict
        case .unreachable: .serviceUnavailable
        }
    }

    func page(at provider: SignInProvider) -> PageError {
        PageError(
            status, Phrase("with.title"), Phrase(sentence.rawValue, ["title": .text(provider.title)]),
            .credentials(.provider(reason: reason)), retryAfter: sentence == .unreachable ? 60 : nil)
    }
}

extension PageCall {
    /// Shows a refused sign-in, and writes it into the security log and the request's trail.
    ///
    /// The page has no menu of languages, whose form would repeat the code.
    func refused(
        _ refusal: ProviderRefusal, at provider: SignInProvider, back: String = "/auth/signin?other=1"
    ) throws -> Response {
        site.security.note(.providerRefused, from: client, ["provider": provider.name, "reason": refusal.reason])
        let problem = refusal.page(at: provider)
        note(problem)
        var response = try lonePage(
            PageError.View(
                title: language.text(problem.title), text: language.text(problem.text),
                back: PageLink(label: text("with.back"), address: back)), status: problem.status)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// A page without a menu of languages, which would repeat the request.
    func lonePage(_ page: some WebPage, status: HTTPResponse.Status = .ok) throws -> Response {
        try site.page(page, in: language, status: status)
    }
}
