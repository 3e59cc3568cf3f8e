import ServiceLifecycle

/// A service that is logged by its name.
///
/// The lifecycle logs services as Swift shows values, with all that they hold: page templates, settings, and among
/// those the password in a mail command.
struct NamedService: Service, CustomStringConvertible {
    let description: String
    private let service: any Service

    init(_ service: any Service) {
        description = "\(type(of: service))"
        self.service = service
    }

    func run() async throws { try await service.run() }
}
