import CloudAssets
import CloudEngine

/// Checks whether the location of assets is usable; answers are cached, so that frequent callers cost little.
actor AssetWatch {
    private enum Question {
        case look
        /// A test write, read and deletion.
        case tryOut
    }

    private struct Answer {
        let question: Question
        let fault: String?
        let at: ContinuousClock.Instant
        /// The location's failure count at the start of the check.
        let failures: Int
    }

    /// How long an answer without a fault is cached, and an answer with a fault.
    private static let (wellLasts, faultLasts) = (Duration.seconds(10), Duration.seconds(1))

    private let assets: any AssetBackend
    private var last: Answer?
    /// The running check, with its start.
    private var asking: (question: Question, task: Task<String?, Never>, begin: ContinuousClock.Instant)?

    init(_ assets: any AssetBackend) { self.assets = assets }

    /// A fault of the location, in words for an operator; nil if usable.
    ///
    /// - Parameters:
    ///   - byUse: whether to test by a write, read and deletion.
    ///   - time: the time limit for an answer.
    func fault(byUse: Bool, within time: Duration) async -> String? {
        // After a failed test write, only a successful test write ends the fault.
        let question: Question =
            byUse || last.map { $0.question == .tryOut && $0.fault != nil } == true ? .tryOut : .look
        if let last, isGood(last, for: question) { return last.fault }
        let end = ContinuousClock.now + time
        // A running look does not answer a test write, so wait for its end.
        while question == .tryOut, let current = asking, current.question == .look {
            guard await value(of: current.task, within: ContinuousClock.now.duration(to: end)) != nil else {
                return silence(since: current.begin)
            }
        }
        let (_, task, begin) = asking ?? begin(question)
        let left = time - begin.duration(to: .now)
        if left > .zero, let fault = await value(of: task, within: left) { return fault }
        return silence(since: begin)
    }

    private func silence(since begin: ContinuousClock.Instant) -> String {
        "\(assets.place) has not answered for \(begin.duration(to: .now).inSeconds)"
    }

    private func isGood(_ answer: Answer, for question: Question) -> Bool {
        guard answer.question == question || answer.question == .tryOut else { return false }
        let age = answer.at.duration(to: .now)
        if answer.fault != nil { return age < Self.faultLasts }
        return age < Self.wellLasts && answer.failures == assets.failures
    }

    private func begin(
        _ question: Question
    ) -> (question: Question, task: Task<String?, Never>, begin: ContinuousClock.Instant) {
        let begun = (question, Task { await ask(question) }, ContinuousClock.now)
        asking = begun
        return begun
    }

    private func ask(_ question: Question) async -> String? {
        let failures = assets.failures
        var fault: String?
        do {
            switch question {
            case .look: try await assets.look()
            case .tryOut: try await assets.tryOut()
            }
        } catch { fault = "\(error)" }
        last = Answer(question: question, fault: fault, at: .now, failures: failures)
        asking = nil
        return fault
    }
}

extension Duration {
    /// Text such as "1.5 seconds".
    var inSeconds: String {
        let tenths = Int(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10) seconds"
    }
}
