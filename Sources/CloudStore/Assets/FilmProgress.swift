import Foundation
import Synchronization

/// How far a film has come, by what has been written of it.
final class FilmProgress: Sendable {
    private struct State {
        var film: FragmentedFilm
        /// Nil before the film is begun, and after its end.
        var output: FileHandle?
    }

    /// The length of the video.
    let seconds: Int
    private let state: Mutex<State>

    init(seconds: Int) {
        self.seconds = seconds
        state = Mutex(State(film: FragmentedFilm(room: FragmentedFilm.room(seconds: seconds))))
    }

    /// Begins a film, also after an attempt that failed.
    func begin(_ output: FileHandle) {
        state.withLock { $0 = State(film: FragmentedFilm(room: FragmentedFilm.room(seconds: seconds)), output: output) }
    }

    func end() { state.withLock { $0.output = nil } }

    /// Writes the index of a film that has been written; false for one that is no film. Blocks.
    func finish(_ output: FileHandle) -> Bool {
        state.withLock { state in (try? state.film.finish(output)) != nil }
    }

    /// The part of the film that has been made, from 0 to 1; nil before the film is begun. Blocks.
    func share() -> Double? {
        state.withLock { state in
            guard let output = state.output else { return nil }
            try? state.film.read(output)
            return min(state.film.seconds / Double(max(seconds, 1)), 1)
        }
    }
}
