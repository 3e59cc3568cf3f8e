/// The two environments of a container (reference A §1.1).
package enum ContainerEnvironment: String, CaseIterable, Codable, Sendable {
    case development, production
}

/// The databases of a container as a path names them (reference A §1.1).
package enum DatabaseScope: String, CaseIterable, Sendable {
    case `public`, `private`, shared
}
