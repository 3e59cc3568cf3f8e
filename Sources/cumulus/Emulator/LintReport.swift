import CloudEmulator
import CloudModel
import Foundation

/// The report of `cumulus exec` on clients' mistakes.
struct LintReport {
    private let findings: [LintFinding]
    private let omitted: Int

    init(_ lint: ClientLint) { (findings, omitted) = lint.findings }

    var isEmpty: Bool { findings.isEmpty }

    /// The findings as text; nil without findings.
    var text: String? {
        guard !findings.isEmpty else { return nil }
        let lines = findings.map { finding in
            let count = finding.count > 1 ? ", \(finding.count) times" : ""
            return PlainText.line("  \(finding.rule.rawValue)  \(finding.text)\(count) (\(finding.client))")
        }
        let advice = Set(findings.map(\.rule)).sorted { $0.rawValue < $1.rawValue }.map {
            "  \($0.rawValue): \($0.advice)"
        }
        let more = omitted > 0 ? ["  … and \(omitted) more"] : []
        return (["cumulus: clients work here, and would not everywhere"] + lines + more + advice).joined(
            separator: "\n")
    }

    /// Writes the report to a file: JSON for .json, JUnit for .xml, otherwise text.
    func write(to path: String) throws {
        let content =
            switch path.split(separator: ".").last {
            case "json": json
            case "xml": junit
            default: (text ?? "") + (isEmpty ? "" : "\n")
            }
        do { try Data(content.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Complaint("--lint: cannot write \(path): \(error.localizedDescription)")
        }
    }

    private var json: String {
        var writer = JSONWriter()
        writer.object {
            $0.key("findings")
            $0.array { json in for finding in findings { finding.write(to: &json) } }
            $0.member("omitted", Int64(omitted))
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    /// JUnit XML for continuous integration services, with a test case per rule.
    private var junit: String {
        let broken = Dictionary(grouping: findings, by: \.rule)
        let cases = LintRule.allCases.map { rule in
            let name = #"  <testcase classname="cumulus.lint" name="\#(rule.rawValue)""#
            guard let found = broken[rule] else { return name + "/>" }
            let texts = found.map { "\($0.text), \($0.count) times (\($0.client))" }.joined(separator: "\n")
            return """
                \(name)>
                    <failure message="\(Self.escaped(rule.advice))">\(Self.escaped(texts))</failure>
                  </testcase>
                """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="cumulus lint" tests="\(cases.count)" failures="\(broken.count)">
            \(cases.joined(separator: "\n"))
            </testsuite>

            """
    }

    /// Escapes text for XML and drops characters that XML cannot express.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t", " "...:
                escaped.unicodeScalars.append(["\u{FFFE}", "\u{FFFF}"].contains(scalar) ? "?" : scalar)
            default: escaped += "?"
            }
        }
    }
}

extension LintFinding {
    /// A description of the client.
    fileprivate var client: String {
        [user ?? "nobody signed in", clientID, container, request.map { "request \($0)" }].compactMap(\.self)
            .joined(separator: ", ")
    }
}
