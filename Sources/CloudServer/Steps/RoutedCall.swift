import CloudHTTP

extension RequestCall {
    /// Nil if the path does not support the method.
    var route: Route? { match.flatMap { unsafeDowncast($0, to: Router.Match.self).route(for: request.method) } }

    /// When the request counts against its address's rate. An unknown API path counts like an anonymous request.
    var counting: AddressCount { route?.addressCount(of: request) ?? (kind == .page ? .never : .first) }
}
