/// Told which push tokens got a message, by their rows in the accounts file. It is called on the writer's queue.
package typealias NotifyTokens = @Sendable (Set<Int64>) -> Void

/// Told which messages a commit has queued. It is called on the writer's queue.
package typealias LogMessages = @Sendable ([LoggedNotification]) -> Void
