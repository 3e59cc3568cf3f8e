import Foundation

/// What is said after the last act: what it came to, and what is there to open.
struct Ending {
    let counts: Wire.Counts
    let seconds: Double
    let wakings: [Duration]
    let links: [Link]
    /// By their addresses, with who they are in the play.
    let people: [(address: String, what: String)]

    func tell(of server: Server, on console: Console) {
        console.line()
        console.line(
            "All as it should be: \(counts.records.grouped) records in \(counts.requests.grouped) requests, "
                + "\(seconds.oneDecimal) s, \(Int(Double(counts.records) / seconds).grouped) records/s.", .good)
        let sorted = wakings.sorted()
        if let longest = sorted.last {
            console.line(
                "Devices were woken \(sorted.count) times, \(sorted[sorted.count / 2].milliseconds) after the change was "
                    + "sent in the middle and \(longest.milliseconds) at most.", .good)
        }
        console.line()
        console.line("Open these in a browser:", .wish)
        for link in links {
            console.line(link.url.absoluteString, .request, indent: 2)
            console.line(link.what, .quiet, indent: 4)
        }
        console.line()
        console.line("To be one of the people of this play, sign in with one click on their address:", .wish)
        console.line("\(server.origin)/auth/signin", .request, indent: 2)
        for (address, what) in people { console.line("\(address), \(what)", .quiet, indent: 4) }
        console.line("\(server.origin)/auth/signout", .request, indent: 2)
        console.line("to be somebody else", .quiet, indent: 4)
    }
}
