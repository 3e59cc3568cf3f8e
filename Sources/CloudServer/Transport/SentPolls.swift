import CloudStore
import NIOCore
import NIOPosix

/// Collects the answered polls of an event loop, to acknowledge their messages in groups. Runs after the loop's pending
/// answers; the connections then continue.
///
/// State: touched on the event loop only.
final class SentPolls: @unchecked Sendable {
    private struct Poll {
        let exchange: Exchange
        let listener: NotificationListener
        let message: TokenReader.Message
        let reader: TokenReader
    }

    /// The instance of the current thread's event loop.
    private static let ofThread = ThreadSpecificVariable<SentPolls>()

    private let loop: any EventLoop
    private var polls: [Poll] = []

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// Adds an answered poll. On its connection's event loop.
    static func add(_ exchange: Exchange, _ answer: Reply.Answer) {
        let loop = exchange.channel.eventLoop
        let sent: SentPolls
        if let known = ofThread.currentValue, known.loop === loop {
            sent = known
        } else {
            sent = SentPolls(loop)
            ofThread.currentValue = sent
        }
        sent.polls.append(
            Poll(exchange: exchange, listener: answer.listener, message: answer.message, reader: answer.reader))
        guard sent.polls.count == 1 else { return }
        loop.execute { sent.note() }
    }

    private func note() {
        let polls = polls
        self.polls.removeAll(keepingCapacity: true)
        for (_, polls) in Dictionary(grouping: polls, by: { Key($0) }) {
            let ended = NIOLoopBound(polls, eventLoop: loop)
            polls[0].reader.note(polls.map(\.message)) { [loop] in
                loop.execute {
                    for poll in ended.value {
                        poll.listener.leave()
                        poll.exchange.endPoll()
                    }
                }
            }
        }
    }

    private struct Key: Hashable {
        let reader: ObjectIdentifier
        let source: EventPosition.Source

        init(_ poll: Poll) { (reader, source) = (ObjectIdentifier(poll.reader), poll.message.source) }
    }
}
