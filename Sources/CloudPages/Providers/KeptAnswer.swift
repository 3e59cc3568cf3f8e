import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel

/// An answer that a provider sent as a form (`response_mode=form_post`), sealed for the GET that brings the cookies.
///
/// The form comes from another site, so browsers leave Lax cookies out; they send them with the redirect.
enum KeptAnswer {
    /// How long an answer is good, in seconds.
    static let lifetime: Int64 = 60
    static let field = "answer"

    /// The fields that are kept, and their limits in bytes.
    private static let fields = ["state": 128, "code": 4096, "error": 64, "iss": 255, "user": 2048]

    /// - Throws: `BAD_REQUEST` for a field beyond its limit.
    static func seal(_ form: FormFields, of provider: String, _ call: PageCall) throws -> String {
        var kept: [(name: String, value: String)] = []
        for (name, limit) in fields.sorted(by: { $0.key < $1.key }) {
            for value in form.all(name).prefix(2) {
                guard value.utf8.count <= limit else {
                    throw ServerError.badRequest("\(known: name) is longer than \(limit) bytes", .limit(limit))
                }
                // Glewlwyd 2.7 encodes the fields of its forms twice. No issuer has a percent sign.
                kept.append((name, name == "iss" ? PercentEncoding.decode(value.utf8) : value))
            }
        }
        var writer = JSONWriter(capacity: 1024)
        writer.object { object in
            object.member("p", provider)
            object.member("x", call.site.accounts.now().wholeSeconds + lifetime)
            object.member(
                "f", kept.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&"))
        }
        return call.site.keptAnswers.seal(writer.bytes)
    }

    /// The fields of a kept answer; nil for a forged one, an expired one and another provider's.
    static func open(_ text: String, of provider: String, _ call: PageCall) -> [(name: String, value: String)]? {
        guard let bytes = call.site.keptAnswers.open(text), let object = try? JSONParser.parse(bytes).object,
            object["p"]?.string?.isExactly(provider) == true, let expires = object["x"]?.integer,
            expires > call.site.accounts.now().wholeSeconds,
            let text = object["f"]?.string
        else { return nil }
        let form = FormFields(text.utf8)
        return form.names.sorted().flatMap { name in form.all(name).map { (name, $0) } }
    }
}
