import ArgumentParser
import Foundation
import NIOCore
import Traffic

/// Saves a file in a record of the public database and prints the link it is downloaded by.
struct AssetLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Saves a file as an asset and prints its link.")

    private struct Answer: Decodable {
        struct Record: Decodable { let fields: Fields }
        struct Fields: Decodable { let file: Field }
        struct Field: Decodable { let value: Value }
        struct Value: Decodable { let downloadURL: String }
        let records: [Record]
    }

    @OptionGroup var target: Target

    @Option(help: "The file.")
    var file: String

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        let links = try await session.uploadLinks(1, for: "Download", field: "file", zone: nil)
        let bytes = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: file)))
        let value = try await session.upload(bytes, to: links[0]).field
        let body = Bodies.modify([Bodies.create("the-file", type: "Download", fields: #""file":\#(value)"#)])
        try await session.modify("public", body)
        let answer = try await session.ask("public/records/lookup", Bodies.lookup(["the-file"]), as: Answer.self)
        try await caller.shutdown()
        guard let link = answer.records.first?.fields.file.value.downloadURL else {
            throw ValidationError("the record came back without its file")
        }
        print(link.replacing("${f}", with: "file"))
    }
}
