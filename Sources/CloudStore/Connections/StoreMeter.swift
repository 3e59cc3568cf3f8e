/// Hears what the writers of stores do, for whoever measures it.
package protocol StoreMeter: Sendable {
    /// So many requests were committed together, in so long a time.
    func committed(_ requests: Int, in time: Duration)
}
