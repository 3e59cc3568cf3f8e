import NIOCore

/// The end of one listener's wait by a message.
struct Waking: Sendable {
    let end: NotificationHub.Waiting
    let message: HandedMessage?

    /// Listeners woken in one turn of their event loop, before others that it has work for.
    private static let mostAtOnce = 64

    func run() { end(.woken(message)) }

    /// Ends the waits on their event loop, a part of them in each of its turns.
    static func run(_ wakings: ArraySlice<Waking>, on loop: any EventLoop) {
        loop.execute {
            let rest = wakings.dropFirst(mostAtOnce)
            if !rest.isEmpty { run(rest, on: loop) }
            for waking in wakings.prefix(mostAtOnce) { waking.run() }
        }
    }
}
