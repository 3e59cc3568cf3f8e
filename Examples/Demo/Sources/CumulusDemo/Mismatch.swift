/// An answer that is not what the play expects of a CloudKit server.
struct Mismatch: Error {
    let what: String
    let expected: String
    let got: String
}
