internal import System

/// The lines of a text file and their fields, as bytes.
struct LineFields {
    private let bytes: [UInt8]
    /// Name of the input, for errors.
    let place: String
    /// The number of the line that was taken last, from 1.
    private(set) var line = 0
    private var offset = 0

    init(_ bytes: [UInt8], _ place: String) {
        self.bytes = bytes
        self.place = place
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Returns the next line that is not blank, without its end.
    mutating func next() -> ArraySlice<UInt8>? {
        while offset < bytes.count {
            let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
            var text = bytes[offset..<end]
            offset = end + 1
            line += 1
            if text.last == 0x0D { text = text.dropLast() }
            if text.contains(where: { !Self.isSpace($0) }) { return text }
        }
        return nil
    }

    /// Fields between tabs; empty ones count.
    static func tabs(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.split(separator: 0x09, omittingEmptySubsequences: false)
    }

    /// Fields between any number of blanks and tabs.
    static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { line.split(whereSeparator: isSpace) }

    func failure(_ problem: String, _ remedy: String) -> Problem {
        Problem(.invalid, "\(place), line \(line)", problem, remedy: remedy)
    }

    static func text(_ field: ArraySlice<UInt8>) -> String { String(decoding: field, as: UTF8.self) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension LineFields {
    /// Returns a field as an error shows it: whole where it is short.
    static func shown(_ field: ArraySlice<UInt8>) -> String {
        let text = String(decoding: field.prefix(40), as: UTF8.self)
        let safe = text.unicodeScalars.map { $0.value < 32 ? "·" : String($0) }.joined()
        return "“" + safe + (field.count > 40 ? "…”" : "”")
    }
}
