import NIOCore

/// The end of one listener's wait, by a message.
struct Waking: Sendable {
    let end: NotificationHub.Waiting
    let message: HandedMessage?

    /// Listeners woken per turn of their event loop, so that other work of the loop gets its turn.
    private static let mostAtOnce = 64

    func run() { end(.woken(message)) }

    /// Ends the waits on their event loop, in batches of one turn each.
    static func run(_ wakings: ArraySlice<Waking>, on loop: any EventLoop) {
        loop.execute {
            let rest = wakings.dropFirst(mostAtOnce)
            if !rest.isEmpty { run(rest, on: loop) }
            for waking in wakings.prefix(mostAtOnce) { waking.run() }
        }
    }
}
