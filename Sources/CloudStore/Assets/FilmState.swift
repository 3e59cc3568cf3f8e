import CloudAssets
import CloudModel
import Synchronization

/// The films that are made, and the attempts that failed, of all environments.
struct FilmState {
    /// A video of an environment.
    struct Key: Hashable {
        /// The folder of the environment's previews.
        let folder: String
        let file: AssetFile
    }

    /// A film that waits or is made.
    final class Job: Sendable {
        let progress: FilmProgress
        /// True once the video has been deleted.
        let isForgotten = Atomic(false)

        init(seconds: Int) { progress = FilmProgress(seconds: seconds) }
    }

    var jobs: [Key: (job: Job, task: Task<Void, Never>)] = [:]
    /// Videos that cannot become films; remembered to avoid repeated attempts.
    var refused = BoundedCache<Key, Void>(capacity: 100_000)
    /// Videos whose programs were stopped.
    var pauses = AttemptPauses<Key>(of: "the film of this video")
    /// Failures that say nothing of the video, for the next who asks.
    var troubles = BoundedCache<Key, ServerError>(capacity: 1000)
}
