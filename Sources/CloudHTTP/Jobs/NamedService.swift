package import ServiceLifecycle

/// Logs a service by its type name only.
///
/// The lifecycle package logs services with all stored properties: page templates and settings, including the mail
/// command's password.
package struct NamedService: Service, CustomStringConvertible {
    package let description: String
    private let service: any Service

    package init(_ service: any Service) {
        description = "\(type(of: service))"
        self.service = service
    }

    package func run() async throws { try await service.run() }
}
