/// Told which push tokens got a message, by their rows in the accounts file, and which message where it is the only one
/// that waits for the token. It is called on the writer's queue, behind the answers to the requests of the commit.
package typealias NotifyTokens = @Sendable (Set<Int64>, _ alone: [Int64: QueuedNotification]) -> Void

/// Tells whose polls wait at this server, of some push tokens. It is called on the writer's queue.
package typealias AwaitedTokens = @Sendable (_ among: [Int64]) -> Set<Int64>

/// Told which messages a commit has queued. It is called on the writer's queue.
package typealias LogMessages = @Sendable ([LoggedNotification]) -> Void
