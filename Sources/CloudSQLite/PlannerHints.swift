import CloudSQL

/// Hints to SQLite's planner, which statements have in comments of their own, such as `/*!INDEXED BY records_name*/`.
///
/// Other engines read such hints as comments, like MySQL's.
enum PlannerHints {
    /// The statement with its hints as code.
    static func revealed(_ sql: String) -> String {
        sql.rewritingSQL { part, bytes, result in
            if part == .comment, bytes.starts(with: "/*!".utf8) {
                let blank = UInt8(ascii: " ")
                result.append(blank)
                result += bytes.dropFirst(3).dropLast(2)
                result.append(blank)
            } else {
                result += bytes
            }
        }
    }
}
