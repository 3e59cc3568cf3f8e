import CloudHTTP
import CloudWire
import CloudModel

/// The way a request counts against its client address.
///
/// People behind one address, such as an office or a school, are told apart by their credentials. A request with
/// credentials of a user, a server key or an operator, or with a signed link of this server, counts against its address
/// only if they turn out wrong.
enum AddressCount {
    /// Not counted.
    case never
    /// Counted before any work on the request.
    case first
    /// Counted if the request's credentials are refused.
    case onRefusal
}

extension Route {
    /// The way this route's requests count against their address.
    ///
    /// Monitoring routes are never counted, so that no limit hides the server's state. Neither are pages, because a
    /// browser loads all of a page's pictures at once.
    func addressCount(of request: Request) -> AddressCount {
        switch self {
        case .page, .wire(.front), .wire(.health), .wire(.readiness), .wire(.probe), .wire(.developmentSession): .never
        case .upload, .wire(.asset), .wire(.preview): .onRefusal
        case .wire(.admin), .wire(.requests): request.headers[.authorization] == nil ? .first : .onRefusal
        case .wire(.database), .wire(.links), .wire(.requestAccess):
            request.bringsCredentials ? .onRefusal : .first
        case .wire(.emulator), .wire(.exchange), .wire(.exchangeNonce), .wire(.notice), .wait: .first
        }
    }
}

extension Request {
    /// True if the request has a web auth token or a signature, valid or not.
    fileprivate var bringsCredentials: Bool {
        parameters.webAuthToken != nil || SignatureHeaders.present(in: headers)
    }
}

extension Responder {
    /// Counts a request against its address.
    ///
    /// - Throws: `THROTTLED` after too many requests.
    func count(_ request: Request, _ context: Context) throws(ServerError) {
        if rates.limitsAddresses { try rates.count(address: bounds.address(of: request, context)) }
    }

    /// Replaces an error about credentials or a missing file with `THROTTLED` after too many such errors from the
    /// address; returns other errors unchanged.
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
