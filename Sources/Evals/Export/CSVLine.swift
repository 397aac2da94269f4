/// A line of comma-separated values, as in RFC 4180.
enum CSVLine {
    /// Returns the line with CR and LF at its end.
    ///
    /// - Parameter forSpreadsheets: Whether texts that a spreadsheet would read as formulas get an apostrophe; numbers
    ///   do not.
    static func bytes(_ fields: [String], forSpreadsheets: Bool = false) -> [UInt8] {
        var line: [UInt8] = []
        for (place, field) in fields.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            append(field, forSpreadsheets, to: &line)
        }
        return line + [0x0D, 0x0A]
    }

    /// Works on bytes: as characters, a quotation mark with a combining accent is not a quotation mark.
    private static func append(_ field: String, _ forSpreadsheets: Bool, to line: inout [UInt8]) {
        var bytes = Array(field.utf8)
        if forSpreadsheets, let first = bytes.first, "=+-@\t\r".utf8.contains(first), Double(field) == nil {
            bytes.insert(UInt8(ascii: "'"), at: 0)
        }
        guard bytes.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            line += bytes
            return
        }
        line.append(0x22)
        for byte in bytes {
            if byte == 0x22 { line.append(byte) }
            line.append(byte)
        }
        line.append(0x22)
    }
}
