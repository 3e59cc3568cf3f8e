import CloudModel

/// The way a request counts against its client address.
///
/// People behind one address, such as an office or a school, are told apart by their credentials. A request with
/// credentials of a user, a server key or an operator, or with a signed link of this server, counts against its address
/// only if they turn out wrong.
enum AddressCount {
    /// Not at all.
    case never
    /// Before anything is done for it.
    case first
    /// When its credentials are refused.
    case onRefusal
}

extension Route {
    /// How requests of this route count for their address.
    ///
    /// Never those of what watches the server, which no limit must hide, and of pages, which ask for all their pictures
    /// at once.
    func addressCount(of request: Request) -> AddressCount {
        switch self {
        case .page, .wire(.front), .wire(.health), .wire(.readiness), .wire(.probe), .wire(.developmentSession): .never
        case .upload, .wire(.asset), .wire(.preview): .onRefusal
        case .wire(.admin), .wire(.requests): request.headers[.authorization] == nil ? .first : .onRefusal
        case .wire(.database), .wire(.links), .wire(.requestAccess):
            request.bringsCredentials ? .onRefusal : .first
        case .wire(.emulator), .wait: .first
        }
    }
}

extension Request {
    /// True if it brings a web auth token or a signature, good or not.
    fileprivate var bringsCredentials: Bool {
        parameters.webAuthToken != nil || SignatureHeaders.present(in: headers)
    }
}

extension Responder {
    /// Counts a request for its address.
    ///
    /// - Throws: `THROTTLED` when the address has made too many.
    func count(_ request: Request, _ context: Context) throws(ServerError) {
        if rates.limitsAddresses { try rates.count(address: bounds.address(of: request, context)) }
    }

    /// The error to answer in place of `error`: `THROTTLED` where it is about credentials, or a file that is not there, and
    /// its address has made too many such requests.
    func counted(_ error: any Error, _ request: Request, _ context: Context) -> any Error {
        let cause = (error as? ServerError)?.cause ?? (error as? any Refusing)?.refusal.error.cause
        switch cause {
        case .credentials, .missing(.asset):
            do { try count(request, context) } catch { return error }
            return error
        default: return error
        }
    }
}
