import Foundation
import SwiftCSV

/// Reads the airports of a CSV file whose first line names its columns.
enum AirportFile {
    /// A row that is no airport.
    struct BadRow: Error, CustomStringConvertible {
        let row: Int
        let column: String

        var description: String { "row \(row) of the airports file has no usable \(column)" }
    }

    static func read(_ path: String) throws -> [Airport] {
        try airports(in: String(contentsOfFile: path, encoding: .utf8))
    }

    static func airports(in text: String) throws -> [Airport] {
        // The file's lines end in CR LF, which the CSV reader would keep in the last column.
        let file = try CSV<Named>(string: text.replacing("\r\n", with: "\n"))
        return try file.rows.enumerated().map { index, row in try airport(row, number: index + 2) }
    }

    private static func airport(_ row: [String: String], number: Int) throws -> Airport {
        func text(_ column: String) throws -> String {
            guard let value = row[column] else { throw BadRow(row: number, column: column) }
            return value
        }
        func decimal(_ column: String) throws -> Double {
            guard let value = Double(try text(column)) else { throw BadRow(row: number, column: column) }
            return value
        }
        return Airport(
            iata: try text("iata"), icao: try text("icao"), name: try text("name"), city: try text("city"),
            country: try text("country"), latitude: try decimal("lat"), longitude: try decimal("lon"),
            elevation: try decimal("elevation"), timeZone: try text("tz"))
    }
}
